import { defineTracer, type Vec3 } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { boxEntity } from '@bspkit/quake1';
import { createBody, createScene } from '@bspkit/scene';
import { expectAllOrNothing } from '@bspkit/testkit/getters';
import { expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  cloneState,
  copyState,
  createQuakeMover,
  createQuakeState,
  createQuakeWorldCommand,
  createQuakeWorldMover,
  createQuakeWorldState,
  equalStates,
  firstDifference,
  type QuakeWorldCommand,
  type QuakeWorldMover,
  type QuakeWorldState,
} from '../src/index.ts';
import { quake1Arena, SPAWN } from './arena.ts';
import { bend, DEGREES, spaceOf } from './rooms.ts';

// Equality with the engine is shown by recorded rows, which are answered in tests of all formats. Here is what the rows do not
// cover.

const world = quake1Arena();

function spawn(): QuakeWorldState {
  const state = createQuakeWorldState();
  state.origin.set(SPAWN);
  return state;
}

function run(
  mover: QuakeWorldMover,
  state: QuakeWorldState,
  count: number,
  parts: Partial<QuakeWorldCommand> = {},
) {
  const command = { ...createQuakeWorldCommand(), msec: 20, ...parts };
  for (let k = 0; k < count; k++) mover.move(state, command);
}

function* anyCommands(seed: number, count: number): Generator<QuakeWorldCommand> {
  const random = createRandom(seedOf(seed));
  for (let k = 0; k < count; k++) {
    const side = (): number => (Math.floor(random() * 3) - 1) * 320;
    const angles = [160 * random() - 80, 360 * random(), 0];
    const buttons = random() < 0.3 ? 2 : 0;
    const msec = Math.floor(random() * 60);
    yield { msec, angles, forward: side(), right: side(), up: side(), buttons };
  }
}

describe('a QuakeWorld player', () => {
  const mover = createQuakeWorldMover(world);

  it('falls to the floor, walks and jumps', () => {
    const state = spawn();
    run(mover, state, 50);
    expect(state.ground).toBe(0);
    expect(state.origin[2]).toBe(24.03125);
    run(mover, state, 40, { forward: 400, angles: [0, 90, 0] });
    expect(state.velocity[1]).toBeGreaterThan(300);
    expect(state.angles).toEqual(Float32Array.of(0, 90, 0));
    run(mover, state, 2, { buttons: 2 });
    expect(state.ground).toBe(-1);
    expect(state.velocity[2]).toBeGreaterThan(200);
    expect(state.oldButtons).toBe(2);
  });

  it('can be dead, or a spectator', () => {
    const dead = spawn();
    dead.dead = 1;
    run(mover, dead, 50, { forward: 400, buttons: 2 });
    expect(dead.origin).toEqual(Float32Array.of(0, -256, 24.03125));
    const watcher = spawn();
    watcher.spectator = 1;
    run(mover, watcher, 200, { up: 400 });
    expect(watcher.origin[2]).toBeGreaterThan(world.bounds.maxs[2]!);
    expect(watcher.ground).toBe(-1);
  });

  it('slows down as a spectator until it is slower than a unit per second', () => {
    const state = spawn();
    state.spectator = 1;
    const speeds = [1.6, 1.2, 1, 0.9].map((speed) => {
      state.velocity.set([speed, 0, 0]);
      run(mover, state, 1, { msec: 1 });
      return state.velocity[0]!;
    });
    // As if it had a speed of 100, with one and a half times the friction of players: by 0.6 in a millisecond.
    for (const [k, speed] of [1, 0.6, 0.4, 0].entries()) expect(speeds[k]).toBeCloseTo(speed, 5);
  });

  it('runs long commands in halves, as server and client do', () => {
    const [whole, halves, raw] = [spawn(), spawn(), spawn()];
    const walk = { forward: 400, msec: 101 };
    run(mover, whole, 3, walk);
    run(mover, halves, 6, { ...walk, msec: 50 });
    expect(equalStates(whole, halves)).toBe(true);
    run(createQuakeWorldMover(world, { splits: false }), raw, 3, walk);
    expect(equalStates(whole, raw)).toBe(false);
  });

  it('notes all that it touches in all parts of a long command', () => {
    // Whatever it does, it gets half as far as it wants, and touches a floor.
    const everywhere = defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        out.fraction = 0.5;
        out.normal.set([0, 0, 1]);
        for (let k = 0; k < 3; k++) out.endPos[k] = (start[k]! + end[k]!) / 2;
        return out;
      },
    });
    const space = {
      trace: {
        hull: () => ({
          createTrace: () => ({ ...everywhere.createTrace(), entity: 5 }),
          trace: everywhere.trace,
        }),
      },
      contents: world,
    };
    const touching = createQuakeWorldMover(space as never);
    const parts = createQuakeWorldMover(space as never, { splits: false });
    const [state, other] = [spawn(), spawn()];
    let numTouched = 0;
    for (let k = 0; k < 8; k++) {
      run(parts, other, 1, { msec: 31, forward: 300 });
      numTouched += parts.numTouched;
    }
    run(touching, state, 1, { msec: 255, forward: 300 });
    expect(equalStates(state, other)).toBe(true);
    expect(numTouched).toBe(80);
    expect(touching.numTouched).toBe(80);
    expect(touching.touched).toEqual(new Int32Array(80).fill(5));
  });

  it('looks where the command says, or where it looked before', () => {
    const [turned, carried] = [spawn(), spawn()];
    const back = { forward: 400, angles: [0, 180, 0] };
    run(mover, turned, 1, back);
    run(createQuakeWorldMover(world, { carryAngles: true }), carried, 1, back);
    expect(turned.origin[0]).toBeLessThan(0);
    expect(carried.origin[0]).toBeGreaterThan(0);
    expect(carried.angles[1]).toBe(180);
  });

  it('has variables that can be changed', () => {
    const own = createQuakeWorldMover(world, { gravity: 0 });
    const state = spawn();
    run(own, state, 10);
    expect(state.origin[2]).toBe(32);
    own.set({ gravity: 100, maxSpeed: 50 });
    run(own, state, 100, { forward: 400 });
    expect(state.velocity[0]).toBeCloseTo(50, 1);
    expect(() => own.set({ friction: Number.NaN })).toThrow('friction must be a finite float32, got NaN');
    expect(() => own.set({ airaccelerate: 1 } as never)).toThrow("there is no option 'airaccelerate' here");
    for (const name of ['splits', 'carryAngles']) {
      expect(() => own.set({ [name]: 1 })).toThrow(new TypeError(`${name} must be true or false, got 1`));
    }
  });

  it('has variables from its options, whatever these inherit', () => {
    const weak = { gravity: 100, maxSpeed: 50, splits: false };
    class Server {
      get gravity(): number {
        return 100;
      }
      readonly maxSpeed = 50;
      readonly splits = false;
    }
    const ends = [weak, Object.create(weak) as typeof weak, new Server()].map((options) => {
      const state = spawn();
      run(createQuakeWorldMover(world, options), state, 20, { forward: 320, msec: 60 });
      return state;
    });
    for (const end of ends) expect(firstDifference(end, ends[0]!)).toBeUndefined();
  });

  it('takes all of its variables or none, even where a getter throws', () => {
    const own = createQuakeWorldMover(world);
    const settings = { gravity: 100, accelerate: 1, maxSpeed: 50, splits: false, carryAngles: true };
    expectAllOrNothing(
      settings,
      (changes) => own.set(changes),
      () => {
        const state = spawn();
        run(own, state, 40, { angles: [0, 90, 0], forward: 320, msec: 101 });
        return state;
      },
    );
  });

  it('ends where it did before, whatever else its mover has moved', () => {
    const [one, other] = [createQuakeWorldMover(world), createQuakeWorldMover(world)];
    const [a, b, c] = [spawn(), spawn(), spawn()];
    const others = anyCommands(2, 400);
    for (const command of anyCommands(1, 400)) {
      one.move(a, command);
      one.move(c, others.next().value as QuakeWorldCommand);
      other.move(b, command);
    }
    expect(equalStates(a, b)).toBe(true);
    expect(a.origin).not.toEqual(Float32Array.from(SPAWN));
  });

  it('is stopped by obstacles, which can be moved and removed', () => {
    const own = createQuakeWorldMover(world);
    const box = boxEntity([-16, -16, -24], [16, 16, 32]);
    expect(own.add(box, [100, -256, 24])).toBe(1);
    const state = spawn();
    run(own, state, 60, { forward: 400 });
    expect(state.origin[0]).toBeCloseTo(68, 0);
    expect(own.touched.subarray(0, own.numTouched)).toContain(1);
    own.place(1, [150, -256, 24]);
    run(own, state, 60, { forward: 400 });
    expect(state.origin[0]).toBeCloseTo(118, 0);
    own.clear();
    run(own, state, 20, { forward: 400 });
    expect(state.origin[0]).toBeGreaterThan(150);
    expect(() => own.place(1, [0, 0, 0])).toThrow(RangeError);
    expect(() => own.add({} as never, [0, 0, 0])).toThrow('obstacle.box must be a function, got undefined');
    expect(() => own.add(box as never, [0, Number.NaN, 0])).toThrow('origin[1] must be a finite float32');
  });

  it('is stopped by the bodies of a scene, but not by its own', () => {
    const scene = createScene(world);
    const own = createQuakeWorldMover({ trace: scene, contents: world });
    const player = createBody({ kind: 'box', mins: [-16, -16, -24], maxs: [16, 16, 32] });
    const state = spawn();
    state.entity = scene.add(player, { origin: SPAWN });
    const other = scene.add(player, { origin: [100, -256, 24] });
    for (let k = 0; k < 60; k++) {
      run(own, state, 1, { forward: 400 });
      scene.move(state.entity, { origin: state.origin });
    }
    expect(state.origin[0]).toBeCloseTo(68, 0);
    expect(own.touched.subarray(0, own.numTouched)).toContain(other);
  });

  it('is not stopped by its own body even after the tracer has refused to ignore it', () => {
    const scene = createScene(world);
    let fails = true;
    const hull: typeof scene.hull = (...given) => {
      const tracer = scene.hull(...given);
      const set = tracer.set.bind(tracer);
      tracer.set = (changes) => {
        if (fails) throw new Error('not now');
        return set(changes);
      };
      return tracer;
    };
    const own = createQuakeWorldMover({ trace: { hull }, contents: world });
    const player = createBody({ kind: 'box', mins: [-16, -16, -24], maxs: [16, 16, 32] });
    const state = spawn();
    state.entity = scene.add(player, { origin: SPAWN });
    expect(() => run(own, state, 1, { forward: 400 })).toThrow('not now');
    fails = false;
    run(own, state, 1, { forward: 400 });
    const alone = spawn();
    run(mover, alone, 1, { forward: 400 });
    expect([...state.origin, ...state.velocity]).toEqual([...alone.origin, ...alone.velocity]);
  });

  it('moves among bodies of a scene as among obstacles of its mover', () => {
    const scene = createScene(world);
    const inScene = createQuakeWorldMover({ trace: scene, contents: world });
    const own = createQuakeWorldMover(world);
    const box = boxEntity([-16, -16, -24], [16, 16, 32]);
    // A pen around the start, whose boxes are equally near where they meet.
    for (const [x, y] of [
      [80, 0],
      [80, 32],
      [80, -32],
      [-80, 0],
      [-80, 32],
      [0, 80],
      [32, 80],
      [0, -80],
      [32, -80],
    ]) {
      const origin = [SPAWN[0]! + x!, SPAWN[1]! + y!, 24];
      expect(scene.add(box, { origin })).toBe(own.add(box, origin));
    }
    const [a, b] = [spawn(), spawn()];
    const touched = new Set<number>();
    for (const command of anyCommands(3, 1_500)) {
      own.move(a, command);
      inScene.move(b, command);
      for (const number of own.touched.subarray(0, own.numTouched)) touched.add(number);
      expectSame(firstDifference(a, b), undefined);
      expectSame(inScene.touched.subarray(0, inScene.numTouched), own.touched.subarray(0, own.numTouched));
    }
    expect(touched.size).toBeGreaterThan(3);
    // Onto two boxes at once, the first of which was moved last: it stands on the one with the lower number.
    for (const [number, x] of [
      [2, 16],
      [1, -16],
    ] as const) {
      const origin = [SPAWN[0]! + x, SPAWN[1]!, 24];
      own.place(number, origin);
      scene.move(number, { origin });
    }
    const [c, d] = [spawn(), spawn()];
    for (const state of [c, d]) state.origin[2] = 90;
    run(own, c, 50);
    run(inScene, d, 50);
    expect([c.ground, d.ground]).toEqual([1, 1]);
    expect(firstDifference(c, d)).toBeUndefined();
  });

  it('in a scene as among obstacles, slides off what it touches first although it is stuck in another player', () => {
    const scene = createScene(world);
    const inScene = createQuakeWorldMover({ trace: scene, contents: world });
    const own = createQuakeWorldMover(world);
    const box = boxEntity([-16, -16, -24], [16, 16, 32]);
    // As near in front of it as traces lead; and around it.
    for (const x of [32.03125, 8]) {
      const origin = [SPAWN[0]! + x, SPAWN[1]!, SPAWN[2]! + 8];
      expect(scene.add(box, { origin })).toBe(own.add(box, origin));
    }
    const [a, b] = [spawn(), spawn()];
    for (const state of [a, b]) state.velocity.set([300, 100, 0]);
    run(own, a, 1);
    run(inScene, b, 1);
    expect(own.touched.subarray(0, own.numTouched)).toContain(1);
    expect(inScene.touched.subarray(0, inScene.numTouched)).toEqual(own.touched.subarray(0, own.numTouched));
    expect(firstDifference(a, b)).toBeUndefined();
  });

  it("has Half-Life's hulls by their numbers", () => {
    const asked: unknown[] = [];
    const hulls = Array.from({ length: 4 }, (_, k) => ({ mins: [-16, -16, -10 * k], maxs: [16, 16, 36] }));
    const space = {
      hulls,
      hull: (...given: unknown[]) => {
        asked.push(given);
        return world.hull(1);
      },
      hullContents: () => -1,
    };
    for (const useHull of [undefined, 0, 1, 2, 3]) createQuakeWorldMover(space, { useHull });
    expect(asked).toEqual([
      [1, { rules: 'quakeworld' }],
      [1, { rules: 'halflife-player' }],
      [3, { rules: 'halflife-player' }],
      [0, { rules: 'halflife-player' }],
      [2, { rules: 'halflife-player' }],
    ]);
    expect(() => createQuakeWorldMover(world, { useHull: 4 })).toThrow(
      'useHull must be a whole number from 0 to 3',
    );
    expect(() => createQuakeWorldMover(world, { useHull: 1 })).toThrow(
      'useHull must be a hull of the map, which has 0 to 2 but not 3, got 1',
    );
  });

  it.each([
    [undefined, [1, 28, 46]],
    [0, [1, 36, 58]],
    [1, [1, 18, 40]],
    [2, [1, 0, 22]],
    [3, [1, 32, 54]],
  ])('looks for water at its feet, in the middle of its hull, and at its eyes: %s', (useHull, heights) => {
    const hulls = [[0, 0], useHull === undefined ? [-24, 32] : [-36, 36], [-32, 32], [-18, 18]].map(
      ([low, high]) => ({ mins: [-16, -16, low!], maxs: [16, 16, high!] }),
    );
    const asked: number[] = [];
    const hullContents = (_: number, [, , z]: Vec3): number => asked.push(z!) && -3;
    const space = { trace: { hull: () => world.hull(1) }, contents: { hulls, hullContents } };
    run(createQuakeWorldMover(space, { useHull }), spawn(), 1);
    const feet = asked[0]! - 1;
    expect(asked.slice(0, 3).map((z) => z - feet)).toEqual(heights);
  });

  it.each([
    [{ msec: Number.NaN }, 'command.msec must be a whole number from 0 to 255, got NaN'],
    [{ msec: 256 }, 'command.msec must be a whole number from 0 to 255, got 256'],
    [{ forward: Number.NaN }, 'command.forward must be a speed from -1e18 to 1e18, got NaN'],
    [{ right: undefined }, 'command.right must be a speed from -1e18 to 1e18, got undefined'],
    [{ up: '5' }, "command.up must be a speed from -1e18 to 1e18, got '5'"],
    [{ buttons: 0.5 }, 'command.buttons must be a whole number'],
    [{ angles: [0, Number.NaN, 0] }, 'command.angles[1] must be a finite float32, got NaN'],
  ])('refuses invalid commands: %o', (parts, message) => {
    const state = spawn();
    const still = copyState(state, createQuakeWorldState());
    expect(() => mover.move(state, { ...createQuakeWorldCommand(), ...parts } as never)).toThrow(message);
    expect(equalStates(state, still)).toBe(true);
  });

  it('refuses a velocity that leads beyond the range of float32, by its name', () => {
    const message = 'velocity, over the time of the move, must not lead beyond the range of float32';
    const state = spawn();
    state.velocity[0] = 3e38;
    expect(() => mover.move(state, { ...createQuakeWorldCommand(), msec: 50 })).toThrow(message);
    const body = createQuakeState();
    body.velocity[0] = 1e20;
    expect(() => createQuakeMover(world).fly(body, 1e38)).toThrow(message);
  });

  it.each([
    [undefined, 'state must be one made by createQuakeWorldState, got undefined'],
    [createQuakeState(), 'state must be one made by createQuakeWorldState, got an object'],
    [JSON.parse(JSON.stringify(spawn())), 'state must be one made by createQuakeWorldState'],
    [{ ...spawn(), angles: Float32Array.of(0, Number.NaN, 0) }, 'state.angles[1] must be a finite float32'],
    [{ ...spawn(), waterJumpTime: Number.NaN }, 'state.waterJumpTime must be a finite float32, got NaN'],
    [{ ...spawn(), oldButtons: 0.5 }, 'state.oldButtons must be a whole number'],
    [{ ...spawn(), entity: -2 }, 'state.entity must be a whole number'],
    [{ ...spawn(), dead: 'abc' }, "state.dead must be a whole number from 0 to 1, got 'abc'"],
    [{ ...spawn(), dead: 2 }, 'state.dead must be a whole number from 0 to 1, got 2'],
    [{ ...spawn(), spectator: Number.NaN }, 'state.spectator must be a whole number from 0 to 1, got NaN'],
    [{ ...spawn(), spectator: {} }, 'state.spectator must be a whole number from 0 to 1, got an object'],
    [{ ...spawn(), waterJumpTime: 1e300 }, 'state.waterJumpTime must be a finite float32, got 1e+300'],
  ])('refuses invalid states: %#', (state, message) => {
    expect(() => mover.move(state as never, createQuakeWorldCommand())).toThrow(message);
  });

  it('does not move a frozen state', () => {
    const state = Object.freeze({ ...spawn(), velocity: Float32Array.of(100, 0, 0) });
    const still = cloneState(state);
    expect(() => mover.move(state, { ...createQuakeWorldCommand(), msec: 50 })).toThrow(TypeError);
    expect(equalStates(state, still)).toBe(true);
  });

  it.each([0, 1])('changes nothing if a player leaves float32, spectator: %i', (spectator) => {
    const state = spawn();
    state.spectator = spectator;
    state.velocity.set([3e38, 0, 0]);
    const still = cloneState(state);
    expect(() => mover.move(state, { ...createQuakeWorldCommand(), msec: 50 })).toThrow(RangeError);
    expect(equalStates(state, still)).toBe(true);
  });

  it('takes obstacles that can be placed', () => {
    expect(() => createQuakeWorldMover(world).add(world as never, [0, 0, 0])).toThrow(
      new TypeError('obstacle must be a model or a box entity, got an object'),
    );
  });

  it.each([
    [undefined, 'space must be a world with hulls, or { trace, contents }, got undefined'],
    [{}, 'space has no hull(): pass a world with hulls, as openBsp opens it'],
    [{ trace: {}, contents: {} }, 'space.trace has no hull(): pass a world with hulls or a scene'],
    [{ trace: world }, 'space.contents must be a world, got undefined'],
    [
      { trace: world, contents: {} },
      'space.contents has no hullContents(): pass { trace, contents }, such as a scene and its world',
    ],
    [
      createScene(world),
      'space has no hullContents(): pass { trace, contents }, such as a scene and its world',
    ],
    [
      { trace: world, contents: { hullContents: (): number => -1 } },
      "space.contents.hulls must be the boxes of all hulls, as a world's, got undefined",
    ],
    [
      { trace: world, contents: { hullContents: (): number => -1, hulls: [world.hulls[0], {}] } },
      'space.contents.hulls[1].mins must be three numbers, got undefined',
    ],
  ])('moves through worlds with hulls alone: %#', (space, message) => {
    expect(() => createQuakeWorldMover(space as never)).toThrow(new TypeError(message));
  });

  it('says of a map without clip nodes that players cannot move in it', () => {
    const contents = { hullContents: (): number => -1, hulls: world.hulls.slice(0, 1) };
    const problem = 'hulls must have one for players too: this map was made without clip nodes';
    expect(() => createQuakeWorldMover({ trace: world, contents })).toThrow(
      RangeError(`space.contents.${problem}`),
    );
  });
});

describe('a command of QuakeWorld', () => {
  const [WATER, SLIME, LAVA] = [-3, -4, -5];
  const on = [{ normal: [0, 0, 1] }] as const;
  /** Up to a height above the feet. */
  const deep = (top: number, contents = WATER) => ({
    contentsAt: ([, , z]: Vec3) => (z! + 24 < top ? contents : -1),
  });
  /** Water up to the chest, and a ledge ahead, up to a height. */
  const shore =
    (height: number, distance = 20) =>
    ([x, , z]: Vec3): number =>
      x! > distance && z! < height ? -2 : z! < 10 ? WATER : -1;
  const ahead = { forward: 400 };
  const JUMP = 2;

  // A command lasts 20 ms, in which gravity adds 16 units per second. Players walk with 320 units per second.
  interface Case {
    sides?: Parameters<typeof spaceOf>[0];
    contentsAt?: Parameters<typeof spaceOf>[1];
    from?: readonly number[];
    state?: Partial<QuakeWorldState>;
    command?: Partial<QuakeWorldCommand>;
    to: readonly number[];
  }
  const velocities: Record<string, Case> = {
    'in the air': { from: [100, 0, 10], to: [100, 0, -6] },
    'in the air, ahead': { command: ahead, to: [30, 0, -16] },
    'on the ground': { sides: on, from: [100, 0, 0], to: [92, 0, 0] },
    'on the ground, slowly': { sides: on, from: [0.5, 0, 0], to: [0, 0, 0] },
    'on the ground, a little less slowly': {
      sides: on,
      from: [1.5, 0, 0],
      command: { msec: 1 },
      to: [1.1, 0, 0],
    },
    'on the ground, ahead': { sides: on, command: ahead, to: [64, 0, 0] },
    'a jump': { sides: on, command: { buttons: JUMP }, to: [0, 0, 254] },
    'a jump with the key held': {
      sides: on,
      state: { oldButtons: JUMP },
      command: { buttons: JUMP },
      to: [0, 0, 0],
    },
    sinking: { ...deep(100), to: [0, 0, -8.4] },
    swimming: { ...deep(100), command: ahead, to: [44.8, 0, 0] },
    'slower in deep water': { ...deep(100), from: [100, 0, 0], command: { up: 1e-9 }, to: [76, 0, 0] },
    'slower in water up to the eyes': {
      ...deep(40),
      from: [100, 0, 0],
      command: { up: 1e-9 },
      to: [84, 0, 0],
    },
    wading: { sides: on, ...deep(10), from: [100, 0, 0], to: [92, 0, 0] },
    'swimming up in water': { ...deep(100), command: { buttons: JUMP }, to: [0, 0, 67.6] },
    'swimming up in slime': { ...deep(100, SLIME), command: { buttons: JUMP }, to: [0, 0, 52.4] },
    'swimming up in lava': { ...deep(100, LAVA), command: { buttons: JUMP }, to: [0, 0, 29.6] },
    'a ledge too far away to jump out of water': { contentsAt: shore(10, 24.5), to: [0, 0, -8.4] },
    'a ledge too low to jump out of water': { contentsAt: shore(7), to: [0, 0, -8.4] },
    'a ledge too high to jump out of water': { contentsAt: shore(33), to: [0, 0, -8.4] },
    'jumping out of water': { contentsAt: shore(10), to: [50, 0, 310] },
    dead: { sides: on, from: [100, 0, 0], state: { dead: 1 }, command: ahead, to: [92, 0, 0] },
  };

  it.each(Object.entries(velocities))('changes the velocity: %s', (_, given) => {
    const { sides = [], contentsAt = () => -1, from, state: parts, command, to } = given;
    const { trace, contents } = spaceOf(sides, contentsAt);
    const space = {
      trace: { hull: trace.box },
      contents: { hullContents: (_: number, point: Vec3) => contents.contents(point), hulls: world.hulls },
    };
    const state = Object.assign(createQuakeWorldState(), parts);
    state.velocity.set(from ?? []);
    run(createQuakeWorldMover(space), state, 1, command);
    for (const [k, speed] of to.entries()) expect(state.velocity[k]).toBeCloseTo(speed, 4);
  });

  it('turns at four walls at most', () => {
    const state = createQuakeWorldState();
    state.velocity[0] = 320;
    const space = { trace: { hull: bend.box }, contents: { hullContents: () => -1, hulls: world.hulls } };
    run(createQuakeWorldMover(space), state, 1, { angles: [0, 180, 0] });
    expect(Math.atan2(state.velocity[1]!, state.velocity[0]!) * DEGREES).toBeCloseTo(60, 0);
  });

  it.each([
    ['up a step', 16, 140],
    ['up to a wall', 20, 14],
  ])('walks %s', (_, height, x) => {
    const scene = createScene(world);
    scene.add(createBody({ kind: 'box', mins: [30, -300, 0], maxs: [400, -200, height] }));
    const state = spawn();
    run(createQuakeWorldMover({ trace: scene, contents: world }), state, 30, ahead);
    expect(state.origin[0]).toBeCloseTo(x, -1);
    expect(state.origin[2]).toBeCloseTo(x > 14 ? 24 + height : 24, 0);
  });

  it.each([
    ['up', [2, 0, 0]],
    ['down', [6, 0, 18]],
  ] as const)('goes no way %s a step that begins in solid', (way, to) => {
    // A floor everywhere, and a wall at 2 0 0 that is lower than a step.
    const hull = defineTracer({
      shape: { kind: 'ray' },
      trace(start, end, out) {
        const [far, rise] = [end[0]! - start[0]!, end[2]! - start[2]!];
        out.startSolid = rise === (way === 'up' ? 18 : -18);
        if (rise < 0) out.normal[2] = 1;
        if (rise === 0 && start[2] === 0 && end[0]! > 2) out.normal[0] = -1;
        out.fraction =
          rise < 0 ? (start[2] === 18 ? 0.5 : 0) : out.normal[0] === 0 ? 1 : (2 - start[0]!) / far;
        for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
        return out;
      },
    });
    const state = createQuakeWorldState();
    state.velocity[0] = 320;
    const space = { trace: { hull: () => hull }, contents: { hullContents: () => -1, hulls: world.hulls } };
    run(createQuakeWorldMover(space), state, 1, ahead);
    expect(Array.from(state.origin, Math.round)).toEqual(to);
  });

  it('swims up steps without getting slower', () => {
    const swim = (stairs: readonly number[]) => {
      const scene = createScene(world);
      for (const [k, height] of stairs.entries())
        scene.add(createBody({ kind: 'box', mins: [20 + 16 * k, -300, 0], maxs: [400, -200, height] }));
      const contents = { hulls: world.hulls, hullContents: () => WATER };
      const state = spawn();
      run(createQuakeWorldMover({ trace: scene, contents }), state, 30, { ...ahead, up: -10 });
      return state;
    };
    const [stairs, none] = [swim([8, 24, 40]), swim([])];
    expect(stairs.origin[2]).toBeGreaterThan(64);
    expect([stairs.origin[0], stairs.velocity[0]]).toEqual([none.origin[0], none.velocity[0]]);
  });
});

describe("what single-player Quake's server moves", () => {
  const mover = createQuakeMover(world);
  const player = boxEntity([-16, -16, -24], [16, 16, 32]);

  it('flies until it hits something, and says what', () => {
    const state = createQuakeState();
    state.origin.set([0, -256, 60]);
    state.velocity.set([0, 0, -500]);
    expect(mover.fly(state, 0.2)).toBe(1);
    expect([state.onGround, state.ground]).toEqual([1, 0]);
    state.velocity.set([0, -5000, 0]);
    expect(mover.fly(state, 0.2)).toBe(2);
    expect(mover.wall).toEqual(Float32Array.of(0, 1, 0));
  });

  it('walks', () => {
    const state = createQuakeState();
    state.origin.set(SPAWN);
    state.velocity.set([0, 0, -200]);
    mover.walk(state, 0.1);
    expect([state.origin[2], state.onGround]).toEqual([24.03125, 1]);
    state.velocity.set([200, 0, -20]);
    mover.walk(state, 0.05);
    expect(state.origin[0]).toBeCloseTo(10, 4);
    expect(state.onGround).toBe(1);
  });

  it('is stopped by the bodies of a scene, but not by its own', () => {
    const scene = createScene(world, { rules: 'quake1' });
    const own = createQuakeMover(scene);
    const state = createQuakeState();
    state.origin.set(SPAWN);
    state.entity = scene.add(player, { origin: SPAWN });
    scene.add(player, { origin: [60, -256, 32] });
    state.velocity.set([1000, 0, 0]);
    expect(own.fly(state, 0.1)).toBe(2);
    expect(state.origin[0]).toBeCloseTo(28, 0);
    // A box is not ground: only models and the world are.
    state.origin.set([60, -256, 100]);
    state.velocity.set([0, 0, -1000]);
    expect(own.fly(state, 0.1)).toBe(1);
    expect(state.onGround).toBe(0);
  });

  it('says what a move hits, the pushes up and down a step included, and forgets it with the next', () => {
    const scene = createScene(world, { rules: 'quake1' });
    const own = createQuakeMover(scene);
    const state = Object.assign(createQuakeState(), {
      onGround: 1,
      entity: scene.add(player, { origin: SPAWN }),
    });
    const touched = () => Array.from(own.touched.subarray(0, own.numTouched));
    state.origin.set([0, SPAWN[1]!, 24.03125]);
    const button = scene.add(boxEntity([0, -50, -24], [4, 50, 60]), { origin: [30, SPAWN[1]!, 24] });
    state.velocity.set([320, 0, -16]);
    expect(own.fly(state, 0.1)).toBe(3);
    expect(touched()).toEqual([0, button]);
    expect(own.fly(state, 0)).toBe(0);
    expect(touched()).toEqual([]);

    // A slide along the floor into it, one from a step higher, and the push down onto the floor.
    const walk = (): void => {
      state.origin.set([0, SPAWN[1]!, 24.03125]);
      state.velocity.set([320, 0, -16]);
      state.onGround = 1;
      own.walk(state, 0.1);
    };
    walk();
    expect(touched()).toEqual([0, button, button, 0]);

    // The push up hits what is above.
    const lid = scene.add(boxEntity([-40, -40, 0], [20, 40, 4]), { origin: [0, SPAWN[1]!, 60] });
    walk();
    expect(touched()).toEqual([0, button, lid, button, 0]);
  });

  it.each([
    ['up a step', { onGround: 1 }, 16, 32],
    ['against a wall', { onGround: 1 }, 20, 14],
    ['against a step while it jumps', {}, 16, 14],
    ['up a step in water', { waterLevel: 1 }, 16, 32],
    ['against a step out of water', { onGround: 1, waterJump: 1 }, 16, 14],
  ])('walks %s', (_, parts, height, x) => {
    const scene = createScene();
    scene.add(createBody({ kind: 'box', mins: [-200, -200, -40], maxs: [200, 200, -24.03125] }));
    scene.add(createBody({ kind: 'box', mins: [30, -200, -24.03125], maxs: [200, 200, height - 24] }));
    const state = Object.assign(createQuakeState(), parts);
    state.velocity.set([320, 0, 0]);
    createQuakeMover(scene).walk(state, 0.1);
    expect(state.origin[0]).toBeCloseTo(x, 0);
    expect(state.origin[2]).toBeCloseTo(x > 14 ? height : 0, 0);
  });

  it.each([
    ['past it', 180, 100],
    ['halfway to it', 45, 79.3],
    ['at it', 0, 50],
  ])('walks slower along a wall while it looks %s', (_, yaw, speed) => {
    const mover = createQuakeMover(spaceOf([{ normal: [0, 0, 1] }, { normal: [-1, 0, 0] }]));
    const state = Object.assign(createQuakeState(), { onGround: 1 });
    state.velocity.set([100, 100, -16]);
    state.angles[1] = yaw;
    mover.walk(state, 0.1);
    expect(state.velocity[0]).toBeCloseTo(0, 1);
    expect(state.velocity[1]).toBeCloseTo(speed, 1);
  });

  it.each([1, -1])('walks past the end of a wall that it hits with its edge: side %i', (side) => {
    const scene = createScene();
    scene.add(createBody({ kind: 'box', mins: [-200, -200, -40], maxs: [200, 200, -24.125] }));
    const [near, far] = [-15 * side, -200 * side];
    const wall = { mins: [30, Math.min(near, far), -24], maxs: [200, Math.max(near, far), 100] };
    scene.add(createBody({ kind: 'box', ...wall }));
    const state = Object.assign(createQuakeState(), { onGround: 1 });
    state.origin[0] = 13.875;
    state.velocity.set([320, 0, -16]);
    createQuakeMover(scene).walk(state, 0.1);
    expect(state.origin[0]).toBeCloseTo(13.875 + 32, 0);
    expect(state.origin[1]).toBe(2 * side);
  });

  it('changes nothing if a velocity leaves float32 at a hit', () => {
    const state = createQuakeState();
    state.velocity.set([-3.4e38, 0, -3.4e38]);
    const still = cloneState(state);
    const slope = createQuakeMover(spaceOf([{ normal: [0.6, 0, 0.8] }]));
    expect(() => slope.fly(state, 1e-38)).toThrow(RangeError);
    expect(equalStates(state, still)).toBe(true);
  });

  it('takes the tracing half of two, as other movers take both', () => {
    const states = [world, { trace: world, contents: world }].map((space) => {
      const state = createQuakeState();
      state.origin.set(SPAWN);
      state.velocity.set([300, 100, -200]);
      createQuakeMover(space).walk(state, 0.1);
      return state;
    });
    expect(equalStates(states[0]!, states[1]!)).toBe(true);
    expect(states[1]!.origin[0]).toBeGreaterThan(20);
  });

  it('is refused by name if it is invalid', () => {
    const state = createQuakeState();
    expect(() => mover.fly(createQuakeWorldState() as never, 0.1)).toThrow('one made by createQuakeState');
    expect(() => mover.walk(state, Number.NaN)).toThrow(
      'frameTime must be a finite float32, 0 or more, got NaN',
    );
    expect(() => mover.walk(state, -0.1)).toThrow(
      new RangeError('frameTime must be a finite float32, 0 or more, got -0.1'),
    );
    expect(() => mover.fly(state, -0.1)).toThrow(
      new RangeError('time must be a finite float32, 0 or more, got -0.1'),
    );
    expect(() => mover.fly(state, undefined as never)).toThrow(
      'time must be a finite float32, 0 or more, got undefined',
    );
    state.velocity[1] = Number.NaN;
    expect(() => mover.fly(state, 0.1)).toThrow('state.velocity[1] must be a finite float32, got NaN');
    state.velocity[1] = 100;
    const inScene = createQuakeMover(createScene(world, { rules: 'quake1' }));
    for (const any of [mover, inScene]) {
      expect(() => any.fly({ ...state, entity: -2 }, 0.1)).toThrow(
        'state.entity must be a whole number from -1',
      );
    }
    const frozen = Object.freeze(cloneState(state));
    expect(() => mover.fly(frozen, 0.1)).toThrow(TypeError);
    expect(equalStates(frozen, state)).toBe(true);
    expect(() => createQuakeMover({} as never)).toThrow('space has no box(): pass a world');
  });
});
