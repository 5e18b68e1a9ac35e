import type { Tracer } from '@bspkit/core';
import { type BspFormat, bodyPreset, tracerOf } from '@bspkit/core/format';
import { FIXTURE_FORMATS, fixtureFor } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import { EllipsoidSlider, type EllipsoidTrace, withEllipsoids } from '../src/index.ts';
import { ownMap } from './maps.ts';

describe('the catalog of a format', () => {
  it.each(FIXTURE_FORMATS)('%s has ellipsoids, as large as its player by default', async (game) => {
    const { format: given, world, spawns } = await ownMap(game, fixtureFor(game));
    const format = withEllipsoids(given) as BspFormat;
    expect(Object.keys(format.tracers).sort()).toEqual(Object.keys(given.tracers).sort());
    expect(bodyPreset(format, world)).toEqual(bodyPreset(given as BspFormat, world));
    const kind = format.tracers.kinds.find(({ name }) => name === 'ellipsoid')!;
    const [x, y, z] = spawns[0]!;
    const asked = kind.create(world, [16, 16, 28], {});
    const trace = asked.trace([x, y, z + 30], [x, y, z - 500]);
    expect(trace.fraction).toBeLessThan(1);
    const { polygon, touches } = format.traceFields(trace);
    expect(polygon).toBeGreaterThanOrEqual(0);
    // The traced point is its middle.
    const below = [x, y, trace.endPos[2]! - 28];
    for (const [k, at] of (touches as number[]).entries()) expect(at).toBeCloseTo(below[k]!, 4);
    expect(format.traceFields(asked.trace([x, y, z + 30], [x, y, z + 30]))).not.toHaveProperty('polygon');
    expect(() => kind.create(world, [16, 0, 28], {})).toThrow(/radii\[1\]/);
    expect(() => kind.create(world, [16, 16, 28], { mask: 'solid' })).toThrow(/no option 'mask'/);
    // Neither method is taken for the other.
    for (const tutorial of ['yes', 'false', 1, null]) {
      expect(() => kind.create(world, [16, 16, 28], { tutorial } as never)).toThrow(
        /^tutorial must be true or false/,
      );
    }

    // The same move by the player's box and by both ellipsoids inside it: on a flat floor they stop at the same height.
    const ends = ['ellipsoid', 'ellipsoid-tutorial', format.tracers.player].map((name) => {
      const preset = format.tracers.presets.find((each) => each.name === name)!;
      expect(preset.suits?.(world) ?? true).toBe(true);
      const { create } = format.tracers.kinds.find((each) => each.name === preset.kind)!;
      const tracer = create(world, preset.size ?? [], preset.options ?? {});
      expect(tracer.blocked([x, y, z + 20], [x, y, z - 500])).toBe(true);
      return tracer.trace([x, y, z + 20], [x, y, z - 500]).endPos[2]!;
    });
    expect(Math.abs(ends[0]! - ends[2]!)).toBeLessThan(0.2);
    expect(Math.abs(ends[1]! - ends[2]!)).toBeLessThan(0.2);
  });

  it('explains both methods around the middle of the shape, and what the format explains', async () => {
    const { format: given, world, spawns } = await ownMap('quake3', 'arena');
    const format = withEllipsoids(given) as BspFormat;
    const tracer = (name: string): Tracer =>
      tracerOf(format, world, format.tracers.presets.find((preset) => preset.name === name)!);
    const [x, y, z] = spawns[0]!;
    const [start, end] = [
      [x, y, z + 20],
      [x, y, z - 500],
    ] as const;
    for (const name of ['ellipsoid', 'ellipsoid-tutorial']) {
      const ellipsoid = tracer(name);
      const { trace, steps } = format.explain(ellipsoid, start, end);
      expect(trace).toEqual(ellipsoid.trace(start, end));
      // A player's box reaches from 24 below its origin to 32 above it.
      const hit = steps.filter((step) => 'outcome' in step && step.outcome === 'hit').at(-1);
      expect(hit).toMatchObject({ kind: 'polygon', start: [x, y, z + 24], end: [x, y, z - 496], offset: 28 });
      expect(() => format.explain(ellipsoid, start, [0, 0, Number.NaN])).toThrow('end[2]');
    }
    expect(format.explain(tracer('box'), start, end)).toEqual(given.explain(tracer('box'), start, end));
  });

  it('ends a miss where it was to end, and explains the very move that is traced, whatever is rounded on the way', async () => {
    const { format: given, world, spawns } = await ownMap('quake3', 'arena');
    const format = withEllipsoids(given) as BspFormat;
    const tracer = tracerOf(
      format,
      world,
      format.tracers.presets.find((preset) => preset.name === 'ellipsoid')!,
    );
    const [x, y] = spawns[0]!;
    // The middle is 4 above: there, float32s are twice as far apart.
    const z = 30 + 2 ** -19;
    const { fraction, endPos } = tracer.trace([x, y, z], [x, y, z]);
    expect([fraction, ...endPos]).toEqual([1, x, y, z]);
    const { steps } = format.explain(tracer, [x, y, z + 2 ** -40], [x, y, -500]);
    expect(steps.at(-1)).toMatchObject({ kind: 'polygon', start: [x, y, 34] });
  });

  it('is of the polygons that the format gives, also where another one gave others of the same world', async () => {
    const { format: given, world, spawns } = await ownMap('quake3', 'arena');
    const blocked = ({ polygons }: BspFormat): boolean => {
      const { kinds } = (withEllipsoids({ ...given, polygons }) as BspFormat).tracers;
      const [x, y, z] = spawns[0]!;
      return kinds
        .at(-1)!
        .create(world, [16, 16, 28], {})
        .blocked([x, y, z + 30], [x, y, z - 500]);
    };
    const floorless: BspFormat['polygons'] = (of) => {
      const source = given.polygons(of);
      return {
        ...source,
        isSolid: (polygon) => source.isSolid(polygon) && Math.abs(polygon.normal[2]!) < 0.5,
      };
    };
    expect([blocked(given), blocked({ ...given, polygons: floorless }), blocked(given)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('explains whole moves by both methods, those of its own tracers alone', async () => {
    const { format: given, world, ellipsoids, spawns } = await ownMap('quake3', 'arena');
    const format = withEllipsoids(given) as BspFormat;
    const { kinds, presets } = format.tracers;
    expect(kinds.filter(({ slides }) => slides).map(({ name }) => name)).toEqual(['ellipsoid']);
    const [x, y, z] = spawns[0]!;
    const [start, end] = [
      [x, y, z + 20],
      [x + 100, y, z - 500],
    ] as const;
    for (const name of ['ellipsoid', 'ellipsoid-tutorial']) {
      const tracer = tracerOf(format, world, presets.find((preset) => preset.name === name)!);
      const { rounds, endPos } = format.explainMove!(tracer, start, end);
      expect(rounds.length).toBeGreaterThan(1);
      // Around the middle of the player's box, which is 4 above its origin.
      expect(rounds[0]).toMatchObject({ start: [x, y, z + 24], end: [x + 100, y, z - 496] });
      const { polygon, fraction } = format.explain(tracer, start, end).trace as EllipsoidTrace;
      expect(rounds[0]!.trace).toMatchObject({ polygon, fraction: expect.closeTo(fraction, 2) });
      const radii = [15, 15, 28];
      const [from, to] = [rounds[0]!.start, rounds[0]!.end];
      const moved =
        name === 'ellipsoid'
          ? new EllipsoidSlider(ellipsoids, radii).slide(from, to)
          : ellipsoids.tutorial(radii).move(from, to);
      const [ex, ey, ez] = moved.endPos as unknown as number[];
      expect(endPos).toEqual([ex, ey, Math.fround(ez! - 4)]);
      if (name === 'ellipsoid') expect(Array.from(rounds.at(-1)!.trace.endPos)).toEqual(endPos);
    }
    const box = tracerOf(format, world, presets.find((preset) => preset.name === 'box')!);
    expect(() => format.explainMove!(box, start, end)).toThrow(
      new TypeError('tracer must be an ellipsoid of this format, got an object'),
    );
  });

  it('names what a format lacks', async () => {
    const { format } = await ownMap('quake3', fixtureFor('quake3'));
    const without = (name: string) => () => withEllipsoids({ ...format, [name]: undefined } as never);
    expect(without('tracers')).toThrow(
      new TypeError("format.tracers must be a format's tracers, got undefined"),
    );
    expect(without('polygons')).toThrow(new TypeError('format.polygons must be a function, got undefined'));
  });
});
