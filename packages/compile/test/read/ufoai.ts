import { BinaryReader } from '@bspkit/core/format';
import {
  check,
  checkPlanes,
  distance,
  lumpsOf,
  type ReadPlane,
  readBrushes,
  readPlanes,
  records,
  walkTree,
} from './lumps.ts';

export interface UfoaiRead {
  readonly version: number;
  readonly planes: readonly ReadPlane[];
  readonly brushes: readonly { first: number; count: number; contents: number }[];
  readonly sides: readonly { plane: number; texInfo: number }[];
  readonly texInfos: readonly { flags: number; value: number; name: string }[];
  readonly nodes: readonly { plane: number; children: number[]; mins: number[]; maxs: number[] }[];
  readonly leafs: readonly { contents: number; brushes: number[] }[];
  readonly models: readonly { head: number; faces: number }[];
  /** The two lumps for light. */
  readonly lights: readonly Uint8Array[];
  readonly routing: Uint8Array;
  readonly entities: string;
  /** Contents of a model's leafs at a point: those of all trees that its union nodes lead to, together. */
  contents(model: number, point: readonly number[]): number;
}

export function readUfoaiFile(bytes: Uint8Array): UfoaiRead {
  const head = new BinaryReader(bytes, 'ufoai');
  const version = head.i32(4);
  check(head.text(0, 4) === 'IBSP' && (version === 78 || version === 79), 'head');
  const lumps = lumpsOf(bytes, 'ufoai', 8, 17);
  const planes = readPlanes(lumps[1]!);
  checkPlanes(planes, true);
  const texInfos = records(lumps[5]!, 72, (at) => ({
    flags: lumps[5]!.i32(at + 32),
    value: lumps[5]!.i32(at + 36),
    name: lumps[5]!.text(at + 40, 32),
  }));
  const { sides, brushes, leafBrushes } = readBrushes(lumps, texInfos.length);
  for (const { plane } of sides) check(plane < planes.length, 'side');
  const leafs = records(lumps[9]!, 24, (at) => {
    const [first, count] = [lumps[9]!.u16(at + 18), lumps[9]!.u16(at + 20)];
    check(first + count <= leafBrushes.length, 'leaf brushes');
    return { contents: lumps[9]!.i32(at), brushes: leafBrushes.slice(first, first + count) };
  });
  check(leafs[0]!.contents === 1 && leafs.slice(1).some(({ contents }) => contents === 0), 'first leafs');
  const nodes = records(lumps[4]!, 28, (at) => ({
    plane: lumps[4]!.i32(at),
    children: [lumps[4]!.i32(at + 4), lumps[4]!.i32(at + 8)],
    mins: [12, 14, 16].map((k) => lumps[4]!.i16(at + k)),
    maxs: [18, 20, 22].map((k) => lumps[4]!.i16(at + k)),
  }));
  for (const { plane, children } of nodes) {
    check(plane === -1 || (plane % 2 === 0 && plane < planes.length), 'node plane');
    if (plane === -1)
      check(
        children.every((child) => child >= 0),
        'a union node leads to a leaf',
      );
    else
      check(
        children.every((child) => child < 0 || nodes[child]!.plane !== -1),
        'a union node below a plane',
      );
  }
  const models = records(lumps[13]!, 48, (at) => ({
    head: lumps[13]!.i32(at + 36),
    faces: lumps[13]!.i32(at + 44),
  }));
  const seen = new Set<number>();
  for (const { head } of models) {
    if (head === -1) continue;
    const reached = walkTree(
      nodes.map(({ children }) => children),
      head,
      seen,
    );
    for (const leaf of reached) check(leaf > 1 && leaf < leafs.length, 'leaf');
  }
  check(seen.size === nodes.length, 'nodes that no model reaches');
  check(lumps[16]!.bytes.length === lumps[2]!.bytes.length, 'a normal for each vertex');
  const contentsBelow = (node: number, point: readonly number[]): number => {
    if (node < 0) return leafs[-1 - node]!.contents;
    const { plane, children } = nodes[node]!;
    if (plane < 0) return contentsBelow(children[0]!, point) | contentsBelow(children[1]!, point);
    return contentsBelow(children[distance(planes[plane]!, point) < 0 ? 1 : 0]!, point);
  };
  return {
    version,
    planes,
    brushes,
    sides,
    texInfos,
    nodes,
    leafs,
    models,
    lights: [lumps[7]!.bytes, lumps[8]!.bytes],
    routing: lumps[3]!.bytes,
    entities: lumps[0]!.text(0, lumps[0]!.bytes.length),
    contents: (model, point) => (models[model]!.head < 0 ? 0 : contentsBelow(models[model]!.head, point)),
  };
}
