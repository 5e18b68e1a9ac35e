import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  cloneState,
  copyState,
  createMoveState,
  createQuake2State,
  createQuake2ThingState,
  createQuake3Command,
  createQuake3Mover,
  createQuake3State,
  createQuake3ThingState,
  createQuakeState,
  createQuakeThingState,
  createQuakeWorldState,
  equalStates,
  type PlayerState,
  packState,
  slide,
  unpackState,
} from '../src/index.ts';
import { quake3Arena, SPAWN } from './arena.ts';

/** Arrays of another realm: from a frame, or from a test environment that clones states. */
const arrayOf: (name: string, numbers: number[]) => never = runInNewContext(
  '((name, numbers) => globalThis[name].from(numbers))',
);

/** The same state with arrays of another realm. */
function foreign<S extends object>(state: S): S {
  const entries = Object.entries(state).map(([name, value]) => [
    name,
    ArrayBuffer.isView(value)
      ? arrayOf(
          value instanceof Int32Array ? 'Int32Array' : 'Float32Array',
          Array.from(value as Float32Array),
        )
      : value,
  ]);
  return Object.fromEntries(entries);
}

const makers = {
  createQuake3State,
  createQuake3ThingState,
  createQuake2State,
  createQuake2ThingState,
  createQuakeWorldState,
  createQuakeState,
  createQuakeThingState,
};

describe.each(Object.entries(makers))('a state of %s with arrays of another realm', (_, create) => {
  const changed = (): PlayerState => {
    const state = create();
    for (const value of Object.values(state)) {
      if (value instanceof Float32Array) value.set(Array.from(value, (_, k) => k + 0.5));
      if (value instanceof Int32Array) value.set(Array.from(value, (_, k) => -k - 1));
    }
    return state;
  };

  it('is packed, unpacked, copied and compared like one of this realm', () => {
    const own = changed();
    const bytes = packState(own);
    expect(packState(foreign(own))).toEqual(bytes);
    const packed = arrayOf('Uint8Array', Array.from(bytes).fill(0)) as Uint8Array;
    expect(packState(foreign(own), packed)).toBe(packed);
    expect(Array.from(packed)).toEqual(Array.from(bytes));
    const read = foreign(create() as PlayerState);
    expect(unpackState(packed, read)).toBe(read);
    expect(equalStates(read, own)).toBe(true);
    const copy = foreign(create() as PlayerState);
    expect(equalStates(copyState(own, copy), foreign(own))).toBe(true);
    expect(equalStates(cloneState(foreign(own)), own)).toBe(true);
  });
});

describe('a move', () => {
  it('is the same for arrays of another realm', () => {
    const mover = createQuake3Mover(quake3Arena());
    const command = { ...createQuake3Command(), serverTime: 50, forward: 127 };
    const own = createQuake3State();
    own.origin.set(SPAWN);
    const other = foreign(own);
    mover.move(own, command);
    mover.move(other, command);
    expect(equalStates(other, own)).toBe(true);
  });

  it('also if a character is not of any game', () => {
    const tracer = quake3Arena().box([-15, -15, -24], [15, 15, 32]);
    const own = createMoveState();
    own.position.set(SPAWN);
    own.velocity.set([100, 20, -300]);
    const other = foreign(own);
    expect(slide(tracer, other, 0.5)).toBe(slide(tracer, own, 0.5));
    expect(Array.from(other.position)).toEqual(Array.from(own.position));
  });
});
