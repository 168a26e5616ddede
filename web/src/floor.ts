// The floor: a grid that fades into the distance, normal to `up`, below the lowest point of the motion.
import * as THREE from "three";
import type { Palette } from "./theme";

/// 1, 2 or 5 times a power of ten, near x.
export function roundStep(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const m = x / power;
  return (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10) * power;
}

export class Floor {
  readonly mesh: THREE.Mesh;
  readonly step: number;

  constructor(up: THREE.Vector3, right: THREE.Vector3, centre: THREE.Vector3, level: number, radius: number, palette: Palette) {
    this.step = roundStep(radius / 3);
    const material = new THREE.ShaderMaterial({
      transparent: true, depthWrite: false, side: THREE.DoubleSide,
      uniforms: {
        step: { value: this.step }, fade: { value: 4.5 * radius },
        grid: { value: new THREE.Color(palette.grid) }, fill: { value: new THREE.Color(palette.floor) },
      },
      vertexShader: `varying vec2 place; varying vec2 middle;
        void main() { place = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
      fragmentShader: `varying vec2 place; uniform float step, fade; uniform vec3 grid, fill;
        float lines(float s) {
          vec2 p = place / s, w = fwidth(p), d = abs(fract(p - 0.5) - 0.5) / max(w, 1e-6);
          vec2 thin = 1.0 - min(d, 1.0);
          float dense = 1.0 - clamp(max(w.x, w.y) * 2.5, 0.0, 1.0);
          return max(thin.x, thin.y) * dense;
        }
        void main() {
          float far = clamp(length(place) / fade, 0.0, 1.0), near = (1.0 - far) * (1.0 - far);
          float line = max(0.55 * lines(step), 0.22 * lines(step / 5.0));
          gl_FragColor = vec4(mix(fill, grid, line), near * max(0.85, line));
          #include <colorspace_fragment>
        }`,
    });
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(10 * radius, 10 * radius), material);
    const forward = new THREE.Vector3().crossVectors(up, right);
    // the grid's lines go through whole multiples of its step in space
    const snap = (x: number) => Math.round(x / this.step) * this.step;
    const origin = new THREE.Vector3().addScaledVector(right, snap(centre.dot(right))).addScaledVector(forward, snap(centre.dot(forward)))
      .addScaledVector(up, level);
    this.mesh.matrixAutoUpdate = false;
    this.mesh.matrix.makeBasis(right, forward, up).setPosition(origin);
    this.mesh.renderOrder = -2;
  }

  /// Projects along `light` (towards the light) onto the plane up . x = level.
  static shadowMatrix(up: THREE.Vector3, level: number, light: THREE.Vector3): THREE.Matrix4 {
    const d = up.dot(light), u = [up.x, up.y, up.z], l = [light.x, light.y, light.z];
    const m = new Array<number>(16).fill(0);
    for (let i = 0; i < 3; ++i) {
      for (let j = 0; j < 3; ++j) m[4 * j + i] = (i === j ? 1 : 0) - (l[i] * u[j]) / d;
      m[12 + i] = (l[i] / d) * level;
    }
    m[15] = 1;
    return new THREE.Matrix4().fromArray(m);
  }
}
