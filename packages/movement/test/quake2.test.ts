import type { Trace, Vec3 } from '@bspkit/core';
import { createBody, createScene } from '@bspkit/scene';
import { describe, expect, it } from 'vitest';
import {
  cloneState,
  createQuake2Command,
  createQuake2Mover,
  createQuake2State,
  equalStates,
  type Quake2Command,
  Quake2Flag,
  type Quake2Mover,
  type Quake2State,
  Quake2Type,
  quake2Angle,
} from '../src/index.ts';
import { movementRows } from '../src/rows.ts';
import { quake3Arena, SPAWN } from './arena.ts';
import { bend, DEGREES, spaceOf } from './rooms.ts';

// Equality with the engine is shown by recorded rows, which are answered in tests of all formats. Here is what the rows do not
// cover: players of one game walk through any world that has boxes and gives contents.

const world = quake3Arena();

function spawn(): Quake2State {
  const state = createQuake2State();
  for (let k = 0; k < 3; k++) state.origin[k] = 8 * SPAWN[k]!;
  return state;
}

/** Commands of 50 ms, all alike. */
function run(
  mover: Quake2Mover,
  state: Quake2State,
  count: number,
  parts: Partial<Quake2Command> = {},
): void {
  const command = { ...createQuake2Command(), msec: 50, ...parts };
  for (let k = 0; k < count; k++) mover.move(state, command);
}

describe('a Quake 2 player', () => {
  const mover = createQuake2Mover(world);

  it('falls to the floor, stands, walks and jumps', () => {
    const state = spawn();
    state.origin[2] = 800;
    run(mover, state, 20);
    expect(state.ground).toBe(0);
    expect(state.flags & Quake2Flag.onGround).not.toBe(0);
    expect(state.velocity).toEqual(Int32Array.of(0, 0, 0));
    // The arena keeps an eighth away from its floor, which is at 0.
    const floor = state.origin[2]!;
    expect(floor).toBe(8 * 24.125);
    expect([state.mins, state.maxs]).toEqual([Float32Array.of(-16, -16, -24), Float32Array.of(16, 16, 32)]);
    run(mover, state, 20, { forward: 400, angles: [0, quake2Angle(90), 0] });
    // 300 units per second.
    expect(state.velocity[1]).toBe(2400);
    run(mover, state, 1, { up: 400 });
    expect(state.ground).toBe(-1);
    expect(state.origin[2]).toBeGreaterThan(floor);
    expect(state.flags & Quake2Flag.jumpHeld).not.toBe(0);
  });

  it('crouches and stands up where there is room', () => {
    const state = spawn();
    run(mover, state, 20);
    run(mover, state, 10, { up: -400, forward: 400 });
    expect([state.viewHeight, state.maxs[2]]).toEqual([-2, 4]);
    expect(state.velocity[0]).toBe(800);
    run(mover, state, 1);
    expect([state.viewHeight, state.maxs[2]]).toEqual([22, 32]);
  });

  it('can be of many types', () => {
    const tops = { normal: 32, spectator: 0, dead: 4, gib: 16, freeze: 0 };
    for (const [name, type] of Object.entries(Quake2Type)) {
      const state = spawn();
      state.type = type;
      const before = state.origin[0]!;
      run(mover, state, 10, { forward: 400 });
      expect(state.origin[0]! > before, name).toBe(name === 'normal' || name === 'spectator');
      expect(state.maxs[2], name).toBe(tops[name as keyof typeof tops]);
    }
  });

  it('finds room next to where it was put, and stands on bodies of a scene', () => {
    const scene = createScene(world, { rules: 'quake2' });
    const box = scene.add(createBody({ kind: 'box', mins: [-32, -32, 0], maxs: [32, 32, 16] }), {
      origin: [SPAWN[0]!, SPAWN[1]!, 0],
    });
    const inScene = createQuake2Mover(scene);
    const state = spawn();
    // A sixteenth of a unit inside the box: the next eighth up is free.
    state.origin[2] = 8 * 40;
    state.snapInitial = 1;
    run(inScene, state, 1, { msec: 1 });
    expect([state.snapInitial, state.origin[2]! > 8 * 40]).toEqual([0, true]);
    run(inScene, state, 20);
    expect(state.ground).toBe(box);
    expect([...inScene.touched.subarray(0, inScene.numTouched)]).toContain(box);
    state.entity = box;
    run(inScene, state, 20);
    expect(state.ground).toBe(0);
  });

  it('is put at the nearest eighth that is free', () => {
    const scene = createScene();
    scene.add(createBody({ kind: 'box', mins: [16.05, -100, -100], maxs: [40, 100, 100] }));
    const mover = createQuake2Mover({ trace: scene, contents: { contents: () => 0 } });
    const state = createQuake2State();
    // 0.2 units inside the box, with the nearest eighths inside it too.
    expect(mover.putAt(state, [0.2, 1.01, -2.05])).toBe(true);
    expect(Array.from(state.origin)).toEqual([0, 8, -16]);
    const before = state.origin.slice();
    expect(mover.putAt(state, [0.4, 0, 0])).toBe(false);
    expect(state.origin).toEqual(before);
    expect(mover.putAt(state, [-4096, 0, 4095.99])).toBe(true);
    expect(Array.from(state.origin)).toEqual([-32768, 0, 32767]);
    for (const far of [4097, Number.NaN]) expect(() => mover.putAt(state, [0, far, 0])).toThrow(RangeError);
    const inCorner = spaceOf([
      { normal: [-1, 0, 0], at: 0.25 },
      { normal: [0, -1, 0], at: 0.25 },
      { normal: [0, 0, -1], at: 0.25 },
    ]);
    expect(createQuake2Mover(inCorner).putAt(state, [0, 0, 0])).toBe(true);
    expect(Array.from(state.origin)).toEqual([-2, -2, -2]);
    // A crouched player needs less room above.
    scene.add(createBody({ kind: 'box', mins: [-100, -100, 10], maxs: [-50, 100, 40] }));
    expect(mover.putAt(state, [-70, 0, 0])).toBe(false);
    state.flags = Quake2Flag.ducked;
    expect(mover.putAt(state, [-70, 0, 0])).toBe(true);
    state.flags = 0;
    state.type = Quake2Type.spectator;
    expect(mover.putAt(state, [-70.06, 0, 0])).toBe(true);
    expect(state.origin[0]).toBe(-560);
  });

  it('differs between server and client where it is stuck', () => {
    const solid = { trace: world, contents: world };
    const [server, client] = (['server', 'client'] as const).map((side) =>
      createQuake2Mover(solid, { side }),
    );
    for (const [which, touched] of [
      [server!, true],
      [client!, false],
    ] as const) {
      const state = spawn();
      state.origin[2] = 8 * 100;
      run(which, state, 1);
      expect(which.numTouched > 0).toBe(touched);
    }
  });

  it("touches nothing in the air on the client, whatever a scene's rules", () => {
    for (const rules of ['nearest', 'quake2', 'quake2-list'] as const) {
      const trace = createScene(world, { rules });
      const touched = (['server', 'client'] as const).map((side) => {
        const mover = createQuake2Mover({ trace, contents: world }, { side });
        const state = spawn();
        state.origin[2] = 8 * 100;
        run(mover, state, 1);
        run(mover, state, 20);
        expect(state.ground, rules).toBe(0);
        state.origin[2] = 8 * 100;
        run(mover, state, 1);
        return mover.numTouched > 0;
      });
      expect(touched, rules).toEqual([true, false]);
    }
  });

  it('stops at once if it is slower than a unit per second, and not before', () => {
    const state = spawn();
    run(mover, state, 20);
    // In a millisecond, friction takes 0.6 of a speed below 100. Velocities are in eighths.
    const after = [7, 8, 9].map((velocity) => {
      state.velocity[0] = velocity;
      run(mover, state, 1, { msec: 1 });
      return state.velocity[0];
    });
    expect(after).toEqual([0, 3, 4]);
  });

  it('accelerates in the air as the server says', () => {
    const states = [false, true].map((airAccelerate) => {
      const state = spawn();
      state.origin[2] = 8 * 100;
      run(createQuake2Mover(world, { airAccelerate }), state, 2, { forward: 400 });
      return state;
    });
    expect(equalStates(states[0]!, states[1]!)).toBe(false);
  });

  it('answers rows only by rules of Quake 2', () => {
    const { open } = movementRows(createScene).quake2!.pmove!;
    const header = { game: 'quake2', map: 'arena', kind: 'pmove', rules: 'quake3' };
    expect(() => open(header, { load: () => new Uint8Array(0) } as never)).toThrow(
      new SyntaxError('line 1: rules must be "quake2" or "quake2-list", got "quake3"'),
    );
  });

  it('converts angles to the unit of commands', () => {
    expect([0, 90, 180, 270, -90].map(quake2Angle)).toEqual([0, 16384, -32768, -16384, -16384]);
    expect(() => quake2Angle(Number.NaN)).toThrow(RangeError);
  });

  it('converts angles of many turns in float32, as C does', () => {
    // Computed by gcc. In double precision, each would be one less, and the last one more.
    const angles = [4325.93798828125, 4228.37939453125, 61201.87109375, 76000.109375, -4325.93798828125];
    expect(angles.map(quake2Angle)).toEqual([1081, -16679, 341, 7302, -1081]);
  });

  it('converts angles beyond 32 bits of units to 0, as the processor converts them', () => {
    // Computed by gcc.
    const angles = [11_796_479, 11_796_480, -11_796_480, -11_796_481, 11_800_000, 1e9, -3e38];
    expect(angles.map(quake2Angle)).toEqual([-128, 0, 0, 0, 0, 0, 0]);
  });

  it('refuses anything but states and commands, by name, and changes nothing', () => {
    const state = spawn();
    const before = createQuake2State();
    before.origin.set(state.origin);
    const command = createQuake2Command();
    expect(() => mover.move({ ...state, origin: [0, 0, 0] } as never, command)).toThrow(TypeError);
    state.origin[1] = 40_000;
    expect(() => mover.move(state, command)).toThrow('state.origin[1]');
    state.origin[1] = before.origin[1]!;
    expect(() => mover.move({ ...state, entity: -2 }, command)).toThrow('state.entity must be');
    expect(() => mover.move(state, { ...command, msec: 256 })).toThrow('command.msec');
    expect(() => mover.move(state, { ...command, forward: 1.5 })).toThrow('command.forward');
    expect(() => mover.move(state, { ...command, angles: [0, 32768, 0] })).toThrow('command.angles[1]');
    expect(() => createQuake2Mover(world, { side: 'both' as never })).toThrow('side');
    expect(equalStates(state, before)).toBe(true);
    for (const value of [1n, Symbol('mask')]) {
      const refused = () => mover.move({ ...state, mask: value } as never, command);
      expect(refused).toThrow('state.mask must be a whole number of 32 bits');
      expect(refused).toThrow(TypeError);
    }
    const frozen = Object.freeze({ ...cloneState(state), velocity: Int32Array.of(800, 0, 0) });
    expect(() => mover.move(frozen, { ...command, msec: 50 })).toThrow(TypeError);
    expect(equalStates({ ...frozen, velocity: before.velocity }, before)).toBe(true);
    expect(frozen.velocity[0]).toBe(800);
  });
});

describe('a command of Quake 2 changes the velocity', () => {
  const WATER = 0x20;
  const LADDER = 0x20000000;
  const [EAST, NORTH, SOUTH, UP, DOWN] = [0x40000, 0x80000, 0x200000, 0x400000, 0x800000];
  const floor = { normal: [0, 0, 1] } as const;
  const wall = { normal: [-1, 0, 0] } as const;
  const on = (parts: object) => [{ ...floor, ...parts }];
  const ladder = [{ normal: [-1, 0, 0], at: -0.5, contents: 1 | LADDER }] as const;
  /** Up to a height above the feet. */
  const deep = (top: number, contents = WATER) => ({
    contentsAt: ([, , z]: Vec3) => (z! + 24 < top ? contents : 0),
  });
  /** Water up to the chest, and a ledge ahead, up to a height. */
  const shore =
    (height: number, distance = 20) =>
    ([x, , z]: Vec3): number =>
      x! > distance && z! < height ? 1 : z! < 10 ? WATER : 0;
  /** Whoever slides along one side of it goes into another. */
  const corner = [
    { normal: [-0.8, 0.6, 0] },
    { normal: [-0.8, -0.6, 0] },
    { normal: [0.8, 0, 0.6] },
  ] as const;
  const teleported = { flags: Quake2Flag.timeTeleport, timer: 20 };
  const ahead = { forward: 400 };
  const looking = (degrees: number, parts = {}) => ({ angles: [quake2Angle(degrees), 0, 0], ...parts });

  // Velocities are in eighths of a unit per second; commands last 50 ms, in which gravity adds 40 units per second.
  interface Case {
    sides?: Parameters<typeof spaceOf>[0];
    contentsAt?: Parameters<typeof spaceOf>[1];
    from?: readonly number[];
    state?: Partial<Quake2State>;
    command?: Partial<Quake2Command>;
    to: readonly number[];
  }
  const cases: Record<string, Case> = {
    'in the air': { from: [800, 0, 80], to: [800, 0, -240] },
    // By a hair more than 27 eighths, as the engine's thousandth of a second is a float32.
    'in weak gravity': { state: { gravity: 375 }, command: { msec: 9 }, to: [0, 0, -27] },
    // A speed below a tenth of a unit per second that is left after a hit is none.
    'against a wall': { sides: [wall], from: [120, 0, 0], to: [-1, 0, -320] },
    'slowly against a wall': { sides: [wall], from: [64, 0, 0], to: [0, 0, -320] },
    'on the ground': { sides: on({}), from: [800, 0, 0], to: [560, 0, 0] },
    'on ice': { sides: on({ surfaceFlags: 2 }), from: [800, 0, 0], to: [800, 0, 0] },
    'on a conveyor belt': { sides: on({ contents: 1 | EAST! }), to: [400, 0, 0] },
    crouched: {
      sides: on({}),
      from: [800, 0, 0],
      state: { flags: Quake2Flag.onGround },
      command: { up: -400, ...ahead },
      to: [800, 0, 0],
    },
    'a ladder, upwards': { sides: ladder, from: [0, 0, 800], to: [0, 0, 240] },
    'a ladder, downwards': { sides: ladder, from: [0, 0, -800], to: [0, 0, -240] },
    'a ladder in the north': {
      sides: [{ ...ladder[0], normal: [0, -1, 0] }],
      from: [0, 0, 800],
      command: { angles: [0, quake2Angle(90), 0] },
      to: [0, 0, 240],
    },
    'a ladder, nearly at rest': { sides: ladder, from: [0, 0, 320], to: [0, 0, 0] },
    'a ladder, nearly without gravity': {
      sides: ladder,
      from: [0, 0, 4],
      state: { gravity: 20 },
      command: { msec: 5 },
      to: [0, 0, 3],
    },
    'a ladder in shallow water': { sides: ladder, ...deep(10), from: [0, 0, 800], to: [0, 0, 240] },
    'a ladder, climbing': { sides: ladder, command: { up: 1 }, to: [0, 0, 800] },
    'a ladder, climbing down': { sides: ladder, command: { up: -1 }, to: [0, 0, -800] },
    'a ladder, looking up': { sides: ladder, command: looking(-16, ahead), to: [-1, 0, 800] },
    'a ladder, looking down': { sides: ladder, command: looking(16, ahead), to: [-1, 0, -800] },
    'a ladder, looking ahead': { sides: ladder, command: looking(-14, ahead), to: [0, 0, 0] },
    'a ladder, looking up only': { sides: ladder, command: looking(-16), to: [0, 0, 0] },
    'a ladder, backwards': { sides: ladder, command: looking(-16, { forward: -400 }), to: [-100, 0, 0] },
    'a ladder, sideways': { sides: ladder, command: { right: 400 }, to: [0, -100, 0] },
    'a ladder, too fast to climb it': {
      sides: ladder,
      from: [0, 0, -2400],
      command: { up: 400 },
      to: [0, 0, -1360],
    },
    sinking: { ...deep(100), to: [0, 0, -120] },
    swimming: { ...deep(100), command: ahead, to: [600, 0, 0] },
    'swimming sideways': { ...deep(100), command: { right: 400 }, to: [0, -600, 0] },
    'swimming up': { ...deep(100), command: { up: 400 }, to: [0, 0, 1200] },
    'swimming up in slime': { ...deep(100, 0x10), command: { up: 400 }, to: [0, 0, 1144] },
    'swimming up in lava': { ...deep(100, 8), command: { up: 400 }, to: [0, 0, 940] },
    'swimming up in water that is not only water': {
      ...deep(100, WATER | 0x8000000),
      command: { up: 400 },
      to: [0, 0, 940],
    },
    'a current': { ...deep(100, WATER | NORTH!), to: [0, 593, -89] },
    'two currents against each other': { ...deep(100, WATER | NORTH! | SOUTH!), to: [0, 0, -120] },
    'a current up': { ...deep(100, WATER | UP!), to: [0, 0, 600] },
    'a current down': { ...deep(100, WATER | DOWN!), to: [0, 0, -599] },
    'sinking where there is water': {
      contentsAt: ([x, y]) => (x === 1 && y === 2 ? WATER : 0),
      state: { origin: Int32Array.of(8, 16, 0) },
      to: [0, 0, -120],
    },
    'a ledge too far away to jump out of water': { contentsAt: shore(10, 30.5), to: [0, 0, -120] },
    'a ledge too low to jump out of water': { contentsAt: shore(3), to: [0, 0, -120] },
    'a ledge too high to jump out of water': { contentsAt: shore(21), to: [0, 0, -120] },
    'a corner of three walls': { sides: corner, from: [800, 0, -800], to: [0, 0, 0] },
    'just after a teleport': { state: teleported, from: [800, 400, 80], to: [800, 400, 80] },
    'jumping out of water': { contentsAt: shore(10), to: [400, 0, 2480] },
    'wading in a current': { sides: on({}), ...deep(10, WATER | NORTH!), to: [0, 800, 0] },
  };

  it.each(Object.entries(cases))('%s', (_, { sides = [], contentsAt, from, state: parts, command, to }) => {
    const state = Object.assign(createQuake2State(), parts);
    state.velocity.set(from ?? []);
    run(createQuake2Mover(spaceOf(sides, contentsAt)), state, 1, command);
    expect(Array.from(state.velocity)).toEqual(to);
  });

  it.each([
    [-1600, 0, 0],
    [-1608, Quake2Flag.timeLand, 12],
    [-3200, Quake2Flag.timeLand, 12],
    [-3208, Quake2Flag.timeLand, 19],
  ])('lasts a while after a landing at %i', (speed, flag, timer) => {
    const state = createQuake2State();
    state.velocity[2] = speed;
    run(createQuake2Mover(spaceOf([floor])), state, 1);
    expect([state.flags, state.timer]).toEqual([flag | Quake2Flag.onGround, timer]);
  });

  it.each([
    [0, 1],
    [0, -1],
    [1, 1],
    [1, -1],
    [2, 1],
    [2, -1],
  ])('finds room an eighth away along axis %i: %i', (axis, by) => {
    const normal = [0, 0, 0].map((_, k) => (k === axis ? by : 0)) as [number, number, number];
    const state = Object.assign(createQuake2State(), { snapInitial: 1, gravity: 0 });
    state.velocity.set(normal.map((sign) => sign * 1600));
    run(createQuake2Mover(spaceOf([{ normal, at: 0.125 }])), state, 1);
    // From there it goes ten units.
    expect(Array.from(state.origin)).toEqual(normal.map((sign) => 81 * sign + 0));
  });

  it.each([0, 1, 2])('looks for room at the lesser of two eighths first, along axis %i', (axis) => {
    const open = spaceOf([]);
    const inPlate = {
      ...open.trace.box(),
      trace(start: Vec3, end: Vec3, out: Trace): Trace {
        open.trace.box().trace(start, end, out);
        if (start[axis] === 0) Object.assign(out, { startSolid: true, allSolid: true, fraction: 0 });
        return out;
      },
    };
    const state = Object.assign(createQuake2State(), { snapInitial: 1, gravity: 0 });
    run(createQuake2Mover({ ...open, trace: { box: () => inPlate } }), state, 1);
    expect(state.origin[axis]).toBe(-1);
  });

  it('is put where it fits an eighth further, by the order of the engine, or back', () => {
    const open = spaceOf([]);
    const tried: number[][] = [];
    const nowhere = {
      ...open.trace.box(),
      trace(start: Vec3, end: Vec3, out: Trace): Trace {
        open.trace.box().trace(start, end, out);
        if ([0, 1, 2].every((k) => start[k] === end[k])) {
          tried.push([0, 1, 2].map((k) => 8 * start[k]!));
          out.allSolid = true;
        }
        return out;
      },
    };
    const state = Object.assign(createQuake2State(), { gravity: 0 });
    // In 50 ms, that is 50, 100 and -150 eighths and a bit more.
    state.velocity.set([1010, 2010, -3010]);
    run(createQuake2Mover({ ...open, trace: { box: () => nowhere } }), state, 1);
    expect(tried.slice(-8)).toEqual([
      [50, 100, -150],
      [50, 100, -151],
      [51, 100, -150],
      [50, 101, -150],
      [51, 101, -150],
      [51, 100, -151],
      [50, 101, -151],
      [51, 101, -151],
    ]);
    expect(state.origin).toEqual(Int32Array.of(0, 0, 0));
  });

  it('turns at four walls at most', () => {
    const state = createQuake2State();
    state.velocity[0] = 2400;
    run(createQuake2Mover({ trace: bend, contents: { contents: () => 0 } }), state, 1, {
      angles: [0, quake2Angle(180), 0],
    });
    expect(Math.atan2(state.velocity[1]!, state.velocity[0]!) * DEGREES).toBeCloseTo(60, 0);
  });
});
