import type { Vec3 } from '@bspkit/core';

/** What keys, sticks and mouse ask of somebody who walks. */
export interface WalkInput {
  /** From -1 to 1. */
  forward: number;
  right: number;
  /** Positive to jump or swim up, negative to crouch or swim down. */
  up: number;
  /** Where it looks, in degrees: yaw counter-clockwise from x, pitch positive downwards. */
  yaw: number;
  pitch: number;
}

/** Somebody who walks through a map by commands of a fixed length, as a game's own player does. */
export interface Walker {
  /** Whose movement it is, for the status line. */
  readonly name: string;
  /** Length of a command, in milliseconds. */
  readonly interval: number;
  /** Where it stands, in Quake units. */
  readonly origin: Float32Array;
  /** In Quake units per second. */
  readonly velocity: Float32Array;
  /** Of the eyes above the origin, in Quake units. */
  readonly eyeHeight: number;
  /** What that is while it stands, and while it crouches, if it can. */
  readonly eyeHeights: readonly number[];
  readonly isGrounded: boolean;
  /** Whether its waist is in a liquid. */
  readonly swims: boolean;
  readonly isCrouched: boolean;
  /** Whether it has room where it stands. */
  isFree(): boolean;
  /** Puts it somewhere, at rest; it stands unless it is said to crouch, and can. */
  place(origin: Vec3, isCrouched: boolean): void;
  /** One command. Returns what its mover was given, to be played again elsewhere. */
  step(input: WalkInput): unknown;
}
