import type { Trace, Vec3 } from '@bspkit/core';
import { describe, expect, it } from 'vitest';
import {
  type BoxTracer,
  createController,
  createMoveState,
  createQuake2Command,
  createQuake2Mover,
  createQuake2State,
  createQuake2ThingMover,
  createQuake2ThingState,
  createQuake3Command,
  createQuake3Mover,
  createQuake3Slide,
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
  ground,
  type ShapeTracer,
  slide,
  step,
} from '../src/index.ts';
import { quake1Arena, quake3Arena, SPAWN } from './arena.ts';

const world = quake3Arena();
const hulls = quake1Arena();
const box = world.box([-15, -15, -24], [15, 15, 32]);

/** A tracer of the right type, but it returns an answer of its own, and does not fill `out`. */
const careless = (tracer: BoxTracer): BoxTracer => ({
  createTrace: () => tracer.createTrace(),
  trace: (start: Vec3, end: Vec3): Trace => tracer.trace(start, end),
});

function still() {
  const state = createMoveState();
  state.position.set(SPAWN);
  state.velocity[2] = -100;
  return state;
}

function placed<S extends { readonly origin: { set(numbers: readonly number[]): void } }>(state: S): S {
  state.origin.set(SPAWN);
  return state;
}

const mine: ShapeTracer = careless(box);
const space = {
  box: (mins: Vec3, maxs: Vec3) => careless(world.box(mins, maxs)),
  contents: (point: Vec3) => world.contents(point),
};

describe('a tracer that does not fill out', () => {
  it.each<[string, () => unknown]>([
    ['a controller that is made', () => createController(mine, { position: SPAWN })],
    ['a controller that walks', () => createController(mine).walk([100, 0, 0], 0.1)],
    ['a controller that gets out', () => createController(mine).unstick()],
    ['slide', () => slide(mine, still(), 0.1)],
    ['step', () => step(mine, still(), 0.1)],
    ['ground', () => ground(mine, still())],
    [
      'a mover of Quake 3',
      () =>
        createQuake3Mover(space).move(placed(createQuake3State()), {
          ...createQuake3Command(),
          serverTime: 16,
        }),
    ],
    [
      'a mover of things of Quake 3',
      () => createQuake3ThingMover(space).move(placed(createQuake3ThingState()), 50),
    ],
    [
      'a mover of Quake 2',
      () =>
        createQuake2Mover(space).move(placed(createQuake2State()), { ...createQuake2Command(), msec: 16 }),
    ],
    [
      'a mover of things of Quake 2',
      () => createQuake2ThingMover(space).move(placed(createQuake2ThingState())),
    ],
    [
      'a mover of QuakeWorld',
      () =>
        createQuakeWorldMover({
          trace: { hull: (hull: number) => careless(hulls.hull(hull)) },
          contents: hulls,
        }).move(placed(createQuakeWorldState()), { ...createQuakeWorldCommand(), msec: 16 }),
    ],
    [
      'an obstacle',
      () => {
        const mover = createQuakeWorldMover(hulls);
        mover.add({ box: () => ({ ...careless(box), place: () => {} }) }, [0, 0, 0]);
        mover.move(placed(createQuakeWorldState()), { ...createQuakeWorldCommand(), msec: 16 });
      },
    ],
    [
      'a mover of Quake',
      () => {
        const state = placed(createQuakeState());
        state.velocity[0] = 100;
        createQuakeMover(space).walk(state, 0.1);
      },
    ],
    [
      'a mover of things of Quake',
      () =>
        createQuakeThingMover({ trace: space, contents: hulls }).move(placed(createQuakeThingState()), 0.1),
    ],
  ])('is refused by %s', (_, use) => {
    expect(use).toThrow(new TypeError('trace of a tracer must fill the answer given as out, and return it'));
  });
});

describe('a trace that moves another with the same mover', () => {
  let during = (): void => {};
  const calling = (tracer: BoxTracer): BoxTracer => ({
    createTrace: () => tracer.createTrace(),
    trace(start, end, out) {
      during();
      return tracer.trace(start, end, out);
    },
  });
  const space = {
    trace: { box: (mins: Vec3, maxs: Vec3) => calling(world.box(mins, maxs)) },
    contents: world,
  };
  const hullSpace = { trace: { hull: (hull: number) => calling(hulls.hull(hull)) }, contents: hulls };
  const falling = () => {
    const state = placed(createQuakeState());
    state.velocity[2] = -100;
    return state;
  };
  const quake3 = createQuake3Mover(space);
  const quake2 = createQuake2Mover(space);
  const quakeWorld = createQuakeWorldMover(hullSpace);
  const quake = createQuakeMover(space);

  it.each<[string, () => unknown]>([
    [
      'move of Quake 3',
      () => quake3.move(placed(createQuake3State()), { ...createQuake3Command(), serverTime: 16 }),
    ],
    ['slideMove of Quake 3', () => quake3.slideMove(placed(createQuake3Slide()))],
    [
      'move of Quake 2',
      () => quake2.move(placed(createQuake2State()), { ...createQuake2Command(), msec: 16 }),
    ],
    ['putAt of Quake 2', () => quake2.putAt(createQuake2State(), SPAWN)],
    [
      'move of QuakeWorld',
      () => quakeWorld.move(placed(createQuakeWorldState()), { ...createQuakeWorldCommand(), msec: 16 }),
    ],
    ['walk of Quake', () => quake.walk(falling(), 0.1)],
    ['fly of Quake', () => quake.fly(falling(), 0.1)],
  ])('is refused by %s', (_, move) => {
    let inner: unknown;
    during = () => {
      during = () => {};
      try {
        move();
      } catch (error) {
        inner = error;
      }
    };
    move();
    expect(inner).toEqual(new Error('a mover cannot be used within its own move'));
    expect(move).not.toThrow();
  });
});
