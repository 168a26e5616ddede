// Reaction forces or torques on body b of every joint, as arrows at its anchor; the longest is the largest of the run.
import * as THREE from "three";
import { headGeometry, shaftGeometry } from "./geometry";
import { along } from "./instances";
import type { JointHeader, Vec3 } from "./package";
import { nearestIndex, Run } from "./run";
import { flatMaterial } from "./solid";

const M = new THREE.Matrix4(), Q = new THREE.Quaternion();
const NOWHERE = new THREE.Matrix4().makeScale(0, 0, 0);

/// Where a point of a body is, and how the body is turned.
export interface Places {
  point: (body: number, point: Vec3, out: THREE.Vector3) => THREE.Vector3;
  pose: (body: number) => THREE.Matrix4;
}

export class Arrows {
  readonly group = new THREE.Group();
  readonly largest: number;
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  private readonly triads: THREE.Quaternion[];

  /// `first`: 0 for forces, 3 for torques; `length` of the longest arrow.
  constructor(private readonly run: Run, private readonly first: 0 | 3, color: string, private readonly length: number) {
    const R = run.reaction, material = flatMaterial(color);
    let largest = 0;
    for (let i = first; i < R.length; i += 6) largest = Math.max(largest, R[i] ** 2 + R[i + 1] ** 2 + R[i + 2] ** 2);
    this.largest = Math.sqrt(largest);
    [this.shafts, this.heads] = [shaftGeometry(12), headGeometry(16)].map((geometry) => {
      const mesh = new THREE.InstancedMesh(geometry, material, Math.max(1, run.jointCount));
      mesh.frustumCulled = false;
      mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
      this.group.add(mesh);
      return mesh;
    });
    this.shafts.count = this.heads.count = run.jointCount;
    this.triads = run.head.joints.map(({ triad_a: [w, x, y, z] }) => new THREE.Quaternion(x, y, z, w));
  }

  move(t: number, shown: boolean, places: Places): void {
    this.group.visible = shown && this.largest > 0;
    if (!this.group.visible) return;
    const frame = nearestIndex(this.run.time, t);
    this.run.head.joints.forEach((joint, k) => this.place(joint, k, frame, places));
    this.shafts.instanceMatrix.needsUpdate = this.heads.instanceMatrix.needsUpdate = true;
  }

  private place(joint: JointHeader, k: number, frame: number, places: Places): void {
    const { run } = this, o = 6 * (run.jointCount * frame + k) + this.first, radius = 0.02 * this.length;
    const f = new THREE.Vector3(run.reaction[o], run.reaction[o + 1], run.reaction[o + 2]).multiplyScalar(this.length / this.largest);
    const length = f.length();
    if (length < 1e-4 * this.length) {
      this.shafts.setMatrixAt(k, NOWHERE);
      this.heads.setMatrixAt(k, NOWHERE);
      return;
    }
    f.applyQuaternion(this.triads[k]).applyQuaternion(Q.setFromRotationMatrix(places.pose(joint.a)));
    const p = places.point(joint.b, joint.point_b, new THREE.Vector3()), tip = p.clone().add(f);
    const headLength = Math.min(8 * radius, 0.6 * length), neck = tip.clone().addScaledVector(f, -headLength / length);
    this.shafts.setMatrixAt(k, along(p, neck, radius, M));
    this.heads.setMatrixAt(k, along(neck, tip, headLength / 2.6, M).setPosition(tip));
  }

  dispose(): void {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
  }
}
