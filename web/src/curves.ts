// The curves of a body or a joint: as polhode chose them where samples had to be left out, else from the frames themselves.
import type { Curve, Group, Run } from "./run";

interface Quantity { id: string; title: string; unit: string; per: "body" | "joint"; names: string[] }

export const QUANTITIES: Quantity[] = [
  { id: "position", title: "position", unit: "m", per: "body", names: ["x", "y", "z"] },
  { id: "velocity", title: "velocity", unit: "m/s", per: "body", names: ["x", "y", "z"] },
  { id: "orientation", title: "orientation, quaternion", unit: "1", per: "body", names: ["w", "x", "y", "z"] },
  { id: "angular_velocity", title: "angular velocity, in the body", unit: "rad/s", per: "body", names: ["x", "y", "z"] },
  { id: "force", title: "reaction force on b, in the joint's axes", unit: "N", per: "joint", names: ["1", "2", "3", "size"] },
  { id: "torque", title: "reaction torque on b, in the joint's axes", unit: "N m", per: "joint", names: ["1", "2", "3", "size"] },
];

export function quantityOf(id: string): Quantity { return QUANTITIES.find((q) => q.id === id)!; }

function curve(name: string, values: Float32Array): Curve {
  let min = Infinity, max = -Infinity;
  for (const x of values) {
    if (x < min) min = x;
    if (x > max) max = x;
  }
  return { name, values, min, max };
}

function strided(array: Float32Array, count: number, stride: number, first: number): Float32Array {
  const out = new Float32Array(count);
  for (let i = 0; i < count; ++i) out[i] = array[stride * i + first];
  return out;
}

/// From the frames: every number that the 3D view has.
export function frameCurves(run: Run, id: string, item: number): Curve[] {
  const { names } = quantityOf(id), n = run.frameCount;
  const source = (): [Float32Array, number, number] => {
    switch (id) {
      case "position": return [run.position, 3 * run.bodyCount, 3 * item];
      case "velocity": return [run.velocity, 3 * run.bodyCount, 3 * item];
      case "orientation": return [run.quaternion, 4 * run.bodyCount, 4 * item];
      case "angular_velocity": return [run.angularVelocity, 3 * run.bodyCount, 3 * item];
      case "force": return [run.reaction, 6 * run.jointCount, 6 * item];
      default: return [run.reaction, 6 * run.jointCount, 6 * item + 3];
    }
  };
  const [array, stride, first] = source();
  const parts = names.filter((name) => name !== "size").map((_, k) => strided(array, n, stride, first + k));
  if (names.includes("size")) parts.push(Float32Array.from({ length: n }, (_, i) => Math.hypot(parts[0][i], parts[1][i], parts[2][i])));
  return parts.map((values, k) => curve(names[k], values));
}

export function itemGroup(run: Run, id: string, item: number): Group {
  const stored = run.group(id, item);
  if (stored) return stored;
  const { title, unit, per } = quantityOf(id);
  return { id, title, unit, per, item, log: false, time: run.time, curves: frameCurves(run, id, item) };
}
