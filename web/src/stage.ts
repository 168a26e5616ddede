// The view in space: renderer, camera, light, floor, and the mechanisms of all runs. Draws only when something has changed, and once
// more, finer, when nothing changes any longer.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Floor } from "./floor";
import { Framing, Preset } from "./framing";
import type { Eye } from "./instances";
import { Mechanism, Shown } from "./mechanism";
import type { ShapeHeader, Vec3 } from "./package";
import { Poinsot } from "./poinsot";
import { Quality } from "./quality";
import type { Run } from "./run";
import { Light } from "./solid";
import { bodyColor, PALETTES, seriesColor, Theme } from "./theme";
import { Trail } from "./trails";

export interface StageOptions extends Shown { trails: boolean; floor: boolean; polhode: boolean; ghosts: boolean; names: boolean }

/// A point of a body whose path is drawn.
export interface TrailChoice { body: number; point: Vec3 }

const REST = 180; // milliseconds without a change, after which a picture is drawn as finely as it can be

/// Whether the graphics are made by the processor.
function drawnBySoftware(gl: WebGLRenderingContext | WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return /swiftshader|llvmpipe|software|basic render/i.test(info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "");
}

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
  readonly quality: Quality;
  options: StageOptions = {
    joints: true, frames: false, reactions: false, torques: false, springs: true, shadows: true, trails: true, floor: true,
    polhode: false, ghosts: true, names: false,
  };
  follow = -1;
  selected = -1;
  trailChoices: TrailChoice[] = [];
  fine = false; // the picture shown is the finest
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly light = new Light();
  private readonly framing = new Framing();
  private readonly floor: Floor;
  private theme: Theme = "light";
  private runs: Run[] = [];
  private mechanisms: Mechanism[] = [];
  private trails: Trail[] = [];
  private retired: { dispose: () => void }[] = []; // until what replaces them was drawn: then shaders are not compiled anew
  private poinsot: Poinsot | null = null;
  private readonly followed = new THREE.Vector3();
  private time = 0;
  private changed = true;
  private changedAt = 0;
  private pictures = 0;
  private width = 1;
  private height = 1;

  constructor(private readonly canvas: HTMLCanvasElement, ground: HTMLCanvasElement, private readonly labels: HTMLElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, stencil: true, powerPreference: "high-performance" });
    this.quality = new Quality(drawnBySoftware(this.renderer.getContext()));
    this.renderer.info.autoReset = false; // the inset counts too
    this.floor = new Floor(ground);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => { this.changed = true; });
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.light.setTheme(theme === "dark");
    if (this.runs.length > 0) this.build();
  }

  setRuns(runs: Run[], keepCamera = false): void {
    this.runs = runs;
    this.framing.measure(runs);
    this.setUp();
    if (!keepCamera) this.trailChoices = this.defaultTrails();
    this.build();
    if (!keepCamera) this.look("fit");
  }

  private setUp(): void {
    const { up, right, forward, radius } = this.framing, { key, fill, up: towardsSky } = this.light.uniforms;
    this.camera.up.copy(up);
    // OrbitControls learns of `up` only when it is made
    const turn = new THREE.Quaternion().setFromUnitVectors(up, new THREE.Vector3(0, 1, 0));
    Object.assign(this.controls, { _quat: turn, _quatInverse: turn.clone().invert() });
    towardsSky.value.copy(up);
    key.value.copy(up).multiplyScalar(1.6).addScaledVector(right, 0.55).addScaledVector(forward, -0.75).normalize();
    fill.value.copy(right).multiplyScalar(-1).addScaledVector(forward, 0.6).addScaledVector(up, 0.3).normalize();
    this.controls.minDistance = 0.02 * radius;
    this.controls.maxDistance = 40 * radius;
    this.camera.near = 0.01 * radius;
    this.camera.far = 100 * radius;
    this.camera.updateProjectionMatrix();
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
    const { theme, light } = this, { up, radius, level } = this.framing;
    this.floor.place(this.framing);
    const floor = Floor.shadowMatrix(up, level + 1e-3 * radius, light.uniforms.key.value);
    this.mechanisms = this.runs.map((run, i) => new Mechanism(run, {
      theme, palette: PALETTES[theme], light, ghost: i === 0 ? null : seriesColor(i, theme), floor, arrowLength: 0.35 * radius }));
    for (const mechanism of this.mechanisms) this.scene.add(mechanism.group);
    this.mechanisms[0].highlight(this.selected);
    this.buildTrails();
    this.buildPoinsot();
    this.changed = true;
  }

  buildTrails(): void {
    for (const trail of this.trails) {
      this.scene.remove(trail.ribbon.mesh);
      this.retired.push(trail);
    }
    const count = this.runs[0].bodyCount, several = this.runs.length > 1, { theme } = this;
    // of many bodies paler than they, lest a path be taken for a part of the chain
    const color = (run: number, body: number) => (several ? new THREE.Color(seriesColor(run, theme))
      : bodyColor(body, count, theme).lerp(new THREE.Color(PALETTES[theme].sky), count > 8 ? 0.5 : 0));
    this.trails = this.runs.flatMap((run, i) => this.trailChoices.map(({ body, point }) =>
      new Trail(run, body, point, color(i, body), i === 0 && count <= 8 ? 2.2 : 1.6, this.framing.radius)));
    for (const trail of this.trails) this.scene.add(trail.ribbon.mesh);
    this.changed = true;
  }

  private buildPoinsot(): void {
    if (this.poinsot) this.retired.push(this.poinsot);
    this.poinsot = null;
    if (!this.options.polhode) return;
    const body = this.polhodeBody();
    if (body >= 0) this.poinsot = new Poinsot(this.runs[0], body, this.theme, PALETTES[this.theme], this.framing.up);
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
    const target = new THREE.Vector3(), part = (pixels: number, of: number) => Math.min(0.4, pixels / (of / 2));
    // clear of the buttons above and the legend below
    const margins: [number, number, number, number] = [part(28, this.width), part(28, this.width), part(40, this.height), part(56, this.height)];
    this.framing.fit(this.camera, this.framing.direction(preset), margins, target);
    if (this.follow >= 0) {
      const aside = this.centreOf(this.follow, new THREE.Vector3()).sub(target);
      target.add(aside);
      this.camera.position.add(aside);
    }
    this.controls.target.copy(target);
    this.controls.update();
    this.changed = true;
  }

  /// The legend's line about sizes.
  scaleText(format: (x: number, unit: string) => string): string {
    const parts = [], { options } = this, first = this.mechanisms[0];
    if (options.floor) parts.push(`grid ${format(this.floor.step, "m")}`);
    if (first && options.reactions && first.forces.largest > 0) parts.push(`longest force ${format(first.forces.largest, "N")}`);
    if (first && options.torques && first.torques.largest > 0) parts.push(`longest torque ${format(first.torques.largest, "N m")}`);
    return parts.join(" · ");
  }

  setTime(t: number): void {
    if (t === this.time) return;
    this.time = t;
    this.changed = true;
  }

  /// The body under a point of the canvas, or else one whose middle is near, or -1.
  pick(clientX: number, clientY: number): number {
    const box = this.canvas.getBoundingClientRect(), x = clientX - box.left, y = clientY - box.top;
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((x / box.width) * 2 - 1, 1 - (y / box.height) * 2), this.camera);
    const { pickable } = this.mechanisms[0];
    for (const mesh of pickable.keys()) (mesh as THREE.InstancedMesh).boundingSphere = null;
    const hit = ray.intersectObjects([...pickable.keys()], false)[0];
    if (hit && hit.instanceId !== undefined) return pickable.get(hit.object)![hit.instanceId];
    const distances = this.runs[0].head.bodies.map(({ centre_of_mass }, body) => {
      const [px, py] = this.project(0, body, centre_of_mass);
      return Math.hypot(px - x, py - y);
    });
    const nearest = distances.indexOf(Math.min(...distances));
    return distances[nearest] < 8 ? nearest : -1;
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas.parentElement!;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.width = clientWidth;
    this.height = clientHeight;
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    this.changed = true;
  }

  /// Where a point of a body is on the canvas, in CSS pixels.
  project(run: number, body: number, point: Vec3): [number, number] {
    const p = this.mechanisms[run].point(body, point).project(this.camera);
    return [(0.5 + 0.5 * p.x) * this.width, (0.5 - 0.5 * p.y) * this.height];
  }

  /// Draws what has changed; or, after a rest, the same more finely.
  draw(now = performance.now()): void {
    if (this.mechanisms.length === 0) return;
    if (this.changed) {
      this.changed = this.pictures === 0; // the first picture is without floor, to be there sooner
      this.changedAt = now;
      this.paint(true);
      this.fine = false;
    } else if (!this.fine && now - this.changedAt > REST) {
      this.paint(false);
      this.fine = true;
    }
  }

  private paint(moving: boolean): void {
    const { options, renderer, width, height, quality } = this, ratio = quality.ratio(moving, width, height);
    if (renderer.getPixelRatio() !== ratio || this.canvas.width !== Math.floor(width * ratio) || this.canvas.height !== Math.floor(height * ratio)) {
      renderer.setPixelRatio(ratio);
      renderer.setSize(width, height, false);
    }
    renderer.info.reset();
    const shown = { ...options, shadows: options.shadows && options.floor };
    if (this.follow >= 0) this.moveWithBody();
    const eye = this.eye(quality.fineness(moving));
    this.mechanisms.forEach((mechanism, i) => {
      mechanism.group.visible = i === 0 || options.ghosts;
      if (mechanism.group.visible) mechanism.move(Math.min(this.time, mechanism.run.endTime), shown, eye);
    });
    for (const { ribbon } of this.trails) ribbon.setView(width, height);
    for (const trail of this.trails) if (options.trails) trail.show(this.time); else trail.ribbon.reach = 0;
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, width, height);
    renderer.render(this.scene, this.camera);
    if (this.pictures++ > 0) this.floor.draw(this.camera, PALETTES[this.theme], Math.min(ratio, devicePixelRatio), options.floor);
    this.drawPoinsot();
    this.drawNames();
    for (const old of this.retired.splice(0)) old.dispose();
  }

  private eye(fineness: number): Eye {
    this.camera.updateMatrixWorld();
    const { position } = this.camera, distance = Math.max(1e-9, position.distanceTo(this.controls.target));
    const forward = this.camera.getWorldDirection(new THREE.Vector3());
    return { position, forward, distance, pixel: (2 * Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2))) / this.height, fineness };
  }

  private moveWithBody(): void {
    const [first] = this.mechanisms, before = this.followed.clone();
    first.take(Math.min(this.time, first.run.endTime));
    const shift = this.centreOf(this.follow, this.followed).clone().sub(before);
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    this.camera.lookAt(this.controls.target);
  }

  /// Waits until what was asked for is drawn.
  finish(): void {
    const gl = this.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  /// Draw calls and triangles of the last picture.
  get cost(): { calls: number; triangles: number } {
    const { calls, triangles } = this.renderer.info.render;
    return { calls, triangles };
  }

  /// The inset in the lower right corner: a square of this many CSS pixels.
  insetSize(): number {
    return Math.round(0.42 * Math.min(this.width, this.height));
  }

  private drawPoinsot(): void {
    if (!this.poinsot) return;
    const size = this.insetSize(), x = this.width - size, { renderer } = this;
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.poinsot.show(this.time, this.mechanisms[0].pose(this.poinsot.body), direction, size);
    renderer.autoClear = false;
    renderer.setScissorTest(true);
    renderer.setScissor(x, 0, size, size);
    renderer.setViewport(x, 0, size, size);
    renderer.clearDepth();
    renderer.render(this.poinsot.scene, this.poinsot.camera);
    renderer.autoClear = true;
  }

  private drawNames(): void {
    const { bodies } = this.runs[0].head;
    const wanted = this.options.names ? bodies.slice(0, 200) : [];
    while (this.labels.childElementCount > wanted.length) this.labels.lastElementChild!.remove();
    while (this.labels.childElementCount < wanted.length) this.labels.append(document.createElement("span"));
    wanted.forEach((body, i) => {
      const label = this.labels.children[i] as HTMLElement, [x, y] = this.project(0, i, body.centre_of_mass);
      if (label.textContent !== body.name) label.textContent = body.name;
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
    });
  }
}
