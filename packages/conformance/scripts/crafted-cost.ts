// What crafted files cost: for every structure, the worst time of reading, building, polygons, explain and one trace of
// each kind, and the memory, for files of 4 MB. Each is measured in a process of its own.
//
// cd packages/conformance && npx esbuild scripts/crafted-cost.ts --bundle --platform=node --format=esm \
//   --conditions=@bspkit/source --outfile=../fixtures/dist/crafted-cost.mjs && node ../fixtures/dist/crafted-cost.mjs
//
// Bundled, because a test runner's modules are slower; in dist beside the maps, which are found from there.
// Names as arguments choose structures; BSPKIT_CRAFTED_BYTES is the size of the files.

import { spawnSync } from 'node:child_process';
import { compileMap } from '@bspkit/compile';
import { BspError } from '@bspkit/core';
import { arenaMap, arenaQuake1, arenaQuake2, arenaQuake3, houseUfoai } from '@bspkit/fixtures';
import * as quake1 from '@bspkit/quake1';
import * as quake2 from '@bspkit/quake2';
import * as quake3 from '@bspkit/quake3';
import {
  ballPlanes,
  type CraftedFormat,
  type CraftedRange,
  chain,
  comb,
  doubling,
  grow,
  joined,
  type Lumps,
  packLumps,
  planeRecords,
  putField,
  repeated,
  shareRange,
  unpackLumps,
  words,
} from '@bspkit/testkit/crafted';
import { BSP2_CRAFTED, QUAKE1_CRAFTED } from '@bspkit/testkit/crafted/quake1';
import { QUAKE2_CRAFTED } from '@bspkit/testkit/crafted/quake2';
import { QUAKE3_CRAFTED } from '@bspkit/testkit/crafted/quake3';
import { UFOAI_CRAFTED } from '@bspkit/testkit/crafted/ufoai';
import * as ufoai from '@bspkit/ufoai';

const SIZE = Number(process.env.BSPKIT_CRAFTED_BYTES ?? 4_000_000);
/** What a file may cost. */
const MOST_SECONDS = 2;
const mostBytes = (file: number): number => 8 * file + 64 * 2 ** 20;

/** Does something and says what it was. */
type Phase = (name: string, work: () => unknown) => void;

/** Everything that a game offers on a file, one phase each. */
type Use = (bytes: Uint8Array, phase: Phase) => void;

/** Makes a file in which records share what they list, if they do, to some part of it. */
type Make = (share: number) => Uint8Array;

interface Structure {
  readonly name: string;
  readonly use: Use;
  readonly make: Make;
  readonly shares: boolean;
}

/** Moves through all of a map, one of them straight down an axis, and a position. */
const MOVES = [
  [
    [-4000, -3990, -3980],
    [4000, 3970, 3960],
  ],
  [
    [-4000, 1, 2],
    [4000, 1, 2],
  ],
  [
    [0, 0, 0],
    [0, 0, 0],
  ],
] as const;

interface Traces {
  trace(start: readonly number[], end: readonly number[]): unknown;
}

function traceAll(phase: Phase, name: string, tracer: Traces): void {
  for (const [k, [start, end]] of MOVES.entries()) phase(`${name} ${k}`, () => tracer.trace(start, end));
}

/** Does what may be too much for a map that can be traced all the same. */
function upToLimit(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof BspError && error.code === 'limit')) throw error;
  }
}

/** Draws a map, or finds that it cannot be drawn. */
function draw(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof BspError)) throw error;
  }
}

function useQuake3(bytes: Uint8Array, phase: Phase): void {
  let file!: quake3.Quake3File;
  let world!: quake3.Quake3World;
  phase('read', () => {
    file = quake3.readQuake3(bytes);
  });
  phase('create', () => {
    world = quake3.createQuake3World(file);
  });
  phase('polygons', () => quake3.polygons(world));
  phase('patches', () => quake3.patches(world));
  phase('mesh', () => draw(() => quake3.mesh(file)));
  phase('mesh by brush', () => draw(() => quake3.mesh(file, { by: 'brush' })));
  phase('fine mesh', () => draw(() => quake3.mesh(file, { patchLevel: 64 })));
  phase('brush polygons', () => draw(() => quake3.brushPolygons(file)));
  phase('lightmaps', () => draw(() => quake3.lightmaps(file)));
  const ray = world.ray({ mask: -1 });
  traceAll(phase, 'ray', ray);
  traceAll(phase, 'box', world.box([-15, -15, -24], [15, 15, 32], { mask: -1 }));
  traceAll(phase, 'sphere', world.sphere(8, { mask: -1 }));
  traceAll(phase, 'capsule', world.capsule({ radius: 15, height: 56 }, { mask: -1 }));
  traceAll(phase, 'exact', quake3.exactSphere(world, 8, { mask: -1 }));
  if (world.numModels > 0) {
    traceAll(phase, 'model', world.model(1).ray({ mask: -1 }));
    phase('model polygons', () => quake3.polygons(world.model(1)));
  }
  for (const [start, end] of MOVES) phase('explain', () => upToLimit(() => quake3.explain(ray, start, end)));
  phase('surfaceAt', () => quake3.surfaceAt(world, ray.trace(...MOVES[0])));
  phase('contents', () => world.contents([0, 0, 0]));
  phase('leafs', () => world.boxLeafs([-9999, -9999, -9999], [9999, 9999, 9999]));
  phase('visible', () => world.visible(world.numLeafs - 1, 0));
  phase('entities', () => world.entities());
}

function useQuake1(bytes: Uint8Array, phase: Phase): void {
  let file!: quake1.Quake1File;
  let world!: quake1.Quake1World;
  phase('read', () => {
    file = quake1.readQuake1(bytes);
  });
  phase('create', () => {
    world = quake1.createQuake1World(file);
  });
  phase('polygons', () => quake1.polygons(world));
  for (let hull = 0; hull < world.hulls.length; hull++) {
    phase(`hull ${hull} polygons`, () => upToLimit(() => quake1.hullPolygons(world, hull)));
    const tracer = world.hull(hull);
    traceAll(phase, `hull ${hull}`, tracer);
    for (const [start, end] of MOVES)
      phase(`explain ${hull}`, () => upToLimit(() => quake1.explain(tracer, start, end)));
  }
  const ray = world.preciseRay();
  traceAll(phase, 'precise', ray);
  for (const [start, end] of MOVES)
    phase('explain precise', () => upToLimit(() => quake1.explain(ray, start, end)));
  phase('surfaceAt', () => quake1.surfaceAt(world, world.hull(0).trace(...MOVES[0])));
  if (world.numModels > 0) {
    traceAll(phase, 'model', world.model(world.numModels).hull(0));
    phase('model polygons', () => quake1.polygons(world.model(world.numModels)));
  }
  phase('contents', () => world.contents([0, 0, 0]));
  phase('distance', () => quake1.distanceToSolid(world, [0, 0, 0]));
  phase('visible', () => world.visible(1, world.numLeafs - 1));
  phase('entities', () => world.entities());
  phase('brushes', () => quake1.brushList(file));
  phase('mesh', () => draw(() => quake1.mesh(file)));
  phase('mesh by brush', () => draw(() => quake1.mesh(file, { by: 'brush' })));
  phase('mesh by contents', () => draw(() => quake1.mesh(file, { by: 'contents' })));
  phase('brush polygons', () => draw(() => quake1.brushPolygons(file)));
  phase('lightmaps', () => draw(() => quake1.lightmaps(file)));
  phase('textures', () => draw(() => quake1.embeddedTextures(file)));
}

function useQuake2(bytes: Uint8Array, phase: Phase): void {
  let file!: quake2.Quake2File;
  let world!: quake2.Quake2World;
  phase('read', () => {
    file = quake2.readQuake2(bytes);
  });
  phase('create', () => {
    world = quake2.createQuake2World(file);
  });
  phase('polygons', () => quake2.polygons(world));
  const ray = world.ray({ mask: -1 });
  traceAll(phase, 'ray', ray);
  traceAll(phase, 'box', world.box([-16, -16, -24], [16, 16, 32], { mask: -1 }));
  if (world.numModels > 0) traceAll(phase, 'model', world.model(1).ray({ mask: -1 }));
  for (const [start, end] of MOVES) phase('explain', () => upToLimit(() => quake2.explain(ray, start, end)));
  phase('surfaceAt', () => quake2.surfaceAt(world, ray.trace(...MOVES[0])));
  phase('contents', () => world.contents([0, 0, 0]));
  phase('leafs', () => world.boxLeafs([-9999, -9999, -9999], [9999, 9999, 9999]));
  phase('visible', () => world.visible(world.numLeafs - 1, 0));
  phase('portal', () => world.setAreaPortal(0, true));
  phase('areas', () => world.areaBits(0));
  phase('mesh', () => draw(() => quake2.mesh(file)));
  phase('mesh by brush', () => draw(() => quake2.mesh(file, { by: 'brush' })));
  phase('brush polygons', () => draw(() => quake2.brushPolygons(file)));
  phase('lightmaps', () => draw(() => quake2.lightmaps(file)));
  phase('entities', () => world.entities());
}

function useUfoai(bytes: Uint8Array, phase: Phase): void {
  let file!: ufoai.UfoaiFile;
  let world!: ufoai.UfoaiWorld;
  phase('read', () => {
    file = ufoai.readUfoai(bytes);
  });
  phase('create', () => {
    world = ufoai.createUfoaiWorld([{ file }]);
  });
  phase('polygons', () => ufoai.polygons(world));
  const ray = world.ray({ mask: -1 });
  const line = world.line();
  traceAll(phase, 'ray', ray);
  traceAll(phase, 'box', world.box([-9, -9, -24], [9, 9, 20], { mask: -1 }));
  traceAll(phase, 'line', line);
  traceAll(phase, 'engine line', world.line({ compat: 'engine' }));
  for (const [start, end] of MOVES) {
    phase('explain ray', () => upToLimit(() => ufoai.explain(ray, start, end)));
    phase('explain line', () => upToLimit(() => ufoai.explain(line, start, end)));
  }
  phase('surfaceAt', () => ufoai.surfaceAt(world, ray.trace(...MOVES[0])));
  phase('surfaceAt line', () => ufoai.surfaceAt(world, line.trace(...MOVES[0])));
  phase('contents', () => world.contents([0, 0, 0]));
  phase('heads', () => ufoai.heads(world));
  phase('mesh', () => draw(() => ufoai.mesh(file)));
  phase('mesh by brush', () => draw(() => ufoai.mesh(file, { by: 'brush' })));
  phase('brush polygons', () => draw(() => ufoai.brushPolygons(file)));
  phase('lightmaps', () => draw(() => ufoai.lightmaps(file)));
  phase('models', () => world.models());
  phase('entities', () => world.entities());
}

/** What is drawn alone, so that a map that cannot be drawn counts as refused. */
function drawQuake1(bytes: Uint8Array, phase: Phase): void {
  let file!: quake1.Quake1File;
  phase('read', () => {
    file = quake1.readQuake1(bytes);
  });
  const hasList = file.extensions.length > 0;
  phase('mesh', () => quake1.mesh(file));
  if (hasList) phase('mesh by brush', () => quake1.mesh(file, { by: 'brush' }));
  if (hasList) phase('brush polygons', () => quake1.brushPolygons(file));
  phase('lightmaps', () => quake1.lightmaps(file));
  phase('textures', () => quake1.embeddedTextures(file));
}

/** The same. */
function drawUfoai(bytes: Uint8Array, phase: Phase): void {
  let file!: ufoai.UfoaiFile;
  phase('read', () => {
    file = ufoai.readUfoai(bytes);
  });
  phase('mesh', () => ufoai.mesh(file));
  phase('lightmaps', () => ufoai.lightmaps(file));
}

/** The same. */
function drawQuake2(bytes: Uint8Array, phase: Phase): void {
  let file!: quake2.Quake2File;
  phase('read', () => {
    file = quake2.readQuake2(bytes);
  });
  phase('mesh', () => quake2.mesh(file));
  phase('lightmaps', () => quake2.lightmaps(file));
}

/** A function that does its work at the first call only: maps take a while to compile. */
function once<T>(work: () => T): () => T {
  let done: T | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

const rangeName = ({ lump, of }: CraftedRange): string => `${lump} share ${of}`;

/** What all formats have: ranges that are shared, trees that are deep or have many ways down. */
function common(
  game: string,
  use: Use,
  format: CraftedFormat,
  base: () => Uint8Array,
  size: number = SIZE,
): Structure[] {
  return [
    ...format.ranges.map((range) => ({
      name: `${game}: ${rangeName(range)}`,
      use,
      make: (share: number) => shareRange(format, base(), range, size, share),
      shares: true,
    })),
    ...format.trees.flatMap((tree) => [
      ...[Number.POSITIVE_INFINITY, 3900, 2000, 1000].map((levels) => ({
        name: `${game}: ${tree.lump}, a chain of ${levels}`,
        use,
        make: () => chain(format, base(), tree, size, levels),
        shares: false,
      })),
      ...[19, 60].map((levels) => ({
        name: `${game}: ${tree.lump}, ${levels} levels that double`,
        use,
        make: () => doubling(format, base(), tree, levels),
        shares: false,
      })),
    ]),
    ...Object.keys(format.lumps).map((lump) => ({
      name: `${game}: nothing but ${lump}`,
      use,
      make: () => {
        const content = unpackLumps(format, base());
        if (lump === 'entities') content.entities = repeated(Uint8Array.from([123, 125]), size / 2);
        else if (lump === 'visibility')
          content.visibility = joined(content.visibility!, new Uint8Array(size));
        else if (content[lump]!.length > 0) grow(format, content, lump, size);
        return packLumps(format, base(), content);
      },
      shares: false,
    })),
  ];
}

/** A structure that changes a sound map's lumps. */
const crafted = (
  name: string,
  use: Use,
  format: CraftedFormat,
  base: () => Uint8Array,
  change: (content: Lumps, share: number) => void,
): Structure => ({
  name,
  use,
  shares: change.length > 1,
  make: (share) => {
    const content = unpackLumps(format, base());
    change(content, share);
    return packLumps(format, base(), content);
  },
});

function quake1Structures(): Structure[] {
  const base = once(arenaQuake1);
  const wide = once(() => compileMap(arenaMap(), { format: 'quake1', bsp2: true }).bytes);
  const [small, big] = [QUAKE1_CRAFTED, BSP2_CRAFTED];
  const combed = (lump: 'nodes' | 'clipNodes', most: number): Structure =>
    crafted(`quake1: ${lump}, a comb ${most} deep`, useQuake1, big, wide, (content) => {
      const numPlanes = 2000;
      content.planes = planeRecords(big, ballPlanes(numPlanes, 1000));
      const tree = big.trees.find((one) => one.lump === lump)!;
      comb(big, content, tree, Math.floor((SIZE - 80_000) / big.lumps[lump]!), most, numPlanes);
    });
  return [
    ...common('quake1 (29)', useQuake1, small, base),
    ...common('quake1 (BSP2)', useQuake1, big, wide),
    combed('clipNodes', 2000),
    combed('clipNodes', 200),
    combed('nodes', 2000),
    crafted('quake1: visibility rows overlap', useQuake1, big, wide, (content) => {
      content.visibility = repeated(Uint8Array.of(1), SIZE / 2);
      grow(big, content, 'leafs', SIZE);
      const size = big.lumps.leafs!;
      const count = content.leafs!.length / size;
      for (let k = 1; k < count; k++) {
        putField(content.leafs!, size * k, { at: 4, size: 4 }, k);
        putField(content.leafs!, size * k, { at: 0, size: 4 }, -1);
      }
      putField(content.models!, 0, { at: 52, size: 4 }, count - 1);
    }),
    crafted('quake1: many models, many faces', useQuake1, big, wide, (content) => {
      grow(big, content, 'faces', SIZE / 2);
      grow(big, content, 'models', SIZE);
      for (let at = 0; at < content.models!.length; at += 64) {
        putField(content.models!, at, { at: 60, size: 4 }, at === 0 ? content.faces!.length / 28 : 0);
      }
    }),
    crafted('quake1: textures share a header', useQuake1, big, wide, (content) => {
      const count = Math.floor(SIZE / 4);
      const header = new Uint8Array(40).fill(65);
      content.textures = joined(words([count]), words(new Int32Array(count).fill(4 + 4 * count)), header);
    }),
    crafted('quake1: faces share light', drawQuake1, big, wide, (content, share) => {
      content.lighting = new Uint8Array(SIZE / 2).fill(99);
      const count = Math.floor(share * (SIZE / 4 / 28));
      putField(content.faces!, 0, { at: 20, size: 4 }, 0xffffff00 | 0);
      putField(content.faces!, 0, { at: 24, size: 4 }, 0);
      content.faces = repeated(content.faces!.slice(0, 28), count);
      grow(big, content, 'surfEdges', SIZE / 4);
      for (let at = 0; at < content.models!.length; at += 64) {
        putField(content.models!, at, { at: 56, size: 4 }, 0);
        putField(content.models!, at, { at: 60, size: 4 }, at === 0 ? count : 0);
      }
      for (let at = 0; at < content.nodes!.length; at += big.lumps.nodes!) {
        putField(content.nodes!, at, { at: 40, size: 4 }, 0);
      }
      content.markSurfaces!.fill(0);
    }),
    crafted('quake1: textures share pixels', drawQuake1, big, wide, (content, share) => {
      const count = Math.max(1, Math.floor((share * SIZE) / 44));
      const headers = new Uint8Array(40 * count);
      const begin = 4 + 4 * count;
      const places = Int32Array.from({ length: count }, (_, k) => begin + 40 * k);
      const end = begin + headers.length;
      for (let k = 0; k < count; k++) {
        const at = 40 * k;
        for (const [field, value] of [64, 64, end - places[k]!].entries()) {
          putField(headers, at, { at: 16 + 4 * field, size: 4 }, value);
        }
      }
      const pixels = new Uint8Array(Math.max(4096, SIZE - end));
      content.textures = joined(words([count]), words(places), headers, pixels);
    }),
    {
      name: 'quake1: a list of boxes',
      use: drawQuake1,
      shares: false,
      make: () => {
        const count = Math.floor((SIZE - wide().length) / 28);
        const boxes = new Uint8Array(16 + 28 * count);
        for (const [k, value] of [1, 0, count, 0].entries())
          putField(boxes, 0, { at: 4 * k, size: 4 }, value);
        const view = new DataView(boxes.buffer);
        for (let k = 0; k < count; k++) {
          for (let i = 0; i < 3; i++) view.setFloat32(16 + 28 * k + 12 + 4 * i, 8, true);
          view.setInt16(16 + 28 * k + 24, -2, true);
        }
        const head = joined(wide(), new Uint8Array(-wide().length & 3));
        const entry = new Uint8Array(40);
        entry.set(new TextEncoder().encode('BSPX'));
        entry.set(new TextEncoder().encode('BRUSHLIST'), 8);
        for (const [k, value] of [head.length + 40, boxes.length].entries()) {
          putField(entry, 32, { at: 4 * k, size: 4 }, value);
        }
        putField(entry, 0, { at: 4, size: 4 }, 1);
        return joined(head, entry, boxes);
      },
    },
    crafted('quake1: a face of all edges', useQuake1, big, wide, (content) => {
      grow(big, content, 'surfEdges', SIZE);
      putField(content.faces!, 0, { at: 8, size: 4 }, 0);
      putField(content.faces!, 0, { at: 12, size: 4 }, content.surfEdges!.length / 4);
    }),
  ];
}

/** Makes one brush out of many planes around a ball, then multiplies it: `sides` lumps of two fields. */
function ballBrush(
  format: CraftedFormat,
  content: Lumps,
  sides: number,
  side: (plane: number) => number[],
): void {
  content.planes = joined(content.planes!, planeRecords(format, ballPlanes(sides, 500)));
  const first = content.planes.length / format.lumps.planes! - sides;
  const values = Array.from({ length: sides }, (_, k) => side(first + k)).flat();
  const before = content.sides!.length / format.lumps.sides!;
  content.sides = joined(content.sides!, words(values, format.lumps.sides! === 8 ? 4 : 2));
  // All of the map's brushes become the ball.
  for (let at = 0; at < content.brushes!.length; at += 12) {
    putField(content.brushes!, at, { at: 0, size: 4 }, before);
    putField(content.brushes!, at, { at: 4, size: 4 }, sides);
  }
}

function quake2Structures(): Structure[] {
  const base = once(arenaQuake2);
  const format = QUAKE2_CRAFTED;
  const make = (name: string, change: (content: Lumps, share: number) => void): Structure =>
    crafted(`quake2: ${name}`, useQuake2, format, base, change);
  return [
    ...common('quake2', useQuake2, format, base),
    ...[65, 256, 2000, 20_000].map((sides) =>
      make(`brushes of ${sides} shared sides`, (content) =>
        ballBrush(format, content, sides, (plane) => [plane, 0]),
      ),
    ),
    make('one leaf below all nodes lists everything', (content, share) => {
      grow(format, content, 'leafBrushes', base().length + 140_000);
      grow(format, content, 'nodes', SIZE);
      const count = content.nodes!.length / 28;
      for (let k = 0; k < count; k++) {
        for (const side of [1, 2]) {
          const child = 2 * k + side;
          putField(content.nodes!, 28 * k, { at: 4 * side, size: 4 }, child < count ? child : -3);
        }
      }
      for (let at = 0; at < content.models!.length; at += 48) {
        putField(content.models!, at, { at: 36, size: 4 }, at === 0 ? 0 : -1);
      }
      putField(content.leafs!, 56, { at: 24, size: 2 }, 0);
      putField(content.leafs!, 56, { at: 26, size: 2 }, Math.floor(share * 65_535));
    }),
    make('all areas have all portals open', (content) => {
      const areas = Math.floor(SIZE / 32);
      content.areas = words(Array.from({ length: areas }, (_, k) => [1, k]).flat());
      content.areaPortals = words(Array.from({ length: areas }, (_, k) => [0, (k + 1) % areas]).flat());
    }),
    ...[false, true].map((isLit) =>
      crafted(
        `quake2: faces share ${isLit ? 'light' : 'edges'}`,
        drawQuake2,
        format,
        base,
        (content, share) => {
          const count = Math.floor((share * SIZE) / (isLit ? 80 : 25));
          putField(content.faces!, 0, { at: 16, size: 4 }, isLit ? 1 : -1);
          content.faces = repeated(content.faces!.slice(0, 20), count);
          grow(format, content, 'surfEdges', SIZE / 5);
          if (isLit) content.lighting = joined(Uint8Array.of(4), new Uint8Array(SIZE / 2).fill(99));
          for (let at = 0; at < content.models!.length; at += 48) {
            putField(content.models!, at, { at: 40, size: 4 }, 0);
            putField(content.models!, at, { at: 44, size: 4 }, at === 0 ? count : 0);
          }
        },
      ),
    ),
  ];
}

function quake3Structures(): Structure[] {
  const base = once(arenaQuake3);
  const format = QUAKE3_CRAFTED;
  const make = (name: string, change: (content: Lumps, share: number) => void): Structure =>
    crafted(`quake3: ${name}`, useQuake3, format, base, change);
  /** Surfaces that are patches of some size; `bend` is how far their points are off a plane. */
  const patches = (content: Lumps, side: number, bend: number, shared: boolean): void => {
    const points = side * side;
    const count = shared ? 400 : Math.floor((SIZE - base().length) / (44 * points + 104));
    const vertex = content.vertexes!.slice(0, 44);
    const vertexes = repeated(vertex, points * (shared ? 1 : count));
    const view = new DataView(vertexes.buffer);
    for (let k = 0; k < vertexes.length / 44; k++) {
      const [x, y] = [k % side, Math.floor(k / side) % side];
      view.setFloat32(44 * k, 1000 * (x / (side - 1)), true);
      view.setFloat32(44 * k + 4, 1000 * (y / (side - 1)), true);
      view.setFloat32(44 * k + 8, bend * (((x * 7 + y * 13) % 5) + (x % 2) + (y % 2)), true);
    }
    const first = content.vertexes!.length / 44;
    content.vertexes = joined(content.vertexes!, vertexes);
    const surfaces = repeated(content.surfaces!.slice(0, 104), count);
    for (let k = 0; k < count; k++) {
      const fields = {
        8: 2,
        12: first + (shared ? 0 : points * k),
        16: points,
        20: 0,
        24: 0,
        96: side,
        100: side,
      };
      for (const [at, value] of Object.entries(fields)) {
        putField(surfaces, 104 * k, { at: Number(at), size: 4 }, value);
      }
    }
    const before = content.surfaces!.length / 104;
    content.surfaces = joined(content.surfaces!, surfaces);
    const listed = content.leafSurfaces!.length / 4;
    content.leafSurfaces = joined(
      content.leafSurfaces!,
      words(Array.from({ length: count }, (_, k) => before + k)),
    );
    for (let at = 0; at < content.leafs!.length; at += 48) {
      putField(content.leafs!, at, { at: 32, size: 4 }, listed);
      putField(content.leafs!, at, { at: 36, size: 4 }, at === 0 ? count : 0);
    }
  };
  const bends = [0, 2, 20, 100, 400, 2000];
  return [
    ...common('quake3', useQuake3, format, base),
    ...[3, 5, 9, 17, 31].flatMap((side) =>
      bends.map((bend) =>
        make(`patches of ${side} x ${side} points, bent by ${bend}`, (content) =>
          patches(content, side, bend, false),
        ),
      ),
    ),
    make('400 patches share their points', (content) => patches(content, 31, 2, true)),
    ...[65, 256, 2000, 20_000].map((sides) =>
      make(`brushes of ${sides} shared sides`, (content) =>
        ballBrush(format, content, sides, (plane) => [plane, 0]),
      ),
    ),
    ...[12, 24, 65, 128, 256].map((sides) =>
      make(`brushes of ${sides} sides, as many as are accepted`, (content) => {
        content.planes = planeRecords(format, ballPlanes(content.planes!.length / 16 + sides, 500));
        const room = Math.floor((SIZE - base().length) / (8 * sides + 12 + 4));
        const count = Math.min(room, Math.floor(6_000_000 / sides ** 2));
        const side = Array.from({ length: sides }, (_, k) => [k, 0]).flat();
        content.sides = repeated(words(side), count);
        content.brushes = words(Array.from({ length: count }, (_, k) => [sides * k, sides, 0]).flat());
        content.leafBrushes = words(Array.from({ length: count }, (_, k) => k));
        // One node, with the same leaf on both sides.
        content.nodes = content.nodes!.slice(0, 36);
        for (const at of [4, 8]) putField(content.nodes, 0, { at, size: 4 }, -1);
        for (let at = 0; at < content.leafs!.length; at += 48) {
          putField(content.leafs!, at, { at: 40, size: 4 }, 0);
          putField(content.leafs!, at, { at: 44, size: 4 }, at === 0 ? count : 0);
        }
        for (let at = 0; at < content.models!.length; at += 40) {
          putField(content.models!, at, { at: 36, size: 4 }, 0);
        }
      }),
    ),
    make('one leaf below all nodes lists everything', (content, share) => {
      grow(format, content, 'leafBrushes', SIZE / 2);
      grow(format, content, 'nodes', SIZE);
      const nodes = content.nodes!;
      const count = nodes.length / 36;
      for (let k = 0; k < count; k++) {
        // A balanced tree, every way down which ends in leaf 0.
        for (const side of [1, 2]) {
          const child = 2 * k + side;
          putField(nodes, 36 * k, { at: 4 * side, size: 4 }, child < count ? child : -1);
        }
      }
      putField(content.leafs!, 0, { at: 40, size: 4 }, 0);
      putField(content.leafs!, 0, { at: 44, size: 4 }, Math.floor((share * content.leafBrushes!.length) / 4));
    }),
    make('a mesh of as many triangles as its vertexes may have', (content) => {
      const vertexes = Math.floor((SIZE - base().length) / (44 + 4 * 6));
      content.vertexes = repeated(content.vertexes!.slice(0, 44), vertexes);
      for (let k = 0; k < vertexes; k++) {
        const view = new DataView(content.vertexes.buffer);
        view.setFloat32(44 * k, k % 100, true);
        view.setFloat32(44 * k + 4, (k * 7) % 90, true);
      }
      content.indexes = words(Array.from({ length: 6 * vertexes }, (_, k) => (k * 5) % vertexes));
      content.surfaces = content.surfaces!.slice(0, 104);
      const fields = { 8: 3, 12: 0, 16: vertexes, 20: 0, 24: 6 * vertexes };
      for (const [at, value] of Object.entries(fields)) {
        putField(content.surfaces, 0, { at: Number(at), size: 4 }, value);
      }
      content.leafSurfaces = new Uint8Array(4);
      for (let at = 0; at < content.leafs!.length; at += 48) {
        putField(content.leafs!, at, { at: 32, size: 4 }, 0);
        putField(content.leafs!, at, { at: 36, size: 4 }, 0);
      }
      for (let at = 0; at < content.models!.length; at += 40) {
        putField(content.models!, at, { at: 24, size: 4 }, 0);
        putField(content.models!, at, { at: 28, size: 4 }, at === 0 ? 1 : 0);
      }
    }),
  ];
}

function ufoaiStructures(): Structure[] {
  const base = once(houseUfoai);
  const format = UFOAI_CRAFTED;
  const make = (name: string, change: (content: Lumps, share: number) => void): Structure =>
    crafted(`ufoai: ${name}`, useUfoai, format, base, change);
  /** A balanced tree of the given nodes under model 0, and no other model. */
  const balance = (content: Lumps, end: number): void => {
    const nodes = content.nodes!;
    const count = nodes.length / 28;
    for (let k = 0; k < count; k++) {
      for (const side of [1, 2]) {
        const child = 2 * k + side;
        putField(nodes, 28 * k, { at: 4 * side, size: 4 }, child < count ? child : end);
      }
      putField(nodes, 28 * k, { at: 0, size: 4 }, k % 100);
    }
    for (let at = 0; at < content.models!.length; at += 48) {
      putField(content.models!, at, { at: 36, size: 4 }, at === 0 ? 0 : -1);
    }
  };
  return [
    ...common('ufoai', useUfoai, format, base),
    ...[65, 256, 2000, 20_000].map((sides) =>
      make(`brushes of ${sides} shared sides`, (content) =>
        ballBrush(format, content, sides, (plane) => [plane, 0]),
      ),
    ),
    ...[12, 24, 65, 128, 256].map((sides) =>
      make(`brushes of ${sides} sides, as many as are accepted`, (content) => {
        const { length } = content.planes!;
        content.planes = joined(content.planes!, planeRecords(format, ballPlanes(sides, 500)));
        const room = Math.floor((SIZE - base().length) / (4 * sides + 12 + 2));
        const count = Math.min(room, Math.floor(2 ** 20 / sides ** 2));
        const side = Array.from({ length: sides }, (_, k) => [length / 20 + k, 0]).flat();
        content.sides = repeated(words(side, 2), count);
        content.brushes = words(Array.from({ length: count }, (_, k) => [sides * k, sides, 1]).flat());
        content.leafBrushes = words(
          Array.from({ length: count }, (_, k) => k),
          2,
        );
        balance(content, -1);
        for (let at = 0; at < content.leafs!.length; at += 24) {
          putField(content.leafs!, at, { at: 18, size: 2 }, 0);
          putField(content.leafs!, at, { at: 20, size: 2 }, at === 48 ? Math.min(65_535, count) : 0);
        }
        putField(content.nodes!, 0, { at: 4, size: 4 }, -3);
      }),
    ),
    make('one leaf below all nodes lists everything', (content, share) => {
      grow(format, content, 'leafBrushes', base().length + 140_000);
      grow(format, content, 'nodes', SIZE);
      balance(content, -3);
      putField(content.leafs!, 48, { at: 18, size: 2 }, 0);
      putField(content.leafs!, 48, { at: 20, size: 2 }, Math.floor(share * 65_535));
    }),
    ...[false, true].map((isLit) =>
      crafted(
        `ufoai: faces share ${isLit ? 'light' : 'edges'}`,
        drawUfoai,
        format,
        base,
        (content, share) => {
          const count = Math.floor((share * SIZE) / (isLit ? 80 : 25));
          for (const at of [12, 16]) putField(content.faces!, 0, { at, size: 4 }, isLit ? 1 : -1);
          content.faces = repeated(content.faces!.slice(0, 20), count);
          grow(format, content, 'surfEdges', SIZE / 5);
          if (isLit) content.lightingDay = joined(Uint8Array.of(4), new Uint8Array(SIZE / 2).fill(99));
          for (let at = 0; at < content.models!.length; at += 48) {
            putField(content.models!, at, { at: 40, size: 4 }, 0);
            putField(content.models!, at, { at: 44, size: 4 }, at === 0 ? count : 0);
          }
        },
      ),
    ),
    make('many phantoms, a great tree', (content, share) => {
      grow(format, content, 'nodes', SIZE / 2);
      balance(content, -1);
      // Union nodes that do not split, so that lines walk both sides.
      const nodes = content.nodes!;
      const count = nodes.length / 28;
      for (let k = 0; 4 * k + 10 < count; k++) putField(nodes, 28 * k, { at: 0, size: 4 }, -1);
      for (let k = 0; k < count; k++) {
        for (let at = 12; at < 24; at += 2)
          putField(nodes, 28 * k, { at, size: 2 }, at < 18 ? -4000 & 0xffff : 4000);
      }
      const models = content.models!.slice(0, 48 * 259);
      const most = Math.floor(Math.max(0, share * (SIZE / 2)) / 48);
      const extra = repeated(content.models!.slice(0, 48), most);
      for (let at = 0; at < extra.length; at += 48) putField(extra, at, { at: 36, size: 4 }, 0);
      content.models = joined(models, extra);
    }),
  ];
}

const structures = (): Structure[] => [
  ...quake1Structures(),
  ...quake2Structures(),
  ...quake3Structures(),
  ...ufoaiStructures(),
];

interface Cost {
  readonly file: number;
  /** Of the slowest phase, in seconds of processor time. */
  readonly seconds: number;
  readonly phase: string;
  /** What the file, and using it, added to the process at its worst. */
  readonly bytes: number;
  /** Why it was refused, or what else was thrown. */
  readonly refusal?: string;
  readonly failure?: string;
}

/** Uses a file, one phase after the other. */
function measure({ use, make }: Structure, share: number): Cost {
  const bytes = make(share);
  const before = process.resourceUsage().maxRSS;
  let [slowest, seconds, now] = ['', 0, ''];
  const phase: Phase = (name, work) => {
    now = name;
    const begin = process.cpuUsage();
    try {
      work();
    } finally {
      const { user, system } = process.cpuUsage(begin);
      const took = (user + system) / 1e6;
      if (took > seconds) [slowest, seconds] = [name, took];
    }
  };
  let ending: Pick<Cost, 'refusal' | 'failure'> = {};
  try {
    use(bytes, phase);
  } catch (error) {
    if (error instanceof BspError) ending = { refusal: error.message };
    else ending = { failure: `${now}: ${String(error).slice(0, 200)}` };
  }
  const used = 1024 * (process.resourceUsage().maxRSS - before);
  return { file: bytes.length, seconds, phase: slowest, bytes: used, ...ending };
}

/** What a process of its own finds out, or why it did not. */
function apart<T>(script: string, args: readonly string[]): T | string {
  // With no more room than is allowed, so that what is measured is not garbage that nobody had to collect.
  const room = `--max-old-space-size=${Math.ceil(mostBytes(SIZE) / 2 ** 20)}`;
  const { stdout, stderr } = spawnSync(process.execPath, [room, '--max-semi-space-size=2', script, ...args], {
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 2 ** 26,
  });
  if (stdout) return JSON.parse(stdout) as T;
  return stderr.trim().split('\n').slice(0, 6).join(' ') || 'no end within 120 s';
}

/** The greatest share that is not refused, or the least that was tried; and the cost of all before it. */
function findShare(structure: Structure): { share: number; seconds: number } {
  let seconds = 0;
  for (let share = 1; ; share /= 4) {
    const cost = measure(structure, share);
    if (cost.refusal === undefined || share < 1e-6) return { share, seconds };
    seconds = Math.max(seconds, cost.seconds);
  }
}

const [, script, flag, wanted, wantedShare] = process.argv;
const named = (): Structure => structures().find(({ name }) => name === wanted)!;
if (flag === '--find') console.log(JSON.stringify(findShare(named())));
else if (flag === '--one') console.log(JSON.stringify(measure(named(), Number(wantedShare))));
else {
  const chosen = process.argv.slice(2);
  let beyond = 0;
  for (const { name, shares } of structures()) {
    if (chosen.length > 0 && !chosen.some((part) => name.includes(part))) continue;
    // The greatest share that is taken costs the most; what is refused may cost no more than that.
    const found = shares ? apart<ReturnType<typeof findShare>>(script!, ['--find', name]) : undefined;
    const { share = 1, seconds: refusing = 0 } = typeof found === 'string' ? {} : (found ?? {});
    const cost = apart<Cost>(script!, ['--one', name, String(share)]);
    if (typeof found === 'string' || typeof cost === 'string') {
      beyond++;
      console.log(`✗ ${name} | FAILS ${typeof found === 'string' ? found : cost}`);
      continue;
    }
    const { file, seconds, phase, bytes, refusal, failure } = cost;
    const fine = Math.max(seconds, refusing) <= MOST_SECONDS && bytes <= mostBytes(file) && !failure;
    if (!fine) beyond++;
    const mega = (count: number): string => `${(count / 1e6).toFixed(1)} MB`;
    const columns = [
      `${fine ? '✓' : '✗'} ${name}${share < 1 ? ` (1/${1 / share})` : ''}`,
      mega(file),
      `${seconds.toFixed(2)} s ${phase}`,
      ...(refusing > 0 ? [`refusing more ${refusing.toFixed(2)} s`] : []),
      mega(bytes),
      failure !== undefined ? `FAILS ${failure}` : (refusal ?? 'loads'),
    ];
    console.log(columns.join(' | '));
  }
  console.log(beyond === 0 ? 'all within bounds' : `${beyond} beyond bounds`);
  process.exitCode = beyond === 0 ? 0 : 1;
}
