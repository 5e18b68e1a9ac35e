import { BspError, type BspErrorCode, type TraceStep } from '@bspkit/core';
import { describe, expect, it } from 'vitest';
import { compare, type Work } from '../src/index.ts';
import { changed, drops, ground, untimed } from './tracers.ts';

// What a comparison measures besides agreement: work, time and allocation; and its progress.

describe('work', () => {
  const step = (kind: TraceStep['kind'], outcome = 'missed'): TraceStep =>
    ({ kind, outcome }) as unknown as TraceStep;

  it('is what explain reports, except for brushes seen again, on queries spread evenly', () => {
    const asked: number[] = [];
    const explain = (start: ArrayLike<number>): { steps: TraceStep[] } => {
      asked.push(start[0]!);
      const odd = asked.length % 2 === 1;
      return {
        steps: [
          ...[step('node'), step('leaf'), step('side'), step('side'), step('brush')],
          ...[
            step('brush', 'again'),
            step('facet'),
            step('polygon'),
            step('feature'),
            ...(odd ? [step('node')] : []),
          ],
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
    expect(with4!.work).toEqual({
      queries: 4,
      nodes: 1.5,
      leafs: 1,
      brushes: 1,
      sides: 2,
      facets: 1,
      polygons: 1,
      features: 1,
    });
    expect(without).not.toHaveProperty('work');
  });

  it('leaves out queries whose explanation would be too long, and only these', () => {
    const workOf = (isLimit: (at: number) => boolean, code: BspErrorCode = 'limit'): Work => {
      const explain = (start: ArrayLike<number>): { steps: TraceStep[] } => {
        if (isLimit(start[0]!)) throw new BspError(code, { format: 'toy' }, 'too long');
        return { steps: [step('polygon'), step('polygon')] };
      };
      const queries = Float32Array.from({ length: 24 }, (_, k) => (k % 6 === 0 ? k / 6 : 0));
      return compare([{ name: 'long', tracer: ground(0), explain }], queries, untimed).tracers[0]!.work;
    };
    expect(workOf((at) => at === 2)).toMatchObject({ queries: 3, polygons: 2 });
    expect(workOf(() => true)).toMatchObject({ queries: 0, polygons: 0, nodes: 0 });
    expect(() => workOf((at) => at === 2, 'empty')).toThrow('long, explain, query 2');
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
  /** A tracer that takes some time by a clock of our own. */
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

  it('gives the time of a query', () => {
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

  it.each([
    { took: [100, 300, 200, 500, 400], spread: { min: 100, low: 200, median: 300, high: 400, max: 500 } },
    // Between two rounds.
    { took: [100, 400, 200, 300], spread: { min: 100, low: 175, median: 250, high: 325, max: 400 } },
  ])('gives the spread of the rounds: $took', ({ took, spread }) => {
    const { now, taking } = clocked();
    let asked = 0;
    // 50 queries for the answers, 50 to find the number of passes, 100 in rounds that do not count, then those that do.
    const tracer = taking(() => took[Math.floor((asked++ - 200) / 50)] ?? 1e6);
    const { time } = compare([{ name: 'one', tracer }], drops(50), {
      now,
      rounds: took.length,
      roundTime: 0,
    }).tracers[0]!;
    for (const [name, value] of Object.entries(spread)) {
      expect(time![name as keyof typeof time]).toBeCloseTo(value);
    }
  });

  it('is that of the runner if there is one, in slices that cover all queries, and otherwise of the tracer', () => {
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

  it('runs each tracer for the required time, in turns', () => {
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
  it('is the growth of the heap per query, less what looking costs, without collections', () => {
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

  it('works for few queries too', () => {
    let used = 0;
    const tracer = changed(ground(0), () => (used += 16));
    const [report] = compare([{ name: 'a', tracer }], drops(3), { ...untimed, heap: () => used }).tracers;
    expect(report!.allocated).toBe(16);
  });

  it('is measured by the meter of Node', () => {
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
  it('is reported stage by stage, and never between two looks at the clock within one measurement', () => {
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
