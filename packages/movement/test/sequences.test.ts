import { createRandom } from '@bspkit/geometry';
import { expectSame } from '@bspkit/testkit/same';
import { SEED } from '@bspkit/testkit/seed';
import { expect, it } from 'vitest';
import {
  cloneState,
  createQuake2Command,
  createQuake2Mover,
  createQuake2State,
  createQuake2ThingMover,
  createQuake2ThingState,
  createQuake3Command,
  createQuake3Mover,
  createQuake3State,
  createQuake3ThingMover,
  createQuake3ThingState,
  createQuakeMover,
  createQuakeState,
  createQuakeThingMover,
  createQuakeThingState,
  createQuakeWorldCommand,
  createQuakeWorldMover,
  createQuakeWorldState,
  firstDifference,
  type PlayerState,
  packState,
  unpackState,
} from '../src/index.ts';
import { quake1Arena, quake2Arena, quake3Arena } from './arena.ts';

// One mover moves any number of players in turn, and keeps nothing of them: a state goes on with another mover as it would have
// gone on with the first, wherever it was saved, and a call that is refused leaves no trace in the mover either.

/** Calls for each kind of mover. */
const CALLS = 400;
const PLAYERS = 4;

type Random = () => number;
type State = PlayerState & { readonly origin: Float32Array | Int32Array };

/** The state of a player or thing, which may be pushed between calls. */
type Pushed = State & {
  readonly velocity?: State['origin'];
  readonly base?: Float32Array;
  readonly delta?: Float32Array;
};

/** A kind of mover, and what is done with it. */
interface Kind<M = object, S = Pushed> {
  make(): M;
  state(): S;
  /** Draws what is done, and returns what does it: the same with any mover and state. */
  draw(random: Random): (mover: M, state: S) => unknown;
  /** What the mover says about its latest call. */
  told(mover: M): unknown;
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const whole = (random: Random, low: number, high: number): number =>
  Math.floor(low + random() * (high - low + 1));
/** Now and then a number that movers refuse. */
const time = (random: Random): number => pick(random, [0.05, 0.1, 0.1, 0.1, Number.NaN, -1]);

const touched = (mover: { readonly touched: Int32Array; readonly numTouched: number }): number[] =>
  Array.from(mover.touched.subarray(0, mover.numTouched));

const [quake1, quake2, quake3] = [quake1Arena(), quake2Arena(), quake3Arena()];

const of = <M, S extends State>(kind: Kind<M, S>): Kind => kind as never;

const KINDS: Readonly<Record<string, Kind>> = {
  'of Quake 3': of({
    make: () => createQuake3Mover(quake3),
    state: createQuake3State,
    draw(random) {
      const command = createQuake3Command();
      const later = pick(random, [0, 8, 16, 16, 33, 250]);
      command.forward = pick(random, [127, 127, 0, -127, 128]);
      command.right = pick(random, [0, 127, -127]);
      command.up = pick(random, [0, 0, 127, -127]);
      command.angles[1] = whole(random, 0, 65_535);
      return (mover, state) => mover.move(state, { ...command, serverTime: state.commandTime + later });
    },
    told: (mover) => [touched(mover), Array.from(mover.events.subarray(0, mover.numEvents))],
  }),
  'of Quake 2': of({
    make: () => createQuake2Mover(quake2),
    state: createQuake2State,
    draw(random) {
      const command = createQuake2Command();
      command.msec = pick(random, [8, 16, 16, 100, 256]);
      command.forward = pick(random, [300, 300, 0, -300]);
      command.up = pick(random, [0, 0, 200, -200]);
      command.angles[1] = whole(random, -32_768, 32_767);
      return (mover, state) => mover.move(state, command);
    },
    told: (mover) => touched(mover),
  }),
  'of QuakeWorld': of({
    make() {
      const mover = createQuakeWorldMover(quake1);
      mover.add(quake1.model(1), [0, 0, 0]);
      return mover;
    },
    state: createQuakeWorldState,
    draw(random) {
      const command = createQuakeWorldCommand();
      command.msec = pick(random, [8, 16, 16, 100, -1]);
      command.forward = pick(random, [400, 400, 0, -400]);
      command.buttons = pick(random, [0, 0, 2]);
      command.angles[1] = 360 * random();
      return (mover, state) => mover.move(state, command);
    },
    told: (mover) => touched(mover),
  }),
  'of Quake': of({
    make: () => createQuakeMover(quake1),
    state: createQuakeState,
    draw(random) {
      const [seconds, flies] = [time(random), random() < 0.5];
      return (mover, state) => (flies ? mover.fly(state, seconds) : mover.walk(state, seconds));
    },
    told: (mover) => Array.from(mover.wall),
  }),
  'of things of Quake': of({
    make: () => createQuakeThingMover(quake1),
    state: createQuakeThingState,
    draw(random) {
      const [seconds, yaw, what] = [time(random), 360 * random(), random()];
      if (what < 0.7) return (mover, state) => mover.move(state, seconds);
      return (mover, state) => (what < 0.9 ? mover.walkMove(state, yaw, 12) : mover.dropToFloor(state));
    },
    told: (mover) => [touched(mover), mover.splashed, mover.landed],
  }),
  'of things of Quake 2': of({
    make: () => createQuake2ThingMover(quake2),
    state: createQuake2ThingState,
    draw(random) {
      const [yaw, what] = [random() < 0.1 ? Number.NaN : 360 * random(), random()];
      if (what < 0.7) return (mover, state) => mover.move(state);
      return (mover, state) => (what < 0.9 ? mover.walkMove(state, yaw, 12) : mover.checkGround(state));
    },
    told: (mover) => [touched(mover), mover.splashed, mover.landed, Array.from(mover.linked)],
  }),
  'of things of Quake 3': of({
    make: () => createQuake3ThingMover(quake3),
    state: createQuake3ThingState,
    draw(random) {
      const later = pick(random, [50, 50, 100, -50]);
      return (mover, state) => {
        const isHit = mover.move(state, state.time + later);
        return [isHit, isHit && mover.bounce(state)];
      };
    },
    told: (mover) => mover.entity,
  }),
};

/** Puts one somewhere in the hall, in flight. */
function begin(kind: Kind, random: Random): Pushed {
  const state = kind.state();
  const unit = state.kind === 'quake2' ? 8 : 1;
  const place = [whole(random, -300, 300), whole(random, -300, 0), whole(random, 40, 120)];
  state.origin.set(place.map((x) => unit * x));
  state.base?.set(state.origin);
  push(state, random);
  return state;
}

function push({ velocity, delta }: Pushed, random: Random): void {
  (velocity ?? delta)!.set([whole(random, -300, 300), whole(random, -300, 300), whole(random, -100, 100)]);
}

it.each(Object.entries(KINDS))('a mover %s keeps nothing of whom it has moved', (_, kind) => {
  const random = createRandom(SEED);
  const { make, draw, told, state: create } = kind;
  const mover = make();
  const states = Array.from({ length: PLAYERS }, () => begin(kind, random));
  let refused = 0;
  for (let call = 0; call < CALLS; call++) {
    const at = Math.floor(random() * PLAYERS);
    if (random() < 0.03) states[at] = begin(kind, random);
    const state = states[at]!;
    if (random() < 0.1) push(state, random);
    const before = cloneState(state);
    const saved = unpackState(packState(state), create());
    const [act, other] = [draw(random), make()];
    const answer = (one: object, player: Pushed): unknown => {
      try {
        return act(one, player);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        return (error as Error).message;
      }
    };
    const result = answer(mover, state);
    expectSame(result, answer(other, saved), `call ${call}`);
    expectSame(firstDifference(state, saved), undefined, `call ${call}`);
    if (typeof result === 'string') {
      refused++;
      expectSame(firstDifference(state, before), undefined, `call ${call}`);
    } else expectSame(told(mover), told(other), `call ${call}`);
  }
  expect(refused).toBeGreaterThan(0);
});
