import type { Trace, Vec3 } from '@bspkit/core';
import { boxEntity as boxEntity1 } from '@bspkit/quake1';
import { boxEntity as boxEntity2 } from '@bspkit/quake2';
import { createScene } from '@bspkit/scene';
import { describe, expect, it } from 'vitest';
import {
  cloneState,
  createQuake2ThingMover,
  createQuake2ThingState,
  createQuakeThingMover,
  createQuakeThingState,
  equalStates,
  type PlayerState,
  packState,
  type Quake2ThingState,
  type QuakeThingState,
  unpackState,
} from '../src/index.ts';
import type { BoxSource } from '../src/space.ts';
import { quake1Arena, quake2Arena } from './arena.ts';

// How monsters chase. Equality with the engines is shown by recorded rows, which are answered in tests of all formats. Here is what
// these do not cover, and what rarely happens in them.

type State = Omit<QuakeThingState, 'kind'> & Omit<Quake2ThingState, 'kind'> & PlayerState;

interface Goal {
  readonly origin: Vec3;
  readonly mins: Vec3;
  readonly maxs: Vec3;
  readonly unlinked?: boolean | undefined;
}

/** What both movers have, whatever their types. */
interface Mover {
  moveToGoal(
    state: State,
    distance: number,
    goal: Goal,
    random: () => number,
    enemy?: Goal | Vec3 | undefined,
  ): boolean;
  changeYaw(state: State): void;
  move(state: State, frameTime: number): boolean;
  walkMove(state: State, yaw: number, distance: number): boolean;
}

const worlds = { quake1: quake1Arena(), quake2: quake2Arena() };
type Game = keyof typeof worlds;
const games: Game[] = ['quake1', 'quake2'];

const moverIn = (game: Game, trace: BoxSource): Mover => {
  const { [game]: contents } = worlds;
  const mover =
    game === 'quake1'
      ? createQuakeThingMover({ trace, contents: contents as typeof worlds.quake1 })
      : createQuake2ThingMover({ trace, contents: contents as typeof worlds.quake2 });
  return mover as never;
};

function monster(game: Game, place: readonly number[] = [0, -256, 24.03125]): State {
  const state = (game === 'quake1' ? createQuakeThingState() : createQuake2ThingState()) as never as State;
  state.moveType = game === 'quake1' ? 4 : 5;
  state.mins.set([-16, -16, -24]);
  state.maxs.set([16, 16, 32]);
  state.origin.set(place);
  state.onGround = 1;
  state.ground = 0;
  if (game === 'quake1') return state;
  // What only Quake's monsters have.
  Reflect.deleteProperty(state, 'onGround');
  return state;
}

const goalAt = (x: number, y: number, z = 24): Goal => ({
  origin: [x, y, z],
  mins: [-16, -16, -24],
  maxs: [16, 16, 32],
});

/** Gives numbers in turn, and says how many. */
function diceOf(...numbers: readonly number[]) {
  const dice = { thrown: 0, random: (): number => numbers[dice.thrown++]! };
  return dice;
}

/** A space in which nothing can be moved anywhere, and the directions in which something was to be moved from a place. */
function solidSpace(place: Float32Array): { space: BoxSource; ways: number[] } {
  const ways: number[] = [];
  const tracer = {
    createTrace: (): Trace => worlds.quake1.hull(1).createTrace(),
    trace(start: Vec3, _end: Vec3, out?: Trace): Trace {
      const radians = Math.atan2(start[1]! - place[1]!, start[0]! - place[0]!);
      ways.push((Math.round((radians * 180) / Math.PI) + 360) % 360);
      return Object.assign(out ?? tracer.createTrace(), { allSolid: true, startSolid: true });
    },
    set: () => {},
  };
  return { space: { box: () => tracer }, ways };
}

describe.each(games)('a monster that chases: %s', (game) => {
  const mover = moverIn(game, worlds[game]);

  it('turns, and steps only where it faces', () => {
    const state = monster(game);
    state.angles[1] = 90;
    const places: (number | undefined)[] = [];
    for (let k = 0; k < 4; k++) {
      expect(mover.moveToGoal(state, 8, goalAt(500, -256), () => 0)).toBe(true);
      places.push(state.origin[0]);
    }
    expect(places).toEqual([0, 0, 8, 16]);
    expect(state.angles[1]).toBeCloseTo(10, 1);
    expect([state.origin[1], state.idealYaw]).toEqual([-256, 0]);
  });

  // It goes north, so that south is the way back, which comes last.
  const down = [315, 225, 180, 135, 90, 45, 0, 270];
  const up = [0, 45, 90, 135, 180, 225, 315, 270];
  it.each<[to: number[], thrown: number[], ways: number[]]>([
    // Along both axes: the way between them comes first.
    [
      [300, 200],
      [1, 0, 0],
      [45, 0, 90, 90, ...down],
    ],
    [
      [300, 200],
      [1, 1, 1],
      [45, 90, 0, 90, ...up],
    ],
    [
      [200, 300],
      [1, 0, 0],
      [45, 90, 0, 90, ...down],
    ],
    [
      [300, -200],
      [1, 2, 3],
      [315, 0, 90, ...up],
    ],
    // In both games, this direction has ten degrees too few.
    [
      [-300, -200],
      [1, 0, 0],
      [215, 180, 90, ...down],
    ],
    [
      [-300, 200],
      [5, 0, 2],
      [135, 180, 90, 90, ...down],
    ],
    // Along one, or none.
    [
      [10, 200],
      [1, 0, 0],
      [90, 90, ...down],
    ],
    [
      [10.001, 10],
      [1, 0, 0],
      [0, 90, ...down],
    ],
    [
      [-10, -10],
      [1, 0, 0],
      [90, ...down],
    ],
    // Unless the dice say otherwise, it tries to go on.
    [
      [0, 0],
      [0, 0, 0],
      [100, 90, ...down],
    ],
    [
      [0, 0],
      [2, 0, 1],
      [100, 90, ...up],
    ],
    [
      [0, 0],
      [3, 0, 0],
      [100, 90, ...down],
    ],
    [
      [0, 0],
      [0x7fffffff, 0x7ffffffe, 0x7fffffff],
      [100, 90, ...up],
    ],
    // Neither is longer.
    [
      [200, 200],
      [1, 0, 0],
      [45, 0, 90, 90, ...down],
    ],
    // Only in Quake 2 fractions count.
    [
      [-100.25, 100.5],
      [1, 0, 0],
      [135, ...(game === 'quake1' ? [180, 90] : [90, 180]), 90, ...down],
    ],
    [
      [-100.5, 100.25],
      [1, 0, 0],
      [135, 180, 90, 90, ...down],
    ],
    // In Quake, what is beyond 32 bits counts as less than any other distance.
    [
      [3e9, 300],
      [1, 0, 0],
      [45, ...(game === 'quake1' ? [90, 0] : [0, 90]), 90, ...down],
    ],
    [
      [-300, 1e10],
      [1, 0, 0],
      [135, ...(game === 'quake1' ? [180, 90] : [90, 180]), 90, ...down],
    ],
  ])('tries ways in the order of the engine: to %j, with %j', (to, thrown, expected) => {
    const state = monster(game, [0, -256, 24.03125]);
    const { space, ways } = solidSpace(state.origin);
    state.idealYaw = 100;
    const before = Array.from(state.origin);
    const dice = diceOf(...thrown);
    const goal = goalAt(before[0]! + to[0]!, before[1]! + to[1]!);
    expect(moverIn(game, space).moveToGoal(state, 8, goal, dice.random)).toBe(true);
    expect(ways).toEqual(expected);
    expect(dice.thrown).toBe(3);
    // It stays, and looks back to where it was going.
    expect(Array.from(state.origin)).toEqual(before);
    expect([state.idealYaw, state.partialGround]).toEqual([90, 0]);
  });

  it.each([
    [359, 315],
    [450.5, 90],
    [-44, 0],
    [-100, 270],
  ])('that cannot move looks where it was going, in eighths of a turn: from %d to %d', (before, after) => {
    const state = monster(game);
    state.idealYaw = before;
    const { space } = solidSpace(state.origin);
    moverIn(game, space).moveToGoal(state, 8, goalAt(0, -256), diceOf(1, 0, 0).random);
    expect(state.idealYaw).toBe(after);
  });

  it.each([
    [0, 10, false],
    [0, 10.000001, true],
    [0, -10, false],
    [0, -10.01, true],
    // Where the goal is, and how far that is, are float32.
    [-256, -245.999999, false],
    [0.1, 10.1, false],
    [0.1, 10.100001, true],
  ])('goes along an axis if its goal is more than ten units away there: from %f to %f', (from, to, goes) => {
    for (const axis of [0, 1]) {
      const [place, origin] = [from, to].map((x) => Object.assign([0, 0, 24.03125], { [axis]: x }));
      const state = monster(game, place);
      state.idealYaw = 45;
      const { space, ways } = solidSpace(state.origin);
      const goal = { ...goalAt(0, 0), origin: origin as number[] };
      expect(moverIn(game, space).moveToGoal(state, 8, goal as never, diceOf(1, 0, 0).random)).toBe(true);
      const way = 90 * axis + (to < from ? 180 : 0);
      // Then on, and around from there.
      expect(ways.slice(0, ways.indexOf(315))).toEqual(goes ? [way, 45] : [45]);
    }
  });

  it('may stand on an edge where it cannot move and nothing is below', () => {
    const state = monster(game, [0, -256, 150]);
    const { space } = solidSpace(state.origin);
    expect(moverIn(game, space).moveToGoal(state, 8, goalAt(0, 0), () => 0)).toBe(true);
    expect(state.partialGround).toBe(1);
  });

  it('still stands on an edge where it cannot move, even if there is floor below', () => {
    const state = monster(game);
    state.partialGround = 1;
    const { space } = solidSpace(state.origin);
    expect(moverIn(game, space).moveToGoal(state, 8, goalAt(0, 0), () => 0)).toBe(true);
    expect(state.partialGround).toBe(1);
  });

  it.each([
    // More than 45 degrees above where it wants to go, and less than 315.
    [45, 0, true],
    [45.01, 0, false],
    [314.99, 0, false],
    [315, 0, true],
    // As float32.
    [45, -1e-6, true],
    [45, -1e-5, false],
    // Below, by whatever.
    [0, 90, true],
  ])('steps or only turns with a yaw of %f, to %f', (yaw, ideal, steps) => {
    const state = monster(game);
    state.angles[1] = yaw;
    state.idealYaw = ideal;
    state.yawSpeed = 0;
    const before = Array.from(state.origin);
    expect(mover.moveToGoal(state, 8, goalAt(300, -256), () => 0)).toBe(true);
    expect(before.some((x, k) => x !== state.origin[k])).toBe(steps);
  });

  it('throws dice as often as it needs to', () => {
    const throws = (...numbers: number[]): number => {
      const dice = diceOf(...numbers);
      expect(mover.moveToGoal(monster(game), 8, goalAt(300, -256), dice.random)).toBe(true);
      return dice.thrown;
    };
    expect([throws(0), throws(2), throws(3), throws(1, 0), throws(5, 1)]).toEqual([1, 1, 1, 2, 2]);
  });

  it.each([
    // Box and place of the goal along an axis, its own, and how far it steps: each sum is float32.
    [18.3, 113.9, 4.4, 81, 8.2, false],
    [16.8, 81.099999, 19.2, 34.6, 8.5, false],
    [18.9, 51.4, 26.4, 3.4, 0.7, true],
    [24.2, 7.1, 29, 62.9, 0.6, true],
    [3.2, 12.1, 13.2, 34.4, 3.9, false],
    [1.5, 10.6, 19.9, 52.4, 18.4, true],
    [9.5, 9.6, 25.1, 57.5, 11.3, false],
    [3, 38.2, 3.6, 27.8, 1.8, true],
    [20.2, 72.3, 6.1, 25.2, 18.8, true],
    [1.8, 50.000001, 19.9, 24.6, 1.7, true],
    [25.9, 96.4, 9.6, 49.6, 9.3, true],
    [25.2, 17.3, 16.8, 75.5, 14.2, true],
    [24.9, 55.1, 2.6, 95.4, 10.8, true],
    [19.7, 127.4, 7, 96.7, 2, true],
    [17.8, 107.6, 27.3, 58.3, 2.2, false],
    [18.3, 19.499999, 7.2, 63.7, 16.7, false],
    [17.2, 5.6, 29.9, 56.4, 1.7, true],
    // One that goes backwards stays where the boxes overlap by that.
    [10, 19, 10, 0, -3, true],
    [10, 19.5, 10, 0, -3, false],
  ])(
    'is near what it fights, or not, by a hair: %f at %f, %f at %f, %f',
    (half, to, own, from, way, stays) => {
      for (const axis of [0, 1, 2]) {
        const state = monster(game, [0, 0, 0]);
        state.mins[axis] = -own;
        state.maxs[axis] = own;
        state.origin[axis] = from;
        const [origin, mins, maxs] = [to, -half, half].map((x, k) =>
          Object.assign([0, 0, 0].fill([0, -16, 16][k]!), { [axis]: x }),
        ) as [number[], number[], number[]];
        const goal = { origin, mins, maxs } as never as Goal;
        const never = (): number => {
          throw new Error('it goes');
        };
        const chase = (): boolean =>
          mover.moveToGoal(state, way, goal, never, game === 'quake1' ? goal.origin : goal);
        if (stays) expect(chase()).toBe(false);
        else expect(chase).toThrow('it goes');
      }
    },
  );

  it('stays near what it fights, and where it neither stands, flies nor swims', () => {
    const never = (): number => {
      throw new Error('dice are thrown');
    };
    const near = (distance: number, x: number, y = 0, z = 0): boolean => {
      const state = monster(game);
      const [ox, oy, oz] = state.origin;
      const goal = goalAt(ox! + x, oy! + y, oz! + z);
      const before = cloneState(state);
      const enemy = game === 'quake1' ? goal.origin : goal;
      try {
        expect(mover.moveToGoal(state, distance, goal, never, enemy)).toBe(false);
      } catch (error) {
        expect(error).toEqual(new Error('dice are thrown'));
        expect(equalStates(state, before)).toBe(true);
        return false;
      }
      expect(equalStates(state, before)).toBe(true);
      return true;
    };
    // Boxes of 32 units, and one unit around each.
    for (const sign of [-1, 1]) {
      expect([near(8, 42 * sign), near(8, 42.01 * sign)]).toEqual([true, false]);
      expect([near(8, 0, 42 * sign), near(8, 0, 42.01 * sign)]).toEqual([true, false]);
      expect([near(8, 0, 0, 66 * sign), near(8, 0, 0, 66.01 * sign)]).toEqual([true, false]);
    }
    expect([near(8, 42, 42), near(8, 42, 43)]).toEqual([true, false]);
    // Peaceful, it goes on.
    expect(mover.moveToGoal(monster(game), 8, goalAt(20, -256), () => 0)).toBe(true);
    const high = monster(game, [0, -256, 150]);
    if (game === 'quake1') high.onGround = 0;
    else high.ground = -1;
    expect(mover.moveToGoal(high, 8, goalAt(300, -256), never)).toBe(false);
    high.flies = 1;
    expect(mover.moveToGoal(high, 8, goalAt(300, -256), () => 0)).toBe(true);
    expect(high.origin[0]).toBe(8);
  });

  it('stays near what has no part in the world only where their boxes meet', () => {
    const isNear = (x: number, unlinked?: boolean): boolean => {
      const state = monster(game, [x, 0, 24.03125]);
      const goal = { origin: [0, 0, 0], mins: [0, 0, 0], maxs: [0, 0, 0], unlinked } as const;
      return !mover.moveToGoal(state, 8, goal, () => 0, game === 'quake1' ? goal.origin : goal);
    };
    // A box of 16 units, one around it, and a step of 8.
    expect([isNear(26), isNear(26.25), isNear(26, false)]).toEqual([true, false, true]);
    for (const sign of [-1, 1]) {
      expect([isNear(25 * sign, true), isNear(25.25 * sign, true)]).toEqual([true, false]);
    }
    const state = monster(game);
    const goal = { ...goalAt(0, 0), unlinked: 1 as never };
    expect(() => mover.moveToGoal(state, 8, goal, () => 0, game === 'quake1' ? [0, 0, 0] : goal)).toThrow(
      new TypeError(`${game === 'quake1' ? 'goal' : 'enemy'}.unlinked must be true or false, got 1`),
    );
  });

  it('goes where its goal was before the dice were thrown', () => {
    const [one, other] = [monster(game), monster(game)];
    for (const state of [one, other]) state.flies = 1;
    const run = (state: State, away: number): void => {
      const goal = goalAt(300, -456, 100);
      const enemy = game === 'quake1' ? goal.origin : goal;
      const numbers = diceOf(1, 0, 0);
      const random = (): number => {
        (goal.origin as number[]).fill(away);
        return numbers.random();
      };
      expect(mover.moveToGoal(state, 8, goal, away === 0 ? numbers.random : random, enemy)).toBe(true);
    };
    run(one, 0);
    run(other, Number.NaN);
    expect(equalStates(one, other)).toBe(true);
    expect(one.idealYaw).toBe(315);
    expect(one.origin[2]).toBeGreaterThan(30);
  });

  it.each([
    [-1, RangeError],
    [0.5, RangeError],
    [2 ** 31, RangeError],
    [Number.NaN, RangeError],
    ['1', TypeError],
    [undefined, TypeError],
  ])('refuses dice that give %j, and stays as it was', (number, kind) => {
    for (const numbers of [[number], [1, number], [1, 0, number]]) {
      const state = monster(game);
      const { space } = solidSpace(state.origin);
      const own = moverIn(game, space);
      state.idealYaw = 0.1;
      const before = cloneState(state);
      const chase = (all: readonly unknown[]): boolean =>
        own.moveToGoal(state, 8, goalAt(0, -256), diceOf(...(all as number[])).random);
      expect(() => chase(numbers)).toThrow(kind);
      expect(() => chase(numbers)).toThrow('random() must be a whole number from 0 to 2147483647, got ');
      expect(equalStates(state, before)).toBe(true);
      expect(state.idealYaw).toBe(0.1);
      expect(chase([0, 0, 0])).toBe(true);
    }
  });

  it('refuses a goal whose box is inside out', () => {
    const goal = { ...goalAt(300, -256), mins: [0, 17, 0] as const };
    const chase = (): boolean => mover.moveToGoal(monster(game), 8, goal, () => 0, goal);
    expect(chase).toThrow(new RangeError('mins[1] must not be above maxs[1], got 17 and 16'));
  });

  it('cannot be moved by its dice', () => {
    const state = monster(game);
    const cheat = (): number => {
      mover.changeYaw(state);
      return 0;
    };
    expect(() => mover.moveToGoal(state, 8, goalAt(300, -256), cheat)).toThrow(
      'a mover cannot be used within its own move',
    );
  });

  it.each([
    [0, 90, 45, 45],
    [90, 0, 45, 45],
    [0, 90, 360, 90],
    // The shorter way around.
    [315, 45, 45, 0],
    [45, 315, 45, 0],
    [0, 180, 45, 315],
    [180, 0, 45, 225],
    [0, 225, 45, 315],
    // In whole units, of which a turn has 65,536.
    [10, 20, 0.1, (1838 * 360) / 65536],
    [0.1, 90, 0, (18 * 360) / 65536],
    // What faces where it wants to stays as it is; -90 degrees are 270, but 270 are not -90.
    [-90, 270, 45, -90],
    [-90, -90, 45, 270],
    [0, 90, -45, 315],
    [0, 10, -45, 315],
    [45, 0, -90, 135],
    // Half a turn, as a float32.
    [180, 1e-7, 45, 225],
    // Units are doubles: a float32 would be one more.
    [4100.85, 90, 0, (25640 * 360) / 65536],
    // Beyond 32 bits of units.
    [1e9, 90, 45, 45],
  ])('turns from %f towards %f by %f at most', (from, ideal, speed, to) => {
    const state = monster(game);
    state.angles[1] = from;
    state.idealYaw = ideal;
    state.yawSpeed = speed;
    mover.changeYaw(state);
    expect(state.angles[1]).toBe(Math.fround(to));
    expect([state.idealYaw, state.yawSpeed]).toEqual([ideal, speed]);
  });

  it('keeps an ideal yaw that is no float32 until it chases', () => {
    const state = Object.assign(monster(game), { idealYaw: 50.1 });
    mover.changeYaw(state);
    mover.move(state, 0.1);
    mover.walkMove(state, 0, 8);
    expect(state.idealYaw).toBe(50.1);
  });

  it('takes where it wants to go, and how it turns, for float32', () => {
    const [state, other] = [50.1, Math.fround(50.1)].map((x) => {
      const made = Object.assign(monster(game), { idealYaw: x, yawSpeed: x });
      mover.moveToGoal(made, 8, goalAt(300, -256), () => 0);
      return made;
    }) as [State, State];
    expect([state.idealYaw, state.yawSpeed]).toEqual([Math.fround(50.1), 50.1]);
    expect(equalStates(state, other)).toBe(true);
    const back = unpackState(packState(state), monster(game));
    expect(back.yawSpeed).toBe(Math.fround(50.1));
    expect(equalStates(state, back)).toBe(true);
  });
});

describe('a monster that chases, in one game', () => {
  it('of Quake stays further away from an item', () => {
    const scene = createScene(worlds.quake1, { rules: 'quake1' });
    scene.add(boxEntity1([-1, -1, -1], [1, 1, 1]), { origin: [900, 0, 0] });
    const mover = createQuakeThingMover({ trace: scene, contents: worlds.quake1 });
    const stays = (x: number, z: number, item: boolean): boolean => {
      const state = monster('quake1');
      const { origin, ...box } = goalAt(x, -256, state.origin[2]! + z);
      return !mover.moveToGoal(state as never, 8, { origin, ...box, item }, () => 0, origin);
    };
    expect([stays(42, 0, false), stays(43, 0, false)]).toEqual([true, false]);
    expect([stays(56, 0, true), stays(57, 0, true)]).toEqual([true, false]);
    // But not from one above it.
    expect([stays(0, 66, false), stays(0, 65, true), stays(0, 66, true)]).toEqual([true, true, false]);
  });

  it('of Quake 2 takes where it took part in the world last from the array of the mover itself', () => {
    const mover = createQuake2ThingMover(worlds.quake2);
    const goal = goalAt(0, -256, 24.03125 + 66);
    const moves = (linked: (own: Float32Array) => Float32Array): boolean => {
      mover.changeYaw({ ...monster('quake2'), origin: Float32Array.of(0, -256, 24) } as never);
      return mover.moveToGoal(monster('quake2') as never, 8, goal, () => 0, goal, linked(mover.linked));
    };
    expect([moves((own) => own.slice()), moves((own) => own)]).toEqual([true, true]);
  });

  it.each(['quake1', 'quake2'] as const)(
    'of %s changes nothing in a state whose ideal yaw is fixed',
    (game) => {
      const state = monster(game);
      Object.defineProperty(state, 'idealYaw', { value: 90, writable: false });
      const before = { ...state, origin: state.origin.slice(), angles: state.angles.slice() };
      const goal = goalAt(0, 200, 24);
      const mover =
        game === 'quake1' ? createQuakeThingMover(worlds.quake1) : createQuake2ThingMover(worlds.quake2);
      expect(() => mover.moveToGoal(state as never, 8, goal as never, () => 0)).toThrow(TypeError);
      expect([state.origin, state.angles]).toEqual([before.origin, before.angles]);
    },
  );

  it('of Quake 2 stays where it took part in the world last, and flies to the height of what it fights', () => {
    const mover = createQuake2ThingMover(worlds.quake2);
    const goal = goalAt(0, -256, 24.03125 + 66);
    const ways = [undefined, [0, -256, 24], [0, -256, 24.03125]].map((linked) =>
      mover.moveToGoal(monster('quake2') as never, 8, goal, () => 0, goal, linked),
    );
    expect(ways).toEqual([false, true, false]);
    const height = (isPlayer: boolean | undefined, fights: boolean): number => {
      const state = monster('quake2', [0, -256, 100]);
      state.flies = 1;
      const above = { ...goalAt(200, -256, 99), isPlayer };
      mover.moveToGoal(state as never, 8, above, () => 0, fights ? above : undefined);
      return state.origin[2]!;
    };
    expect([height(undefined, true), height(true, true), height(false, true)]).toEqual([108, 108, 99]);
    expect([height(true, false), height(false, false)]).toEqual([100, 100]);
  });

  it('of Quake 2 takes part in the world where it is in the end, whether it has stepped, turned or neither', () => {
    const linkedOf = (yaw: number, space: BoxSource): number[] => {
      const mover = createQuake2ThingMover({ trace: space, contents: worlds.quake2 });
      const state = monster('quake2');
      state.angles[1] = yaw;
      const elsewhere = [0, -256, 24];
      expect(mover.moveToGoal(state as never, 8, goalAt(300, -256), () => 0, undefined, elsewhere)).toBe(
        true,
      );
      expect(mover.linked).toEqual(state.origin);
      return Array.from(mover.linked);
    };
    const place = [0, -256, 24.03125];
    expect(linkedOf(0, worlds.quake2)).toEqual([8, -256, 24.03125]);
    expect(linkedOf(90, worlds.quake2)).toEqual(place);
    expect(linkedOf(0, solidSpace(Float32Array.from(place)).space)).toEqual(place);
  });

  it('of Quake 2 climbs no steps if it takes none', () => {
    const scene = createScene(worlds.quake2, { rules: 'quake2' });
    const step = scene.add(boxEntity2([0, -100, 0], [200, 100, 8]), { origin: [20, -256, 0] });
    const mover = createQuake2ThingMover(scene);
    const climbs = (noStep: number): number | undefined => {
      const state = monster('quake2');
      state.noStep = noStep;
      return mover.walkMove(state as never, 0, 12) ? state.origin[2] : undefined;
    };
    expect([climbs(0), climbs(1)]).toEqual([32.03125, undefined]);
    scene.move(step, { origin: [20, -256, -7.5] });
    expect([climbs(0), climbs(1)]).toEqual([24.53125, 24.53125]);
  });
});
