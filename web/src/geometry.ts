// Geometries of shapes and joints, as fine as they are large on the screen. A shape's own axis is z, its centre the origin.
import * as THREE from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { ShapeHeader, Vec3 } from "./package";

const UP_TO_Z = new THREE.Matrix4().makeRotationX(Math.PI / 2); // three.js builds along y

/// How many sides a circle is drawn with: four where it is a pixel, 48 where a corner would be seen.
export type Sides = 4 | 6 | 8 | 12 | 16 | 24 | 32 | 48;
const LADDER: Sides[] = [4, 6, 8, 12, 16, 24, 32, 48];

/// Of a circle with this radius in pixels: the corners stay within about a quarter of a pixel.
export function sidesFor(radius: number): Sides {
  const wanted = Math.PI * Math.sqrt(2 * Math.max(0, radius));
  return LADDER.find((sides) => sides >= wanted) ?? 48;
}

/// A geometry, and the scale with which an instance of it becomes the shape; `half`: half its edges [m], or null: as it is, however small.
export interface Part { key: string; make: (sides: Sides) => THREE.BufferGeometry; scale: THREE.Vector3; half: Vec3 | null }

const alongZ = (g: THREE.BufferGeometry) => g.applyMatrix4(UP_TO_Z);

export const unitCylinder = (sides: number) => alongZ(new THREE.CylinderGeometry(1, 1, 1, sides, 1, sides === 4)); // of a pixel the ends are not seen
export const unitCone = (sides: number) => alongZ(new THREE.ConeGeometry(1, 1, sides));

/// A turned cylinder with a broken edge, so that light catches it; a plain one where nobody would see the edge.
function turnedCylinder(radius: number, length: number, sides: Sides): THREE.BufferGeometry {
  if (sides < 16) return unitCylinder(sides).scale(radius, radius, length);
  const bevel = 0.12 * Math.min(radius, length / 2), r = radius, l = length / 2;
  const outline = [[0, -l], [r - bevel, -l], [r - 0.3 * bevel, -l + 0.3 * bevel], [r, -l + bevel], [r, l - bevel],
    [r - 0.3 * bevel, l - 0.3 * bevel], [r - bevel, l], [0, l]].map(([x, y]) => new THREE.Vector2(x, y));
  const g = new THREE.LatheGeometry(outline, sides).toNonIndexed();
  g.computeVertexNormals();
  return alongZ(smoothAround(g));
}

/// Normals of a lathe: smooth around the axis (y), creased along the outline.
function smoothAround(g: THREE.BufferGeometry): THREE.BufferGeometry {
  const position = g.getAttribute("position"), normal = g.getAttribute("normal");
  for (let i = 0; i < position.count; ++i) {
    const radial = Math.hypot(normal.getX(i), normal.getZ(i)), r = Math.hypot(position.getX(i), position.getZ(i));
    if (r > 1e-12 && radial > 1e-6)
      normal.setXYZ(i, (radial * position.getX(i)) / r, normal.getY(i), (radial * position.getZ(i)) / r);
  }
  return g;
}

function meshGeometry(shape: ShapeHeader): THREE.BufferGeometry {
  const g = new THREE.BufferGeometry();
  g.setAttribute("position", new THREE.Float32BufferAttribute(shape.vertices ?? [], 3));
  g.setIndex(shape.faces ?? []);
  const flat = g.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

const rounded = (x: number) => x.toPrecision(4);

const sphere = (sides: Sides) => new THREE.SphereGeometry(1, sides, Math.ceil(0.7 * sides));

/// `many`: too many different sizes for a geometry each; edges are then sharp.
export function partOf(shape: ShapeHeader, many: boolean): Part {
  const one = new THREE.Vector3(1, 1, 1), r = shape.radius ?? 1, l = shape.length ?? 1;
  switch (shape.type) {
    case "box": {
      const [x, y, z] = shape.size ?? [1, 1, 1], half: Vec3 = [x / 2, y / 2, z / 2];
      if (many) return { key: "box", make: () => new THREE.BoxGeometry(1, 1, 1), scale: new THREE.Vector3(x, y, z), half };
      const make = (sides: Sides) => (sides < 16 ? new THREE.BoxGeometry(x, y, z) : new RoundedBoxGeometry(x, y, z, 2, 0.06 * Math.min(x, y, z)));
      return { key: `box ${rounded(x)} ${rounded(y)} ${rounded(z)}`, make, scale: one, half };
    }
    case "cylinder":
      if (many || shape.link) return { key: "cylinder", make: unitCylinder, scale: new THREE.Vector3(r, r, l), half: [r, r, l / 2] };
      return { key: `cylinder ${rounded(r)} ${rounded(l)}`, make: (sides) => turnedCylinder(r, l, sides), scale: one, half: [r, r, l / 2] };
    case "sphere": return { key: "sphere", make: sphere, scale: new THREE.Vector3(r, r, r), half: [r, r, r] };
    case "ellipsoid": {
      const half = (shape.size ?? [1, 1, 1]).map((edge) => edge / 2) as Vec3;
      return { key: "sphere", make: sphere, scale: new THREE.Vector3(...half), half };
    }
    case "cone": return { key: "cone", make: unitCone, scale: new THREE.Vector3(r, r, l), half: [r, r, l / 2] };
    case "capsule": {
      const make = (sides: Sides) => alongZ(new THREE.CapsuleGeometry(r, l, Math.ceil(sides / 4), sides));
      return { key: `capsule ${rounded(r)} ${rounded(l)}`, make, scale: one, half: [r, r, l / 2 + r] };
    }
    case "mesh": {
      const n = (shape.vertices ?? []).length;
      const sum = (shape.vertices ?? []).reduce((s, x, i) => s + x * Math.sin(i + 1), 0);
      return { key: `mesh ${n} ${sum}`, make: () => meshGeometry(shape), scale: one, half: null };
    }
  }
}

function placed(g: THREE.BufferGeometry, at: [number, number, number] = [0, 0, 0], axis?: "x" | "y"): THREE.BufferGeometry {
  if (axis === "x") g.rotateY(Math.PI / 2);
  if (axis === "y") g.rotateX(Math.PI / 2);
  return g.translate(...at);
}

/// A symbol of a joint by its look, in the triad of a, of size about 1; z is the joint's axis.
export function jointGeometry(look: string, sides: Sides): THREE.BufferGeometry {
  type At = [number, number, number];
  const cylinder = (radius: number, length: number, at?: At, axis?: "x" | "y") => placed(unitCylinder(sides).scale(radius, radius, length), at, axis);
  const ring = (radius: number, tube: number, at?: At, axis?: "x" | "y") =>
    placed(new THREE.TorusGeometry(radius, tube, Math.max(4, sides / 4), sides), at, axis);
  const ball = (radius: number) => placed(sphere(sides).scale(radius, radius, radius));
  const slab = (x: number, y: number, z: number, at?: At) => placed(new THREE.BoxGeometry(x, y, z), at);
  const parts = ((): THREE.BufferGeometry[] => {
    switch (look) {
      case "ball": return sides < 12 ? [ball(0.52)] : [ball(0.5), ring(0.52, 0.09)];
      case "pin": return [cylinder(0.3, 1.5), cylinder(0.44, 0.16, [0, 0, 0.68]), cylinder(0.44, 0.16, [0, 0, -0.68])];
      case "cross": return [cylinder(0.16, 1.4), cylinder(0.16, 1.4, [0, 0, 0], "x"), ball(0.3)];
      case "sleeve": return [cylinder(0.18, 3), cylinder(0.4, 1)];
      case "thread": return [cylinder(0.2, 3), ...[-1.2, -0.9, -0.6, 0.6, 0.9, 1.2].map((z) => ring(0.22, 0.07, [0, 0, z])), cylinder(0.42, 0.7)];
      case "slider": return [slab(0.28, 0.28, 3), slab(0.62, 0.62, 0.9)];
      case "slab": return [slab(1.8, 1.8, 0.06), cylinder(0.2, 0.5)];
      case "plane-point": return [slab(1.8, 1.8, 0.06), ball(0.25)];
      case "line-point": return [cylinder(0.1, 3), ball(0.32)];
      case "block": return [slab(0.55, 0.55, 0.55)];
      default: return [ball(0.3)];
    }
  })();
  return mergeGeometries(parts.map((p) => { p.deleteAttribute("uv"); return p; }));
}

/// A coil spring along z from 0 to 1, of radius 1, with straight ends. Its wire is round if it is drawn `height` radii long.
export function coilGeometry(turns: number, height: number, sides: Sides): THREE.BufferGeometry {
  class Coil extends THREE.Curve<THREE.Vector3> {
    constructor() { super(); }
    override getPoint(t: number, out = new THREE.Vector3()): THREE.Vector3 {
      const lead = 0.1, u = Math.min(1, Math.max(0, (t - lead) / (1 - 2 * lead)));
      const r = Math.min(1, Math.min(t, 1 - t) / lead);
      const angle = 2 * Math.PI * turns * u;
      return out.set(r * Math.cos(angle), r * Math.sin(angle), t * height);
    }
  }
  return new THREE.TubeGeometry(new Coil(), Math.max(8, sides) * turns, 0.15, sides < 16 ? 4 : 8).scale(1, 1, 1 / height);
}

/// An arrow's head, its tip at z = 0, its base at z = -1.
export function headGeometry(sides: number): THREE.BufferGeometry {
  return unitCone(sides).translate(0, 0, -0.5);
}

/// A shaft from z = 0 to 1.
export function shaftGeometry(sides: number): THREE.BufferGeometry {
  return unitCylinder(sides).translate(0, 0, 0.5);
}
