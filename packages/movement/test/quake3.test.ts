import type { Trace, Vec3 } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import { createBody, createScene } from '@bspkit/scene';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  type BoxSource,
  cloneState,
  copyState,
  createQuake3Command,
  createQuake3Mover,
  createQuake3Slide,
  createQuake3State,
  createQuake3ThingMover,
  createQuake3ThingState,
  equalStates,
  firstDifference,
  type Quake3Command,
  Quake3Event,
  Quake3Flag,
  type Quake3Mover,
  type Quake3State,
  Quake3Type,
  quake3Angle,
} from '../src/index.ts';
import { quake1Arena, quake3Arena, SPAWN } from './arena.ts';
import { bend, DEGREES, spaceOf } from './rooms.ts';

// Equality with the engine is shown by recorded rows, which are answered in tests of all formats. Here is what the rows do not
// cover.

const world = quake3Arena();

function spawn(): Quake3State {
  const state = createQuake3State();
  state.origin.set(SPAWN);
  return state;
}

/** Commands of 50 ms, all alike. */
function run(mover: Quake3Mover, state: Quake3State, count: number, parts: Partial<Quake3Command> = {}) {
  const command = { ...createQuake3Command(), ...parts };
  const events: number[] = [];
  for (let k = 0; k < count; k++) {
    command.serverTime = state.commandTime + 50;
    mover.move(state, command);
    events.push(...mover.events.subarray(0, mover.numEvents));
  }
  return events;
}

/** Seeded commands of all kinds. */
function* anyCommands(seed: number, count: number): Generator<Quake3Command> {
  const random = createRandom(seedOf(seed));
  let serverTime = 0;
  for (let k = 0; k < count; k++) {
    serverTime += Math.floor(random() * 120);
    const side = (): number => Math.floor(random() * 3) * 127 - 127;
    const angles = [Math.floor(random() * 65536), Math.floor(random() * 65536), 0];
    yield { serverTime, angles, forward: side(), right: side(), up: side(), buttons: 0 };
  }
}

describe('a Quake 3 player', () => {
  const mover = createQuake3Mover(world);

  it('falls to the floor, stands, walks and jumps', () => {
    const state = spawn();
    state.origin[2] = 100;
    expect(run(mover, state, 20)).toEqual([Quake3Event.fallShort]);
    expect(state.ground).toBe(0);
    expect(state.velocity).toEqual(Float32Array.of(0, 0, 0));
    const floor = state.origin[2]!;
    expect(floor).toBe(24.125);
    expect([state.mins, state.maxs]).toEqual([Float32Array.of(-15, -15, -24), Float32Array.of(15, 15, 32)]);
    run(mover, state, 10, { forward: 127, angles: [0, quake3Angle(90), 0] });
    expect(state.velocity[1]).toBe(320);
    expect(run(mover, state, 1, { up: 127 })).toEqual([Quake3Event.jump]);
    expect(state.ground).toBe(-1);
    expect(state.origin[2]).toBeGreaterThan(floor);
    // The key must be let go before the next jump.
    expect(state.flags & Quake3Flag.jumpHeld).not.toBe(0);
    expect(run(mover, state, 30, { up: 127 })).not.toContain(Quake3Event.jump);
    run(mover, state, 1);
    expect(run(mover, state, 1, { up: 127 })).toContain(Quake3Event.jump);
  });

  it('moves the same when the time begins elsewhere, as it must after 24 days', () => {
    const [early, late] = [spawn(), spawn()];
    const start = 2 ** 31 - 100_000;
    late.commandTime = start;
    for (const command of anyCommands(6, 1000)) {
      mover.move(early, command);
      mover.move(late, { ...command, serverTime: start + command.serverTime });
    }
    late.commandTime -= start;
    expect(firstDifference(early, late)).toBe(undefined);
  });

  it('crouches', () => {
    const state = spawn();
    run(mover, state, 20, { up: -127 });
    expect([state.viewHeight, state.maxs[2]]).toEqual([12, 16]);
    run(mover, state, 10, { up: -127, forward: 127 });
    expect(state.velocity[0]).toBe(80);
    run(mover, state, 1);
    expect([state.viewHeight, state.maxs[2]]).toEqual([26, 32]);
  });

  it('can be of many types', () => {
    for (const type of Object.values(Quake3Type)) {
      const state = spawn();
      state.type = type;
      const before = Array.from(state.origin);
      run(mover, state, 10, { forward: 127, up: 127 });
      const moves = type === Quake3Type.normal || type === Quake3Type.noclip || type === Quake3Type.spectator;
      expect(state.origin[0]! > before[0]!, `type ${type}`).toBe(moves);
      expect(state.commandTime).toBe(500);
      expect(state.maxs[2]).toBe(({ 0: 32, 2: 32, 3: -8 } as Record<number, number>)[type] ?? 0);
    }
  });

  it.each([
    ['normal', 1, true],
    ['normal', 0, false],
    ['spectator', 0, true],
    ['intermission', 1, false],
    ['soloIntermission', 1, false],
  ] as const)('turns its view if it lives or only watches: %s, health %i', (type, health, turns) => {
    const state = Object.assign(spawn(), { type: Quake3Type[type], health });
    run(mover, state, 1, { angles: [0, 8192, 0] });
    expect(state.angles[1]).toBe(turns ? 45 : 0);
  });

  it('hangs on its grapple', () => {
    const state = spawn();
    run(mover, state, 20);
    state.flags |= Quake3Flag.grapplePull;
    state.grapple.set([0, -256, 300]);
    run(mover, state, 4);
    expect(state.origin[2]).toBeGreaterThan(80);
  });

  it('takes at most a second at once, and does not go back in time', () => {
    const state = spawn();
    const still = copyState(state, createQuake3State());
    mover.move(state, { ...createQuake3Command(), serverTime: -1 });
    expect(equalStates(state, still)).toBe(true);
    mover.move(state, createQuake3Command());
    still.frame = 1;
    expect(equalStates(state, still)).toBe(true);
    mover.move(state, { ...createQuake3Command(), serverTime: 100_000 });
    const late = copyState(still, createQuake3State());
    late.commandTime = 99_000;
    mover.move(late, { ...createQuake3Command(), serverTime: 100_000 });
    expect(equalStates(state, late)).toBe(true);
    // What the last command found is cleared after one that comes too late.
    expect(late.maxs[2]).toBe(32);
    mover.move(state, { ...createQuake3Command(), serverTime: 99_999 });
    late.mins.fill(0);
    late.maxs.fill(0);
    expect(equalStates(state, late)).toBe(true);
  });

  it('makes no footsteps if the option is off', () => {
    const heard = run(mover, spawn(), 60, { forward: 127, angles: [0, 16384, 0] });
    expect(heard.filter((event) => event === Quake3Event.footstep).length).toBeGreaterThan(3);
    const quiet = createQuake3Mover(world, { footsteps: false });
    const unheard = run(quiet, spawn(), 60, { forward: 127, angles: [0, 16384, 0] });
    // The landing still makes one.
    expect(unheard.filter((event) => event === Quake3Event.footstep)).toHaveLength(1);
  });

  it.each([
    ['native', {}],
    ['fixed', { slice: 8 }],
    ['qvm', { arithmetic: 'qvm' }],
  ] as const)('ends where it did before, whatever else its mover has moved: %s', (_, options) => {
    const [one, other] = [createQuake3Mover(world, options), createQuake3Mover(world, options)];
    const [a, b, c] = [spawn(), spawn(), spawn()];
    c.type = Quake3Type.spectator;
    const others = anyCommands(2, 400);
    for (const command of anyCommands(1, 400)) {
      one.move(a, command);
      one.move(c, others.next().value as Quake3Command);
      other.move(b, command);
    }
    expect(equalStates(a, b)).toBe(true);
    expect(a.origin).not.toEqual(Float32Array.from(SPAWN));
  });

  it.each([
    ['native', [150.43601989746094, 54.4886360168457]],
    ['qvm', [150.43603515625, 54.48863983154297]],
  ] as const)('rounds the speed that is wanted where the game does: %s', (arithmetic, velocity) => {
    const state = Object.assign(spawn(), { type: Quake3Type.noclip });
    run(createQuake3Mover(world, { arithmetic }), state, 1, { forward: 127, up: 46 });
    expect([state.velocity[0], state.velocity[2]]).toEqual(velocity);
    expect(state.origin[0]).toBeCloseTo(0.05 * velocity[0], 3);
  });

  it('moves in slices, and a little differently with other slices or arithmetic', () => {
    const ends = [{}, { slice: 8 }, { slice: 1 }, { arithmetic: 'qvm' as const }].map((options) => {
      const own = createQuake3Mover(world, options);
      const state = spawn();
      for (const command of anyCommands(3, 100)) own.move(state, command);
      return state.origin.join(' ');
    });
    expect(new Set(ends).size).toBeGreaterThan(2);
  });
});

describe('a Quake 3 player in a scene', () => {
  it('is not in its own body, where contents can leave that out', () => {
    const left: unknown[] = [];
    const contents = {
      contentsOptions: ['ignore'],
      contents(point: Vec3, filter?: { ignore: number }): number {
        left.push(filter?.ignore);
        return world.contents(point);
      },
    };
    const state = Object.assign(createQuake3State(), { entity: 7 });
    const mover = createQuake3Mover({ trace: world, contents });
    for (const command of anyCommands(5, 3)) mover.move(state, command);
    expect(new Set(left)).toEqual(new Set([7]));
  });

  it('moves as in the world alone, if nobody is in its way', () => {
    const scene = createScene(world, { rules: 'quake3' });
    const [a, b] = [spawn(), spawn()];
    const alone = createQuake3Mover(world);
    const among = createQuake3Mover({ trace: scene, contents: world });
    for (const command of anyCommands(4, 300)) {
      alone.move(a, command);
      among.move(b, command);
    }
    expect(equalStates(a, b)).toBe(true);
  });

  it('is stopped by others, stands on them, and not by itself', () => {
    const scene = createScene(world, { rules: 'quake3' });
    const mover = createQuake3Mover({ trace: scene, contents: world });
    const player = createBody({ kind: 'box', mins: [-15, -15, -24], maxs: [15, 15, 32] });
    const state = spawn();
    state.entity = scene.add(player, { origin: SPAWN });
    const other = scene.add(player, { origin: [100, -256, 24.125] });
    const follow = (): void => scene.move(state.entity, { origin: state.origin });
    for (let k = 0; k < 30; k++) {
      run(mover, state, 1, { forward: 127 });
      follow();
    }
    expect(state.origin[0]).toBeCloseTo(69.875, 1);
    expect(mover.touched.subarray(0, mover.numTouched)).toEqual(Int32Array.of(other));
    state.origin.set([100, -256, 100]);
    run(mover, state, 20);
    expect(state.ground).toBe(other);
    expect(state.origin[2]).toBeCloseTo(24.125 + 56 + 0.125, 4);
  });
});

describe('a command of Quake 3', () => {
  const WATER = 0x20;
  const floor = { normal: [0, 0, 1] } as const;
  const on = (parts: object) => [{ ...floor, ...parts }];
  /** Up to a height above the feet. */
  const deep = (top: number, contents = WATER) => ({
    contentsAt: ([, , z]: Vec3) => (z! + 24 < top ? contents : 0),
  });
  /** Water up to the chest, and a ledge ahead, up to a height. */
  const shore =
    (height: number, distance = 20) =>
    ([x, , z]: Vec3): number =>
      x! > distance && z! < height ? 1 : z! < 10 ? WATER : 0;
  const hooked = (x: number) => ({ flags: Quake3Flag.grapplePull, grapple: Float32Array.of(x, 0, 0) });
  const ahead = { forward: 127 };
  const {
    backwardsJump,
    backwardsRun,
    ducked,
    jumpHeld,
    respawned,
    timeKnockback,
    timeLand,
    timeWaterJump,
    useItemHeld,
  } = Quake3Flag;

  // A command lasts 50 ms, in which gravity adds 40 units per second. Players walk with 320 units per second.
  interface Case {
    sides?: Parameters<typeof spaceOf>[0];
    contentsAt?: Parameters<typeof spaceOf>[1];
    from?: readonly number[];
    state?: Partial<Quake3State>;
    command?: Partial<Quake3Command>;
    to: readonly number[];
  }
  const velocities: Record<string, Case> = {
    'in the air': { from: [100, 0, 10], to: [100, 0, -30] },
    'in the air, ahead': { from: [100, 0, 0], command: ahead, to: [116, 0, -40] },
    'on the ground': { sides: on({}), from: [100, 0, 0], to: [70, 0, 0] },
    'on the ground, slowly': { sides: on({}), from: [20, 0, 0], to: [0, 0, 0] },
    // Gravity is added, and the speed is kept along the ground.
    'on ice': { sides: on({ surfaceFlags: 2 }), from: [100, 0, 0], to: [108, 0, 0] },
    'on ice, ahead': { sides: on({ surfaceFlags: 2 }), from: [100, 0, 0], command: ahead, to: [123, 0, 0] },
    pushed: {
      sides: on({}),
      from: [100, 0, 0],
      state: { flags: timeKnockback, timer: 200 },
      to: [108, 0, 0],
    },
    crouched: { sides: on({}), command: { up: -127, ...ahead }, to: [40, 0, 0] },
    wading: { sides: on({}), ...deep(10), from: [300, 0, 0], command: ahead, to: [267, 0, 0] },
    sinking: { ...deep(100), to: [0, 0, -12] },
    swimming: { ...deep(100), from: [100, 0, 0], command: ahead, to: [117, 0, 0] },
    'slower in water': { ...deep(100), from: [200, 0, 0], to: [170, 0, -12] },
    'a ledge too far away to jump out of water': { contentsAt: shore(10, 30.5), to: [0, 0, -12] },
    'a ledge too low to jump out of water': { contentsAt: shore(3), to: [0, 0, -12] },
    'a ledge too high to jump out of water': { contentsAt: shore(21), to: [0, 0, -12] },
    'near the hook of a grapple': { state: hooked(116), to: [1000, 0, -40] },
    'far from the hook of a grapple': { state: hooked(117), to: [800, 0, -40] },
    'jumping out of water': { contentsAt: shore(10), to: [200, 0, 270] },
    flying: { state: { flight: 1 }, from: [100, 0, 0], command: ahead, to: [213, 0, 0] },
    jumping: { sides: on({}), command: { up: 10 }, to: [0, 0, 230] },
    'not jumping': { sides: on({}), command: { up: 9 }, to: [0, 0, 0] },
    'jumping with the key held': {
      sides: on({}),
      state: { flags: jumpHeld },
      command: { up: 10 },
      to: [0, 0, 0],
    },
    'jumping just respawned': {
      sides: on({}),
      state: { flags: respawned },
      command: { up: 127, buttons: 1 },
      to: [0, 0, 0],
    },
    dead: { sides: on({}), from: [100, 0, 0], state: { type: Quake3Type.dead }, to: [50, 0, 0] },
  };

  it.each(Object.entries(velocities))('changes the velocity: %s', (_, given) => {
    const { sides = [], contentsAt, from, state: parts, command, to } = given;
    const state = Object.assign(createQuake3State(), parts);
    state.velocity.set(from ?? []);
    run(createQuake3Mover(spaceOf(sides, contentsAt)), state, 1, command);
    expect(Array.from(state.velocity)).toEqual(to);
  });

  it.each<[string, number, Partial<Quake3Command>, number]>([
    ['lets go of the jump key', jumpHeld, { up: 9 }, 0],
    ['holds the jump key', jumpHeld, { up: 10 }, jumpHeld],
    ['stands up', ducked, {}, 0],
    ['crouches', 0, { up: -1 }, ducked],
    ['runs backwards', 0, { forward: -1 }, backwardsRun],
    ['runs ahead', backwardsRun, { forward: 1 }, 0],
    ['runs sideways', backwardsRun, { right: 1 }, 0],
    ['stands', backwardsRun, {}, backwardsRun],
    ['jumps ahead', backwardsJump, { up: 127 }, jumpHeld],
    ['jumps backwards', 0, { up: 127, forward: -1 }, jumpHeld | backwardsJump | backwardsRun],
    ['does nothing after it has come to life', respawned, {}, 0],
    ['shoots after it has come to life', respawned, { buttons: 1 }, respawned],
    ['lets go of an item', useItemHeld, {}, 0],
    ['holds an item', useItemHeld, { buttons: 4 }, useItemHeld],
    ['lands after a jump out of water', timeWaterJump | timeLand, {}, 0],
  ])('changes flags: who %s', (_, flags, command, after) => {
    const state = Object.assign(createQuake3State(), { flags, timer: 1000, ground: 0 });
    run(createQuake3Mover(spaceOf(on({}))), state, 1, command);
    expect(state.flags).toBe(after);
  });

  it.each([
    ['ahead', backwardsJump, 1, 0],
    ['backwards', 0, -1, backwardsJump | backwardsRun],
  ])('notes that the player is thrown off the ground %s', (_, flags, forward, after) => {
    const state = Object.assign(createQuake3State(), { flags });
    state.velocity[2] = 300;
    run(createQuake3Mover(spaceOf(on({}))), state, 1, { forward });
    expect([state.flags, state.ground]).toEqual([after, -1]);
  });

  const { fallFar, fallMedium, fallShort, footstep, metalFootstep } = Quake3Event;
  const [NO_DAMAGE, METAL, NO_STEPS] = [1, 0x1000, 0x2000];

  // Harm is a ten thousandth of the square of the speed, which grows over the height that is left.
  it.each<[number, number, number, Pick<Case, 'contentsAt' | 'state' | 'command'>, number[]]>([
    [-775, 0, 0, {}, [fallFar]],
    [-774, 0, 0, {}, [fallMedium]],
    [-774, 0, 0, { state: { health: 0 } }, []],
    [-633, 0, 0, {}, [fallMedium]],
    [-632, 0, 0, {}, [fallShort]],
    [-265, 0, 0, {}, [fallShort]],
    [-264, 0, 0, {}, [footstep]],
    [-264, 0, METAL, {}, [metalFootstep]],
    [-264, 0, NO_STEPS, {}, [Quake3Event.none]],
    [-264, 0, NO_DAMAGE, {}, []],
    [-101, 0, 0, {}, [footstep]],
    [-99, 0, 0, {}, []],
    [-188, 0, 0, { command: { up: -1 } }, [fallShort]],
    [-187, 0, 0, { command: { up: -1 } }, [footstep]],
    [-375, 0, 0, deep(10), [fallShort]],
    [-373, 0, 0, deep(10), [footstep]],
    [-743.3, 30, 0, {}, [fallFar]],
    [-742, 30, 0, {}, [fallMedium]],
  ])(
    'tells of a landing at a speed of %d, %i above the ground: %#',
    (speed, height, surfaceFlags, given, told) => {
      const state = Object.assign(createQuake3State(), { health: 100 }, given.state);
      state.origin[2] = height;
      state.velocity[2] = speed;
      const mover = createQuake3Mover(spaceOf(on({ surfaceFlags }), given.contentsAt));
      expect(run(mover, state, 1, given.command)).toEqual(told);
    },
  );

  it('divides how high the eyes are above the feet as integers are divided, towards zero', () => {
    // Three units below the feet: the middle is one below them.
    const state = Object.assign(createQuake3State(), { viewHeight: -27, type: Quake3Type.dead });
    const found: number[] = [];
    const contents = ([, , z]: Vec3): number => {
      found.push(z! + 24);
      return 0x20;
    };
    run(createQuake3Mover(spaceOf(on({}), contents)), state, 1);
    expect(found.slice(0, 3)).toEqual([1, -1, -3]);
  });

  it('stands on nothing while it is stuck', () => {
    const state = Object.assign(createQuake3State(), { ground: 0 });
    run(createQuake3Mover(spaceOf(on({ at: 100 }))), state, 1);
    expect(state.ground).toBe(-1);
  });

  it('turns the legs into one of eight directions', () => {
    const mover = createQuake3Mover(spaceOf(on({})));
    const turned = (direction: number, forward: number, right: number): number => {
      const state = Object.assign(createQuake3State(), { direction });
      run(mover, state, 1, { forward, right });
      return state.direction;
    };
    const directions = [-9, 0, 9].map((forward) => [-9, 0, 9].map((right) => turned(4, forward, right)));
    expect(directions).toEqual([
      [3, 4, 5],
      [2, 4, 6],
      [1, 0, 7],
    ]);
    // Who stands has at most half turned legs.
    expect([2, 6].map((direction) => turned(direction, 0, 0))).toEqual([1, 7]);
  });

  it('looks for what is below again, which may be gone since the last one', () => {
    const scene = createScene();
    const lift = scene.add(createBody({ kind: 'box', mins: [-32, -32, -34], maxs: [32, 32, -24.125] }));
    const mover = createQuake3Mover({ trace: scene, contents: { contents: () => 0 } });
    const state = createQuake3State();
    run(mover, state, 1);
    expect([state.ground, state.origin[2]]).toEqual([lift, 0]);
    scene.remove(lift);
    run(mover, state, 1);
    expect([state.ground, state.origin[2]]).toEqual([-1, -1]);
  });

  it('looks once at what is below and around a player that stays where it is', () => {
    const { trace, contents } = spaceOf(on({ at: 3 }));
    const asked: string[] = [];
    const tracer = trace.box();
    const watched = {
      ...tracer,
      trace(start: Vec3, end: Vec3, out: Trace): Trace {
        asked.push('trace');
        return tracer.trace(start, end, out);
      },
    };
    const mover = createQuake3Mover({
      trace: { box: () => watched },
      contents: { contents: (point) => asked.push('contents') && contents.contents(point) },
    });
    run(mover, Object.assign(createQuake3State(), { origin: Float32Array.of(1, 2, 3) }), 1);
    expect(asked).toEqual(['contents', 'trace']);
  });
});

describe('the space of a mover', () => {
  it('may be a collider of our own, whose tracers cannot be changed', () => {
    const sizes: number[] = [];
    const trace: BoxSource = {
      box(mins, maxs, options) {
        const tracer = world.box(mins, maxs, options);
        sizes.push(maxs[2]!);
        const own = (start: Vec3, end: Vec3, out: Trace): Trace => tracer.trace(start, end, out);
        return { createTrace: () => tracer.createTrace(), trace: own };
      },
    };
    const [a, b] = [spawn(), spawn()];
    const [one, other] = [createQuake3Mover({ trace, contents: world }), createQuake3Mover(world)];
    for (const command of anyCommands(5, 200)) {
      one.move(a, command);
      other.move(b, command);
    }
    expect(equalStates(a, b)).toBe(true);
    expect(new Set(sizes)).toEqual(new Set([32, 16]));
  });

  it('may be a world of our own that has a method trace, too', () => {
    class Own {
      readonly box = world.box.bind(world);
      readonly contents = world.contents.bind(world);
      trace(): boolean {
        return false;
      }
    }
    const [a, b] = [spawn(), spawn()];
    run(createQuake3Mover(new Own()), a, 40);
    run(createQuake3Mover(world), b, 40);
    expect(equalStates(a, b)).toBe(true);
    const thing = createQuake3ThingState();
    thing.base.set(SPAWN);
    thing.origin.set(SPAWN);
    expect(createQuake3ThingMover(new Own()).move(thing, 1000)).toBe(true);
  });

  const notBits = 'the contents of space are not bits: use the mover of its game';

  it.each([
    [undefined, 'space must be a world, or { trace, contents }, got undefined'],
    [{}, 'space has no box(): pass a world, as openBsp opens it'],
    [
      { box: (): number => 0 },
      'space has no contents(): pass { trace, contents }, such as a scene and its world',
    ],
    [{ trace: world }, 'space.contents must be a world, got undefined'],
    [{ trace: 5, contents: world }, 'space.trace must be a world or scene, got 5'],
    [quake1Arena(), notBits],
    [{ trace: world, contents: quake1Arena() }, notBits],
    [{ box: (): number => 0, contents: (): number => 0 }, 'what box() makes must be a tracer, got 0'],
  ])('%#: is refused by name', (space, message) => {
    expect(() => createQuake3Mover(space as never)).toThrow(new TypeError(message));
  });

  it('has options that are refused by name', () => {
    const make = (options: object) => () => createQuake3Mover(world, options);
    expect(make({ speed: 1 })).toThrow("there is no option 'speed' here");
    expect(make({ arithmetic: 'double' })).toThrow(RangeError);
    expect(make({ slice: 0 })).toThrow('slice must be a whole number from 1 to 200, got 0');
    expect(make({ footsteps: 1 })).toThrow(TypeError);
  });
});

describe('invalid commands and states', () => {
  const mover = createQuake3Mover(world);

  it.each([
    [{ forward: Number.NaN }, 'command.forward must be a whole number from -128 to 127, got NaN'],
    [{ right: 128 }, 'command.right must be a whole number from -128 to 127, got 128'],
    [{ up: 0.5 }, 'command.up must be a whole number from -128 to 127, got 0.5'],
    [{ serverTime: Number.NaN }, 'command.serverTime must be a whole number from'],
    [{ serverTime: 2 ** 31 }, 'command.serverTime must be a whole number from'],
    [{ buttons: Number.NaN }, 'command.buttons must be a whole number'],
    [{ angles: [0, Number.NaN, 0] }, 'command.angles[1] must be a whole number from 0 to 65535, got NaN'],
    [{ angles: [0, 0, 65536] }, 'command.angles[2] must be a whole number from 0 to 65535, got 65536'],
    [{ angles: [0, 0] }, 'command.angles[2] must be a whole number from 0 to 65535, got undefined'],
    [{ angles: undefined }, 'command.angles must be three numbers, got undefined'],
  ])('%o', (parts, message) => {
    const state = spawn();
    const still = copyState(state, createQuake3State());
    expect(() => mover.move(state, { ...createQuake3Command(), ...parts } as never)).toThrow(message);
    expect(equalStates(state, still)).toBe(true);
  });

  it('refuses a velocity that leads beyond the range of float32, by its name', () => {
    const state = spawn();
    state.velocity[0] = 3e38;
    const still = copyState(state, createQuake3State());
    const command = { ...createQuake3Command(), serverTime: 50 };
    expect(() => mover.move(state, command)).toThrow(
      'velocity, over the time of the move, must not lead beyond',
    );
    expect(equalStates(state, still)).toBe(true);
  });

  it.each([
    [undefined, 'state must be one made by createQuake3State, got undefined'],
    [{}, 'state must be one made by createQuake3State, got an object'],
    [JSON.parse(JSON.stringify(spawn())), 'state must be one made by createQuake3State, got an object'],
    [{ ...spawn(), kind: 'quake4' }, 'state must be one made by createQuake3State, got an object'],
    [{ ...spawn(), origin: [0, 0, 0] }, 'state.origin must be a Float32Array, got an array'],
    [
      { ...spawn(), origin: Float32Array.of(0, Number.NaN, 0) },
      'state.origin[1] must be a finite float32, got NaN',
    ],
    [{ ...spawn(), velocity: Float32Array.of(1 / 0, 0, 0) }, 'state.velocity[0] must be a finite float32'],
    [{ ...spawn(), gravity: Number.NaN }, 'state.gravity must be a whole number'],
    [{ ...spawn(), speed: 1.5 }, 'state.speed must be a whole number'],
    [{ ...spawn(), type: 7 }, 'state.type must be a whole number from 0 to 6, got 7'],
    [{ ...spawn(), mask: 'all' }, 'state.mask must be a whole number of 32 bits'],
    [{ ...spawn(), entity: -2 }, 'state.entity must be a whole number'],
    [{ ...spawn(), timer: undefined }, 'state.timer must be a whole number'],
    [{ ...spawn(), flags: 1n }, 'state.flags must be a whole number'],
    [{ ...spawn(), health: Symbol('health') }, 'state.health must be a whole number'],
    [{ ...spawn(), mask: 1n }, 'state.mask must be a whole number of 32 bits, got 1'],
    [{ ...spawn(), mask: Symbol('mask') }, 'state.mask must be a whole number of 32 bits, got Symbol(mask)'],
  ])('%#', (state, message) => {
    expect(() => mover.move(state as Quake3State, createQuake3Command())).toThrow(message);
  });

  it('a frozen state does not move', () => {
    const state = Object.freeze({ ...spawn(), velocity: Float32Array.of(100, 0, 0) });
    const still = cloneState(state);
    expect(() => mover.move(state, { ...createQuake3Command(), serverTime: 50 })).toThrow(TypeError);
    expect(equalStates(state, still)).toBe(true);
    const slide = Object.freeze({ ...createQuake3Slide(), velocity: state.velocity, frameTime: 0.1 });
    expect(() => mover.slideMove(slide)).toThrow(TypeError);
    expect(slide.origin).toEqual(new Float32Array(3));
  });

  it('a mask may have no sign', () => {
    const [a, b] = [spawn(), spawn()];
    a.mask = 0x82010001;
    b.mask = 0x82010001 | 0;
    run(mover, a, 10, { forward: 127 });
    run(mover, b, 10, { forward: 127 });
    expect(a.origin).toEqual(b.origin);
  });

  it.each(['spectator', 'noclip'] as const)('nothing changes if a %s leaves float32', (type) => {
    const state = spawn();
    state.type = Quake3Type[type];
    state.velocity.set([3e38, 0, 0]);
    state.origin.set([3.4e38, 0, 0]);
    const still = copyState(state, createQuake3State());
    expect(() => mover.move(state, { ...createQuake3Command(), serverTime: 1000 })).toThrow(RangeError);
    expect(equalStates(state, still)).toBe(true);
    run(mover, spawn(), 1);
  });
});

describe('slides by themselves', () => {
  const mover = createQuake3Mover(world);

  it('go along walls, and up steps', () => {
    const slide = createQuake3Slide();
    slide.origin.set([0, -490, 32]);
    slide.velocity.set([200, -400, 0]);
    slide.frameTime = 0.1;
    mover.slideMove(slide);
    expect(slide.bumped).toBe(true);
    expect(slide.impactSpeed).toBe(400);
    expect(slide.origin[0]).toBeCloseTo(20, 4);
    expect(slide.velocity[0]).toBe(200);
    expect(Math.abs(slide.velocity[1]!)).toBeLessThan(1);
    mover.stepSlideMove(slide);
    expect(slide.origin[0]).toBeCloseTo(40, 4);
    slide.velocity[1] = -400;
    mover.stepSlideMove(slide);
    expect([slide.bumped, slide.impactSpeed]).toEqual([true, 400]);
  });

  it('stop among more planes than they keep', () => {
    const slide = createQuake3Slide();
    slide.frameTime = 0.05;
    slide.velocity[0] = 320;
    const others = createQuake3Mover({ trace: bend, contents: world });
    others.slideMove(slide);
    expect(Math.atan2(slide.velocity[1]!, slide.velocity[0]!) * DEGREES).toBeCloseTo(60, 0);
    // The ground is one of them.
    slide.velocity.set([320, 0, 0]);
    slide.ground = [0, 0, 1];
    others.slideMove(slide);
    expect([slide.bumped, ...slide.velocity]).toEqual([true, 0, 0, 0]);
  });

  it.each([
    [{ origin: [0, 0, 0] }, 'slide.origin must be a Float32Array, got an array'],
    [{ velocity: Float32Array.of(Number.NaN, 0, 0) }, 'slide.velocity[0] must be a finite float32, got NaN'],
    [{ frameTime: Number.NaN }, 'slide.frameTime must be a finite float32, 0 or more, got NaN'],
    [{ frameTime: 1e300 }, 'slide.frameTime must be a finite float32, 0 or more, got 1e+300'],
    [{ frameTime: -0.1 }, 'slide.frameTime must be a finite float32, 0 or more, got -0.1'],
    [{ frameTime: '1' }, 'slide.frameTime must be a finite float32, 0 or more, got'],
    [{ gravity: 0.5 }, 'slide.gravity must be a whole number'],
    [{ mins: [16, 0, 0] }, 'mins[0] must not be above maxs[0]'],
    [{ mask: 0.5 }, 'slide.mask must be a whole number of 32 bits, got 0.5'],
    [{ falls: 1 }, 'slide.falls must be true or false, got 1'],
    [{ ground: [0, 0] }, 'slide.ground[2] must be a finite float32, got undefined'],
    [
      { velocity: Float32Array.of(3e38, 0, 0), frameTime: 10 },
      'velocity, over the time of the move, must not lead',
    ],
  ])('are refused by name: %#', (parts, message) => {
    expect(() => mover.slideMove({ ...createQuake3Slide(), ...parts } as never)).toThrow(message);
  });
});

it('angles are converted to the unit of commands', () => {
  expect([0, 90, -90, 360, 180].map(quake3Angle)).toEqual([0, 16384, 49152, 0, 32768]);
  expect(() => quake3Angle(Number.NaN)).toThrow('degrees must be a finite float32, got NaN');
});

it('angles of many turns are converted in float32, as C does', () => {
  // Computed by gcc. In double precision, each would be one less, and the last one more.
  const angles = [4325.93798828125, 4228.37939453125, 61201.87109375, 76000.109375, -4325.93798828125];
  expect(angles.map(quake3Angle)).toEqual([1081, 48857, 341, 7302, 64455]);
});

it('angles beyond 32 bits of units look along x, as the processor converts them', () => {
  // Computed by gcc.
  const angles = [11_796_479, 11_796_480, -11_796_480, -11_796_481, 11_800_000, 1e9, -3e38];
  expect(angles.map(quake3Angle)).toEqual([65408, 0, 0, 0, 0, 0, 0]);
});
