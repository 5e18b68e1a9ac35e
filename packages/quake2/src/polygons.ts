import { collectBrushes, facePolygons, type MadeFaces } from '@bspkit/brushes';
import type { Polygon, PolygonSource } from '@bspkit/core';
import { checkMask, checkNumber, checkOptions } from '@bspkit/core/format';
import { CONTENTS_MONSTERCLIP, CONTENTS_PLAYERCLIP } from './constants.ts';
import { checkMapTarget, checkWorld } from './given.ts';
import type { Quake2Model } from './model.ts';
import type { Quake2World } from './world.ts';

/** Which brushes become polygons. */
export interface PolygonOptions {
  /** Only brushes with one of these contents bits; all but clip brushes by default. */
  readonly mask?: number | undefined;
}

const CLIPS = CONTENTS_PLAYERCLIP | CONTENTS_MONSTERCLIP;

/**
 * Faces of brushes as polygons that face away from the brush: what boxes and rays collide with. Bevel sides and faces that would
 * be infinite are left out. Those of a model are where it was built.
 * @throws RangeError for a mask that is not 32 bits, TypeError for anything but a world or model of Quake 2.
 */
export function polygons(target: Quake2World | Quake2Model, options?: PolygonOptions): Polygon[] {
  checkMapTarget(target);
  return polygonsBelow(target, target._target.root, options);
}

/**
 * Faces of the brushes that a leaf lists, as {@link polygons} gives them; a brush that reaches into several leafs is listed
 * whole in each. Each call makes them again: `polygons(world)` of the game's format makes each only once.
 * @throws RangeError when there is no such leaf, or for a mask that is not 32 bits.
 */
export function leafPolygons(world: Quake2World, leaf: number, options?: PolygonOptions): Polygon[] {
  checkWorld(world);
  checkNumber(leaf, 'leaf', world.numLeafs);
  return polygonsBelow(world, -1 - leaf, options);
}

/** The brushes of a world, for callers that ask leaf by leaf: each is cut into faces once, however many leafs list it. */
export function polygonSource(world: Quake2World): Pick<PolygonSource, 'polygons' | 'leafPolygons'> {
  const made: MadeFaces = new Map();
  return {
    polygons: () => polygonsBelow(world, world._target.root, {}, made),
    leafPolygons(leaf) {
      checkNumber(leaf, 'leaf', world.numLeafs);
      return polygonsBelow(world, -1 - leaf, {}, made);
    },
  };
}

function polygonsBelow(
  { _target: { memory } }: Quake2World | Quake2Model,
  root: number,
  options: PolygonOptions = {},
  made?: MadeFaces,
): Polygon[] {
  checkOptions(options, ['mask']);
  const { mask } = options;
  if (mask !== undefined) checkMask(mask, 'mask');
  const all = new Set<number>();
  collectBrushes(memory, root, all);
  const isWanted = (contents: number): boolean =>
    mask === undefined ? (contents & CLIPS) === 0 : (contents & mask) !== 0;
  return facePolygons(
    memory,
    [...all].filter((brush) => isWanted(memory.ints[brush]!)),
    made,
  );
}
