import type { MeasuredShape } from '../shapes.ts';

/**
 * Kinds of moves: a shot or a look across the map; what a player does in a frame; for rays, shots from one point in all
 * directions. In the last two it only matters whether anything is in the way: looks from one point to others, and for rays, what
 * is around a point.
 */
export const MOTIONS: readonly MotionName[] = ['long', 'step', 'bundle', 'sight', 'around'];

export type MotionName = 'long' | 'step' | 'bundle' | 'sight' | 'around';

/** Rays of a bundle, like those of a query for what can be seen from a place. */
export const BUNDLE = 64;

/** Whether a shape is measured with a motion. */
export const suits = (motion: MotionName | 'golden', { shape }: MeasuredShape): boolean =>
  (motion !== 'bundle' && motion !== 'around') || shape.kind === 'ray';

/** Whether a motion only asks if anything is in the way. */
export const isTest = (motion: MotionName | 'golden' | ''): boolean =>
  motion === 'sight' || motion === 'around';
