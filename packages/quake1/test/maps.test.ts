import { arenaQuake1 } from '@bspkit/fixtures';
import { readRealMap, realMapNames, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { createRandom, direction, pick } from '@bspkit/geometry';
import { expectFields, expectSame, moving } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  createHullTrace,
  createQuake1World,
  distanceToSolid,
  hullPolygons,
  polygons,
  type Quake1File,
  type Quake1World,
  readQuake1,
  sphereInsideExact,
} from '../src/index.ts';
import { traceHull } from '../src/reference/trace.ts';
import type { Quake1Tracer } from '../src/tracer.ts';
import { inKernels } from './make.ts';
import { writeQuake1 } from './writer.ts';

const names = realMapNames('quake1');
const fileOf = (name: string): Quake1File => readQuake1(name === 'arena' ? arenaQuake1() : readRealMap(name));
/** Our own map, and some of the game's if they are there. */
const played = ['arena', 'quake1/e1m1.bsp', 'quake1/dm4.bsp', 'quake1/end.bsp'].filter(
  (name) => name === 'arena' || names.includes(name),
);

/** Moves that begin in the open, most of them, and are 8 to 4096 units long. */
function moves(world: Quake1World, count: number, seed: number): [start: Float32Array, end: Float32Array][] {
  const random = createRandom(seedOf(seed));
  const { mins, maxs } = world.bounds;
  return Array.from({ length: count }, () => {
    const start = new Float32Array(3);
    for (let attempt = 0; attempt < 50; attempt++) {
      for (let k = 0; k < 3; k++) start[k] = mins[k]! + random() * (maxs[k]! - mins[k]!);
      if (random() < 0.3) start.set(start.map(Math.round));
      if (world.isInside(start)) break;
    }
    const length = 8 * 2 ** (9 * random());
    const along = direction(random);
    return [start, start.map((c, k) => c + length * along[k]!)];
  });
}

describe.skipIf(skippedWithoutMaps !== '')(`real maps${skippedWithoutMaps}`, () => {
  it.each(names)('%s is read, is small in memory, and is consistent', (name) => {
    const file = fileOf(name);
    const world = createQuake1World(file);
    const { planes, nodes, clipNodes, leafs, models, visibility } = file.lumps;
    const { vertexes, faces, edges, surfEdges, markSurfaces, entities } = file.lumps;
    const collision = [planes, nodes, clipNodes, leafs, models, visibility];
    const drawn = [vertexes, faces, edges, surfEdges, markSurfaces, entities];
    const held = [...collision, ...drawn].reduce((sum, { length }) => sum + length, 0);
    expect(world.data.byteLength).toBeLessThan(1.5 * held);
    expect(world.entities().length).toBeGreaterThan(5);
    expect(polygons(world).length).toBe(file.models[0]!.numFaces);
    expect(file.textures.length).toBeGreaterThan(0);
  });
});

describe('maps', () => {
  it.each(played)('%s: traces equal the literal algorithm', (name) => {
    const world = createQuake1World(fileOf(name));
    for (const hull of [0, 1, 2]) {
      const tracer = world.hull(hull);
      for (const [start, end] of moves(world, 300, hull + 1)) {
        const { endPos, normal, ...rest } = traceHull(tracer as Quake1Tracer, start, end);
        inKernels(tracer, () => {
          const trace = tracer.trace(start, end);
          expectFields(trace, rest, moving(start, end));
          expectSame([...trace.endPos, ...trace.normal], [...endPos, ...normal], moving(start, end));
        });
      }
    }
  });

  it.each(played)('%s written in the other versions gives the same traces', (name) => {
    const file = fileOf(name);
    const world = createQuake1World(file);
    const others = (['BSP2', '2PSB', 30] as const).map((version) =>
      createQuake1World(readQuake1(writeQuake1(file, version))),
    );
    expect(others.map(({ version }) => version)).toEqual(['BSP2', '2PSB', 30]);
    const [out, again] = [createHullTrace(), createHullTrace()];
    for (const hull of [0, 1, 2]) {
      const tracer = world.hull(hull);
      const same = others.map((other) => other.hull(hull, { rules: 'quake1' }));
      for (const [start, end] of moves(world, 700, 10 + hull)) {
        tracer.trace(start, end, out);
        for (const other of same) expectSame(other.trace(start, end, again), out);
      }
    }
    for (const [start, end] of moves(world, 200, 20)) {
      for (const other of others) {
        expectSame(other.leaf(start), world.leaf(start));
        expectSame(other.sight(start, end), world.sight(start, end), moving(start, end));
        expectSame(distanceToSolid(other, start), distanceToSolid(world, start));
      }
    }
  });

  it.each(played)(
    '%s: spheres inside by the quick test are so exactly, and samples of them are open',
    (name) => {
      const world = createQuake1World(fileOf(name));
      const random = createRandom(seedOf(5));
      let quick = 0;
      for (const [center] of moves(world, 400, 6)) {
        const distance = distanceToSolid(world, center);
        const radius = random() * 1.5 * Math.min(distance, 200);
        if (world.sphereInside(center, radius)) {
          quick++;
          expectSame(sphereInsideExact(world, center, radius), true);
        }
        expectSame(sphereInsideExact(world, center, radius), distance > radius);
        for (let k = 0; k < 30; k++) {
          const along = direction(random);
          const length = random() * (distance - 2e-3);
          if (length > 0)
            expectSame(world.isInside(center.map((c, axis) => c + length * along[axis]!)), true);
        }
      }
      expect(quick).toBeGreaterThan(50);
    },
  );

  it.each(played)('%s: the precise ray ends 1/32 behind the hull trace, nearly always', (name) => {
    const world = createQuake1World(fileOf(name));
    const [hull, ray] = [world.hull(0), world.preciseRay()];
    let [hits, apart] = [0, 0];
    for (const [start, end] of moves(world, 1500, 7)) {
      const engine = hull.trace(start, end);
      const note = ray.trace(start, end);
      if (engine.startSolid || note.startSolid || engine.fraction === 1 || engine.fraction === 0) continue;
      const along = [0, 1, 2].reduce((sum, k) => sum + note.normal[k]! * (end[k]! - start[k]!), 0);
      hits++;
      if (Math.abs((note.fraction - engine.fraction) * Math.abs(along) - 1 / 32) > 2e-3) apart++;
    }
    expect(hits).toBeGreaterThan(300);
    expect(apart / hits).toBeLessThan(0.01);
  });

  it.each(played)('%s: faces of hull 1 separate open from solid', (name) => {
    const world = createQuake1World(fileOf(name));
    const faces = hullPolygons(world, 1);
    expect(faces.length).toBeGreaterThan(100);
    const random = createRandom(seedOf(8));
    let wrong = 0;
    for (let k = 0; k < 500; k++) {
      const { vertices, normal } = pick(random, faces);
      const count = vertices.length / 3;
      const center = [0, 1, 2].map((axis) => {
        let sum = 0;
        for (let i = axis; i < vertices.length; i += 3) sum += vertices[i]!;
        return sum / count;
      });
      const aside = (by: number): number[] => center.map((c, axis) => c + by * normal[axis]!);
      if (world.hullContents(1, aside(0.01)) === -2 || world.hullContents(1, aside(-0.01)) !== -2) wrong++;
    }
    // Slivers thinner than the distance at which the sides are looked up.
    expect(wrong).toBeLessThan(10);
  });
});
