import type { Plugin } from 'vite';

// What the page never asks for is left out of it: how light it is at a point, and answers to rows of questions, which know
// players and scenes of all games.

/** Modules of packages, and what the page has in place of each. */
const LEFT_OUT: readonly (readonly [module: RegExp, instead: string])[] = [
  [/\/packages\/[^/]+\/src\/light\.ts$/, 'export const createLightSampler = undefined;'],
  [/\/packages\/bake\/src\/kinds\/open-rows\.ts$/, 'export const openRows = undefined;'],
];

/** The packages, without what is not used. */
export function leanPackages(): Plugin {
  return {
    name: 'lean-packages',
    enforce: 'pre',
    load: (id) => LEFT_OUT.find(([module]) => module.test(id))?.[1],
  };
}
