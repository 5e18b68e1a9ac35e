import type { UnsharedBytes } from '../vec.ts';
import type { Checks } from './checks.ts';
import type { MeshBuilder } from './mesh.ts';
import { type Packing, packRectangles } from './pack.ts';

// Faces as some formats have them: lists of edges, whose corners are clockwise seen from the front, with two axes of
// texture coordinates in space; and the light that compilers sampled on them, along these axes.

/** Faces of a file, all indexes in range. */
export interface EdgeFaces {
  readonly count: number;
  readonly firstEdges: Int32Array;
  readonly numEdges: Int32Array;
  /** By face: number of its texture axes. */
  readonly texInfos: Int32Array;
  /** Eight numbers each: two axes, with offsets, in texels. */
  readonly vectors: Float32Array;
  /** Edges, by face; a negative one runs backwards. */
  readonly surfEdges: Int32Array;
  /** Two vertices per edge. */
  readonly edges: Int32Array;
  readonly positions: Float32Array;
}

/** A triangle has no area if the sine of an angle of it is less than this. */
const STRAIGHT = 1e-3;

/** How many triangles of a face are looked at to find the corner that they share: all those of a face of 128 corners. */
const MOST_TRIED = 1 << 14;

/** Vertex of a face's corner, counted counter-clockwise. */
export function faceVertex(faces: EdgeFaces, face: number, corner: number): number {
  const edge = faces.surfEdges[faces.firstEdges[face]! + faces.numEdges[face]! - 1 - corner]!;
  return edge < 0 ? faces.edges[1 - 2 * edge]! : faces.edges[2 * edge]!;
}

/**
 * A vertex's texture coordinate, in texels, along axis 0 or 1. In float32, summed from left to right: this gives the numbers of
 * light samples that compilers wrote for 36,246 of 36,247 faces of the maps that we have.
 */
export function faceTexel(
  { texInfos, vectors, positions }: EdgeFaces,
  face: number,
  vertex: number,
  axis: number,
): number {
  const at = 8 * texInfos[face]! + 4 * axis;
  const f = Math.fround;
  let sum = f(positions[3 * vertex]! * vectors[at]!);
  sum = f(sum + f(positions[3 * vertex + 1]! * vectors[at + 1]!));
  sum = f(sum + f(positions[3 * vertex + 2]! * vectors[at + 2]!));
  return f(sum + vectors[at + 3]!);
}

/** The most corners of a face: compilers write a few dozen. */
const MAX_CORNERS = 1024;

/** How much room the faces of some models need in a mesh. Throws `BspError` (`limit`) for a face with too many corners. */
export function measureFaces(
  { numEdges }: EdgeFaces,
  models: readonly { readonly firstFace: number; readonly numFaces: number }[],
  checks: Checks<'faces'>,
): { numVertices: number; numTriangles: number } {
  let [numVertices, numTriangles] = [0, 0];
  for (const { firstFace, numFaces } of models) {
    for (let face = firstFace; face < firstFace + numFaces; face++) {
      const corners = numEdges[face]!;
      if (corners > MAX_CORNERS) {
        checks.fail('limit', 'faces', face, `has ${corners} corners; at most ${MAX_CORNERS} are accepted`);
      }
      numVertices += corners < 3 ? 0 : corners;
      numTriangles += Math.max(0, corners - 2);
    }
  }
  return { numVertices, numTriangles };
}

/** Adds a face to a mesh; `facing` -1 turns its normal around. */
export function addFace(
  builder: MeshBuilder,
  faces: EdgeFaces,
  face: number,
  group: number,
  planeNormals: Float32Array,
  plane: number,
  facing: number,
): void {
  const count = faces.numEdges[face]!;
  builder.add(group, count, count - 2, face, -1, -1);
  const { positions, normals, vertex } = builder;
  for (let k = 0; k < count; k++) {
    const from = 3 * faceVertex(faces, face, k);
    const to = 3 * (vertex + k);
    for (let i = 0; i < 3; i++) {
      positions[to + i] = faces.positions[from + i]!;
      normals[to + i] = facing * planeNormals[3 * plane + i]!;
    }
  }
  builder.fan(count, apexOf(builder, count));
}

/**
 * The corner from which a fan has the fewest triangles that face backwards, and of these the fewest without area. Compilers put a
 * corner on an edge where another face has one, and no two corners in a row may be on a line with the fan's. In some maps they
 * also leave a corner that points inwards, from which alone a fan covers the face.
 */
function apexOf(builder: MeshBuilder, count: number): number {
  const { positions, normals, vertex } = builder;
  let best = 0;
  let fewest = Number.POSITIVE_INFINITY;
  // A face has few corners, of which one of the first will do, but for those of hostile files.
  const least = Math.max(0, builder._tries - MOST_TRIED);
  for (let apex = 0; apex < count && builder._tries > least; apex++) {
    let bad = 0;
    for (let k = 1; k + 1 < count && bad < fewest; k++, builder._tries--) {
      const b = vertex + ((apex + k) % count);
      const c = vertex + ((apex + k + 1) % count);
      const sine = sineAt(positions, normals, vertex + apex, b, c);
      // One that faces backwards is worse than all others without area.
      if (sine < STRAIGHT) bad += sine > -STRAIGHT ? 1 : count;
    }
    if (bad >= fewest) continue;
    best = apex;
    fewest = bad;
    if (bad === 0) break;
  }
  return best;
}

/** Sine of the turn at the second of three vertices, positive to the left as seen from the front; 0 if two are the same. */
function sineAt(
  positions: Float32Array,
  normals: Float32Array,
  first: number,
  second: number,
  third: number,
): number {
  const [a, b, c] = [3 * first, 3 * second, 3 * third];
  const ux = positions[b]! - positions[a]!;
  const uy = positions[b + 1]! - positions[a + 1]!;
  const uz = positions[b + 2]! - positions[a + 2]!;
  const vx = positions[c]! - positions[b]!;
  const vy = positions[c + 1]! - positions[b + 1]!;
  const vz = positions[c + 2]! - positions[b + 2]!;
  const area =
    (uy * vz - uz * vy) * normals[a]! +
    (uz * vx - ux * vz) * normals[a + 1]! +
    (ux * vy - uy * vx) * normals[a + 2]!;
  const lengths = Math.sqrt((ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz));
  return lengths > 0 ? area / lengths : 0;
}

/**
 * Writes the texture coordinates of the latest part, a face: texels divided by the texture's size. Throws `BspError` for
 * any that is not finite.
 */
export function fillTexCoords(
  builder: MeshBuilder,
  faces: EdgeFaces,
  face: number,
  sizes: readonly [width: number, height: number],
  checks: Checks<'faces'>,
): void {
  const { texCoords, vertex } = builder;
  for (let k = 0; k < faces.numEdges[face]!; k++) {
    for (let axis = 0; axis < 2; axis++) {
      const to = 2 * (vertex + k) + axis;
      texCoords![to] = faceTexel(faces, face, faceVertex(faces, face, k), axis) / sizes[axis]!;
      if (!Number.isFinite(texCoords![to]!)) {
        checks.fail('value', 'faces', face, `has texture coordinate ${texCoords![to]}, which is not finite`);
      }
    }
  }
}

/** Whether a face has light samples in the file, needs none, or has none although other faces do. */
export type FaceLight = 'lit' | 'unlit' | 'dark';

/** How the lightmaps of faces stand in their atlas. */
export interface LightmapLayout extends Packing {
  /** By face: its place among `places`; -1 for an unlit face. Place 0 is one dark sample. */
  readonly numbers: Int32Array;
  /** By place: lowest texture coordinates, in steps from sample to sample, which may be beyond 32 bits; samples across and down. */
  readonly mins: Float64Array;
  readonly sizes: Int32Array;
}

/** The most samples along a face: compilers split faces at 17, today's engines' compilers at some hundreds. */
const MAX_SAMPLES = 1024;

/**
 * Writes where the light samples of a face begin along axis 0 or 1, in steps from sample to sample, and how many there are: no
 * numbers if texture coordinates are none. With `checks`, throws `BspError` (`limit`) for too many.
 */
export function measureSamples(
  faces: EdgeFaces,
  face: number,
  axis: number,
  step: number,
  span: Float64Array,
  checks?: Checks<'faces'>,
): void {
  let [low, high] = [Infinity, -Infinity];
  for (let k = 0; k < faces.numEdges[face]!; k++) {
    const texel = faceTexel(faces, face, faceVertex(faces, face, k), axis);
    low = Math.min(low, texel);
    high = Math.max(high, texel);
  }
  const first = Math.floor(low / step);
  const samples = Math.ceil(high / step) - first + 1;
  if (checks && !(samples <= MAX_SAMPLES)) {
    checks.fail('limit', 'faces', face, `is ${samples} light samples long, more than ${MAX_SAMPLES}`);
  }
  span[0] = first;
  span[1] = samples;
}

/**
 * Places the lightmaps of faces, with `step` texels from sample to sample. Throws `BspError` (`limit`) for one that is too large.
 */
export function layoutLightmaps(
  faces: EdgeFaces,
  step: number,
  lightOf: (face: number) => FaceLight,
  checks: Checks<'faces'>,
): LightmapLayout {
  const numbers = new Int32Array(faces.count).fill(-1);
  const mins = [0, 0];
  const sizes = [1, 1];
  const span = new Float64Array(2);
  for (let face = 0; face < faces.count; face++) {
    const light = lightOf(face);
    if (light === 'unlit') continue;
    numbers[face] = 0;
    const count = faces.numEdges[face]!;
    if (light === 'dark' || count < 3) continue;
    numbers[face] = mins.length / 2;
    for (let axis = 0; axis < 2; axis++) {
      measureSamples(faces, face, axis, step, span, checks);
      mins.push(span[0]!);
      sizes.push(span[1]!);
    }
  }
  const all = Int32Array.from(sizes);
  const { width, height, places } = packRectangles(all);
  return { width, height, places, numbers, mins: Float64Array.from(mins), sizes: all };
}

/** Writes the coordinates of the latest part, a face, in the atlas: samples are in the middle of its pixels. */
export function fillLightmapCoords(
  { lightmapCoords, vertex }: MeshBuilder,
  faces: EdgeFaces,
  face: number,
  { numbers, mins, places, width, height }: LightmapLayout,
  step: number,
): void {
  const number = numbers[face]!;
  for (let k = 0; k < faces.numEdges[face]!; k++) {
    for (let axis = 0; axis < 2; axis++) {
      const to = 2 * (vertex + k) + axis;
      if (number < 0) {
        lightmapCoords![to] = 0;
        continue;
      }
      const texel = number > 0 ? faceTexel(faces, face, faceVertex(faces, face, k), axis) : 0;
      const sample = number > 0 ? texel / step - mins[2 * number + axis]! : 0;
      lightmapCoords![to] = (places[2 * number + axis]! + sample + 0.5) / (axis === 0 ? width : height);
    }
  }
}

/** Pixels for an atlas: black and opaque. */
export function blackPixels({ width, height }: Pick<Packing, 'width' | 'height'>): UnsharedBytes {
  const pixels = new Uint8Array(4 * width * height);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  return pixels;
}
