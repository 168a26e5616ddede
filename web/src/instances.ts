// Many copies of one geometry, each fixed to a body, drawn at once: as fine as they are large on the screen, and never too thin to be seen.
import * as THREE from "three";
import { Sides, sidesFor } from "./geometry";
import type { Vec3 } from "./package";

/// From where a scene is seen. `pixel`: what a CSS pixel covers at distance 1; `fineness`: of curves, 1 is as fine as can be seen.
export interface Eye { position: THREE.Vector3; forward: THREE.Vector3; distance: number; pixel: number; fineness: number }

const THINNEST = 1.6; // CSS pixels, half of it: thinner bodies are drawn as thick, so that a long chain is a line and not dust
const M = new THREE.Matrix4(), X = new THREE.Vector3(), Y = new THREE.Vector3(), Z = new THREE.Vector3();

/// The radius on the screen, in CSS pixels, of something this large at the middle of the scene.
export function pixelsOf(size: number, eye: Eye): number { return size / (eye.pixel * eye.distance); }

export interface Copy { body: number; local: THREE.Matrix4; color?: THREE.Color; half: Vec3 | null }

export class Instances {
  readonly mesh: THREE.InstancedMesh;
  readonly body: number[];
  shadow: THREE.InstancedMesh | null = null;
  private readonly geometries = new Map<Sides, THREE.BufferGeometry>();
  private readonly thinnest: number; // half an edge, of any copy

  /// `radius`: of the largest circle in it [m].
  constructor(private readonly make: (sides: Sides) => THREE.BufferGeometry, material: THREE.Material, private readonly copies: Copy[], private readonly radius: number) {
    this.body = copies.map(({ body }) => body);
    this.mesh = new THREE.InstancedMesh(this.geometry(4), material, copies.length);
    this.mesh.frustumCulled = false;
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    copies.forEach(({ color }, i) => { if (color) this.mesh.setColorAt(i, color); });
    this.thinnest = Math.min(...copies.map(({ half }) => (half ? Math.min(...half) : Infinity)));
  }

  private geometry(sides: Sides): THREE.BufferGeometry {
    if (!this.geometries.has(sides)) this.geometries.set(sides, this.make(sides));
    return this.geometries.get(sides)!;
  }

  /// The same once more, wherever the mesh goes: for its shadow.
  castBy(material: THREE.Material): THREE.InstancedMesh {
    this.shadow = new THREE.InstancedMesh(this.mesh.geometry, material, this.mesh.count);
    this.shadow.instanceMatrix = this.mesh.instanceMatrix;
    this.shadow.frustumCulled = false;
    this.shadow.renderOrder = -1;
    return this.shadow;
  }

  refine(eye: Eye): void {
    const pixels = pixelsOf(this.radius, eye) * eye.fineness;
    this.mesh.geometry = this.geometry(sidesFor(pixels));
    if (this.shadow) this.shadow.geometry = this.geometry(sidesFor(0.3 * pixels));
  }

  move(poses: THREE.Matrix4[], ground: THREE.Matrix4, eye: Eye): void {
    const array = this.mesh.instanceMatrix.array as Float32Array, { position: o, forward: f } = eye, least = THINNEST * eye.pixel;
    for (let i = 0; i < this.copies.length; ++i) {
      const { body, local, half } = this.copies[i];
      M.multiplyMatrices(body < 0 ? ground : poses[body], local);
      const e = M.elements, depth = (e[12] - o.x) * f.x + (e[13] - o.y) * f.y + (e[14] - o.z) * f.z;
      if (half && least * depth > this.thinnest) thicken(e, half, least * depth);
      M.toArray(array, 16 * i);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    for (const geometry of this.geometries.values()) geometry.dispose();
    (this.mesh.material as THREE.Material).dispose();
    this.mesh.dispose();
  }
}

/// Stretches the axes of a matrix along which the shape is thinner than `least` to either side.
function thicken(e: number[], half: Vec3, least: number): void {
  for (let k = 0; k < 3; ++k)
    if (half[k] < least) for (let r = 4 * k; r < 4 * k + 3; ++r) e[r] *= least / half[k];
}

/// The transformation that takes unit z to the vector from p to q, with the given radius across.
export function along(p: THREE.Vector3, q: THREE.Vector3, radius: number, out: THREE.Matrix4): THREE.Matrix4 {
  Z.subVectors(q, p);
  const length = Z.length();
  if (length < 1e-12) return out.makeScale(0, 0, 0);
  Z.divideScalar(length);
  X.set(Math.abs(Z.x) < 0.7 ? 1 : 0, Math.abs(Z.x) < 0.7 ? 0 : 1, 0);
  Y.crossVectors(Z, X).normalize();
  X.crossVectors(Y, Z);
  out.makeBasis(X.multiplyScalar(radius), Y.multiplyScalar(radius), Z.multiplyScalar(length));
  return out.setPosition(p);
}
