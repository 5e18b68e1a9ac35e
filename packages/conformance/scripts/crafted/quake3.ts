import { arenaQuake3 } from '@bspkit/fixtures';
import * as quake3 from '@bspkit/quake3';
import {
  balance,
  ballPlanes,
  grow,
  joined,
  type Lumps,
  listBrushes,
  planeRecords,
  putField,
  repeated,
  words,
} from '@bspkit/testkit/crafted';
import { QUAKE3_CRAFTED } from '@bspkit/testkit/crafted/quake3';
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
  traceAll,
  upToLimit,
} from './structures.ts';

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

export function quake3Structures(): Structure[] {
  const base = once(arenaQuake3);
  const format = QUAKE3_CRAFTED;
  const make: Maker = (name, change) => crafted(`quake3: ${name}`, useQuake3, format, base, change);
  /** Surfaces that are patches of a given size; `bend` is how far their points are off a plane. */
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
    ...balls(format, make),
    ...[12, 24, 65, 128, 256].map((sides) =>
      make(`brushes of ${sides} sides, as many as are accepted`, (content) => {
        content.planes = planeRecords(format, ballPlanes(content.planes!.length / 16 + sides, 500));
        const room = Math.floor((SIZE - base().length) / (8 * sides + 12 + 4));
        // Small brushes have so many for each of their sides.
        const count = sides <= 24 ? room : Math.min(room, Math.floor(6_000_000 / sides ** 2));
        const side = Array.from({ length: sides }, (_, k) => [k, 0]).flat();
        content.sides = repeated(words(side), count);
        content.brushes = words(Array.from({ length: count }, (_, k) => [sides * k, sides, 0]).flat());
        content.leafBrushes = words(Array.from({ length: count }, (_, k) => k));
        // One node, with the same leaf on both sides.
        content.nodes = content.nodes!.slice(0, 36);
        for (const at of [4, 8]) putField(content.nodes, 0, { at, size: 4 }, -1);
        listBrushes(format, content, 0, count, true);
        for (let at = 0; at < content.models!.length; at += 40) {
          putField(content.models!, at, { at: 36, size: 4 }, 0);
        }
      }),
    ),
    make('one leaf below all nodes lists everything', (content, share) => {
      grow(format, content, 'leafBrushes', SIZE / 2);
      grow(format, content, 'nodes', SIZE);
      // Every path down ends in leaf 0.
      balance(format, content, -1);
      listBrushes(format, content, 0, Math.floor((share * content.leafBrushes!.length) / 4));
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
