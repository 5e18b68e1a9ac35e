import { cross, dot, lengthOf, subtract } from './vec.ts';

/** Triangles as arrays: three numbers per vertex, three vertices per triangle. */
interface Triangles {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly indices: Uint32Array;
}

/** What a triangle measures. */
interface Measures {
  readonly area: number;
  /** Above its longest side. */
  readonly height: number;
  /** How far its normal is off those of its corners: the least cosine. */
  readonly cosine: number;
}

/** Measures a triangle. */
export function triangleOf({ positions, normals, indices }: Triangles, triangle: number): Measures {
  const corners = Array.from(indices.subarray(3 * triangle, 3 * triangle + 3), (vertex) => 3 * vertex);
  const [a, b, c] = corners.map((at) => positions.subarray(at, at + 3)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const sides = [subtract(b, a), subtract(c, b), subtract(a, c)] as const;
  const across = cross(sides[0], sides[1]);
  const length = lengthOf(...across);
  const cosines = corners.map((at) => dot(across, normals.subarray(at, at + 3)) / length);
  const longest = Math.max(...sides.map((side) => lengthOf(...side)));
  return { area: length / 2, height: length / longest, cosine: Math.min(...cosines) };
}

/** Sums the area of triangles by some number of each. */
export function areasBy(mesh: Triangles, numberOf: (triangle: number) => number): Map<number, number> {
  const areas = new Map<number, number>();
  for (let triangle = 0; triangle < mesh.indices.length / 3; triangle++) {
    const key = numberOf(triangle);
    areas.set(key, (areas.get(key) ?? 0) + triangleOf(mesh, triangle).area);
  }
  return areas;
}
