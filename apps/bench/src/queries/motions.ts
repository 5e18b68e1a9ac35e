/** How far things move: a shot or a look across the map, or what a player does in a frame. */
export const MOTIONS: readonly MotionName[] = ['long', 'step'];

export type MotionName = 'long' | 'step';
