// A curve in space as a ribbon of constant width on the screen: an instance of a flat strip for every two neighbouring points.
import * as THREE from "three";

const STRIP = new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]); // x: which end, y: which side

export interface RibbonOptions { color: THREE.ColorRepresentation; width: number; opacity?: number }

export class Ribbon {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.ShaderMaterial>;
  private readonly pieces: number;

  /// `points`: x, y, z of each; `width` in CSS pixels.
  constructor(points: Float32Array, { color, width, opacity = 1 }: RibbonOptions) {
    const own = points.length >= 6 ? points : new Float32Array(6);
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(STRIP, 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const line = new THREE.InstancedInterleavedBuffer(own, 3, 1);
    geometry.setAttribute("here", new THREE.InterleavedBufferAttribute(line, 3, 0));
    geometry.setAttribute("there", new THREE.InterleavedBufferAttribute(line, 3, 3)); // the next point: one point later in the same numbers
    geometry.instanceCount = this.pieces = own.length / 3 - 1;
    const material = new THREE.ShaderMaterial({
      transparent: opacity < 1, side: THREE.DoubleSide,
      uniforms: { color: { value: new THREE.Color(color) }, opacity: { value: opacity }, width: { value: width }, view: { value: new THREE.Vector2(1, 1) }, reach: { value: 1e9 } },
      vertexShader: `attribute vec3 here, there; uniform vec2 view; uniform float width, reach;
        void main() {
          vec3 to = mix(here, there, min(1.0, reach - float(gl_InstanceID)));
          vec4 a = modelViewMatrix * vec4(here, 1.0), b = modelViewMatrix * vec4(to, 1.0);
          float near = -1e-3 * max(-a.z, -b.z); // what lies behind the eye is cut off
          if (a.z > near) a = mix(b, a, (near - b.z) / (a.z - b.z));
          if (b.z > near) b = mix(a, b, (near - a.z) / (b.z - a.z));
          a = projectionMatrix * a;
          b = projectionMatrix * b;
          vec2 along = (b.xy / b.w - a.xy / a.w) * view;
          along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
          vec4 end = position.x > 0.5 ? b : a;
          // a little longer at both ends, so that neighbours overlap where the curve bends
          vec2 aside = position.y * vec2(-along.y, along.x) + 0.4 * (2.0 * position.x - 1.0) * along;
          gl_Position = end + vec4(aside * width / view * end.w, 0.0, 0.0);
        }`,
      fragmentShader: `uniform vec3 color; uniform float opacity;
        void main() {
          gl_FragColor = vec4(color, opacity);
          #include <colorspace_fragment>
        }`,
    });
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  /// Draws the first pieces only: so many, and a part of the next.
  set reach(pieces: number) {
    this.mesh.geometry.instanceCount = Math.min(this.pieces, Math.ceil(pieces));
    this.mesh.material.uniforms.reach.value = pieces;
    this.mesh.visible = pieces > 0;
  }

  /// The size of what it is drawn on, in CSS pixels.
  setView(width: number, height: number): void { this.mesh.material.uniforms.view.value.set(width, height); }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
