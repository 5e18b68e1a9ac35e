import type { Plugin } from 'vite';

// The page has its own lighting, and beside it only plain colours: what lit materials, shadows, reflections and headsets
// need of three.js, about a quarter of what it weighs, is left out.

/** Shaders of materials that are not used. */
const SHADERS: readonly RegExp[] = [
  /\/ShaderChunk\/(lights?_|lightmap|lightprobes|shadow|transmission|iridescence|clearcoat|normal(map)?_|bumpmap|aomap|emissivemap|roughnessmap|metalnessmap|specularmap|displacementmap|gradientmap|cube_uv|envmap|morph|skin|batching|tonemapping|dithering|alphahash|packing)/,
  /\/ShaderLib\/(mesh(physical|phong|toon|lambert|matcap|normal)|distance|depth|cube|equirect|vsm|shadow|background|sprite|linedashed)/,
];

/** Parts of the renderer, with the little of them that it asks for while they do nothing. */
const PARTS: Readonly<Record<string, string>> = {
  'renderers/webgl/WebGLEnvironments.js':
    'export function WebGLEnvironments() { return { get: () => null, dispose() {} }; }',
  'renderers/webgl/WebGLLights.js': `export function WebGLLights() {
    const state = { version: 0, numSpotLightShadowsWithMaps: 0, numLightProbes: 0 };
    const lists = 'sun directional point spot rectArea hemi spotLightMap sunShadowMap directionalShadowMap pointShadowMap spotShadowMap';
    for (const list of lists.split(' ')) state[list] = [];
    return { state, setup() {}, setupView() {} };
  }`,
  'renderers/webgl/WebGLShadowMap.js':
    'export function WebGLShadowMap() { Object.assign(this, { enabled: false, autoUpdate: true, type: 1, render() {} }); }',
  'renderers/shaders/DFGLUTData.js': 'export function getDFGLUT() { return null; }',
  'renderers/webgl/WebGLMorphtargets.js': 'export function WebGLMorphtargets() { return { update() {} }; }',
  'renderers/webgl/WebGLUniformsGroups.js':
    'export function WebGLUniformsGroups() { return { bind() {}, update() {}, dispose() {} }; }',
  'renderers/webgl/WebGLBackground.js': `export function WebGLBackground(renderer, _, { buffers: { depth, color } }) {
    return {
      render() {
        color.setClear(0, 0, 0, 1);
        depth.setTest(true);
        depth.setMask(true);
        color.setMask(true);
        renderer.clear();
      },
      addToRenderList() {},
      dispose() {},
    };
  }`,
  'renderers/webgl/WebGLClipping.js':
    'export function WebGLClipping() { Object.assign(this, { numPlanes: 0, numIntersection: 0, uniform: { value: null }, init: () => false }); }',
  // Of the materials that three.js fills in itself there are only plain colours.
  'renderers/webgl/WebGLMaterials.js': `export function WebGLMaterials() {
    return {
      refreshMaterialUniforms({ diffuse, opacity }, material) {
        if (material.isShaderMaterial) material.uniformsNeedUpdate = false;
        else {
          diffuse.value.copy(material.color);
          opacity.value = material.opacity;
        }
      },
    };
  }`,
  'math/FrustumArray.js': 'export class FrustumArray {}',
  'renderers/webgl/WebGLOutput.js': 'export class WebGLOutput {}',
  'renderers/webxr/WebXRManager.js': `export class WebXRManager {
    enabled = false; isPresenting = false; cameraAutoUpdate = true;
    addEventListener() {} removeEventListener() {} setAnimationLoop() {} dispose() {} hasDepthSensing() { return false; }
    getEnvironmentBlendMode() {}
  }`,
};

/** Methods of classes that write scenes as JSON, and read them: the page does neither. */
const JSON_METHODS = /^\t(?:toJSON|fromJSON)\(.*\{\n[\s\S]*?^\t\}$/gm;

/** A shader's text without comments and indentation. */
const squeeze = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replace(/^\s+|[ \t]+$/gm, '')
    .replace(/\n+/g, '\n');

/** three.js from its modules, without what is not used. */
export function leanThree(): Plugin {
  return {
    name: 'lean-three',
    enforce: 'pre',
    load(id) {
      const [, path] = id.split('/three/src/');
      if (path === undefined) return undefined;
      if (!SHADERS.some((pattern) => pattern.test(path))) return PARTS[path];
      const isChunk = path.includes('/ShaderChunk/');
      return isChunk ? "export default '';" : "export const vertex = ''; export const fragment = '';";
    },
    transform(code, id) {
      if (!id.includes('/three/src/')) return undefined;
      if (!id.endsWith('.glsl.js')) return { code: code.replace(JSON_METHODS, ''), map: null };
      const squeezed = code.replace(
        /(\/\* glsl \*\/`)([^`]*)`/g,
        (_, head: string, text: string) => `${head}${squeeze(text)}\``,
      );
      return { code: squeezed, map: null };
    },
  };
}
