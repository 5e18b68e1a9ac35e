import {
  boxesBetween,
  brushesOf,
  leafOf,
  movesBetween,
  planeNumber,
  pointsBy,
  SIZE,
  untold,
} from '@bspkit/testkit/random-maps';
import fc from 'fast-check';
import type { UfoaiWorld } from '../src/index.ts';
import { createUfoaiWorld, readUfoai } from '../src/index.ts';
import { type Box, type MapSpec, type TreeSpec, writeMap } from './writer.ts';

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

const leaf = leafOf(contents);

const bounds: fc.Arbitrary<Box> = fc
  .array(fc.integer({ min: -SIZE, max: SIZE }), { minLength: 6, maxLength: 6 })
  .map(
    (six) =>
      [0, 1, 2, 3, 4, 5].map((k) =>
        Math[k < 3 ? 'min' : 'max'](six[k % 3]!, six[(k % 3) + 3]!),
      ) as unknown as Box,
  );

const { plane: planeTree } = fc.letrec<{ plane: TreeSpec; child: TreeSpec }>((tie) => ({
  plane: fc.record({ plane: planeNumber, front: tie('child'), back: tie('child'), bounds }),
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
  .record({ brushes: brushesOf(contents), models, inline: fc.array(planeTree, { maxLength: 2 }) })
  .map(({ brushes, models, inline }) => ({
    ...brushes,
    models: { ...models, ...Object.fromEntries(inline.map((tree, k) => [259 + k, tree])) },
  }));

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
    untold(
      createUfoaiWorld(tiles.map(({ spec, x, y, z }) => ({ file: readUfoai(writeMap(spec)), x, y, z }))),
    ),
  );

// Just within and just outside the 0.1 by which sides are distinguished, too.
export const point: fc.Arbitrary<number[]> = pointsBy(0.1, -0.1, 0.0999, -0.1001, 0.03125, -0.03125);
export const move = movesBetween(point);
export const boxSize = boxesBetween(point, { mins: [-9, -9, -24], maxs: [9, 9, 20] });

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
