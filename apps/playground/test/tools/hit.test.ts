import { fixtureText } from '@bspkit/fixtures';
import { type ModelAt, ModelFrames } from '@bspkit/words';
import { describe, expect, it } from 'vitest';
import {
  currentQuery,
  firstQuery,
  readCurrentQuery,
  setCurrentQuery,
} from '../../src/tools/query/current.ts';
import { formatOf } from '../../src/tools/query/format.ts';
import { brushesOf, brushFaces, hitOutline, placeHit } from '../../src/tools/query/hit.ts';
import { createTracer, type Mover, writeQuery } from '../../src/tools/query/query.ts';
import type { Json } from '../../src/tools/tool.ts';
import { openFixture, openText } from './maps.ts';

const RAY = { kind: 'ray', size: [], options: {} };

describe('the outline of what was hit', () => {
  it('is the brush and its side, where the file keeps brushes', async () => {
    const map = await openFixture('arena', 'quake3');
    const trace = createTracer(map.format, map.world, RAY).trace([0, -200, 100], [0, -200, -100]);
    const { brush, side } = hitOutline(map, trace);
    const faces = brushFaces(brushesOf(map).get(trace.brush)!);
    // A floor of six sides has twelve edges.
    expect(faces).toHaveLength(6);
    expect(brush).toHaveLength(12 * 6);
    expect(side).toHaveLength(12);
    for (let k = 2; k < side.length; k += 3) expect(side[k]).toBe(0);
  });

  it('is the drawn surface, where it does not', async () => {
    const map = await openFixture('arena', 'quake1');
    const trace = createTracer(map.format, map.world, RAY).trace([0, -200, 100], [0, -200, -100]);
    const { brush, side } = hitOutline(map, trace);
    expect(brush).toEqual([]);
    expect(side.length).toBeGreaterThanOrEqual(9);
    for (let k = 2; k < side.length; k += 3) expect(side[k]).toBe(0);
  });

  it('is in the place that was hit, of a model that options name several times', async () => {
    const map = await openFixture('arena', 'ufoai');
    const hit = (mover: Omit<Mover, 'options'>, origin: number[], from: number, to: number): ModelAt => {
      const options = { models: '2,2', origin, angles: [0, 0, 0, 0, 0, 0] };
      const tracer = createTracer(map.format, map.world, { ...mover, options });
      const [start, end] = [[from, 0, 60] as const, [to, 0, 60] as const];
      const explain = () => map.format.explain(tracer, start, end);
      return placeHit(map, tracer.trace(start, end), new ModelFrames(map.world, options), explain);
    };
    // One behind the other; lines have no steps of models.
    const doors = [596, -64, 60, 536, -64, 60];
    for (const mover of [RAY, { ...RAY, kind: 'line' }]) {
      expect(hit(mover, doors, 436, 636)).toMatchObject({ model: 2, listed: 1 });
      expect(hit(mover, doors, 636, 436)).toMatchObject({ model: 2, listed: 0 });
      // Nothing was hit.
      expect(hit(mover, doors, 436, 440).listed).toBeUndefined();
    }
    // A long box stops before the first, while its middle is nearer to the second, which it passes.
    const box = { kind: 'box', size: [-64, -8, -8, 64, 8, 8] };
    expect(hit(box, [600, -64, 60, 532, 30, 60], 400, 640)).toMatchObject({ model: 2, listed: 0 });
    expect(hit(box, [532, 30, 60, 600, -64, 60], 400, 640)).toMatchObject({ model: 2, listed: 1 });
  });

  it('has the side of a model that is turned', async () => {
    for (const id of ['quake2', 'quake3', 'ufoai'] as const) {
      const map = await openFixture('arena', id);
      // A door, 8 by 128 by 120, built around its hinge, and turned by an eighth of a circle.
      const options = { model: 2, origin: [0, 0, 500], angles: [0, 45, 0] };
      const trace = createTracer(map.format, map.world, { ...RAY, options }).trace(
        [2, 58, 500],
        [-58, -2, 500],
      );
      expect(trace.fraction).toBeLessThan(1);
      const frame = new ModelFrames(map.world, options).of();
      const { side } = hitOutline(map, trace, frame.turnIn(trace.normal));
      expect(side).toHaveLength(12);
      // The flat side that faces the move.
      const xs = Array.from(side).filter((_, k) => k % 3 === 0);
      expect(Math.max(...xs) - Math.min(...xs)).toBeLessThan(1);
    }
  });

  it('is nothing for a miss, and for a start in solid only the brush', async () => {
    for (const id of ['quake1', 'quake2', 'quake3', 'ufoai'] as const) {
      const map = await openFixture('arena', id);
      const tracer = createTracer(map.format, map.world, RAY);
      expect(hitOutline(map, tracer.trace([0, -200, 100], [0, -200, 90]))).toEqual({ brush: [], side: [] });
      const inFloor = tracer.trace([0, -200, -4], [0, -200, 90]);
      expect(inFloor.startSolid).toBe(true);
      const { brush, side } = hitOutline(map, inFloor);
      expect(side).toEqual([]);
      expect(brush.length).toBe(inFloor.brush < 0 ? 0 : 12 * 6);
    }
  });
});

describe('the current move', () => {
  it.each([
    ['arena', 'quake3'],
    ['arena', 'quake1'],
    ['arena', 'quake2'],
    ['house', 'ufoai'],
  ] as const)('of %s for %s at first starts in the open and is stopped', async (name, id) => {
    const map = await openFixture(name, id);
    const query = firstQuery(map);
    const trace = createTracer(formatOf(map), map.world, query).trace(query.start, query.end);
    expect(trace.startSolid).toBe(false);
    expect(trace.fraction).toBeGreaterThan(0.2);
    expect(trace.fraction).toBeLessThan(0.9);
    const [x, y, z] = query.end.map((to, k) => to - query.start[k]!) as [number, number, number];
    expect(Math.hypot(x, y)).toBeCloseTo(640, 0);
    expect(z).toBe(-12);
  });

  it('at first starts where the eyes of a player would be', async () => {
    // The arena's players start at 0 -256 32.
    const map = await openFixture('arena', 'quake3');
    const startOf = (...things: readonly object[]): readonly number[] =>
      firstQuery({ ...map, world: Object.assign(Object.create(map.world), { entities: () => things }) })
        .start;
    const [light, lamp] = [
      { classname: 'light', origin: '64 -200 100' },
      { classname: 'lamp', origin: '64 -200 120' },
    ];
    expect(firstQuery(map).start).toEqual([0, -256, 56]);
    expect(startOf(light, { classname: 'info_player_start', origin: '0 -256 32' })).toEqual([0, -256, 56]);
    // Or of anything that stands in the open, or else in the middle of the map.
    expect(startOf({ classname: 'light', origin: '0 -256 -40' }, light, lamp)).toEqual([64, -200, 124]);
    const { mins, maxs } = map.world.bounds;
    expect(startOf()).toEqual(Array.from(mins, (x, k) => Math.round((x + maxs[k]!) / 2)));
  });

  it('at first starts from none of what is beyond all numbers that can be traced', async () => {
    const far = '{\n"classname" "info_player_start"\n"origin" "1e39 0 0"\n}\n';
    const map = await openText(fixtureText('arena') + far, 'quake3');
    expect(firstQuery(map)).toEqual(firstQuery(await openFixture('arena', 'quake3')));
  });

  it('is kept for the same place in every game that can be asked it, and read from links', async () => {
    const [arena, hulls] = [await openFixture('arena', 'quake3'), await openFixture('arena', 'quake1')];
    const sphere = { ...RAY, kind: 'sphere', size: [8], start: [0, 0, 40], end: [64, 0, 40] };
    setCurrentQuery(arena, sphere);
    expect(currentQuery(arena)).toBe(sphere);
    // There are no spheres in clip hulls.
    expect(currentQuery(hulls).kind).toBe(hulls.format.tracers.kinds[0]!.name);
    setCurrentQuery(arena, sphere);
    // Elsewhere the same points may be in a wall, or outside.
    const house = await openFixture('house', 'quake3');
    expect(currentQuery(house)).toEqual(firstQuery(house));
    expect(currentQuery({ ...arena, isOwn: false })).toEqual(firstQuery(arena));
    const read = (state: Json | undefined): string | undefined =>
      readCurrentQuery({ map: arena, state: { get: () => state, set: () => {} } });
    expect(read({ q: writeQuery(sphere) })).toBeUndefined();
    expect(currentQuery(arena)).toEqual(sphere);
    for (const state of [undefined, null, 7, []]) {
      expect(read(state)).toBeUndefined();
      expect(currentQuery(arena)).toEqual(sphere);
    }
    for (const q of [1, 'sphere:-8;0,0,0;1,1,1']) {
      expect(read({ q })).toContain('cannot be used on this map');
      expect(currentQuery(arena)).toEqual(sphere);
    }
  });
});
