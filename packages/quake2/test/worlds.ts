import {
  type BrushSpec,
  brushLumps,
  ibspFile,
  type PlaneSpec,
  planePairs,
  records,
  textLump,
} from '@bspkit/testkit/ibsp';
import {
  boxesBetween,
  brushesOf,
  leafOf,
  movesBetween,
  planeNumber,
  pointsBy,
  untold,
} from '@bspkit/testkit/random-maps';
import fc from 'fast-check';
import { createQuake2World, type Quake2World, readQuake2 } from '../src/index.ts';

/** A tree as it will stand in a map's file. */
type TreeSpec =
  | { readonly plane: number; readonly front: TreeSpec; readonly back: TreeSpec }
  | {
      readonly contents: number;
      readonly brushes: readonly number[];
      readonly cluster?: number;
      readonly area?: number;
    };

interface MapSpec {
  readonly planes: readonly PlaneSpec[];
  readonly brushes: readonly BrushSpec[];
  /** Trees by model; that of the world first. */
  readonly models: readonly TreeSpec[];
  readonly entities?: string;
  readonly numClusters?: number;
  readonly sees?: (from: number, to: number) => boolean;
  /** Pairs of areas with a portal between them, numbered from 1 on. */
  readonly portals?: readonly (readonly [number, number])[];
  readonly numAreas?: number;
}

/** Writes a map file. It holds what tracing needs, and no faces or light. */
function writeMap(spec: MapSpec): Uint8Array {
  const nodes: number[][] = [];
  const leafs: number[][] = [
    [1, -1, 0, 0, 0],
    [0, -1, 0, 0, 0],
  ];
  const leafBrushes: number[] = [];
  // Trees that have the same leaf share it.
  const known = new Map<TreeSpec, number>();
  const place = (tree: TreeSpec): number => {
    if ('contents' in tree) {
      const { contents, brushes, cluster = -1, area = 0 } = tree;
      const number =
        known.get(tree) ?? -leafs.push([contents, cluster, area, leafBrushes.length, brushes.length]);
      if (!known.has(tree)) leafBrushes.push(...brushes);
      known.set(tree, number);
      return number;
    }
    const node: number[] = [];
    const number = nodes.push(node) - 1;
    node.push(2 * tree.plane, place(tree.front), place(tree.back));
    return number;
  };
  const heads = spec.models.map(place);
  const zeros = (count: number): number[] => new Array<number>(count).fill(0);
  const { portals = [], numAreas = 2 } = spec;
  // Entry 0 is a dummy; each portal stands in both of its areas.
  const entries: number[][] = [[0, 0]];
  const areas = Array.from({ length: numAreas }, (_, area) => {
    const first = entries.length;
    for (const [k, [a, b]] of portals.entries()) {
      if (a === area) entries.push([k + 1, b]);
      if (b === area) entries.push([k + 1, a]);
    }
    return [entries.length - first, first];
  });
  const name = [...'test/texture'].map((letter) => letter.charCodeAt(0));
  return ibspFile(38, [
    textLump(spec.entities ?? ''),
    planePairs(spec.planes),
    undefined,
    spec.sees && visibilityLump(spec.numClusters ?? 0, spec.sees),
    records(
      nodes.map((node) => [...node, ...zeros(8)]),
      'iiihhhhhhhh',
    ),
    records(
      [0, 1].map((k) => [...zeros(8), 0x80 << k, 0, ...name, 48 + k, ...zeros(19), -1]),
      `ffffffffii${'B'.repeat(32)}i`,
    ),
    undefined,
    undefined,
    records(
      leafs.map(([contents, cluster, area, ...list]) => [contents!, cluster!, area!, ...zeros(8), ...list]),
      'ihhhhhhhhhhhh',
    ),
    undefined,
    records(
      (leafBrushes.length ? leafBrushes : [0]).map((brush) => [brush]),
      'h',
    ),
    undefined,
    undefined,
    records(
      heads.map((head) => [-512, -512, -512, 512, 512, 512, 0, 0, 0, head, 0, 0]),
      'fffffffffiii',
    ),
    ...brushLumps(spec.brushes),
    undefined,
    records(areas, 'ii'),
    records(entries, 'ii'),
  ]);
}

/** Rows of bits, run-length coded, behind a table of where each begins: what clusters see, and what they hear. */
function visibilityLump(numClusters: number, sees: (from: number, to: number) => boolean): Uint8Array {
  const rowBytes = (numClusters + 7) >> 3;
  const clusters = Array.from({ length: numClusters }, (_, k) => k);
  const hears = (from: number, to: number): boolean =>
    clusters.some((middle) => sees(from, middle) && sees(middle, to));
  const coded: number[] = [];
  const offsets: number[] = [];
  for (const from of clusters) {
    for (const has of [sees, hears]) {
      offsets.push(4 + 8 * numClusters + coded.length);
      const row = new Uint8Array(rowBytes);
      for (const to of clusters) if (has(from, to)) row[to >> 3]! |= 1 << (to & 7);
      for (let k = 0; k < rowBytes; k++) {
        coded.push(row[k]!);
        if (row[k] !== 0) continue;
        let zeros = 1;
        while (zeros < 255 && k + 1 < rowBytes && row[k + 1] === 0) [zeros, k] = [zeros + 1, k + 1];
        coded.push(zeros);
      }
    }
  }
  const bytes = new Uint8Array(4 + 8 * numClusters + coded.length);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, numClusters, true);
  for (const [k, offset] of offsets.entries()) view.setInt32(4 + 4 * k, offset, true);
  bytes.set(coded, 4 + 8 * numClusters);
  return bytes;
}

const contents = fc.constantFrom(0, 0, 1, 1, 2, 0x20, 0x10000, 0x20001, 0x8000001, 0x2000000, 0x20000000);

const leaf = leafOf(contents);

const { plane: tree } = fc.letrec<{ plane: TreeSpec; child: TreeSpec }>((tie) => ({
  plane: fc.record({ plane: planeNumber, front: tie('child'), back: tie('child') }),
  child: fc.oneof({ maxDepth: 6, depthIdentifier: 'tree' }, leaf, tie('plane'), tie('plane')),
}));

/** A random map; the trees of its models may be single leafs. */
const mapSpec: fc.Arbitrary<MapSpec> = fc
  .record({
    brushes: brushesOf(contents),
    world: tree,
    inline: fc.array(fc.oneof(tree, leaf), { minLength: 1, maxLength: 2 }),
  })
  .map(({ brushes, world, inline }) => ({ ...brushes, models: [world, ...inline] }));

export const world: fc.Arbitrary<Quake2World> = mapSpec.map((spec) =>
  untold(createQuake2World(readQuake2(writeMap(spec)))),
);

export const point: fc.Arbitrary<number[]> = pointsBy(0.03125, -0.03125, 0.0312, -1);
export const move = movesBetween(point);
export const boxSize = boxesBetween(point, { mins: [-16, -16, -24], maxs: [16, 16, 32] });
export const mask: fc.Arbitrary<number> = fc.constantFrom(-1, 1, 3, 0x10003, 0x2010003, 0x20, 0x20000000);

/** A map of two rooms with a door between them, in areas 1 and 2, and a third room beyond another door; see the tests. */
export function roomsMap(): Uint8Array {
  // Rooms lie side by side along x: -300 to -100, -100 to 100, 100 to 300; what is beyond them is solid.
  const planes: PlaneSpec[] = [
    [1, 0, 0, -100],
    [1, 0, 0, 100],
    [1, 0, 0, -300],
    [1, 0, 0, 300],
    [0, 1, 0, -64],
    [0, 1, 0, 64],
    [0, 0, 1, -64],
    [0, 0, 1, 64],
    // The door's own: a box around the middle of its model.
    [1, 0, 0, -8],
    [1, 0, 0, 8],
  ];
  const brushes = [
    // Below x = -300, beyond x = 300, and the door: sides of pairs, 2k facing up the axis and 2k + 1 down.
    { contents: 1, sides: [4] },
    { contents: 1, sides: [7] },
    { contents: 0x8000001, sides: [18, 17, 10, 9, 14, 13] },
  ];
  const room = (cluster: number, area: number): TreeSpec => ({ contents: 0, brushes: [], cluster, area });
  const solid = (brush: number): TreeSpec => ({ contents: 1, brushes: [brush] });
  return writeMap({
    planes,
    brushes,
    models: [
      {
        plane: 0,
        back: { plane: 2, front: room(0, 1), back: solid(0) },
        front: {
          plane: 1,
          back: room(1, 2),
          front: { plane: 3, back: room(2, 3), front: solid(1) },
        },
      },
      { contents: 0x8000001, brushes: [2] },
    ],
    entities: '{ "classname" "func_door" "model" "*1" "origin" "-100 0 0" }',
    numClusters: 3,
    sees: (from, to) => Math.abs(from - to) <= 1,
    portals: [
      [1, 2],
      [2, 3],
    ],
    numAreas: 4,
  });
}

/** A floor of playerclip below z = 0, under x = 0 and less, where only the tree's last child on the way lists it. */
export const cornerMap = (): Uint8Array =>
  writeMap({
    planes: [
      [0, 0, 1, 0],
      [1, 0, 0, 0],
      [0, 0, 1, -8],
      [1, 0, 0, -64],
      [0, 1, 0, -64],
      [0, 1, 0, 64],
    ],
    brushes: [{ contents: 0x10000, sides: [2, 7, 10, 9, 0, 5] }],
    models: [
      {
        plane: 0,
        front: { contents: 0, brushes: [], cluster: 0, area: 1 },
        back: {
          plane: 1,
          front: { contents: 0, brushes: [], cluster: 0, area: 1 },
          back: { contents: 0x10000, brushes: [0], cluster: 0, area: 1 },
        },
      },
    ],
  });

/** A box below z = 0, behind y = 0 and within 20 of x = 0, in a leaf that the trees of the world and of a model share. */
export const sharedLeafMap = (): Uint8Array => {
  const leaf = { contents: 1, brushes: [0] };
  const empty = { contents: 0, brushes: [] };
  return writeMap({
    planes: [
      [1, 0, 0, -20],
      [1, 0, 0, 20],
      [0, 1, 0, -20],
      [0, 1, 0, 0],
      [0, 0, 1, -20],
      [0, 0, 1, 0],
    ],
    brushes: [{ contents: 1, sides: [1, 2, 5, 6, 9, 10] }],
    models: [
      { plane: 0, front: leaf, back: empty },
      { plane: 1, front: empty, back: leaf },
    ],
  });
};
