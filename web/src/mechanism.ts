// One run in space: bodies, joints, springs, body frames, reactions and their shadows, all instanced, moved by the run's pose.
import * as THREE from "three";
import { Arrows } from "./arrows";
import { coilGeometry, jointGeometry, Part, partOf, shaftGeometry, Sides } from "./geometry";
import { along, Copy, Eye, Instances, pixelsOf } from "./instances";
import type { Quat, ShapeHeader, Vec3 } from "./package";
import type { Run } from "./run";
import { flatMaterial, Light, SolidOptions, solidMaterial } from "./solid";
import { bodyColor, ownColor, Palette, Theme } from "./theme";

export interface Shown {
  joints: boolean; frames: boolean; reactions: boolean; torques: boolean; springs: boolean; shadows: boolean;
}

/// What a mechanism is drawn with. `ghost`: its colour, if it is one; `floor`: flattens onto the floor, along the light.
export interface Style { theme: Theme; palette: Palette; light: Light; ghost: string | null; floor: THREE.Matrix4; arrowLength: number }

const COIL = 0.5; // radius of a spring, in sizes of a joint
const M = new THREE.Matrix4(), Q = new THREE.Quaternion(), P = new THREE.Vector3(), P2 = new THREE.Vector3();
const toVector = (v: Vec3) => new THREE.Vector3(...v);
const toQuaternion = ([w, x, y, z]: Quat) => new THREE.Quaternion(x, y, z, w);

/// Copies that share a geometry.
interface Lot { make: Part["make"]; copies: Copy[]; radius: number }

/// The largest circle of a shape.
function roundness({ radius, size }: ShapeHeader): number { return radius ?? (size ? 0.5 * Math.max(...size) : 0); }

export class Mechanism {
  readonly group = new THREE.Group();
  readonly pickable = new Map<THREE.Object3D, number[]>(); // to the body of each instance
  readonly forces: Arrows;
  readonly torques: Arrows;
  private readonly solids: Instances[] = [];
  private readonly joints: Instances[] = [];
  private readonly rods: THREE.InstancedMesh;
  private readonly rodJoints: number[] = [];
  private readonly coils: THREE.InstancedMesh;
  private readonly fineCoil: THREE.BufferGeometry;
  private readonly coarseCoil: THREE.BufferGeometry;
  private readonly axes: Instances;
  private readonly shadows = new THREE.Group();
  private readonly poses: THREE.Matrix4[];
  private readonly ground = new THREE.Matrix4();
  private readonly jointSize: number;

  constructor(readonly run: Run, private readonly style: Style) {
    const { head } = run, { palette, light, ghost, arrowLength } = style, opacity = ghost ? 0.25 : 1;
    this.poses = head.bodies.map(() => new THREE.Matrix4());
    this.jointSize = head.size;
    this.buildBodies();
    this.buildJoints(solidMaterial(light, { opacity, shine: 0.5 }));
    this.rods = this.add(() => shaftGeometry(12), { color: palette.joint, opacity, shine: 0.5 }, this.rodJoints.length);
    const height = this.coilHeight(), springs = head.springs.length;
    this.coils = this.add(() => coilGeometry(9, height, springs > 20 ? 8 : 24), { color: palette.spring, opacity, shine: 0.6 }, springs);
    this.fineCoil = this.coils.geometry;
    this.coarseCoil = springs > 0 ? coilGeometry(9, height, 12) : this.fineCoil; // for those in motion, where a processor draws
    this.axes = this.buildAxes();
    this.forces = new Arrows(run, 0, palette.force, arrowLength);
    this.torques = new Arrows(run, 3, palette.torque, arrowLength);
    this.group.add(this.forces.group, this.torques.group);
    if (!ghost) this.buildShadows();
  }

  private add(geometry: () => THREE.BufferGeometry, options: SolidOptions, count: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(count > 0 ? geometry() : undefined, solidMaterial(this.style.light, options), count);
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

  private buildBodies(): void {
    const { bodies } = this.run.head, { ghost, theme, palette, light } = this.style;
    const shapes = bodies.flatMap((body, index) => body.shapes.map((shape) => ({ shape, index })));
    const many = new Set(shapes.map(({ shape }) => partOf(shape, false).key)).size > 24;
    const lots = new Map<string, Lot>();
    for (const { shape, index } of shapes) {
      const { key, make, scale, half } = partOf(shape, many);
      if (!lots.has(key)) lots.set(key, { make, copies: [], radius: 0 });
      const lot = lots.get(key)!, own = ghost ? new THREE.Color(ghost) : shape.color ? ownColor(shape.color, theme) : bodyColor(index, bodies.length, theme);
      const color = shape.link && !ghost ? own.lerp(new THREE.Color(palette.joint), 0.35) : own;
      lot.copies.push({ body: index, local: new THREE.Matrix4().compose(toVector(shape.at), toQuaternion(shape.frame), scale), color, half });
      lot.radius = Math.max(lot.radius, roundness(shape));
    }
    const material = solidMaterial(light, { opacity: ghost ? 0.35 : 1 });
    for (const { make, copies, radius } of lots.values()) {
      const instances = new Instances(make, material, copies, radius);
      this.solids.push(instances);
      this.pickable.set(instances.mesh, instances.body);
      this.group.add(instances.mesh);
    }
  }

  private buildJoints(material: THREE.Material): void {
    const lots = new Map<string, Copy[]>(), color = new THREE.Color(this.style.palette.joint), size = new THREE.Vector3(1, 1, 1).multiplyScalar(this.jointSize);
    const addTo = (look: string, body: number, point: Vec3, triad: Quat, scale = size) => {
      if (!lots.has(look)) lots.set(look, []);
      lots.get(look)!.push({ body, local: new THREE.Matrix4().compose(toVector(point), toQuaternion(triad), scale), color, half: null });
    };
    this.run.head.joints.forEach((joint, index) => {
      if (joint.look === "rod") {
        this.rodJoints.push(index);
        const small = size.clone().multiplyScalar(0.7);
        addTo("dot", joint.a, joint.point_a, joint.triad_a, small);
        addTo("dot", joint.b, joint.point_b, joint.triad_b, small);
      } else if (joint.look !== "none") {
        addTo(joint.look, joint.a, joint.point_a, joint.triad_a);
        if (joint.look === "line-point" || joint.look === "plane-point") addTo("dot", joint.b, joint.point_b, joint.triad_b);
      }
    });
    for (const [look, copies] of lots) {
      const instances = new Instances((sides: Sides) => jointGeometry(look, sides), material, copies, 0.5 * this.jointSize);
      this.joints.push(instances);
      this.group.add(instances.mesh);
    }
  }

  private buildAxes(): Instances {
    const length = 2.6 * this.jointSize, radius = 0.09 * this.jointSize, origin = new THREE.Vector3();
    const copies = this.run.head.bodies.flatMap((_, body) => [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis, k): Copy => ({
      body, local: along(origin, new THREE.Vector3(...axis).multiplyScalar(length), radius, new THREE.Matrix4()),
      color: new THREE.Color(["#e5484d", "#30a46c", "#3b82f6"][k]), half: [radius, radius, length],
    })));
    const axes = new Instances(shaftGeometry, flatMaterial(0xffffff), copies, radius);
    this.group.add(axes.mesh);
    return axes;
  }

  /// Every solid a second time, flattened onto the floor; the stencil keeps overlaps from darkening twice.
  private buildShadows(): void {
    const material = flatMaterial(0x000000, {
      depthWrite: false, stencilWrite: true, stencilFunc: THREE.EqualStencilFunc, stencilRef: 0, stencilZPass: THREE.IncrementStencilOp,
    }, this.style.theme === "light" ? 0.13 : 0.4);
    for (const instances of [...this.solids, ...this.joints]) this.shadows.add(instances.castBy(material));
    this.shadows.matrixAutoUpdate = false;
    this.shadows.matrix.copy(this.style.floor);
    this.group.add(this.shadows);
  }

  /// A point of a body (-1: the ground) in space, at the pose shown.
  point(body: number, point: Vec3, out = new THREE.Vector3()): THREE.Vector3 {
    return out.set(...point).applyMatrix4(this.pose(body));
  }

  pose(body: number): THREE.Matrix4 { return body < 0 ? this.ground : this.poses[body]; }

  /// Takes the pose of a time; drawn it is only when it moves.
  take(t: number): void {
    this.run.poseAt(t);
    this.takePoses();
  }

  move(t: number, shown: Shown, eye: Eye): void {
    this.take(t);
    // a joint of a pixel or two lies within the bodies that it joins
    const pixels = pixelsOf(this.jointSize, eye), joints = shown.joints && pixels > 2;
    for (const solid of this.solids) this.show(solid, true, eye);
    for (const joint of this.joints) {
      this.show(joint, joints, eye);
      if (joint.shadow) joint.shadow.visible = joints && pixels > 6;
    }
    this.show(this.axes, shown.frames, eye);
    this.rods.visible = shown.joints && this.rods.count > 0;
    if (this.rods.visible) this.moveRods(Math.max(0.12 * this.jointSize, eye.pixel * eye.distance));
    this.coils.visible = shown.springs && this.coils.count > 0;
    this.coils.geometry = eye.fineness < 1 ? this.coarseCoil : this.fineCoil;
    if (this.coils.visible) this.moveCoils();
    this.forces.move(t, shown.reactions, this);
    this.torques.move(t, shown.torques, this);
    this.shadows.visible = shown.shadows;
  }

  private show(instances: Instances, shown: boolean, eye: Eye): void {
    instances.mesh.visible = shown;
    if (!shown) return;
    instances.refine(eye);
    instances.move(this.poses, this.ground, eye);
  }

  private moveRods(radius: number): void {
    this.rodJoints.forEach((index, i) => {
      const joint = this.run.head.joints[index];
      this.rods.setMatrixAt(i, along(this.point(joint.a, joint.point_a, P), this.point(joint.b, joint.point_b, P2), radius, M));
    });
    this.rods.instanceMatrix.needsUpdate = true;
  }

  private moveCoils(): void {
    this.run.head.springs.forEach((spring, i) => {
      this.coils.setMatrixAt(i, along(this.point(spring.a, spring.point_a, P), this.point(spring.b, spring.point_b, P2), COIL * this.jointSize, M));
    });
    this.coils.instanceMatrix.needsUpdate = true;
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
    for (const part of [...this.solids, ...this.joints, this.axes, this.forces, this.torques]) part.dispose();
    this.fineCoil.dispose();
    this.coarseCoil.dispose();
    for (const mesh of [this.rods, this.coils]) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
  }
}
