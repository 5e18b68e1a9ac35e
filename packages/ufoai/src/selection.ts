import { ALL_LEVELS, LIGHTCLIP_MODEL, REGULAR_MODELS, WITH_ACTORCLIP, WITH_WEAPONCLIP } from './constants.ts';

// Which trees a tracer goes through is given by one number: its selection. Every head has a key, made when the world is built,
// and is selected when the two have a bit in common. A key has the head's level bits, or one of those below.

/** Brushes of no level, which every mask selects; for boxes, the clips too. */
const ALWAYS = 0x100;
const LIGHT_CLIP = 0x200;
const WEAPON_CLIP = 0x400;
const ACTOR_CLIP = 0x800;
/** Every head but the phantoms. */
const ALL_HEADS = 0xfff;
/** The bits from here on of a phantom's key are what the engine takes as its levels. */
const PHANTOM_LEVELS = 16;
/** Every phantom. */
const PHANTOM = 0x1000000;

/** Whether a line head's key is that of a phantom. */
export const isPhantom = (key: number): boolean => key >= PHANTOM;

/** The key of a model's line head. */
export function lineKey(model: number): number {
  // The engine takes the low byte of an inline model's number as its levels.
  if (model >= REGULAR_MODELS) return PHANTOM | ((model & ALL_LEVELS) << PHANTOM_LEVELS);
  if (model >= LIGHTCLIP_MODEL) return LIGHT_CLIP << (model - LIGHTCLIP_MODEL);
  return model === 0 ? ALWAYS : model;
}

/** The key of a model's box heads. */
export function boxKey(model: number): number {
  return model === 0 || model > ALL_LEVELS ? ALWAYS : model;
}

/** Which line heads a tracer walks. */
export interface HeadFilter {
  /** Level bits, `WITH_ACTORCLIP`, `WITH_WEAPONCLIP`. */
  mask: number;
  lightClip: boolean;
  /** The engine's bit tests, which take the low bits of a clip's number as levels. */
  maskBits: boolean;
  /** The engine's heads of inline models, which walk the tile's first tree. */
  phantoms: boolean;
}

/** The selection of all line heads, whatever the mask. */
export function selectAllLineHeads({ phantoms }: HeadFilter): number {
  return phantoms ? ALL_HEADS | PHANTOM : ALL_HEADS;
}

/** The selection of the line heads that a filter lets through. A mask without levels means all of them. */
export function selectLineHeads({ mask, lightClip, maskBits, phantoms }: HeadFilter): number {
  const levels = mask & ALL_LEVELS || ALL_LEVELS;
  let selection = levels | ALWAYS;
  if (lightClip) selection |= LIGHT_CLIP;
  // The numbers of the clips' models, 257 and 258, read as levels.
  if ((mask & WITH_WEAPONCLIP) !== 0 && !(maskBits && (levels & 1) === 0)) selection |= WEAPON_CLIP;
  if ((mask & WITH_ACTORCLIP) !== 0 && !(maskBits && (levels & 2) === 0)) selection |= ACTOR_CLIP;
  if (phantoms) selection |= (mask & ALL_LEVELS) === 0 ? PHANTOM : levels << PHANTOM_LEVELS;
  return selection;
}

/** The selection of the box heads of some levels, always with those of no level and the clips; for a mask of 0, all of them. */
export function selectBoxHeads(mask: number): number {
  return mask === 0 ? -1 : (mask & ALL_LEVELS) | ALWAYS;
}
