import type { UnsharedBytes, Vec3 } from '@bspkit/core';
import { checkFinite, checkObject, checkWhole, failArgument } from '@bspkit/core/format';
import { type Parts, packParts, unpackParts } from '../../commands.ts';
import { partsOfTurn } from '../../turns.ts';
import { MOVE_FORWARD, MOVE_RIGHT, MOVE_UP, MSEC, TURN, type Work } from './memory.ts';

/** What a player does for some time. All numbers are whole. */
export interface Quake2Command {
  /** How long it takes, in milliseconds, 0 to 255. */
  readonly msec: number;
  /** Where the player looks: pitch (down is positive), yaw and roll in 65,536 parts of a turn, -32,768 to 32,767. */
  readonly angles: Vec3;
  /** How fast the player moves forward, in units per second, -32,768 to 32,767. */
  readonly forward: number;
  /** How fast the player moves to the right, in units per second, -32,768 to 32,767. */
  readonly right: number;
  /** Above 0 jumps or swims up, below 0 crouches or swims down: in units per second, -32,768 to 32,767. */
  readonly up: number;
}

/** A command whose parts can be changed: made once, used for every frame. */
export type Quake2CommandDraft = { -readonly [name in keyof Quake2Command]: Quake2Command[name] } & {
  readonly angles: Int32Array;
};

/** A command that does nothing and looks along x. */
export function createQuake2Command(): Quake2CommandDraft {
  return { msec: 0, angles: new Int32Array(3), forward: 0, right: 0, up: 0 };
}

/**
 * Converts degrees to the unit of commands, 65,536 parts of a turn, truncated as in the engine.
 *
 * @returns a whole number, -32,768 to 32,767, without whole turns.
 * @throws RangeError unless `degrees` is finite as a float32.
 */
export function quake2Angle(degrees: number): number {
  checkFinite(degrees, 'degrees');
  return (partsOfTurn(degrees) << 16) >> 16;
}

/** Loads a whole number of 16 bits. Throws `RangeError` or `TypeError` for anything else. */
export function enterShort(ints: Int32Array, at: number, value: number, name: string): void {
  if (typeof value !== 'number' || (value << 16) >> 16 !== value) checkWhole(value, name, -32768, 32767);
  ints[at] = value;
}

/** Loads a command. Throws `RangeError` or `TypeError` naming the part that is wrong. */
export function loadCommand({ ints }: Work, command: Quake2Command): void {
  checkObject(command, 'command');
  const { msec, angles, forward, right, up } = command;
  if (typeof msec !== 'number' || (msec & 255) !== msec) checkWhole(msec, 'command.msec', 0, 255);
  if (typeof angles !== 'object' || angles === null)
    failArgument('command.angles', 'three numbers', angles, false);
  for (let k = 0; k < 3; k++) {
    const angle = angles[k]!;
    if (typeof angle !== 'number' || (angle << 16) >> 16 !== angle) {
      checkWhole(angle, `command.angles[${k}]`, -32768, 32767);
    }
    ints[TURN + k] = angle;
  }
  ints[MSEC] = msec;
  enterShort(ints, MOVE_FORWARD, forward, 'command.forward');
  enterShort(ints, MOVE_RIGHT, right, 'command.right');
  enterShort(ints, MOVE_UP, up, 'command.up');
}

/** How a command is sent. */
export const QUAKE2_PARTS: Parts<Quake2Command> = [
  ['msec', 'uint8'],
  ['angles', 'int16', 3],
  ['forward', 'int16'],
  ['right', 'int16'],
  ['up', 'int16'],
];

/**
 * Writes a command as 13 bytes, for the network or a recording. {@link unpackQuake2Command} reads them back.
 *
 * @throws RangeError or TypeError naming the part that is wrong, as a mover does.
 */
export function packQuake2Command(command: Quake2Command): UnsharedBytes;
/**
 * Writes a command to bytes that you have, and returns these.
 *
 * @param bytes - where to write; new ones for `undefined`.
 * @throws RangeError or TypeError naming the part that is wrong, as a mover does; RangeError when `bytes` is too short.
 */
export function packQuake2Command<B extends Uint8Array>(
  command: Quake2Command,
  bytes: B | undefined,
): B | UnsharedBytes;
export function packQuake2Command(command: Quake2Command, bytes?: Uint8Array): Uint8Array {
  return packParts<Quake2Command>(QUAKE2_PARTS, command, bytes);
}

/**
 * Reads what {@link packQuake2Command} wrote into a command, by default a new one, and returns that. The bytes may come from
 * anybody: whatever they are, the command is one that a mover takes.
 *
 * @throws RangeError when there are too few bytes; TypeError for anything but a command. Nothing changes then.
 */
export function unpackQuake2Command(
  bytes: Uint8Array,
  command: Quake2CommandDraft = createQuake2Command(),
): Quake2CommandDraft {
  return unpackParts(QUAKE2_PARTS, bytes, command);
}
