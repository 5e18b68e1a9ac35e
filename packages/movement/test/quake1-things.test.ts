import type { Vec3 } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { boxEntity } from '@bspkit/quake1';
import { createBody, createScene } from '@bspkit/scene';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  cloneState,
  createQuakeState,
  createQuakeThingMover,
  createQuakeThingState,
  equalStates,
  firstDifference,
  packState,
  QuakeMoveType,
  type QuakeThingMover,
  type QuakeThingState,
  unpackState,
} from '../src/index.ts';
import { quake1Arena } from './arena.ts';
import { openThings, testThingRows } from './thing-rows.ts';

// Equality with the engine is shown by recorded rows, which are answered in tests of all formats. Here is what the rows do not
// cover.

const world = quake1Arena();
const mover = createQuakeThingMover(world);

function thing(
  parts: Partial<QuakeThingState> = {},
  place: readonly number[] = [0, -256, 64],
): QuakeThingState {
  const state = { ...createQuakeThingState(), ...parts };
  state.origin.set(place);
  return state;
}

function monster(place: readonly number[] = [0, -256, 32]): QuakeThingState {
  const state = thing({ moveType: QuakeMoveType.step }, place);
  state.mins.set([-16, -16, -24]);
  state.maxs.set([16, 16, 40]);
  return state;
}

function run(state: QuakeThingState, frames: number): number {
  let moved = 0;
  for (let k = 0; k < frames; k++) if (mover.move(state, 0.05)) moved++;
  return moved;
}

describe('a thing on the server of single-player Quake', () => {
  it('bounces until it lies, and then stays', () => {
    const state = thing();
    state.velocity.set([100, 0, 0]);
    state.angularVelocity.set([300, 0, 0]);
    const moved = run(state, 100);
    expect(moved).toBeGreaterThan(10);
    expect(moved).toBeLessThan(60);
    expect([state.onGround, state.ground, state.waterType]).toEqual([1, 0, -1]);
    expect(state.origin[2]).toBeCloseTo(0, 0);
    expect([...state.velocity, ...state.angularVelocity]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(mover.move(state, 0.05)).toBe(false);
    expect(mover.numTouched).toBe(0);
  });

  it('lies where it lands if it is tossed, and does not fall if it flies', () => {
    const tossed = thing({ moveType: QuakeMoveType.toss });
    expect(run(tossed, 100)).toBeLessThan(12);
    expect(tossed.onGround).toBe(1);
    for (const moveType of [QuakeMoveType.fly, QuakeMoveType.missile, QuakeMoveType.noclip]) {
      const state = thing({ moveType });
      state.velocity.set([100, 0, 0]);
      run(state, 4);
      expect(Array.from(state.origin), `${moveType}`).toEqual([20, -256, 64]);
      expect(mover.numTouched).toBe(0);
    }
    const still = thing({ moveType: QuakeMoveType.none });
    expect(run(still, 4)).toBe(0);
    expect(still.origin[2]).toBe(64);
  });

  it('falls by the gravity of the server and its own, and no faster than the server lets it', () => {
    const fall = (any: QuakeThingMover, gravityFactor: number): number => {
      const state = thing({ gravityFactor });
      state.velocity[2] = 5000;
      any.move(state, 0.05);
      return state.velocity[2]!;
    };
    const own = createQuakeThingMover(world, { gravity: 100, maxVelocity: 300 });
    expect([fall(own, 1), fall(own, 2), fall(own, 0)]).toEqual([295, 290, 295]);
    expect(fall(own.set({ maxVelocity: 400 }), 1)).toBe(395);
    expect([fall(own.set({ maxVelocity: 0.5 }), 1), fall(own.set({ maxVelocity: 0 }), 1)]).toEqual([
      -4.5, -5,
    ]);
    expect(fall(mover, 1)).toBe(1960);
  });

  it('counts its gravity as a float32', () => {
    const speeds = [0.3, Math.fround(0.3)].map((gravityFactor) => {
      const state = thing({ gravityFactor });
      mover.move(state, 0.05);
      return state.velocity[2];
    });
    expect(speeds[0]).toBe(Math.fround(-Math.fround(Math.fround(0.3) * 800) * 0.05));
    expect(speeds[1]).toBe(speeds[0]);
  });

  it('does not lie if it bounces with 60 units per second, and takes part in the world again where it lies', () => {
    const weightless = createQuakeThingMover(world, { gravity: 0 });
    for (const [speed, onGround] of [
      [120, 0],
      [119, 1],
    ] as const) {
      const state = thing({}, [0, -256, 1]);
      state.velocity[2] = -speed;
      expect(weightless.move(state, 0.05)).toBe(true);
      expect([state.onGround, state.velocity[2]]).toEqual([onGround, onGround ? 0 : 60]);
    }
  });

  it('goes nowhere in no time, and anywhere if it is not clipped', () => {
    const state = thing();
    expect(mover.move(state, 0)).toBe(true);
    expect([...state.origin]).toEqual([0, -256, 64]);
    const ghost = thing({ moveType: QuakeMoveType.noclip });
    ghost.velocity.set([1, 2, -4000]);
    expect(mover.move(ghost, 0.5)).toBe(true);
    expect([...ghost.origin]).toEqual([0.5, -255, -1936]);
  });

  it('takes currents for water', () => {
    for (let contents = -15; contents <= -1; contents++) {
      const own = createQuakeThingMover({ trace: world, contents: { hullContents: () => contents } });
      const state = thing();
      expect(own.checkWater(state)).toBe(false);
      const type = contents <= -9 && contents >= -14 ? -3 : contents;
      expect([state.waterType, state.waterLevel]).toEqual([type, 1]);
      // The next time, all but liquids count as air.
      const isWet = type <= -3;
      own.checkWater(state);
      expect([state.waterType, state.waterLevel]).toEqual([isWet ? type : -1, isWet ? 1 : contents]);
    }
  });

  it('says when it goes into water and comes out of it', () => {
    // The pool.
    const state = monster([256, 256, 20]);
    const splashes: number[] = [];
    for (let frame = 0; frame < 40; frame++) {
      if (frame === 30) state.origin.set([256, 256, 40]);
      mover.move(state, 0.05);
      const splashed = mover.checkWater(state);
      expect(mover.splashed).toBe(splashed);
      if (splashed) splashes.push(state.waterType);
    }
    expect(splashes.slice(0, 2)).toEqual([-3, -1]);
    // The latest call counts.
    state.origin.set([256, 256, -20]);
    expect(mover.checkWater(state)).toBe(true);
    expect(mover.checkBottom(state)).toBe(false);
    expect(mover.splashed).toBe(false);
  });

  it('passes through boxes unless it is solid, and is wider to monsters if it is a rocket', () => {
    const scene = createScene(world, { rules: 'quake1' });
    const other = scene.add(boxEntity([-4, -4, -4], [4, 4, 4]), { origin: [100, -256, 64], monster: true });
    const own = createQuakeThingMover({ trace: scene, contents: world });
    const reach = (parts: Partial<QuakeThingState>): [number, number[]] => {
      const state = thing(parts);
      state.velocity.set([1000, 0, 0]);
      own.move(state, 0.15);
      return [Math.round(state.origin[0]!), Array.from(own.touched.subarray(0, own.numTouched))];
    };
    const { fly, missile } = QuakeMoveType;
    expect(reach({ moveType: fly })).toEqual([96, [other]]);
    expect(reach({ moveType: fly, solid: 0 })).toEqual([150, []]);
    expect(reach({ moveType: missile })).toEqual([81, [other]]);
    // Not what it belongs to.
    const entity = scene.add(boxEntity([0, 0, 0], [0, 0, 0]), { origin: [0, -256, 64], owner: other });
    expect(reach({ moveType: missile, entity })).toEqual([150, []]);
  });

  it('goes into what begins in solid, which it touches', () => {
    const state = thing({}, [0, -256, -8]);
    expect(mover.move(state, 0.05)).toBe(true);
    expect(Array.from(mover.touched.subarray(0, mover.numTouched))).toEqual([0]);
    expect(state.origin[2]).toBe(-10);
  });
});

describe('a monster on the server of single-player Quake', () => {
  it('falls, lands, and then walks, but not over an edge', () => {
    const state = monster([0, -256, 64]);
    let landings = 0;
    for (let frame = 0; frame < 20; frame++) {
      mover.move(state, 0.05);
      if (mover.landed) landings++;
    }
    expect([landings, state.onGround, state.ground]).toEqual([1, 1, 0]);
    expect(mover.walkMove(state, 90, 8)).toBe(true);
    expect(state.origin[1]).toBe(-248);
    expect(mover.checkBottom(state)).toBe(true);
    let steps = 0;
    while (steps < 200 && mover.walkMove(state, 45, 16)) steps++;
    expect(steps).toBeGreaterThan(5);
    expect(steps).toBeLessThan(200);
    const before = cloneState(state);
    expect(mover.walkMove(state, 45, 16)).toBe(false);
    expect(firstDifference(state, before)).toBeUndefined();
  });

  it.each([
    [-80, false],
    [-81, true],
  ])(
    'is heard to land after a tenth of a second of its gravity: at %f units per second, %j',
    (speed, isHeard) => {
      const state = monster([0, -256, 25]);
      state.velocity[2] = speed;
      mover.move(state, 0.05);
      expect([state.onGround, mover.landed]).toEqual([1, isHeard]);
    },
  );

  it('does not walk in the air, and is put onto the floor', () => {
    const state = monster([0, -256, 200]);
    expect(mover.walkMove(state, 0, 8)).toBe(false);
    expect(mover.dropToFloor(state)).toBe(true);
    expect([state.origin[2], state.onGround, state.ground]).toEqual([24.03125, 1, 0]);
    // By its own box, whatever was moved before.
    const again = monster([0, -256, 200]);
    expect(createQuakeThingMover(world).dropToFloor(again)).toBe(true);
    expect(again.origin[2]).toBe(24.03125);
    expect(mover.dropToFloor(monster([0, -256, 400]))).toBe(false);
  });

  it('flies to the height of its enemy', () => {
    const state = monster([0, -256, 100]);
    state.flies = 1;
    expect(mover.move(state, 0.05)).toBe(false);
    const heights = [300, 65, 0].map((height) => {
      state.origin.set([0, -256, 100]);
      expect(mover.walkMove(state, 0, 8, [50, 0, height])).toBe(true);
      return state.origin[2];
    });
    expect(heights).toEqual([108, 100, 92]);
    // From 30 to 40 units above it, in float32, it stays.
    for (const [from, enemy, to] of [
      [100, 70, 100],
      [100, 70.0001, 108],
      [100, 60, 100],
      [100, 59.9999, 92],
      [100, 59.9999999, 100],
      [40, -1e-7, 40],
    ] as const) {
      state.origin.set([0, -256, from]);
      expect(mover.walkMove(state, 0, 8, [50, 0, enemy])).toBe(true);
      expect(state.origin[2]).toBe(to);
    }
    state.origin.set([8, -256, 92]);
    expect(mover.walkMove(state, 0, 8)).toBe(true);
    expect(state.origin[2]).toBe(92);
  });

  it('swims, but not out of the water', () => {
    const state = monster([256, 256, -60]);
    state.swims = 1;
    expect(mover.walkMove(state, 0, 8)).toBe(true);
    state.origin.set([0, -256, 100]);
    expect(mover.walkMove(state, 0, 8)).toBe(false);
  });
});

describe('a monster on blocks', () => {
  type Corners = readonly [mins: readonly number[], maxs: readonly number[]];

  /** Blocks, the number of each in their scene, and a monster above the middle. */
  function among(...blocks: readonly Corners[]) {
    const elsewhere = createBody({ kind: 'box', mins: [9000, -9, -9], maxs: [9009, 9, 9] });
    const scene = createScene(elsewhere, { rules: 'quake1' });
    const numbers = blocks.map(([mins, maxs]) =>
      scene.add(createBody({ kind: 'box', mins: mins as Vec3, maxs: maxs as Vec3 }), { solid: 'model' }),
    );
    const isIn =
      (point: Vec3) =>
      ([mins, maxs]: Corners): boolean =>
        mins.every((x, k) => x <= point[k]! && point[k]! <= maxs[k]!);
    const hullContents = (_: number, point: Vec3): number => (blocks.some(isIn(point)) ? -2 : -1);
    const own = createQuakeThingMover({ trace: scene, contents: { hullContents } });
    const state = monster([0, 0, 24.03125]);
    state.onGround = 1;
    return { scene, numbers, own, state };
  }

  /** A block with this top, below what has x from `west` to `east`. */
  const block = (west: number, east: number, top: number): Corners => [
    [west, -200, -500],
    [east, 200, top],
  ];
  const floor = block(-200, 16, 0);

  /** Where it is after a step to the east, if it moved, and on what. */
  function walk({ own, state, numbers }: ReturnType<typeof among>, distance = 40) {
    const before = cloneState(state);
    const moved = own.walkMove(state, 0, distance);
    if (!moved) expect(firstDifference(state, before)).toBeUndefined();
    const on = numbers.indexOf(state.ground);
    // Boxes keep less than a unit from what they stand on.
    const rise = Math.floor(state.origin[2]!) - 24;
    return moved ? { x: state.origin[0], rise, onGround: state.onGround, on } : undefined;
  }

  it.each([
    [18, 18],
    [18.5, undefined],
    [-18, -18],
    [-18.5, undefined],
    [-30, undefined],
  ])('walks up and down steps of 18 units: %f', (top, rise) => {
    const end = walk(among(floor, block(16, 200, top)));
    expect(end).toEqual(rise === undefined ? undefined : { x: 40, rise, onGround: 1, on: 1 });
  });

  it('walks below what is not too low, though it could not climb there', () => {
    const wide = block(-200, 200, 0);
    const beam = (bottom: number): Corners => [
      [30, -200, bottom],
      [60, 200, bottom + 10],
    ];
    expect(walk(among(wide, beam(70)))).toMatchObject({ x: 40, rise: 0 });
    expect(walk(among(wide, beam(60)))).toBeUndefined();
    // Nor over an edge.
    const onEdge = among(wide, beam(60));
    onEdge.state.partialGround = 1;
    expect(walk(onEdge)).toBeUndefined();
  });

  it('walks over an edge if a part of it may be there, until it stands well again', () => {
    const onEdge = (...blocks: Corners[]) => {
      const all = among(...blocks);
      all.state.partialGround = 1;
      return all;
    };
    // There is nothing below: it goes on level, and then falls.
    const beyond = onEdge(floor);
    expect(walk(beyond)).toEqual({ x: 40, rise: 0, onGround: 0, on: -1 });
    expect(beyond.state.origin[2]).toBe(24.03125);
    expect(beyond.state.partialGround).toBe(1);
    beyond.state.onGround = 1;
    expect(beyond.own.walkMove(beyond.state, 300, 10)).toBe(true);
    for (const [k, x] of [45, -5 * Math.sqrt(3), 24.03125].entries()) {
      expect(beyond.state.origin[k]).toBeCloseTo(x, 4);
    }
    // A part is over the edge.
    const partly = onEdge(floor);
    expect(walk(partly, 8)).toEqual({ x: 8, rise: 0, onGround: 1, on: -1 });
    expect(partly.state.partialGround).toBe(1);
    expect(walk(among(floor), 8)).toBeUndefined();
    const lower = onEdge(floor, block(16, 200, -10));
    expect(walk(lower)).toEqual({ x: 40, rise: -10, onGround: 1, on: 1 });
    expect(lower.state.partialGround).toBe(0);
  });

  it('stands well where there is floor below its middle, and near that below its corners', () => {
    const random = createRandom(seedOf(7));
    const seen = new Map<string, number>();
    const pick = (tops: readonly number[]): number => tops[Math.floor(tops.length * random())]!;
    for (let k = 0; k < 400; k++) {
      // A column below each corner and below the middle, in a place of any kind.
      const [x, y] = [0, 1].map(() => Math.round(2000 * (random() - 0.5))) as [number, number];
      const [width, depth] = [10 + Math.round(20 * random()), 10 + Math.round(20 * random())];
      const places = [0, 1, 2, 3, 4].map((at) =>
        at === 0 ? [x, y] : [x + (at & 1 ? width : -width), y + (at & 2 ? depth : -depth)],
      ) as [number, number][];
      const heights = places.map((_, at) =>
        pick(at === 0 ? [0, -10, -30, -40] : [0, 0, 0, 0, 0, 0, -10, -18, -18.5, -28.5]),
      );
      const { own, state } = among(
        ...places.map(
          ([px, py], at): Corners => [
            [px - 4, py - 4, -500],
            [px + 4, py + 4, heights[at]!],
          ],
        ),
      );
      state.origin.set([x + 3, y - 5, 24.5]);
      state.mins.set([-width - 3, -depth + 5, -24]);
      state.maxs.set([width - 3, depth + 5, 40]);
      const [middle, ...corners] = heights as [number, ...number[]];
      const isSolid = corners.every((top) => top > -0.5);
      const isNear = middle > -35.5 && corners.every((top) => top > -35.5 && middle - top <= 18);
      expect(own.checkBottom(state), `${heights}`).toBe(isSolid || isNear);
      const kind = `${isSolid} ${isNear}`;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
    for (const kind of ['true true', 'true false', 'false true', 'false false']) {
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(0);
    }
  });

  it('does not stand on itself', () => {
    const { scene, own, state } = among(floor);
    state.origin.set([8, 0, 24]);
    // A plate below its feet.
    const plate = createBody({ kind: 'box', mins: [-16, -16, -34], maxs: [16, 16, -33] });
    const number = scene.add(plate, { solid: 'model', origin: [8, 0, 24] });
    expect(own.checkBottom(state)).toBe(true);
    state.entity = number;
    expect(own.checkBottom(state)).toBe(false);
  });

  it('takes directions, distances and enemies as float32', () => {
    const { own, state } = among(block(-200, 200, 0));
    const random = createRandom(seedOf(3));
    for (let k = 0; k < 20; k++) {
      const [yaw, distance] = [360 * random(), 30 * random()];
      const ends = [
        [yaw, distance],
        [Math.fround(yaw), distance],
        [yaw, Math.fround(distance)],
      ].map(([a, b]) => {
        state.origin.set([0, 0, 24.03125]);
        expect(own.walkMove(state, a!, b!)).toBe(true);
        return [...state.origin];
      });
      expect(ends[1]).toEqual(ends[0]);
      expect(ends[2]).toEqual(ends[0]);
    }
    // Float32s are an eighth apart here.
    state.flies = 1;
    state.origin.set([0, 0, 2 ** 20 + 64]);
    expect(own.walkMove(state, 0, 8, [0, 0, 2 ** 20 + 34.06])).toBe(true);
    expect(state.origin[2]).toBe(2 ** 20 + 64);
  });
});

describe('the mover of things', () => {
  const all: readonly [string, (state: QuakeThingState, any?: QuakeThingMover) => unknown][] = [
    ['move', (state, any = mover) => any.move(state, 0.1)],
    ['walkMove', (state, any = mover) => any.walkMove(state, 0, 8)],
    ['dropToFloor', (state, any = mover) => any.dropToFloor(state)],
    ['checkBottom', (state, any = mover) => any.checkBottom(state)],
    ['checkWater', (state, any = mover) => any.checkWater(state)],
  ];

  it.each(all)('refuses a state that is wrong, by name: %s', (_, call) => {
    expect(() => call(createQuakeState() as never)).toThrow(
      'state must be one made by createQuakeThingState',
    );
    for (const [parts, message] of [
      [{ moveType: 7 }, 'state.moveType must be one of QuakeMoveType (none 0, '],
      [{ velocity: [1, 2, 3] }, 'state.velocity must be a Float32Array, got an array'],
      [{ gravityFactor: Number.NaN }, 'state.gravityFactor must be a finite float32, got NaN'],
      ...(
        ['solid', 'flies', 'swims', 'partialGround', 'onGround', 'ground', 'waterType', 'waterLevel'] as const
      ).map((name) => [{ [name]: 0.5 }, `state.${name} must be a whole number`] as const),
      ...[0, 1, 2].flatMap((k) =>
        (['origin', 'velocity', 'angles', 'angularVelocity'] as const).map((name) => {
          const numbers = new Float32Array(3);
          numbers[k] = k === 1 ? Number.NaN : Infinity;
          return [{ [name]: numbers }, `state.${name}[${k}] must be a finite float32`] as const;
        }),
      ),
      [{ entity: -2 }, 'state.entity must be a whole number from -1'],
      [{ mins: Float32Array.of(1, 0, 0) }, 'mins[0] must not be above maxs[0]'],
    ] as const) {
      expect(() => call({ ...thing(), ...parts } as never), message).toThrow(message);
    }
  });

  it('refuses times that run backwards', () => {
    expect(() => mover.move(thing(), -0.1)).toThrow(
      new RangeError('frameTime must be a finite float32, 0 or more, got -0.1'),
    );
  });

  it('leaves a state as it is where a move leads beyond float32', () => {
    const far = 3e38;
    for (const [field, moveType] of [
      ['velocity', QuakeMoveType.noclip],
      ['angularVelocity', QuakeMoveType.noclip],
      ['angularVelocity', QuakeMoveType.fly],
    ] as const) {
      const state = thing({ moveType });
      state[field].fill(far);
      const before = cloneState(state);
      const what = field === 'velocity' ? 'origin' : 'angles';
      expect(() => mover.move(state, 2)).toThrow(
        `${what}[0] at the end of the move must be a finite float32`,
      );
      expect(equalStates(state, before)).toBe(true);
    }
    for (let k = 0; k < 3; k++) {
      const state = thing({ moveType: QuakeMoveType.fly });
      state.angularVelocity[k] = far;
      expect(() => mover.move(state, 2)).toThrow(`angles[${k}] at the end of the move must be`);
    }
    const frozen = Object.freeze(thing());
    expect(() => mover.move(frozen, 0.05)).toThrow(TypeError);
    expect(frozen.origin[2]).toBe(64);
    // And is of use afterwards.
    expect(mover.move(thing(), 0.05)).toBe(true);
  });

  it('refuses a space without traces or contents, a scene with other rules, and wrong variables', () => {
    expect(() => createQuakeThingMover({} as never)).toThrow('space has no box(): pass a world with hulls');
    const scene = createScene(world, { rules: 'quake1' });
    expect(() => createQuakeThingMover(scene as never)).toThrow(
      'space has no hullContents(): pass { trace, contents }',
    );
    expect(() => createQuakeThingMover({ trace: createScene(world), contents: world })).toThrow(
      new TypeError("space.trace must be a scene with the rules 'quake1', got 'nearest'"),
    );
    const things = createQuakeThingMover({
      trace: createScene(world, { rules: 'halflife' }),
      contents: world,
    });
    expect(things.move(thing(), 0.05)).toBe(true);
    expect(() => createQuakeThingMover(world, { gravity: Number.NaN })).toThrow(
      'gravity must be a finite float32',
    );
    expect(() => mover.set({ maxVelocity: 'x' as never })).toThrow(TypeError);
    expect(() => mover.set({ maxVelocity: -1 })).toThrow(
      new RangeError('maxVelocity must not be negative, got -1'),
    );
    expect(() => mover.set({ speed: 5 } as never)).toThrow(TypeError);
    expect(`${createQuakeThingMover(world)}`).toBe('QuakeThingMover { touched: 0 }');
  });

  it('cannot be used within its own move', () => {
    const space = {
      trace: world,
      contents: {
        hullContents(): number {
          own.move(thing(), 0.05);
          return -1;
        },
      },
    };
    const own: QuakeThingMover = createQuakeThingMover(space);
    expect(() => own.checkWater(thing())).toThrow('a mover cannot be used within its own move');
    expect(own.move(thing(), 0.05)).toBe(true);
  });

  it('packs the gravity of a thing as the float32 that it counts as', () => {
    const state = thing({ gravityFactor: 0.1 });
    const back = unpackState(packState(state), createQuakeThingState());
    expect(back.gravityFactor).toBe(Math.fround(0.1));
    expect(firstDifference(state, back)).toBeUndefined();
  });
});

describe('rows of things', () => {
  const still = [0, 0, 0];
  const some = {
    ...{ movetype: 6, solid: 2, flags: 0, model: 0, owner: 0, enemy: 0, gravity: 0 },
    ...{ mins: still, maxs: still, velocity: still, angles: still, avelocity: still },
    origin: [0, -256, 64],
  };

  testThingRows('quake1', some, [
    [
      { solid: 7 },
      [0, 0, 1, 0, 0, 0],
      'line 1: scenes[0].things[0].solid must be a whole number from 0 to 4, got 7',
    ],
    [
      { movetype: 1 },
      [0, 0, 1, 0, 0, 0],
      'line 1: scenes[0].things[0].movetype must be 0, 4, 5, 6, 8, 9 or 10, got 1',
    ],
  ]);

  it('have monsters without a goal go to the world, which has no margin', async () => {
    const box = { movetype: 4, flags: 33, mins: [-16, -16, -24], maxs: [16, 16, 40], yawspeed: 20 };
    const enemy = { ...some, movetype: 0, origin: [300, 300, 64] };
    const scenes = [25, 25.25].map((x) => ({
      frametime: 0.1,
      things: [{ ...some, ...box, origin: [x, 0, 24.03125], enemy: 2 }, enemy],
    }));
    const table = await openThings('quake1', scenes, 'random', 'called');
    const called = scenes.map((_, scene) => {
      const row: (number | null | number[])[] = [scene, 0, 1, 3, 0, 8, [0, 0, 0], null];
      table.answer(row);
      return row[7];
    });
    expect(called).toEqual([0, 1]);
  });
});
