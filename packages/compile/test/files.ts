import { BinaryReader } from '@bspkit/core';

// Readers of our own, small and strict, so that these tests need no format package: each checks every number that
// points somewhere, and can say what is at a point.

export interface ReadPlane {
  readonly n: readonly [number, number, number];
  readonly d: number;
  readonly type: number;
}

const distance = ({ n, d }: ReadPlane, [x, y, z]: readonly number[]): number =>
  n[0] * x! + n[1] * y! + n[2] * z! - d;

function check(ok: boolean, what: string): asserts ok {
  if (!ok) throw new Error(`broken file: ${what}`);
}

/** Cuts the lumps out of a file; they must lie in it one after another without overlapping. */
function lumpsOf(bytes: Uint8Array, format: string, at: number, count: number): BinaryReader[] {
  const file = new BinaryReader(bytes, format);
  let end = at + 8 * count;
  return Array.from({ length: count }, (_, i) => {
    const [offset, length] = [file.i32(at + 8 * i), file.i32(at + 8 * i + 4)];
    check(offset === end && offset % 4 === 0, `lump ${i} begins at ${offset}, not ${end}`);
    end = (offset + length + 3) & ~3;
    return file.lump({ name: `${i}`, offset, length });
  });
}

const records = <T>(lump: BinaryReader, size: number, read: (at: number) => T): T[] =>
  Array.from({ length: lump.records(size) }, (_, i) => read(i * size));

const vec = (lump: BinaryReader, at: number): [number, number, number] => [
  lump.f32(at),
  lump.f32(at + 4),
  lump.f32(at + 8),
];

function checkPlanes(planes: readonly ReadPlane[], pairs: boolean): void {
  for (const [i, { n, d }] of planes.entries()) {
    check(Math.abs(Math.hypot(...n) - 1) < 1e-6, `plane ${i} has a normal of length ${Math.hypot(...n)}`);
    if (!pairs) continue;
    const other = planes[i ^ 1]!;
    check(n.every((x, k) => x === 0 - other.n[k]!) && d === 0 - other.d, `plane ${i} has no opposite`);
  }
}

/** Walks a tree whose nodes must each be reached once; gives the leafs reached. */
function walkTree(children: readonly (readonly number[])[], head: number, seen: Set<number>): number[] {
  if (head < 0) return [-1 - head];
  check(head < children.length && !seen.has(head), `node ${head} is reached twice or is not there`);
  seen.add(head);
  return children[head]!.flatMap((child) => walkTree(children, child, seen));
}

export interface Quake3Read {
  readonly planes: readonly ReadPlane[];
  readonly brushes: readonly { first: number; count: number; shader: number; contents: number }[];
  readonly sides: readonly { plane: number; shader: number }[];
  readonly shaders: readonly { name: string; surface: number; contents: number }[];
  readonly leafs: readonly { cluster: number; brushes: number[]; surfaces: number[] }[];
  readonly surfaces: readonly { shader: number; type: number; normal: number[]; corners: number[][] }[];
  readonly models: readonly {
    mins: number[];
    maxs: number[];
    surfaces: number;
    first: number;
    count: number;
  }[];
  readonly entities: string;
  /** Contents of all brushes that hold a point, by the leaf's list. */
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
  const indexes = records(lumps[11]!, 4, (at) => lumps[11]!.i32(at));
  const surfaces = records(lumps[13]!, 104, (at) => {
    const [shader, , type, firstVertex, numVertexes, firstIndex, numIndexes] = Array.from(
      { length: 7 },
      (_, k) => lumps[13]!.i32(at + 4 * k),
    ) as [number, number, number, number, number, number, number];
    check(shader < shaders.length && firstVertex + numVertexes <= vertexes.length, 'surface');
    for (const index of indexes.slice(firstIndex, firstIndex + numIndexes))
      check(index < numVertexes, 'index');
    const corners = vertexes.slice(firstVertex, firstVertex + numVertexes);
    return { shader, type, normal: vec(lumps[13]!, at + 84), corners };
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
  const leaf = (point: readonly number[]): number => {
    let node = 0;
    while (node >= 0) node = nodes[node]![distance(planes[nodes[node]![0]!]!, point) < 0 ? 2 : 1]!;
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

export interface Quake1Read {
  readonly version: number | 'BSP2';
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
  /** Contents of a leaf (hull 0) or clip hull of a model at a point; on a plane is in front. */
  contents(hull: number, point: readonly number[], model?: number): number;
}

export function readQuake1File(bytes: Uint8Array): Quake1Read {
  const head = new BinaryReader(bytes, 'quake1');
  const wide = head.text(0, 4) === 'BSP2';
  check(wide || head.i32(0) === 29, 'head');
  const lumps = lumpsOf(bytes, 'quake1', 4, 15);
  const small = (lump: BinaryReader, at: number, k: number): number =>
    wide ? lump.i32(at + 4 * k) : lump.i16(at + 2 * k);
  const unsigned = (lump: BinaryReader, at: number, k: number): number =>
    wide ? lump.i32(at + 4 * k) : lump.u16(at + 2 * k);
  const planes = records(lumps[1]!, 20, (at) => ({
    n: vec(lumps[1]!, at),
    d: lumps[1]!.f32(at + 12),
    type: lumps[1]!.i32(at + 16),
  }));
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
  const clipNodes = records(lumps[9]!, wide ? 12 : 8, (at) => [
    lumps[9]!.i32(at),
    small(lumps[9]!, at + 4, 0),
    small(lumps[9]!, at + 4, 1),
  ]);
  const models = records(lumps[14]!, 64, (at) => ({
    mins: vec(lumps[14]!, at),
    maxs: vec(lumps[14]!, at + 12),
    heads: [36, 40, 44].map((k) => lumps[14]!.i32(at + k)),
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
    for (const head of [heads[1]!, heads[2]!]) {
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
    version: wide ? 'BSP2' : 29,
    planes,
    leafs,
    faces,
    texInfos,
    textures,
    models,
    entities: lumps[0]!.text(0, lumps[0]!.bytes.length),
    contents: (hull, point, model = 0) => {
      const tree = hull === 0 ? nodes : clipNodes;
      let at = models[model]!.heads[hull]!;
      while (at >= 0) at = tree[at]![distance(planes[tree[at]![0]!]!, point) < 0 ? 2 : 1]!;
      return hull === 0 ? leafs[-1 - at]!.contents : at;
    },
  };
}

export interface UfoaiRead {
  readonly planes: readonly ReadPlane[];
  readonly brushes: readonly { first: number; count: number; contents: number }[];
  readonly sides: readonly { plane: number; texInfo: number }[];
  readonly texInfos: readonly { flags: number; value: number; name: string }[];
  readonly nodes: readonly { plane: number; children: number[]; mins: number[]; maxs: number[] }[];
  readonly leafs: readonly { contents: number; brushes: number[] }[];
  readonly models: readonly { head: number; faces: number }[];
  readonly routing: Uint8Array;
  readonly entities: string;
  /** Contents of a model's leafs at a point: those of all trees that its union nodes lead to, together. */
  contents(model: number, point: readonly number[]): number;
}

export function readUfoaiFile(bytes: Uint8Array): UfoaiRead {
  const head = new BinaryReader(bytes, 'ufoai');
  check(head.text(0, 4) === 'IBSP' && head.i32(4) === 79, 'head');
  const lumps = lumpsOf(bytes, 'ufoai', 8, 17);
  const planes = records(lumps[1]!, 20, (at) => ({
    n: vec(lumps[1]!, at),
    d: lumps[1]!.f32(at + 12),
    type: lumps[1]!.i32(at + 16),
  }));
  checkPlanes(planes, true);
  const sides = records(lumps[15]!, 4, (at) => ({
    plane: lumps[15]!.u16(at),
    texInfo: lumps[15]!.i16(at + 2),
  }));
  const texInfos = records(lumps[5]!, 72, (at) => ({
    flags: lumps[5]!.i32(at + 32),
    value: lumps[5]!.i32(at + 36),
    name: lumps[5]!.text(at + 40, 32),
  }));
  for (const side of sides) check(side.plane < planes.length && side.texInfo < texInfos.length, 'side');
  const brushes = records(lumps[14]!, 12, (at) => {
    const [first, count, contents] = [0, 4, 8].map((k) => lumps[14]!.i32(at + k));
    check(first! + count! <= sides.length, 'brush');
    return { first: first!, count: count!, contents: contents! };
  });
  const leafBrushes = records(lumps[10]!, 2, (at) => lumps[10]!.u16(at));
  for (const number of leafBrushes) check(number < brushes.length, 'leaf brush');
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
    planes,
    brushes,
    sides,
    texInfos,
    nodes,
    leafs,
    models,
    routing: lumps[3]!.bytes,
    entities: lumps[0]!.text(0, lumps[0]!.bytes.length),
    contents: (model, point) => (models[model]!.head < 0 ? 0 : contentsBelow(models[model]!.head, point)),
  };
}
