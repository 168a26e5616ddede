// One run: its frames, the pose of every body at any time, and its curves.
import { GroupHeader, Package, RunHeader } from "./package";

export interface Curve { name: string; values: Float32Array; min: number; max: number }
export interface Group {
  id: string; title: string; per: "run" | "body" | "joint"; item: number; unit: string; log: boolean;
  time: Float64Array; curves: Curve[];
}

/// Index of the last time <= t; 0 before the first.
export function indexAt(times: Float64Array, t: number): number {
  let low = 0, high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle; else high = middle;
  }
  return low;
}

export function nearestIndex(times: Float64Array, t: number): number {
  const i = indexAt(times, t);
  return i + 1 < times.length && times[i + 1] - t < t - times[i] ? i + 1 : i;
}

export class Run {
  readonly time: Float64Array;
  readonly position: Float32Array;        // [frame, body, 3], origin of the body frame in space
  readonly quaternion: Float32Array;      // [frame, body, 4], w x y z
  readonly velocity: Float32Array;        // [frame, body, 3], in space
  readonly angularVelocity: Float32Array; // [frame, body, 3], in the body
  readonly reaction: Float32Array;        // [frame, joint, 6], in the triad of a
  readonly groups: Group[];
  readonly bodyCount: number;
  readonly jointCount: number;

  // the pose that poseAt has found
  readonly x: Float32Array; // [body, 3]
  readonly q: Float32Array; // [body, 4], w x y z

  constructor(readonly head: RunHeader, data: Package) {
    const f = head.frames;
    this.time = data.f64(f.time);
    this.position = data.f32(f.position);
    this.quaternion = data.f32(f.quaternion);
    this.velocity = data.f32(f.velocity);
    this.angularVelocity = data.f32(f.angular_velocity);
    this.reaction = data.f32(f.reaction);
    this.bodyCount = head.bodies.length;
    this.jointCount = head.joints.length;
    this.groups = head.groups.map((g) => readGroup(g, data));
    this.x = new Float32Array(3 * this.bodyCount);
    this.q = new Float32Array(4 * this.bodyCount);
  }

  get frameCount(): number { return this.time.length; }
  get endTime(): number { return this.frameCount > 0 ? this.time[this.frameCount - 1] : 0; }
  get decimated(): boolean { return this.head.samples > this.frameCount; }

  group(id: string, item = 0): Group | undefined { return this.groups.find((g) => g.id === id && g.item === item); }

  /// Fills x and q. At the time of a frame they are the recorded numbers; between frames positions follow the cubic
  /// through the recorded positions and velocities, rotations the shortest turn that agrees with the recorded spin.
  poseAt(t: number): void {
    if (this.frameCount === 0) return;
    const i = indexAt(this.time, t);
    const next = Math.min(i + 1, this.frameCount - 1);
    const h = this.time[next] - this.time[i];
    const u = h > 0 ? Math.min(1, Math.max(0, (t - this.time[i]) / h)) : 0;
    if (u === 0 || u === 1) this.copyFrame(u === 0 ? i : next);
    else for (let b = 0; b < this.bodyCount; ++b) this.interpolate(b, i, next, h, u);
  }

  private copyFrame(i: number): void {
    const n = this.bodyCount;
    this.x.set(this.position.subarray(3 * n * i, 3 * n * (i + 1)));
    this.q.set(this.quaternion.subarray(4 * n * i, 4 * n * (i + 1)));
  }

  private interpolate(b: number, i: number, next: number, h: number, u: number): void {
    const n = this.bodyCount;
    const p0 = 3 * (n * i + b), p1 = 3 * (n * next + b);
    const h00 = (1 + 2 * u) * (1 - u) * (1 - u), h10 = u * (1 - u) * (1 - u), h01 = u * u * (3 - 2 * u), h11 = u * u * (u - 1);
    for (let k = 0; k < 3; ++k)
      this.x[3 * b + k] = h00 * this.position[p0 + k] + h01 * this.position[p1 + k] +
        h * (h10 * this.velocity[p0 + k] + h11 * this.velocity[p1 + k]);

    // q(u) = q0 exp(u phi), exp(phi) = q0^-1 q1; of all such phi the one nearest to the mean spin times h
    const Q = this.quaternion, a = 4 * (n * i + b), c = 4 * (n * next + b);
    const w0 = Q[a], x0 = Q[a + 1], y0 = Q[a + 2], z0 = Q[a + 3], w1 = Q[c], x1 = Q[c + 1], y1 = Q[c + 2], z1 = Q[c + 3];
    let w = w0 * w1 + x0 * x1 + y0 * y1 + z0 * z1;
    let x = w0 * x1 - x0 * w1 - y0 * z1 + z0 * y1;
    let y = w0 * y1 + x0 * z1 - y0 * w1 - z0 * x1;
    let z = w0 * z1 - x0 * y1 + y0 * x1 - z0 * w1;
    if (w < 0) { w = -w; x = -x; y = -y; z = -z; }
    const sine = Math.hypot(x, y, z), W = this.angularVelocity;
    let angle = 2 * Math.atan2(sine, w);
    const mx = 0.5 * h * (W[p0] + W[p1]), my = 0.5 * h * (W[p0 + 1] + W[p1 + 1]), mz = 0.5 * h * (W[p0 + 2] + W[p1 + 2]);
    let ax = 0, ay = 0, az = 0;
    if (sine > 1e-7) {
      ax = x / sine; ay = y / sine; az = z / sine;
    } else {
      const m = Math.hypot(mx, my, mz);
      if (m > 0) { ax = mx / m; ay = my / m; az = mz / m; angle = 0; }
    }
    angle += 2 * Math.PI * Math.round((mx * ax + my * ay + mz * az - angle) / (2 * Math.PI));
    const s = Math.sin(0.5 * u * angle), rw = Math.cos(0.5 * u * angle), rx = s * ax, ry = s * ay, rz = s * az;
    const o = 4 * b;
    this.q[o] = w0 * rw - x0 * rx - y0 * ry - z0 * rz;
    this.q[o + 1] = w0 * rx + x0 * rw + y0 * rz - z0 * ry;
    this.q[o + 2] = w0 * ry - x0 * rz + y0 * rw + z0 * rx;
    this.q[o + 3] = w0 * rz + x0 * ry - y0 * rx + z0 * rw;
  }
}

function readGroup(g: GroupHeader, data: Package): Group {
  return {
    id: g.id, title: g.title, per: g.per, item: g.item, unit: g.unit, log: g.log, time: data.f64(g.time),
    curves: g.channels.map((c) => ({ name: c.name, values: data.f32(c.values), min: c.min, max: c.max })),
  };
}
