import { defineTracer, type Shape, type Trace } from '@bspkit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CompareOptions, compare, type Difference, type DifferenceKind } from '../src/index.ts';
import { changed, drops, ground, untimed } from './tracers.ts';

/** The one difference between the ground and a tracer that changes its answer, or the other way around. */
function differ(
  change: (trace: Trace) => void,
  options: CompareOptions = {},
  isFirst = false,
): readonly DifferenceKind[] {
  const entries = [
    { name: 'ground', tracer: ground(0) },
    { name: 'changed', tracer: changed(ground(0), change) },
  ];
  const { tracers } = compare(isFirst ? entries.reverse() : entries, drops(1), { ...untimed, ...options });
  const { agreed, differ, worst } = tracers[1]!.agreement;
  expect(agreed).toBe(worst.length === 0 ? 1 : 0);
  const counted = Object.entries(differ).filter(([, count]) => count === 1);
  expect(counted.map(([kind]) => kind)).toEqual(worst[0]?.kinds ?? []);
  return worst[0]?.kinds ?? [];
}

describe('agreement', () => {
  it('of a tracer with itself is complete, whatever is asked', () => {
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

  it('copies the sizes of what moves as plain numbers', () => {
    const [mins, maxs, radii] = [
      Float32Array.of(-1, -2, -3),
      Float32Array.of(1, 2, 3),
      Float32Array.of(4, 5, 6),
    ];
    const shapes: Shape[] = [
      { kind: 'sphere', radius: 7 },
      { kind: 'box', mins, maxs },
      { kind: 'capsule', mins, maxs },
      { kind: 'ellipsoid', radii },
    ];
    const entries = shapes.map((shape) => ({ name: shape.kind, tracer: { ...ground(0), shape } }));
    const { tracers } = compare(entries, drops(1), untimed);
    for (const sizes of [mins, maxs, radii]) sizes.fill(0);
    expect(tracers.map(({ shape }) => shape)).toEqual([
      { kind: 'sphere', radius: 7 },
      { kind: 'box', mins: [-1, -2, -3], maxs: [1, 2, 3] },
      { kind: 'capsule', mins: [-1, -2, -3], maxs: [1, 2, 3] },
      { kind: 'ellipsoid', radii: [4, 5, 6] },
    ]);
  });

  it.each<[string, (trace: Trace) => void, DifferenceKind[]]>([
    ['nothing', () => {}, []],
    ['a fraction within tolerance', (trace) => (trace.fraction += 5e-5), []],
    ['a fraction out of tolerance', (trace) => (trace.fraction += 2e-4), ['fraction']],
    [
      'a miss',
      (trace) => {
        trace.fraction = 1;
        trace.normal.fill(0);
      },
      ['hit'],
    ],
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
  ])('notices %s, of either tracer', (_, change, kinds) => {
    expect(differ(change)).toEqual(kinds);
    expect(differ(change, {}, true)).toEqual(kinds);
  });

  it.each(['model', 'brush', 'side', 'patch', 'plane'] as const)('by numbers compares the %s', (field) => {
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
    expect(differ(change)).toEqual(['fraction', 'side']);
  });

  it('takes fractions as the same that are just within tolerance', () => {
    const change = (trace: Trace): void => {
      trace.fraction += 0.25;
    };
    expect(differ(change, { tolerance: 0.25 })).toEqual([]);
    expect(differ(change, { tolerance: 0.2499 })).toEqual(['fraction']);
  });

  it('takes no number for close, whatever the distance', () => {
    expect(differ((trace) => (trace.fraction = Number.NaN), { distance: 1000 })).toEqual(['hit']);
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

  it('measures the gap to a miss along the move, whatever normal a tracer leaves in it', () => {
    const slanted = Float32Array.of(0, 0, 10, 120, 30, -30);
    const missed = changed(ground(0), (trace) => {
      trace.fraction = 1;
    });
    const entries = [
      { name: 'ground', tracer: ground(0) },
      { name: 'missed', tracer: missed },
    ];
    // Across the ground it would be 30.
    for (const order of [entries, [...entries].reverse()]) {
      expect(compare(order, slanted, untimed).tracers[1]!.agreement.gap.max).toBe(0.75 * 130);
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('takes two fractions of %s as the same', (fraction) => {
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

  it('takes normals within a degree or so as those of one side', () => {
    const tilted = (degrees: number): number => {
      const angle = (degrees * Math.PI) / 180;
      const tracer = changed(ground(0), (trace) => trace.normal.set([Math.sin(angle), 0, Math.cos(angle)]));
      const entries = [
        { name: 'level', tracer: ground(0) },
        { name: 'tilted', tracer },
      ];
      return compare(entries, drops(1), untimed).tracers[1]!.agreement.differ.side;
    };
    expect([0, 0.01, -1, 1, 3, -3, 90, 180].map(tilted)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  });

  it('takes two normals that are not numbers as the same', () => {
    const odd = changed(ground(0), (trace) => trace.normal.fill(Number.NaN));
    const entries = ['a', 'b'].map((name) => ({ name, tracer: odd }));
    const { tracers } = compare(entries, drops(2), untimed);
    expect(tracers.map(({ agreement }) => agreement.share)).toEqual([1, 1]);
  });

  it.each([0, Number.NaN, Number.POSITIVE_INFINITY])(
    'measures along the move between hits whose normals are %s, which face nowhere',
    (component) => {
      const hit = (name: string, fraction: number) => ({
        name,
        tracer: changed(ground(0), (trace) => {
          trace.fraction = fraction;
          trace.normal.fill(component);
        }),
      });
      const entries = [hit('near', 0.25), hit('far', 0.75), hit('near too', 0.25)];
      const options = { ...untimed, distance: 1, sides: 'any' } as const;
      const [, far, near] = compare(entries, drops(1), options).tracers;
      expect(far!.agreement).toMatchObject({ agreed: 0, gap: { mean: 10, max: 10 } });
      expect(near!.agreement).toMatchObject({ agreed: 1, gap: { mean: 0, max: 0 } });
    },
  );

  it('has a finite gap for moves that go nowhere, whatever the fractions', () => {
    const still = Float32Array.of(0, 0, 10, 0, 0, 10);
    const divided = changed(ground(0), (trace) => (trace.fraction = Number.NEGATIVE_INFINITY));
    const entries = [
      { name: 'ground', tracer: ground(0) },
      { name: 'divided by zero', tracer: divided },
    ];
    const { agreement } = compare(entries, still, untimed).tracers[1]!;
    expect(agreement).toMatchObject({ differ: { hit: 1 }, gap: { mean: 0, max: 0 } });
  });

  it('keeps the widest of very many differences, and the first of equal ones', () => {
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

  it('is about what a tracer returns, even if it does not fill the trace that it is given', () => {
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

  it('is found before timing anything that may write to the queries', () => {
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

  it('measures across the surface, so that other epsilons are close however flat the move', () => {
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

  it('ignores fractions of moves that are wholly in solid to both', () => {
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

  it('counts the gap of a move that is wholly in solid to only one of them', () => {
    const solid = changed(ground(0), (trace) => {
      trace.fraction = 0;
      trace.allSolid = true;
    });
    const entries = [
      { name: 'ground', tracer: ground(0) },
      { name: 'solid', tracer: solid },
    ];
    for (const order of [entries, [...entries].reverse()]) {
      expect(compare(order, drops(1), untimed).tracers[1]!.agreement.gap).toEqual({ mean: 10, max: 10 });
    }
  });

  it('keeps the worst differences, widest first, with both answers', () => {
    const by = [0.1, 0, 0.3, 0.2, 0.3];
    const shorter = changed(ground(0), (trace, query) => {
      trace.fraction -= by[query]!;
      trace.endPos[2] = 10 - 20 * trace.fraction;
    });
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
      own: {
        fraction: Math.fround(0.2),
        endPos: [0, 0, Math.fround(10 - 20 * Math.fround(0.2))],
        normal: [0, 0, 1],
      },
    } satisfies Partial<Record<keyof Difference, unknown>>);
  });
});
