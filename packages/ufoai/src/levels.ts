import { checkMask, failArgument } from '@bspkit/core/format';
import { ALL_LEVELS, LEVEL_COUNT, LIGHTCLIP_MODEL, REGULAR_MODELS } from './constants.ts';

/**
 * The mask of some levels, counted from 1: `levels(1, 3)` is 0b101.
 * @throws RangeError for a level outside 1 to 8, and without any level: a mask of 0 would mean all of them.
 */
export function levels(...list: readonly number[]): number {
  if (list.length === 0) throw new RangeError('levels must be one or more of 1 to 8');
  let mask = 0;
  for (const level of list) {
    if (!Number.isInteger(level) || level < 1 || level > LEVEL_COUNT) {
      failArgument('level', `a whole number in 1..${LEVEL_COUNT}`, level);
    }
    mask |= 1 << (level - 1);
  }
  return mask;
}

/** The levels of a mask, counted from 1: `levelList(0b101)` is `[1, 3]`. Other bits are ignored. */
export function levelList(mask: number): number[] {
  checkMask(mask, 'mask');
  const list: number[] = [];
  for (let level = 1; level <= LEVEL_COUNT; level++) if (mask & (1 << (level - 1))) list.push(level);
  return list;
}

const CLIPS = ['light clip', 'weapon clip', 'actor clip'] as const;

/** Names a model of a tile by what it contains: the brushes of a set of levels, a clip, or the inline model `*k`. */
export function modelName(model: number): string {
  if (model >= REGULAR_MODELS) return `*${model - REGULAR_MODELS + 1}`;
  if (model > ALL_LEVELS) return CLIPS[model - LIGHTCLIP_MODEL]!;
  return model === 0 ? 'no level' : `level ${levelList(model).join(' ')}`;
}
