import { createTrace, defineTracer, type Tracer } from '@bspkit/core';
import { describe, expect, it } from 'vitest';
import { compare } from '../src/index.ts';
import { drops, ground, untimed } from './tracers.ts';

// Errors name what cannot be compared.

describe('what cannot be compared', () => {
  const entry = { name: 'a', tracer: ground(0) };

  it.each<[string, () => unknown, Error]>([
    ['no entries', () => compare([], drops(1)), new RangeError('entries must hold at least one tracer')],
    [
      'two of one name',
      () => compare([entry, entry], drops(1)),
      new TypeError("entries must have different names, but two are 'a'"),
    ],
    [
      'no queries',
      () => compare([entry], new Float32Array(0)),
      new RangeError('queries must hold six numbers per query, got 0 numbers'),
    ],
    [
      'half a query',
      () => compare([entry], new Float32Array(7)),
      new RangeError('queries must hold six numbers per query, got 7 numbers'),
    ],
    [
      'a run that cannot be called',
      () => compare([{ ...entry, run: 5 as never }], drops(1), untimed),
      new TypeError('entries[0].run must be a function, got 5'),
    ],
    [
      'a negative tolerance',
      () => compare([entry], drops(1), { tolerance: -1 }),
      new RangeError('tolerance must be a finite float32, 0 or more, got -1'),
    ],
    [
      'half a round',
      () => compare([entry], drops(1), { rounds: 0.5 }),
      new RangeError('rounds must be a whole number from 0 to 1000, got 0.5'),
    ],
    [
      'rounds without end',
      () => compare([entry], drops(1), { rounds: 1e300 }),
      new RangeError('rounds must be a whole number from 0 to 1000, got 1e+300'),
    ],
    [
      'rounds as long as a day',
      () => compare([entry], drops(1), { roundTime: 86_400_000 }),
      new RangeError('roundTime must be a number, 0 to 60000, got 86400000'),
    ],
    [
      'a time that is no number',
      () => compare([entry], drops(1), { roundTime: Number.NaN }),
      new RangeError('roundTime must be a number, 0 to 60000, got NaN'),
    ],
    [
      'an unknown rule for sides',
      () => compare([entry], drops(1), { sides: 'x' as 'any' }),
      new RangeError("sides must be 'normal', 'number' or 'any', got 'x'"),
    ],
    [
      'an entry without a tracer',
      () => compare([{ name: 'a' } as typeof entry], drops(1)),
      new TypeError('entries[0].tracer must be a tracer, got undefined'),
    ],
    [
      'a tracer without a shape',
      () => compare([{ name: 'a', tracer: { ...ground(0), shape: undefined as never } }], drops(1)),
      new TypeError('entries[0].tracer.shape must be an object, got undefined'),
    ],
    [
      'entries and queries in the wrong order',
      () => compare(drops(1) as never, [entry] as never),
      new TypeError('entries must be an array, got Float32Array'),
    ],
    [
      'queries in a plain list',
      () => compare([entry], [0, 0, 10, 0, 0, -10] as never),
      new TypeError('queries must be a Float32Array of six numbers per query, got an array'),
    ],
    [
      'no explained queries',
      () => compare([entry], drops(1), { explained: 0 }),
      new RangeError('explained must be a whole number, 1 or more, got 0'),
    ],
  ])('%s', (_, call, error) => {
    expect(call).toThrow(error);
  });

  it('a tracer that throws is named with its query', () => {
    const cause = new Error('out of fuel');
    let asked = 0;
    const broken = defineTracer({
      shape: { kind: 'ray' },
      trace() {
        if (asked++ === 2) throw cause;
        return createTrace();
      },
    });
    const call = (): unknown => compare([entry, { name: 'broken', tracer: broken }], drops(5), untimed);
    expect(call).toThrow(new Error('broken, query 2 (from 0,0,10 to 0,0,-10): out of fuel', { cause }));
  });

  it('so is one that throws anything but an error', () => {
    const broken: Tracer = {
      ...ground(0),
      trace: () => {
        throw 'out of fuel';
      },
    };
    const call = (): unknown => compare([{ name: 'broken', tracer: broken }], drops(1), untimed);
    expect(call).toThrow(
      new Error('broken, query 0 (from 0,0,10 to 0,0,-10): out of fuel', { cause: 'out of fuel' }),
    );
  });

  it('one that returns no trace is named with its query', () => {
    const empty = { ...ground(0), trace: () => undefined as never };
    expect(() => compare([{ name: 'empty', tracer: empty }], drops(1), untimed)).toThrow(
      /^empty, query 0 \(from 0,0,10 to 0,0,-10\): trace must be a trace/,
    );
  });

  it('what is timed or explained is named when it throws', () => {
    const cause = new Error('out of fuel');
    const broken = (): never => {
      throw cause;
    };
    expect(() => compare([{ ...entry, run: broken }], drops(5), { rounds: 1 })).toThrow(
      new Error(`${entry.name}, queries 0 to 4: out of fuel`, { cause }),
    );
    expect(() => compare([{ ...entry, explain: broken }], drops(1), untimed)).toThrow(
      new Error(`${entry.name}, explain, query 0 (from 0,0,10 to 0,0,-10): out of fuel`, { cause }),
    );
  });

  it('a heap of unknown size does not mean that nothing was allocated', () => {
    const heap = (): number => Number.NaN;
    expect(() => compare([entry], drops(1), { ...untimed, heap })).toThrow(
      new RangeError('heap must be a function that gives a finite number of bytes, got NaN'),
    );
  });
});
