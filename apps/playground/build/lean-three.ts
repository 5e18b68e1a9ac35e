import type { Plugin } from 'vite';

/**
 * What lit materials and reflections need of three.js, about a quarter of what it weighs. The page has its own lighting,
 * and beside it only plain colours.
 */
const UNUSED = [
  /\/ShaderChunk\/(lights?_|lightmap|lightprobes|shadow|transmission|iridescence|clearcoat|normal(map)?_|bumpmap|aomap|emissivemap|roughnessmap|metalnessmap|specularmap|displacementmap|gradientmap|cube_uv|envmap|morph|skin|batching|tonemapping|dithering|alphahash|packing)/,
  /\/ShaderLib\/(mesh(physical|phong|toon|lambert|matcap|normal)|distance|depth|cube|equirect|vsm|shadow|background|sprite|linedashed)/,
];

/** three.js from its modules, without what is not used. */
export function leanThree(): Plugin {
  return {
    name: 'lean-three',
    enforce: 'pre',
    load: (id) =>
      UNUSED.some((pattern) => pattern.test(id)) && id.includes('/three/src/')
        ? id.includes('/ShaderLib/')
          ? "export const vertex = ''; export const fragment = '';"
          : "export default '';"
        : undefined,
  };
}
