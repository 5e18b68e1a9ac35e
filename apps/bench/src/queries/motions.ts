import type { MeasuredShape } from '../shapes.ts';

/**
 * How far things move: a shot or a look across the map, what a player does in a frame, for rays shots from one point in all
 * directions, or looks from one point to others, of which all that is asked is whether anything is in the way.
 */
export const MOTIONS: readonly MotionName[] = ['long', 'step', 'bundle', 'sight'];

export type MotionName = 'long' | 'step' | 'bundle' | 'sight';

/** Rays of a bundle, as who asks what is seen from a place sends them. */
export const BUNDLE = 64;

/** Whether a motion is one of a shape's. */
export const suits = (motion: MotionName | 'golden', { shape }: MeasuredShape): boolean =>
  motion !== 'bundle' || shape.kind === 'ray';

/** Whether all that a motion asks is whether anything is in the way. */
export const isTest = (motion: MotionName | 'golden' | ''): boolean => motion === 'sight';
