import { defineTracer, entityVector, type Polygon, type Tracer } from '@bspkit/core';
import { arenaQuake1, arenaQuake3, compileFixture } from '@bspkit/fixtures';
import {
  createQuake1World,
  explain as explainQuake1,
  polygons as polygonsQuake1,
  readQuake1,
} from '@bspkit/quake1';
import { createQuake3World, explain, polygons, Quake3World, readQuake3 } from '@bspkit/quake3';
import { createUfoaiWorld, readUfoai } from '@bspkit/ufoai';
import { describe, expect, it } from 'vitest';
import { compare, openQueries, planeQueries, playerQueries, uniformQueries } from '../src/index.ts';

// The arena, compiled in three formats, by several algorithms.

const quake1 = createQuake1World(readQuake1(arenaQuake1()));
const quake3 = createQuake3World(readQuake3(arenaQuake3()));
const ufoai = createUfoaiWorld([{ file: readUfoai(compileFixture('arena', 'ufoai').bytes) }]);
const { bounds } = quake3;
const origins = quake3
  .entities()
  .map((entity) => entityVector(entity, 'origin'))
  .filter((origin) => origin !== undefined);
const looks = openQueries(1000, { bounds, open: quake3.ray(), origins });

/** Rays against triangles, one after the other: what a mesh collider does. */
function mesh(polygons: readonly Polygon[]): Tracer {
  return defineTracer({
    shape: { kind: 'ray' },
    trace(start, end, out) {
      for (const { vertices, normal, dist } of polygons) {
        const side = (point: ArrayLike<number>): number =>
          point[0]! * normal[0]! + point[1]! * normal[1]! + point[2]! * normal[2]! - dist;
        const [near, far] = [side(start), side(end)];
        if (near <= 0 || far >= 0) continue;
        const fraction = near / (near - far);
        const at = [0, 1, 2].map((k) => start[k]! + fraction * (end[k]! - start[k]!));
        if (fraction >= out.fraction || !isInPolygon(at, vertices, normal)) continue;
        out.fraction = fraction;
        out.normal.set(normal);
      }
      for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
      return out;
    },
  });
}

function isInPolygon(at: number[], vertices: Float32Array, normal: Float32Array): boolean {
  for (let k = 0; k < vertices.length; k += 3) {
    const next = (k + 3) % vertices.length;
    const edge = [0, 1, 2].map((axis) => vertices[next + axis]! - vertices[k + axis]!);
    const to = at.map((x, axis) => x - vertices[k + axis]!);
    const cross = [0, 1, 2].map(
      (axis) => edge[(axis + 1) % 3]! * to[(axis + 2) % 3]! - edge[(axis + 2) % 3]! * to[(axis + 1) % 3]!,
    );
    if (cross.reduce((dot, x, axis) => dot + x * normal[axis]!, 0) < -1e-3) return false;
  }
  return true;
}

describe('one map in three formats', () => {
  const ray = quake3.ray({ curves: false });
  const hull = quake1.hull(0);
  const { tracers } = compare(
    [
      { name: 'quake3 ray', tracer: ray, explain: (start, end) => explain(ray, start, end) },
      { name: 'quake3 ray, epsilon 1/32', tracer: quake3.ray({ curves: false, epsilon: 1 / 32 }) },
      { name: 'quake1 hull 0', tracer: hull, explain: (start, end) => explainQuake1(hull, start, end) },
      { name: 'quake1 precise ray', tracer: quake1.preciseRay() },
      { name: 'ufoai line', tracer: ufoai.line() },
      { name: 'ufoai ray', tracer: ufoai.ray() },
      { name: 'faces as a mesh', tracer: mesh(polygonsQuake1(quake1)) },
    ],
    looks,
    { rounds: 0, distance: 0.25, explained: 50 },
  );

  it.each(tracers.map((report) => [report.name, report] as const))('%s agrees', (_, { hits, agreement }) => {
    expect(agreement.share).toBeGreaterThan(0.98);
    expect(hits / looks.length).toBeGreaterThan(0.05);
    expect(agreement.worst.length).toBe(Math.min(5, 1000 - agreement.agreed));
  });

  it('does not agree where one keeps another distance and none is allowed', () => {
    const strict = compare(
      [
        { name: '1/8', tracer: ray },
        { name: '1/32', tracer: quake3.ray({ curves: false, epsilon: 1 / 32 }) },
      ],
      looks,
      { rounds: 0, tolerance: 0 },
    );
    expect(strict.tracers[1]!.agreement.share).toBeLessThan(0.9);
  });

  it('takes work that brushes and trees do differently', () => {
    expect(tracers[0]!.work!.brushes).toBeGreaterThan(0.5);
    expect(tracers[0]!.work!.nodes).toBeGreaterThan(5);
    expect(tracers[2]!.work).toMatchObject({ queries: 50, brushes: 0, sides: 0 });
    expect(tracers[2]!.work!.nodes).toBeGreaterThan(5);
  });
});

describe('a world and its copy', () => {
  const player = quake3.box([-15, -15, -24], [15, 15, 32]);
  const sets = {
    uniform: uniformQueries(300, { bounds }),
    open: looks.subarray(0, 1800),
    planes: planeQueries(300, { bounds, planes: polygons(quake3) }),
    player: playerQueries(300, { tracer: player, bounds, origins }),
  };
  const copy = Quake3World.from(quake3.data.slice(0));
  const shapes = {
    ray: [quake3.ray(), copy.ray()],
    box: [player, copy.box([-15, -15, -24], [15, 15, 32])],
    sphere: [quake3.sphere(12), copy.sphere(12)],
  } as const;

  it.each(Object.entries(sets))('agree to the last bit on %s queries', (_, queries) => {
    for (const [first, second] of Object.values(shapes)) {
      const entries = [
        { name: 'world', tracer: first },
        { name: 'copy', tracer: second },
      ];
      const { agreement } = compare(entries, queries, { rounds: 0, tolerance: 0, sides: 'number' })
        .tracers[1]!;
      expect(agreement.worst).toEqual([]);
      expect(agreement.share).toBe(1);
    }
  });

  it('walk where a player can walk', () => {
    const trace = player.createTrace();
    const walk = sets.player;
    let moved = 0;
    for (let k = 0; k < walk.length; k += 6) {
      player.trace(walk.subarray(k, k + 3), walk.subarray(k + 3, k + 6), trace);
      expect(trace.startSolid).toBe(false);
      if (trace.fraction > 0) moved++;
    }
    expect(moved).toBeGreaterThan(100);
  });
});
