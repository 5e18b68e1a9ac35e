import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createQuake2Command,
  createQuake2Mover,
  createQuake2State,
  createQuake3Command,
  createQuake3Mover,
  createQuake3State,
  createQuakeWorldCommand,
  createQuakeWorldMover,
  createQuakeWorldState,
  equalStates,
  packQuake2Command,
  packQuake3Command,
  packQuakeWorldCommand,
  unpackQuake2Command,
  unpackQuake3Command,
  unpackQuakeWorldCommand,
} from '../src/index.ts';
import { quake1Arena, quake3Arena } from './arena.ts';

const quake1 = createQuakeWorldMover(quake1Arena());
const quake2 = createQuake2Mover(quake3Arena());
const quake3 = createQuake3Mover(quake3Arena());

const whole = (min: number, max: number) => fc.integer({ min, max });
const int32 = fc.integer();
const three = <T>(one: fc.Arbitrary<T>) => fc.tuple(one, one, one);
const float = fc.float({ noNaN: true, noDefaultInfinity: true });
const speed = fc.float({ noNaN: true, min: Math.fround(-1e17), max: Math.fround(1e17) });

/** Whatever the game, a command is an object of numbers and three angles. */
type Command = { angles: ArrayLike<number>; [name: string]: unknown };

interface Game {
  readonly name: string;
  readonly size: number;
  readonly commands: fc.Arbitrary<Command>;
  create(): Command;
  pack(command: Command, bytes?: Uint8Array): Uint8Array;
  unpack(bytes: Uint8Array, command?: Command): Command;
  /** Gives each of two players a command; whether they end up in the same place. */
  moveAlike(one: Command, other: Command): boolean;
}

function game<C, S extends { readonly kind: string; readonly origin: Float32Array | Int32Array }>(
  name: string,
  size: number,
  shape: Record<string, fc.Arbitrary<unknown>>,
  create: () => C,
  pack: (command: never, bytes?: Uint8Array) => Uint8Array,
  unpack: (bytes: Uint8Array, command?: never) => C,
  mover: { move(state: S, command: never): void },
  createState: () => S,
): Game {
  const end = (command: Command): S => {
    const state = createState();
    state.origin.set([-256, 0, 32]);
    mover.move(state, command as never);
    return state;
  };
  return {
    name,
    size,
    commands: fc.record(shape) as fc.Arbitrary<never>,
    create: create as never,
    pack: pack as never,
    unpack: unpack as never,
    moveAlike: (one, other) => equalStates(end(one), end(other)),
  };
}

const short = whole(-32768, 32767);
const char = whole(-128, 127);
const GAMES = [
  game(
    'Quake 3',
    17,
    {
      serverTime: int32,
      angles: three(whole(0, 65535)),
      forward: char,
      right: char,
      up: char,
      buttons: int32,
    },
    createQuake3Command,
    packQuake3Command,
    unpackQuake3Command,
    quake3,
    createQuake3State,
  ),
  game(
    'Quake 2',
    13,
    { msec: whole(0, 255), angles: three(short), forward: short, right: short, up: short },
    createQuake2Command,
    packQuake2Command,
    unpackQuake2Command,
    quake2,
    createQuake2State,
  ),
  game(
    'QuakeWorld',
    29,
    {
      msec: whole(0, 255),
      angles: three(float),
      forward: speed,
      right: speed,
      up: speed,
      buttons: int32,
    },
    createQuakeWorldCommand,
    packQuakeWorldCommand,
    unpackQuakeWorldCommand,
    quake1,
    createQuakeWorldState,
  ),
];

describe.each(GAMES)('commands of $name as bytes', ({ size, commands, create, pack, unpack, moveAlike }) => {
  const plain = (command: Command) => ({ ...command, angles: Array.from(command.angles) });

  it('come back as they were, signs of zero included, and move players alike', () => {
    fc.assert(
      fc.property(commands, (command) => {
        const bytes = pack(command);
        expect(bytes).toHaveLength(size);
        expect(plain(unpack(bytes))).toEqual(command);
        expect(moveAlike(command, unpack(bytes))).toBe(true);
      }),
    );
  });

  it('can be written anywhere in a message, and change nothing else in it', () => {
    fc.assert(
      fc.property(commands, whole(0, 9), (command, at) => {
        const message = new Uint8Array(size + 10).fill(0xaa);
        expect(pack(command, message.subarray(at)).buffer).toBe(message.buffer);
        expect(plain(unpack(message.subarray(at)))).toEqual(command);
        const rest = [...message.subarray(0, at), ...message.subarray(at + size)];
        expect(new Set(rest)).toEqual(new Set([0xaa]));
      }),
    );
  });

  it('are read into existing commands, of typed arrays or others', () => {
    fc.assert(
      fc.property(commands, (command) => {
        const draft = create();
        const { angles } = draft;
        expect(unpack(pack(command), draft)).toBe(draft);
        expect(draft.angles).toBe(angles);
        expect(plain(draft)).toEqual(command);
        expect(plain(unpack(pack(command), plain(create())))).toEqual(command);
      }),
    );
  });

  it('are ones that a mover takes, whatever the bytes, or are refused with nothing changed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: size, maxLength: size }), (bytes) => {
        const draft = create();
        const before = JSON.stringify(plain(draft));
        try {
          unpack(bytes, draft);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          expect(String(error)).toMatch(
            /as bytes say, must be a (finite float32|speed from -1e18 to 1e18), got/,
          );
          expect(JSON.stringify(plain(draft))).toBe(before);
          return;
        }
        expect(moveAlike(draft, unpack(pack(draft)))).toBe(true);
      }),
    );
  });

  it('say what is wrong with a command, before a byte is written', () => {
    const bytes = new Uint8Array(size);
    const fails = (changes: object, error: string) => {
      expect(() => pack({ ...create(), ...changes }, bytes)).toThrow(error);
    };
    for (const [name, value] of Object.entries(create())) {
      if (typeof value !== 'number') continue;
      fails({ [name]: Number.NaN }, `command.${name} must be`);
      fails({ [name]: 1e40 }, `command.${name} must be`);
      fails({ [name]: undefined }, `command.${name} must be`);
    }
    fails({ angles: [0, 0] }, 'command.angles[2] must be');
    fails({ angles: undefined }, 'command.angles must be three numbers, got undefined');
    expect(() => pack(7 as never)).toThrow(TypeError);
    expect(bytes).toEqual(new Uint8Array(size));
  });

  it('say what is wrong with bytes, and with a command to read into', () => {
    const bytes = pack(create());
    expect(() => pack(create(), new Uint8Array(size - 1))).toThrow(
      `bytes must hold ${size} bytes of a command, got ${size - 1}`,
    );
    expect(() => unpack(bytes.subarray(1))).toThrow(`bytes must hold ${size} bytes of a command`);
    expect(() => unpack([...bytes] as never)).toThrow('bytes must be a Uint8Array, got an array');
    expect(() => unpack(bytes, {} as never)).toThrow('must be as in a newly made command, got undefined');
  });

  it('change nothing in a command with a number that is read-only', () => {
    const bytes = new Uint8Array(pack(create())).fill(1);
    for (const name of Object.keys(create())) {
      if (name === 'angles') continue;
      const command = create();
      Object.defineProperty(command, name, { value: 0, writable: false });
      expect(() => unpack(bytes, command as never)).toThrow(new RegExp(`read only property '${name}'`));
      expect(command).toEqual(create());
    }
  });

  it('change nothing in a command that cannot hold them', () => {
    const bytes = new Uint8Array(pack(create()));
    // Times come first, little-endian: 7 milliseconds.
    bytes[0] = 7;
    const short = Float32Array.from(create().angles).slice(1);
    for (const angles of [null, undefined, {}, short, [0, 0], Object.freeze([0, 0, 0]), new Uint8Array(3)]) {
      const command = { ...create(), angles };
      const before = structuredClone(command);
      const fill = () => unpack(bytes, command as never);
      expect(fill).toThrow(TypeError);
      expect(fill).toThrow('command.angles must be as in a newly made command, got');
      expect(command).toEqual(before);
    }
    // Any list of numbers will do, unless it cannot hold them.
    const whole = { ...create(), angles: new Int32Array(3) };
    if (create().angles instanceof Float32Array)
      expect(() => unpack(bytes, whole as never)).toThrow(TypeError);
    else expect(unpack(bytes, whole as never).angles).toEqual(new Int32Array(3));
    expect(unpack(bytes, { ...create(), angles: [1, 2, 3] } as never).angles).toEqual([0, 0, 0]);
  });
});
