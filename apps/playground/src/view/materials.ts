import { Color, DoubleSide, FrontSide, ShaderMaterial, type Side, type Texture } from 'three';

// Surfaces without their textures, so that shapes and sizes can be read: a colour, light from above and from one side,
// and a grid of the world's units, which fades where it would flicker.

/** What all materials share, changed in one place. */
export const shared = {
  /** Height above which nothing is drawn. */
  top: { value: 1e9 },
  /** How strong the grid is. */
  grid: { value: 0.16 },
  /** Light from above and from below. */
  sky: { value: new Color() },
  ground: { value: new Color() },
  /** From one side. */
  sun: { value: new Color() },
  /** What far things fade into, and how soon. */
  haze: { value: new Color() },
  hazeDistance: { value: 1e5 },
  /** All lightmaps in one picture, and how much they count, 0 or 1. */
  lightmap: { value: null as Texture | null },
  lightmapPart: { value: 0 },
};

const VERTEX = /* glsl */ `
  attribute vec3 tint;
  attribute vec2 lightCoord;
  varying vec2 vLightCoord;
  varying vec3 vPosition;
  varying vec3 vNormal;
  varying vec3 vTint;
  varying float vDepth;
  void main() {
    vPosition = (modelMatrix * vec4(position, 1.0)).xyz;
    vNormal = normalize(mat3(modelMatrix) * normal);
    vTint = tint;
    vLightCoord = lightCoord;
    vec4 eye = viewMatrix * vec4(vPosition, 1.0);
    vDepth = -eye.z;
    gl_Position = projectionMatrix * eye;
  }
`;

const FRAGMENT = /* glsl */ `
  uniform float top;
  uniform float grid;
  uniform vec3 sky;
  uniform vec3 ground;
  uniform vec3 sun;
  uniform vec3 haze;
  uniform float hazeDistance;
  uniform float opacity;
  uniform sampler2D lightmap;
  uniform float lightmapPart;
  varying vec2 vLightCoord;
  varying vec3 vPosition;
  varying vec3 vNormal;
  varying vec3 vTint;
  varying float vDepth;

  // How much of a line of one pixel every so many units covers a place.
  float lines(vec2 at, float every) {
    vec2 place = at / every;
    vec2 width = fwidth(place);
    vec2 away = abs(fract(place - 0.5) - 0.5) / max(width, vec2(1e-6));
    vec2 line = (1.0 - min(away, 1.0)) * clamp(1.0 - 3.0 * width, 0.0, 1.0);
    return max(line.x, line.y);
  }

  void main() {
    if (vPosition.z > top + 0.1) discard;
    vec3 normal = normalize(vNormal);
    vec3 size = abs(normal);
    vec2 flat2 = size.z >= max(size.x, size.y) ? vPosition.xy : size.x > size.y ? vPosition.yz : vPosition.xz;
    float side = dot(normal, vec3(0.42, 0.27, 0.87)) * 0.5 + 0.5;
    vec3 light = mix(ground, sky, normal.z * 0.5 + 0.5) + sun * side * side;
    if (lightmapPart > 0.0 && vLightCoord.x >= 0.0) {
      vec3 stored = texture2D(lightmap, vLightCoord).rgb;
      light = mix(light, 2.6 * stored * stored + 0.02, lightmapPart);
    }
    vec2 cell = floor(flat2 / 64.0);
    float checker = mod(cell.x + cell.y, 2.0) * 0.035 - 0.0175;
    float line = max(lines(flat2, 64.0), 0.4 * lines(flat2, 16.0));
    vec3 color = vTint * vTint * (1.0 + checker) * light;
    color *= 1.0 - grid * line;
    color = mix(color, haze, 1.0 - exp(-vDepth / hazeDistance));
    gl_FragColor = vec4(color, opacity);
    #include <colorspace_fragment>
  }
`;

/** A material of surfaces. */
function surfaceMaterial(opacity: number, side: Side = FrontSide, offset = 1): ShaderMaterial {
  const material = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { ...shared, opacity: { value: opacity } },
    side,
    transparent: opacity < 1,
    depthWrite: opacity === 1,
    polygonOffset: true,
    polygonOffsetFactor: offset,
    polygonOffsetUnits: offset,
  });
  // Brushes have no light: by itself WebGL takes 0 for what is missing, which is a corner of the lightmaps.
  Object.assign(material.defaultAttributeValues, { lightCoord: [-1, -1] });
  return material;
}

/** The material of each kind of surface. */
export const kindMaterials = {
  solid: surfaceMaterial(1),
  // Behind the floor that it lies on.
  liquid: surfaceMaterial(0.62, DoubleSide, 2),
  sky: surfaceMaterial(1),
  hidden: surfaceMaterial(0.35, DoubleSide, 0),
};
