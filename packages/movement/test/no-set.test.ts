import { createBody, createScene } from '@bspkit/scene';
import { expect, it } from 'vitest';
import {
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
  equalStates,
  type PlayerState,
  Quake2MoveType,
} from '../src/index.ts';
import { quake1Arena, quake2Arena, quake3Arena } from './arena.ts';

// Tracers of one's own that cannot be changed, as a function has them that counts a scene's traces: movers replace them.

interface Tracer {
  createTrace(): object;
  trace(...args: readonly unknown[]): unknown;
}

/** What has a method that makes tracers, with tracers that have no `set`. `onMake` is called for each. */
function withoutSet<T extends object>(source: T, onMake?: () => void): T {
  const bare = (tracer: Tracer) => ({
    createTrace: () => tracer.createTrace(),
    trace: tracer.trace.bind(tracer),
  });
  return new Proxy(source, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'box' && name !== 'hull') return value.bind(target);
      return (...args: unknown[]) => {
        onMake?.();
        return bare(value.apply(target, args));
      };
    },
  });
}

const [quake1, quake2, quake3] = [quake1Arena(), quake2Arena(), quake3Arena()];
const halves = (scene: object): never => ({ trace: scene, contents: quake1 }) as never;
const FALL = { origin: [-256, 0, 60], velocity: [100, 0, 0] } as const;

/** By name: the rules of a scene of a world, a state, and what moves it once. */
const games = {
  'Quake 3': [
    quake3,
    'quake3',
    createQuake3State,
    (scene: object) => {
      const mover = createQuake3Mover(scene as never);
      return (state: ReturnType<typeof createQuake3State>) =>
        mover.move(state, { ...createQuake3Command(), serverTime: state.commandTime + 50, forward: 127 });
    },
  ],
  'Quake 2': [
    quake2,
    'quake2',
    createQuake2State,
    (scene: object) => {
      const mover = createQuake2Mover(scene as never);
      return (state: ReturnType<typeof createQuake2State>) =>
        mover.move(state, { ...createQuake2Command(), msec: 50, forward: 300 });
    },
  ],
  QuakeWorld: [
    quake1,
    'nearest',
    createQuakeWorldState,
    (scene: object) => {
      const mover = createQuakeWorldMover(halves(scene));
      return (state: ReturnType<typeof createQuakeWorldState>) =>
        mover.move(state, { ...createQuakeWorldCommand(), msec: 50, forward: 300 });
    },
  ],
  Quake: [
    quake1,
    'quake1',
    createQuakeState,
    (scene: object) => {
      const mover = createQuakeMover(scene as never);
      return (state: ReturnType<typeof createQuakeState>) => mover.walk(state, 0.05);
    },
  ],
  'things of Quake 3': [
    quake3,
    'quake3',
    createQuake3ThingState,
    (scene: object) => {
      const mover = createQuake3ThingMover(scene as never);
      return (state: ReturnType<typeof createQuake3ThingState>) => mover.move(state, state.time + 25);
    },
  ],
  // Other things get out of bodies that they begin in.
  'monsters of Quake 2': [
    quake2,
    'quake2',
    () => ({ ...createQuake2ThingState(), moveType: Quake2MoveType.step, monster: 1 }),
    (scene: object) => {
      const mover = createQuake2ThingMover(scene as never);
      return (state: ReturnType<typeof createQuake2ThingState>) => mover.move(state);
    },
  ],
  'things of Quake': [
    quake1,
    'quake1',
    createQuakeThingState,
    (scene: object) => {
      const mover = createQuakeThingMover(halves(scene));
      return (state: ReturnType<typeof createQuakeThingState>) => mover.move(state, 0.05);
    },
  ],
} as const;

type AnyState = PlayerState & {
  readonly origin: Float32Array | Int32Array;
  readonly velocity?: Float32Array | Int32Array;
  readonly base?: Float32Array;
  readonly delta?: Float32Array;
  entity: number;
  owner?: number;
};

function play(name: keyof typeof games, wrap: (scene: object) => object) {
  const [world, rules, make, open] = games[name];
  const scene = createScene(world as never, { rules });
  const move = open(wrap(scene)) as (state: AnyState) => unknown;
  const units = name === 'Quake 2' ? 8 : 1;
  const states = [0, 100].map((aside) => {
    const state = make() as unknown as AnyState;
    const origin = [FALL.origin[0], aside, FALL.origin[2]];
    for (const [k, x] of origin.entries()) {
      state.origin[k] = units * x;
      if (state.base) state.base[k] = x;
      if (state.velocity) state.velocity[k] = units * FALL.velocity[k]!;
      if (state.delta) state.delta[k] = FALL.velocity[k]!;
    }
    const box = createBody({ kind: 'box', mins: [-16, -16, -24], maxs: [16, 16, 32] });
    state.entity = scene.add(box, { origin });
    // Whose missiles pass through that.
    if (state.owner !== undefined) state.owner = state.entity;
    return state;
  });
  for (let frame = 0; frame < 4; frame++) {
    for (const state of states) {
      move(state);
      scene.move(state.entity, { origin: Array.from(state.origin, (x) => x / units) });
    }
  }
  return states;
}

it.each(Object.keys(games) as (keyof typeof games)[])(
  'what moves is not stopped by its own body, though its tracers have no set: %s',
  (name) => {
    const expected = play(name, (scene) => scene);
    const found = play(name, withoutSet);
    expect(found).toEqual(expected);
    for (const [k, state] of found.entries()) expect(equalStates(state, expected[k]!)).toBe(true);
    expect(found[0]!.origin[0]).toBeGreaterThan(-256 * (name === 'Quake 2' ? 8 : 1));
  },
);

it('a tracer without set is replaced only when what it must ignore has changed', () => {
  let made = 0;
  const space = withoutSet(createScene(quake3 as never, { rules: 'quake3' }), () => made++);
  const mover = createQuake3Mover(space as never);
  const state = createQuake3State();
  state.entity = 1;
  const move = (): unknown =>
    mover.move(state, { ...createQuake3Command(), serverTime: state.commandTime + 50, forward: 127 });
  move();
  const before = made;
  move();
  expect(made).toBe(before);
});
