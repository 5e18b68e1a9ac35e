import { readEngineMap } from '@bspkit/fixtures/engine';
import { boxEntity } from '@bspkit/quake1';
import { quake1Format } from '@bspkit/quake1/format';
import { createScene } from '@bspkit/scene';
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
import { movementRows } from '../src/rows.ts';
import { quake1Arena } from './arena.ts';

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

function run(state: QuakeThingState, frames: number, any: QuakeThingMover = mover): number {
  let moved = 0;
  for (let k = 0; k < frames; k++) if (any.move(state, 0.05)) moved++;
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
    expect(fall(mover, 1)).toBe(1960);
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

  it('does not walk in the air, and is put onto the floor', () => {
    const state = monster([0, -256, 200]);
    expect(mover.walkMove(state, 0, 8)).toBe(false);
    expect(mover.dropToFloor(state)).toBe(true);
    expect([state.origin[2], state.onGround, state.ground]).toEqual([24.03125, 1, 0]);
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
      [{ moveType: 7 }, 'state.moveType must be one of QuakeMoveType, got 7'],
      [{ gravityFactor: Number.NaN }, 'state.gravityFactor must be a finite float32, got NaN'],
      [{ solid: 0.5 }, 'state.solid must be a whole number'],
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

  it('refuses wrong times, ways and enemies', () => {
    expect(() => mover.move(thing(), Number.NaN)).toThrow(
      'frameTime must be a finite float32, 0 or more, got NaN',
    );
    expect(() => mover.move(thing(), -0.1)).toThrow(
      new RangeError('frameTime must be a finite float32, 0 or more, got -0.1'),
    );
    expect(() => mover.walkMove(monster(), Infinity, 8)).toThrow('yaw must be a finite float32');
    expect(() => mover.walkMove(monster(), 0, 1e39)).toThrow('distance must be a finite float32');
    expect(() => mover.walkMove(monster(), 0, 8, [0, 0] as never)).toThrow(
      'enemy[2] must be a finite float32',
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
      new TypeError("rules 'nearest' have no option 'move'"),
    );
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
  const bodies = { mins: still, maxs: still, velocity: still, angles: still, avelocity: still, gravity: 0 };
  const some = {
    ...bodies,
    movetype: 6,
    solid: 2,
    flags: 0,
    origin: [0, -256, 64],
    model: 0,
    owner: 0,
    enemy: 0,
  };
  const columns = ['scene', 'frame', 'thing', 'call', 'yaw', 'distance', 'called', 'oz'];

  const ask = async (thingParts: object, row: (number | null)[]) => {
    const scene = { frametime: 0.1, gravity: 800, maxvelocity: 2000, things: [{ ...some, ...thingParts }] };
    const format = await quake1Format.load();
    const load = (): Uint8Array => readEngineMap('quake1/arena.bsp');
    const header = { game: 'quake1', map: 'arena', kind: 'things', columns, scenes: [scene] };
    movementRows(createScene).quake1!.things!.open(header, { format, load }).answer(row);
    // Columns that are not asked for are written beside the cells.
    return row.slice();
  };

  it('are answered frame by frame', async () => {
    expect(await ask({}, [0, 0, 1, 0, 0, 0, null, null])).toEqual([0, 0, 1, 0, 0, 0, 0, 56]);
  });

  it.each([
    [{ solid: 7 }, [0, 0, 1, 0, 0, 0], 'solid must be 0 to 4, got 7'],
    [{ movetype: 1 }, [0, 0, 1, 0, 0, 0], 'state.moveType must be one of QuakeMoveType, got 1'],
    [{ origin: [0, 0] }, [0, 0, 1, 0, 0, 0], 'origin must be three numbers'],
    [{ enemy: 'him' }, [0, 0, 1, 0, 0, 0], 'enemy must be a number'],
    [{}, [0, 0, 1, 3, 0, 0], 'call must be 0 to 2, got 3'],
    [{}, [0, 0, 2, 0, 0, 0], 'thing 2 does not move'],
    [{}, [1, 0, 1, 0, 0, 0], 'scene 1 of the header must be an object'],
  ])('are refused where they cannot be asked: %#', async (parts, row, message) => {
    await expect(ask(parts, row)).rejects.toThrow(message);
    await expect(ask(parts, row)).rejects.toBeInstanceOf(RangeError);
  });
});
