import { float32Cell, intCell, type Row, type RowAnswering } from '@bspkit/core/format';
import type { HeaderFields } from './fields.ts';

// What rows of things have in common, whichever game moves these.

/** Columns of a question. */
export const QUESTION = ['scene', 'frame', 'thing', 'call', 'yaw', 'distance'] as const;

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

/** What a monster's thought called. */
export const WALK_MOVE = 1;
const DROP_TO_FLOOR = 2;

interface ThingState {
  readonly origin: Float32Array;
  readonly velocity: Float32Array;
  readonly angles: Float32Array;
  readonly angularVelocity: Float32Array;
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  moveType: number;
  gravityFactor: number;
}

/** Begins a thing as the header says. */
export function beginThing(state: ThingState, fields: HeaderFields, moveType: number): void {
  state.origin.set(fields.vector('origin'));
  state.velocity.set(fields.vector('velocity'));
  state.angles.set(fields.vector('angles'));
  state.angularVelocity.set(fields.vector('avelocity'));
  state.mins.set(fields.vector('mins'));
  state.maxs.set(fields.vector('maxs'));
  state.moveType = moveType;
  state.gravityFactor = fields.number('gravity');
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

/** What a row says that the thing's thought called: 0 for nothing. */
export function callOf(row: Row, at: { readonly call: number }): number {
  const call = intCell(row, at.call);
  if (call < 0 || call > DROP_TO_FLOOR) throw new RangeError(`call must be 0 to 2, got ${call}`);
  return call;
}

/** Answers rows scene by scene; what answers those of a scene is made for the first of them. */
export function answerScenes<P extends { readonly scene: number }>(
  at: P,
  make: (scene: number) => { answer(row: Row, at: P): void },
): RowAnswering {
  let things: ReturnType<typeof make> | undefined;
  let current = -1;
  return {
    sequences: {
      begins: (row, before) => row[at.scene] !== before?.[at.scene],
      restart() {
        current = -1;
      },
    },
    answer(row) {
      const number = intCell(row, at.scene);
      if (number !== current || !things) things = make(number);
      current = number;
      things.answer(row, at);
    },
  };
}
