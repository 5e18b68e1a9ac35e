import { boxBrush, compileMap, hullBrush, pillarBrush, rampBrush, type SourceBrush } from '@bspkit/compile';
import fc from 'fast-check';
import { createQuake3World, type Quake3Tracer, type Quake3World, readQuake3 } from '../src/index.ts';

// Worlds of random brushes, and random moves that come near them.

type Point = [number, number, number];

const coordinate = fc.noBias(fc.integer({ min: -256, max: 256 }));
const corner: fc.Arbitrary<Point> = fc.tuple(coordinate, coordinate, coordinate);
const size: fc.Arbitrary<Point> = fc.tuple(
  fc.integer({ min: 4, max: 128 }),
  fc.integer({ min: 4, max: 128 }),
  fc.integer({ min: 4, max: 128 }),
);

const options = fc.constantFrom(
  { material: 'test/wall' },
  { material: 'common/clip' },
  { material: 'liquids/pool_water' },
);

const plus = (a: Point, b: Point): Point => [0, 1, 2].map((k) => Math.fround(a[k]! + b[k]!)) as Point;

/** Corners of a lean tetrahedron inside a box: three slanted sides and acute edges. */
const wedge = ([x, y, z]: Point, [w, d, h]: Point): Point[] => [
  [x, y, z],
  [x + w, y + d / 3, z],
  [x + w / 4, y + d, z],
  [x + w / 2, y + d / 2, z + h],
];

const brush: fc.Arbitrary<SourceBrush> = fc
  .tuple(fc.nat(3), corner, size, options)
  .map(([kind, at, by, material]) => {
    if (kind === 0) return boxBrush(at, plus(at, by), material);
    if (kind === 1) return rampBrush(at, plus(at, by), '+x', material);
    if (kind === 2) return pillarBrush(at, Math.max(8, by[0] / 2), by[2], 5 + (by[1] % 4), material);
    return hullBrush(wedge(at, by), material);
  });

/** 1 to `most` brushes, overlapping or not. */
export function brushSoup(most = 12): fc.Arbitrary<SourceBrush[]> {
  return fc.array(brush, { minLength: 1, maxLength: most });
}

/** The world of some brushes. */
export function worldOf(soup: SourceBrush[]): Quake3World {
  return createQuake3World(readQuake3(compileMap(soup, { format: 'quake3' }).bytes));
}

const anywhere = fc.float({ min: -300, max: 300, noNaN: true });

/** Points on the eighths of units where epsilons bite, and anywhere else. */
const point: fc.Arbitrary<Point> = fc.oneof(
  corner.map((at): Point => plus(at, [0.125, 0.125, 0.125])),
  corner,
  fc.tuple(anywhere, anywhere, anywhere),
);

/** Moves: any, along an axis, short, and of no length. */
export const move: fc.Arbitrary<[start: Point, end: Point]> = fc
  .tuple(point, point, fc.nat(5), fc.nat(2))
  .map(([start, end, kind, axis]) => {
    if (kind === 0) return [start, start];
    if (kind === 1) return [start, plus(start, [end[0] / 256, end[1] / 256, end[2] / 256])];
    if (kind === 2) {
      const straight: Point = [...start];
      straight[axis] = end[axis]!;
      return [start, straight];
    }
    return [start, end];
  });

/** A tracer of each shape and arithmetic, by name. */
export function tracersOf(world: Quake3World): Record<string, Quake3Tracer> {
  return {
    ray: world.ray({ mask: -1 }),
    tutorialRay: world.ray({ epsilon: 1 / 32 }),
    sphere: world.sphere(12),
    box: world.box([-15, -15, -24], [15, 15, 32]),
    lopsidedBox: world.box([-3, -20, 0], [9, 1.5, 7], { mask: -1 }),
    flatBox: world.box([-8, -8, 0], [8, 8, 0]),
    capsule: world.capsule([-16, -16, -28], [16, 16, 28]),
    pointCapsule: world.capsule([0, 0, 0], [0, 0, 0]),
  };
}
