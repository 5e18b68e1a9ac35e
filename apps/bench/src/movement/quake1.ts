import type { BspWorld, Vec3 } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import type { RowFile } from '@bspkit/fixtures/recorded';
import {
  createQuakeWorldCommand,
  createQuakeWorldMover,
  createQuakeWorldState,
  type QuakeWorldState,
} from '@bspkit/movement';
import type { MapNamed } from 'bspkit';
import type { MoveGame } from './game.ts';
import type { Wanderer } from './intent.ts';
import { type Recording, RecordingWriter } from './recording.ts';
import { readRows } from './rows.ts';
import { OwnRunner } from './runner.ts';

// Words of a command: milliseconds, three angles, forward, right, up, buttons. Settings: the server's variables, whether long
// commands are split, whether the direction is that of the angles from before the command, and how many obstacles follow; for
// each its model or -1, where it is, and the corners of a box.

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

type World = MapNamed<'quake1'>;
type Mover = ReturnType<typeof createQuakeWorldMover>;
type Command = ReturnType<typeof createQuakeWorldCommand>;

class QuakeWorldRunner extends OwnRunner<QuakeWorldState, Command> {
  protected readonly mover: Mover;
  private readonly _format: BspFormat;
  private readonly _world: World;

  constructor(format: BspFormat, world: BspWorld, recording: Recording) {
    super(recording, createQuakeWorldState, createQuakeWorldCommand());
    this._format = format;
    this._world = world as World;
    this.mover = createQuakeWorldMover(this._world);
  }

  set(settings: Float32Array): void {
    const variables = Object.fromEntries(VARIABLES.map(([name], k) => [name, settings[k]!]));
    const [splits, carryAngles] = [settings[SPLITS] !== 0, settings[CARRIES] !== 0];
    this.mover.set({ ...variables, splits, carryAngles });
    this.mover.clear();
    for (let k = 0; k < settings[COUNT]!; k++) {
      const at = OBSTACLES + OBSTACLE_NUMBERS * k;
      const [model, ox, oy, oz, ...corners] = settings.subarray(at, at + OBSTACLE_NUMBERS);
      const obstacle =
        model! < 0
          ? (this._format.boxEntity!(corners.slice(0, 3), corners.slice(3)) as unknown as ReturnType<
              World['model']
            >)
          : this._world.model(model!);
      this.mover.add(obstacle, [ox!, oy!, oz!]);
    }
  }

  protected load(command: Command, words: Int32Array, floats: Float32Array, at: number): void {
    command.msec = words[at]!;
    command.angles[0] = floats[at + 1]!;
    command.angles[1] = floats[at + 2]!;
    command.angles[2] = floats[at + 3]!;
    command.forward = floats[at + 4]!;
    command.right = floats[at + 5]!;
    command.up = floats[at + 6]!;
    command.buttons = words[at + 7]!;
  }
}

/** Settings by the names that headers have for variables; what is missing has its default. */
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

function startAt(place: Float32Array): QuakeWorldState {
  const state = createQuakeWorldState();
  state.origin.set(place);
  return state;
}

function command({ frame, pitch, yaw, intent }: Wanderer, number: number): number[] {
  const { forward, right, jumps, crouches } = intent;
  // Nobody crouches here; those who would stand still.
  const speed = crouches ? 0 : 400;
  const buttons = jumps && number % 8 !== 0 ? JUMP : 0;
  return [frame, pitch, yaw, 0, speed * forward, speed * right, 0, buttons];
}

type Fields = Readonly<Record<string, unknown>>;

function read(file: RowFile): Recording {
  const { header, rows } = readRows(file);
  const sequences = header.sequences as readonly Fields[];
  const writer = new RecordingWriter(FLOATS);
  let current: unknown = -1;
  for (const row of rows) {
    if (row.seq !== current) {
      current = row.seq;
      begin(writer, header, sequences[row.seq as number]!);
    }
    const { msec, pitch, yaw, roll, forwardmove, sidemove, upmove, buttons, ox, oy, oz } = row;
    const words = [msec, pitch, yaw, roll, forwardmove, sidemove, upmove, buttons] as number[];
    writer.add(words, Float32Array.from([ox, oy, oz] as number[]));
  }
  return writer.finish();
}

/** Starts a sequence, as given in the header. */
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
  floats: FLOATS,
  usual: settingsOf({}, true, false),
  createRunner: (format, world, recording) => new QuakeWorldRunner(format, world, recording),
  startAt,
  command,
  read,
};
