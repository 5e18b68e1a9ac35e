import { createTrace, defineTracer, type Trace, type TraceStep } from '@bspkit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CompareOptions, compare, type Difference, type DifferenceKind } from '../src/index.ts';
import { changed, ground } from './tracers.ts';

/** Down from 10 to -10, `count` times. */
const drops = (count: number): Float32Array =>
  Float32Array.from({ length: 6 * count }, (_, k) => [0, 0, 10, 0, 0, -10][k % 6]!);

const untimed: CompareOptions = { rounds: 0 };

/** The one difference between the ground and a tracer that changes its answer. */
function differ(change: (trace: Trace) => void, options: CompareOptions = {}): readonly DifferenceKind[] {
  const { tracers } = compare(
    [
      { name: 'ground', tracer: ground(0) },
      { name: 'changed', tracer: changed(ground(0), change) },
    ],
    drops(1),
    { ...untimed, ...options },
  );
  const { agreed, differ, worst } = tracers[1]!.agreement;
  expect(agreed).toBe(worst.length === 0 ? 1 : 0);
  const counted = Object.entries(differ).filter(([, count]) => count === 1);
  expect(counted.map(([kind]) => kind)).toEqual(worst[0]?.kinds ?? []);
  return worst[0]?.kinds ?? [];
}

describe('agreement', () => {
  it('of a tracer with itself is whole, whatever is asked', () => {
    const coordinate = fc.float({ min: -100, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.array(coordinate, { minLength: 6, maxLength: 60 }), (numbers) => {
        const queries = Float32Array.from(numbers.slice(0, numbers.length - (numbers.length % 6)));
        const entries = ['a', 'b'].map((name) => ({ name, tracer: ground(3) }));
        const { tracers } = compare(entries, queries, { ...untimed, tolerance: 0, sides: 'number' });
        expect(tracers[1]).toEqual({ ...tracers[0], name: 'b' });
        expect(tracers[1]!.agreement.share).toBe(1);
        expect(tracers[1]!.agreement.gap).toEqual({ mean: 0, max: 0 });
      }),
    );
  });

  it('counts hits and starts in solid', () => {
    const queries = Float32Array.of(
      ...[0, 0, 10, 0, 0, -10],
      ...[0, 0, -5, 0, 0, 5],
      ...[0, 0, -5, 0, 0, -9],
      ...[0, 0, 9, 0, 0, 5],
    );
    const [report] = compare([{ name: 'ground', tracer: ground(0) }], queries, untimed).tracers;
    expect(report).toMatchObject({ hits: 2, startSolid: 2, allSolid: 1, shape: { kind: 'ray' } });
  });

  it.each<[string, (trace: Trace) => void, DifferenceKind[]]>([
    ['nothing', () => {}, []],
    ['a fraction within tolerance', (trace) => (trace.fraction += 5e-5), []],
    ['a fraction out of tolerance', (trace) => (trace.fraction += 2e-4), ['fraction']],
    ['a miss', (trace) => (trace.fraction = 1), ['hit']],
    ['no number', (trace) => (trace.fraction = Number.NaN), ['hit']],
    ['another normal', (trace) => trace.normal.set([0, 1, 0]), ['side']],
    ['the other way', (trace) => trace.normal.set([0, 0, -1]), ['side']],
    ['another number of the side', (trace) => (trace.side = 7), []],
    ['a start in solid', (trace) => (trace.startSolid = true), ['startSolid']],
    ['all of it in solid', (trace) => (trace.allSolid = true), ['allSolid']],
    [
      'everything',
      (trace) => {
        trace.fraction = 1;
        trace.startSolid = true;
        trace.allSolid = true;
      },
      ['hit', 'startSolid', 'allSolid'],
    ],
  ])('notices %s', (_, change, kinds) => {
    expect(differ(change)).toEqual(kinds);
  });

  it.each(['model', 'brush', 'side', 'patch', 'plane'] as const)('by numbers looks at the %s', (field) => {
    const change = (trace: Trace): void => {
      trace[field] = 7;
    };
    expect(differ(change, { sides: 'number' })).toEqual(['side']);
    expect(differ(change)).toEqual([]);
  });

  it('can disregard sides, but then still notices where moves stop', () => {
    expect(differ((trace) => trace.normal.set([0, 0, 0]), { sides: 'any' })).toEqual([]);
    const change = (trace: Trace): void => {
      trace.normal.set([0, 1, 0]);
      trace.fraction += 0.01;
    };
    expect(differ(change, { sides: 'any' })).toEqual(['fraction']);
  });

  it('without tolerance notices the last bit', () => {
    const change = (trace: Trace): void => {
      trace.fraction += 2 ** -24;
    };
    expect(differ(change, { tolerance: 0 })).toEqual(['fraction']);
  });

  it('without tolerance notices the sign of zero, which is a bit too', () => {
    const zero = (fraction: number) => ({
      name: String(fraction),
      tracer: changed(ground(0), (trace) => (trace.fraction = fraction)),
    });
    const entries = [zero(0), { ...zero(-0), name: 'negative' }];
    const exact = compare(entries, drops(1), { ...untimed, tolerance: 0 }).tracers[1]!.agreement;
    expect(exact).toMatchObject({ agreed: 0, differ: { fraction: 1 }, gap: { max: 0 } });
    expect(compare(entries, drops(1), untimed).tracers[1]!.agreement.agreed).toBe(1);
  });

  it('without tolerance compares fractions of moves that go nowhere too', () => {
    const still = Float32Array.of(0, 0, 10, 0, 0, 10);
    const stopped = changed(ground(0), (trace) => {
      trace.fraction = 0;
    });
    const entries = [
      { name: 'ground', tracer: ground(0) },
      { name: 'stopped', tracer: stopped },
    ];
    const differ = (options: CompareOptions): number =>
      compare(entries, still, { ...untimed, ...options }).tracers[1]!.agreement.differ.hit;
    expect(differ({ tolerance: 0 })).toBe(1);
    expect(differ({ distance: 1 / 8 })).toBe(0);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('takes two fractions of %s for the same', (fraction) => {
    const odd = changed(ground(0), (trace) => {
      trace.fraction = fraction;
      trace.normal.fill(fraction);
    });
    const entries = ['a', 'b'].map((name) => ({ name, tracer: odd }));
    for (const options of [{}, { tolerance: 0 }]) {
      for (const { agreement } of compare(entries, drops(2), { ...untimed, ...options }).tracers) {
        expect(agreement).toMatchObject({ share: 1, gap: { mean: 0, max: 0 } });
      }
    }
  });

  it('takes two normals that are not numbers for the same', () => {
    const odd = changed(ground(0), (trace) => trace.normal.fill(Number.NaN));
    const entries = ['a', 'b'].map((name) => ({ name, tracer: odd }));
    const { tracers } = compare(entries, drops(2), untimed);
    expect(tracers.map(({ agreement }) => agreement.share)).toEqual([1, 1]);
  });

  it('keeps the widest of very many differences, the first of those that are equal', () => {
    const fractions = Array.from({ length: 5000 }, (_, k) => 0.6 + ((k * 37) % 400) / 1000);
    const other = changed(ground(0), (trace, query) => {
      trace.fraction = fractions[query]!;
    });
    const entries = [
      { name: 'ground', tracer: ground(0) },
      { name: 'other', tracer: other },
    ];
    const { agreement } = compare(entries, drops(5000), { ...untimed, worst: 30 }).tracers[1]!;
    const sorted = [...fractions.keys()].sort((a, b) => fractions[b]! - fractions[a]! || a - b);
    expect(agreement.worst.map(({ query }) => query)).toEqual(sorted.slice(0, 30));
    expect(agreement.agreed).toBe(0);
    const none = compare(entries, drops(5000), { ...untimed, worst: 0 }).tracers[1]!.agreement;
    expect(none.worst).toEqual([]);
  });

  it('is of what a tracer returns, where it leaves the trace that it is given as it was', () => {
    const own = defineTracer({
      shape: { kind: 'ray' },
      trace: (start, end) => Object.assign(ground(0).trace(start, end), { side: 9 }),
    });
    const entries = [
      { name: 'ground', tracer: ground(0) },
      { name: 'own', tracer: own },
    ];
    const [, report] = compare(entries, drops(2), { ...untimed, sides: 'number' }).tracers;
    expect(report).toMatchObject({ hits: 2, agreement: { differ: { hit: 0, side: 2 } } });
  });

  it('is found before anything is timed that may write into the queries', () => {
    const run = (queries: Float32Array): number => {
      queries.fill(0);
      return 0;
    };
    const entries = [
      { name: 'ground', tracer: ground(0), run },
      { name: 'lower', tracer: ground(-1) },
    ];
    const { tracers } = compare(entries, drops(1), { rounds: 1, roundTime: 0 });
    expect(tracers[1]!.agreement.worst[0]).toMatchObject({ start: [0, 0, 10], end: [0, 0, -10] });
    expect(tracers[1]!.agreement.gap.max).toBeCloseTo(1, 5);
  });

  it('measures across the surface, so that other epsilons are near however flat the move', () => {
    const flat = Float32Array.of(0, 0, 1, 1000, 0, -1);
    const entries = [
      { name: 'exact', tracer: ground(0) },
      { name: 'engine', tracer: ground(0, 1 / 8) },
    ];
    const near = compare(entries, flat, { ...untimed, distance: 0.126 }).tracers[1]!;
    expect(near.agreement.share).toBe(1);
    expect(near.agreement.gap.max).toBeCloseTo(0.125, 4);
    expect(compare(entries, flat, { ...untimed, distance: 0.12 }).tracers[1]!.agreement.agreed).toBe(0);
  });

  it('leaves out fractions of moves that are wholly in solid to both', () => {
    const inside = Float32Array.of(0, 0, -5, 0, 0, -9);
    const other = changed(ground(0), (trace) => (trace.fraction = 1));
    const entries = [
      { name: 'one', tracer: ground(0) },
      { name: 'other', tracer: other },
    ];
    expect(compare(entries, inside, untimed).tracers[1]!.agreement).toMatchObject({
      share: 1,
      gap: { max: 0 },
    });
  });

  it('keeps the worst differences, widest first, with both answers', () => {
    const by = [0.1, 0, 0.3, 0.2, 0.3];
    const shorter = changed(ground(0), (trace, query) => (trace.fraction -= by[query]!));
    const entries = [
      { name: 'ground', tracer: ground(0) },
      { name: 'shorter', tracer: shorter },
    ];
    const { agreement } = compare(entries, drops(5), { ...untimed, worst: 3 }).tracers[1]!;
    expect(agreement.agreed).toBe(1);
    expect(agreement.share).toBe(0.2);
    expect(agreement.differ).toEqual({ hit: 0, fraction: 4, side: 0, startSolid: 0, allSolid: 0 });
    expect(agreement.worst.map(({ query }) => query)).toEqual([2, 4, 3]);
    expect(agreement.gap.max).toBeCloseTo(6, 5);
    expect(agreement.gap.mean).toBeCloseTo((20 * 0.9) / 5, 5);
    expect(agreement.worst[0]).toMatchObject({
      start: [0, 0, 10],
      end: [0, 0, -10],
      kinds: ['fraction'],
      first: { fraction: 0.5, endPos: [0, 0, 0], normal: [0, 0, 1], side: 0, brush: -1 },
      own: { fraction: Math.fround(0.2) },
    } satisfies Partial<Record<keyof Difference, unknown>>);
  });
});

describe('work', () => {
  const step = (kind: TraceStep['kind'], outcome = 'missed'): TraceStep =>
    ({ kind, outcome }) as unknown as TraceStep;

  it('is what explain tells, apart from brushes seen again, on queries spread evenly', () => {
    const asked: number[] = [];
    const explain = (start: ArrayLike<number>): { steps: TraceStep[] } => {
      asked.push(start[0]!);
      const odd = asked.length % 2 === 1;
      return {
        steps: [
          ...[step('node'), step('leaf'), step('side'), step('side'), step('brush')],
          ...[step('brush', 'again'), step('facet'), ...(odd ? [step('node')] : [])],
        ],
      };
    };
    const queries = Float32Array.from({ length: 60 }, (_, k) => (k % 6 === 0 ? k / 6 : 0));
    const [with4, without] = compare(
      [
        { name: 'explained', tracer: ground(0), explain },
        { name: 'not', tracer: ground(0) },
      ],
      queries,
      { ...untimed, explained: 4 },
    ).tracers;
    expect(asked).toEqual([0, 2, 5, 7]);
    expect(with4!.work).toEqual({ queries: 4, nodes: 1.5, leafs: 1, brushes: 1, sides: 2, facets: 1 });
    expect(without).not.toHaveProperty('work');
  });

  it('is counted after the timing, and its tracers are timed without it', () => {
    const order: string[] = [];
    let time = 0;
    const now = (): number => {
      order.push('clock');
      time += 20;
      return time;
    };
    const explain = (): { steps: TraceStep[] } => {
      order.push('explain');
      return { steps: [] };
    };
    compare([{ name: 'ground', tracer: ground(0), explain }], drops(3), { now, rounds: 2 });
    expect(order.indexOf('explain')).toBe(order.lastIndexOf('clock') + 1);
  });
});

describe('timing', () => {
  /** A tracer that takes a while by a clock of our own. */
  function clocked(): {
    now: () => number;
    taking: (nanoseconds: () => number) => ReturnType<typeof ground>;
  } {
    let time = 0;
    return {
      now: () => time,
      taking: (nanoseconds) =>
        changed(ground(0), () => {
          time += 1e-6 * nanoseconds();
        }),
    };
  }

  it('tells what a query takes', () => {
    const { now, taking } = clocked();
    const entries = [
      { name: 'one', tracer: taking(() => 1000) },
      { name: 'slow', tracer: taking(() => 4000) },
    ];
    const [one, slow] = compare(entries, drops(300), { now, rounds: 5, roundTime: 1 }).tracers;
    expect(one!.time!.median).toBeCloseTo(1000);
    expect(slow!.time!.median).toBeCloseTo(4000);
    expect(slow!.time!.speed).toBeCloseTo(0.25);
    expect(one!.time).toMatchObject({ rounds: 5, speed: 1 });
  });

  it('tells the spread of the rounds', () => {
    const { now, taking } = clocked();
    let asked = 0;
    // 50 queries in the answering, 50 to find the passes, 100 in rounds that do not count, then 5 rounds.
    const tracer = taking(() => [100, 300, 200, 500, 400][Math.floor((asked++ - 200) / 50)] ?? 1e6);
    const { time } = compare([{ name: 'one', tracer }], drops(50), { now, rounds: 5 }).tracers[0]!;
    for (const [name, value] of Object.entries({ min: 100, low: 200, median: 300, high: 400, max: 500 })) {
      expect(time![name as keyof typeof time]).toBeCloseTo(value);
    }
  });

  it('is of the runner where there is one, in slices that cover all queries, and of the tracer elsewhere', () => {
    const { now, taking } = clocked();
    const timed = taking(() => 80);
    const slices: string[] = [];
    const run = (queries: Float32Array, first: number, last: number): number => {
      slices.push(`${first} ${last}`);
      timed.traceBatch(queries.subarray(6 * first, 6 * last));
      return last - first;
    };
    const [foreign, own] = compare(
      [
        { name: 'foreign', tracer: taking(() => 1000), run },
        { name: 'own', tracer: taking(() => 40) },
      ],
      drops(450),
      { now, rounds: 1, roundTime: 0 },
    ).tracers;
    expect(foreign!.time!.median).toBeCloseTo(80);
    expect(own!.time!.median).toBeCloseTo(40);
    expect(foreign!.agreement.share).toBe(1);
    expect(slices.slice(0, 3)).toEqual(['0 200', '200 400', '400 450']);
    expect(slices).toHaveLength(4 * 3);
  });

  it('runs each tracer for the time that it should, in turns', () => {
    const { now, taking } = clocked();
    const order: string[] = [];
    const named = (name: string, nanoseconds: number) => ({
      name,
      tracer: taking(() => {
        if (order.at(-1) !== name) order.push(name);
        return nanoseconds;
      }),
    });
    const began = now();
    compare([named('a', 10_000), named('b', 500), named('c', 100)], drops(10), {
      now,
      rounds: 3,
      roundTime: 2,
    });
    expect(now() - began).toBeGreaterThan(3 * 3 * 2);
    expect(order.slice(-9).join('')).toBe('cababcbca');
  });

  it('has a clock of its own', () => {
    const { time } = compare([{ name: 'a', tracer: ground(0) }], drops(10), { rounds: 3, roundTime: 0 })
      .tracers[0]!;
    expect(time!.max).toBeGreaterThanOrEqual(time!.min);
    expect(time!.rounds).toBe(3);
  });

  it('can be left out', () => {
    const [report] = compare([{ name: 'a', tracer: ground(0) }], drops(10), untimed).tracers;
    expect(report).not.toHaveProperty('time');
  });
});

describe('allocation', () => {
  it('is the growth of the heap per query, less what looking costs, collections left out', () => {
    let [used, asked] = [0, 0];
    // 3 bytes for each look.
    const heap = (): number => (used += 3);
    const wasteful = changed(ground(0), () => {
      used += 40;
      if (++asked % 1000 === 0) used = 0;
    });
    const entries = [
      { name: 'thrifty', tracer: ground(0) },
      { name: 'wasteful', tracer: wasteful },
    ];
    const [thrifty, other] = compare(entries, drops(2000), { ...untimed, heap }).tracers;
    expect(thrifty!.allocated).toBe(0);
    expect(other!.allocated).toBe(40);
    expect(compare(entries, drops(10), untimed).tracers[0]).not.toHaveProperty('allocated');
  });

  it('is of few queries too', () => {
    let used = 0;
    const tracer = changed(ground(0), () => (used += 16));
    const [report] = compare([{ name: 'a', tracer }], drops(3), { ...untimed, heap: () => used }).tracers;
    expect(report!.allocated).toBe(16);
  });

  it('is seen by the meter of Node', () => {
    let kept: unknown;
    const wasteful = changed(ground(0), (_, query) => {
      kept = new Array<number>(100).fill(query);
    });
    const heap = (): number => process.memoryUsage().heapUsed;
    const [report] = compare([{ name: 'a', tracer: wasteful }], drops(10_000), { ...untimed, heap }).tracers;
    expect(report!.allocated).toBeGreaterThan(700);
    expect(kept).toHaveLength(100);
  });
});

describe('progress', () => {
  it('is told stage by stage, and never between two looks at the clock of one measurement', () => {
    const told: string[] = [];
    let looks = 0;
    const now = (): number => 20 * looks++;
    const onProgress = (stage: string, part: number): void => {
      expect(looks % 2).toBe(0);
      told.push(`${stage} ${part}`);
    };
    const entries = ['a', 'b'].map((name) => ({ name, tracer: ground(0), explain: () => ({ steps: [] }) }));
    compare(entries, drops(3), { now, rounds: 2, heap: () => 0, onProgress });
    expect(told).toEqual([
      ...['answers 0', 'answers 0.5', 'timing 0', 'timing 0.25', 'timing 0.5', 'timing 0.75'],
      ...['allocation 0', 'allocation 0.5', 'work 0', 'work 0.5'],
    ]);
  });
});

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
      'entries and queries in the wrong order',
      () => compare(drops(1) as never, [entry] as never),
      new TypeError('entries must be an array, got an object'),
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
    expect(call).toThrow(new Error('broken, query 2 (0 0 10 to 0 0 -10): out of fuel', { cause }));
  });

  it('one that gives no trace is named with its query', () => {
    const empty = { ...ground(0), trace: () => undefined as never };
    expect(() => compare([{ name: 'empty', tracer: empty }], drops(1), untimed)).toThrow(
      /^empty, query 0 \(0 0 10 to 0 0 -10\): trace must be a trace/,
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
      new Error(`${entry.name}, explain, query 0 (0 0 10 to 0 0 -10): out of fuel`, { cause }),
    );
  });

  it('a heap of an unknown size is not one without allocation', () => {
    const heap = (): number => Number.NaN;
    expect(() => compare([entry], drops(1), { ...untimed, heap })).toThrow(
      new RangeError('heap must be a function that gives a finite number of bytes, got NaN'),
    );
  });
});
