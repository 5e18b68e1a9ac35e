import type { Plugin } from 'vite';

// The page never asks how light it is at a point, so what finds out is left out of the formats' descriptors.

/** The formats, without what is not used. */
export function leanFormats(): Plugin {
  return {
    name: 'lean-formats',
    enforce: 'pre',
    load(id) {
      return /\/packages\/[^/]+\/src\/light\.ts$/.test(id)
        ? 'export const createLightSampler = undefined;'
        : undefined;
    },
  };
}
