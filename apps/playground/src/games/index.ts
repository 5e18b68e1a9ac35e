import type { OpenMap } from '../app/open-map.ts';
import type { HullFaces } from '../tools/hulls/solids.ts';
import type { SightRules } from '../tools/sight/rules.ts';
import type { Walker } from './walker.ts';

// The list of games that the page knows more of than their formats tell: whose players walk here by their own rules,
// whose storeys, hulls and cells are drawn. Whoever adds one writes a file of its own and names it.

type MakeWalker = (map: OpenMap) => Walker | undefined;

const WALKERS: Readonly<Record<string, () => Promise<{ readonly createWalker: MakeWalker }>>> = {
  quake1: () => import('./quake1.ts'),
  quake2: () => import('./quake2.ts'),
  quake3: () => import('./quake3.ts'),
};

/** Fetches what it takes to walk in a format's maps, so that it is there when it is wanted. */
export const preloadWalker = (format: string): Promise<unknown> => loaderOf(format)();

/** Somebody who walks through a map as in its game, or a character of no game; `undefined` where nobody can. */
export async function loadWalker(map: OpenMap): Promise<Walker | undefined> {
  return (await loaderOf(map.format.id)()).createWalker(map);
}

function loaderOf(format: string): (typeof WALKERS)[string] {
  return WALKERS[format] ?? (() => import('./character.ts'));
}

/** Storeys that a game counts: equally high, from height 0 up. */
export interface Levels {
  readonly height: number;
  readonly count: number;
}

const LEVELS: Readonly<Record<string, Levels>> = { ufoai: { height: 64, count: 8 } };

/** Storeys of a map whose game counts them. */
export const levelsOf = ({ format }: OpenMap): Levels | undefined => LEVELS[format.id];

const HULL_FACES: Readonly<Record<string, () => Promise<{ readonly hullFaces: HullFaces }>>> = {
  quake1: () => import('../tools/hulls/quake1.ts'),
};

/** Loads what finds the faces of the hulls that a map was compiled for; `undefined` for games without such hulls. */
export const hullFacesOf = ({ format }: OpenMap): (() => Promise<{ hullFaces: HullFaces }>) | undefined =>
  HULL_FACES[format.id];

const SIGHT_RULES: Readonly<Record<string, () => Promise<{ readonly rules: SightRules }>>> = {
  ufoai: () => import('../tools/sight/ufoai.ts'),
};

/** Loads how a map's game looks from cell to cell; `undefined` for games that do not. */
export const sightRulesOf = ({ format }: OpenMap): (() => Promise<{ rules: SightRules }>) | undefined =>
  SIGHT_RULES[format.id];
