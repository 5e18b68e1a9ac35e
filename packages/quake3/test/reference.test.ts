import { arenaQuake3 } from '@bspkit/fixtures';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createQuake3World, explain, type Quake3Tracer, readQuake3 } from '../src/index.ts';
import { brushSoup, move, tracersOf, worldOf } from './worlds.ts';

/** Kernel and literal algorithm must agree on every bit; a position test (no reference) has a rule of its own. */
function expectAgreement(tracer: Quake3Tracer, start: number[], end: number[]): void {
  const { trace, reference } = explain(tracer, start, end);
  expect(tracer.blocked(start, end)).toBe(trace.startSolid || trace.fraction < 1);
  if (!reference) {
    // Numerically: 0 and -0 are one place.
    expect(start.every((x, k) => x === end[k])).toBe(true);
    return;
  }
  const { fraction, dist, startSolid, allSolid, contents, surfaceFlags } = trace;
  const answer = { fraction, normal: [...trace.normal], dist, startSolid, allSolid, contents, surfaceFlags };
  expect(answer).toStrictEqual({ ...reference, normal: [...reference.normal] });
}

describe('the kernels against the literal algorithm', () => {
  it.each(Object.keys(tracersOf(createQuake3World(readQuake3(arenaQuake3())))))(
    '%s, in worlds of random brushes',
    (name) => {
      fc.assert(
        fc.property(brushSoup(), fc.array(move, { minLength: 30, maxLength: 30 }), (soup, moves) => {
          const tracer = tracersOf(worldOf(soup))[name]!;
          for (const [start, end] of moves) expectAgreement(tracer, start, end);
        }),
        { numRuns: 60 },
      );
    },
  );

  it('models that stand turned and elsewhere, and patches, in the arena', () => {
    const world = createQuake3World(readQuake3(arenaQuake3()));
    const tracers = Object.values(tracersOf(world));
    fc.assert(
      fc.property(move, fc.nat(tracers.length - 1), ([start, end], k) =>
        expectAgreement(tracers[k]!, start, end),
      ),
      { numRuns: 2000 },
    );
  });
});

describe('explain', () => {
  const world = createQuake3World(readQuake3(arenaQuake3()));

  it('tells the way through the tree, and the brush that was hit, with its sides', () => {
    const { trace, steps } = explain(world.ray(), [0, 0, 64], [0, 0, -64]);
    expect(trace.fraction).toBeCloseTo((64 - 0.125) / 128, 6);
    expect(steps[0]).toMatchObject({
      kind: 'node',
      depth: 0,
      startFraction: 0,
      endFraction: 1,
      start: [0, 0, 64],
    });
    expect(steps.some(({ kind }) => kind === 'leaf')).toBe(true);
    const hits = steps.filter((step) => step.kind === 'brush' && step.outcome === 'hit');
    expect(hits.at(-1)).toMatchObject({ brush: trace.brush, enter: trace.fraction, side: trace.side });
    const at = steps.indexOf(hits.at(-1)!);
    const sides = [];
    for (let k = at - 1; steps[k]?.kind === 'side'; k--) sides.unshift(steps[k]!);
    expect(sides.length).toBeGreaterThanOrEqual(6);
    expect(
      sides.some((side) => side.kind === 'side' && side.side === trace.side && side.normal[2] === 1),
    ).toBe(true);
  });

  it('has no steps for a position test, and refuses exact spheres', () => {
    expect(explain(world.ray(), [0, 0, 64], [0, 0, 64]).steps).toEqual([]);
    expect(() => explain(world.sphere(8, { exact: true }), [0, 0, 64], [0, 0, 0])).toThrow(TypeError);
  });
});
