import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { boxLeafs, checkArrayOf, checkRoomOf, isArrayOf, toBytes } from '../src/format/index.ts';
import { createTraceBatch, defineTracer, type Trace } from '../src/index.ts';

// Arrays of another realm are not instances of this one's classes: those of a frame, or Node's own in tests with jsdom.
const other: {
  floats(numbers: number[]): Float32Array;
  ints(numbers: number[]): Int32Array;
  bytes(numbers: number[]): Uint8Array;
} = runInNewContext(
  '({ floats: (x) => Float32Array.from(x), ints: (x) => Int32Array.from(x), bytes: (x) => Uint8Array.from(x) })',
);

/** Traces of all kinds write to these. */
const wall = defineTracer({
  shape: { kind: 'ray' },
  trace(start, end, out) {
    out.endPos.set(Array.from(end));
    out.fraction = end[0]! > start[0]! ? 0.5 : 1;
    out.model = 3;
    return out;
  },
});
const SEGMENTS = [0, 0, 0, 20, 2, 3, 20, 0, 0, 0, 5, 6];

it('arrays are refused that have too little room', () => {
  checkRoomOf(new Int32Array(4), Int32Array, 3, 'out');
  expect(() => checkRoomOf(new Int32Array(2), Int32Array, 3, 'out')).toThrow(
    new RangeError('out must hold 3 numbers, got 2'),
  );
  expect(() => checkRoomOf([1, 2, 3], Int32Array, 3, 'out', 'an')).toThrow(
    new TypeError('out must be an Int32Array, got an array'),
  );
});

it('buffers of Node that were transferred are refused, though some methods of theirs work still', () => {
  const { buffer } = new Uint8Array(8);
  const bytes = Buffer.from(buffer);
  checkArrayOf(bytes, Uint8Array, 'bytes');
  structuredClone(buffer, { transfer: [buffer] });
  expect(() => checkArrayOf(bytes, Uint8Array, 'bytes')).toThrow(
    new TypeError('bytes must not have been transferred or cut off'),
  );
});

describe('arrays of another realm', () => {
  it('are not instances of this one’s classes', () => {
    expect(other.floats([1]) instanceof Float32Array).toBe(false);
  });

  it('are known by what they are', () => {
    expect(isArrayOf(other.floats([1]), Float32Array)).toBe(true);
    expect(isArrayOf(other.floats([1]), Int32Array)).toBe(false);
    expect(isArrayOf(Buffer.alloc(1), Uint8Array)).toBe(true);
    const named = { [Symbol.toStringTag]: 'Float32Array', length: 3 };
    for (const value of [
      named,
      [1, 2, 3],
      new DataView(new ArrayBuffer(4)),
      null,
      undefined,
      'Float32Array',
    ]) {
      expect(isArrayOf(value, Float32Array)).toBe(false);
    }
    expect(() => checkArrayOf(other.ints([1]), Uint8Array, 'bytes')).toThrow(
      new TypeError('bytes must be a Uint8Array, got Int32Array'),
    );
    expect(() => checkArrayOf('abc', Int32Array, 'out', 'an')).toThrow(
      new TypeError("out must be an Int32Array, got 'abc'"),
    );
  });

  it('hold segments and their answers', () => {
    const own = wall.traceBatch(new Float32Array(SEGMENTS));
    const into = {
      count: 2,
      fraction: other.floats([0, 0]),
      endPos: other.floats([0, 0, 0, 0, 0, 0]),
      startSolid: other.bytes([9, 9]),
      model: other.ints([0, 0]),
    };
    expect(wall.traceBatch(other.floats(SEGMENTS), into)).toBe(into);
    for (const field of ['fraction', 'endPos', 'startSolid', 'model'] as const) {
      expect(Array.from(into[field]), field).toEqual(Array.from(own[field]));
    }
    const tests = other.bytes([9, 9]);
    expect(wall.blockedBatch(other.floats(SEGMENTS), tests)).toBe(tests);
    expect(Array.from(tests)).toEqual([1, 0]);
  });

  it('are refused, as this one’s are, if they are of another kind, too short or the same memory', () => {
    const segments = other.floats(SEGMENTS);
    expect(() => wall.traceBatch(other.ints(SEGMENTS) as never)).toThrow(TypeError);
    expect(() => wall.blockedBatch(segments, other.ints([0, 0]) as never)).toThrow(TypeError);
    const batch = createTraceBatch(2, { fields: ['fraction'] });
    expect(() => wall.traceBatch(segments, { ...batch, fraction: other.ints([0, 0]) as never })).toThrow(
      TypeError,
    );
    expect(() => wall.traceBatch(segments, { ...batch, fraction: other.floats([0]) })).toThrow(TypeError);
    expect(() => wall.traceBatch(segments, { ...batch, fraction: segments })).toThrow(
      new RangeError('out must not overlap segments'),
    );
  });

  it('can be ends and answers of a trace', () => {
    const out: Trace = {
      ...wall.createTrace(),
      endPos: other.floats([0, 0, 0]),
      normal: other.floats([0, 0, 0]),
    };
    expect(wall.trace(other.floats([0, 0, 0]), other.floats([5, 6, 7]), out)).toBe(out);
    expect(Array.from(out.endPos)).toEqual([5, 6, 7]);
    expect(() => wall.trace([0, 0, 0], [1, 1, 1], { ...out, normal: other.floats([0]) })).toThrow(TypeError);
  });

  it('can take the numbers of leafs, and hold files', () => {
    const tree = {
      sides: () => 3,
      child: (_: number, side: number) => -1 - side,
      leaf: (child: number) => -child,
    };
    const out = other.ints([0, 0, 0]);
    expect(boxLeafs(tree, [0], [0, 0, 0], [1, 1, 1], out)).toBe(2);
    expect(Array.from(out)).toEqual([1, 2, 0]);
    expect(Array.from(toBytes(other.bytes([1, 2])))).toEqual([1, 2]);
    expect(Array.from(toBytes(other.bytes([1, 2]).buffer))).toEqual([1, 2]);
  });
});
