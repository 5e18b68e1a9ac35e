import { arenaQuake2 } from '@bspkit/fixtures';
import * as quake2 from '@bspkit/quake2';
import { grow, joined, type Lumps, putField, repeated, words } from '@bspkit/testkit/crafted';
import { QUAKE2_CRAFTED } from '@bspkit/testkit/crafted/quake2';
import {
  ballBrush,
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

/** Only draws a map, so that one that cannot be drawn counts as refused. */
function drawQuake2(bytes: Uint8Array, phase: Phase): void {
  let file!: quake2.Quake2File;
  phase('read', () => {
    file = quake2.readQuake2(bytes);
  });
  phase('mesh', () => quake2.mesh(file));
  phase('lightmaps', () => quake2.lightmaps(file));
}

export function quake2Structures(): Structure[] {
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
    make('all models have the same tree', (content) => {
      grow(format, content, 'nodes', SIZE / 2);
      const count = content.nodes!.length / 28;
      for (let k = 0; k < count; k++) {
        for (const side of [1, 2]) {
          const child = 2 * k + side;
          putField(content.nodes!, 28 * k, { at: 4 * side, size: 4 }, child < count ? child : -3);
        }
      }
      putField(content.leafs!, 56, { at: 26, size: 2 }, 0);
      // Models without faces.
      const model = content.models!.slice(0, 48);
      putField(model, 0, { at: 44, size: 4 }, 0);
      content.models = joined(content.models!, repeated(model, Math.floor(SIZE / 2 / 48)));
      for (let at = 0; at < content.models.length; at += 48) {
        putField(content.models, at, { at: 36, size: 4 }, 0);
      }
    }),
    make('one leaf lists a brush of 2000 sides again and again', (content) => {
      ballBrush(format, content, 2000, (plane) => [plane, 0]);
      content.brushes = content.brushes!.slice(0, 12);
      content.leafBrushes = new Uint8Array(2 * 65_535);
      for (let at = 0; at < content.leafs!.length; at += 28) {
        putField(content.leafs!, at, { at: 24, size: 2 }, 0);
        putField(content.leafs!, at, { at: 26, size: 2 }, at === 56 ? 65_535 : 0);
      }
      content.nodes = content.nodes!.slice(0, 28);
      for (const at of [4, 8]) putField(content.nodes, 0, { at, size: 4 }, at === 4 ? -3 : -2);
      for (let at = 0; at < content.models!.length; at += 48) {
        putField(content.models!, at, { at: 36, size: 4 }, at === 0 ? 0 : -1);
      }
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
    crafted(
      'quake2: faces of 128 corners on a line share edges',
      drawQuake2,
      format,
      base,
      (content, share) => {
        const corners = 128;
        const before = { vertex: content.vertexes!.length / 12, edge: content.edges!.length / 4 };
        const places = Array.from({ length: corners }, (_, k) => [Math.min(k, corners - k), 0, 0]).flat();
        content.vertexes = joined(content.vertexes!, new Uint8Array(Float32Array.from(places).buffer));
        const ends = Array.from({ length: corners }, (_, k) => [k, (k + 1) % corners]).flat();
        content.edges = joined(
          content.edges!,
          words(
            ends.map((k) => before.vertex + k),
            2,
          ),
        );
        const around = words(Array.from({ length: corners }, (_, k) => before.edge + k));
        const first = content.surfEdges!.length / 4;
        const runs = Math.floor((0.75 * SIZE) / around.length);
        content.surfEdges = joined(content.surfEdges!, repeated(around, runs));
        const count = Math.floor(4 * share * runs);
        content.faces = repeated(content.faces!.slice(0, 20), count);
        for (let k = 0; k < count; k++) {
          putField(content.faces, 20 * k, { at: 4, size: 4 }, first + corners * (k % runs));
          putField(content.faces, 20 * k, { at: 8, size: 2 }, corners);
          putField(content.faces, 20 * k, { at: 16, size: 4 }, -1);
        }
        for (let at = 0; at < content.models!.length; at += 48) {
          putField(content.models!, at, { at: 40, size: 4 }, 0);
          putField(content.models!, at, { at: 44, size: 4 }, at === 0 ? count : 0);
        }
      },
    ),
  ];
}
