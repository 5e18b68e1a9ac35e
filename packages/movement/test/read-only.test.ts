import { describe, expect, it } from 'vitest';
import {
  copyState,
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
  equalStates,
  type PlayerState,
  packState,
  Quake2MoveType,
  Quake3ThingType,
  QuakeMoveType,
  unpackState,
} from '../src/index.ts';
import { quake1Arena, quake2Arena, quake3Arena } from './arena.ts';

// Nothing changes when a call throws. A state with one field that cannot be written is no exception, whichever that is.

type Fields = Record<string, unknown>;

/** Numbers that nearly all moves change: falling into a floor, in no liquid. */
const LOST = { ground: 7, waterLevel: 2, waterType: 5, onGround: 0 };
const HURRY = [50, 0, -2000] as const;

/** A state somewhere above a floor, in a hurry to it. */
function above<S extends PlayerState & { readonly origin: Float32Array | Int32Array }>(
  state: S,
  units = 1,
): S {
  const fields = state as unknown as Fields;
  for (const [name, value] of Object.entries(LOST)) if (name in state) fields[name] = value;
  state.origin.set([-256 * units, 0, 40 * units]);
  (fields.velocity as Float32Array | undefined)?.set(HURRY.map((x) => x * units));
  return state;
}

const monster = <
  S extends PlayerState & { moveType: number; readonly mins: Float32Array; readonly maxs: Float32Array },
>(
  state: S,
  moveType: number,
): S => {
  state.moveType = moveType;
  state.mins.set([-16, -16, -24]);
  state.maxs.set([16, 16, 32]);
  return state;
};

const goal = { origin: [200, -180, 24], mins: [-16, -16, -24], maxs: [16, 16, 32] } as const;
const random = (): number => 0;

const [world1, world2, world3] = [quake1Arena(), quake2Arena(), quake3Arena()];
const quakeThings = createQuakeThingMover(world1);
const quake2Things = createQuake2ThingMover(world2);
const quake3Things = createQuake3ThingMover(world3);
const quake3 = createQuake3Mover(world3);

const walker = () => ({ ...monster(above(createQuakeThingState()), QuakeMoveType.step), onGround: 1 });
const turning = () => ({ ...walker(), idealYaw: 90 });
const walker2 = () => ({
  ...monster(above(createQuake2ThingState()), Quake2MoveType.step),
  monster: 1,
  partialGround: 1,
});

/** Above a floor, which it meets within a frame. */
function throwItem() {
  const item = createQuake3ThingState(Quake3ThingType.item);
  item.base.set([-256, 0, 40]);
  item.origin.set(item.base);
  item.delta.set(HURRY);
  return item;
}

interface Case<S> {
  readonly make: () => S;
  readonly call: (state: S) => unknown;
  /** The fields that it writes. */
  readonly writes: readonly string[];
}

const one = <S extends PlayerState>(
  name: string,
  writes: string,
  make: () => S,
  call: (state: S) => unknown,
) => [name, { make, call, writes: writes.split(' ') } as unknown as Case<PlayerState>] as const;

const THING = 'partialGround onGround ground waterType waterLevel';
const THING_2 = 'partialGround ground waterType waterLevel';

const cases = [
  one(
    'QuakeWorld',
    'waterJumpTime oldButtons ground waterLevel waterType',
    () => {
      return { ...above(createQuakeWorldState()), waterJumpTime: 1, oldButtons: 1 };
    },
    (state) => createQuakeWorldMover(world1).move(state, { ...createQuakeWorldCommand(), msec: 50 }),
  ),
  one(
    'Quake, fly',
    'onGround ground',
    () => above(createQuakeState()),
    (state) => createQuakeMover(world1).fly(state, 0.1),
  ),
  one(
    'Quake, walk',
    'onGround ground',
    () => above(createQuakeState()),
    (state) => createQuakeMover(world1).walk(state, 0.1),
  ),
  one(
    "Quake's things, move",
    THING,
    () => above(createQuakeThingState()),
    (state) => quakeThings.move(state, 0.1),
  ),
  one("Quake's things, walkMove", THING, walker, (state) => quakeThings.walkMove(state, 0, 8)),
  one("Quake's things, moveToGoal", `${THING} idealYaw`, walker, (state) =>
    quakeThings.moveToGoal(state, 8, goal, random),
  ),
  one("Quake's things, changeYaw", THING, turning, (state) => quakeThings.changeYaw(state)),
  one("Quake's things, dropToFloor", THING, walker, (state) => quakeThings.dropToFloor(state)),
  one("Quake's things, checkWater", THING, walker, (state) => quakeThings.checkWater(state)),
  one(
    'Quake 2',
    'flags timer snapInitial ground viewHeight waterLevel waterType',
    () => {
      return { ...above(createQuake2State(), 8), snapInitial: 1, flags: 8, timer: 200, viewHeight: 3 };
    },
    (state) => createQuake2Mover(world2).move(state, { ...createQuake2Command(), msec: 50 }),
  ),
  one(
    "Quake 2's things, move",
    THING_2,
    () => ({ ...above(createQuake2ThingState()), ground: -1 }),
    (state) => quake2Things.move(state),
  ),
  one("Quake 2's things, walkMove", THING_2, walker2, (state) => quake2Things.walkMove(state, 0, 8)),
  one("Quake 2's things, moveToGoal", `${THING_2} idealYaw`, walker2, (state) =>
    quake2Things.moveToGoal(state, 8, goal, random),
  ),
  one("Quake 2's things, dropToFloor", THING_2, walker2, (state) => quake2Things.dropToFloor(state)),
  one("Quake 2's things, checkGround", THING_2, walker2, (state) => quake2Things.checkGround(state)),
  one("Quake 2's things, loseGround", THING_2, walker2, (state) => quake2Things.loseGround(state)),
  one("Quake 2's things, checkWater", THING_2, walker2, (state) => quake2Things.checkWater(state)),
  one(
    'Quake 3',
    'commandTime flags timer ground viewHeight bobCycle direction frame eventSequence waterLevel waterType',
    () => {
      return { ...above(createQuake3State()), direction: 3, timer: 20, flags: 32 };
    },
    (state) => quake3.move(state, { ...createQuake3Command(), serverTime: 50, forward: 127 }),
  ),
  one(
    "Quake 3's things, move",
    'time path pathTime pathDuration ground',
    () => {
      return throwItem();
    },
    (state) => quake3Things.move(state, 50),
  ),
] as const;

/** Makes a field read-only, with the value that it has. */
function fix<T extends object>(object: T, name: string): T {
  const value = (object as Fields)[name];
  return Object.defineProperty(object, name, { get: () => value, enumerable: true });
}

const numbersOf = (state: object): string[] =>
  Object.entries(state).flatMap(([name, value]) => (typeof value === 'number' ? [name] : []));

describe('a state with one read-only field stays as it is when a call throws', () => {
  it.each(cases)('%s', (_, { make, call, writes }) => {
    const moved = make();
    call(moved);
    expect(equalStates(moved, make())).toBe(false);
    const refused = numbersOf(moved).filter((name) => {
      const state = fix(make(), name);
      try {
        call(state);
        return false;
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
      expect(equalStates(state, make()), name).toBe(true);
      return true;
    });
    expect(refused.sort()).toEqual([...writes].sort());
  });

  it.each(cases)('copied and unpacked to: %s', (_, { make, call }) => {
    const moved = make();
    call(moved);
    const bytes = packState(moved);
    for (const name of numbersOf(moved)) {
      for (const write of [copyState, (_: PlayerState, to: PlayerState) => unpackState(bytes, to)]) {
        const state = fix(make(), name);
        expect(() => write(moved, state)).toThrow(TypeError);
        expect(equalStates(state, make()), name).toBe(true);
      }
    }
  });

  it("Quake 3's slides", () => {
    const make = () => {
      const slide = { ...createQuake3Slide(), frameTime: 0.1 };
      slide.origin.set([-256, 0, 40]);
      slide.velocity.set(HURRY);
      return slide;
    };
    const moved = make();
    quake3.slideMove(moved);
    expect(moved.bumped).toBe(true);
    for (const name of ['bumped', 'impactSpeed']) {
      const slide = fix(make(), name);
      expect(() => quake3.slideMove(slide)).toThrow(TypeError);
      expect(slide, name).toEqual(make());
    }
  });
});
