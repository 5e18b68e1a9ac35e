import { createRandom } from '@bspkit/geometry';
import { boxEntity } from '@bspkit/quake2';
import { createScene } from '@bspkit/scene';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { turn } from '../src/engines/clip.ts';
import {
  cloneState,
  createQuake2State,
  createQuake2ThingMover,
  createQuake2ThingState,
  equalStates,
  firstDifference,
  packState,
  Quake2MoveType,
  type Quake2ThingMover,
  type Quake2ThingState,
  unpackState,
} from '../src/index.ts';
import { quake1Arena, quake2Arena } from './arena.ts';
import { openPushes, openThings, testThingRows } from './thing-rows.ts';

// Equality with the engine is shown by recorded rows, which are answered in tests of all formats. Here is what the rows do not
// cover.

const world = quake2Arena();
const mover = createQuake2ThingMover(world);

const SOLID = 1;
const WATER = 32;
const MONSTER = 0x2000000;

function thing(
  parts: Partial<Quake2ThingState> = {},
  place: readonly number[] = [0, -256, 64],
): Quake2ThingState {
  const state = { ...createQuake2ThingState(), ...parts };
  state.origin.set(place);
  return state;
}

function monster(place: readonly number[] = [0, -256, 32]): Quake2ThingState {
  const state = thing({ moveType: Quake2MoveType.step, monster: 1 }, place);
  state.mins.set([-16, -16, -24]);
  state.maxs.set([16, 16, 32]);
  return state;
}

function run(state: Quake2ThingState, frames: number, any: Quake2ThingMover = mover): number {
  let moved = 0;
  for (let k = 0; k < frames; k++) if (any.move(state)) moved++;
  return moved;
}

const touchedBy = (any: Quake2ThingMover): number[] => Array.from(any.touched.subarray(0, any.numTouched));

describe('a thing of Quake 2', () => {
  it('bounces until it lies, and then stays', () => {
    const state = thing();
    state.velocity.set([100, 0, 0]);
    state.angularVelocity.set([300, 0, 0]);
    const moved = run(state, 100);
    expect(moved).toBeGreaterThan(5);
    expect(moved).toBeLessThan(40);
    expect([state.ground, state.waterType, state.waterLevel]).toEqual([0, 0, 0]);
    expect(state.origin[2]).toBeCloseTo(0, 0);
    expect([...state.velocity, ...state.angularVelocity]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(mover.move(state)).toBe(false);
    expect(mover.numTouched).toBe(0);
    // Thrown up, it leaves the ground.
    state.velocity[2] = 200;
    expect(mover.move(state)).toBe(true);
    expect(state.ground).toBe(-1);
  });

  it('lies where it lands if it is tossed, and does not fall if it flies', () => {
    const tossed = thing({ moveType: Quake2MoveType.toss });
    expect(run(tossed, 100)).toBeLessThan(8);
    expect(tossed.ground).toBe(0);
    for (const moveType of [Quake2MoveType.fly, Quake2MoveType.missile, Quake2MoveType.noclip]) {
      const state = thing({ moveType });
      state.velocity.set([100, 0, 0]);
      run(state, 2);
      expect(Array.from(state.origin), `${moveType}`).toEqual([20, -256, 64]);
    }
    const still = thing({ moveType: Quake2MoveType.none });
    expect(run(still, 4)).toBe(0);
    expect(still.origin[2]).toBe(64);
  });

  it('falls by the gravity of the game and its own, and no faster than the game lets it', () => {
    const fall = (any: Quake2ThingMover, gravityFactor: number): number => {
      const state = thing({ gravityFactor });
      state.velocity[2] = 5000;
      any.move(state);
      return state.velocity[2]!;
    };
    const own = createQuake2ThingMover(world, { gravity: 100, maxVelocity: 300 });
    expect([fall(own, 1), fall(own, 2), fall(own, 0), fall(own, -1)]).toEqual([290, 280, 300, 310]);
    expect(fall(own.set({ maxVelocity: 400 }), 1)).toBe(390);
    expect(fall(mover, 1)).toBe(1920);
    // The limit is one of speed, whatever the direction.
    const state = thing({ gravityFactor: 0 });
    state.velocity.set([3000, -4000, 0]);
    mover.move(state);
    expect(Math.hypot(...state.velocity)).toBeCloseTo(2000, 2);
  });

  it('says when it goes into water and comes out of it', () => {
    // The pool.
    const state = thing({ moveType: Quake2MoveType.fly }, [256, 256, 20]);
    state.velocity[2] = -200;
    const levels: [number, number][] = [];
    for (let frame = 0; frame < 6; frame++) {
      if (frame === 3) state.velocity[2] = 200;
      mover.move(state);
      if (mover.splashed) levels.push([state.waterType & WATER, state.waterLevel]);
    }
    expect(levels).toEqual([
      [WATER, 1],
      [0, 0],
    ]);
  });

  it('hits what its mask says, and not what it belongs to', () => {
    const scene = createScene(world, { rules: 'quake2' });
    const other = scene.add(boxEntity([-4, -4, -4], [4, 4, 4]), { origin: [100, -256, 64] });
    const own = createQuake2ThingMover(scene);
    const reach = (parts: Partial<Quake2ThingState>): [number, number[]] => {
      const state = thing({ moveType: Quake2MoveType.fly, ...parts });
      state.velocity.set([1500, 0, 0]);
      own.move(state);
      return [Math.round(state.origin[0]!), touchedBy(own)];
    };
    expect(reach({})).toEqual([96, [other]]);
    expect(reach({ mask: 0 })).toEqual([150, []]);
    expect(reach({ mask: SOLID })).toEqual([150, []]);
    const entity = scene.add(boxEntity([0, 0, 0], [0, 0, 0]), { origin: [0, -256, 64], owner: other });
    expect(reach({ entity })).toEqual([150, []]);
  });

  it('goes on in the place of what breaks', () => {
    const scene = createScene(world, { rules: 'quake2' });
    const panes = [100, 120, 140].map((x) =>
      scene.add(boxEntity([-1, -32, -32], [1, 32, 32]), { origin: [x, -256, 64] }),
    );
    const own = createQuake2ThingMover(scene, {
      breaks(body) {
        if (body === panes[2] || body === 0) return false;
        scene.remove(body);
        return true;
      },
    });
    const state = thing({ moveType: Quake2MoveType.missile });
    state.velocity.set([2000, 0, 0]);
    expect(own.move(state)).toBe(true);
    expect([Math.round(state.origin[0]!), touchedBy(own)]).toEqual([139, panes]);
    expect(scene.count).toBe(1);
    // It must be gone indeed.
    let asked = 0;
    const wrong = createQuake2ThingMover(scene, { breaks: () => ++asked > 0 });
    const next = thing({ moveType: Quake2MoveType.missile });
    next.velocity.set([2000, 0, 0]);
    const before = cloneState(next);
    expect(() => wrong.move(next)).toThrow(
      new Error(`${panes[2]} is still in the way, though breaks says that it is gone`),
    );
    expect(firstDifference(next, before)).toBeUndefined();
    const down = thing();
    down.velocity[2] = -2000;
    asked = 0;
    expect(() => wrong.move(down)).toThrow('0 is still in the way, though breaks says that it is gone');
    expect(asked).toBe(1);
    expect(wrong.move(thing())).toBe(true);
  });

  it('is put off a wall as a gib, and not off a floor or a ceiling', () => {
    const end = (gib: number, velocity: readonly number[]): number[] => {
      const state = thing({ moveType: Quake2MoveType.fly, gib });
      state.velocity.set(velocity);
      run(state, 8);
      return Array.from(state.origin, Math.round);
    };
    const wall = end(0, [0, -1000, 0]);
    expect(end(1, [0, -1000, 0])).toEqual([wall[0], wall[1]! + 1, wall[2]]);
    expect(end(1, [0, 0, -1000])).toEqual(end(0, [0, 0, -1000]));
    expect(end(1, [0, 0, 1000])).toEqual(end(0, [0, 0, 1000]));
    // The engine takes the bottom of a box for no level plane.
    const scene = createScene(world, { rules: 'quake2' });
    scene.add(boxEntity([-32, -32, 0], [32, 32, 20]), { origin: [0, -256, 100] });
    const own = createQuake2ThingMover(scene);
    const heights = [0, 1].map((gib) => {
      const state = thing({ moveType: Quake2MoveType.fly, gib });
      state.velocity[2] = 1000;
      own.move(state);
      return [state.origin[2], own.linked[2]];
    });
    expect(heights).toEqual([
      [99.96875, 99.96875],
      [98.96875, 99.96875],
    ]);
  });

  it('is taken out of what it begins in, unless that is the map', () => {
    const scene = createScene(world, { rules: 'quake2' });
    scene.add(boxEntity([-32, -32, 0], [32, 32, 200]), { origin: [0, -256, 0] });
    const own = createQuake2ThingMover(scene);
    const state = thing({ moveType: Quake2MoveType.fly });
    state.velocity[2] = -2000;
    own.move(state);
    expect([state.origin[2]! < 0.04, touchedBy(own)]).toEqual([true, [0]]);
    const stuck = thing({ moveType: Quake2MoveType.fly }, [0, -256, -8]);
    stuck.velocity[0] = 100;
    own.move(stuck);
    expect([stuck.origin[0], touchedBy(own)]).toEqual([10, []]);
  });
});

describe('a velocity between planes', () => {
  it('may go into one that is met twice, if that is no corner', () => {
    const random = createRandom(seedOf(5));
    let [rounded, turned] = [0, 0];
    for (let k = 0; k < 2000; k++) {
      const v = new Float32Array(16);
      const normal = [random() - 0.5, random() - 0.5, random() - 0.5];
      const length = Math.hypot(...normal);
      for (let axis = 0; axis < 3; axis++) {
        v[2 + axis] = 800 * (random() - 0.5);
        v[8 + axis] = v[11 + axis] = normal[axis]! / length;
      }
      if (!turn(v, 2, 5, 8, 2)) rounded++;
      if (turn(v, 2, 5, 8, 2, true)) turned++;
    }
    expect(rounded).toBeGreaterThan(0);
    expect(turned).toBe(2000);
  });
});

describe('a monster of Quake 2', () => {
  it('falls, lands, and then walks, but not over an edge', () => {
    const state = monster([0, -256, 90]);
    let landings = 0;
    for (let frame = 0; frame < 20; frame++) {
      mover.move(state);
      if (mover.landed) landings++;
    }
    expect([landings, state.ground]).toEqual([1, 0]);
    expect(mover.walkMove(state, 90, 8)).toBe(true);
    expect(state.origin[1]).toBe(-248);
    expect(mover.linked).toEqual(state.origin);
    expect(mover.checkBottom(state)).toBe(true);
    let steps = 0;
    while (steps < 200 && mover.walkMove(state, 45, 16)) steps++;
    expect(steps).toBeGreaterThan(5);
    expect(steps).toBeLessThan(200);
    const before = cloneState(state);
    expect(mover.walkMove(state, 45, 16)).toBe(false);
    expect(firstDifference(state, before)).toBeUndefined();
  });

  it('does not walk in the air, and is put onto the floor, if there is one', () => {
    const state = monster([0, -256, 200]);
    expect(mover.walkMove(state, 0, 8)).toBe(false);
    expect(mover.dropToFloor(state)).toBe(true);
    expect([state.origin[2], state.ground]).toEqual([24.03125, 0]);
    // That may be in water.
    const pool = monster([256, 256, 40]);
    expect(mover.dropToFloor(pool)).toBe(true);
    expect([pool.waterType & WATER, pool.waterLevel]).toEqual([WATER, 3]);
    const high = monster([0, -256, 320]);
    expect(mover.dropToFloor(high)).toBe(false);
    expect([high.origin[2], high.ground]).toEqual([321, -1]);
  });

  it('falls where what it stood on has gone, and not where there is ground', () => {
    const scene = createScene(world, { rules: 'quake2' });
    const table = scene.add(boxEntity([-32, -32, 0], [32, 32, 20]), { origin: [0, -256, 0] });
    const own = createQuake2ThingMover(scene);
    const state = monster([0, -256, 60]);
    run(state, 20, own);
    expect([state.ground, state.origin[2]]).toEqual([table, 44.03125]);
    // Lower by less than it looks for.
    scene.move(table, { origin: [0, -256, -0.125] });
    own.loseGround(state);
    expect([state.ground, state.origin[2]]).toEqual([table, 43.90625]);
    scene.remove(table);
    own.loseGround(state);
    expect(state.ground).toBe(-1);
    run(state, 20, own);
    expect([state.ground, state.origin[2]]).toEqual([0, 24.03125]);
    // Only monsters look for new ground.
    const lying = thing({ moveType: Quake2MoveType.toss, ground: 0 }, [0, -256, 0.03125]);
    own.loseGround(lying);
    expect(lying.ground).toBe(-1);
  });

  it('stands a quarter of a unit above the floor at most, and not if it rises quickly', () => {
    const stands = (height: number, rise: number): [number, number | undefined] => {
      const state = monster([0, -256, 24.03125 + height]);
      state.velocity[2] = rise;
      mover.checkGround(state);
      return [state.ground, state.velocity[2]];
    };
    expect([stands(0.21875, 0), stands(0.25, 0)]).toEqual([
      [0, 0],
      [-1, 0],
    ]);
    expect([stands(0, 100), stands(0, 100.01)]).toEqual([
      [0, 0],
      [-1, Math.fround(100.01)],
    ]);
  });

  it('stands where it is stuck, and stops there without a sign', () => {
    const stop = (place: readonly number[]): number | undefined => {
      const state = monster(place);
      state.ground = 0;
      mover.checkGround(state);
      expect(state.ground).toBe(0);
      state.velocity[0] = -10;
      mover.move(state);
      return state.velocity[0];
    };
    expect([stop([0, -256, 24.03125]), stop([0, -256, -40])]).toEqual([-0, 0]);
  });

  it('flies to the height of a player, or of something else', () => {
    const state = monster([0, -256, 100]);
    state.flies = 1;
    expect(mover.move(state)).toBe(false);
    const heights = (isPlayer: boolean, ...all: readonly number[]) =>
      all.map((height) => {
        state.origin.set([0, -256, 100]);
        expect(mover.walkMove(state, 0, 8, [50, 0, height], isPlayer)).toBe(true);
        return state.origin[2];
      });
    expect(heights(true, 300, 65, 0)).toEqual([108, 100, 92]);
    // 30 to 40 units above, both included.
    expect(heights(true, 70.01, 70, 60, 59.99)).toEqual([108, 100, 100, 92]);
    // Slightly below, the engine leads it down, away from where it wants to be.
    expect(heights(false, 300, 104, 100, 95, 0)).toEqual([108, 96, 100, 95, 92]);
    expect(mover.walkMove(state, 0, 8)).toBe(true);
    expect(state.origin[2]).toBe(92);
  });

  it('swims in water, and knows how deep it is in', () => {
    const state = monster([256, 256, -40]);
    state.swims = 1;
    mover.checkWater(state);
    expect([state.waterType & WATER, state.waterLevel]).toEqual([WATER, 3]);
    expect(mover.walkMove(state, 0, 8)).toBe(true);
    // How deep depends on where it took part in the world last.
    mover.checkWater(state, [256, 256, 100]);
    expect([state.waterType, state.waterLevel]).toEqual([0, 0]);
    state.origin.set([0, -256, 100]);
    expect(mover.walkMove(state, 0, 8)).toBe(false);
  });

  it('leaves the water only if it is deep in, and rises to a player only then', () => {
    const steps = (place: readonly number[], waterLevel: number): number | undefined => {
      const state = Object.assign(monster(place), { swims: 1, waterLevel });
      const [x, y, z] = place as [number, number, number];
      return mover.walkMove(state, 0, 8, [x + 100, y, z]) ? state.origin[2]! - z : undefined;
    };
    const [air, water] = [
      [0, -256, 100],
      [256, 256, -40],
    ] as const;
    expect([0, 1, 2, 3].map((level) => steps(air, level))).toEqual([undefined, undefined, 8, 8]);
    expect([0, 1, 2, 3].map((level) => steps(water, level))).toEqual([0, 0, 8, 8]);
  });

  it('feels for water a unit above the bottom of its box, in float32', () => {
    const points: number[][] = [];
    const contents = {
      contents(point: ArrayLike<number>) {
        points.push(Array.from(point));
        return 0;
      },
      contentsOptions: [],
    };
    const own = createQuake2ThingMover({ trace: world, contents: contents as never });
    const state = Object.assign(monster([0, -256, 127.2]), { flies: 1 });
    state.mins[2] = -0.1;
    expect(own.walkMove(state, 0, 8)).toBe(true);
    expect(points).toEqual([[8, -256, 128.10000610351562]]);
  });

  it('is no deeper in water than up to where it is without a gap', () => {
    // Water around the feet and the eyes, but not the waist.
    const contents = { contents: ([, , z]: number[]) => (z! < 10 || z! > 40 ? WATER : 0) };
    const own = createQuake2ThingMover({ trace: world, contents: contents as never });
    const state = monster([0, -256, 24.03125]);
    own.checkWater(state);
    expect([state.waterType, state.waterLevel]).toEqual([WATER, 1]);
  });

  it('lands hard out of the water, or waist-deep in it, but not below', () => {
    const lands = (swims: number, waterLevel: number): boolean => {
      const state = Object.assign(monster([0, -256, 30]), { swims, waterLevel });
      state.velocity[2] = -200;
      mover.move(state);
      expect(state.ground).toBe(0);
      return mover.landed;
    };
    expect([lands(0, 0), lands(1, 0), lands(1, 2), lands(1, 3)]).toEqual([true, true, true, false]);
  });

  it('is in water up to its feet, its waist or its eyes', () => {
    let surface = 40;
    while ((world.contents([256, 256, surface]) & WATER) === 0) surface -= 0.25;
    const depth = (z: number): number => {
      const state = monster([256, 256, z]);
      mover.checkWater(state);
      return state.waterLevel;
    };
    const depths = [23, -3, -25].flatMap((z) => [depth(surface + z + 0.5), depth(surface + z - 0.5)]);
    expect(depths).toEqual([0, 1, 1, 2, 2, 3]);
  });

  it('goes over an edge if the floor was pulled out below it', () => {
    const scene = createScene(world, { rules: 'quake2' });
    scene.add(boxEntity([-4, -4, 0], [4, 4, 80]), { origin: [0, -256, 0] });
    const own = createQuake2ThingMover(scene);
    const state = monster([0, -256, 110]);
    run(state, 20, own);
    expect([state.ground, own.checkBottom(state)]).toEqual([1, false]);
    expect(own.walkMove(state, 0, 8)).toBe(false);
    state.partialGround = 1;
    expect(own.walkMove(state, 0, 8)).toBe(true);
    expect([state.origin[0], state.ground, state.partialGround, own.linked[0]]).toEqual([8, 1, 1, 8]);
    expect(own.walkMove(state, 0, 20)).toBe(true);
    expect([state.origin[0], state.ground, state.partialGround, own.linked[0]]).toEqual([28, -1, 1, 28]);
  });

  it('goes back where its fall ends in solid', () => {
    const floor = [0, -256, 32];
    const state = monster(floor);
    run(state, 2);
    state.velocity[0] = 200;
    // A tracer that takes the end of each move for solid.
    const trace = {
      box(mins: Float32Array, maxs: Float32Array, options: object) {
        const tracer = world.box(mins, maxs, options);
        return {
          createTrace: () => tracer.createTrace(),
          trace(start: Float32Array, end: Float32Array, out?: ReturnType<typeof tracer.createTrace>) {
            const found = tracer.trace(start, end, out);
            if (start.every((x, k) => x === end[k])) found.startSolid = true;
            return found;
          },
        };
      },
    };
    const own = createQuake2ThingMover({ trace: trace as never, contents: world });
    const place = Array.from(state.origin);
    expect(own.move(state)).toBe(true);
    expect([Array.from(state.origin), state.velocity[0]]).toEqual([place, 80]);
  });

  it('does not count its own body as what is around it', () => {
    const scene = createScene(world, { rules: 'quake2' });
    const own = createQuake2ThingMover(scene);
    const state = thing({ moveType: Quake2MoveType.fly });
    state.mins.fill(-8);
    state.maxs.fill(8);
    state.entity = scene.add(boxEntity(state.mins, state.maxs), { origin: state.origin });
    own.move(state);
    expect(state.waterType).toBe(0);
    state.entity = -1;
    own.move(state);
    expect(state.waterType).toBe(MONSTER);
  });

  it('slides without friction when it is dead and does not lie well', () => {
    const scene = createScene(world, { rules: 'quake2' });
    scene.add(boxEntity([-4, -4, 0], [4, 4, 80]), { origin: [0, -256, 0] });
    const own = createQuake2ThingMover(scene);
    const speed = (dead: number, place: readonly number[]): number => {
      const state = monster(place);
      run(state, 20, own);
      expect(state.ground).toBeGreaterThan(-1);
      state.dead = dead;
      state.velocity[0] = 100;
      own.move(state);
      return state.velocity[0]!;
    };
    const [floor, pillar] = [
      [100, -256, 32],
      [0, -256, 110],
    ];
    expect([speed(0, floor!), speed(1, floor!), speed(0, pillar!), speed(1, pillar!)]).toEqual([
      40, 40, 40, 100,
    ]);
  });
});

describe('the mover of things of Quake 2', () => {
  const all: readonly [string, (state: Quake2ThingState, any?: Quake2ThingMover) => unknown][] = [
    ['move', (state, any = mover) => any.move(state)],
    ['walkMove', (state, any = mover) => any.walkMove(state, 0, 8)],
    ['dropToFloor', (state, any = mover) => any.dropToFloor(state)],
    ['checkBottom', (state, any = mover) => any.checkBottom(state)],
    ['checkGround', (state, any = mover) => any.checkGround(state)],
    ['loseGround', (state, any = mover) => any.loseGround(state)],
    ['checkWater', (state, any = mover) => any.checkWater(state)],
  ];

  it.each(all)('refuses a state that is wrong, by name: %s', (_, call) => {
    expect(() => call(createQuake2State() as never)).toThrow(
      'state must be one made by createQuake2ThingState',
    );
    expect(() => call(undefined as never)).toThrow('state must be one made by createQuake2ThingState');
    for (const [parts, message] of [
      [{ moveType: 4 }, 'state.moveType must be one of Quake2MoveType (none 0, '],
      [{ gravityFactor: Number.NaN }, 'state.gravityFactor must be a finite float32, got NaN'],
      [{ mask: 0.5 }, 'state.mask must be'],
      [{ gib: 0.5 }, 'state.gib must be a whole number'],
      [{ ground: -2 }, 'state.ground must be a whole number from -1'],
      [{ entity: -2 }, 'state.entity must be a whole number from -1'],
      [
        { angularVelocity: new Float32Array([0, Infinity, 0]) },
        'state.angularVelocity[1] must be a finite float32',
      ],
      [{ mins: Float32Array.of(1, 0, 0) }, 'mins[0] must not be above maxs[0]'],
    ] as const) {
      expect(() => call(thing(parts)), message).toThrow(message);
    }
  });

  it('leaves a state as it is where a move leads beyond float32', () => {
    const far = 3.4e38;
    const unlimited = createQuake2ThingMover(world, { maxVelocity: far });
    const state = thing({ moveType: Quake2MoveType.noclip });
    state.origin.fill(far);
    state.velocity.fill(far);
    const before = cloneState(state);
    expect(() => unlimited.move(state)).toThrow('origin[0] at the end of the move must be a finite float32');
    expect(equalStates(state, before)).toBe(true);
    state.origin.fill(0);
    state.velocity.fill(0);
    state.angles[1] = state.angularVelocity[1] = far;
    expect(() => mover.move(state)).toThrow('angles[1] at the end of the move must be a finite float32');
    expect(state.angles[1]).toBe(Math.fround(far));
    const frozen = Object.freeze(thing());
    expect(() => mover.move(frozen)).toThrow(TypeError);
    expect(frozen.origin[2]).toBe(64);
    expect(mover.move(thing())).toBe(true);
  });

  it('refuses a space without traces or bits, and wrong options', () => {
    expect(() => createQuake2ThingMover({} as never)).toThrow('space has no box(): pass a world');
    expect(() => createQuake2ThingMover(quake1Arena() as never)).toThrow('contents of space are not bits');
    expect(() => createQuake2ThingMover(world, { gravity: Number.NaN })).toThrow(
      'gravity must be a finite float32',
    );
    expect(() => createQuake2ThingMover(world, { breaks: true as never })).toThrow(
      'options.breaks must be a function',
    );
    expect(() => createQuake2ThingMover(world, { speed: 1 } as never)).toThrow(TypeError);
    expect(() => mover.set({ maxVelocity: 'x' as never })).toThrow(TypeError);
    expect(() => mover.set({ maxVelocity: -1 })).toThrow(
      new RangeError('maxVelocity must not be negative, got -1'),
    );
    expect(() => mover.set({ breaks: () => true } as never)).toThrow(TypeError);
    expect(`${createQuake2ThingMover(world)}`).toBe('Quake2ThingMover { touched: 0 }');
  });

  it('has variables from its options, whatever these inherit', () => {
    const heir = Object.create({ gravity: 100, maxVelocity: 50 }) as object;
    const speeds = [0, 2000].map((speed) => {
      const state = thing();
      state.velocity[0] = speed;
      createQuake2ThingMover(world, heir).move(state);
      return [state.velocity[0], state.velocity[2]];
    });
    expect(speeds).toEqual([
      [0, -10],
      [50, -10],
    ]);
  });

  it('cannot be used within its own move', () => {
    const own: Quake2ThingMover = createQuake2ThingMover(world, {
      breaks: () => own.move(thing()),
    });
    const down = thing();
    down.velocity[2] = -2000;
    expect(() => own.move(down)).toThrow('a mover cannot be used within its own move');
    expect(own.move(thing())).toBe(true);
  });

  it('packs the gravity of a thing as the float32 that it counts as', () => {
    const state = thing({ gravityFactor: 0.1, mask: 0x86000003 });
    const back = unpackState(packState(state), createQuake2ThingState());
    expect(back.gravityFactor).toBe(Math.fround(0.1));
    expect(firstDifference(state, back)).toBeUndefined();
  });
});

describe('rows of things of Quake 2', () => {
  const still = [0, 0, 0];
  const some = {
    ...{ movetype: 7, solid: 2, flags: 0, svflags: 0, mask: 0, model: 0, owner: 0, enemy: 0, health: 100 },
    ...{ fragile: 0, gib: 0, player: 0, drops: 0, period: 0, gravity: 1, shift: still },
    ...{ mins: still, maxs: still, velocity: still, angles: still, avelocity: still },
    origin: [0, -256, 64],
  };
  const openRows = (parts: object, ...results: readonly string[]) =>
    openThings('quake2', [{ things: [{ ...some, ...parts }] }], ...results);

  testThingRows('quake2', some, [
    [
      { solid: 7 },
      [0, 0, 1, 0, 0, 0],
      'line 1: scenes[0].things[0].solid must be a whole number from 0 to 3, got 7',
    ],
    [
      { movetype: 4 },
      [0, 0, 1, 0, 0, 0],
      'line 1: scenes[0].things[0].movetype must be 0, 1, 5, 6, 7, 8 or 9, got 4',
    ],
    [
      { mask: 0.5 },
      [0, 0, 1, 0, 0, 0],
      'line 1: scenes[0].things[0].mask must be a whole number of 32 bits, got 0.5',
    ],
  ]);

  it('neither leave out frames nor go back', async () => {
    const rows = await openRows({});
    for (const frame of [0, 0, 1]) rows.answer([0, frame, 1, 0, 0, 0]);
    for (const frame of [0, 3, 2 ** 30]) {
      expect(() => rows.answer([0, frame, 1, 0, 0, 0])).toThrow(
        new RangeError(`frame must be 1 or 2, got ${frame}`),
      );
    }
  });

  /** What a rocket breaks in its first frame. */
  const glass = {
    ...some,
    movetype: 0,
    fragile: 1,
    origin: [300, -100, 60],
    mins: [-8, -8, -8],
    maxs: [8, 8, 8],
  };
  const rocket = { ...some, movetype: 8, mask: 0x6000003, origin: [300, -100, 140], velocity: [0, 0, -1000] };

  it('go on where a goal and an enemy have been broken, as in the game', async () => {
    const box = { mins: [-16, -16, -24], maxs: [16, 16, 32], movetype: 5, svflags: 4 };
    const monster = { ...some, ...box, flags: 1, goal: 1, enemy: 1, yawspeed: 20 };
    const things = [glass, rocket, ...[25, 25.5].map((x) => ({ ...monster, origin: [x, 0, 33] }))];
    const table = await openThings('quake2', [{ things }], 'random', 'called', 'ox', 'oz');
    const answer = (frame: number, thing: number, call: number, yaw = 0): unknown[] => {
      const row: (number | null | number[])[] = [0, frame, thing, call, yaw, 8, [0, 0, 0], null, null, null];
      table.answer(row);
      return row.slice(7, 10);
    };
    answer(0, 2, 0);
    // One is near what is left of its enemy, at 0 0 0; the other is not, and sinks towards that.
    expect(answer(0, 3, 3)).toEqual([0, 25, 33]);
    expect(answer(0, 4, 3)).toEqual([1, 33.5, 25]);
    expect(answer(1, 4, 1, 180)).toEqual([1, 25.5, 17]);
    expect(() => answer(1, 1, 0)).toThrow(new RangeError('thing 1 does not move'));
  });

  it('are refused for what has been broken', async () => {
    // One that moves.
    const table = await openThings('quake2', [{ things: [{ ...glass, movetype: 7 }, rocket] }]);
    table.answer([0, 0, 1, 0, 0, 0]);
    table.answer([0, 0, 2, 0, 0, 0]);
    expect(() => table.answer([0, 1, 1, 0, 0, 0])).toThrow(new RangeError('thing 1 has been broken'));
  });

  it('begin again where they are asked from the beginning', async () => {
    const rows = await openRows({}, 'called', 'oz');
    const ask = (frame: number): unknown => {
      const row = [0, frame, 1, 0, 0, 0, null, null];
      rows.answer(row);
      return row[7];
    };
    const [first] = [ask(0), ask(1)];
    rows.sequences!.restart();
    expect(ask(0)).toBe(first);
  });

  it('turn no monster whose header has no speed for that', async () => {
    const turned = async (parts: object): Promise<unknown> => {
      const row = [0, 0, 1, 4, 90, 0, null];
      (await openRows({ movetype: 5, ...parts }, 'yawed')).answer(row);
      return row[6];
    };
    expect([await turned({}), await turned({ yawspeed: 45 })]).toEqual([0, 45]);
  });

  // Both as Yamagi Quake II's game answers.
  it.each([
    [0.5, 32],
    [8, 32 | MONSTER],
  ])('count its own box where the feet of a monster are in that: %j units high', async (height, expected) => {
    const box = { mins: [-8, -8, 0], maxs: [8, 8, height] };
    const rows = await openRows(
      { movetype: 5, flags: 2, svflags: 4, origin: [148, 128, -20], ...box },
      'watertype',
    );
    const row = [0, 0, 1, 0, 0, 0, null];
    rows.answer(row);
    expect(row[6]).toBe(expected);
  });

  it.each([
    [0, 1],
    [45, 0],
  ])('have an enemy that is a model in the cube around it where it is turned: %j', async (yaw, expected) => {
    const model = { movetype: 2, solid: 3, model: 1, call: 5, origin: [-36, -320, 142], angles: [0, yaw, 0] };
    const chases = { movetype: 5, solid: 2, svflags: 4, flags: 1, goal: 1, enemy: 1, yawspeed: 20 };
    const box = { mins: [-8, -8, -8], maxs: [8, 8, 8] };
    const things = [model, { ...chases, origin: [-100, 0, 230], ...box }];
    const rows = await openPushes('quake2', [{ things }], 'random', 'command', 'moves', 'called');
    const row = [0, 0, 2, 3, 0, 8, [1, 2, 0], [], [], null];
    rows.answer(row as never);
    expect(row[9]).toBe(expected);
  });

  it.each([
    [[-1], 'cell 7 is not a list of whole numbers from 0 to 2147483647: [-1]'],
    [[2 ** 31], 'cell 7 is not a list of whole numbers from 0 to 2147483647: [2147483648]'],
    [[0.5], 'cell 7 is not a list of whole numbers from 0 to 2147483647: [0.5]'],
    [7, 'cell 7 is not a list of whole numbers from 0 to 2147483647: 7'],
    [[], 'random has too few numbers: 0'],
    [[1], 'random has too few numbers: 1'],
  ])('are refused without a goal, and with dice of %j', async (random, message) => {
    const open = (goal: number) => openRows({ movetype: 5, flags: 1, goal }, 'random', 'drawn');
    await expect(open(0).then((rows) => rows.answer([0, 0, 1, 3, 0, 8, [0], null]))).rejects.toThrow(
      'thing 1 has no goal',
    );
    const rows = await open(1);
    expect(() => rows.answer([0, 0, 1, 3, 0, 8, random, null])).toThrow(message);
  });
});
