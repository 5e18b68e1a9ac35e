import type { BspWorld } from '@bspkit/core';
import type { RowFile } from '@bspkit/fixtures/recorded';
import {
  createQuake2Command,
  createQuake2Mover,
  createQuake2State,
  type Quake2Mover,
  type Quake2State,
  quake2Angle,
} from '@bspkit/movement';
import { createScene } from '@bspkit/scene';
import type { MapNamed } from 'bspkit';
import type { MoveGame } from './game.ts';
import type { Wanderer } from './intent.ts';
import { type Recording, RecordingWriter } from './recording.ts';
import { readRows } from './rows.ts';
import { OwnRunner } from './runner.ts';

// Words of a command: milliseconds, three angles, forward, right, up. Settings: whether the server's `sv_airaccelerate` is other
// than 0, and how many models follow; for each its number, where it is, and its angles.

const AIR_ACCELERATE = 0;
const COUNT = 1;
const MODELS = 2;
const MODEL_NUMBERS = 7;

/** Eighths of a unit, in which states give places. */
const EIGHTHS = 8;

type World = MapNamed<'quake2'>;
type Command = ReturnType<typeof createQuake2Command>;

class Quake2Runner extends OwnRunner<Quake2State, Command> {
  protected mover: Quake2Mover;
  private readonly _world: World;

  constructor(world: BspWorld, recording: Recording) {
    super(recording, createQuake2State, createQuake2Command());
    this._world = world as World;
    this.mover = createQuake2Mover(this._world);
  }

  set(settings: Float32Array): void {
    const airAccelerate = settings[AIR_ACCELERATE] !== 0;
    this.mover = createQuake2Mover(this._space(settings), { airAccelerate });
  }

  /** The world, on its own if there are no models in it. Models are asked in the order of the list, as in C and for most rows. */
  private _space(settings: Float32Array): Parameters<typeof createQuake2Mover>[0] {
    const world = this._world;
    if (settings[COUNT] === 0) return world;
    const scene = createScene(world, { rules: 'quake2-list' });
    for (let at = MODELS; at < settings.length; at += MODEL_NUMBERS) {
      const [number, ...place] = settings.subarray(at, at + MODEL_NUMBERS);
      const [origin, angles] = [place.slice(0, 3), place.slice(3)];
      scene.add(world.model(number!), { origin, angles, solid: 'model' });
    }
    return scene;
  }

  protected load(command: Command, words: Int32Array, _floats: Float32Array, at: number): void {
    command.msec = words[at]!;
    command.angles[0] = words[at + 1]!;
    command.angles[1] = words[at + 2]!;
    command.angles[2] = words[at + 3]!;
    command.forward = words[at + 4]!;
    command.right = words[at + 5]!;
    command.up = words[at + 6]!;
  }
}

function startAt(place: Float32Array): Quake2State {
  const state = createQuake2State();
  state.origin.set(place.map((x) => EIGHTHS * x));
  // The rounded place may be one without room.
  state.snapInitial = 1;
  return state;
}

function command({ frame, pitch, yaw, intent }: Wanderer, number: number): number[] {
  const { forward, right, jumps, crouches } = intent;
  // The key is released now and then, as every jump needs a new press.
  const up = crouches ? -400 : jumps && number % 8 !== 0 ? 400 : 0;
  return [frame, quake2Angle(pitch), quake2Angle(yaw), 0, 400 * forward, 400 * right, up];
}

type Row = Readonly<Record<string, unknown>>;

/** The columns of a row with the state before the command, and with the state that the command left. */
const CARRIED = [
  ...[['ox', 'rox'] as const, ['oy', 'roy'] as const, ['oz', 'roz'] as const],
  ...[['vx', 'rvx'] as const, ['vy', 'rvy'] as const, ['vz', 'rvz'] as const],
  ...[['pmFlags', 'rpmFlags'] as const, ['pmTime', 'rpmTime'] as const],
];

/** What stays the same while a player moves. */
const KEPT = ['seq', 'airaccelerate', 'mask', 'pmType', 'gravity', 'deltaPitch', 'deltaYaw', 'deltaRoll'];

/** Whether a row's player is the previous row's, as that row's command left it. */
function continues(row: Row, before: Row | undefined): boolean {
  if (before === undefined || row.snapInitial !== 0) return false;
  return (
    KEPT.every((name) => row[name] === before[name]) &&
    CARRIED.every(([question, answer]) => row[question] === before[answer])
  );
}

function read(file: RowFile): Recording {
  const { header, rows } = readRows(file);
  const models = (header.models ?? []) as readonly (readonly number[])[];
  const settings = [0, 1].map((airs) => Float32Array.of(airs, models.length, ...models.flat()));
  const writer = new RecordingWriter([]);
  let before: Row | undefined;
  for (const row of rows) {
    if (!continues(row, before)) writer.begin(stateOf(row), settings[row.airaccelerate === 0 ? 0 : 1]!);
    const { msec, pitch, yaw, roll, forward, side, up, rox, roy, roz } = row;
    const words = [msec, pitch, yaw, roll, forward, side, up] as number[];
    writer.add(words, Int32Array.from([rox, roy, roz] as number[]));
    before = row;
  }
  return writer.finish();
}

/** The state before a row's command. */
function stateOf(row: Row): Quake2State {
  const numbers = (...names: string[]): number[] => names.map((name) => row[name] as number);
  const state = createQuake2State();
  state.origin.set(numbers('ox', 'oy', 'oz'));
  state.velocity.set(numbers('vx', 'vy', 'vz'));
  state.deltaAngles.set(numbers('deltaPitch', 'deltaYaw', 'deltaRoll'));
  return Object.assign(state, {
    type: row.pmType,
    flags: row.pmFlags,
    timer: row.pmTime,
    gravity: row.gravity,
    mask: row.mask,
    snapInitial: row.snapInitial,
  });
}

export const quake2: MoveGame = {
  format: 'quake2',
  room: { mask: 'playerSolid' },
  floats: [],
  usual: Float32Array.of(0, 0),
  createRunner: (_format, world, recording) => new Quake2Runner(world, recording),
  startAt,
  command,
  read,
};
