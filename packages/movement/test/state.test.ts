import { describe, expect, it } from 'vitest';
import {
  cloneState,
  copyState,
  createQuake2Command,
  createQuake2Mover,
  createQuake2State,
  createQuake2ThingMover,
  createQuake2ThingState,
  createQuake3Command,
  createQuake3Mover,
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
  firstDifference,
  Predictor,
  packState,
  Recorder,
  stateBytes,
  unpackState,
} from '../src/index.ts';
import { quake1Arena, quake3Arena, SPAWN } from './arena.ts';

const makers = {
  createQuake3State,
  createQuake3ThingState,
  createQuake2State,
  createQuake2ThingState,
  createQuakeWorldState,
  createQuakeState,
  createQuakeThingState,
};

describe.each(Object.entries(makers))('a state of %s', (_, create) => {
  /** All its numbers differ from those of a fresh one. */
  const other = () => {
    const state = create();
    let next = 1;
    const fields = state as unknown as Record<string, unknown>;
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'number') fields[name] = next++;
      else if (value instanceof Float32Array) for (let k = 0; k < value.length; k++) value[k] = next++ / 10;
      else if (value instanceof Int32Array) for (let k = 0; k < value.length; k++) value[k] = -next++;
    }
    return state;
  };

  it('is copied whole, into arrays of its own', () => {
    const [from, to] = [other(), create()];
    expect(equalStates(from, to)).toBe(false);
    expect(copyState(from, to)).toBe(to);
    expect(to).toEqual(from);
    expect(equalStates(from, to)).toBe(true);
    to.origin[0] = 77;
    expect(from.origin[0]).not.toBe(77);
    expect(firstDifference(from, to)).toBe('origin');
  });

  it('differs in exactly the fields that differ', () => {
    const fresh = create();
    for (const name of Object.keys(fresh).filter((key) => key !== 'kind')) {
      const changed = create() as unknown as Record<string, unknown>;
      const value = changed[name];
      if (typeof value === 'number') changed[name] = value + 1;
      else (value as Float32Array)[1] = -0.0 === (value as Float32Array)[1] ? 5 : 0;
      expect(firstDifference(fresh, changed as never)).toBe(name);
    }
    const negative = create();
    negative.origin[0] = -0;
    // Whole numbers have no signed zero.
    expect(equalStates(fresh, negative)).toBe(fresh.origin instanceof Int32Array);
  });

  it('is packed and unpacked, bit for bit', () => {
    const from = other();
    const bytes = packState(from);
    expect(bytes).toHaveLength(stateBytes(from));
    const to = unpackState(bytes, create());
    expect(equalStates(from, to)).toBe(true);
    // Into part of a longer message.
    const message = new Uint8Array(bytes.length + 20);
    expect(packState(from, message.subarray(7))).toEqual(message.subarray(7));
    expect(equalStates(unpackState(message.subarray(7), create()), from)).toBe(true);
    from.origin[2] = -0;
    const zero = from.origin[2];
    expect(Object.is(unpackState(packState(from), create()).origin[2], zero)).toBe(true);
  });

  it('is copied, compared and packed with each field looked at twice: for what it is, and for its numbers', () => {
    const reads: Record<string, number> = {};
    const watched = (state: object) => {
      for (const [name, value] of Object.entries(state).filter(([field]) => field !== 'kind')) {
        const get = () => {
          reads[name]!++;
          return value;
        };
        reads[name] = 0;
        Object.defineProperty(state, name, { get, set: () => {}, enumerable: true });
      }
      return state as never;
    };
    const most = (work: () => void) => {
      for (const name in reads) reads[name] = 0;
      work();
      return Math.max(...Object.values(reads));
    };
    const state = watched(other());
    const bytes = packState(other());
    expect(most(() => copyState(state, create()))).toBe(2);
    expect(most(() => equalStates(state, other()))).toBe(2);
    expect(most(() => equalStates(other(), state))).toBe(2);
    expect(most(() => packState(state, bytes))).toBe(2);
  });

  it('is the same numbers with a field of its own, and whatever these are', () => {
    const [from, to] = [
      { ...other(), team: 2 },
      { ...create(), team: 0 },
    ];
    expect(copyState(from, to)).toEqual(from);
    const [plain, more] = [packState(other()), packState(from)];
    expect(more.subarray(0, plain.length)).toEqual(plain);
    expect(unpackState(more, { ...create(), team: 0 })).toEqual(from);
    for (const name of Object.keys(create()).filter((field) => field !== 'kind')) {
      if (typeof (from as Record<string, unknown>)[name] !== 'number') continue;
      for (const value of [0.1, 0x82010001, Number.NaN, Number.POSITIVE_INFINITY]) {
        const odd = { ...other(), [name]: value };
        expect(copyState(odd, create())).toEqual(odd);
        expect(firstDifference(odd, copyState(odd, create()))).toBeUndefined();
        expect(firstDifference(odd, other())).toBe(name);
      }
    }
  });

  it('is not unpacked from other bytes', () => {
    const state = other();
    const still = copyState(state, create());
    const bytes = packState(create());
    const set = (at: number, value: number): Uint8Array =>
      Uint8Array.from(bytes, (x, k) => (k === at ? value : x));
    for (const length of [0, 3, 4, bytes.length - 1]) {
      expect(() => unpackState(bytes.subarray(0, length), state)).toThrow(
        `bytes must hold ${bytes.length} bytes of a state, got ${length}`,
      );
    }
    expect(() => unpackState(set(0, bytes[0]! ^ 1), state)).toThrow(`a state of kind '${state.kind}'`);
    expect(() => unpackState([] as never, state)).toThrow('bytes must be a Uint8Array, got an array');
    // A frozen state's arrays stay unchanged too.
    const moved = create();
    moved.origin[1] = 5;
    const frozen = Object.freeze(create());
    expect(() => unpackState(packState(moved), frozen)).toThrow(TypeError);
    expect(frozen.origin[1]).toBe(0);
    expect(() => packState(state, new Uint8Array(4))).toThrow(RangeError);
    expect(equalStates(state, still)).toBe(true);
  });

  it('is not packed with a number that bytes cannot hold', () => {
    const [name] = Object.entries(create()).find(([key, value]) => value === 0 && key !== 'waterJumpTime')!;
    for (const value of [0.5, 2 ** 31, Number.NaN]) {
      expect(() => packState({ ...create(), [name]: value })).toThrow(
        new RangeError(`state.${name} must be a whole number from -2147483648 to 2147483647, got ${value}`),
      );
    }
  });
});

describe('states', () => {
  it('of different kinds are not compared or copied', () => {
    const [a, b] = [createQuake3State(), createQuakeWorldState()];
    const message = "is a state of kind 'quakeworld'";
    expect(() => copyState(a as never, b)).toThrow(
      "from is a state of kind 'quake3', to of kind 'quakeworld'",
    );
    expect(() => equalStates(b, a as never)).toThrow(message);
    // Whether there are more bytes than for that kind, or fewer.
    expect(() => unpackState(packState(a), b)).toThrow(
      new RangeError("bytes must be a state of kind 'quakeworld', as packState writes it"),
    );
    expect(() => unpackState(packState(b), a)).toThrow(
      new RangeError("bytes must be a state of kind 'quake3', as packState writes it"),
    );
  });

  it('are refused by name if they are something else', () => {
    const state = createQuake3State();
    expect(() => copyState(undefined as never, state)).toThrow('from must be a state, got undefined');
    expect(() => copyState(state, {} as never)).toThrow('to must be a state, got an object');
    expect(() => packState([] as never)).toThrow('state must be a state, got an array');
    expect(() => equalStates(state, 5 as never)).toThrow('b must be a state, got 5');
    const json = JSON.parse(JSON.stringify(state));
    const vector = 'origin must be a Float32Array of 3 numbers, got an object';
    expect(() => copyState(json, state)).toThrow(new TypeError(`from.${vector}`));
    expect(() => copyState(state, json)).toThrow(new TypeError(`to.${vector}`));
    expect(() => equalStates(json, state)).toThrow(new TypeError(`a.${vector}`));
    expect(() => equalStates(state, json)).toThrow(new TypeError(`b.${vector}`));
    for (const call of [
      () => packState(json),
      () => stateBytes(json),
      () => unpackState(packState(state), json),
      () => cloneState(json),
      () => new Recorder(json),
      () => new Predictor(createQuake3Mover(quake3Arena()), json),
    ]) {
      expect(call).toThrow(new TypeError(`state.${vector}`));
    }
    expect(json).toEqual(JSON.parse(JSON.stringify(state)));
  });

  it.each(Object.entries(makers))('have everything that %s makes', (_, create) => {
    const good = create();
    for (const [field, value] of Object.entries(good).filter(([name]) => name !== 'kind')) {
      const isFloat = value instanceof Float32Array;
      const array = `${isFloat ? 'a Float32Array' : 'an Int32Array'} of ${value.length} numbers`;
      const what = typeof value === 'number' ? 'a number' : array;
      const { [field]: _left, ...rest } = good as unknown as Record<string, unknown>;
      const others = isFloat ? Int32Array : Float32Array;
      for (const wrong of [
        rest,
        ...[null, '5', new Float32Array(1), new others(3)].map((x) => ({ ...rest, [field]: x })),
      ]) {
        const message = `.${field} must be ${what}, got `;
        expect(() => packState(wrong as never)).toThrow(`state${message}`);
        expect(() => copyState(wrong as never, create())).toThrow(`from${message}`);
        expect(() => copyState(good, wrong as never)).toThrow(`to${message}`);
      }
    }
    expect(() => packState({ kind: good.kind })).toThrow(TypeError);
  });

  it('may be of a game of your own', () => {
    const create = () => ({ kind: 'mine', fuel: 5, place: new Float32Array(2), slots: new Int32Array(1) });
    const state = { ...create(), fuel: 7 };
    state.place[1] = 0.5;
    expect(unpackState(packState(state), create())).toEqual(state);
    expect(copyState(state, create())).toEqual(state);
    expect(cloneState(state)).toEqual(state);
    expect(firstDifference(state, create())).toBe('fuel');
    expect(equalStates(state, new Recorder(state).start)).toBe(true);
    const what = 'a number, a Float32Array or an Int32Array';
    expect(() => packState({ ...state, name: 'x' } as never)).toThrow(`state.name must be ${what}, got 'x'`);
    expect(() => copyState(state, { ...state, name: 'x' } as never)).toThrow(`to.name must be ${what}`);
    const more = { ...state, wheels: 4 };
    expect(() => equalStates(state, more)).toThrow('a.wheels must be a number, got undefined');
    expect(() => equalStates(more, state)).toThrow('b.wheels must be a number, got undefined');
  });

  it('stay as they are when they cannot be copied or packed', () => {
    const from = createQuakeWorldState();
    from.origin[0] = 5;
    const frozen = Object.freeze(createQuakeWorldState());
    expect(() => copyState(from, frozen)).toThrow(TypeError);
    expect(frozen.origin[0]).toBe(0);
    from.waterLevel = 0.5;
    const bytes = new Uint8Array(stateBytes(from));
    expect(() => packState(from, bytes)).toThrow('state.waterLevel must be a whole number from');
    expect(bytes).toEqual(new Uint8Array(bytes.length));
  });

  it('have masks of 32 bits with or without a sign, as movers take them', () => {
    const state = createQuake3State();
    state.mask = 0x82010001;
    const back = unpackState(packState(state), createQuake3State());
    expect(back.mask).toBe(0x82010001 | 0);
    expect(firstDifference(state, back)).toBeUndefined();
    back.mask |= 2;
    expect(firstDifference(state, back)).toBe('mask');
    for (const mask of [0.5, 2 ** 32, -(2 ** 31) - 1, Number.NaN]) {
      state.mask = mask;
      expect(() => packState(state)).toThrow('state.mask must be a whole number of 32 bits');
      expect(equalStates(state, back)).toBe(false);
    }
  });

  it('have a time in water that counts as the float32 nearest to it, as for movers', () => {
    const state = createQuakeWorldState();
    state.waterJumpTime = 0.1;
    const back = unpackState(packState(state), createQuakeWorldState());
    expect(back.waterJumpTime).toBe(Math.fround(0.1));
    expect(firstDifference(state, back)).toBeUndefined();
    const mover = createQuakeWorldMover(quake1Arena());
    for (const one of [state, back]) mover.move(one, { ...createQuakeWorldCommand(), msec: 13 });
    expect(state.waterJumpTime).toBe(back.waterJumpTime);
    back.waterJumpTime += 2 ** -27;
    expect(firstDifference(state, back)).toBe('waterJumpTime');
    for (const time of [1e39, Number.NaN, -Infinity]) {
      state.waterJumpTime = time;
      expect(() => packState(state)).toThrow(
        new RangeError(`state.waterJumpTime must be a finite float32, got ${time}`),
      );
    }
  });

  it.each([
    ['gravityFactor', createQuakeThingState],
    ['gravityFactor', createQuake2ThingState],
    ['bounceFactor', createQuake3ThingState],
    ['idealYaw', createQuakeThingState],
    ['yawSpeed', createQuake2ThingState],
  ])('have a %s that counts as the float32 nearest to it, with a sign of zero: %o', (name, create) => {
    const stateOf = (value: number) => ({ ...create(), [name]: value });
    const state = stateOf(0.1);
    const back = unpackState(packState(state), create());
    expect(back[name as never]).toBe(Math.fround(0.1));
    expect(firstDifference(state, back)).toBeUndefined();
    expect(copyState(state, create())[name as never]).toBe(0.1);
    expect(firstDifference(back, stateOf(Math.fround(0.1) + 2 ** -27))).toBe(name);
    expect(firstDifference(stateOf(0), stateOf(-0))).toBe(name);
    expect(() => packState(stateOf(1e39))).toThrow(`state.${name} must be a finite float32, got 1e+39`);
  });

  it('are packed to the same bytes whatever the order of their fields, and are equal whatever the sign of a whole zero', () => {
    const state = createQuake2State();
    state.ground = 7;
    state.viewHeight = 22;
    state.origin[2] = 5;
    const { origin, viewHeight, ...rest } = state;
    const other = { ...rest, viewHeight, origin };
    expect(packState(other)).toEqual(packState(state));
    expect(equalStates(state, unpackState(packState(other), createQuake2State()))).toBe(true);
    expect(unpackState(packState(state), { ...rest, viewHeight: 0, origin: new Int32Array(3) })).toEqual(
      state,
    );
    const more = { team: 2, score: 3, ...other };
    expect(unpackState(packState(more), { ...createQuake2State(), score: 0, team: 0 })).toEqual(more);
    expect(equalStates(state, { ...state, entity: -1, timer: -0 })).toBe(true);
    const swimmer = createQuakeWorldState();
    expect(equalStates(swimmer, { ...swimmer, waterJumpTime: -0 })).toBe(false);
  });

  it('may have arrays that are parts of longer ones', () => {
    const mover = createQuake3Mover(quake3Arena());
    const memory = new Float32Array(9).fill(7);
    const plain = createQuake3State();
    const part = { ...createQuake3State(), origin: memory.subarray(1, 4), velocity: memory.subarray(5, 8) };
    part.velocity.fill(0);
    for (const state of [plain, part]) {
      state.origin.set(SPAWN);
      for (let k = 1; k <= 20; k++)
        mover.move(state, { ...createQuake3Command(), forward: 127, serverTime: 30 * k });
    }
    expect(memory).toEqual(Float32Array.of(7, ...plain.origin, 7, ...plain.velocity, 7));
    expect(copyState(part, createQuake3State())).toEqual(plain);
    expect(cloneState(part).origin.buffer).not.toBe(memory.buffer);
  });

  it('continue after unpacking as they would have without', () => {
    const walk = { ...createQuake3Command(), forward: 127 };
    const mover = createQuake3Mover(quake3Arena());
    const state = createQuake3State();
    state.origin.set(SPAWN);
    for (let k = 1; k <= 20; k++) mover.move(state, { ...walk, serverTime: 30 * k });
    const copy = unpackState(packState(state), createQuake3State());
    for (let k = 21; k <= 60; k++) {
      mover.move(state, { ...walk, serverTime: 30 * k });
      mover.move(copy, { ...walk, serverTime: 30 * k });
    }
    expect(equalStates(state, copy)).toBe(true);
    const other = createQuakeWorldMover(quake1Arena());
    const player = createQuakeWorldState();
    player.origin.set(SPAWN);
    const step = { ...createQuakeWorldCommand(), forward: 300, msec: 30 };
    for (let k = 0; k < 20; k++) other.move(player, step);
    const twin = unpackState(packState(player), createQuakeWorldState());
    for (let k = 0; k < 40; k++) {
      other.move(player, step);
      other.move(twin, step);
    }
    expect(equalStates(player, twin)).toBe(true);
  });
});

it('states have the same bytes where a script has added a number to all objects', () => {
  const prototype = Object.prototype as { added?: number; yawSpeed?: number };
  const [state, copy] = [createQuake3State(), createQuake3State()];
  const bytes = packState(state);
  prototype.added = prototype.yawSpeed = 5;
  try {
    expect(stateBytes(state)).toBe(bytes.length);
    expect(packState(state)).toEqual(bytes);
    copyState(state, copy);
    unpackState(bytes, copy);
  } finally {
    delete prototype.added;
    delete prototype.yawSpeed;
  }
  expect(Object.keys(copy)).toEqual(Object.keys(state));
});

describe('a state with an invalid number', () => {
  const [world1, world3] = [quake1Arena(), quake3Arena()];
  const quake3 = createQuake3Mover(world3);
  const quake2 = createQuake2Mover(world3);
  const quakeWorld = createQuakeWorldMover(world1);
  const quake = createQuakeMover(world1);
  const things3 = createQuake3ThingMover(world3);
  const things2 = createQuake2ThingMover(world3);
  const things = createQuakeThingMover(world1);
  const water = ['mins', 'maxs', 'waterLevel', 'waterType'];

  /** A function that makes a state, one that moves it, and the fields that a move only writes. */
  const engines: readonly (readonly [
    name: string,
    create: () => object,
    move: (state: never) => void,
    written: readonly string[],
  ])[] = [
    ['quake3', createQuake3State, (state) => quake3.move(state, createQuake3Command()), water],
    ['quake3-thing', createQuake3ThingState, (state) => things3.move(state, 50), []],
    [
      'quake2',
      createQuake2State,
      (state) => quake2.move(state, createQuake2Command()),
      [...water, 'angles', 'ground', 'viewHeight'],
    ],
    ['quake2-thing', createQuake2ThingState, (state) => things2.move(state), []],
    ['quakeworld', createQuakeWorldState, (state) => quakeWorld.move(state, createQuakeWorldCommand()), []],
    ['quake', createQuakeState, (state) => quake.walk(state, 0.1), []],
    ['quake-thing', createQuakeThingState, (state) => things.move(state, 0.1), []],
  ];

  it.each(engines)('is refused, and the field named: %s', (_, create, move, written) => {
    for (const [name, value] of Object.entries(create())) {
      const state = create() as Record<string, unknown>;
      if (typeof value === 'number') state[name] = Number.NaN;
      else if (value instanceof Float32Array) (state[name] as Float32Array)[1] = Number.NaN;
      else continue;
      if (!written.includes(name)) expect(() => move(state as never), name).toThrow(name);
      else {
        move(state as never);
        const after = typeof value === 'number' ? [state[name]] : Array.from(state[name] as Float32Array);
        expect(after.some(Number.isNaN), name).toBe(false);
      }
    }
    expect(() => move({ ...create(), kind: 'doom' } as never)).toThrow('state');
  });

  it.each(engines)('is refused if an array was transferred or is too short: %s', (name, create, move) => {
    for (const [field, value] of Object.entries(create())) {
      if (!ArrayBuffer.isView(value)) continue;
      const sent = create() as Record<string, Float32Array>;
      structuredClone(sent[field], { transfer: [sent[field]!.buffer as ArrayBuffer] });
      expect(() => move(sent as never), `${name}: ${field}`).toThrow(
        new TypeError(`state.${field} must not have been transferred or cut off`),
      );
      const short = create() as Record<string, Float32Array>;
      short[field] = short[field]!.subarray(1);
      const before = structuredClone(short);
      const { length } = value as Float32Array;
      expect(() => move(short as never), `${name}: ${field}`).toThrow(
        new RangeError(`state.${field} must hold ${length} numbers, got ${length - 1}`),
      );
      expect(short).toEqual(before);
      const other = { ...create(), [field]: new Float64Array(length) };
      const type = value instanceof Int32Array ? 'an Int32Array' : 'a Float32Array';
      expect(() => move(other as never), `${name}: ${field}`).toThrow(
        new TypeError(`state.${field} must be ${type}, got Float64Array`),
      );
    }
  });

  it.each([
    ['quake3', createQuake3Command, (command: object) => quake3.move(createQuake3State(), command as never)],
    ['quake2', createQuake2Command, (command: object) => quake2.move(createQuake2State(), command as never)],
    [
      'quakeworld',
      createQuakeWorldCommand,
      (command: object) => quakeWorld.move(createQuakeWorldState(), command as never),
    ],
  ] as const)('is refused in a command too: %s', (_, create, move) => {
    move(create());
    for (const [name, value] of Object.entries(create())) {
      const wrong = typeof value === 'number' ? Number.NaN : [0, Number.NaN, 0];
      expect(() => move({ ...create(), [name]: wrong }), name).toThrow(`command.${name}`);
    }
  });
});
