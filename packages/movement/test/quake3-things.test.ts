import type { Trace } from '@bspkit/core';
import { readEngineMap } from '@bspkit/fixtures/engine';
import { createRandom } from '@bspkit/geometry';
import { quake3Format } from '@bspkit/quake3/format';
import { createBody, createScene } from '@bspkit/scene';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  cloneState,
  copyState,
  createQuake3ThingMover,
  createQuake3ThingState,
  equalStates,
  packState,
  Quake3Bounce,
  Quake3Path,
  type Quake3ThingMover,
  type Quake3ThingState,
  Quake3ThingType,
  quake3ThingPosition,
  quake3ThingVelocity,
  stateBytes,
  unpackState,
} from '../src/index.ts';
import { movementRows } from '../src/rows.ts';
import { quake1Arena, quake3Arena } from './arena.ts';

// Equality with the game is shown by recorded rows. Here is what the rows do not cover: its traces, and how it is used.

const world = quake3Arena();
const FRAME = 50;

/** A missile over the hall's floor. */
function throwOne(delta: readonly number[], changes: Partial<Quake3ThingState> = {}): Quake3ThingState {
  const state = Object.assign(createQuake3ThingState(changes.type), changes);
  for (const place of [state.base, state.origin]) place.set([-100, -256, 64]);
  state.delta.set(delta);
  return state;
}

/** Moves it until something happens, and returns when. */
function flyOn(mover: Quake3ThingMover, state: Quake3ThingState, bounce = false): number {
  for (let time = state.time + FRAME; time < 20_000; time += FRAME) {
    if (!mover.move(state, time)) continue;
    if (!bounce || mover.bounce(state)) return time;
  }
  throw new Error('it is still on its way');
}

describe('missiles of Quake 3', () => {
  const mover = createQuake3ThingMover(world);

  it('bounce until they lie, where they stay', () => {
    const state = throwOne([200, 50, 150], { pathDuration: 90 });
    mover.move(state, 1);
    expect(state.pathDuration).toBe(90);
    flyOn(mover, state, true);
    expect([state.path, state.pathTime, state.pathDuration]).toEqual([Quake3Path.stationary, 0, 0]);
    expect(state.origin[2]).toBe(0.125);
    expect(state.base).toEqual(state.origin);
    expect(state.delta).toEqual(new Float32Array(3));
    const before = cloneState(state);
    expect(mover.move(state, state.time + FRAME)).toBe(false);
    expect(equalStates({ ...state, time: 0 }, { ...before, time: 0 })).toBe(true);
  });

  it('stop at what they hit, and go no further unless they bounce', () => {
    const state = throwOne([0, 0, -400], { path: Quake3Path.linear });
    const time = flyOn(mover, state);
    expect(state.origin[2]).toBe(0.125);
    expect([mover.entity, createQuake3ThingMover(world).entity]).toEqual([0, -1]);
    expect(Array.from(mover.trace.normal)).toEqual([0, 0, 1]);
    expect(state.path).toBe(Quake3Path.linear);
    // The next frame leads further down.
    expect(mover.move(state, time + FRAME)).toBe(true);
    expect(mover.trace.fraction).toBeLessThan(0.01);
  });

  it('lose nothing in a full bounce, and do not lie', () => {
    const state = throwOne([0, 0, -400], { path: Quake3Path.linear, bounce: Quake3Bounce.full });
    flyOn(mover, state);
    expect(mover.bounce(state)).toBe(false);
    expect(Array.from(state.delta)).toEqual([0, 0, 400]);
    // One unit from what they hit.
    expect(state.base[2]).toBe(1.125);
  });

  it('tell the sky from walls by the flags of what they hit', () => {
    const state = throwOne([0, 0, 900], { path: Quake3Path.linear });
    flyOn(mover, state);
    expect(mover.trace.surfaceFlags & 0x10).toBe(0x10);
  });

  it('bounce only right after the move that hit something', () => {
    const state = throwOne([0, 0, -400], { path: Quake3Path.linear });
    const refusal = 'a missile bounces only right after the move that hit something';
    expect(() => mover.bounce(state)).toThrow(refusal);
    mover.move(state, 1);
    expect(() => mover.bounce(state)).toThrow(refusal);
    flyOn(mover, state);
    expect(() => mover.bounce(cloneState(state))).toThrow(refusal);
    mover.bounce(state);
    expect(() => mover.bounce(state)).toThrow(refusal);
    const earlier = cloneState(state);
    flyOn(mover, state);
    copyState(earlier, state);
    expect(() => mover.bounce(state)).toThrow(refusal);
    for (let axis = 0; axis < 3; axis++) {
      flyOn(mover, state);
      const place = state.origin[axis]!;
      state.origin[axis] = place + 5;
      expect(() => mover.bounce(state)).toThrow(refusal);
      state.origin[axis] = place;
      state.time++;
      expect(() => mover.bounce(state)).toThrow(refusal);
    }
    const other = throwOne([0, 0, 0]);
    mover.move(other, FRAME);
    expect(() => mover.bounce(state)).toThrow(refusal);
    // Another one at the same place and time has hit nothing.
    flyOn(mover, state);
    const still = cloneState(state);
    still.path = Quake3Path.stationary;
    still.base.set(still.origin);
    expect(mover.move(still, state.time)).toBe(false);
    expect(() => mover.bounce(state)).toThrow(refusal);
    // Items have bounced already.
    const item = throwOne([0, 0, 0], { type: Quake3ThingType.item });
    flyOn(mover, item);
    expect(() => mover.bounce(item)).toThrow(refusal);
  });

  it('bounce as fast as they are told to be meanwhile, if that is possible', () => {
    const state = throwOne([0, 0, -400], { path: Quake3Path.linear, bounce: Quake3Bounce.full });
    flyOn(mover, state);
    state.owner = -2;
    expect(() => mover.bounce(state)).toThrow('state.owner must be');
    state.owner = -1;
    state.delta[2] = -100;
    mover.bounce(state);
    expect(state.delta[2]).toBe(100);
  });

  it('bounce after a bounce that was refused, once its speed is possible', () => {
    const state = throwOne([0, 0, -400], { path: Quake3Path.linear, bounce: Quake3Bounce.full });
    flyOn(mover, state);
    const before = cloneState(state);
    state.delta[2] = -3e38;
    expect(() => mover.bounce(state)).toThrow('delta[2] at the end of the move must be a finite float32');
    copyState(before, state);
    mover.bounce(state);
    expect(state.delta[2]).toBe(400);
  });

  it('stop after the time of their path, not at it', () => {
    const state = throwOne([120, 0, 0], { path: Quake3Path.linearStop, pathTime: 50, pathDuration: 90 });
    const speeds = [139, 140, 141].map((time) => quake3ThingVelocity(state, time, new Float32Array(3))[0]);
    expect(speeds).toEqual([120, 120, 0]);
  });

  it('are where their paths say, and as fast', () => {
    for (const path of Object.values(Quake3Path)) {
      if (path === Quake3Path.sine) continue;
      const state = throwOne([120, 30, 90], { path, pathTime: -20, pathDuration: 90 });
      const [place, speed] = [new Float32Array(3), new Float32Array(3)];
      expect(quake3ThingPosition(state, 100, place)).toBe(place);
      expect(quake3ThingVelocity(state, 100, speed)).toBe(speed);
      const seconds = path === Quake3Path.linearStop ? 0.09 : path <= Quake3Path.interpolate ? 0 : 0.12;
      const fall = path === Quake3Path.gravity ? 400 * 0.12 * 0.12 : 0;
      expect(place[0]).toBeCloseTo(-100 + 120 * seconds, 4);
      expect(place[2]).toBeCloseTo(64 + 90 * seconds - fall, 4);
      const moves = path === Quake3Path.linear || path === Quake3Path.gravity;
      expect(speed[0]).toBe(moves ? 120 : 0);
      expect(speed[2]).toBeCloseTo(moves ? 90 - (path === Quake3Path.gravity ? 96 : 0) : 0, 4);
      mover.move(state, 100);
      expect(Array.from(state.origin)).toEqual(Array.from(place));
    }
  });

  it('have no place or speed beyond float32', () => {
    const [state, out] = [throwOne([3e38, 0, 0], { path: Quake3Path.linear }), new Float32Array(3)];
    expect(() => quake3ThingPosition(state, 100_000, out)).toThrow(RangeError);
  });

  it('have not begun a stopped path before its time', () => {
    const state = throwOne([120, 0, 0], { path: Quake3Path.linearStop, pathTime: 50, pathDuration: 90 });
    const place = quake3ThingPosition(state, 0, new Float32Array(3));
    expect(Array.from(place)).toEqual(Array.from(state.base));
  });

  it('that begin in solid stay there, and have hit it at once', () => {
    const state = throwOne([100, 0, 0], { path: Quake3Path.linear });
    for (const place of [state.base, state.origin]) place.set([-100, -256, -8]);
    expect(mover.move(state, FRAME)).toBe(true);
    expect(mover.trace.fraction).toBe(0);
    expect(mover.entity).toBe(0);
    expect(Array.from(state.origin)).toEqual([-100, -256, -8]);
  });

  it('are stopped by bodies, but not by their own, nor by whoever threw them', () => {
    const scene = createScene(world, { rules: 'quake3' });
    const inScene = createQuake3ThingMover(scene);
    const box = createBody({ kind: 'box', mins: [-8, -8, -8], maxs: [8, 8, 8] });
    const [thrower, first, second] = [0, 0, 60].map((x) => scene.add(box, { origin: [-100 + x, -256, 64] }));
    const rocket = (changes: Partial<Quake3ThingState>): Quake3ThingState =>
      throwOne([500, 0, 0], { path: Quake3Path.linear, ...changes });
    const hits = (state: Quake3ThingState): (number | boolean)[] => [
      inScene.move(state, FRAME),
      inScene.entity,
      state.origin[0]!,
    ];
    expect(hits(rocket({ owner: thrower!, entity: first! }))).toEqual([false, -1, -75]);
    // One after the other: each has its own.
    const other = rocket({ owner: thrower! });
    expect(hits(other)).toEqual([true, first, -100]);
    const beside = rocket({ owner: first!, entity: thrower! });
    expect(hits(beside)).toEqual([false, -1, -75]);
    expect([inScene.move(beside, 3 * FRAME), inScene.entity]).toEqual([true, second]);
    expect(hits(rocket({ owner: -1, entity: first! }))).toEqual([true, thrower, -100]);
  });
});

describe('items of Quake 3', () => {
  const mover = createQuake3ThingMover(world);

  it('bounce by themselves, and lie on whole numbers', () => {
    const state = throwOne([150, 40, 200], { type: Quake3ThingType.item });
    const hits: number[] = [];
    for (let time = FRAME; state.path !== Quake3Path.stationary; time += FRAME) {
      if (mover.move(state, time)) hits.push(mover.entity);
    }
    expect(hits.length).toBeGreaterThan(2);
    expect(state.ground).toBe(0);
    // A box of 30 units, one above what it lies on.
    expect(state.origin[2]).toBe(16);
    for (const x of state.origin) expect(Number.isInteger(x)).toBe(true);
  });

  it('fall again where what they lie on has gone', () => {
    const state = throwOne([0, 0, 0], { type: Quake3ThingType.item, path: Quake3Path.stationary, ground: 5 });
    expect(mover.move(state, FRAME)).toBe(false);
    expect(state.origin[2]).toBe(64);
    state.ground = -1;
    mover.move(state, 2 * FRAME);
    mover.move(state, 3 * FRAME);
    // From when the mover found out.
    expect(state.pathTime).toBe(2 * FRAME);
    expect(state.origin[2]).toBe(63);
  });
});

/** A mover whose traces are answered in turn: with what differs from a way without anything in it. */
function told(...answers: readonly Partial<Trace & { entity: number }>[]) {
  const asked: { readonly start: number[]; readonly end: number[]; readonly changes: object }[] = [];
  const box = world.box([0, 0, 0], [0, 0, 0]);
  let changes = {};
  let next = 0;
  const mover = createQuake3ThingMover({
    box: () => ({
      createTrace: () => ({ ...box.createTrace(), entity: -1, startEntity: -1 }),
      set: (given) => {
        changes = { ...changes, ...given };
      },
      trace: (start, end, out) => {
        asked.push({ start: Array.from(start), end: Array.from(end), changes: structuredClone(changes) });
        const { endPos = end, normal = [0, 0, 0], ...rest } = answers[next++] ?? {};
        Object.assign(
          out!,
          { fraction: 1, startSolid: false, allSolid: false, surfaceFlags: 0, entity: -1 },
          rest,
        );
        out!.endPos.set(Array.from(endPos));
        out!.normal.set(Array.from(normal));
        return out!;
      },
    }),
  });
  return { mover, asked };
}

const hit = (z: number): Partial<Trace & { entity: number }> => ({
  fraction: 0.5,
  endPos: Float32Array.of(1, 2, 3),
  normal: Float32Array.of(Math.sqrt(1 - z * z), 0, z),
  entity: 0,
});

describe('the rules of Quake 3', () => {
  it.each<[z: number, speed: number, lies: boolean]>([
    // Half bounces keep 0.65: 61 leave 39.65, 62 leave 40.3.
    [1, 61, true],
    [1, 62, false],
    // 40 exactly, in float32.
    [1, Math.fround(40 / 0.65), false],
    // The float next to 0.2 is a little more.
    [0.2, 10, true],
    [0.19999, 10, false],
  ])('let a grenade lie by the slope and its speed: z %f, %f units per second', (z, speed, lies) => {
    const { mover } = told(hit(z));
    const state = throwOne([0, 0, -speed], { path: Quake3Path.linear });
    expect(mover.move(state, FRAME)).toBe(true);
    expect(mover.bounce(state)).toBe(lies);
    expect(Array.from(state.origin)).toEqual(
      lies ? [1, 2, 3] : [1 + Math.fround(Math.sqrt(1 - z * z)), 2, 3 + z].map(Math.fround),
    );
  });

  it.each<[z: number, speed: number, lies: boolean]>([
    [1, 79, true],
    [1, 80, false],
    [0.01, 10, true],
    [0, 10, false],
  ])('let an item lie on any floor: z %f, %f units per second', (z, speed, lies) => {
    const { mover } = told({ ...hit(z), endPos: Float32Array.of(1.5, -2.5, 3.5), entity: 7 });
    // It falls by gravity, too, which is given back before.
    const state = throwOne([0, 0, 0], { type: Quake3ThingType.item, pathTime: FRAME / 2 });
    state.delta[2] = -speed;
    mover.move(state, FRAME);
    expect(state.path === Quake3Path.stationary).toBe(lies);
    // Whole numbers, towards 0, from one above.
    if (lies) expect(Array.from(state.origin)).toEqual([1, -2, 4]);
    expect(state.ground).toBe(lies ? 7 : -1);
  });

  it('let an item lie at 0, which has no sign', () => {
    const { mover } = told({ ...hit(1), endPos: Float32Array.of(-0.5, 0.5, -1.5) });
    const state = throwOne([0, 0, -10], { type: Quake3ThingType.item });
    mover.move(state, FRAME);
    expect(Array.from(state.origin)).toEqual([0, 0, 0]);
  });

  it('take times for float32s, and a hit for one in a whole millisecond', () => {
    const f = Math.fround;
    const random = createRandom(seedOf(8));
    for (let k = 0; k < 200; k++) {
      const whole = (most: number): number => Math.floor(2 ** most * random());
      const began = whole(29) - 2 ** 28;
      const time = began + whole(28);
      const fraction = random();
      const { mover } = told({ ...hit(1), fraction });
      const state = throwOne([0, 0, 0], { time: began, pathTime: began, bounce: Quake3Bounce.full });
      mover.move(state, time);
      mover.bounce(state);
      const at = Math.trunc(f(f(began) + f(f(time - began) * f(fraction))));
      expect(state.delta[2]).toBe(f(800 * f((at - began) * 0.001)));
    }
  });

  it('let a missile hit what it begins in, even if it is no longer in that where it stands', () => {
    const { mover, asked } = told({ startSolid: true, fraction: 0.3, endPos: Float32Array.of(9, 9, 9) }, {});
    const state = throwOne([100, 0, 0], { path: Quake3Path.linear });
    expect(mover.move(state, FRAME)).toBe(true);
    expect(asked[1]!.start).toEqual(asked[1]!.end);
    expect(mover.trace.fraction).toBe(0);
    expect(mover.entity).toBe(0);
    expect(Array.from(state.origin)).toEqual([-100, -256, 64]);
  });

  it('let an item go on from where it comes out of solid, as if it had hit that at once', () => {
    const { mover, asked } = told({
      startSolid: true,
      fraction: 0.5,
      endPos: Float32Array.of(9, 9, 9),
      entity: 3,
    });
    const state = throwOne([0, 0, 200], { type: Quake3ThingType.item });
    expect(mover.move(state, FRAME)).toBe(true);
    expect(asked.length).toBe(1);
    expect(mover.entity).toBe(3);
    expect(Array.from(state.base)).toEqual([9, 9, 9]);
    // At once: before it has fallen for a while.
    expect(state.delta[2]).toBe(100);
  });
});

describe('things in a scene', () => {
  const scene = createScene(world, { rules: 'quake3' });
  const player = createBody({ kind: 'box', mins: [-15, -15, -24], maxs: [15, 15, 32] });
  const owner = scene.add(player, { origin: [-100, -256, 64] });
  const other = scene.add(player, { origin: [0, -256, 64] });
  const mover = createQuake3ThingMover(scene);

  it('pass their owner, and name what they hit', () => {
    const state = throwOne([400, 0, 0], { path: Quake3Path.linear, owner });
    flyOn(mover, state);
    expect(mover.entity).toBe(other);
    expect(state.origin[0]).toBe(-15.125);
  });

  it('are stopped by their masks: players do not stop items', () => {
    const item = throwOne([400, 0, 0], { type: Quake3ThingType.item, path: Quake3Path.linear, ground: 0 });
    expect(mover.move(item, 500)).toBe(false);
    const missile = throwOne([400, 0, 0], { path: Quake3Path.linear, owner, mask: 1 });
    expect(mover.move(missile, 500)).toBe(false);
    missile.time = 0;
    missile.origin.set(missile.base);
    missile.mask = 0x2000000;
    expect(mover.move(missile, 500)).toBe(true);
    expect(mover.entity).toBe(other);
    // The floor is none, then.
    const falling = throwOne([0, 0, -400], { path: Quake3Path.linear, owner, mask: 0x2000000 });
    expect(mover.move(falling, 500)).toBe(false);
    expect(falling.origin[2]).toBe(64 - 200);
  });

  it('name what a missile is stuck in, even if it touches something else at the same place', () => {
    const both = createScene(world, { rules: 'quake3' });
    const cube = (half: number) =>
      createBody({ kind: 'box', mins: [-half, -half, -half], maxs: [half, half, half] });
    // Linked last, and so asked first: the missile is a twentieth of a unit in front of it.
    const around = both.add(cube(80), { origin: [-100, -256, 64] });
    both.add(cube(50), { origin: [-49.95, -256, 64] });
    const touching = createQuake3ThingMover(both);
    const state = throwOne([1, 0, 0], { path: Quake3Path.linear });
    expect(touching.move(state, 40)).toBe(true);
    expect(touching.entity).toBe(around);
    expect(touching.trace).toMatchObject({ fraction: 0, startSolid: true, allSolid: true });
    // It has met no plane to bounce off.
    touching.bounce(state);
    expect(state.delta[0]).toBeGreaterThan(0);
  });

  it('name what an item begins in and gets out of', () => {
    const doors = createScene(world, { rules: 'quake3' });
    const panel = createBody({ kind: 'box', mins: [-8, -8, -8], maxs: [8, 8, 8] }, { contents: 1 });
    const door = doors.add(panel, { origin: [-100, -256, 64] });
    const leaving = createQuake3ThingMover(doors);
    const item = throwOne([400, 0, 0], { type: Quake3ThingType.item, path: Quake3Path.linear, ground: 0 });
    expect(leaving.move(item, 500)).toBe(true);
    expect([leaving.entity, leaving.trace.fraction, item.origin[0]]).toEqual([door, 0, 100]);
  });

  it('take the tracing half of two', () => {
    const state = throwOne([400, 0, 0], { path: Quake3Path.linear, owner });
    const half = createQuake3ThingMover({ trace: scene });
    flyOn(half, state);
    expect(half.entity).toBe(other);
  });
});

describe('a state of a thing', () => {
  const mover = createQuake3ThingMover(world);

  it('goes over the network', () => {
    const state = throwOne([200, 50, 150], { bounceFactor: Math.fround(0.3), owner: 7 });
    mover.move(state, FRAME);
    const bytes = packState(state, new Uint8Array(stateBytes(state)));
    const there = unpackState(bytes, createQuake3ThingState());
    expect(equalStates(state, there)).toBe(true);
    expect([flyOn(mover, state, true), flyOn(mover, there, true)]).toEqual([there.time, state.time]);
    expect(equalStates(state, there)).toBe(true);
  });

  it('is for worlds whose contents are bits', () => {
    expect(() => createQuake3ThingMover(quake1Arena())).toThrow(
      'the contents of space are not bits: use the mover of its game',
    );
  });

  it('is not moved back in time', () => {
    const state = throwOne([0, 0, 0], { time: 100 });
    expect(() => mover.move(state, 99)).toThrow(
      new RangeError('time must not be before state.time, which is 100, got 99'),
    );
    expect(mover.move(state, 100)).toBe(false);
  });

  it('belongs to nobody and lies on nothing at first, and has the numbers of the game', () => {
    expect(createQuake3ThingState()).toMatchObject({
      owner: -1,
      ground: -1,
      entity: -1,
      pushMask: 1,
      time: 0,
      pathTime: 0,
      pathDuration: 0,
    });
    expect(Quake3Path).toEqual({
      ...{ stationary: 0, interpolate: 1, linear: 2, linearStop: 3, sine: 4, gravity: 5 },
    });
  });

  const wrong: readonly (readonly [Partial<Record<keyof Quake3ThingState, unknown>>, string])[] = [
    [{ kind: 'quake3' }, 'state must be one made by createQuake3ThingState'],
    [{ type: 1 }, 'state.type must be one of Quake3ThingType (item 2, missile 3), got 1'],
    [
      { path: 4 },
      'state.path must be one of Quake3Path (stationary 0, interpolate 1, linear 2, linearStop 3, gravity 5), got 4',
    ],
    [{ path: 6 }, 'state.path must be one of Quake3Path (stationary 0, '],
    [{ bounce: 0 }, 'state.bounce must be one of Quake3Bounce (full 1, half 2), got 0'],
    [{ bounceFactor: Number.NaN }, 'state.bounceFactor must be a finite float32, got NaN'],
    [{ bounceFactor: 1e39 }, 'state.bounceFactor must be a finite float32'],
    [{ bounceFactor: '1' }, "state.bounceFactor must be a finite float32, got '1'"],
    [{ time: 0.5 }, 'state.time must be'],
    [{ pathTime: 2 ** 30 }, 'state.pathTime must be'],
    [{ pathTime: -(2 ** 30) }, 'state.pathTime must be a whole number from -1073741823 to 1073741823'],
    [{ pathDuration: '1' }, 'state.pathDuration must be'],
    [{ mask: 0.5 }, 'state.mask must be'],
    [{ ground: -2 }, 'state.ground must be'],
    [{ owner: -2 }, 'state.owner must be'],
    [{ entity: -2 }, 'state.entity must be'],
    [{ pushMask: 0.5 }, 'state.pushMask must be'],
    [{ maxs: Float32Array.of(-1, 0, 0) }, 'mins[0] must not be above maxs[0]'],
    ...(['base', 'delta', 'origin'] as const).flatMap((name) =>
      [0, 1, 2].map((k): [object, string] => [
        { [name]: new Float32Array(3).fill(k === 1 ? Number.NaN : Infinity, k, k + 1) },
        `state.${name}[${k}] must be`,
      ]),
    ),
  ];
  it.each(wrong)('names what is wrong in %j', (changes, message) => {
    const state = Object.assign(throwOne([1, 2, 3]), changes);
    const before = structuredClone(state);
    const out = new Float32Array(3);
    for (const call of [
      () => mover.move(state, FRAME),
      () => mover.bounce(state),
      () => quake3ThingPosition(state, FRAME, out),
      () => quake3ThingVelocity(state, FRAME, out),
    ]) {
      expect(call).toThrow(message);
    }
    expect(state).toEqual(before);
  });

  it('is moved to whole times, and tells its place and speed to arrays with room for them', () => {
    const state = throwOne([1, 2, 3]);
    for (const time of [0.5, Number.NaN, 2 ** 30, -(2 ** 30), '1' as never]) {
      expect(() => mover.move(state, time)).toThrow(/^time must be a whole number/);
      expect(() => quake3ThingPosition(state, time, new Float32Array(3))).toThrow(
        /^time must be a whole number/,
      );
    }
    const path = Quake3Path.stationary;
    expect(quake3ThingVelocity({ ...state, path }, 1 - 2 ** 30, new Float32Array(4))).toEqual(
      new Float32Array(4),
    );
    expect(quake3ThingVelocity({ ...state, path }, 2 ** 30 - 1, new Float32Array(3))).toEqual(
      new Float32Array(3),
    );
    expect(() => quake3ThingVelocity(state, 1, new Float32Array(2))).toThrow(
      new RangeError('out must hold 3 numbers, got 2'),
    );
    expect(() => quake3ThingVelocity(state, 1, [0, 0, 0] as never)).toThrow('out must be a Float32Array');
  });

  it('does not change when a bounce leads beyond float32', () => {
    const state = throwOne([0, 0, -400], { type: Quake3ThingType.item, bounceFactor: 3e38 });
    const before = cloneState(state);
    expect(() => mover.move(state, 500)).toThrow('delta[2] at the end of the move must be a finite float32');
    expect(equalStates(state, before)).toBe(true);
  });

  it('does not change when it leads beyond float32', () => {
    const state = throwOne([3e38, 0, 0], { path: Quake3Path.linear });
    const before = cloneState(state);
    expect(() => mover.move(state, 100_000)).toThrow(RangeError);
    expect(equalStates(state, before)).toBe(true);
  });

  it('does not change when it is frozen', () => {
    const state = throwOne([200, 50, 150]);
    const before = cloneState(state);
    expect(() => mover.move(Object.freeze(state), FRAME)).toThrow(TypeError);
    expect(equalStates(state, before)).toBe(true);
  });

  it('is refused within a move of another', () => {
    const scene = createScene(world);
    const inner = createQuake3ThingMover({
      box: (mins, maxs, options) => {
        const box = scene.box(mins, maxs, options);
        return {
          createTrace: () => box.createTrace(),
          trace: (start, end, out) => {
            inner.move(throwOne([0, 0, 0]), FRAME);
            return box.trace(start, end, out as ReturnType<typeof box.createTrace>);
          },
        };
      },
    });
    expect(() => inner.move(throwOne([0, 0, 0]), FRAME)).toThrow(
      'a mover cannot be used within its own move',
    );
  });
});

describe('rows of missiles and items', () => {
  const given = { seq: 0, step: 0, time: 0, type: 3, bounce: 2, bounceFactor: 0.5 };
  const traced = {
    fraction: 0.5,
    endx: 1,
    endy: 2,
    endz: 3,
    nx: 0,
    ny: 0,
    nz: 1,
    startsolid: 0,
    flags: 0,
    entity: 1022,
  };
  const path = { path: 2, pathTime: 0, pathDuration: 0, bx: 0, by: 0, bz: 9, dx: 0, dy: 0, dz: -200 };
  const rest = { ox: 0, oy: 0, oz: 9, ground: 1023, gone: null, tox: null, toy: null, toz: null };
  const first = { ...given, ...traced, ...path, ...rest };
  const columns = Object.keys(first);

  const open = async (load: () => Uint8Array = () => readEngineMap('quake3/arena.bsp')) => {
    const header = { game: 'quake3', map: 'arena', kind: 'things', columns };
    const format = await quake3Format.load();
    const answering = movementRows(createScene).quake3!.things!.open(header, { format, load });
    return (changes: object) => {
      const row = Object.values({ ...first, ...changes }) as (number | null)[];
      answering.answer(row);
      return Object.fromEntries(columns.map((name, k) => [name, row[k]]));
    };
  };

  it('are answered by the traces that they give', async () => {
    const answer = await open();
    answer({});
    expect(answer({ step: 1, time: 50 })).toMatchObject({ toz: -1, bx: 1, by: 2, bz: 4, dz: 130, gone: 0 });
    expect(answer({ step: 2, time: 100, flags: 0x10 })).toMatchObject({ bz: null, gone: 2 });
  });

  it('need their map, and traces that can be', async () => {
    await expect(
      open(() => {
        throw new RangeError('no such map');
      }),
    ).rejects.toThrow('no such map');
    const answer = await open();
    expect(() => answer({ step: 1 })).toThrow('belongs to sequence 0, which has not begun');
    answer({});
    expect(() => answer({ step: 1, time: 50, fraction: 7.5 })).toThrow(
      'fraction must be from 0 to 1, got 7.5',
    );
  });
});
