import fc from 'fast-check';
import type { UfoaiWorld } from '../src/index.ts';
import { createUfoaiWorld, readUfoai } from '../src/index.ts';
import { type Box, type MapSpec, type TreeSpec, writeMap } from './writer.ts';

// Random maps for comparing kernels with the literal algorithms. Their trees need not make sense as geometry: whatever
// the trees and brushes are, the kernels must answer as the algorithms do.

const f = Math.fround;
const SIZE = 200;

const axialPlane = fc
  .tuple(fc.nat(2), fc.integer({ min: -SIZE, max: SIZE }))
  .map(
    ([axis, dist]) =>
      [...[0, 1, 2].map((k) => (k === axis ? 1 : 0)), dist] as [number, number, number, number],
  );

const slantedPlane = fc
  .tuple(
    fc.integer({ min: -9, max: 9 }),
    fc.integer({ min: -9, max: 9 }),
    fc.integer({ min: 1, max: 9 }),
    fc.nat(SIZE),
  )
  .map(([x, y, z, dist]) => {
    const length = Math.hypot(x, y, z);
    return [f(x / length), f(y / length), f(z / length), dist] as [number, number, number, number];
  });

const PLANES = 14;
const BRUSHES = 8;

const planes = fc.array(fc.oneof({ weight: 3, arbitrary: axialPlane }, slantedPlane), {
  minLength: PLANES,
  maxLength: PLANES,
});

/** Contents that lines or boxes distinguish, with and without passable, detail and level bits. */
const contents = fc.constantFrom(
  0,
  0,
  1,
  1,
  2,
  0x20,
  0x10000,
  0x20001,
  0x80000,
  0x2000000,
  0x8000001,
  0xff01,
  0x20000,
);

const brush = fc.record({
  contents,
  sides: fc.array(fc.nat(2 * PLANES - 1), { minLength: 0, maxLength: 9 }),
});

/** Most brushes are boxes; the planes that they need are added to those of the map. */
const boxBrush = fc.record({
  contents,
  center: fc.array(fc.integer({ min: -SIZE, max: SIZE }), { minLength: 3, maxLength: 3 }),
  half: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 3, maxLength: 3 }),
});

const leaf: fc.Arbitrary<TreeSpec> = fc.record({
  contents,
  brushes: fc.array(fc.nat(2 * BRUSHES - 1), { maxLength: 4 }),
});

const bounds: fc.Arbitrary<Box> = fc
  .array(fc.integer({ min: -SIZE, max: SIZE }), { minLength: 6, maxLength: 6 })
  .map(
    (six) =>
      [0, 1, 2, 3, 4, 5].map((k) =>
        Math[k < 3 ? 'min' : 'max'](six[k % 3]!, six[(k % 3) + 3]!),
      ) as unknown as Box,
  );

const { plane: planeTree } = fc.letrec<{ plane: TreeSpec; child: TreeSpec }>((tie) => ({
  plane: fc.record({ plane: fc.nat(PLANES - 1), front: tie('child'), back: tie('child'), bounds }),
  child: fc.oneof({ maxDepth: 6, depthIdentifier: 'tree' }, leaf, tie('plane'), tie('plane')),
}));

const { union: tree } = fc.letrec<{ union: TreeSpec }>((tie) => ({
  union: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'union' },
    planeTree,
    fc.record({ union: fc.tuple(tie('union'), tie('union')), bounds }),
  ),
}));

const models = fc.dictionary(fc.constantFrom(...[0, 1, 2, 4, 5, 240, 255, 256, 257, 258].map(String)), tree, {
  minKeys: 1,
  maxKeys: 5,
});

/** A random map, with inline models that are plane trees. */
const mapSpec: fc.Arbitrary<MapSpec> = fc
  .record({
    planes,
    loose: fc.array(brush, { minLength: BRUSHES, maxLength: BRUSHES }),
    boxes: fc.array(boxBrush, { minLength: BRUSHES, maxLength: BRUSHES }),
    models,
    inline: fc.array(planeTree, { maxLength: 2 }),
  })
  .map(({ planes, loose, boxes, models, inline }) => {
    const all = [...planes];
    const brushes = [...loose];
    for (const { contents, center, half } of boxes) {
      const sides: number[] = [];
      for (let axis = 0; axis < 3; axis++) {
        for (const sign of [1, -1]) {
          const normal = [0, 1, 2].map((k) => (k === axis ? 1 : 0));
          sides.push(2 * all.length + (sign > 0 ? 0 : 1));
          all.push([...normal, center[axis]! + sign * half[axis]!] as [number, number, number, number]);
        }
      }
      brushes.push({ contents, sides });
    }
    const trees: Record<number, TreeSpec> = { ...models };
    for (const [k, model] of inline.entries()) trees[259 + k] = model;
    return { planes: all, brushes, models: trees };
  });

/** A world of one or two random tiles. */
export const world: fc.Arbitrary<UfoaiWorld> = fc
  .array(
    fc.record({
      spec: mapSpec,
      x: fc.integer({ min: -4, max: 4 }),
      y: fc.integer({ min: -4, max: 4 }),
      z: fc.nat(2),
    }),
    { minLength: 1, maxLength: 2 },
  )
  .map((tiles) =>
    createUfoaiWorld(tiles.map(({ spec, x, y, z }) => ({ file: readUfoai(writeMap(spec)), x, y, z }))),
  )
  // Seed and path of a counterexample are enough; a world's arrays would fill pages.
  .map((world) => Object.assign(world, { [fc.toStringMethod]: () => 'a world' }));

/** Coordinates on planes, just within and just outside the 0.1 by which sides are distinguished, and elsewhere. */
const coordinate = fc.oneof(
  fc.integer({ min: -SIZE, max: SIZE }),
  fc
    .tuple(
      fc.integer({ min: -SIZE, max: SIZE }),
      fc.constantFrom(0.1, -0.1, 0.0999, -0.1001, 0.03125, -0.03125),
    )
    .map(([whole, part]) => f(whole + part)),
  fc.double({ min: -2 * SIZE, max: 2 * SIZE, noNaN: true }).map(f),
);

export const point: fc.Arbitrary<number[]> = fc.array(coordinate, { minLength: 3, maxLength: 3 });

/** Two ends; often along an axis, sometimes equal, sometimes beyond the limit for bounds. */
export const move: fc.Arbitrary<{ start: number[]; end: number[] }> = fc
  .record({ start: point, end: point, kind: fc.nat(9), axis: fc.nat(2) })
  .map(({ start, end, kind, axis }) => {
    if (kind < 3) return { start, end: start.map((value, k) => (k === axis ? end[k]! : value)) };
    if (kind === 3) return { start, end: start };
    if (kind === 4) return { start, end: end.map((value) => f(value * 100)) };
    return { start, end };
  });

/** A box around the traced point: of no size, even, or lopsided. */
export const boxSize: fc.Arbitrary<{ mins: number[]; maxs: number[] }> = fc
  .record({ a: point, b: point, kind: fc.nat(3) })
  .map(({ a, b, kind }) => {
    if (kind === 0) return { mins: [0, 0, 0], maxs: [0, 0, 0] };
    if (kind === 1) return { mins: [-9, -9, -24], maxs: [9, 9, 20] };
    const [c, d] = [a.map((value) => f(value / 8)), b.map((value) => f(value / 8))];
    return {
      mins: c.map((value, k) => Math.min(value, d[k]!)),
      maxs: c.map((value, k) => Math.max(value, d[k]!)),
    };
  });

export const mask: fc.Arbitrary<number> = fc.constantFrom(
  -1,
  1,
  3,
  0x10003,
  0x20020,
  0x21,
  ~0x80000,
  0x2090000,
);
export const reject: fc.Arbitrary<number> = fc.constantFrom(0, 0, 0x20000, 0x20020, 0x8000000);
