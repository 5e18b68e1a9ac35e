import { BinaryReader } from '@bspkit/core/format';
import {
  check,
  checkPassed,
  checkPlanes,
  distance,
  lumpsOf,
  type ReadPlane,
  readPlanes,
  records,
  vec,
  walkTree,
} from './lumps.ts';

export interface Quake1Read {
  readonly version: 29 | 30 | 'BSP2';
  readonly planes: readonly ReadPlane[];
  readonly leafs: readonly { contents: number; marks: number[] }[];
  readonly faces: readonly { plane: number; side: number; corners: number[][]; texInfo: number }[];
  readonly texInfos: readonly { texture: number; flags: number; axes: number[] }[];
  readonly textures: readonly { name: string; width: number; height: number }[];
  readonly models: readonly {
    mins: number[];
    maxs: number[];
    heads: number[];
    visLeafs: number;
    faces: number;
  }[];
  readonly entities: string;
  /** Contents of a leaf (hull 0) or clip hull of a model at a point; a point on a plane counts as in front. */
  contents(hull: number, point: readonly number[], model?: number): number;
}

export function readQuake1File(bytes: Uint8Array): Quake1Read {
  const head = new BinaryReader(bytes, 'quake1');
  const wide = head.text(0, 4) === 'BSP2';
  const version = wide ? 'BSP2' : head.i32(0);
  check(version === 'BSP2' || version === 29 || version === 30, 'head');
  const numHulls = version === 30 ? 4 : 3;
  const lumps = lumpsOf(bytes, 'quake1', 4, 15);
  const small = (lump: BinaryReader, at: number, k: number): number =>
    wide ? lump.i32(at + 4 * k) : lump.i16(at + 2 * k);
  const unsigned = (lump: BinaryReader, at: number, k: number): number =>
    wide ? lump.i32(at + 4 * k) : lump.u16(at + 2 * k);
  const planes = readPlanes(lumps[1]!);
  checkPlanes(planes, false);
  for (const { n, type } of planes) check(type > 2 ? !n.includes(1) : n[type] === 1, 'plane type');
  const vertexes = records(lumps[3]!, 12, (at) => vec(lumps[3]!, at));
  const edges = records(lumps[12]!, wide ? 8 : 4, (at) => [0, 1].map((k) => unsigned(lumps[12]!, at, k)));
  const surfEdges = records(lumps[13]!, 4, (at) => lumps[13]!.i32(at));
  const texInfos = records(lumps[6]!, 40, (at) => ({
    axes: Array.from({ length: 8 }, (_, k) => lumps[6]!.f32(at + 4 * k)),
    texture: lumps[6]!.i32(at + 32),
    flags: lumps[6]!.i32(at + 36),
  }));
  const faces = records(lumps[7]!, wide ? 28 : 20, (at) => {
    const lump = lumps[7]!;
    const [plane, side, first, count, texInfo] = wide
      ? [0, 4, 8, 12, 16].map((k) => lump.i32(at + k))
      : [lump.i16(at), lump.i16(at + 2), lump.i32(at + 4), lump.i16(at + 8), lump.i16(at + 10)];
    check(plane! < planes.length && texInfo! < texInfos.length && count! >= 3, 'face');
    const corners = surfEdges.slice(first, first! + count!).map((edge) => {
      check(edge !== 0 && Math.abs(edge) < edges.length, 'edge');
      return vertexes[edges[Math.abs(edge)]![edge < 0 ? 1 : 0]!]!;
    });
    check(corners.length === count, 'surf edges');
    return { plane: plane!, side: side!, texInfo: texInfo!, corners };
  });
  const marks = records(lumps[11]!, wide ? 4 : 2, (at) => unsigned(lumps[11]!, at, 0));
  for (const mark of marks) check(mark < faces.length, 'mark');
  const sixAt = (lump: BinaryReader, at: number): number[] =>
    [0, 1, 2, 3, 4, 5].map((k) => (wide ? lump.f32(at + 4 * k) : lump.i16(at + 2 * k)));
  const leafs = records(lumps[10]!, wide ? 44 : 28, (at) => {
    const lump = lumps[10]!;
    const [first, count] = [0, 1].map((k) => unsigned(lump, at + (wide ? 32 : 20), k));
    check(first! + count! <= marks.length, 'marks');
    return { contents: lump.i32(at), marks: marks.slice(first, first! + count!) };
  });
  const nodes = records(lumps[5]!, wide ? 44 : 24, (at) => {
    const lump = lumps[5]!;
    const [first, count] = [0, 1].map((k) => unsigned(lump, at + (wide ? 36 : 20), k));
    check(first! + count! <= faces.length, 'faces of a node');
    return [lump.i32(at), small(lump, at + 4, 0), small(lump, at + 4, 1)];
  });
  const leafBounds = leafs.map((_, k) => sixAt(lumps[10]!, (wide ? 44 : 28) * k + 8));
  const nodeBounds = nodes.map((_, k) => sixAt(lumps[5]!, (wide ? 44 : 24) * k + (wide ? 12 : 8)));
  check(
    leafBounds[0]!.every((x) => x === 0),
    'bounds of the leaf that all solid space shares',
  );
  const clipNodes = records(lumps[9]!, wide ? 12 : 8, (at) => [
    lumps[9]!.i32(at),
    small(lumps[9]!, at + 4, 0),
    small(lumps[9]!, at + 4, 1),
  ]);
  const models = records(lumps[14]!, 64, (at) => ({
    mins: vec(lumps[14]!, at),
    maxs: vec(lumps[14]!, at + 12),
    heads: [36, 40, 44, 48].slice(0, numHulls).map((k) => lumps[14]!.i32(at + k)),
    visLeafs: lumps[14]!.i32(at + 52),
    faces: lumps[14]!.i32(at + 60),
  }));
  const textureCount = lumps[2]!.i32(0);
  const textures = Array.from({ length: textureCount }, (_, i) => {
    const at = lumps[2]!.i32(4 + 4 * i);
    return { name: lumps[2]!.text(at, 16), width: lumps[2]!.i32(at + 16), height: lumps[2]!.i32(at + 20) };
  });
  for (const { texture } of texInfos) check(texture < textureCount, 'texture');
  const seenNodes = new Set<number>();
  const seenClips = new Set<number>();
  for (const { heads } of models) {
    for (const leaf of walkTree(
      nodes.map(([, ...c]) => c),
      heads[0]!,
      seenNodes,
    ))
      check(leaf < leafs.length, 'leaf');
    for (const head of heads.slice(1)) {
      for (const c of walkTree(
        clipNodes.map(([, ...k]) => k),
        head,
        seenClips,
      ))
        check(c === 0 || c === 1, 'clip contents');
    }
  }
  check(
    seenNodes.size === nodes.length && seenClips.size === clipNodes.length,
    'nodes that no model reaches',
  );
  return {
    version,
    planes,
    leafs,
    faces,
    texInfos,
    textures,
    models,
    entities: lumps[0]!.text(0, lumps[0]!.bytes.length),
    contents: (hull, point, model = 0) => {
      const tree = hull === 0 ? nodes : clipNodes;
      const passed: number[][] = [];
      let at = models[model]!.heads[hull]!;
      while (at >= 0) {
        if (hull === 0) passed.push(nodeBounds[at]!);
        at = tree[at]![distance(planes[tree[at]![0]!]!, point) < 0 ? 2 : 1]!;
      }
      if (hull > 0) return at;
      if (at < -1) passed.push(leafBounds[-1 - at]!);
      checkPassed(models[model]!, passed, point);
      return leafs[-1 - at]!.contents;
    },
  };
}
