import type { Vec3 } from '@bspkit/core';
import { checkFinite, checkObject, checkPoint, checkWhole } from '@bspkit/core/format';
import { BUTTONS, MOVE_FORWARD, MOVE_SIDE, MOVE_UP, MSEC, type Work } from './memory.ts';
import { checkInt } from './state.ts';

/** What a player does in some time. */
export interface QuakeWorldCommand {
  /** How long it takes, in whole milliseconds, 0 to 255. */
  readonly msec: number;
  /** Where the player looks: pitch (down is positive), yaw and roll in degrees. */
  readonly angles: Vec3;
  /** How fast the player moves forward, in units per second. */
  readonly forward: number;
  /** How fast the player moves to the right, in units per second. */
  readonly side: number;
  /** How fast the player swims or flies up, in units per second. */
  readonly up: number;
  /** Bit 2 is jump; others do nothing. */
  readonly buttons: number;
}

/** A command whose parts can be changed: made once, used for every frame. */
export type QuakeWorldCommandDraft = {
  -readonly [name in keyof QuakeWorldCommand]: QuakeWorldCommand[name];
} & {
  readonly angles: Float32Array;
};

/** A command that does nothing and looks along x. */
export function createQuakeWorldCommand(): QuakeWorldCommandDraft {
  return { msec: 0, angles: new Float32Array(3), forward: 0, side: 0, up: 0, buttons: 0 };
}

/** Takes a command over. Throws `RangeError` or `TypeError` naming the part that is wrong. */
export function loadCommand({ floats, ints }: Work, command: QuakeWorldCommand): void {
  checkObject(command, 'command');
  const { msec, angles, forward, side, up, buttons } = command;
  if (typeof msec !== 'number' || (msec & 255) !== msec) checkWhole(msec, 'command.msec', 0, 255);
  checkPoint(angles, 'command.angles');
  checkInt(buttons, 'command.buttons');
  if (typeof forward !== 'number') checkFinite(forward, 'command.forward');
  if (typeof side !== 'number') checkFinite(side, 'command.side');
  if (typeof up !== 'number') checkFinite(up, 'command.up');
  floats[MOVE_FORWARD] = forward;
  floats[MOVE_SIDE] = side;
  floats[MOVE_UP] = up;
  const sum = floats[MOVE_FORWARD]! + floats[MOVE_SIDE]! + floats[MOVE_UP]!;
  // x - x is 0 for finite numbers alone; which one is wrong is looked up only when one is.
  if (sum - sum !== 0) {
    checkFinite(forward, 'command.forward');
    checkFinite(side, 'command.side');
    checkFinite(up, 'command.up');
  }
  ints[MSEC] = msec;
  ints[BUTTONS] = buttons;
}
