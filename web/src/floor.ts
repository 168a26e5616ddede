// The floor: a grid that fades into the distance, normal to `up`, below the lowest point of the motion. It is behind everything and
// changes only with the camera, so it has a canvas of its own below the mechanism's, which is not drawn again while bodies move.
import * as THREE from "three";
import type { Palette } from "./theme";

/// 1, 2 or 5 times a power of ten, near x.
export function roundStep(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const m = x / power;
  return (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10) * power;
}

const VERTEX = `#version 300 es
  uniform mat4 projection; uniform float size; in vec2 corner; out vec2 place;
  void main() { place = size * corner; gl_Position = projection * vec4(place, 0.0, 1.0); }`;
const FRAGMENT = `#version 300 es
  precision highp float;
  uniform float gap, fade; uniform vec3 grid, fill; in vec2 place; out vec4 color;
  float lines(float s) {
    vec2 p = place / s, w = fwidth(p), d = abs(fract(p - 0.5) - 0.5) / max(w, 1e-6), thin = 1.0 - min(d, 1.0);
    return max(thin.x, thin.y) * (1.0 - clamp(max(w.x, w.y) * 2.5, 0.0, 1.0));
  }
  void main() {
    float far = clamp(length(place) / fade, 0.0, 1.0), near = (1.0 - far) * (1.0 - far);
    float line = max(0.6 * lines(gap), 0.24 * lines(gap / 5.0)), opacity = near * max(0.85, line);
    color = vec4(mix(fill, grid, line) * opacity, opacity);
  }`;

/// Where the floor lies, and how large what stands on it is.
export interface FloorPlace { up: THREE.Vector3; right: THREE.Vector3; centre: THREE.Vector3; level: number; radius: number }

export class Floor {
  step = 1;
  private gl: WebGL2RenderingContext | null = null;
  private program: WebGLProgram | null = null;
  private readonly model = new THREE.Matrix4();
  private radius = 1;
  private drawn = ""; // what the canvas shows

  constructor(private readonly canvas: HTMLCanvasElement) {
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => { this.program = null; this.drawn = ""; });
  }

  private build(gl: WebGL2RenderingContext): WebGLProgram {
    const program = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]] as const) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.bindAttribLocation(program, 0, "corner");
    gl.linkProgram(program);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    return program;
  }

  place({ up, right, centre, level, radius }: FloorPlace): void {
    this.radius = radius;
    this.step = roundStep(radius / 3);
    const forward = new THREE.Vector3().crossVectors(up, right), snap = (x: number) => Math.round(x / this.step) * this.step;
    // the grid's lines go through whole multiples of its step in space
    const origin = new THREE.Vector3().addScaledVector(right, snap(centre.dot(right))).addScaledVector(forward, snap(centre.dot(forward)))
      .addScaledVector(up, level);
    this.model.makeBasis(right, forward, up).setPosition(origin);
  }

  /// Draws it if it would look other than it does.
  draw(camera: THREE.PerspectiveCamera, palette: Palette, ratio: number, shown: boolean): void {
    const { canvas } = this, gl = (this.gl ??= canvas.getContext("webgl2", { antialias: false, depth: false }));
    if (!gl || gl.isContextLost()) return;
    const projection = camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse).multiply(this.model);
    const width = Math.round(ratio * canvas.clientWidth), height = Math.round(ratio * canvas.clientHeight);
    const wanted = `${projection.elements} ${this.radius} ${palette.grid} ${palette.floor} ${width} ${height} ${shown}`;
    if (wanted === this.drawn) return;
    this.drawn = wanted;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (!shown) return;
    this.program ??= this.build(gl);
    gl.useProgram(this.program);
    const at = (name: string) => gl.getUniformLocation(this.program!, name);
    const rgb = (color: string) => new THREE.Color().setStyle(color, THREE.LinearSRGBColorSpace).toArray(); // its numbers as they are
    gl.uniformMatrix4fv(at("projection"), false, projection.elements);
    gl.uniform1f(at("size"), 5 * this.radius);
    gl.uniform1f(at("gap"), this.step);
    gl.uniform1f(at("fade"), 4.5 * this.radius);
    gl.uniform3fv(at("grid"), rgb(palette.grid));
    gl.uniform3fv(at("fill"), rgb(palette.floor));
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
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
