import type { UnsharedBytes, Vec3 } from '@bspkit/core';
import { checkFinite, checkObject, checkWhole, failArgument } from '@bspkit/core/format';
import { type Parts, packParts, unpackParts } from '../../commands.ts';
import { partsOfTurn } from '../../turns.ts';
import { BUTTONS, MOVE_FORWARD, MOVE_RIGHT, MOVE_UP, SERVER_TIME, TURN, type Work } from './memory.ts';

/** What a player does for some time. All numbers are whole. */
export interface Quake3Command {
  /** Time at which the command ends, in milliseconds. */
  readonly serverTime: number;
  /** Where the player looks: pitch, yaw and roll in 65,536 parts of a turn, 0 to 65,535. */
  readonly angles: Vec3;
  /** How strongly the player moves forward, from -128 to 127. */
  readonly forward: number;
  /** How strongly the player moves to the right, from -128 to 127. */
  readonly right: number;
  /** Above 0 jumps or swims up, below 0 crouches or swims down: -128 to 127. */
  readonly up: number;
  /** Bits of `Quake3Button`. */
  readonly buttons: number;
}

/** A command whose parts can be changed: made once, used for every frame. */
export type Quake3CommandDraft = { -readonly [name in keyof Quake3Command]: Quake3Command[name] } & {
  readonly angles: Int32Array;
};

/** A command that does nothing and looks along x. */
export function createQuake3Command(): Quake3CommandDraft {
  return { serverTime: 0, angles: new Int32Array(3), forward: 0, right: 0, up: 0, buttons: 0 };
}

/**
 * Converts degrees to the unit of commands, 65,536 parts of a turn, truncated as in the engine.
 *
 * @returns a whole number, 0 to 65,535, without whole turns.
 * @throws RangeError unless `degrees` is finite as a float32.
 */
export function quake3Angle(degrees: number): number {
  checkFinite(degrees, 'degrees');
  return partsOfTurn(degrees) & 65535;
}

/** Loads a command. Throws `RangeError` or `TypeError` naming the part that is wrong. */
export function loadCommand({ ints }: Work, command: Quake3Command): void {
  checkObject(command, 'command');
  const { serverTime, angles, forward, right, up, buttons } = command;
  if (typeof serverTime !== 'number' || (serverTime | 0) !== serverTime)
    checkWhole(serverTime, 'command.serverTime', -0x80000000, 0x7fffffff);
  if (typeof angles !== 'object' || angles === null)
    failArgument('command.angles', 'three numbers', angles, false);
  for (let k = 0; k < 3; k++) {
    const angle = angles[k]!;
    if (typeof angle !== 'number' || (angle & 65535) !== angle)
      checkWhole(angle, `command.angles[${k}]`, 0, 65535);
    ints[TURN + k] = angle;
  }
  if (typeof forward !== 'number' || (forward << 24) >> 24 !== forward)
    checkWhole(forward, 'command.forward', -128, 127);
  if (typeof right !== 'number' || (right << 24) >> 24 !== right)
    checkWhole(right, 'command.right', -128, 127);
  if (typeof up !== 'number' || (up << 24) >> 24 !== up) checkWhole(up, 'command.up', -128, 127);
  if (typeof buttons !== 'number' || (buttons | 0) !== buttons)
    checkWhole(buttons, 'command.buttons', -0x80000000, 0x7fffffff);
  ints[SERVER_TIME] = serverTime;
  ints[MOVE_FORWARD] = forward;
  ints[MOVE_RIGHT] = right;
  ints[MOVE_UP] = up;
  ints[BUTTONS] = buttons;
}

/** How a command is sent. */
export const QUAKE3_PARTS: Parts<Quake3Command> = [
  ['serverTime', 'int32'],
  ['angles', 'uint16', 3],
  ['forward', 'int8'],
  ['right', 'int8'],
  ['up', 'int8'],
  ['buttons', 'int32'],
];

/**
 * Writes a command as 17 bytes, for the network or a recording. {@link unpackQuake3Command} reads them back.
 *
 * @throws RangeError or TypeError naming the part that is wrong, as a mover does.
 */
export function packQuake3Command(command: Quake3Command): UnsharedBytes;
/**
 * Writes a command to bytes that you have, and returns these.
 *
 * @param bytes - where to write; new ones for `undefined`.
 * @throws RangeError or TypeError naming the part that is wrong, as a mover does; RangeError when `bytes` is too short.
 */
export function packQuake3Command<B extends Uint8Array>(
  command: Quake3Command,
  bytes: B | undefined,
): B | UnsharedBytes;
export function packQuake3Command(command: Quake3Command, bytes?: Uint8Array): Uint8Array {
  return packParts<Quake3Command>(QUAKE3_PARTS, command, bytes);
}

/**
 * Reads what {@link packQuake3Command} wrote into a command, by default a new one, and returns that. The bytes may come from
 * anybody: whatever they are, the command is one that a mover takes.
 *
 * @throws RangeError when there are too few bytes; TypeError for anything but a command. Nothing changes then.
 */
export function unpackQuake3Command(
  bytes: Uint8Array,
  command: Quake3CommandDraft = createQuake3Command(),
): Quake3CommandDraft {
  return unpackParts(QUAKE3_PARTS, bytes, command);
}
