import type { BspWorld } from '@bspkit/core';
import type { RowFile } from '@bspkit/fixtures/recorded';
import {
  createQuake3Command,
  createQuake3Mover,
  createQuake3State,
  Quake3Flag,
  type Quake3Mover,
  type Quake3State,
  quake3Angle,
} from '@bspkit/movement';
import type { MapNamed } from 'bspkit';
import type { MoveGame } from './game.ts';
import type { Wanderer } from './intent.ts';
import { type Recording, RecordingWriter } from './recording.ts';
import { readRows } from './rows.ts';
import { OwnRunner } from './runner.ts';

// Words of a command: time, three angles, forward, right, up, buttons, then a push: its velocity and its milliseconds. Settings:
// whether it is bytecode, the longest slice in milliseconds, whether footsteps are heard.

/** The words of a push that are floats. */
const PUSH = [8, 9, 10];

const NONE = 1023;

type World = MapNamed<'quake3'>;
type Command = ReturnType<typeof createQuake3Command>;

class Quake3Runner extends OwnRunner<Quake3State, Command> {
  protected mover: Quake3Mover;
  private readonly _world: World;

  constructor(world: BspWorld, recording: Recording) {
    super(recording, createQuake3State, createQuake3Command());
    this._world = world as World;
    this.mover = createQuake3Mover(this._world);
  }

  set([isQvm, slice, footsteps]: Float32Array): void {
    const arithmetic = isQvm ? 'qvm' : 'native';
    this.mover = createQuake3Mover(this._world, { arithmetic, slice: slice!, footsteps: footsteps !== 0 });
  }

  protected load(
    command: Command,
    words: Int32Array,
    floats: Float32Array,
    at: number,
    state: Quake3State,
  ): void {
    if (words[at + 11]! > 0) push(state, floats, at + 8, words[at + 11]!);
    command.serverTime = words[at]!;
    command.angles[0] = words[at + 1]!;
    command.angles[1] = words[at + 2]!;
    command.angles[2] = words[at + 3]!;
    command.forward = words[at + 4]!;
    command.right = words[at + 5]!;
    command.up = words[at + 6]!;
    command.buttons = words[at + 7]!;
  }
}

/** Adds a velocity; a player that was not already pushed cannot brake for this many milliseconds. */
function push(state: Quake3State, floats: Float32Array, at: number, time: number): void {
  for (let k = 0; k < 3; k++) state.velocity[k] = state.velocity[k]! + floats[at + k]!;
  if (state.timer !== 0) return;
  state.timer = time;
  state.flags |= Quake3Flag.timeKnockback;
}

function startAt(place: Float32Array): Quake3State {
  const state = createQuake3State();
  state.origin.set(place);
  return state;
}

function command({ frame, pitch, yaw, intent }: Wanderer, number: number): number[] {
  const { forward, right, jumps, crouches } = intent;
  // The key is released now and then, as every jump needs a new press.
  const up = crouches ? -127 : jumps && number % 8 !== 0 ? 127 : 0;
  const angles = [quake3Angle(pitch), quake3Angle(yaw), 0];
  return [number * frame, ...angles, 127 * forward, 127 * right, up, 0, ...[0, 0, 0], 0];
}

function read(file: RowFile): Recording {
  const writer = new RecordingWriter(PUSH);
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
      Float32Array.from([row.ox, row.oy, row.oz] as number[]),
    );
  }
  return writer.finish();
}

/** The state given by a row. */
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
  floats: PUSH,
  usual: Float32Array.of(0, 66, 1),
  createRunner: (_format, world, recording) => new Quake3Runner(world, recording),
  startAt,
  command,
  read,
};
