import { houseUfoai } from '@bspkit/fixtures';
import {
  ballPlanes,
  grow,
  joined,
  type Lumps,
  planeRecords,
  putField,
  repeated,
  words,
} from '@bspkit/testkit/crafted';
import { UFOAI_CRAFTED } from '@bspkit/testkit/crafted/ufoai';
import * as ufoai from '@bspkit/ufoai';
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
