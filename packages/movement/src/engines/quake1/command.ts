import type { UnsharedBytes, Vec3 } from '@bspkit/core';
import { checkObject, checkPoint, checkWhole } from '@bspkit/core/format';
import { checkInt } from '../../checks.ts';
import { checkSpeed, isSpeed, type Parts, packParts, unpackParts } from '../../commands.ts';
import { BUTTONS, MOVE_FORWARD, MOVE_RIGHT, MOVE_UP, MSEC, type Work } from './memory.ts';

/** What a player does for some time. */
export interface QuakeWorldCommand {
  /** How long it takes, in whole milliseconds, 0 to 255. */
  readonly msec: number;
  /** Where the player looks: pitch (down is positive), yaw and roll in degrees. */
  readonly angles: Vec3;
  /** How fast the player moves forward, in units per second, -1e18 to 1e18. */
  readonly forward: number;
  /** How fast the player moves to the right, in units per second, -1e18 to 1e18. */
  readonly right: number;
  /** How fast the player swims or flies up, in units per second, -1e18 to 1e18. */
  readonly up: number;
  /** The bit of value 2 is jump; others do nothing. */
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
  return { msec: 0, angles: new Float32Array(3), forward: 0, right: 0, up: 0, buttons: 0 };
}

/** Loads a command. Throws `RangeError` or `TypeError` naming the part that is wrong. */
export function loadCommand({ floats, ints }: Work, command: QuakeWorldCommand): void {
  checkObject(command, 'command');
  const { msec, angles, forward, right, up, buttons } = command;
  if (typeof msec !== 'number' || (msec & 255) !== msec) checkWhole(msec, 'command.msec', 0, 255);
  checkPoint(angles, 'command.angles');
  checkInt(buttons, 'command.buttons');
  if (!(isSpeed(forward) && isSpeed(right) && isSpeed(up))) {
    checkSpeed(forward, 'command.forward');
    checkSpeed(right, 'command.right');
    checkSpeed(up, 'command.up');
  }
  floats[MOVE_FORWARD] = forward;
  floats[MOVE_RIGHT] = right;
  floats[MOVE_UP] = up;
  ints[MSEC] = msec;
  ints[BUTTONS] = buttons;
}

/** How a command is sent. */
export const QUAKEWORLD_PARTS: Parts<QuakeWorldCommand> = [
  ['msec', 'uint8'],
  ['angles', 'float32', 3],
  ['forward', 'speed'],
  ['right', 'speed'],
  ['up', 'speed'],
  ['buttons', 'int32'],
];

/**
 * Writes a command as 29 bytes, for the network or a recording. {@link unpackQuakeWorldCommand} reads them back, as floats.
 *
 * @throws RangeError or TypeError naming the part that is wrong, as a mover does.
 */
export function packQuakeWorldCommand(command: QuakeWorldCommand): UnsharedBytes;
/**
 * Writes a command to bytes that you have, and returns these.
 *
 * @param bytes - where to write; new ones for `undefined`.
 * @throws RangeError or TypeError naming the part that is wrong, as a mover does; RangeError when `bytes` is too short.
 */
export function packQuakeWorldCommand<B extends Uint8Array>(
  command: QuakeWorldCommand,
  bytes: B | undefined,
): B | UnsharedBytes;
export function packQuakeWorldCommand(command: QuakeWorldCommand, bytes?: Uint8Array): Uint8Array {
  return packParts<QuakeWorldCommand>(QUAKEWORLD_PARTS, command, bytes);
}

/**
 * Reads what {@link packQuakeWorldCommand} wrote into a command, by default a new one, and returns that. The bytes may come from
 * anybody: whatever they are, the command is one that a mover takes.
 *
 * @throws RangeError when there are too few bytes, or a number is out of range; TypeError for anything but a command. Nothing
 *   changes then.
 */
export function unpackQuakeWorldCommand(
  bytes: Uint8Array,
  command: QuakeWorldCommandDraft = createQuakeWorldCommand(),
): QuakeWorldCommandDraft {
  return unpackParts(QUAKEWORLD_PARTS, bytes, command);
}
