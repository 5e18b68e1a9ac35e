import { arenaQuake2 } from '@bspkit/fixtures';
import * as quake2 from '@bspkit/quake2';
import {
  balance,
  ballBrush,
  grow,
  joined,
  listBrushes,
  plant,
  putField,
  repeated,
  words,
} from '@bspkit/testkit/crafted';
import { QUAKE2_CRAFTED } from '@bspkit/testkit/crafted/quake2';
import {
  balls,
  common,
  crafted,
  draw,
  type Maker,
  MOVES,
  once,
  ownFaces,
  type Phase,
  SIZE,
  type Structure,
  sharedFaces,
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
  const make: Maker = (name, change) => crafted(`quake2: ${name}`, useQuake2, format, base, change);
  return [
    ...common('quake2', useQuake2, format, base),
    ...balls(format, make),
    make('one leaf below all nodes lists everything', (content, share) => {
      grow(format, content, 'leafBrushes', base().length + 140_000);
      grow(format, content, 'nodes', SIZE);
      balance(format, content, -3);
      listBrushes(format, content, 2, Math.floor(share * 65_535));
    }),
    make('all models have the same tree', (content) => {
      grow(format, content, 'nodes', SIZE / 2);
      balance(format, content, -3);
      listBrushes(format, content, 2, 0);
      // Models without faces.
      const model = content.models!.slice(0, 48);
      putField(model, 0, { at: 44, size: 4 }, 0);
      content.models = joined(content.models!, repeated(model, Math.floor(SIZE / 2 / 48)));
      plant(format, content, format.trees[0]!);
    }),
    make('one leaf lists a brush of 2000 sides again and again', (content) => {
      ballBrush(format, content, 2000, true);
      content.brushes = content.brushes!.slice(0, 12);
      content.leafBrushes = new Uint8Array(2 * 65_535);
      listBrushes(format, content, 2, 65_535, true);
      content.nodes = content.nodes!.slice(0, 28);
      for (const at of [4, 8]) putField(content.nodes, 0, { at, size: 4 }, at === 4 ? -3 : -2);
      plant(format, content, format.trees[0]!, -1);
    }),
    make('all areas have all portals open', (content) => {
      const areas = Math.floor(SIZE / 32);
      content.areas = words(Array.from({ length: areas }, (_, k) => [1, k]).flat());
      content.areaPortals = words(Array.from({ length: areas }, (_, k) => [0, (k + 1) % areas]).flat());
    }),
    ...sharedFaces('quake2', drawQuake2, format, base, 'lighting', [16]),
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
        ownFaces(content, count);
      },
    ),
  ];
}
