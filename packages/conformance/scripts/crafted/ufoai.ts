import { houseUfoai } from '@bspkit/fixtures';
import {
  balance,
  ballPlanes,
  grow,
  int,
  joined,
  type Lumps,
  listBrushes,
  planeRecords,
  putField,
  repeated,
  words,
} from '@bspkit/testkit/crafted';
import { UFOAI_CRAFTED } from '@bspkit/testkit/crafted/ufoai';
import * as ufoai from '@bspkit/ufoai';
import {
  balls,
  common,
  crafted,
  draw,
  type Maker,
  MOVES,
  once,
  type Phase,
  SIZE,
  type Structure,
  sharedFaces,
  traceAll,
  upToLimit,
} from './structures.ts';

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

/** Only draws a map, so that one that cannot be drawn counts as refused. */
function drawUfoai(bytes: Uint8Array, phase: Phase): void {
  let file!: ufoai.UfoaiFile;
  phase('read', () => {
    file = ufoai.readUfoai(bytes);
  });
  phase('mesh', () => ufoai.mesh(file));
  phase('lightmaps', () => ufoai.lightmaps(file));
}

export function ufoaiStructures(): Structure[] {
  const base = once(houseUfoai);
  const format = UFOAI_CRAFTED;
  const make: Maker = (name, change) => crafted(`ufoai: ${name}`, useUfoai, format, base, change);
  /** A balanced tree of the given nodes under model 0, with planes of all kinds, and no other model. */
  const grown = (content: Lumps, end: number): void => {
    balance(format, content, end);
    for (let at = 0; at < content.nodes!.length; at += 28)
      putField(content.nodes!, at, int(0), (at / 28) % 100);
  };
  return [
    ...common('ufoai', useUfoai, format, base),
    ...balls(format, make),
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
        grown(content, -1);
        listBrushes(format, content, 2, Math.min(65_535, count), true);
        putField(content.nodes!, 0, { at: 4, size: 4 }, -3);
      }),
    ),
    make('one leaf below all nodes lists everything', (content, share) => {
      grow(format, content, 'leafBrushes', base().length + 140_000);
      grow(format, content, 'nodes', SIZE);
      grown(content, -3);
      listBrushes(format, content, 2, Math.floor(share * 65_535));
    }),
    ...sharedFaces('ufoai', drawUfoai, format, base, 'lightingDay', [12, 16]),
    make('many phantoms, a great tree', (content, share) => {
      grow(format, content, 'nodes', SIZE / 2);
      grown(content, -1);
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
