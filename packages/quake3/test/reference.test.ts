import { boxBrush, compileMap } from '@bspkit/compile';
import type { BrushStep, FeatureStep, SideStep, Trace, TraceStep } from '@bspkit/core';
import { arenaQuake3 } from '@bspkit/fixtures';
import { packLumps, planeRecords, unpackLumps, words } from '@bspkit/testkit/crafted';
import { QUAKE3_CRAFTED } from '@bspkit/testkit/crafted/quake3';
import { expectSame, moving } from '@bspkit/testkit/same';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxEntity,
  CONTENTS_PLAYERCLIP,
  createQuake3World,
  exactSphere,
  explain,
  type Placed,
  Quake3World,
  readQuake3,
} from '../src/index.ts';
import { REF_WORDS } from '../src/layout.ts';
import type { Quake3Model } from '../src/model.ts';
import { referenceTrace } from '../src/reference/trace.ts';
import type { Quake3Tracer } from '../src/tracer.ts';
import { withWord } from './broken.ts';
import {
  aimed,
  brushSoup,
  exactSpheresOf,
  inKernel,
  KERNELS,
  move,
  patchSoup,
  pose,
  runs,
  tracersOf,
  worldOf,
} from './worlds.ts';

type Ends = readonly number[];

/** Kernels and literal algorithm must agree on every bit of the whole answer, and the any-hit test with both. */
function expectAgreement(tracer: Quake3Tracer, start: Ends, end: Ends): void {
  const reference = referenceTrace(tracer, start, end, () => undefined);
  const expected = { ...reference, endPos: [...reference.endPos], normal: [...reference.normal] };
  const ask = (): Trace => {
    const trace = tracer.trace(start, end);
    const { fraction, dist, startSolid, allSolid, contents, surfaceFlags, brush, side, patch } = trace;
    const answer = { fraction, dist, startSolid, allSolid, contents, surfaceFlags, brush, side, patch };
    const vectors = { endPos: [...trace.endPos], normal: [...trace.normal] };
    expectSame({ ...answer, ...vectors }, expected, moving(start, end, tracer.shape.kind));
    expectSame(tracer.blocked(start, end), startSolid || fraction < 1, moving(start, end));
    return trace;
  };
  if (tracer._kernel.round) {
    ask();
    return;
  }
  const [wasm, js] = KERNELS.map((kernel) => inKernel(tracer, kernel, ask));
  // Model, plane and texture, which the reference does not give.
  expectSame(wasm, js, moving(start, end, tracer.shape.kind));
}

/**
 * How far from a side moves begin, and how much they come nearer to it or go away, of what they would: or they end within
 * the epsilon before it.
 */
const OFFSETS = [0.03, 1 / 8, 0.64, 1, 0.02, 0.2, 2];
const SLOPES = [0, 0, 1e-4, 1, undefined];
const END = 0.12;

/** Bounds of what is traced, about the traced point. */
function reachOf(shape: Quake3Tracer['shape']): {
  readonly mins: ArrayLike<number>;
  readonly maxs: ArrayLike<number>;
} {
  if (shape.kind === 'box' || shape.kind === 'capsule') return shape;
  const radius = shape.kind === 'sphere' ? shape.radius : 0;
  return { mins: [-radius, -radius, -radius], maxs: [radius, radius, radius] };
}

/** Asks for a move so often that a clearing is looked for where it starts. */
function askOften(tracer: Quake3Tracer, start: Ends, end: Ends): void {
  for (let k = 0; k <= 25; k++) tracer.blocked(start, end);
}

const arena = createQuake3World(readQuake3(arenaQuake3()));
const allOf = (world: Quake3World | Quake3Model) => ({ ...tracersOf(world), ...exactSpheresOf(world) });
const names = Object.keys(allOf(arena)) as (keyof ReturnType<typeof allOf>)[];
const moves = fc.array(move, { minLength: 30, maxLength: 30 });

describe('the kernels against the literal algorithm', () => {
  it.each(names)('%s, in worlds of random brushes and patches', (name) => {
    fc.assert(
      fc.property(brushSoup(), fc.oneof(fc.constant([]), patchSoup), moves, (brushes, patches, moves) => {
        const tracer = allOf(worldOf(brushes, patches))[name];
        for (const [start, end] of aimed(moves, patches)) expectAgreement(tracer, start, end);
      }),
      { numRuns: runs(4) },
    );
  });

  it.each(names)('%s, in short moves near brushes and patches', (name) => {
    const step = fc.array(fc.float({ min: -60, max: 60, noNaN: true }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(brushSoup(), patchSoup, fc.array(step, { minLength: 30 }), (brushes, patches, steps) => {
        const world = worldOf(brushes, patches);
        const tracer = allOf(world)[name];
        const { floats, places } = world._target.memory;
        const { first, count } = places.brushRefs;
        for (const [n, [x, y, z, dx, dy, dz]] of steps.entries()) {
          // Close to a side of some brush's bounds, often along it.
          const ref = first + REF_WORDS * (n % count);
          const [axis, isLow] = [n % 3, n % 4 === 0];
          const off = OFFSETS[n % OFFSETS.length]!;
          const reach = isLow ? reachOf(tracer.shape).maxs[axis]! : -reachOf(tracer.shape).mins[axis]!;
          const [sx, sy, sz] = [x!, y!, z!].map((from, k) => {
            const side = k === axis ? off + reach : -Math.abs(from);
            return isLow ? -floats[ref + 2 * k]! - side : floats[ref + 2 * k + 1]! + side;
          });
          const start = [sx!, sy!, sz!].map(Math.fround);
          const length = n % 3 === 0 ? 1 : 1 / 8;
          const slope = SLOPES[n % SLOPES.length]!;
          const end = [dx!, dy!, dz!].map((by, k) => {
            if (k !== axis) return Math.fround(start[k]! + by * length);
            if (slope !== undefined) return Math.fround(start[k]! + by * slope);
            return Math.fround(start[k]! + (isLow ? 1 : -1) * (off - END));
          });
          askOften(tracer, start, end);
          expectAgreement(tracer, start, end);
        }
      }),
      { numRuns: runs(4) },
    );
  });

  it.each(names)('%s, against models that stand turned and elsewhere', (name) => {
    fc.assert(
      fc.property(
        brushSoup(4),
        patchSoup,
        fc.array(pose, { minLength: 4 }),
        moves,
        (brushes, patches, poses, moves) => {
          const model = worldOf(brushes, patches).model(1);
          const tracer = allOf(model)[name] as Placed<Quake3Tracer>;
          for (const [k, [start, end]] of aimed(moves, patches).entries()) {
            expectAgreement(tracer.place(poses[k % poses.length]!), start, end);
          }
        },
      ),
      { numRuns: runs(4) },
    );
  });

  it('box entities of changing size', () => {
    const entity = boxEntity([0, 0, 0], [0, 0, 0]);
    const size = fc.float({ min: 0, max: 40, noNaN: true });
    const sizes = fc.tuple(size, size, size);
    const tracers = {
      ray: entity.ray({ mask: -1 }),
      box: entity.box([-3.3, -20.1, 0.7], [9.9, 1.5, 7.3], { mask: -1 }),
      capsule: entity.capsule({ radius: 9, height: 40 }, { mask: -1 }),
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(tracers)),
        sizes,
        sizes,
        pose,
        move,
        (tracer, mins, maxs, { origin }, [start, end]) => {
          entity.resize(
            mins.map((x) => -x),
            maxs,
          );
          tracer.place({ origin });
          expectAgreement(tracer, start, end);
          expectAgreement(tracer, start, origin);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('a brush without sides, which is nowhere', () => {
    const bytes = arenaQuake3();
    const floor = arena.ray().trace([0, -200, 64], [0, -200, -64]).brush;
    const world = createQuake3World(readQuake3(withWord(bytes, 'brushes', 3 * floor + 1, 0)));
    expect(world.ray().trace([0, -200, 64], [0, -200, -8]).fraction).toBe(1);
    const box = world.box([-15, -15, -24], [15, 15, 32]);
    expect(box.trace([0, -200, -4], [0, -200, -4]).startSolid).toBe(false);
    // Only the contents of a point count it, as in the engine, by bounds that it borrows.
    const other = Quake3World.from(world.data, { kernel: 'js' });
    fc.assert(
      fc.property(move, ([start, end]) => {
        for (const tracer of [box, world.ray(), world.sphere(12)]) expectAgreement(tracer, start, end);
        expect(world.contents(start)).toBe(other.contents(start));
        expect(exactSphere(world, 12).trace(start, end).brush).not.toBe(floor);
        expect(exactSphere(world, 12).trace(start, start).brush).not.toBe(floor);
      }),
      { numRuns: runs(60) },
    );
  });

  it('settings and poses that were changed many times', () => {
    const size = fc.float({ min: 0, max: 40, noNaN: true });
    const change = fc.record(
      {
        mask: fc.constantFrom(-1, 1, 0x10000, 0x20),
        epsilon: fc.constantFrom(0, 1 / 32, 0.125, 2),
        curves: fc.boolean(),
        mins: fc.tuple(size, size, size).map((corner) => corner.map((x) => -x)),
        maxs: fc.tuple(size, size, size),
      },
      { requiredKeys: [] },
    );
    const changes = fc.array(fc.tuple(change, pose, move), { minLength: 10, maxLength: 30 });
    const { capsule, box } = {
      capsule: arena.model(1).capsule({ radius: 1, height: 2 }),
      box: arena.model(1).box([0, 0, 0], [0, 0, 0]),
    };
    fc.assert(
      fc.property(fc.constantFrom(capsule, box), changes, (tracer, changes) => {
        for (const [change, pose, [start, end]] of changes)
          expectAgreement(tracer.set(change).place(pose), start, end);
      }),
      { numRuns: runs(20) },
    );
  });

  it('shapes as large as they may be', () => {
    const size = fc.float({ min: 0, max: 2 ** 100, noNaN: true });
    const sizes = fc.tuple(size, size, size);
    const at = fc.oneof(
      fc.constantFrom(0, 100, -200),
      fc.float({ min: -(2 ** 20), max: 2 ** 20, noNaN: true }),
    );
    const ends = fc.tuple(at, at, at);
    const tracers = [arena, arena.model(1)].flatMap((target) => [
      target.box([0, 0, 0], [0, 0, 0], { mask: -1 }),
      target.capsule({ radius: 1, height: 2 }, { mask: -1 }),
    ]);
    fc.assert(
      fc.property(fc.constantFrom(...tracers), sizes, sizes, ends, ends, (tracer, low, high, start, end) => {
        // On one side of the traced point, or around it.
        for (const mins of [low.map((x) => -x), low.map((x, k) => Math.min(x, high[k]!))])
          expectAgreement(tracer.set({ mins, maxs: high }), start, end);
      }),
      { numRuns: runs(200) },
    );
  });

  it('shapes so large that float32 has no units left, among facets', () => {
    const shape = fc.tuple(fc.integer({ min: 24, max: 40 }), fc.nat(2), fc.boolean());
    fc.assert(
      fc.property(patchSoup, moves, fc.array(shape, { minLength: 30 }), (patches, moves, shapes) => {
        const world = worldOf([], patches);
        const [box, capsule] = [world.box([0, 0, 0], [0, 0, 0]), world.capsule([0, 0, 0], [0, 0, 0])];
        for (const [k, [start, end]] of aimed(moves, patches).entries()) {
          const [bits, axis, isBox] = shapes[k]!;
          // Most of it lies on one side of the traced point.
          const far = [4, 4, 4].map((near, k) => (k === axis ? 2 ** bits : near));
          const near = far.map((_, k) => (k === axis ? moves[k]![0][k]! / 16 : 4));
          const tracer = isBox ? box : capsule;
          expectAgreement(tracer.set({ mins: near.map((x) => -x), maxs: far }), start, end);
          expectAgreement(tracer.set({ mins: far.map((x) => -x), maxs: near }), start, end);
        }
      }),
      { numRuns: runs(6) },
    );
  });

  it('position tests of a capsule that was larger before', () => {
    fc.assert(
      fc.property(patchSoup, moves, (patches, moves) => {
        const tracer = worldOf([], patches).capsule({ radius: 12, height: 60 });
        for (const [start] of aimed(moves, patches)) expectAgreement(tracer, start, start);
        tracer.set({ mins: [0, 0, 0], maxs: [0, 0, 0] });
        for (const [start] of aimed(moves, patches)) expectAgreement(tracer, start, start);
      }),
      { numRuns: runs(10) },
    );
  });
});

describe('explain', () => {
  it('records the walk through the tree, and the brush that was hit, with its sides', () => {
    const { trace, steps } = explain(arena.ray(), [0, 0, 64], [0, 0, -64]);
    expect(trace.fraction).toBeCloseTo((64 - 0.125) / 128, 6);
    expect(steps[0]).toMatchObject({
      kind: 'node',
      node: 0,
      depth: 0,
      startFraction: 0,
      endFraction: 1,
      start: [0, 0, 64],
      end: [0, 0, -64],
    });
    expect(steps.some(({ kind }) => kind === 'leaf')).toBe(true);
    const hits = steps.filter((step): step is BrushStep => step.kind === 'brush' && step.outcome === 'hit');
    expect(hits.at(-1)).toMatchObject({ brush: trace.brush, enter: trace.fraction, side: trace.side });
    const at = steps.indexOf(hits.at(-1)!);
    const sides: SideStep[] = [];
    for (let k = at - 1; steps[k]?.kind === 'side'; k--) sides.unshift(steps[k] as SideStep);
    expect(sides.length).toBeGreaterThanOrEqual(6);
    expect(sides.find(({ side }) => side === trace.side)?.normal).toEqual([0, 0, 1]);
  });

  it('records every outcome that a brush or facet can have', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(brushSoup(), patchSoup, moves, (brushes, patches, moves) => {
        const worlds = [arena, worldOf(brushes, patches)];
        const tracers = worlds.flatMap((world) => Object.values(tracersOf(world)));
        for (const [k, [start, end]] of moves.entries()) {
          for (const step of explain(tracers[k % tracers.length]!, start, end).steps) {
            if (step.kind === 'brush' || step.kind === 'facet') outcomes.add(`${step.kind} ${step.outcome}`);
          }
        }
      }),
      { numRuns: 40, seed: 1 },
    );
    const shared = ['again', 'masked', 'apart', 'missed', 'hit', 'farther'];
    const expected = ['startSolid', 'allSolid', ...shared].map((outcome) => `brush ${outcome}`);
    // Patches of the random worlds are solid, which all masks here have.
    expected.push(...shared.filter((word) => word !== 'masked').map((outcome) => `facet ${outcome}`));
    expect([...outcomes].sort()).toEqual(expected.sort());
  });

  it('ends with what was hit, where the answer is', () => {
    const { ray, box, capsule } = {
      ray: arena.ray(),
      box: arena.box([-8, -8, -8], [8, 8, 8]),
      capsule: arena.capsule({ radius: 8, height: 40 }),
    };
    // Onto the curve beside the pillar, and onto the floor.
    const onto = [335.92987060546875, 230.1018524169922, 0.22299282252788544];
    const ends = [
      [626.3084106445312, -89.09767150878906, 187.1576690673828],
      [336, 230, -400],
    ];
    for (const tracer of [ray, box, capsule]) {
      for (const [k, end] of ends.entries()) {
        const start = [onto[0]!, onto[1]!, onto[2]! + 32 * k];
        const { steps, trace } = explain(tracer, start, end);
        const hits = steps.filter(
          (step) => (step.kind === 'brush' || step.kind === 'facet') && step.outcome === 'hit',
        );
        if (trace.startSolid) continue;
        expect(hits.at(-1)).toMatchObject({ enter: trace.fraction });
        if (tracer === ray) expect(trace.patch >= 0).toBe(k === 0);
      }
    }
  });

  it('has no steps for a position test, and refuses tracers of other formats', () => {
    for (const tracer of [arena.ray(), exactSphere(arena, 8)]) {
      expect(explain(tracer, [0, 0, 64], [0, 0, 64]).steps).toEqual([]);
    }
    expect(() => explain({} as Quake3Tracer, [0, 0, 64], [0, 0, 0])).toThrow(TypeError);
    expect(() => explain(arena.ray(), [0, 0, Number.NaN], [0, 0, 0])).toThrow('start[2]');
  });
});

describe('explain, of exact spheres', () => {
  const cube = worldOf([boxBrush([-32, -32, -32], [32, 32, 32])]);

  /** The steps of the faces, edges and corners right before another step. */
  function featuresBefore(steps: readonly TraceStep[], at: number): FeatureStep[] {
    const features: FeatureStep[] = [];
    for (let k = at - 1; steps[k]?.kind === 'feature'; k--) features.unshift(steps[k] as FeatureStep);
    return features;
  }

  const hitOf = (tracer: Quake3Tracer, start: Ends, end: Ends) => {
    const { trace, steps } = explain(tracer, start, end);
    expectSame(trace, tracer.trace(start, end), moving(start, end));
    const isTested = (step: TraceStep): boolean => 'outcome' in step && step.outcome !== 'again';
    const at = steps.map(isTested).lastIndexOf(true);
    const features = featuresBefore(steps, at);
    return { trace, step: steps[at]!, features, met: features.filter(({ enter }) => enter >= 0) };
  };

  it('tells of all faces, edges and corners, and where each is met', () => {
    const { trace, step, features } = hitOf(exactSphere(cube, 8), [100, 5, 3], [0, 1, -2]);
    expect(step).toMatchObject({ kind: 'brush', brush: 0, outcome: 'hit', side: trace.side, leave: 1 });
    expect(step).toMatchObject({ enter: trace.fraction });
    const list = (feature: FeatureStep['feature']): FeatureStep[] =>
      features.filter((step) => step.feature === feature);
    expect([list('face').length, list('edge').length, list('corner').length]).toEqual([6, 12, 8]);
    for (const feature of ['face', 'edge', 'corner'] as const) {
      expect(list(feature).map(({ number }) => number)).toEqual([...list(feature).keys()]);
    }
    const corners = list('corner').map(({ points }) => points[0]!.join());
    expect(new Set(corners).size).toBe(8);
    for (const { points, side, feature } of features) {
      expect(points.length).toBe({ face: 4, edge: 2, corner: 1 }[feature]);
      for (const point of points) expect(corners).toContain(point.join());
      expect(side === undefined).toBe(feature !== 'face');
    }
    expect(new Set(list('face').map(({ side }) => side)).size).toBe(6);
    const [met, ...others] = features.filter(({ enter }) => enter >= 0);
    expect(others).toEqual([]);
    expect(met).toMatchObject({ feature: 'face', side: trace.side, enter: (100 - 32 - 8 - 1 / 8) / 100 });
    for (const [x] of met!.points) expect(x).toBe(32);
  });

  it('tells which edge or corner is met', () => {
    const sphere = exactSphere(cube, 10, { epsilon: 0 });
    const onEdge = hitOf(sphere, [100, 100, 0], [0, 0, 0]);
    expect(onEdge.met.map(({ feature }) => feature)).toEqual(['edge']);
    for (const [x, y] of onEdge.met[0]!.points) expect([x, y]).toEqual([32, 32]);
    expect(onEdge.met[0]!.enter).toBeCloseTo((68 - 10 / Math.sqrt(2)) / 100, 12);
    const onCorner = hitOf(sphere, [100, 100, 100], [0, 0, 0]);
    // Its edges are met there, too, and where they end is a matter of rounding.
    const corner = onCorner.met.find(({ feature }) => feature === 'corner')!;
    expect(corner.points).toEqual([[32, 32, 32]]);
    expect(corner.enter).toBeCloseTo((68 - 10 / Math.sqrt(3)) / 100, 12);
    for (const { enter } of onCorner.met) expect(enter).toBeCloseTo(corner.enter, 12);
  });

  it('tells what is nearer at the start than spheres keep, and what they pass', () => {
    const sphere = exactSphere(cube, 8);
    expect(hitOf(sphere, [40.05, 0, 0], [0, 0, 0])).toMatchObject({
      step: { outcome: 'hit', enter: 0 },
      met: [{ feature: 'face', enter: 0 }],
    });
    expect(hitOf(sphere, [40.05, 0, 0], [40.05, 20, 0])).toMatchObject({
      step: { outcome: 'missed', enter: -1 },
      met: [],
    });
    // Nearest to the corner, and then to an edge.
    const by = 8.05 / Math.sqrt(3);
    expect(hitOf(sphere, [32 + by, 32 + by, 32 + by], [0, 0, 0])).toMatchObject({
      step: { outcome: 'hit', enter: 0 },
      met: [{ feature: 'corner', points: [[32, 32, 32]], enter: 0 }],
    });
    const away = 8.05 / Math.sqrt(2);
    expect(hitOf(sphere, [32 + away, 32 + away, 5], [0, 0, 5])).toMatchObject({
      step: { outcome: 'hit', enter: 0 },
      met: [{ feature: 'edge', enter: 0 }],
    });
    // Over the top: nearer than 8.125 from the edge at x = 32 to the one at x = -32, but never as near as 8.0156.
    const rim = [-64, 0, 64].flatMap((y) => [-32, 0, 32].map((x) => [x, y, 32, 0, 0] as const));
    const flat = worldOf([], [{ material: 'test/curve', width: 3, height: 3, points: rim }]);
    for (const world of [cube, flat]) {
      const { trace, step, met } = hitOf(exactSphere(world, 8), [100, 0, 40.05], [-100, 0, 40.05]);
      expect([trace.fraction, trace.brush, trace.patch]).toEqual([1, -1, -1]);
      const enters = met.map(({ enter }) => enter).sort();
      expect(step).toMatchObject({ outcome: 'passed', enter: Math.fround(enters[0]!) });
      expect(new Set(met.map(({ feature }) => feature))).toEqual(new Set(['edge']));
      expect(enters[0]).toBeCloseTo((68 - Math.sqrt(8.125 ** 2 - 8.05 ** 2)) / 200, 6);
    }
  });

  it('ends at what stopped the tracer, at the first that is met of it, and has every outcome', () => {
    const outcomes = new Map<string, number>();
    fc.assert(
      fc.property(brushSoup(), patchSoup, moves, (brushes, patches, moves) => {
        const world = worldOf(brushes, patches);
        const tracers = Object.values(exactSpheresOf(world)).slice(0, 2);
        tracers.push(exactSphere(world.model(1), 12, { origin: [9, 0, 0], angles: [0, 30, 0] }));
        tracers.push(exactSphere(arena, 40));
        for (const [k, [start, end]] of aimed(moves, patches).entries()) {
          const tracer = tracers[k % tracers.length]!;
          const { trace, steps } = explain(tracer, start, end);
          expectSame(trace, tracer.trace(start, end), moving(start, end));
          const tests = steps.filter((step) => step.kind === 'brush' || step.kind === 'facet');
          const stop = tests.filter(({ outcome }) => outcome === 'hit' || outcome === 'allSolid').at(-1);
          if (steps.length > 0) {
            expect(trace.brush).toBe(stop?.kind === 'brush' ? stop.brush : -1);
            expect(trace.patch).toBe(stop?.kind === 'facet' ? stop.patch : -1);
          }
          for (const [at, step] of steps.entries()) {
            if (step.kind !== 'brush' && step.kind !== 'facet') continue;
            outcomes.set(
              `${step.kind} ${step.outcome}`,
              (outcomes.get(`${step.kind} ${step.outcome}`) ?? 0) + 1,
            );
            const met = featuresBefore(steps, at).filter(({ enter }) => enter >= 0);
            const isMet = ['hit', 'farther', 'passed'].includes(step.outcome);
            expect(met.length > 0).toBe(isMet);
            if (isMet) expect(Math.fround(Math.min(...met.map(({ enter }) => enter)))).toBe(step.enter);
            if (step === stop && step.outcome === 'hit') expect(step.enter).toBe(trace.fraction);
          }
        }
      }),
      { numRuns: runs(12), seed: 3 },
    );
    // What is passed is too rare.
    outcomes.delete('brush passed');
    outcomes.delete('facet passed');
    const shared = ['again', 'apart', 'missed', 'hit', 'farther'];
    const expected = ['startSolid', 'allSolid', 'masked', ...shared].map((outcome) => `brush ${outcome}`);
    expected.push(...shared.map((outcome) => `facet ${outcome}`));
    expect([...outcomes.keys()].sort()).toEqual(expected.sort());
  });

  it('gives steps that can be changed, with no effect on later ones', () => {
    const stepsOf = (): readonly TraceStep[] => explain(exactSphere(cube, 8), [100, 5, 3], [0, 1, -2]).steps;
    const before = stepsOf();
    const kept = structuredClone(before);
    for (const step of before) {
      if (step.kind === 'feature') for (const point of step.points as unknown as number[][]) point.fill(9);
    }
    expect(stepsOf()).toEqual(kept);
  });
});

describe('a move so short that the inverse of its length is infinite', () => {
  it('reaches the last child of the tree, as the literal algorithm does', () => {
    let map: Uint8Array = compileMap([boxBrush([-64, -64, -8], [0, 64, 0])], { format: 'quake3' }).bytes;
    const { planes, leafs } = readQuake3(map);
    const planeAt = (axis: number): number =>
      planes.dists.findIndex((dist, k) => dist === 0 && planes.normals[3 * k + axis] === 1);
    const solid = -1 - leafs.numBrushes.indexOf(1);
    const empty = -1 - leafs.numBrushes.lastIndexOf(0);
    // Above z = 0, then beyond x = 0, then what is left, with the box.
    const words = { 0: planeAt(2), 1: empty, 2: 1, 9: planeAt(0), 10: empty, 11: solid };
    for (const [word, value] of Object.entries(words)) map = withWord(map, 'nodes', Number(word), value);
    const size = 1 / 8;
    const tracer = createQuake3World(readQuake3(map)).box([-size, -size, -size], [size, size, size]);
    for (const up of [1e-45, 1e-40, 1e-30]) {
      expectAgreement(tracer, [-7, 0, 0], [-7, 0, up]);
      expect(tracer.trace([-7, 0, 0], [-7, 0, up]).allSolid).toBe(true);
    }
  });

  it('ends where it starts in the nearer child, as in the engine', () => {
    const brushes = [
      boxBrush([-64, -64, -64], [8, 64, 0], { material: 'base/wall' }),
      boxBrush([8, -64, -64], [64, 64, 0], { material: 'common/clip' }),
    ];
    let map: Uint8Array = compileMap(brushes, { format: 'quake3' }).bytes;
    const { planes, leafs, leafBrushes } = readQuake3(map);
    const planeAt = (axis: number, at: number): number =>
      planes.dists.findIndex((dist, k) => dist === at && planes.normals[3 * k + axis] === 1);
    const leafOf = (brush: number): number =>
      -1 - leafs.firstBrushes.findIndex((at, k) => leafs.numBrushes[k] === 1 && leafBrushes[at] === brush);
    const empty = -1 - leafs.numBrushes.lastIndexOf(0);
    // Above z = 0, then the clip brush beyond x = 8, and the wall before.
    const words = { 0: planeAt(2, 0), 1: empty, 2: 1, 9: planeAt(0, 8), 10: leafOf(1), 11: leafOf(0) };
    for (const [word, value] of Object.entries(words)) map = withWord(map, 'nodes', Number(word), value);
    const size = 1 / 8;
    const tracer = createQuake3World(readQuake3(map)).box([-size, -size, -size], [size, size, size], {
      mask: -1,
    });
    for (const up of [1e-45, 1e-40, 2 ** -129]) {
      expectAgreement(tracer, [8, 0, 0], [8, 0, up]);
      // That is what Debian's ioquake3 answers.
      expect(tracer.trace([8, 0, 0], [8, 0, up])).toMatchObject({
        allSolid: true,
        contents: CONTENTS_PLAYERCLIP,
      });
    }
  });
});

/**
 * A slab, beyond 120 along y and from its bottom up, that has no sides along x: the bounds that engines take from the first two are
 * its bottom and its top. It is in one leaf: from -10 to 0 along x, or if `endless` from anywhere, beyond 100 along y.
 */
function slab(bottom: number, endless = false): Quake3World {
  const content = unpackLumps(QUAKE3_CRAFTED, arenaQuake3());
  const planes = [
    ...[
      [0, 0, -1, -bottom],
      [0, 0, 1, 999],
      [0, -1, 0, -120],
      [0, 1, 0, 999],
    ],
    ...[
      [1, 0, 0, 0],
      [1, 0, 0, -10],
      [0, 1, 0, 100],
    ],
  ];
  content.planes = planeRecords(QUAKE3_CRAFTED, Float32Array.from(planes.flat()));
  content.sides = words([0, 1, 2, 3, 0, 1].flatMap((plane) => [plane, 0]));
  content.brushes = words([0, 6, 0]);
  content.shaders = content.shaders!.slice(0, 72);
  new DataView(content.shaders.buffer).setInt32(68, 1, true);
  const node = (plane: number, front: number, back: number): number[] => [
    plane,
    front,
    back,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  const before = endless ? [] : node(5, 2, -1);
  content.nodes = words([...node(4, -1, 1), ...before, ...node(6, -2, -1)]);
  const leaf = (brushes: number): number[] => [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, brushes];
  content.leafs = words([...leaf(0), ...leaf(1)]);
  content.leafBrushes = words([0]);
  content.models = content.models!.slice(0, 40);
  new Int32Array(content.models.buffer).fill(0, 6);
  for (const lump of ['leafSurfaces', 'surfaces', 'indexes', 'vertexes']) content[lump] = new Uint8Array();
  return createQuake3World(readQuake3(packLumps(QUAKE3_CRAFTED, arenaQuake3(), content)));
}

describe('moves so long that float32 overflows', () => {
  const FAR = 3.4e38;

  it('visit the leafs that the engine visits with ends that are no numbers', () => {
    // Between sides along x, float32 would have no fraction left.
    const world = slab(-999);
    for (const tracer of [world.ray(), world.sphere(1), world.box([-1, -1, -1], [1, 1, 1])]) {
      expectAgreement(tracer, [FAR, 0, 0], [-FAR, 200, 0]);
      expect(tracer.trace([FAR, 0, 0], [-FAR, 200, 0]).fraction).toBeGreaterThan(0.5);
      expect(tracer.blocked([FAR, 0, 0], [-FAR, 200, 0])).toBe(true);
    }
  });

  it('have a fraction of -0 where the engine has it', () => {
    const points = Array.from(
      { length: 9 },
      (_, k) => [64 * (k % 3), 64 * Math.floor(k / 3), 0, 0, 0] as const,
    );
    const patch = { material: 'test/curve', width: 3, height: 3, points };
    const world = worldOf([boxBrush([-64, 0, -64], [0, 64, 0])], [patch]);
    const [ray, box] = [world.ray(), world.box([-1, -1, 0], [1, 1, 0])];
    // Just nearer than the epsilon.
    const high = 0.125 - 2 ** -27;
    for (const [tracer, x] of [
      [ray, -32],
      [box, -32],
      [ray, 32],
    ] as const) {
      expectAgreement(tracer, [x, 32, high], [x, 32, -FAR]);
      expect(tracer.trace([x, 32, high], [x, 32, -FAR]).fraction).toBe(-0);
    }
  });

  it('pass a curve if they cross it at no number', () => {
    for (const sign of [1, -1]) {
      const points = Array.from({ length: 9 }, (_, k) => {
        const [across, down] = [64 * (k % 3) * sign, 64 * Math.floor(k / 3)];
        return [across, -across, down, 0, 0] as const;
      });
      const ray = worldOf([], [{ material: 'test/curve', width: 3, height: 3, points }]).ray();
      for (const from of [FAR, -FAR]) {
        expectAgreement(ray, [from, from, 64], [-from, -from, 64]);
        expect(ray.trace([from, from, 64], [-from, -from, 64]).fraction).toBe(1);
      }
    }
  });
});

describe('a brush whose bounds are not its sides', () => {
  it('is met where the engine compares in double', () => {
    const eighth = 1 / 8;
    // The epsilon, less next to nothing; and next to nothing that the epsilon makes 0.
    for (const [bottom, x, isMet] of [
      [1e-42, -eighth, true],
      [eighth, -1e-40, false],
    ] as const) {
      const world = slab(bottom);
      for (const tracer of [world.ray(), world.sphere(2), world.box([-2, -2, -2], [2, 2, 2])]) {
        const reach = tracer.shape.kind === 'ray' ? 0 : 2;
        // Sizes take off what next to nothing adds.
        if (reach > 0 && !isMet) continue;
        expectAgreement(tracer, [x - reach, 0, 5], [x - reach, 200, 5]);
        expect(tracer.trace([x - reach, 0, 5], [x - reach, 200, 5]).fraction < 1).toBe(isMet);
      }
      const other = Quake3World.from(world.data, { kernel: 'js' });
      for (const opened of [world, other]) expect(opened.contents([x, 150, 5])).toBe(isMet ? 1 : 0);
    }
  });

  it.each([100, -100])(
    'is met far out with an epsilon that leaves nothing of its bounds, at %d',
    (bottom) => {
      const epsilon = 1e20;
      const world = slab(bottom, true);
      for (const tracer of [
        world.ray({ epsilon }),
        world.capsule([-2, -2, -2], [2, 2, 2], { epsilon }),
        world.box([-2, -2, -2], [2, 2, 2], { epsilon }),
      ]) {
        for (const x of [-epsilon, -2 * epsilon]) {
          expectAgreement(tracer, [x, 110, 500], [x, 200, 500]);
          expect(tracer.trace([x, 110, 500], [x, 200, 500]).fraction < 1).toBe(x === -epsilon);
        }
      }
    },
  );
});
