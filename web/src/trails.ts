// Paths of chosen points of bodies, drawn as far as the motion has come.
import type * as THREE from "three";
import type { Vec3 } from "./package";
import { Ribbon } from "./ribbon";
import { indexAt, Run } from "./run";
import { thinOut } from "./thin_out";

const POINTS = 3000; // of a smooth path, before those that tell nothing are left out
const PIECES = 1600; // at most, of a long path: it is drawn with less detail

export class Trail {
  readonly ribbon: Ribbon;
  private readonly times: Float64Array;

  /// `scale`: the radius of all motions; the path is drawn to a two thousandth of it.
  constructor(run: Run, body: number, point: Vec3, color: THREE.Color | string, width: number, scale: number) {
    const between = run.bodyCount <= 60 ? Math.max(1, Math.min(16, Math.floor(POINTS / Math.max(1, run.frameCount)))) : 1;
    const count = Math.max(2, (run.frameCount - 1) * between + 1);
    const times = new Float64Array(count), places = new Float32Array(3 * count);
    for (let i = 0; i < count; ++i) {
      const frame = Math.min(run.frameCount - 1, Math.floor(i / between));
      const next = Math.min(run.frameCount - 1, frame + 1);
      times[i] = run.time[frame] + (run.time[next] - run.time[frame]) * ((i % between) / between);
      place(run, body, point, times[i], between > 1 ? -1 : frame, places, 3 * i);
    }
    let kept = thinOut(places, 5e-4 * scale, 0.06 * scale);
    for (let coarser = 2; kept.length > PIECES && coarser < 64; coarser *= 2) kept = thinOut(places, 5e-4 * coarser * scale, 0.06 * coarser * scale);
    this.times = Float64Array.from(kept, (i) => times[i]);
    this.ribbon = new Ribbon(Float32Array.from({ length: 3 * kept.length }, (_, k) => places[3 * kept[Math.floor(k / 3)] + (k % 3)]), { color, width });
  }

  show(t: number): void {
    const { times } = this, i = indexAt(times, t), last = i === times.length - 1;
    this.ribbon.reach = last ? i : i + Math.max(0, (t - times[i]) / (times[i + 1] - times[i]));
  }

  dispose(): void { this.ribbon.dispose(); }
}

/// x + R p, of a recorded frame or between frames (frame < 0).
function place(run: Run, body: number, p: Vec3, t: number, frame: number, out: Float32Array, at: number): void {
  let x = run.x, q = run.q, xo = 3 * body, qo = 4 * body;
  if (frame >= 0) {
    x = run.position; q = run.quaternion;
    xo += 3 * run.bodyCount * frame; qo += 4 * run.bodyCount * frame;
  } else {
    run.poseAt(t);
  }
  const w = q[qo], a = q[qo + 1], b = q[qo + 2], c = q[qo + 3];
  const tx = 2 * (b * p[2] - c * p[1]), ty = 2 * (c * p[0] - a * p[2]), tz = 2 * (a * p[1] - b * p[0]);
  out[at] = x[xo] + p[0] + w * tx + b * tz - c * ty;
  out[at + 1] = x[xo + 1] + p[1] + w * ty + c * tx - a * tz;
  out[at + 2] = x[xo + 2] + p[2] + w * tz + a * ty - b * tx;
}
