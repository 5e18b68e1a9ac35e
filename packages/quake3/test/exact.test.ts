import { boxBrush, compileMap } from '@bspkit/compile';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createQuake3World, type Quake3File, readQuake3, SURFACE_CLIP_EPSILON } from '../src/index.ts';
import { brushSoup, move } from './worlds.ts';

type Point = readonly number[];

/** Half-spaces of a brush, in double. */
type Solid = { normal: Point; dist: number }[];

function solids(file: Quake3File): Solid[] {
  const list: Solid[] = [];
  for (let brush = 0; brush < file.brushes.count; brush++) {
    if (!(file.shaders[file.brushes.shaders[brush]!]!.contents & 1)) continue;
    const first = file.brushes.firstSides[brush]!;
    const planes = file.sides.planes.subarray(first, first + file.brushes.numSides[brush]!);
    list.push(
      Array.from(planes, (plane) => ({
        normal: [...file.planes.normals.subarray(3 * plane, 3 * plane + 3)],
        dist: file.planes.dists[plane]!,
      })),
    );
  }
  return list;
}

const dot = (a: Point, b: Point): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;

/** Distance of a point from a convex solid by Dykstra's projections: nothing in common with faces and edges. */
function distance(solid: Solid, point: Point): number {
  let x = [...point];
  const corrections = solid.map(() => [0, 0, 0]);
  for (let round = 0; round < 400; round++) {
    let moved = 0;
    for (const [k, { normal, dist }] of solid.entries()) {
      const y = x.map((value, axis) => value + corrections[k]![axis]!);
      const over = Math.max(0, dot(normal, y) - dist) / dot(normal, normal);
      const next = y.map((value, axis) => value - over * normal[axis]!);
      corrections[k] = y.map((value, axis) => value - next[axis]!);
      moved = Math.max(moved, Math.hypot(...next.map((value, axis) => value - x[axis]!)));
      x = next;
    }
    if (moved < 1e-7) break;
  }
  return Math.hypot(...x.map((value, axis) => value - point[axis]!));
}

/** Slack for float32 answers and for projections that have not quite arrived. */
const TOLERANCE = 0.02;

describe('exact spheres', () => {
  it('keep their distance from every brush, and stop only where they touch it', () => {
    fc.assert(
      fc.property(
        brushSoup(4),
        fc.constantFrom(1, 6, 20),
        fc.array(move, { minLength: 12, maxLength: 12 }),
        (soup, radius, moves) => {
          const file = readQuake3(compileMap(soup, { format: 'quake3' }).bytes);
          const world = createQuake3World(file);
          const all = solids(file);
          const nearest = (point: Point): number =>
            Math.min(1e9, ...all.map((solid) => distance(solid, point)));
          const exact = world.sphere(radius, { exact: true });
          const classic = world.sphere(radius);
          for (const [start, end] of moves) {
            const trace = exact.trace(start, end);
            const first = nearest(start);
            if (Math.abs(first - radius) > TOLERANCE) expect(trace.startSolid).toBe(first < radius);
            if (trace.startSolid || start.join() === end.join()) continue;
            expect(trace.fraction).toBeGreaterThanOrEqual(classic.trace(start, end).fraction - 1e-5);
            for (let t = 0; t <= 1; t += 0.125) {
              const on = start.map((value, k) => value + t * trace.fraction * (end[k]! - value));
              expect(nearest(on)).toBeGreaterThan(Math.min(first, radius) - TOLERANCE);
            }
            if (trace.fraction === 1) continue;
            expect(nearest([...trace.endPos])).toBeLessThan(radius + SURFACE_CLIP_EPSILON + TOLERANCE);
            expect(Math.hypot(...trace.normal)).toBeCloseTo(1, 5);
            const beyond = [...trace.endPos].map((value, k) => value - 0.5 * trace.normal[k]!);
            expect(nearest(beyond)).toBeLessThan(nearest([...trace.endPos]));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  const cube = compileMap([boxBrush([-32, -32, -32], [32, 32, 32])], { format: 'quake3' });
  const world = createQuake3World(readQuake3(cube.bytes));

  it('pass an edge that a classic sphere catches on', () => {
    // Along the edge x = y = 32 at a distance of 12 from both faces: 16.97 from the edge itself.
    const [start, end] = [
      [44, 44, -100],
      [44, 44, 100],
    ];
    expect(world.sphere(14).blocked(start, end)).toBe(true);
    expect(world.sphere(14, { exact: true }).blocked(start, end)).toBe(false);
    expect(world.sphere(17, { exact: true }).blocked(start, end)).toBe(true);
  });

  it('hit corners with the normal that points at their middle', () => {
    const trace = world.sphere(10, { exact: true }).trace([100, 100, 100], [0, 0, 0]);
    const away = (10 + SURFACE_CLIP_EPSILON) / Math.sqrt(3);
    for (let k = 0; k < 3; k++) {
      expect(trace.endPos[k]).toBeCloseTo(32 + away, 3);
      expect(trace.normal[k]).toBeCloseTo(1 / Math.sqrt(3), 5);
    }
    expect(trace.brush).toBe(0);
    expect(trace.side).toBeGreaterThanOrEqual(0);
  });

  it('equal classic ones on faces, and rays when they have no radius', () => {
    const [start, end] = [
      [100, 5, 3],
      [0, 1, -2],
    ];
    expect(world.sphere(8, { exact: true }).trace(start, end).fraction).toBeCloseTo(
      world.sphere(8).trace(start, end).fraction,
      6,
    );
    expect(world.sphere(0, { exact: true }).trace(start, end)).toEqual(world.ray().trace(start, end));
  });
});
