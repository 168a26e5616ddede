// Poinsot's picture of a body: the ellipsoid of constant energy, w . J w = 2T, turning with the body; the polhode, which the
// angular velocity draws on it; the herpolhode, which it draws in space; and the plane L . w = 2T that the ellipsoid touches.
// Lengths are angular velocities, the largest being 1.
import * as THREE from "three";
import { headGeometry, shaftGeometry } from "./geometry";
import { Ribbon } from "./ribbon";
import { nearestIndex, Run } from "./run";
import { flatMaterial, Light, solidMaterial } from "./solid";
import { Palette, seriesColor, Theme } from "./theme";

const W = new THREE.Vector3(), L = new THREE.Vector3(), Q = new THREE.Quaternion();

export class Poinsot {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(32, 1, 0.1, 50);
  private readonly inBody = new THREE.Group();
  private readonly ellipsoid: THREE.Mesh;
  private readonly polhode: Ribbon;
  private readonly herpolhode: Ribbon;
  private readonly plane: THREE.Mesh;
  private readonly arrow = new THREE.Group();
  private readonly largest: number;
  private readonly J: THREE.Vector3;
  private readonly toBody: THREE.Quaternion;

  constructor(private readonly run: Run, readonly body: number, theme: Theme, palette: Palette, up: THREE.Vector3) {
    const head = run.head.bodies[body];
    this.J = new THREE.Vector3(...head.inertia).max(new THREE.Vector3(1e-30, 1e-30, 1e-30));
    const [w, x, y, z] = head.inertia_frame;
    this.toBody = new THREE.Quaternion(x, y, z, w);

    const n = run.frameCount, polhode = new Float32Array(3 * n), herpolhode = new Float32Array(3 * n);
    let largest = 1e-30;
    for (let i = 0; i < n; ++i) largest = Math.max(largest, this.omega(i).length());
    this.largest = largest;
    for (let i = 0; i < n; ++i) {
      this.omega(i).divideScalar(largest).toArray(polhode, 3 * i);
      W.applyQuaternion(this.orientation(i)).toArray(herpolhode, 3 * i);
    }
    const blue = seriesColor(0, theme), orange = seriesColor(1, theme);
    const light = new Light();
    light.setTheme(theme === "dark");
    light.uniforms.up.value.copy(up);
    light.uniforms.key.value.set(2, -3, 4).normalize();
    this.ellipsoid = new THREE.Mesh(new THREE.SphereGeometry(1, 48, 32), solidMaterial(light, { color: palette.ground, opacity: theme === "light" ? 0.42 : 0.5, shine: 0.6 }));
    this.ellipsoid.quaternion.copy(this.toBody);
    this.polhode = new Ribbon(polhode, { color: blue, width: 2.5 });
    this.herpolhode = new Ribbon(herpolhode, { color: orange, width: 2 });
    this.inBody.add(this.ellipsoid, this.polhode.mesh);
    this.plane = new THREE.Mesh(new THREE.CircleGeometry(0.95, 64), flatMaterial(orange, { side: THREE.DoubleSide, depthWrite: false }, 0.12));
    const dark = flatMaterial(palette.text);
    const shaft = new THREE.Mesh(shaftGeometry(12), dark), tip = new THREE.Mesh(headGeometry(16), dark);
    shaft.scale.set(0.012, 0.012, 0.9);
    tip.scale.set(0.045, 0.045, 0.12);
    tip.position.z = 1;
    this.arrow.add(shaft, tip);
    this.scene.add(this.inBody, this.herpolhode.mesh, this.plane, this.arrow);
    this.camera.up.copy(up);
  }

  private omega(i: number): THREE.Vector3 {
    return W.fromArray(this.run.angularVelocity, 3 * (this.run.bodyCount * i + this.body));
  }

  private orientation(i: number): THREE.Quaternion {
    const o = 4 * (this.run.bodyCount * i + this.body), q = this.run.quaternion;
    return Q.set(q[o + 1], q[o + 2], q[o + 3], q[o]);
  }

  /// Looks from where the main camera looks, at a square of `size` CSS pixels.
  show(t: number, pose: THREE.Matrix4, direction: THREE.Vector3, size: number): void {
    for (const curve of [this.polhode, this.herpolhode]) curve.setView(size, size);
    const i = nearestIndex(this.run.time, t);
    this.inBody.quaternion.setFromRotationMatrix(pose);
    const w = this.omega(i).divideScalar(this.largest).clone();
    const own = w.clone().applyQuaternion(this.toBody.clone().invert());
    L.set(own.x * this.J.x, own.y * this.J.y, own.z * this.J.z);
    const twoT = L.dot(own), momentum = L.length();
    this.ellipsoid.visible = this.plane.visible = this.arrow.visible = twoT > 1e-12 * this.J.length();
    if (this.ellipsoid.visible) {
      this.ellipsoid.scale.set(Math.sqrt(twoT / this.J.x), Math.sqrt(twoT / this.J.y), Math.sqrt(twoT / this.J.z));
      const most = Math.max(this.ellipsoid.scale.x, this.ellipsoid.scale.y, this.ellipsoid.scale.z);
      if (most > 3) this.ellipsoid.scale.clampScalar(0, 3);
      L.applyQuaternion(this.toBody).applyQuaternion(this.inBody.quaternion).divideScalar(momentum);
      this.plane.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), L);
      this.plane.position.copy(L).multiplyScalar(twoT / momentum);
      const inSpace = w.applyQuaternion(this.inBody.quaternion);
      this.arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), inSpace.clone().normalize());
      this.arrow.scale.setScalar(inSpace.length());
    }
    this.herpolhode.reach = i;
    this.camera.position.copy(direction).multiplyScalar(6);
    this.camera.lookAt(0, 0, 0);
  }

  dispose(): void {
    this.scene.traverse((object) => {
      if (!(object instanceof THREE.Mesh)) return;
      object.geometry.dispose();
      (object.material as THREE.Material).dispose();
    });
  }
}
