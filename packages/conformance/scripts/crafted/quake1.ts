import { compileMap } from '@bspkit/compile';
import { arenaMap, arenaQuake1 } from '@bspkit/fixtures';
import * as quake1 from '@bspkit/quake1';
import {
  ballPlanes,
  comb,
  grow,
  joined,
  planeRecords,
  putField,
  repeated,
  words,
} from '@bspkit/testkit/crafted';
import { BSP2_CRAFTED, QUAKE1_CRAFTED } from '@bspkit/testkit/crafted/quake1';
import {
  common,
  crafted,
  draw,
  MOVES,
  once,
  type Phase,
  SIZE,
  type Structure,
  traceAll,
  upToLimit,
} from './structures.ts';

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

/** Only draws a map, so that one that cannot be drawn counts as refused. */
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

export function quake1Structures(): Structure[] {
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
    crafted('quake1: visibility rows run through zeros', useQuake1, big, wide, (content) => {
      content.visibility = joined(new Uint8Array(SIZE), new Uint8Array(2000).fill(255));
      const size = big.lumps.leafs!;
      const count = content.leafs!.length / size;
      for (let k = 1; k < count; k++) putField(content.leafs!, size * k, { at: 4, size: 4 }, 0);
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
