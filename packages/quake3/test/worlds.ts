import {
  boxBrush,
  compileMap,
  hullBrush,
  pillarBrush,
  rampBrush,
  type SourceBrush,
  type SourcePatch,
} from '@bspkit/compile';
import type { KernelName } from '@bspkit/core';
import fc from 'fast-check';
import { createQuake3World, exactSphere, type Quake3World, readQuake3 } from '../src/index.ts';
import type { Quake3Model } from '../src/model.ts';
import type { Quake3Tracer } from '../src/tracer.ts';

// Worlds of random brushes and patches, and random moves that come near them.

/** Property tests run few times by default, BSPKIT_RUNS_QUAKE3 times as often in a proof run. */
export const runs = (few: number): number => few * Number(process.env.BSPKIT_RUNS_QUAKE3 ?? 1);

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

/** A patch of 3 x 3 control points, spread out in x and y, anywhere in z; now and then it is flat, or comes round. */
const patch: fc.Arbitrary<SourcePatch> = fc
  .tuple(
    corner,
    size,
    fc.array(fc.integer({ min: -96, max: 96 }), { minLength: 9, maxLength: 9 }),
    fc.constantFrom('any', 'flat', 'tube'),
  )
  .map(([at, by, heights, kind]) => ({
    material: 'test/curve',
    width: 3,
    height: 3,
    points: heights.map((height, k) => {
      const [i, j] = [k % 3, Math.floor(k / 3)];
      if (kind === 'tube') {
        const bulge = i === 1 ? by[0] : 0;
        return [at[0] + bulge, at[1] + (j * by[1]) / 2, at[2], i, j] as const;
      }
      const z = kind === 'flat' ? 0 : height;
      return [at[0] + (i * by[0]) / 2, at[1] + (j * by[1]) / 2, at[2] + z, i, j] as const;
    }),
  }));

/** 1 to `most` brushes, overlapping or not. */
export function brushSoup(most = 12): fc.Arbitrary<SourceBrush[]> {
  return fc.array(brush, { minLength: 1, maxLength: most });
}

/** Some patches. */
export const patchSoup: fc.Arbitrary<SourcePatch[]> = fc.array(patch, { minLength: 1, maxLength: 3 });

/** The world of some brushes and patches, with a model `*1` of the same. */
export function worldOf(brushes: SourceBrush[], patches: readonly SourcePatch[] = []): Quake3World {
  const entities = [
    { properties: { classname: 'worldspawn' }, brushes, patches },
    { properties: { classname: 'func_door' }, brushes, patches },
  ];
  return createQuake3World(readQuake3(compileMap({ entities }, { format: 'quake3' }).bytes));
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

/** Moves, every other one of which goes through the middle of some patch, if there is any, or begins or ends there. */
export function aimed(moves: readonly [Point, Point][], patches: readonly SourcePatch[]): [Point, Point][] {
  return moves.map(([start, end], k) => {
    if (k % 2 === 0 || patches.length === 0) return [start, end];
    const { points } = patches[(k >> 1) % patches.length]!;
    const weights = [1, 2, 1, 2, 4, 2, 1, 2, 1];
    const middle = [0, 1, 2].map((axis) =>
      points.reduce((sum, point, i) => sum + (weights[i]! * point[axis]!) / 16, 0),
    ) as Point;
    if (k % 8 === 3) return [middle, end];
    if (k % 8 === 7) return [start, middle];
    const half = start.map((x, axis) => (end[axis]! - x) / 2) as Point;
    return [plus(middle, half.map((x) => -x) as Point), plus(middle, half)];
  });
}

/** Where a model stands. */
export const pose: fc.Arbitrary<{ origin: Point; angles: Point }> = fc.record({
  origin: fc.oneof(fc.constant<Point>([0, 0, 0]), corner, fc.tuple(anywhere, anywhere, anywhere)),
  angles: fc.oneof(
    fc.constant<Point>([0, 0, 0]),
    fc.constantFrom<Point>([0, 90, 0], [90, 0, 0], [0, 0, 180], [-0, 0, 0]),
    fc.tuple(anywhere, anywhere, anywhere),
  ),
});

/** Both kernels, and what a tracer finds with each of them. */
export const KERNELS = ['wasm', 'js'] as const;

export function inKernel<T>(tracer: Quake3Tracer, kernel: KernelName, ask: () => T): T {
  const wasm = tracer._wasm ?? tracer._choose();
  if (!wasm) throw new Error('there is no WebAssembly, or it is switched off');
  tracer._wasm = kernel === 'js' ? null : wasm;
  try {
    return ask();
  } finally {
    tracer._wasm = wasm;
  }
}

/** A tracer of each shape and arithmetic, by name. */
export function tracersOf(world: Quake3World | Quake3Model) {
  return {
    ray: world.ray({ mask: -1 }),
    tutorialRay: world.ray({ epsilon: 1 / 32 }),
    sphere: world.sphere(12),
    box: world.box([-15, -15, -24], [15, 15, 32]),
    // Its corners do not halve in float32, so centring it leaves something over.
    lopsidedBox: world.box([-3.3, -20.1, 0.7], [9.9, 1.5, 7.3], { mask: -1 }),
    flatBox: world.box([-8, -8, 0], [8, 8, 0]),
    pointBox: world.box([4, 4, 4], [4, 4, 4]),
    flatRay: world.ray({ curves: false }),
    capsule: world.capsule([-16, -16, -28], [16, 16, 28]),
    lopsidedCapsule: world.capsule([-7.7, -9, 0.1], [8.1, 3, 29.3], { epsilon: 0 }),
    pointCapsule: world.capsule([0, 0, 0], [0, 0, 0]),
  } satisfies Record<string, Quake3Tracer>;
}

/** Tracers of exact spheres, by name, which have only one kernel. */
export function exactSpheresOf(world: Quake3World | Quake3Model) {
  return {
    exactSphere: exactSphere(world, 12),
    exactSphereWithoutEpsilon: exactSphere(world, 3, { mask: -1, epsilon: 0 }),
    exactPoint: exactSphere(world, 0),
  } satisfies Record<string, Quake3Tracer>;
}
