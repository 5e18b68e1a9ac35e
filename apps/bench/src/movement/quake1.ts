import type { BspWorld, Vec3 } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import type { RowFile } from '@bspkit/fixtures/recorded';
import {
  copyState,
  createQuakeWorldCommand,
  createQuakeWorldMover,
  createQuakeWorldState,
  packState,
  type QuakeWorldState,
  unpackState,
} from '@bspkit/movement';
import type { MoveGame, MoveRunner } from './game.ts';
import { seeded, Wanderer } from './intent.ts';
import { COMMAND_WORDS, type Recording, RecordingWriter, startStates } from './recording.ts';
import { readRows } from './rows.ts';

// Words of a command: milliseconds, three angles, forward, side, up, buttons.
// Settings: the server's variables, whether long commands are split, whether the way is that of the angles from before the
// command, and how many obstacles follow; of each its model or -1, where it stands, and the corners of a box.

/** The words of a command that are floats. */
const FLOATS = [1, 2, 3, 4, 5, 6];

/** Names of the server's variables: the mover's, and those in headers. */
const VARIABLES = [
  ['gravity', 'gravity', 800],
  ['stopSpeed', 'stopspeed', 100],
  ['maxSpeed', 'maxspeed', 320],
  ['spectatorMaxSpeed', 'spectatormaxspeed', 500],
  ['accelerate', 'accelerate', 10],
  ['waterAccelerate', 'wateraccelerate', 10],
  ['friction', 'friction', 4],
  ['waterFriction', 'waterfriction', 4],
  ['entGravity', 'entgravity', 1],
] as const;

const SPLITS = VARIABLES.length;
const CARRIES = SPLITS + 1;
const COUNT = SPLITS + 2;
const OBSTACLES = SPLITS + 3;
const OBSTACLE_NUMBERS = 10;

const JUMP = 2;

type World = Parameters<typeof createQuakeWorldMover>[0] & {
  model(number: number): Parameters<ReturnType<typeof createQuakeWorldMover>['add']>[0];
};

class QuakeWorldRunner implements MoveRunner {
  private readonly _format: BspFormat;
  private readonly _world: World;
  private readonly _recording: Recording;
  private readonly _starts: readonly QuakeWorldState[];
  private readonly _state = createQuakeWorldState();
  private readonly _command = createQuakeWorldCommand();
  private readonly _mover: ReturnType<typeof createQuakeWorldMover>;

  constructor(format: BspFormat, world: BspWorld, recording: Recording) {
    this._format = format;
    this._world = world as BspWorld & World;
    this._recording = recording;
    this._starts = startStates(recording, createQuakeWorldState, unpackState);
    this._mover = createQuakeWorldMover(this._world as Parameters<typeof createQuakeWorldMover>[0]);
  }

  set(settings: Float32Array): void {
    const variables = Object.fromEntries(VARIABLES.map(([name], k) => [name, settings[k]!]));
    const [splits, carryAngles] = [settings[SPLITS] !== 0, settings[CARRIES] !== 0];
    this._mover.set({ ...variables, splits, carryAngles });
    this._mover.clear();
    for (let k = 0; k < settings[COUNT]!; k++) {
      const at = OBSTACLES + OBSTACLE_NUMBERS * k;
      const [model, ox, oy, oz, ...corners] = settings.subarray(at, at + OBSTACLE_NUMBERS);
      const obstacle =
        model! < 0
          ? (this._format.boxEntity!(corners.slice(0, 3), corners.slice(3)) as unknown as ReturnType<
              World['model']
            >)
          : this._world.model(model!);
      this._mover.add(obstacle, [ox!, oy!, oz!]);
    }
  }

  run(first: number, last: number): number {
    const { _starts: starts, _state: state, _command: command, _mover: mover } = this;
    const { commands, floats } = this._recording;
    let sum = 0;
    for (let at = COMMAND_WORDS * first; at < COMMAND_WORDS * last; at += COMMAND_WORDS) {
      const start = commands[at]!;
      if (start >= 0) copyState(starts[start]!, state);
      command.msec = commands[at + 1]!;
      command.angles[0] = floats[at + 2]!;
      command.angles[1] = floats[at + 3]!;
      command.angles[2] = floats[at + 4]!;
      command.forward = floats[at + 5]!;
      command.side = floats[at + 6]!;
      command.up = floats[at + 7]!;
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

/** Settings by the names that headers have for variables; what is missing is as it is by default. */
function settingsOf(
  variables: Readonly<Record<string, number>>,
  splits: boolean,
  carries: boolean,
  obstacles: readonly (readonly number[])[] = [],
): Float32Array {
  const numbers = VARIABLES.map(([, name, value]) => variables[name] ?? value);
  const flags = [splits ? 1 : 0, carries ? 1 : 0];
  return Float32Array.of(...numbers, ...flags, obstacles.length, ...obstacles.flat());
}

const USUAL = settingsOf({}, true, false);

function walk(places: Float32Array, count: number, seed: number): Recording {
  const random = seeded(seed);
  const writer = new RecordingWriter();
  for (let at = 0; at < places.length; at += 3) {
    const state = createQuakeWorldState();
    state.origin.set(places.subarray(at, at + 3));
    writer.begin(state, USUAL);
    const player = new Wanderer(random);
    for (let k = 1; k <= count; k++) {
      player.next();
      const { forward, side, jumps, crouches } = player.intent;
      // Nobody crouches here; who would stands still.
      const speed = crouches ? 0 : 400;
      const buttons = jumps && k % 8 !== 0 ? JUMP : 0;
      writer.add(
        [player.frame, player.pitch, player.yaw, 0, speed * forward, speed * side, 0, buttons],
        FLOATS,
      );
    }
  }
  return writer.finish();
}

type Fields = Readonly<Record<string, unknown>>;

function read(file: RowFile): Recording {
  const { header, rows } = readRows(file);
  const sequences = header.sequences as readonly Fields[];
  const writer = new RecordingWriter();
  let current: unknown = -1;
  for (const row of rows) {
    if (row.seq !== current) {
      current = row.seq;
      begin(writer, header, sequences[row.seq as number]!);
    }
    const { msec, pitch, yaw, roll, forwardmove, sidemove, upmove, buttons, ox, oy, oz } = row;
    const words = [msec, pitch, yaw, roll, forwardmove, sidemove, upmove, buttons] as number[];
    writer.add(words, FLOATS, [ox, oy, oz] as number[]);
  }
  return writer.finish();
}

/** Begins a sequence, as the header has it. */
function begin(writer: RecordingWriter, header: Fields, sequence: Fields): void {
  const state = createQuakeWorldState();
  state.origin.set(sequence.origin as number[]);
  state.velocity.set(sequence.velocity as number[]);
  state.angles.set(sequence.angles as number[]);
  state.oldButtons = sequence.oldbuttons as number;
  state.waterJumpTime = Math.fround(sequence.waterjumptime as number);
  state.dead = sequence.dead as number;
  state.spectator = sequence.spectator as number;
  const variables = { ...(header.movevars as object), ...((sequence.movevars as object) ?? {}) };
  const obstacles = ((sequence.physents as readonly Fields[]) ?? []).map(
    ({ model = -1, origin, mins = [0, 0, 0], maxs = [0, 0, 0] }) => [
      model as number,
      ...(origin as Vec3 & number[]),
      ...(mins as number[]),
      ...(maxs as number[]),
    ],
  );
  writer.begin(state, settingsOf(variables, false, sequence.carryAngles !== 0, obstacles));
}

/** QuakeWorld's players. */
export const quake1: MoveGame = {
  format: 'quake1',
  room: {},
  createRunner: (format, world, recording) => new QuakeWorldRunner(format, world, recording),
  walk,
  read,
};
