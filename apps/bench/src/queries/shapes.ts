import type { Shape } from '@bspkit/core';

/** Corners of a standing player, in Quake units around the traced point. */
export const PLAYER_MINS: readonly number[] = [-15, -15, -24];
export const PLAYER_MAXS: readonly number[] = [15, 15, 32];

/** What is moved, by the name it has in options and tables. */
export const SHAPES: Readonly<Record<ShapeName, Shape>> = {
  ray: { kind: 'ray' },
  box: { kind: 'box', mins: PLAYER_MINS, maxs: PLAYER_MAXS },
  capsule: { kind: 'capsule', mins: PLAYER_MINS, maxs: PLAYER_MAXS },
};

export type ShapeName = 'ray' | 'box' | 'capsule';

/** How far things move: a shot or a look across the map, or what a player does in a frame. */
export const MOTIONS: readonly MotionName[] = ['long', 'step'];

export type MotionName = 'long' | 'step';
