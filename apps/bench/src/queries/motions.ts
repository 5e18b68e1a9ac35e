/**
 * How far things move: a shot or a look across the map, what a player does in a frame, or shots from one point in all
 * directions, for rays.
 */
export const MOTIONS: readonly MotionName[] = ['long', 'step', 'bundle'];

export type MotionName = 'long' | 'step' | 'bundle';

/** Rays of a bundle, as who asks what is seen from a place sends them. */
export const BUNDLE = 64;
