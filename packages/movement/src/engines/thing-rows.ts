import type { Bounds, Vec3 } from '@bspkit/core';
import {
  failCell,
  float32Cell,
  type HeaderFields,
  intCell,
  type Row,
  type RowSource,
} from '@bspkit/core/format';

// What rows of things have in common, whichever game moves these.

/** Columns of a question. */
export const QUESTION = ['scene', 'frame', 'thing', 'call', 'yaw', 'distance'] as const;

/** What may be left out where no monster steps to its goal: a list of what is drawn at random. */
export const OPTIONAL: readonly (readonly string[])[] = [['random']];

/** Columns of where a thing is and how it moves. */
export const MOTION = [
  'ox',
  'oy',
  'oz',
  'vx',
  'vy',
  'vz',
  'pitch',
  'yawed',
  'roll',
  'apitch',
  'ayaw',
  'aroll',
] as const;

/** What a monster's thought called, if neither nothing nor a step, which are 0 and 1. */
export const DROP_TO_FLOOR = 2;
export const MOVE_TO_GOAL = 3;
export const CHANGE_YAW = 4;

interface ThingState {
  readonly origin: Float32Array;
  readonly velocity: Float32Array;
  readonly angles: Float32Array;
  readonly angularVelocity: Float32Array;
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  moveType: number;
  gravityFactor: number;
  idealYaw: number;
  yawSpeed: number;
}

export const ZERO: readonly number[] = [0, 0, 0];
const NO_BOX: Bounds = { mins: ZERO, maxs: ZERO };

/** A world whose models are bodies. */
interface ModelWorld {
  readonly numModels: number;
  model(number: number): object;
}

/** What a thing is in a scene, and how it moves by itself: 0 if it does not. */
interface ThingBody extends Bounds {
  readonly collider: object;
  readonly options: { readonly origin: Vec3; readonly solid: string; readonly owner: number };
  readonly solid: number;
  readonly moveType: number;
}

/** Reads what the things of all games have, of which there are `count`. `solids` are the scene's words for the engine's kinds. */
export function readThing(
  fields: HeaderFields,
  count: number,
  solids: readonly string[],
  moveTypes: Readonly<Record<string, number>>,
  world: ModelWorld,
  { format }: RowSource,
): ThingBody {
  const model = fields.model('model', world, 0);
  if (!format.boxEntity) throw new RangeError(`${format.name} has no box entities`);
  const solid = fields.whole('solid', undefined, 0, solids.length - 1);
  const { mins, maxs } = model > 0 ? NO_BOX : fields.box();
  return {
    collider: model > 0 ? world.model(model) : format.boxEntity(mins, maxs),
    options: {
      origin: fields.vector('origin'),
      solid: solids[solid]!,
      owner: fields.whole('owner', 0, 0, count) || -1,
    },
    ...{ mins, maxs, solid },
    moveType: model > 0 ? 0 : fields.choice('movetype', Object.values(moveTypes), 0),
  };
}

/** Begins a thing as the header says, of which {@link readThing} has read the beginning. */
export function beginThing(
  state: ThingState,
  fields: HeaderFields,
  { options, mins, maxs, moveType }: ThingBody,
  gravity: number,
): void {
  state.origin.set(options.origin);
  state.velocity.set(fields.vector('velocity', ZERO));
  state.angles.set(fields.vector('angles', ZERO));
  state.angularVelocity.set(fields.vector('avelocity', ZERO));
  state.mins.set(mins);
  state.maxs.set(maxs);
  state.moveType = moveType;
  state.gravityFactor = fields.number('gravity', gravity);
  state.idealYaw = fields.number('idealyaw', 0);
  state.yawSpeed = fields.number('yawspeed', 0);
}

/** Answers the columns of {@link MOTION}. */
export function answerMotion(
  row: Row,
  at: Readonly<Record<(typeof MOTION)[number], number>>,
  { origin, velocity, angles, angularVelocity }: ThingState,
): void {
  const numbers = [origin, velocity, angles, angularVelocity].flatMap((vector) => Array.from(vector));
  for (const [k, number] of numbers.entries()) row[at[MOTION[k]!]] = float32Cell(number);
}

/** The frame of a row, which must be the one of the row before it or the next; the first is 0. */
export function frameOf(row: Row, at: { readonly frame: number }, before: number): number {
  const frame = intCell(row, at.frame);
  const next = before + 1;
  if (frame === next || (frame === before && next > 0)) return frame;
  const expected = next === 0 ? '0 at first' : `${before} or ${next}`;
  throw new RangeError(`frame must be ${expected}, got ${frame}`);
}

/** What a row says that the thing's thought called: 0 for nothing. */
export function callOf(row: Row, at: { readonly call: number }): number {
  const call = intCell(row, at.call);
  if (call < 0 || call > CHANGE_YAW) throw new RangeError(`call must be 0 to 4, got ${call}`);
  return call;
}

/** Gives what a row says that is drawn at random, one number after the other. */
export class Dice {
  /** How many were drawn. */
  drawn = 0;
  private _numbers: readonly number[] = [];

  /** Takes the numbers of a row, if its call needs any. */
  take(row: Row, { random }: { readonly random: number }, call: number): void {
    this.drawn = 0;
    if (call !== MOVE_TO_GOAL) return;
    if (random < 0) throw new RangeError('missing columns: random');
    const numbers = row[random];
    const isWhole = (number: unknown): boolean =>
      Number.isInteger(number) && (number as number) >= 0 && (number as number) <= 0x7fffffff;
    if (!Array.isArray(numbers) || !numbers.every(isWhole))
      failCell(row, random, 'a list of whole numbers from 0 to 2147483647');
    this._numbers = numbers;
  }

  readonly draw = (): number => {
    const number = this._numbers[this.drawn];
    if (number === undefined) throw new RangeError(`random has too few numbers: ${this.drawn}`);
    this.drawn++;
    return number;
  };
}
