import { BinaryReader } from '@bspkit/core/format';
import {
  check,
  checkPassed,
  checkPlanes,
  distance,
  lumpsOf,
  type ReadPlane,
  records,
  vec,
  walkTree,
} from './lumps.ts';

export interface Quake3Read {
  readonly planes: readonly ReadPlane[];
  readonly brushes: readonly { first: number; count: number; shader: number; contents: number }[];
  readonly sides: readonly { plane: number; shader: number }[];
  readonly shaders: readonly { name: string; surface: number; contents: number }[];
  readonly leafs: readonly { cluster: number; area: number; brushes: number[]; surfaces: number[] }[];
  readonly surfaces: readonly {
    shader: number;
    type: number;
    normal: number[];
    corners: number[][];
    /** Of its corners. */
    normals: number[][];
  }[];
  readonly models: readonly {
    mins: number[];
    maxs: number[];
    surfaces: number;
    first: number;
    count: number;
  }[];
  readonly entities: string;
  /** Contents of all brushes that contain a point, from the leaf's list. */
  contents(point: readonly number[]): number;
  leaf(point: readonly number[]): number;
}

export function readQuake3File(bytes: Uint8Array): Quake3Read {
  const head = new BinaryReader(bytes, 'quake3');
  check(head.text(0, 4) === 'IBSP' && head.i32(4) === 46, 'head');
  const lumps = lumpsOf(bytes, 'quake3', 8, 17);
  const shaders = records(lumps[1]!, 72, (at) => ({
    name: lumps[1]!.text(at, 64),
    surface: lumps[1]!.i32(at + 64),
    contents: lumps[1]!.i32(at + 68),
  }));
  const planes = records(lumps[2]!, 16, (at) => ({
    n: vec(lumps[2]!, at),
    d: lumps[2]!.f32(at + 12),
    type: 0,
  }));
  checkPlanes(planes, true);
  const nodes = records(lumps[3]!, 36, (at) => [0, 4, 8].map((k) => lumps[3]!.i32(at + k)));
  const leafSurfaces = records(lumps[5]!, 4, (at) => lumps[5]!.i32(at));
  const leafBrushes = records(lumps[6]!, 4, (at) => lumps[6]!.i32(at));
  const leafs = records(lumps[4]!, 48, (at) => {
    const [firstSurface, surfaces, firstBrush, brushes] = [32, 36, 40, 44].map((k) => lumps[4]!.i32(at + k));
    check(firstSurface! + surfaces! <= leafSurfaces.length, 'leaf surfaces');
    check(firstBrush! + brushes! <= leafBrushes.length, 'leaf brushes');
    return {
      cluster: lumps[4]!.i32(at),
      area: lumps[4]!.i32(at + 4),
      surfaces: leafSurfaces.slice(firstSurface, firstSurface! + surfaces!),
      brushes: leafBrushes.slice(firstBrush, firstBrush! + brushes!),
    };
  });
  const models = records(lumps[7]!, 40, (at) => ({
    mins: vec(lumps[7]!, at),
    maxs: vec(lumps[7]!, at + 12),
    surfaces: lumps[7]!.i32(at + 28),
    first: lumps[7]!.i32(at + 32),
    count: lumps[7]!.i32(at + 36),
  }));
  const sides = records(lumps[9]!, 8, (at) => ({ plane: lumps[9]!.i32(at), shader: lumps[9]!.i32(at + 4) }));
  const brushes = records(lumps[8]!, 12, (at) => {
    const [first, count, shader] = [0, 4, 8].map((k) => lumps[8]!.i32(at + k));
    check(first! + count! <= sides.length && shader! < shaders.length, 'brush');
    return { first: first!, count: count!, shader: shader!, contents: shaders[shader!]!.contents };
  });
  for (const side of sides) check(side.plane < planes.length && side.shader < shaders.length, 'side');
  for (const number of leafBrushes)
    check(number >= 0 && number < models[0]!.count, 'leaf brush of the world');
  const vertexes = records(lumps[10]!, 44, (at) => vec(lumps[10]!, at));
  const normals = records(lumps[10]!, 44, (at) => vec(lumps[10]!, at + 28));
  const indexes = records(lumps[11]!, 4, (at) => lumps[11]!.i32(at));
  const surfaces = records(lumps[13]!, 104, (at) => {
    const [shader, , type, firstVertex, numVertexes, firstIndex, numIndexes] = Array.from(
      { length: 7 },
      (_, k) => lumps[13]!.i32(at + 4 * k),
    ) as [number, number, number, number, number, number, number];
    check(shader < shaders.length && firstVertex + numVertexes <= vertexes.length, 'surface');
    for (const index of indexes.slice(firstIndex, firstIndex + numIndexes))
      check(index < numVertexes, 'index');
    const own = [firstVertex, firstVertex + numVertexes] as const;
    const normal = vec(lumps[13]!, at + 84);
    return { shader, type, normal, corners: vertexes.slice(...own), normals: normals.slice(...own) };
  });
  for (const number of leafSurfaces) check(number < surfaces.length, 'leaf surface');
  const reached = walkTree(
    nodes.map(([, ...children]) => children),
    0,
    new Set(),
  );
  check(reached.length === new Set(reached).size, 'a leaf is reached twice');
  check(reached.length === leafs.length - 1, 'leafs that no node reaches');
  check(lumps[16]!.i32(0) === 1 && lumps[16]!.i32(4) === 8 && lumps[16]!.bytes.length === 16, 'visibility');
  const sixAt = (lump: number, at: number): number[] =>
    [0, 4, 8, 12, 16, 20].map((k) => lumps[lump]!.i32(at + k));
  const leaf = (point: readonly number[]): number => {
    const passed: number[][] = [];
    let node = 0;
    while (node >= 0) {
      passed.push(sixAt(3, 36 * node + 12));
      node = nodes[node]![distance(planes[nodes[node]![0]!]!, point) < 0 ? 2 : 1]!;
    }
    checkPassed(models[0]!, [...passed, sixAt(4, 48 * (-1 - node) + 8)], point);
    return -1 - node;
  };
  return {
    planes,
    brushes,
    sides,
    shaders,
    leafs,
    surfaces,
    models,
    entities: lumps[0]!.text(0, lumps[0]!.bytes.length),
    leaf,
    contents: (point) => {
      let contents = 0;
      for (const number of leafs[leaf(point)]!.brushes) {
        const { first, count, contents: own } = brushes[number]!;
        const inside = sides
          .slice(first, first + count)
          .every(({ plane }) => distance(planes[plane]!, point) <= 0);
        if (inside) contents |= own;
      }
      return contents;
    },
  };
}
