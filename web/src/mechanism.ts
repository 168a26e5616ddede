// One run in space: bodies, joints, springs, body frames, reactions and their shadows, all instanced, moved by the run's pose.
import * as THREE from "three";
import { coilGeometry, headGeometry, jointGeometry, partOf, shaftGeometry, unitCylinder } from "./geometry";
import type { Quat, Vec3 } from "./package";
import { nearestIndex, Run } from "./run";
import { bodyColor, Palette, Theme } from "./theme";

export interface Shown {
  joints: boolean; frames: boolean; reactions: boolean; torques: boolean; springs: boolean; shadows: boolean;
}

const X = new THREE.Vector3(), Y = new THREE.Vector3(), Z = new THREE.Vector3();
const M = new THREE.Matrix4(), Q = new THREE.Quaternion();
const toVector = (v: Vec3) => new THREE.Vector3(...v);
const toQuaternion = ([w, x, y, z]: Quat) => new THREE.Quaternion(x, y, z, w);

/// Instances of one geometry, each fixed to a body.
class Instances {
  readonly mesh: THREE.InstancedMesh;
  constructor(geometry: THREE.BufferGeometry, material: THREE.Material, readonly body: number[], readonly local: THREE.Matrix4[]) {
    this.mesh = new THREE.InstancedMesh(geometry, material, body.length);
    this.mesh.frustumCulled = false;
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
  }

  move(poses: THREE.Matrix4[], ground: THREE.Matrix4): void {
    const array = this.mesh.instanceMatrix.array as Float32Array;
    for (let i = 0; i < this.body.length; ++i) {
      M.multiplyMatrices(this.body[i] < 0 ? ground : poses[this.body[i]], this.local[i]);
      M.toArray(array, 16 * i);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/// The transformation that takes unit z to the vector from p to q, with the given radius across.
function along(p: THREE.Vector3, q: THREE.Vector3, radius: number, out: THREE.Matrix4): THREE.Matrix4 {
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

const COIL = 0.5; // radius of a spring, in sizes of a joint
const NOWHERE = new THREE.Matrix4().makeScale(0, 0, 0);

export class Mechanism {
  readonly group = new THREE.Group();
  readonly pickable = new Map<THREE.InstancedMesh, number[]>(); // to the body of each instance
  private readonly solids: Instances[] = [];
  private readonly jointGlyphs = new THREE.Group();
  private readonly joints: Instances[] = [];
  private readonly rods: THREE.InstancedMesh;
  private readonly rodJoints: number[] = [];
  private readonly coils: THREE.InstancedMesh;
  private readonly axes: Instances;
  private readonly arrows: { shaft: THREE.InstancedMesh; head: THREE.InstancedMesh }[];
  private readonly shadows = new THREE.Group();
  private readonly poses: THREE.Matrix4[];
  private readonly ground = new THREE.Matrix4();
  private readonly jointSize: number;
  readonly largestForce: number;
  readonly largestTorque: number;

  constructor(readonly run: Run, readonly theme: Theme, private readonly palette: Palette, ghost: string | null,
              floor: THREE.Matrix4 | null, private readonly arrowLength: number) {
    const { head } = run;
    this.poses = head.bodies.map(() => new THREE.Matrix4());
    this.jointSize = head.size;
    this.buildBodies(ghost);
    const glyph = new THREE.MeshStandardMaterial({ color: palette.joint, roughness: 0.45, metalness: 0.35 });
    if (ghost) Object.assign(glyph, { transparent: true, opacity: 0.25, depthWrite: false });
    this.buildJoints(glyph);
    this.rods = this.add(new THREE.InstancedMesh(unitCylinder(16).translate(0, 0, 0.5), glyph, Math.max(1, this.rodJoints.length)));
    const coil = new THREE.MeshStandardMaterial({ color: palette.spring, roughness: 0.35, metalness: 0.5 });
    this.coils = this.add(new THREE.InstancedMesh(coilGeometry(9, this.coilHeight()), coil, Math.max(1, head.springs.length)));
    this.coils.count = head.springs.length;
    this.axes = this.buildAxes();
    this.arrows = [palette.force, palette.torque].map((color) => {
      const material = new THREE.MeshBasicMaterial({ color });
      return {
        shaft: this.add(new THREE.InstancedMesh(shaftGeometry(), material, Math.max(1, run.jointCount))),
        head: this.add(new THREE.InstancedMesh(headGeometry(), material, Math.max(1, run.jointCount))),
      };
    });
    this.largestForce = this.largest(0);
    this.largestTorque = this.largest(3);
    if (floor && !ghost) this.buildShadows(floor);
  }

  private add(mesh: THREE.InstancedMesh): THREE.InstancedMesh {
    mesh.frustumCulled = false;
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.group.add(mesh);
    return mesh;
  }

  /// How long the first spring is at the start, in radii of its coil.
  private coilHeight(): number {
    const [spring] = this.run.head.springs;
    if (!spring) return 8;
    this.run.poseAt(0);
    this.takePoses();
    const length = this.point(spring.a, spring.point_a).distanceTo(this.point(spring.b, spring.point_b));
    return Math.min(60, Math.max(3, length / (COIL * this.jointSize)));
  }

  private takePoses(): void {
    const { run } = this;
    for (let b = 0; b < run.bodyCount; ++b) {
      Q.set(run.q[4 * b + 1], run.q[4 * b + 2], run.q[4 * b + 3], run.q[4 * b]).normalize();
      this.poses[b].makeRotationFromQuaternion(Q).setPosition(run.x[3 * b], run.x[3 * b + 1], run.x[3 * b + 2]);
    }
  }

  private largest(first: number): number {
    const R = this.run.reaction;
    let most = 0;
    for (let i = first; i < R.length; i += 6) most = Math.max(most, Math.hypot(R[i], R[i + 1], R[i + 2]));
    return most;
  }

  private buildBodies(ghost: string | null): void {
    const { bodies } = this.run.head;
    const shapes = bodies.flatMap((body, index) => body.shapes.map((shape) => ({ shape, index })));
    const many = new Set(shapes.map(({ shape }) => partOf(shape, false).key)).size > 60;
    const lots = new Map<string, { make: () => THREE.BufferGeometry; body: number[]; local: THREE.Matrix4[]; color: THREE.Color[] }>();
    for (const { shape, index } of shapes) {
      const part = partOf(shape, many);
      if (!lots.has(part.key)) lots.set(part.key, { make: part.make, body: [], local: [], color: [] });
      const lot = lots.get(part.key)!;
      lot.body.push(index);
      lot.local.push(new THREE.Matrix4().compose(toVector(shape.at), toQuaternion(shape.frame), part.scale));
      const own = ghost ? new THREE.Color(ghost) : shape.color ? new THREE.Color(shape.color) : bodyColor(index, bodies.length, this.theme);
      lot.color.push(shape.link && !ghost ? own.lerp(new THREE.Color(this.palette.joint), 0.35) : own);
    }
    const material = new THREE.MeshStandardMaterial({ roughness: 0.5, metalness: 0.1 });
    if (ghost) Object.assign(material, { transparent: true, opacity: 0.35, depthWrite: false });
    for (const lot of lots.values()) {
      const instances = new Instances(lot.make(), material, lot.body, lot.local);
      lot.color.forEach((color, i) => instances.mesh.setColorAt(i, color));
      this.solids.push(instances);
      this.pickable.set(instances.mesh, lot.body);
      this.group.add(instances.mesh);
    }
  }

  private buildJoints(material: THREE.Material): void {
    const lots = new Map<string, { body: number[]; local: THREE.Matrix4[] }>();
    const size = new THREE.Vector3(1, 1, 1).multiplyScalar(this.jointSize);
    const addTo = (type: string, body: number, point: Vec3, triad: Quat, scale = size) => {
      if (!lots.has(type)) lots.set(type, { body: [], local: [] });
      lots.get(type)!.body.push(body);
      lots.get(type)!.local.push(new THREE.Matrix4().compose(toVector(point), toQuaternion(triad), scale));
    };
    this.run.head.joints.forEach((joint, index) => {
      if (joint.type === "rod" || joint.type === "length") {
        this.rodJoints.push(index);
        const small = size.clone().multiplyScalar(0.7);
        addTo("ball", joint.a, joint.point_a, joint.triad_a, small);
        addTo("ball", joint.b, joint.point_b, joint.triad_b, small);
      } else if (joint.type !== "gear" && joint.type !== "rack") {
        addTo(joint.type, joint.a, joint.point_a, joint.triad_a);
        if (joint.type === "point-on-line" || joint.type === "point-on-plane") addTo("ball", joint.b, joint.point_b, joint.triad_b);
      }
    });
    for (const [type, lot] of lots) {
      const instances = new Instances(jointGeometry(type), material, lot.body, lot.local);
      this.joints.push(instances);
      this.jointGlyphs.add(instances.mesh);
    }
    this.group.add(this.jointGlyphs);
  }

  private buildAxes(): Instances {
    const body: number[] = [], local: THREE.Matrix4[] = [], colors: THREE.Color[] = [];
    const length = 2.6 * this.jointSize, radius = 0.09 * this.jointSize;
    const origin = new THREE.Vector3();
    this.run.head.bodies.forEach((_, index) => {
      [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach((axis, k) => {
        body.push(index);
        local.push(along(origin, new THREE.Vector3(...axis).multiplyScalar(length), radius, new THREE.Matrix4()));
        colors.push(new THREE.Color(["#e5484d", "#30a46c", "#3b82f6"][k]));
      });
    });
    const axes = new Instances(shaftGeometry(), new THREE.MeshBasicMaterial(), body, local);
    colors.forEach((color, i) => axes.mesh.setColorAt(i, color));
    this.group.add(axes.mesh);
    return axes;
  }

  /// Every solid a second time, flattened onto the floor; the stencil keeps overlaps from darkening twice.
  private buildShadows(floor: THREE.Matrix4): void {
    const material = new THREE.MeshBasicMaterial({
      color: 0x000000, transparent: true, opacity: this.theme === "light" ? 0.13 : 0.4, depthWrite: false, toneMapped: false,
      stencilWrite: true, stencilFunc: THREE.EqualStencilFunc, stencilRef: 0, stencilZPass: THREE.IncrementStencilOp,
    });
    for (const { mesh } of [...this.solids, ...this.joints]) {
      const shadow = new THREE.InstancedMesh(mesh.geometry, material, mesh.count);
      shadow.instanceMatrix = mesh.instanceMatrix;
      shadow.frustumCulled = false;
      shadow.renderOrder = -1;
      this.shadows.add(shadow);
    }
    this.shadows.matrixAutoUpdate = false;
    this.shadows.matrix.copy(floor);
    this.group.add(this.shadows);
  }

  /// A point of a body (-1: the ground) in space, at the pose shown.
  point(body: number, point: Vec3, out = new THREE.Vector3()): THREE.Vector3 {
    return out.set(...point).applyMatrix4(body < 0 ? this.ground : this.poses[body]);
  }

  pose(body: number): THREE.Matrix4 { return body < 0 ? this.ground : this.poses[body]; }

  move(t: number, shown: Shown): void {
    const { run } = this;
    run.poseAt(t);
    this.takePoses();
    for (const solid of this.solids) solid.move(this.poses, this.ground);
    this.jointGlyphs.visible = this.rods.visible = shown.joints;
    if (shown.joints || shown.shadows) for (const joint of this.joints) joint.move(this.poses, this.ground);
    this.moveRods();
    this.coils.visible = shown.springs;
    if (shown.springs) this.moveCoils();
    this.axes.mesh.visible = shown.frames;
    if (shown.frames) this.axes.move(this.poses, this.ground);
    this.moveArrows(0, shown.reactions, t, 0, this.largestForce);
    this.moveArrows(1, shown.torques, t, 3, this.largestTorque);
    this.shadows.visible = shown.shadows;
  }

  private moveRods(): void {
    this.rods.count = this.rodJoints.length;
    const p = new THREE.Vector3(), q = new THREE.Vector3();
    this.rodJoints.forEach((index, i) => {
      const joint = this.run.head.joints[index];
      this.point(joint.a, joint.point_a, p);
      this.point(joint.b, joint.point_b, q);
      this.rods.setMatrixAt(i, along(p, q, 0.12 * this.jointSize, M));
    });
    this.rods.instanceMatrix.needsUpdate = true;
  }

  private moveCoils(): void {
    const p = new THREE.Vector3(), q = new THREE.Vector3();
    this.run.head.springs.forEach((spring, i) => {
      this.point(spring.a, spring.point_a, p);
      this.point(spring.b, spring.point_b, q);
      this.coils.setMatrixAt(i, along(p, q, COIL * this.jointSize, M));
    });
    this.coils.instanceMatrix.needsUpdate = true;
  }

  /// Force (first = 0) or torque (3) on b, at b's anchor, as long as it is large.
  private moveArrows(which: number, shown: boolean, t: number, first: number, largest: number): void {
    const { shaft, head } = this.arrows[which];
    shaft.visible = head.visible = shown && largest > 0;
    if (!shaft.visible) return;
    const { run } = this, i = nearestIndex(run.time, t);
    const p = new THREE.Vector3(), f = new THREE.Vector3(), tip = new THREE.Vector3(), neck = new THREE.Vector3();
    const radius = 0.02 * this.arrowLength;
    run.head.joints.forEach((joint, k) => {
      const o = 6 * (run.jointCount * i + k) + first;
      f.set(run.reaction[o], run.reaction[o + 1], run.reaction[o + 2]).multiplyScalar(this.arrowLength / largest);
      const length = f.length();
      if (length < 1e-4 * this.arrowLength) {
        shaft.setMatrixAt(k, NOWHERE);
        head.setMatrixAt(k, NOWHERE);
        return;
      }
      f.applyQuaternion(toQuaternion(joint.triad_a));
      if (joint.a >= 0) f.applyQuaternion(Q.setFromRotationMatrix(this.poses[joint.a]));
      this.point(joint.b, joint.point_b, p);
      tip.copy(p).add(f);
      const headLength = Math.min(8 * radius, 0.6 * length);
      neck.copy(tip).addScaledVector(f, -headLength / length);
      shaft.setMatrixAt(k, along(p, neck, radius, M));
      along(neck, tip, headLength / 2.6, M);
      M.setPosition(tip);
      head.setMatrixAt(k, M);
    });
    shaft.count = head.count = run.jointCount;
    shaft.instanceMatrix.needsUpdate = head.instanceMatrix.needsUpdate = true;
  }

  /// Lightens the body chosen (-1: none).
  highlight(body: number): void {
    for (const solid of this.solids) {
      const colors = solid.mesh.instanceColor;
      if (!colors) continue;
      solid.mesh.userData.plain ??= (colors.array as Float32Array).slice();
      const plain = solid.mesh.userData.plain as Float32Array;
      for (let i = 0; i < solid.body.length; ++i)
        for (let k = 0; k < 3; ++k)
          colors.array[3 * i + k] = solid.body[i] === body ? 0.55 * plain[3 * i + k] + 0.45 : plain[3 * i + k];
      colors.needsUpdate = true;
    }
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (!(object instanceof THREE.InstancedMesh)) return;
      object.geometry.dispose();
      (object.material as THREE.Material).dispose();
      object.dispose();
    });
  }
}
