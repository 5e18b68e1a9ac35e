import fc from 'fast-check';
import { createQuake2World, type Quake2World, readQuake2 } from '../src/index.ts';
import { records, visibilityLump, writeQuake2 } from './writer.ts';

// Random maps for comparing kernels with the literal algorithm. Their trees need not make sense as geometry: whatever the
// trees and brushes are, the kernels must answer as the algorithm does.

const f = Math.fround;
const SIZE = 200;

/** A tree as it will stand in a map's file. */
type TreeSpec =
  | { readonly plane: number; readonly front: TreeSpec; readonly back: TreeSpec }
  | {
      readonly contents: number;
      readonly brushes: readonly number[];
      readonly cluster?: number;
      readonly area?: number;
    };

type PlaneSpec = readonly [x: number, y: number, z: number, dist: number];

interface MapSpec {
  /** Each becomes a pair of opposite planes: number k is planes 2k and, turned around, 2k + 1 of the file. */
  readonly planes: readonly PlaneSpec[];
  /** Sides are plane numbers of the file. */
  readonly brushes: readonly { readonly contents: number; readonly sides: readonly number[] }[];
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
  let firstSide = 0;
  const name = [...'test/texture'].map((letter) => letter.charCodeAt(0));
  return writeQuake2([
    Uint8Array.from(`${spec.entities ?? ''}\0`, (letter) => letter.charCodeAt(0)),
    records(spec.planes.flatMap(planePair), 'ffffi'),
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
    records(
      spec.brushes.map(({ contents, sides: { length } }) => {
        firstSide += length;
        return [firstSide - length, length, contents];
      }),
      'iii',
    ),
    records(
      spec.brushes.flatMap(({ sides }) => sides).map((plane, k) => [plane, k % 3 === 2 ? -1 : k % 3]),
      'hh',
    ),
    undefined,
    records(areas, 'ii'),
    records(entries, 'ii'),
  ]);
}

function planePair([x, y, z, dist]: PlaneSpec): number[][] {
  const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  const axis = [x, y, z].findIndex((component) => Math.abs(component) === most);
  const type = most === 1 ? axis : 3 + axis;
  return [
    [x, y, z, dist, type],
    [-x, -y, -z, -dist, type],
  ];
}

const axialPlane = fc
  .tuple(fc.nat(2), fc.integer({ min: -SIZE, max: SIZE }))
  .map(([axis, dist]) => [...[0, 1, 2].map((k) => (k === axis ? 1 : 0)), dist] as unknown as PlaneSpec);

const slantedPlane = fc
  .tuple(
    fc.integer({ min: -9, max: 9 }),
    fc.integer({ min: -9, max: 9 }),
    fc.integer({ min: 1, max: 9 }),
    fc.nat(SIZE),
  )
  .map(([x, y, z, dist]): PlaneSpec => {
    const length = Math.hypot(x, y, z);
    return [f(x / length), f(y / length), f(z / length), dist];
  });

const PLANES = 14;
const BRUSHES = 8;

const planes = fc.array(fc.oneof({ weight: 3, arbitrary: axialPlane }, slantedPlane), {
  minLength: PLANES,
  maxLength: PLANES,
});

const contents = fc.constantFrom(0, 0, 1, 1, 2, 0x20, 0x10000, 0x20001, 0x8000001, 0x2000000, 0x20000000);

const brush = fc.record({
  contents,
  sides: fc.array(fc.nat(2 * PLANES - 1), { minLength: 0, maxLength: 9 }),
});

/** Boxes are what brushes mostly are; the planes that they need are added to those of the map. */
const boxBrush = fc.record({
  contents,
  center: fc.array(fc.integer({ min: -SIZE, max: SIZE }), { minLength: 3, maxLength: 3 }),
  half: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 3, maxLength: 3 }),
});

const leaf: fc.Arbitrary<TreeSpec> = fc.record({
  contents,
  brushes: fc.array(fc.nat(2 * BRUSHES - 1), { maxLength: 4 }),
});

const { plane: tree } = fc.letrec<{ plane: TreeSpec; child: TreeSpec }>((tie) => ({
  plane: fc.record({ plane: fc.nat(PLANES - 1), front: tie('child'), back: tie('child') }),
  child: fc.oneof({ maxDepth: 6, depthIdentifier: 'tree' }, leaf, tie('plane'), tie('plane')),
}));

/** A random map; the trees of its models may be single leafs. */
const mapSpec: fc.Arbitrary<MapSpec> = fc
  .record({
    planes,
    loose: fc.array(brush, { minLength: BRUSHES, maxLength: BRUSHES }),
    boxes: fc.array(boxBrush, { minLength: BRUSHES, maxLength: BRUSHES }),
    world: tree,
    inline: fc.array(fc.oneof(tree, leaf), { minLength: 1, maxLength: 2 }),
  })
  .map(({ planes, loose, boxes, world, inline }) => {
    const all = [...planes];
    const brushes = [...loose];
    for (const { contents, center, half } of boxes) {
      const sides: number[] = [];
      for (let axis = 0; axis < 3; axis++) {
        for (const sign of [1, -1]) {
          const normal = [0, 1, 2].map((k) => (k === axis ? 1 : 0));
          sides.push(2 * all.length + (sign > 0 ? 0 : 1));
          all.push([...normal, center[axis]! + sign * half[axis]!] as unknown as PlaneSpec);
        }
      }
      brushes.push({ contents, sides });
    }
    return { planes: all, brushes, models: [world, ...inline] };
  });

export const world: fc.Arbitrary<Quake2World> = mapSpec
  .map((spec) => createQuake2World(readQuake2(writeMap(spec))))
  // Seed and path of a counterexample say enough; a world's arrays fill pages.
  .map((made) => Object.assign(made, { [fc.toStringMethod]: () => 'a world' }));

/** Coordinates that lie on planes, an epsilon before and behind them, and elsewhere. */
const coordinate = fc.oneof(
  fc.integer({ min: -SIZE, max: SIZE }),
  fc
    .tuple(fc.integer({ min: -SIZE, max: SIZE }), fc.constantFrom(0.03125, -0.03125, 0.0312, -1))
    .map(([whole, part]) => f(whole + part)),
  fc.double({ min: -2 * SIZE, max: 2 * SIZE, noNaN: true }).map(f),
);

export const point: fc.Arbitrary<number[]> = fc.array(coordinate, { minLength: 3, maxLength: 3 });

/** Two ends; often along an axis, sometimes equal, sometimes beyond what bounds are kept for. */
export const move: fc.Arbitrary<{ start: number[]; end: number[] }> = fc
  .record({ start: point, end: point, kind: fc.nat(9), axis: fc.nat(2) })
  .map(({ start, end, kind, axis }) => {
    if (kind < 3) return { start, end: start.map((value, k) => (k === axis ? end[k]! : value)) };
    if (kind === 3) return { start, end: start };
    if (kind === 4) return { start, end: end.map((value) => f(value * 100)) };
    return { start, end };
  });

/** A box around the traced point, or beside it: of no size, even, or lopsided. */
export const boxSize: fc.Arbitrary<{ mins: number[]; maxs: number[] }> = fc
  .record({ a: point, b: point, kind: fc.nat(4) })
  .map(({ a, b, kind }) => {
    if (kind === 0) return { mins: [0, 0, 0], maxs: [-0, 0, 0] };
    if (kind === 1) return { mins: [-16, -16, -24], maxs: [16, 16, 32] };
    const [c, d] = [a.map((value) => f(value / 8)), b.map((value) => f(value / 8))];
    if (kind === 2) return { mins: c, maxs: c };
    return {
      mins: c.map((value, k) => Math.min(value, d[k]!)),
      maxs: c.map((value, k) => Math.max(value, d[k]!)),
    };
  });

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
