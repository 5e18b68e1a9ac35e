import type { MeshBuilder } from '@bspkit/core/format';
import { lengthOf } from '@bspkit/geometry';
import type { Quake3File, Quake3Surface } from './file.ts';

/** Points this close to each other, in Quake units, are the same: where a patch is closed to form a tube. */
const SAME = 0.1;

/** How many vertices and triangles a patch has when each 3 x 3 piece is divided into `level` steps each way. */
export function patchSize(
  { patchWidth, patchHeight }: Pick<Quake3Surface, 'patchWidth' | 'patchHeight'>,
  level: number,
): { numVertices: number; numTriangles: number } {
  const [columns, rows] = [stepsOf(patchWidth, level), stepsOf(patchHeight, level)];
  return { numVertices: (columns + 1) * (rows + 1), numTriangles: 2 * columns * rows };
}

const stepsOf = (points: number, level: number): number => ((points - 1) / 2) * level;

/** Writes a patch as a grid of points of its quadratic curves, with smooth normals. */
export function fillPatch(
  { vertexes }: Quake3File,
  { firstVertex, patchWidth, patchHeight }: Quake3Surface,
  level: number,
  builder: MeshBuilder,
): void {
  const { positions, normals, texCoords, lightmapCoords, colors, indices, vertex, index } = builder;
  const [across, down] = [curveWeights(patchWidth, level), curveWeights(patchHeight, level)];
  const [columns, rows] = [stepsOf(patchWidth, level), stepsOf(patchHeight, level)];
  /** Writes one point of anything that vertices have `size` numbers of. */
  const blend = (
    from: ArrayLike<number>,
    to: Float32Array | Uint8Array,
    size: number,
    [row, column, vertex]: readonly [number, number, number],
  ): void => {
    for (let i = 0; i < size; i++) {
      // Bytes are truncated.
      let sum = to instanceof Uint8Array ? 0.5 : 0;
      for (let v = 0; v < 3; v++) {
        const line = firstVertex + (down.first[row]! + v) * patchWidth + across.first[column]!;
        for (let u = 0; u < 3; u++) {
          const weight = down.weights[3 * row + v]! * across.weights[3 * column + u]!;
          sum += weight * from[size * (line + u) + i]!;
        }
      }
      to[size * vertex + i] = sum;
    }
  };
  for (let row = 0, to = vertex; row <= rows; row++) {
    for (let column = 0; column <= columns; column++, to++) {
      const at = [row, column, to] as const;
      blend(vertexes.positions, positions, 3, at);
      if (texCoords) blend(vertexes.texCoords, texCoords, 2, at);
      if (lightmapCoords) blend(vertexes.lightmapCoords, lightmapCoords, 2, at);
      if (colors) blend(vertexes.colors, colors, 4, at);
    }
  }
  const width = columns + 1;
  for (let row = 0, to = index; row < rows; row++) {
    for (let column = 0; column < columns; column++, to += 6) {
      const a = vertex + row * width + column;
      const [b, c, d] = [a + 1, a + width + 1, a + width];
      indices.set([a, c, d, c, a, b], to);
    }
  }
  addNormals(builder, columns, rows);
  joinEnds(builder, vertex, vertex + columns, width, rows + 1);
  joinEnds(builder, vertex, vertex + rows * width, 1, width);
  finishNormals(normals, vertex, width, rows + 1);
}

/** For each point of a grid line, its first control point and the weights of that and the next two. */
function curveWeights(points: number, level: number): { first: Int32Array; weights: Float64Array } {
  const count = stepsOf(points, level) + 1;
  const first = new Int32Array(count);
  const weights = new Float64Array(3 * count);
  for (let k = 0; k < count; k++) {
    const piece = Math.min(Math.floor(k / level), (points - 3) / 2);
    const t = k / level - piece;
    first[k] = 2 * piece;
    weights.set([(1 - t) * (1 - t), 2 * t * (1 - t), t * t], 3 * k);
  }
  return { first, weights };
}

/** For each cell of a grid, adds its area vector to the normals at its corners: half the product of its diagonals. */
function addNormals({ positions, normals, vertex }: MeshBuilder, columns: number, rows: number): void {
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const a = 3 * (vertex + row * (columns + 1) + column);
      const b = a + 3;
      const d = a + 3 * (columns + 1);
      const c = d + 3;
      const ux = positions[c]! - positions[a]!;
      const uy = positions[c + 1]! - positions[a + 1]!;
      const uz = positions[c + 2]! - positions[a + 2]!;
      const vx = positions[d]! - positions[b]!;
      const vy = positions[d + 1]! - positions[b + 1]!;
      const vz = positions[d + 2]! - positions[b + 2]!;
      for (let k = 0; k < 4; k++) {
        const at = k === 0 ? a : k === 1 ? b : k === 2 ? c : d;
        normals[at]! += uy * vz - uz * vy;
        normals[at + 1]! += uz * vx - ux * vz;
        normals[at + 2]! += ux * vy - uy * vx;
      }
    }
  }
}

/** Gives the ends of a grid's lines one normal if they meet on all lines: `count` of them, `stride` apart. */
function joinEnds(
  { positions, normals }: MeshBuilder,
  first: number,
  last: number,
  stride: number,
  count: number,
): void {
  for (let k = 0; k < count; k++) {
    const [a, b] = [3 * (first + k * stride), 3 * (last + k * stride)];
    for (let i = 0; i < 3; i++) if (Math.abs(positions[a + i]! - positions[b + i]!) > SAME) return;
  }
  for (let k = 0; k < count; k++) {
    const [a, b] = [3 * (first + k * stride), 3 * (last + k * stride)];
    for (let i = 0; i < 3; i++) normals[a + i] = normals[b + i] = normals[a + i]! + normals[b + i]!;
  }
}

/** Makes the normals of a grid unit vectors; those of points that coincide are taken from beside them. */
function finishNormals(normals: Float32Array, vertex: number, width: number, height: number): void {
  const missing: number[] = [];
  for (let k = vertex; k < vertex + width * height; k++) if (!makeUnit(normals, k)) missing.push(k);
  const gaps = new Set(missing);
  const copy = (to: number, from: number): void => {
    if (!gaps.has(to) || gaps.has(from)) return;
    normals.copyWithin(3 * to, 3 * from, 3 * from + 3);
    gaps.delete(to);
  };
  for (const k of missing) if ((k - vertex) % width > 0) copy(k, k - 1);
  for (const k of missing.reverse()) if ((k - vertex + 1) % width > 0) copy(k, k + 1);
  for (const k of missing) if (k + width < vertex + width * height) copy(k, k + width);
  for (const k of missing.reverse()) if (k - width >= vertex) copy(k, k - width);
  for (const k of gaps) normals.set([0, 0, 1], 3 * k);
}

/** Makes a normal a unit vector; false if its length is next to nothing, or not finite. */
export function makeUnit(normals: Float32Array, vertex: number): boolean {
  const at = 3 * vertex;
  const length = lengthOf(normals[at]!, normals[at + 1]!, normals[at + 2]!);
  if (!(length > 1e-9 && length < Infinity)) return false;
  for (let i = 0; i < 3; i++) normals[at + i] = normals[at + i]! / length;
  return true;
}
