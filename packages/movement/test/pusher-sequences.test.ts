import { between, createRandom, pick, type Random } from '@bspkit/geometry';
import { type BodyChanges, createBody, createScene, type RulesName, type Scene } from '@bspkit/scene';
import { expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  createQuake2Pusher,
  createQuake2State,
  createQuake2ThingState,
  createQuake3Pusher,
  createQuake3State,
  createQuake3ThingState,
  createQuakePusher,
  createQuakeState,
  createQuakeThingState,
  type PlayerState,
  packState,
  Quake2MoveType,
  Quake3Path,
  Quake3ThingType,
  QuakeMoveType,
  unpackState,
} from '../src/index.ts';
import { quake1Arena, quake2Arena, quake3Arena } from './arena.ts';

// One pusher serves any number of pushes, and keeps nothing of them but what it says about the latest; nor does it matter in which
// order it is given states. Wherever a game is saved, its pushes go on as they would have.

const FRAMES = 24;
const SAVED = 8;

type State = PlayerState & {
  entity: number;
  ground: number;
  readonly origin: Float32Array | Int32Array;
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
};

interface Pusher {
  push(parts: object, states: readonly State[]): State | undefined;
  readonly moved: readonly State[];
  endFrame?(): void;
}

interface Game {
  readonly rules: RulesName;
  readonly world: { model(number: number): object };
  pusher(scene: Scene): Pusher;
  /** A player, or a thing that lies. */
  state(isThing: boolean): State;
  /** Puts a state where it lies on a body. */
  put(state: State, place: readonly number[], on: number): void;
  readonly turns: boolean;
}

const of = <S>(
  game: Omit<Game, 'state' | 'put' | 'pusher'> & {
    pusher: unknown;
    state(isThing: boolean): S;
    put(state: S, place: readonly number[], on: number): void;
  },
): Game => game as never;

const GAMES: Readonly<Record<string, Game>> = {
  Quake: of({
    rules: 'quake1',
    world: quake1Arena(),
    pusher: createQuakePusher,
    state: (isThing) =>
      isThing ? { ...createQuakeThingState(), moveType: QuakeMoveType.toss as number } : createQuakeState(),
    put(state, place, on) {
      state.origin.set(place);
      Object.assign(state, { onGround: 1, ground: on });
    },
    turns: false,
  }),
  'Quake 2': of({
    rules: 'quake2',
    world: quake2Arena(),
    pusher: createQuake2Pusher,
    state: (isThing) =>
      isThing
        ? { ...createQuake2ThingState(), moveType: Quake2MoveType.toss as number }
        : createQuake2State(),
    put(state, place, on) {
      state.origin.set(place.map((x) => (state.kind === 'quake2' ? 8 * x : x)));
      state.ground = on;
    },
    turns: true,
  }),
  'Quake 3': of({
    rules: 'quake3',
    world: quake3Arena(),
    pusher: createQuake3Pusher,
    state: (isThing) =>
      isThing
        ? { ...createQuake3ThingState(Quake3ThingType.item), path: Quake3Path.stationary as number }
        : createQuake3State(),
    put(state, place, on) {
      state.origin.set(place);
      if (state.kind === 'quake3-thing') state.base.set(place);
      state.ground = on;
    },
    turns: true,
  }),
};

const COUNT = 8;
const SIZE = { mins: [-15, -15, -24], maxs: [15, 15, 32] };
const PLATES = [
  { number: 1, origin: [64, -576, 40] },
  { number: 2, origin: [10, -520, 90] },
];

/** The hall with two plates, and who is on them or near. */
class Hall {
  readonly game: Game;
  readonly scene: Scene;
  pusher: Pusher;
  readonly states: State[] = [];

  constructor(game: Game) {
    this.game = game;
    this.scene = createScene(game.world as never, { rules: game.rules }) as never;
    this.pusher = game.pusher(this.scene);
    for (const { number, origin } of PLATES)
      this.scene.add(game.world.model(1) as never, { number, origin, solid: 'model' });
  }

  add(state: State): void {
    const { mins, maxs } = SIZE;
    state.entity = this.scene.add(createBody({ kind: 'box', mins, maxs }), { contents: 0x2000000 });
    this.states.push(state);
  }

  /** Puts one of them somewhere, and pushes a few times. Returns what came of it. */
  frame(seed: number, arrange: (states: readonly State[]) => readonly State[]): string {
    const random = createRandom(seed);
    const { game, scene, states } = this;
    const [at, on] = [Math.floor(random() * COUNT), pick(random, PLATES).number];
    const top = scene.body(on).origin[2]! + 16;
    // Beside each other, so that most are not in the way of others.
    const place = [32 * (at % 4) - 48, 32 * Math.floor(at / 4) - 290, top + pick(random, [24.125, 25])];
    const state = states[at]!;
    game.put(state, place, pick(random, [on, on, 0]));
    scene.move(state.entity, { origin: place });
    const outcome: unknown[] = [];
    for (let k = 0; k < 3; k++) {
      const parts = this._parts(random);
      const blocker = this.pusher.push(parts, arrange(states));
      outcome.push(
        blocker?.entity,
        this.pusher.moved.map(({ entity }) => entity),
      );
    }
    this.pusher.endFrame?.();
    const poses = Array.from(scene, ({ origin, angles }) => [...origin, ...angles]);
    return JSON.stringify([outcome, poses, states.map((each) => Array.from(packState(each)))]);
  }

  private _parts(random: Random): object {
    const eighths = (): number => Math.round(between(random, -24, 24)) / 8;
    const part = (body: number): object => ({
      body,
      delta: pick(random, [
        [0, 0, eighths()],
        [0, 0, Math.abs(eighths())],
        [eighths(), eighths(), eighths()],
      ]),
      ...(this.game.turns && random() < 0.3 && { turn: [0, pick(random, [3, -3, 90]), 0] }),
    });
    const [first, second] = random() < 0.5 ? [1, 2] : [2, 1];
    return this.game.turns && random() < 0.4 ? [part(first!), part(second!)] : part(first!);
  }

  /** Another hall in the same state. All bodies are linked again here too, in the order of numbers. */
  saved(): Hall {
    const hall = new Hall(this.game);
    const { scene } = this;
    const changes = Array.from(scene, ({ number, origin, angles, bounds, contents, solid }) => {
      scene.move(number, {});
      return [number, { origin, angles, bounds, contents, solid }] as [number, BodyChanges];
    });
    for (const state of this.states)
      hall.add(unpackState(packState(state), this.game.state(state.kind.endsWith('thing'))));
    for (const [number, change] of changes) hall.scene.move(number, change);
    return hall;
  }
}

describe.each(Object.entries(GAMES))('pushes of %s', (_, game) => {
  const open = (): Hall => {
    const hall = new Hall(game);
    for (let k = 0; k < COUNT; k++) {
      const state = game.state(k % 2 === 1);
      state.mins.set(SIZE.mins);
      state.maxs.set(SIZE.maxs);
      hall.add(state);
    }
    return hall;
  };

  it('do not depend on the pusher, on the order of states, or on calls that were refused', () => {
    const [one, other] = [open(), open()];
    const seen = { blocked: 0, moved: 0 };
    for (let frame = 0; frame < FRAMES; frame++) {
      const seed = seedOf(frame);
      const outcome = one.frame(seed, (states) => states);
      other.pusher = game.pusher(other.scene);
      const turned = other.frame(seed, (states) => {
        const twice = [...states, states[0]!];
        expect(() => other.pusher.push({ body: 1, delta: [0, 0, 1] }, twice)).toThrow(RangeError);
        return [...states.slice(frame % COUNT), ...states.slice(0, frame % COUNT)].reverse();
      });
      expectSame(turned, outcome, `frame ${frame}`);
      for (const told of JSON.parse(outcome)[0]) {
        if (typeof told === 'number') seen.blocked++;
        else if (Array.isArray(told) && told.length > 0) seen.moved++;
      }
    }
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(5);
  });

  it('go on in the same way in a game that was saved and loaded', () => {
    const one = open();
    for (let frame = 0; frame < SAVED; frame++) one.frame(seedOf(frame), (states) => states);
    const other = one.saved();
    for (let frame = SAVED; frame < FRAMES; frame++) {
      const outcome = one.frame(seedOf(frame), (states) => states);
      expectSame(
        other.frame(seedOf(frame), (states) => states),
        outcome,
        `frame ${frame}`,
      );
    }
  });
});
