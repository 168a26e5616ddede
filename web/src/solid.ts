// The one material of everything solid: light from the sky and the ground, a key light with a highlight, a weak fill light.
// A small shader of our own: three's physical material takes ten times as long to compile, and a processor draws it too slowly.
import * as THREE from "three";

/// Directions towards the lights, in space, and how strong they are; shared by all materials of a stage.
export class Light {
  readonly uniforms = {
    up: { value: new THREE.Vector3(0, 0, 1) },
    key: { value: new THREE.Vector3(0, 0, 1) },
    fill: { value: new THREE.Vector3(1, 0, 0) },
    sky: { value: new THREE.Color(0.58, 0.58, 0.58) },
    ground: { value: new THREE.Color(0.25, 0.28, 0.33) },
  };

  setTheme(dark: boolean): void {
    const { sky, ground } = this.uniforms;
    sky.value.setScalar(dark ? 0.42 : 0.58);
    if (dark) ground.value.setRGB(0.05, 0.06, 0.08); else ground.value.setRGB(0.22, 0.25, 0.3);
  }
}

/// The place and the tone of a vertex, of a mesh or of one of its instances.
const placeAndTone = `mat4 place = modelMatrix;
        #ifdef USE_INSTANCING
          place = place * instanceMatrix;
        #endif
        tone = color;
        #ifdef USE_INSTANCING_COLOR
          tone *= instanceColor;
        #endif`;

export interface SolidOptions { color?: THREE.ColorRepresentation; opacity?: number; shine?: number }

export function solidMaterial(light: Light, { color = 0xffffff, opacity = 1, shine = 0.3 }: SolidOptions = {}): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    transparent: opacity < 1, depthWrite: opacity === 1,
    uniforms: { ...light.uniforms, color: { value: new THREE.Color(color) }, opacity: { value: opacity }, shine: { value: shine } },
    vertexShader: `uniform vec3 color; varying vec3 tone, normalS, toEye;
      void main() {
        ${placeAndTone}
        vec4 x = place * vec4(position, 1.0);
        // axes at right angles, each with its own scale: a normal goes by their inverses
        normalS = normal.x / dot(place[0], place[0]) * place[0].xyz + normal.y / dot(place[1], place[1]) * place[1].xyz
                + normal.z / dot(place[2], place[2]) * place[2].xyz;
        toEye = cameraPosition - x.xyz;
        gl_Position = projectionMatrix * viewMatrix * x;
      }`,
    fragmentShader: `uniform vec3 up, key, fill, sky, ground; uniform float opacity, shine; varying vec3 tone, normalS, toEye;
      void main() {
        vec3 n = normalize(normalS), v = normalize(toEye);
        if (!gl_FrontFacing) n = -n;
        float towardsKey = max(dot(n, key), 0.0), gleam = max(dot(n, normalize(key + v)), 0.0);
        vec3 light = mix(ground, sky, 0.5 + 0.5 * dot(n, up)) + 0.72 * towardsKey + 0.2 * max(dot(n, fill), 0.0);
        float g2 = gleam * gleam, g8 = g2 * g2 * g2 * g2, rim = 1.0 - max(dot(n, v), 0.0);
        gl_FragColor = vec4(tone * light + shine * (0.5 * g8 * g8 * g8 * towardsKey + 0.25 * rim * rim * rim * sky), opacity);
        #include <colorspace_fragment>
      }`,
  });
}

/// One colour without light: arrows, axes, shadows.
export function flatMaterial(color: THREE.ColorRepresentation, options: THREE.ShaderMaterialParameters = {}, opacity = 1): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    transparent: opacity < 1, ...options,
    uniforms: { color: { value: new THREE.Color(color) }, opacity: { value: opacity } },
    vertexShader: `uniform vec3 color; varying vec3 tone;
      void main() {
        ${placeAndTone}
        gl_Position = projectionMatrix * viewMatrix * (place * vec4(position, 1.0));
      }`,
    fragmentShader: `uniform float opacity; varying vec3 tone;
      void main() {
        gl_FragColor = vec4(tone, opacity);
        #include <colorspace_fragment>
      }`,
  });
}
