import type { EdgeFaces } from '@bspkit/core/format';

// Light on faces, made for tests, and how light it is at a point, literally as the engines find out: a recursive search, with
// everything computed from the file's records at each question.

/** Faces with light. */
export interface LitFaces extends EdgeFaces {
  readonly styles: Uint8Array;
  readonly lightOffsets: Int32Array;
}

/** A map whose faces have light. */
export interface LitMap {
  readonly planes: { readonly normals: Float32Array; readonly dists: Float32Array };
  readonly nodes: {
    readonly planes: Int32Array;
    readonly children: Int32Array;
    readonly firstFaces: ArrayLike<number>;
    readonly numFaces: ArrayLike<number>;
  };
  readonly faces: LitFaces;
  readonly lighting: Uint8Array;
  /** Bytes of a sample, and how many of these, at its beginning, are colours. */
  readonly sampleBytes: number;
  readonly colors: 1 | 3;
  /** Bytes of a step of `lightOffsets`. */
  readonly offsetBytes: number;
  /** Texels from sample to sample. */
  readonly step: number;
  readonly isSkipped: (face: number) => boolean;
}

/** What is found below a point: the face, how high it is there, and its light, a sum of float32 for each colour. */
export interface LightFound {
  readonly surface: number;
  readonly height: number;
  readonly color: readonly number[];
}

const f = Math.fround;

const dotOf = (a: ArrayLike<number>, b: ArrayLike<number>, at: number): number =>
  f(f(f(a[0]! * b[at]!) + f(a[1]! * b[at + 1]!)) + f(a[2]! * b[at + 2]!));

const texelOf = (
  { vectors, texInfos }: EdgeFaces,
  face: number,
  point: ArrayLike<number>,
  axis: number,
): number => {
  const at = 8 * texInfos[face]! + 4 * axis;
  return f(dotOf(point, vectors, at) + vectors[at + 3]!);
};

/** Lowest texels of a face's samples along both axes, then how many samples there are. */
export function samplesOf(faces: EdgeFaces, face: number, step: number): [number, number, number, number] {
  const found = [0, 1].map((axis) => {
    const texels = Array.from({ length: faces.numEdges[face]! }, (_, k) => {
      const edge = faces.surfEdges[faces.firstEdges[face]! + k]!;
      const vertex = edge < 0 ? faces.edges[1 - 2 * edge]! : faces.edges[2 * edge]!;
      return texelOf(faces, face, faces.positions.subarray(3 * vertex), axis);
    });
    const first = Math.floor(Math.min(...texels) / step);
    return [first * step, Math.ceil(Math.max(...texels) / step) - first + 1] as const;
  });
  return [found[0]![0], found[1]![0], found[0]![1], found[1]![1]];
}

/** The light of faces, every byte of it another than its neighbours: in each of some styles, but for those that are to be dark. */
export function paintFaces(
  faces: EdgeFaces,
  {
    step,
    sampleBytes,
    styles,
    isDark,
    first = 0,
  }: {
    readonly step: number;
    readonly sampleBytes: number;
    readonly styles: readonly number[];
    readonly isDark: (face: number) => boolean;
    /** Bytes before the light. */
    readonly first?: number;
  },
): { styles: Uint8Array; lightOffsets: Int32Array; lighting: Uint8Array } {
  const lightOffsets = new Int32Array(faces.count).fill(-1);
  const all = new Uint8Array(4 * faces.count).fill(255);
  let length = first;
  for (let face = 0; face < faces.count; face++) {
    all.set(styles, 4 * face);
    if (isDark(face)) continue;
    const [, , across, down] = samplesOf(faces, face, step);
    lightOffsets[face] = length;
    length += styles.length * sampleBytes * across * down;
  }
  const lighting = new Uint8Array(length);
  for (let k = first, random = 1; k < length; k++) {
    random = (random * 16807) % 2147483647;
    lighting[k] = random;
  }
  return { styles: all, lightOffsets, lighting };
}

/**
 * What is found straight below a point, in the tree that begins at a node; its light is that of all its styles, each as strong as
 * `strengths` says, 1 by default, and all of it times a factor.
 */
export function lightBelow(
  map: LitMap,
  point: ArrayLike<number>,
  {
    head = 0,
    strengths = [],
    factor = 1,
  }: { readonly head?: number; readonly strengths?: ArrayLike<number>; readonly factor?: number } = {},
): LightFound | undefined {
  const { planes, nodes, faces } = map;
  const search = (node: number, start: readonly number[], end: readonly number[]): LightFound | undefined => {
    if (node < 0) return undefined;
    const [frontChild, backChild] = [nodes.children[2 * node]!, nodes.children[2 * node + 1]!];
    const plane = nodes.planes[node]!;
    const front = f(dotOf(start, planes.normals, 3 * plane) - planes.dists[plane]!);
    const back = f(dotOf(end, planes.normals, 3 * plane) - planes.dists[plane]!);
    const [near, far] = front < 0 ? [backChild, frontChild] : [frontChild, backChild];
    if (back < 0 === front < 0) return search(near, start, end);
    const fraction = f(front / f(front - back));
    const middle = start.map((x, k) => f(x + f(f(end[k]! - x) * fraction)));
    const found = search(near, start, middle);
    if (found) return found;
    for (let k = 0; k < nodes.numFaces[node]!; k++) {
      const face = nodes.firstFaces[node]! + k;
      if (faces.numEdges[face]! < 3 || map.isSkipped(face)) continue;
      const [left, top, across, down] = samplesOf(faces, face, map.step);
      const s = Math.trunc(texelOf(faces, face, middle, 0));
      const t = Math.trunc(texelOf(faces, face, middle, 1));
      if (s < left || t < top) continue;
      if (s - left > map.step * (across - 1) || t - top > map.step * (down - 1)) continue;
      const luxel = Math.floor((t - top) / map.step) * across + Math.floor((s - left) / map.step);
      const color = Array.from({ length: map.colors }, (_, channel) => {
        let sum = 0;
        if (faces.lightOffsets[face]! < 0) return sum;
        for (let k = 0; k < 4 && faces.styles[4 * face + k] !== 255; k++) {
          const at =
            map.offsetBytes * faces.lightOffsets[face]! + map.sampleBytes * (luxel + k * across * down);
          const strength = f(strengths[faces.styles[4 * face + k]!] ?? 1);
          sum = f(sum + f(map.lighting[at + channel]! * strength) * factor);
        }
        return sum;
      });
      return { surface: face, height: middle[2]!, color };
    }
    return search(far, middle, end);
  };
  const start = Array.from(point, f);
  return search(head, start, [start[0]!, start[1]!, f(start[2]! - 2048)]);
}
