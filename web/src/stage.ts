// The view in space: renderer, camera, light, floor, and the mechanisms of all runs. Draws only when something has changed.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Floor } from "./floor";
import { Mechanism, Shown } from "./mechanism";
import type { ShapeHeader, Vec3 } from "./package";
import { Poinsot } from "./poinsot";
import type { Run } from "./run";
import { bodyColor, PALETTES, seriesColor, Theme } from "./theme";
import { Trail } from "./trails";

export type Preset = "fit" | "front" | "back" | "left" | "right" | "top" | "bottom";
export interface StageOptions extends Shown { trails: boolean; floor: boolean; polhode: boolean; ghosts: boolean; names: boolean }

/// A point of a body whose path is drawn.
export interface TrailChoice { body: number; point: Vec3 }

/// Whether a point of the body frame lies in the box around a shape.
function contains(shape: ShapeHeader, point: Vec3): boolean {
  const [w, x, y, z] = shape.frame, r = shape.radius ?? 0, l = (shape.length ?? 2 * r) / 2 + (shape.type === "capsule" ? r : 0);
  const half = shape.size ? shape.size.map((edge) => edge / 2) : [r, r, l];
  const own = new THREE.Vector3(...point).sub(new THREE.Vector3(...shape.at)).applyQuaternion(new THREE.Quaternion(-x, -y, -z, w));
  return own.toArray().every((c, k) => Math.abs(c) <= 1.02 * half[k]);
}

export class Stage {
  readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly software: boolean;
  options: StageOptions = {
    joints: true, frames: false, reactions: false, torques: false, springs: true, shadows: true, trails: true, floor: true,
    polhode: false, ghosts: true, names: false,
  };
  follow = -1;
  selected = -1;
  trailChoices: TrailChoice[] = [];
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private theme: Theme = "light";
  private runs: Run[] = [];
  private mechanisms: Mechanism[] = [];
  private trails: Trail[] = [];
  private retired: { dispose: () => void }[] = []; // until what replaces them was drawn: then shaders are not compiled anew
  private floor: Floor | null = null;
  private poinsot: Poinsot | null = null;
  private readonly up = new THREE.Vector3(0, 0, 1);
  private readonly right = new THREE.Vector3(1, 0, 0);
  private readonly forward = new THREE.Vector3(0, 1, 0);
  private readonly centre = new THREE.Vector3();
  private readonly followed = new THREE.Vector3();
  private radius = 1;
  private time = 0;
  private changed = true;
  private readonly hemisphere = new THREE.HemisphereLight(0xffffff, 0x9aa5b5, 1.5);
  private readonly key = new THREE.DirectionalLight(0xffffff, 2.4);
  private readonly fill = new THREE.DirectionalLight(0xdfe8ff, 0.7);
  private readonly toLight = new THREE.Vector3();
  private frameTimes: number[] = [];

  constructor(private readonly canvas: HTMLCanvasElement, private readonly labels: HTMLElement, onChange: () => void) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, stencil: true, powerPreference: "high-performance" });
    const info = this.renderer.getContext().getExtension("WEBGL_debug_renderer_info");
    const name = info ? String(this.renderer.getContext().getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
    this.software = /swiftshader|llvmpipe|software/i.test(name);
    this.renderer.setPixelRatio(this.software ? Math.min(1, devicePixelRatio) : Math.min(2, devicePixelRatio));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => { this.changed = true; onChange(); });
    this.scene.add(this.hemisphere, this.key, this.fill);
  }

  /// Full resolution whatever it costs: for pictures.
  setPixelRatio(ratio: number): void {
    this.renderer.setPixelRatio(ratio);
    this.resize();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.scene.background = new THREE.Color(PALETTES[theme].sky);
    this.hemisphere.intensity = theme === "light" ? 1.7 : 1.2;
    this.hemisphere.groundColor.set(theme === "light" ? 0xa9b2c0 : 0x49525f);
    if (this.runs.length > 0) this.build();
  }

  setRuns(runs: Run[], keepCamera = false): void {
    this.runs = runs;
    this.measure();
    if (!keepCamera) this.trailChoices = this.defaultTrails();
    this.build();
    if (!keepCamera) this.look("fit");
  }

  /// The box of all motions, and which way is up: against gravity.
  private measure(): void {
    const box = new THREE.Box3();
    for (const { head } of this.runs) {
      box.expandByPoint(new THREE.Vector3(...head.extent.min));
      box.expandByPoint(new THREE.Vector3(...head.extent.max));
    }
    box.getCenter(this.centre);
    this.radius = Math.max(1e-6, 0.5 * box.getSize(new THREE.Vector3()).length());
    this.up.set(...this.runs[0].head.gravity).negate();
    if (this.up.length() < 1e-12) this.up.set(0, 0, 1);
    this.up.normalize();
    this.right.set(1, 0, 0);
    if (Math.abs(this.up.x) > 0.9) this.right.set(0, 1, 0);
    this.forward.crossVectors(this.up, this.right).normalize();
    this.right.crossVectors(this.forward, this.up);
    this.camera.up.copy(this.up);
    // OrbitControls learns of `up` only when it is made
    const turn = new THREE.Quaternion().setFromUnitVectors(this.camera.up, new THREE.Vector3(0, 1, 0));
    Object.assign(this.controls, { _quat: turn, _quatInverse: turn.clone().invert() });
    this.toLight.copy(this.up).multiplyScalar(1.6).addScaledVector(this.right, 0.55).addScaledVector(this.forward, -0.75).normalize();
    this.key.position.copy(this.toLight);
    this.fill.position.copy(this.right).multiplyScalar(-1).addScaledVector(this.forward, 0.6).addScaledVector(this.up, 0.3);
    this.controls.minDistance = 0.02 * this.radius;
    this.controls.maxDistance = 40 * this.radius;
    this.camera.near = 0.01 * this.radius;
    this.camera.far = 100 * this.radius;
  }

  /// The level of the floor: a little below the lowest corner of the motion's box.
  private level(): number {
    return Math.min(...this.corners().map((corner) => corner.dot(this.up))) - 0.03 * this.radius;
  }

  private defaultTrails(): TrailChoice[] {
    const { bodies } = this.runs[0].head;
    const chosen = bodies.length <= 6 ? bodies.map((_, i) => i) : [bodies.length - 1];
    return chosen.map((body) => ({ body, point: this.tip(body) }));
  }

  /// The point of a body that tells most of its motion: its end, seen from the joint that holds it, or else its middle.
  tip(body: number): Vec3 {
    const { bodies, joints } = this.runs[0].head, { centre_of_mass, shapes } = bodies[body];
    const held = joints.filter((j) => j.a === body || j.b === body).map((j) => (j.a === body ? j.point_a : j.point_b));
    if (held.length !== 1) return centre_of_mass;
    const end = centre_of_mass.map((c, k) => 2 * c - held[0][k]) as Vec3;
    return shapes.some((shape) => contains(shape, end)) ? end : centre_of_mass;
  }

  private build(): void {
    for (const mechanism of this.mechanisms) {
      this.scene.remove(mechanism.group);
      this.retired.push(mechanism);
    }
    if (this.floor) this.scene.remove(this.floor.mesh);
    const palette = PALETTES[this.theme], level = this.level();
    this.floor = new Floor(this.up, this.right, this.centre, level, this.radius, palette);
    this.scene.add(this.floor.mesh);
    const flat = Floor.shadowMatrix(this.up, level + 1e-3 * this.radius, this.toLight);
    this.mechanisms = this.runs.map((run, i) =>
      new Mechanism(run, this.theme, palette, i === 0 ? null : seriesColor(i, this.theme), flat, 0.45 * this.radius));
    for (const mechanism of this.mechanisms) this.scene.add(mechanism.group);
    this.mechanisms[0].highlight(this.selected);
    this.buildTrails();
    this.buildPoinsot();
    this.changed = true;
  }

  buildTrails(): void {
    for (const trail of this.trails) {
      this.scene.remove(trail.line);
      this.retired.push(trail);
    }
    const count = this.runs[0].bodyCount, several = this.runs.length > 1;
    this.trails = this.runs.flatMap((run, i) => this.trailChoices.map(({ body, point }) =>
      new Trail(run, body, point, several ? seriesColor(i, this.theme) : bodyColor(body, count, this.theme), i === 0 ? 2.2 : 1.6, 0.85)));
    for (const trail of this.trails) this.scene.add(trail.line);
    this.changed = true;
  }

  private buildPoinsot(): void {
    if (this.poinsot) this.retired.push(this.poinsot);
    this.poinsot = null;
    if (!this.options.polhode) return;
    const body = this.polhodeBody();
    if (body >= 0) this.poinsot = new Poinsot(this.runs[0], body, this.theme, PALETTES[this.theme], this.up);
  }

  /// The body whose polhode is shown: the one selected, or the first that turns.
  polhodeBody(): number {
    const { bodies } = this.runs[0].head;
    const turns = (i: number) => bodies[i].type === "rigid" || bodies[i].type === "fixed-point";
    if (this.selected >= 0 && turns(this.selected)) return this.selected;
    return bodies.findIndex((_, i) => turns(i));
  }

  set(options: Partial<StageOptions>): void {
    Object.assign(this.options, options);
    if (options.polhode !== undefined) this.buildPoinsot();
    this.changed = true;
  }

  select(body: number): void {
    this.selected = body;
    this.mechanisms[0]?.highlight(body);
    this.buildPoinsot();
    this.changed = true;
  }

  setFollow(body: number): void {
    this.follow = body;
    if (body >= 0) this.centreOf(body, this.followed);
  }

  private centreOf(body: number, out: THREE.Vector3): THREE.Vector3 {
    return this.mechanisms[0].point(body, this.runs[0].head.bodies[body].centre_of_mass, out);
  }

  look(preset: Preset): void {
    const direction = ((): THREE.Vector3 => {
      switch (preset) {
        case "front": return this.forward.clone().negate();
        case "back": return this.forward.clone();
        case "right": return this.right.clone();
        case "left": return this.right.clone().negate();
        case "top": return this.up.clone().addScaledVector(this.forward, -1e-3);
        case "bottom": return this.up.clone().negate().addScaledVector(this.forward, -1e-3);
        case "fit": return this.right.clone().multiplyScalar(0.75).addScaledVector(this.forward, -1).addScaledVector(this.up, 0.45);
      }
    })().normalize();
    const target = this.follow >= 0 ? this.centreOf(this.follow, new THREE.Vector3()) : this.centre;
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction, this.fitDistance(direction));
    this.controls.update();
    this.changed = true;
  }

  /// How far away the box of the motion just fills the view.
  private fitDistance(direction: THREE.Vector3): number {
    const across = new THREE.Vector3().crossVectors(this.up, direction).normalize(), upright = new THREE.Vector3().crossVectors(direction, across);
    const tangent = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2));
    let distance = 0.1 * this.radius;
    for (const corner of this.corners()) {
      corner.sub(this.centre);
      const wide = Math.abs(corner.dot(across)) / (tangent * this.camera.aspect), high = Math.abs(corner.dot(upright)) / tangent;
      distance = Math.max(distance, 1.12 * Math.max(wide, high) + corner.dot(direction));
    }
    return distance;
  }

  /// The corners of the boxes of all motions.
  private corners(): THREE.Vector3[] {
    return this.runs.flatMap(({ head: { extent } }) => Array.from({ length: 8 }, (_, corner) =>
      new THREE.Vector3(...([0, 1, 2].map((k) => ((corner >> k) & 1 ? extent.max[k] : extent.min[k])) as Vec3))));
  }

  /// The legend's line about sizes.
  scaleText(format: (x: number, unit: string) => string): string {
    const parts = [];
    if (this.options.floor && this.floor) parts.push(`grid ${format(this.floor.step, "m")}`);
    const first = this.mechanisms[0];
    if (first && this.options.reactions && first.largestForce > 0) parts.push(`longest force ${format(first.largestForce, "N")}`);
    if (first && this.options.torques && first.largestTorque > 0) parts.push(`longest torque ${format(first.largestTorque, "N m")}`);
    return parts.join(" · ");
  }

  setTime(t: number): void {
    this.time = t;
    this.changed = true;
  }

  /// The body under a point of the canvas, or -1.
  pick(clientX: number, clientY: number): number {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.camera);
    const { pickable } = this.mechanisms[0];
    for (const mesh of pickable.keys()) mesh.boundingSphere = null;
    const hit = ray.intersectObjects([...pickable.keys()], false)[0];
    return hit && hit.instanceId !== undefined ? pickable.get(hit.object as THREE.InstancedMesh)![hit.instanceId] : -1;
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas.parentElement!;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    this.changed = true;
  }

  /// Where a point of a body is on the canvas, in CSS pixels.
  project(run: number, body: number, point: Vec3): [number, number] {
    const p = this.mechanisms[run].point(body, point).project(this.camera);
    return [(0.5 + 0.5 * p.x) * this.canvas.clientWidth, (0.5 - 0.5 * p.y) * this.canvas.clientHeight];
  }

  draw(): void {
    if (!this.changed || this.mechanisms.length === 0) return;
    this.changed = false;
    const { options } = this;
    this.mechanisms.forEach((mechanism, i) => {
      mechanism.group.visible = i === 0 || options.ghosts;
      const shown = { ...options, shadows: options.shadows && options.floor };
      if (mechanism.group.visible) mechanism.move(Math.min(this.time, mechanism.run.endTime), shown);
    });
    if (this.follow >= 0) this.moveWithBody();
    this.floor!.mesh.visible = options.floor;
    for (const trail of this.trails) {
      trail.line.visible = options.trails;
      if (options.trails) trail.show(this.time);
    }
    this.renderer.setScissorTest(false);
    this.renderer.setViewport(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    this.renderer.render(this.scene, this.camera);
    this.drawPoinsot();
    this.drawNames();
    for (const old of this.retired.splice(0)) old.dispose();
  }

  private moveWithBody(): void {
    const before = this.followed.clone(), shift = this.centreOf(this.follow, this.followed).clone().sub(before);
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    this.camera.lookAt(this.controls.target);
    this.camera.updateMatrixWorld();
  }

  /// The inset in the lower right corner: a square of this many CSS pixels.
  insetSize(): number {
    return Math.round(0.42 * Math.min(this.canvas.clientWidth, this.canvas.clientHeight));
  }

  private drawPoinsot(): void {
    if (!this.poinsot) return;
    const size = this.insetSize(), x = this.canvas.clientWidth - size;
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.poinsot.show(this.time, this.mechanisms[0].pose(this.poinsot.body), direction);
    this.renderer.autoClear = false;
    this.renderer.setScissorTest(true);
    this.renderer.setScissor(x, 0, size, size);
    this.renderer.setViewport(x, 0, size, size);
    this.renderer.clearDepth();
    this.renderer.render(this.poinsot.scene, this.poinsot.camera);
    this.renderer.autoClear = true;
  }

  private drawNames(): void {
    const { bodies } = this.runs[0].head;
    const wanted = this.options.names ? bodies.slice(0, 200) : [];
    while (this.labels.childElementCount > wanted.length) this.labels.lastElementChild!.remove();
    while (this.labels.childElementCount < wanted.length) this.labels.append(document.createElement("span"));
    wanted.forEach((body, i) => {
      const label = this.labels.children[i] as HTMLElement, [x, y] = this.project(0, i, body.centre_of_mass);
      label.textContent = body.name;
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
    });
  }

  /// Fewer pixels if drawing takes too long for a smooth motion.
  adapt(milliseconds: number): void {
    this.frameTimes.push(milliseconds);
    if (this.frameTimes.length < 20) return;
    const median = this.frameTimes.sort((a, b) => a - b)[10];
    this.frameTimes = [];
    const ratio = this.renderer.getPixelRatio();
    if (median > 30 && ratio > 0.6) this.renderer.setPixelRatio(Math.max(0.6, 0.8 * ratio));
  }
}
