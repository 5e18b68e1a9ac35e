import type { BoxWorld, BspWorld, PointClassifier } from '@bspkit/core';
import type { RowFile } from '@bspkit/fixtures/recorded';
import {
  copyState,
  createQuake3Command,
  createQuake3Mover,
  createQuake3State,
  packState,
  Quake3Flag,
  type Quake3Mover,
  type Quake3State,
  quake3Angle,
  unpackState,
} from '@bspkit/movement';
import type { MoveGame, MoveRunner } from './game.ts';
import { seeded, Wanderer } from './intent.ts';
import { COMMAND_WORDS, type Recording, RecordingWriter, startStates } from './recording.ts';
import { readRows } from './rows.ts';

// Words of a command: time, three angles, forward, right, up, buttons, then a push: its velocity and its milliseconds.
// Settings: whether it is bytecode, the longest slice in milliseconds, whether steps are heard.

/** The words of a push that are floats. */
const PUSH = [8, 9, 10];

const NONE = 1023;

class Quake3Runner implements MoveRunner {
  private readonly _world: BspWorld & BoxWorld & PointClassifier;
  private readonly _recording: Recording;
  private readonly _starts: readonly Quake3State[];
  private readonly _state = createQuake3State();
  private readonly _command = createQuake3Command();
  private _mover: Quake3Mover;

  constructor(world: BspWorld, recording: Recording) {
    this._world = world as BspWorld & BoxWorld & PointClassifier;
    this._recording = recording;
    this._starts = startStates(recording, createQuake3State, unpackState);
    this._mover = createQuake3Mover(this._world);
  }

  set([isQvm, slice, footsteps]: Float32Array): void {
    const arithmetic = isQvm ? 'qvm' : 'native';
    this._mover = createQuake3Mover(this._world, { arithmetic, slice: slice!, footsteps: footsteps !== 0 });
  }

  run(first: number, last: number): number {
    const { _starts: starts, _state: state, _command: command, _mover: mover } = this;
    const { commands, floats } = this._recording;
    let sum = 0;
    for (let at = COMMAND_WORDS * first; at < COMMAND_WORDS * last; at += COMMAND_WORDS) {
      const start = commands[at]!;
      if (start >= 0) copyState(starts[start]!, state);
      if (commands[at + 12]! > 0) push(state, floats, commands, at);
      command.serverTime = commands[at + 1]!;
      command.angles[0] = commands[at + 2]!;
      command.angles[1] = commands[at + 3]!;
      command.angles[2] = commands[at + 4]!;
      command.forward = commands[at + 5]!;
      command.right = commands[at + 6]!;
      command.up = commands[at + 7]!;
      command.buttons = commands[at + 8]!;
      mover.move(state, command);
      sum += state.origin[0]!;
    }
    return sum;
  }

  state(): Uint8Array {
    return packState(this._state);
  }
}

function push(state: Quake3State, floats: Float32Array, commands: Int32Array, at: number): void {
  for (let k = 0; k < 3; k++) state.velocity[k] = state.velocity[k]! + floats[at + 9 + k]!;
  if (state.timer !== 0) return;
  state.timer = commands[at + 12]!;
  state.flags |= Quake3Flag.timeKnockback;
}

const USUAL = Float32Array.of(0, 66, 1);

function walk(places: Float32Array, count: number, seed: number): Recording {
  const random = seeded(seed);
  const writer = new RecordingWriter();
  for (let at = 0; at < places.length; at += 3) {
    const state = createQuake3State();
    state.origin.set(places.subarray(at, at + 3));
    writer.begin(state, USUAL);
    const player = new Wanderer(random);
    for (let k = 1; k <= count; k++) {
      player.next();
      const { forward, side, jumps, crouches } = player.intent;
      const angles = [quake3Angle(player.pitch), quake3Angle(player.yaw), 0];
      // The key is let go now and then, as one jump takes one press.
      const up = crouches ? -127 : jumps && k % 8 !== 0 ? 127 : 0;
      writer.add([k * player.frame, ...angles, 127 * forward, 127 * side, up, 0]);
    }
  }
  return writer.finish();
}

function read(file: RowFile): Recording {
  const writer = new RecordingWriter();
  const { header, rows } = readRows(file);
  const settings = Float32Array.of(
    header.arithmetic === 'qvm' ? 1 : 0,
    header.fixed === 1 ? (header.pmoveMsec as number) : 66,
    1,
  );
  for (const row of rows) {
    if (row.step === 0) {
      writer.begin(stateOf(row), settings);
      continue;
    }
    const { serverTime, cpitch, cyaw, croll, forward, right, up, buttons, kx, ky, kz, kt } = row;
    writer.add(
      [serverTime, cpitch, cyaw, croll, forward, right, up, buttons, kx, ky, kz, kt] as number[],
      PUSH,
      [row.ox, row.oy, row.oz] as number[],
    );
  }
  return writer.finish();
}

/** The state that a row gives. */
function stateOf(row: Readonly<Record<string, unknown>>): Quake3State {
  const numbers = (...names: string[]): number[] => names.map((name) => row[name] as number);
  const state = createQuake3State();
  state.origin.set(numbers('ox', 'oy', 'oz'));
  state.velocity.set(numbers('vx', 'vy', 'vz'));
  state.angles.set(numbers('pitch', 'yaw', 'roll'));
  state.deltaAngles.set(numbers('dpitch', 'dyaw', 'droll'));
  return Object.assign(state, {
    commandTime: row.commandTime,
    type: row.pmType,
    flags: row.pmFlags,
    timer: row.pmTime,
    gravity: row.gravity,
    speed: row.speed,
    health: row.health,
    flight: row.flight,
    mask: row.mask,
    ground: row.ground === NONE ? -1 : 0,
    viewHeight: row.viewHeight,
    bobCycle: row.bobCycle,
    direction: row.movementDir,
    eventSequence: row.eventSequence,
  });
}

export const quake3: MoveGame = {
  format: 'quake3',
  room: { mask: 'solid,playerClip,body' },
  createRunner: (_format, world, recording) => new Quake3Runner(world, recording),
  walk,
  read,
};
