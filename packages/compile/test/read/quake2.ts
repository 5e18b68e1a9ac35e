import { BinaryReader } from '@bspkit/core/format';
import {
  check,
  checkPassed,
  checkPlanes,
  distance,
  lumpsOf,
  type ReadPlane,
  readBrushes,
  readPlanes,
  records,
  vec,
  walkTree,
} from './lumps.ts';

export interface Quake2Read {
  readonly planes: readonly ReadPlane[];
  readonly brushes: readonly { first: number; count: number; contents: number }[];
  readonly sides: readonly { plane: number; texInfo: number }[];
  readonly texInfos: readonly { flags: number; value: number; name: string; next: number }[];
  readonly faces: readonly { corners: number[][]; normal: number[]; texInfo: number }[];
  readonly leafs: readonly {
    contents: number;
    cluster: number;
    area: number;
    faces: number[];
    brushes: number[];
  }[];
  readonly models: readonly {
    mins: number[];
    maxs: number[];
    head: number;
    firstFace: number;
    numFaces: number;
  }[];
  /** For each area: numbers of its portals, and the areas beyond them. */
  readonly areas: readonly (readonly [portal: number, other: number][])[];
  readonly entities: string;
  /** The world's leaf at a point. */
  leaf(point: readonly number[]): number;
}

export function readQuake2File(bytes: Uint8Array): Quake2Read {
  const head = new BinaryReader(bytes, 'quake2');
  check(head.text(0, 4) === 'IBSP' && head.i32(4) === 38, 'head');
  const lumps = lumpsOf(bytes, 'quake2', 8, 19);
  const planes = readPlanes(lumps[1]!);
  checkPlanes(planes, true);
  for (const { n, type } of planes) {
    const axis = n.findIndex((x) => Math.abs(x) === 1);
    check(axis < 0 ? type >= 3 && type <= 5 : type === axis, 'plane type');
  }
  const vertexes = records(lumps[2]!, 12, (at) => vec(lumps[2]!, at));
  const edges = records(lumps[11]!, 4, (at) => [lumps[11]!.u16(at), lumps[11]!.u16(at + 2)] as const);
  const surfEdges = records(lumps[12]!, 4, (at) => lumps[12]!.i32(at));
  const texInfos = records(lumps[5]!, 76, (at) => ({
    flags: lumps[5]!.i32(at + 32),
    value: lumps[5]!.i32(at + 36),
    name: lumps[5]!.text(at + 40, 32),
    next: lumps[5]!.i32(at + 72),
  }));
  const { sides, brushes, leafBrushes } = readBrushes(lumps, texInfos.length);
  for (const { plane } of sides) check(plane < Math.min(planes.length, 0x8000), 'side');
  const faces = records(lumps[6]!, 20, (at) => {
    const [plane, side, first, count] = [
      lumps[6]!.u16(at),
      lumps[6]!.i16(at + 2),
      lumps[6]!.i32(at + 4),
      lumps[6]!.i16(at + 8),
    ];
    check(plane < planes.length && plane % 2 === 0 && count > 2 && first + count <= surfEdges.length, 'face');
    const corners = surfEdges
      .slice(first, first + count)
      .map((edge) => vertexes[edge < 0 ? edges[-edge]![1] : edges[edge]![0]]!);
    const { n } = planes[plane]!;
    return { corners, normal: n.map((x) => (side === 0 ? x : 0 - x)), texInfo: lumps[6]!.i16(at + 10) };
  });
  const leafFaces = records(lumps[9]!, 2, (at) => lumps[9]!.u16(at));
  for (const number of leafFaces) check(number < faces.length, 'leaf face');
  const sixAt = (lump: BinaryReader, at: number): number[] =>
    [0, 2, 4, 6, 8, 10].map((k) => lump.i16(at + k));
  const leafs = records(lumps[8]!, 28, (at) => {
    const part = (list: readonly number[], first: number, count: number): number[] => {
      check(first + count <= list.length, 'leaf list');
      return list.slice(first, first + count);
    };
    return {
      contents: lumps[8]!.i32(at),
      cluster: lumps[8]!.i16(at + 4),
      area: lumps[8]!.i16(at + 6),
      faces: part(leafFaces, lumps[8]!.u16(at + 20), lumps[8]!.u16(at + 22)),
      brushes: part(leafBrushes, lumps[8]!.u16(at + 24), lumps[8]!.u16(at + 26)),
    };
  });
  check(leafs[0]!.contents === 1 && leafs.slice(1).some(({ contents }) => contents === 0), 'first leafs');
  const nodes = records(lumps[4]!, 28, (at) => {
    return {
      plane: lumps[4]!.i32(at),
      children: [lumps[4]!.i32(at + 4), lumps[4]!.i32(at + 8)],
      bounds: sixAt(lumps[4]!, at + 12),
    };
  });
  const leafBounds = leafs.map((_, k) => sixAt(lumps[8]!, 28 * k + 8));
  for (const bounds of [...leafBounds, ...nodes.map((node) => node.bounds)])
    for (let k = 0; k < 3; k++) check(bounds[k]! <= bounds[k + 3]!, 'bounds');
  for (const { plane } of nodes) check(plane % 2 === 0 && plane < planes.length, 'node plane');
  const models = records(lumps[13]!, 48, (at) => ({
    mins: vec(lumps[13]!, at),
    maxs: vec(lumps[13]!, at + 12),
    head: lumps[13]!.i32(at + 36),
    firstFace: lumps[13]!.i32(at + 40),
    numFaces: lumps[13]!.i32(at + 44),
  }));
  const seen = new Set<number>();
  for (const { head } of models) {
    check(head >= 0, 'a model whose head is a leaf');
    const children = nodes.map((node) => node.children);
    for (const leaf of walkTree(children, head, seen)) check(leaf > 1 && leaf < leafs.length, 'leaf');
  }
  check(seen.size === nodes.length, 'nodes that no model reaches');
  const portals = records(lumps[18]!, 8, (at): [number, number] => [
    lumps[18]!.i32(at),
    lumps[18]!.i32(at + 4),
  ]);
  const areas = records(lumps[17]!, 8, (at) => {
    const [count, first] = [lumps[17]!.i32(at), lumps[17]!.i32(at + 4)];
    check(first + count <= portals.length, 'area');
    return portals.slice(first, first + count);
  });
  for (const { area } of leafs) check(area < areas.length, 'area of a leaf');
  return {
    planes,
    brushes,
    sides,
    texInfos,
    faces,
    leafs,
    models,
    areas,
    entities: lumps[0]!.text(0, lumps[0]!.bytes.length),
    leaf(point) {
      const passed: number[][] = [];
      let node = models[0]!.head;
      while (node >= 0) {
        const { plane, children, bounds } = nodes[node]!;
        passed.push(bounds);
        node = children[distance(planes[plane]!, point) < 0 ? 1 : 0]!;
      }
      checkPassed(models[0]!, [...passed, leafBounds[-1 - node]!], point);
      return -1 - node;
    },
  };
}
