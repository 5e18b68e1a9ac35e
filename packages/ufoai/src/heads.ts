import type { Bounds } from '@bspkit/core';
import { ACTORCLIP_MODEL, LIGHTCLIP_MODEL, REGULAR_MODELS, WEAPONCLIP_MODEL } from './constants.ts';
import { checkWorld } from './given.ts';
import {
  LINE_HEAD_MAXS,
  LINE_HEAD_MINS,
  LINE_HEAD_MODEL,
  LINE_HEAD_NODES,
  LINE_HEAD_STUMPS,
  LINE_HEAD_TILE,
  LINE_HEAD_TREE,
  LINE_HEAD_WORDS,
} from './layout.ts';
import type { UfoaiWorld } from './world.ts';

/** What a head's tree contains. A phantom is what an inline model leaves: it has no tree, but see `phantomHeads`. */
export type HeadKind = 'level' | 'lightClip' | 'weaponClip' | 'actorClip' | 'phantom';

/** A tree that lines are traced through: what the wiki and the engine call a thead. */
export interface HeadInfo {
  /** Tile, by its place in the assembly. */
  readonly tile: number;
  /** Model in the tile: for kind `level` the mask of its brushes' levels, 0 for brushes of no level. */
  readonly level: number;
  readonly kind: HeadKind;
  /** Nodes of the tree as the engine has it; 0 for a phantom. */
  readonly nodes: number;
  /** Leafs that hold brushes none of which stops lines: the wiki's stumps. */
  readonly stumps: number;
  /** Whether anything in it stops lines. */
  readonly blocks: boolean;
  /** Bounds of the model, in Quake units, moved with the tile. */
  readonly bounds: Bounds;
}

/** The trees that lines are traced through, tile by tile in the engine's order: levels, clips and phantoms. */
export function heads(world: UfoaiWorld): HeadInfo[] {
  checkWorld(world);
  const { ints, floats, places } = world._memory;
  return Array.from({ length: places.lineHeads.count }, (_, k) => {
    const at = places.lineHeads.first + LINE_HEAD_WORDS * k;
    const level = ints[at + LINE_HEAD_MODEL]!;
    return {
      tile: ints[at + LINE_HEAD_TILE]!,
      level,
      kind: headKind(level),
      nodes: ints[at + LINE_HEAD_NODES]!,
      stumps: ints[at + LINE_HEAD_STUMPS]!,
      blocks: ints[at + LINE_HEAD_TREE] !== 0,
      bounds: {
        mins: floats.slice(at + LINE_HEAD_MINS, at + LINE_HEAD_MINS + 3),
        maxs: floats.slice(at + LINE_HEAD_MAXS, at + LINE_HEAD_MAXS + 3),
      },
    };
  });
}

function headKind(level: number): HeadKind {
  if (level >= REGULAR_MODELS) return 'phantom';
  if (level === LIGHTCLIP_MODEL) return 'lightClip';
  if (level === WEAPONCLIP_MODEL) return 'weaponClip';
  return level === ACTORCLIP_MODEL ? 'actorClip' : 'level';
}
