import type { MeasuredShape } from '../shapes.ts';

/**
 * How far things move: a shot or a look across the map, what a player does in a frame, for rays shots from one point in all
 * directions. Of the last two all that is asked is whether anything is in the way: looks from one point to others, and for rays
 * what is around a point.
 */
export const MOTIONS: readonly MotionName[] = ['long', 'step', 'bundle', 'sight', 'around'];

export type MotionName = 'long' | 'step' | 'bundle' | 'sight' | 'around';

/** Rays of a bundle, as who asks what is seen from a place sends them. */
export const BUNDLE = 64;

/** Whether a motion is one of a shape's. */
export const suits = (motion: MotionName | 'golden', { shape }: MeasuredShape): boolean =>
  (motion !== 'bundle' && motion !== 'around') || shape.kind === 'ray';

/** Whether all that a motion asks is whether anything is in the way. */
export const isTest = (motion: MotionName | 'golden' | ''): boolean =>
  motion === 'sight' || motion === 'around';
