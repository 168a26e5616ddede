// Where the camera stands: which way is up, and from how far away the whole motion just fills the view.
import * as THREE from "three";
import type { Vec3 } from "./package";
import type { Run } from "./run";

export type Preset = "fit" | "front" | "back" | "left" | "right" | "top" | "bottom";

const FRAMES = 60, BODIES = 100; // that the view is fitted to, at most; those left out lie between others

/// At most `most` of the numbers below `count`, equally far apart, with the first and the last.
function spread(count: number, most: number): number[] {
  const n = Math.min(count, most);
  return Array.from({ length: n }, (_, k) => (n > 1 ? Math.round((k * (count - 1)) / (n - 1)) : 0));
}

/// Balls around everything that is seen: x, y, z and radius in a row.
function balls(runs: Run[]): Float32Array {
  const out: number[] = [], v = new THREE.Vector3(), q = new THREE.Quaternion();
  for (const run of runs) {
    const { bodies, joints } = run.head, n = run.bodyCount, Q = run.quaternion, X = run.position;
    const chosen = spread(n, BODIES).map((b) => ({ b, ends: bodies[b].shapes.flatMap(ends) }));
    for (const f of spread(run.frameCount, FRAMES)) for (const { b, ends } of chosen) {
      const o = f * n + b;
      q.set(Q[4 * o + 1], Q[4 * o + 2], Q[4 * o + 3], Q[4 * o]);
      for (const [at, radius] of ends) {
        v.set(...at).applyQuaternion(q);
        const x = v.x + X[3 * o], y = v.y + X[3 * o + 1], z = v.z + X[3 * o + 2];
        if (Number.isFinite(x + y + z)) out.push(x, y, z, radius);
      }
    }
    for (const joint of joints) {
      if (joint.look === "none") continue;
      if (joint.a < 0) out.push(...joint.point_a, run.head.size);
      if (joint.b < 0) out.push(...joint.point_b, run.head.size);
    }
  }
  return Float32Array.from(out.length > 0 ? out : [0, 0, 0, 1]);
}

/// A shape as balls, in the body frame: one at each end of its longest edge.
function ends(shape: Run["head"]["bodies"][number]["shapes"][number]): [Vec3, number][] {
  const r = shape.radius ?? 0, [w, x, y, z] = shape.frame;
  const half = shape.size ? shape.size.map((edge) => edge / 2) : [r, r, (shape.length ?? 2 * r) / 2];
  if (shape.vertices) return [[shape.at, Math.sqrt(Math.max(0, ...shape.vertices.map((c) => c * c)))]];
  const k = half.indexOf(Math.max(...half)), other = Math.hypot(half[(k + 1) % 3], half[(k + 2) % 3]), reach = Math.max(0, half[k] - 0.5 * other);
  const q = new THREE.Quaternion(x, y, z, w);
  return [-reach, reach].map((d) => {
    const at = new THREE.Vector3().setComponent(k, d).applyQuaternion(q).add(new THREE.Vector3(...shape.at));
    return [at.toArray() as Vec3, other];
  });
}

export class Framing {
  readonly up = new THREE.Vector3(0, 0, 1);
  readonly right = new THREE.Vector3(1, 0, 0);
  readonly forward = new THREE.Vector3(0, 1, 0);
  readonly centre = new THREE.Vector3();
  radius = 1;
  level = 0; // of the floor: a little below the lowest corner of the motion's box
  private balls: Float32Array = new Float32Array(0);
  private runs: Run[] = [];

  /// The box of all motions, and which way is up: against gravity.
  measure(runs: Run[]): void {
    const box = new THREE.Box3();
    for (const { head } of runs) {
      box.expandByPoint(new THREE.Vector3(...head.extent.min));
      box.expandByPoint(new THREE.Vector3(...head.extent.max));
    }
    box.getCenter(this.centre);
    this.radius = Math.max(1e-6, 0.5 * box.getSize(new THREE.Vector3()).length());
    this.up.set(...runs[0].head.gravity).negate();
    if (this.up.length() < 1e-12) this.up.set(0, 0, 1);
    this.up.normalize();
    this.right.set(1, 0, 0);
    if (Math.abs(this.up.x) > 0.9) this.right.set(0, 1, 0);
    this.forward.crossVectors(this.up, this.right).normalize();
    this.right.crossVectors(this.forward, this.up);
    const half = box.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    this.level = this.centre.dot(this.up) - (Math.abs(half.x * this.up.x) + Math.abs(half.y * this.up.y) + Math.abs(half.z * this.up.z)) - 0.03 * this.radius;
    this.runs = runs;
    this.balls = new Float32Array(0);
  }

  /// Towards the camera.
  direction(preset: Preset): THREE.Vector3 {
    const { up, right, forward } = this;
    const d = ((): THREE.Vector3 => {
      switch (preset) {
        case "front": return forward.clone().negate();
        case "back": return forward.clone();
        case "right": return right.clone();
        case "left": return right.clone().negate();
        case "top": return up.clone().addScaledVector(forward, -1e-3);
        case "bottom": return up.clone().negate().addScaledVector(forward, -1e-3);
        case "fit": return right.clone().multiplyScalar(0.75).addScaledVector(forward, -1).addScaledVector(up, 0.45);
      }
    })();
    return d.normalize();
  }

  /// Puts the camera where all that is ever seen just fills the view, less margins (left, right, below, above, as parts of half the
  /// view), and finds the point to look at. On the right a point at x, z (towards the camera) with radius r is inside if
  /// x - c + r <= t (d - z), with t the tangent of the angle of view there; on the left if c - x + r <= s (d - z). So with
  /// A = max(x + t z + r) and B = max(-x + s z + r):  d >= (A + B)/(t + s), and c = (A - B - (t - s) d)/2 is in the middle of what is left.
  fit(camera: THREE.PerspectiveCamera, direction: THREE.Vector3, margins: [number, number, number, number], target: THREE.Vector3): void {
    if (this.balls.length === 0) this.balls = balls(this.runs);
    const across = new THREE.Vector3().crossVectors(this.up, direction).normalize(), upright = new THREE.Vector3().crossVectors(direction, across);
    const t = Math.tan(THREE.MathUtils.degToRad(camera.fov / 2)), p = new THREE.Vector3();
    const [left, right, below, above] = margins.map((margin, k) => (k < 2 ? t * camera.aspect : t) * (1 - margin));
    let A = -Infinity, B = -Infinity, C = -Infinity, D = -Infinity;
    for (let i = 0; i < this.balls.length; i += 4) {
      p.fromArray(this.balls, i).sub(this.centre);
      const x = p.dot(across), y = p.dot(upright), z = p.dot(direction), r = this.balls[i + 3];
      A = Math.max(A, x + right * z + r);
      B = Math.max(B, -x + left * z + r);
      C = Math.max(C, y + above * z + r);
      D = Math.max(D, -y + below * z + r);
    }
    const d = Math.max((A + B) / (right + left), (C + D) / (above + below), 0.1 * this.radius);
    target.copy(this.centre).addScaledVector(across, (A - B - (right - left) * d) / 2).addScaledVector(upright, (C - D - (above - below) * d) / 2);
    camera.position.copy(target).addScaledVector(direction, d);
  }
}
