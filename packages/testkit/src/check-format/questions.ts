import { type Changeable, defineTracer, type PointClassifier, type Trace, type Tracer } from '@bspkit/core';
import { type BspFormat, suitedPresets, tracerOf } from '@bspkit/core/format';
import { expect, it } from 'vitest';
import { expectBelow, expectSame } from '../same.ts';
import { expectContents } from './answers.ts';
import { tracersOf } from './catalog.ts';
import { caught, dot, type FormatSample, flat, type Move, movesIn, NONE, type World } from './sample.ts';

/** The single questions of the descriptor. */
export function checkQuestions(
  format: BspFormat,
  { name, bytes }: FormatSample,
  world: World,
  ownTests: readonly string[],
): void {
  const moves = movesIn(world);

  it('answers what is at a point, and other questions that it supports', () => {
    for (const [start, end] of moves.slice(0, 30)) {
      expect(Object.keys(format.point(world, start)).length).toBeGreaterThan(0);
      const verdicts = [format.sphere?.(world, start, 8), format.sight?.(world, start, end)];
      for (const verdict of verdicts) if (verdict) expect(typeof verdict.yes).toBe('boolean');
    }
    const wrong = [Number.NaN, 0, 0];
    expect(() => format.point(world, wrong)).toThrow(RangeError);
    if (format.sphere) expect(() => format.sphere!(world, [0, 0, 0], -1)).toThrow(RangeError);
    if (format.sight) expect(() => format.sight!(world, [0, 0, 0], wrong)).toThrow(RangeError);
  });

  it('has presets whose shapes are those of their roles', () => {
    for (const [role, shape] of [
      ['point', 'ray'],
      ['ball', 'sphere'],
    ] as const) {
      for (const preset of suitedPresets(format, world, role)) {
        expect(tracerOf(format, world, preset).shape.kind, preset.name).toBe(shape);
      }
    }
  });

  it('has other contents in solid than in the open', () => {
    if (!('contents' in world)) return;
    const points = suitedPresets(format, world, 'point').filter(({ kind }) => !ownTests.includes(kind));
    for (const point of points) {
      expectContents(world as World & PointClassifier, tracerOf(format, world, point), moves);
    }
  });

  it('finds what a trace hit', () => {
    const brushes =
      format.brushes && new Set(Array.from(format.brushes(format.read(bytes)), ({ brush }) => brush));
    const tracer = format.tracers.kinds[0]!.create(world, [], {});
    const names = world.textureNames();
    let [found, drawn] = [0, 0];
    for (const [start, end] of moves) {
      const trace = tracer.trace(start, end);
      if (brushes && trace.brush >= 0) expectSame(brushes.has(trace.brush), true);
      const surface = format.surfaceAt(world, trace);
      if (trace.fraction === 1 && !trace.startSolid) expectSame(surface, undefined);
      if (!surface) continue;
      found++;
      if (surface.texture >= 0) expectSame(surface.name, names[surface.texture]);
      if (!surface.polygon) continue;
      drawn++;
      const { normal, dist } = surface.polygon;
      expectBelow(Math.abs(dot(trace.endPos, normal) - dist), 1);
    }
    expect(found, name).toBeGreaterThan(0);
    expect(drawn, name).toBeGreaterThan(0);
  });

  it('finds nothing for numbers that the map does not have', () => {
    const tracer = format.tracers.kinds[0]!.create(world, [], {});
    const hits = moves.map(([start, end]) => tracer.trace(start, end, tracer.createTrace()));
    const trace = hits.find((hit) => format.surfaceAt(world, hit)?.polygon)!;
    const asks = (changed: object): unknown => format.surfaceAt(world, { ...trace, ...changed });
    // Not all games look at all numbers, so a side alone may be wrong, and all of them must be nowhere.
    for (const wrong of [-5, 0.5, 1e6, 1e9, 2 ** 40, Infinity, Number.NaN]) {
      const all: Record<string, number> = { model: trace.model };
      for (const field of ['brush', 'side', 'texture', 'patch', 'plane', 'tile', 'hull', 'level']) {
        if (field in trace) all[field] = wrong;
        expect(() => asks({ [field]: wrong }), field).not.toThrow();
      }
      expectSame(asks(all), undefined, `${wrong}`);
      expectSame(asks({ model: wrong }), undefined, `model ${wrong}`);
    }
  });

  it('has fields of its own for every trace', () => {
    expect(format.traceFields(createExtended(format, world))).toBeTypeOf('object');
  });

  it('explains its tracers, and no others', () => {
    for (const { name: title, kind, create } of tracersOf(format, world)) {
      const tracer = create(world);
      const explain = ([start, end]: Move): ReturnType<BspFormat['explain']> =>
        format.explain(tracer, start, end);
      // A kind that is explained may have options that are not.
      if (!kind.explains || (title.startsWith('preset') && caught(() => explain(moves[0]!)) !== NONE)) {
        expect(() => explain(moves[0]!), title).toThrow(TypeError);
        continue;
      }
      const kept = explain(moves[0]!);
      const before = flat(kept.trace);
      for (const [start, end] of moves.slice(0, 25)) {
        const { trace, steps } = explain([start, end]);
        expectSame(flat(trace), flat(tracer.trace(start, end)), title);
        // A move of no length may have nothing to say: it stands in the open.
        if (start.some((x, k) => x !== end[k])) expectBelow(0, steps.length, title);
      }
      expectSame(flat(kept.trace), before, title);
    }
    const stranger = defineTracer({ shape: { kind: 'ray' }, trace: (_, __, out) => out });
    expect(() => format.explain(stranger, [0, 0, 0], [1, 0, 0])).toThrow(TypeError);
  });

  if (format.boxEntity)
    it('traces boxes that are not part of the map', () => {
      const box = format.boxEntity!([-8, -8, -8], [8, 8, 8]);
      const ray = box.ray!() as Tracer & Partial<Changeable>;
      // Where contents are bits, those of a box need not be among what stops a ray by default.
      if (caught(() => ray.set?.({ mask: -1 })) === NONE) ray.set?.({ mask: -1 });
      expect(ray.trace([-40, 0, 0], [40, 0, 0]).fraction).toBeCloseTo(0.4, 2);
      box.resize([-16, -8, -8], [16, 8, 8]);
      expect(ray.trace([-40, 0, 0], [40, 0, 0]).fraction).toBeCloseTo(0.3, 2);
      expect(() => box.resize([1, 0, 0], [0, 0, 0])).toThrow(RangeError);
    });
}

const createExtended = (format: BspFormat, world: World): Trace =>
  format.tracers.kinds[0]!.create(world, [], {}).createTrace();
