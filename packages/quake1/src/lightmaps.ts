import type { LightmapAtlas, LightmapOptions } from '@bspkit/core';
import {
  type Checks,
  checkFileOf,
  createChecks,
  lightmapBrightness,
  type Packing,
  packRectangles,
} from '@bspkit/core/format';
import type { Quake1File, Quake1Lump } from './file.ts';

/** Texels between samples. */
export const STEP = 16;
/** Bit of a texture's flags: never lit, as liquids and sky are not. */
const SPECIAL = 1;
/** Light style that means none. */
const NO_STYLE = 255;
/** Most samples along a face: compilers split faces at 17, and those for today's engines at some hundreds. */
const MAX_SAMPLES = 1024;
/** As much light as software rendering shows at most: twice a texture's own. */
const BRIGHTNESS = 2;

const checks: Checks<Quake1Lump> = /* @__PURE__ */ createChecks('quake1');

/** How the lightmaps of a file's faces stand in their atlas. */
export interface LightmapLayout extends Packing {
  /** By face: its place among `places`; -1 for a face that is not lit. Place 0 is one dark sample. */
  readonly numbers: Int32Array;
  /** By place: lowest texture coordinates, in steps of 16 texels; samples across and down. */
  readonly mins: Int32Array;
  readonly sizes: Int32Array;
}

/**
 * Places the lightmaps of all faces. Where a map has light, a face without is dark. Throws `BspError` for light that is
 * not in the file.
 */
export function lightmapLayout(file: Quake1File): LightmapLayout | undefined {
  const { faces, texInfos, lighting } = file;
  if (lighting.length === 0) return undefined;
  const numbers = new Int32Array(faces.count).fill(-1);
  const mins = [0, 0];
  const sizes = [1, 1];
  const lengths: number[] = [];
  for (let face = 0; face < faces.count; face++) {
    const texInfo = faces.texInfos[face]!;
    if ((texInfos.flags[texInfo]! & SPECIAL) !== 0) continue;
    numbers[face] = 0;
    const styles = countStyles(file, face);
    const offset = faces.lightOffsets[face]!;
    if (offset < 0 || styles === 0 || faces.numEdges[face]! < 3) continue;
    const [s, t, across, down] = extents(file, face);
    if (!(Math.max(across, down) <= MAX_SAMPLES)) {
      checks.fail('limit', 'faces', face, `has ${across} x ${down} light samples, more than ${MAX_SAMPLES}`);
    }
    const length = across * down * styles * sampleBytes(file);
    checks.range('faces', face, 'light samples', offset, length, lighting.length);
    lengths.push(length);
    numbers[face] = mins.length / 2;
    mins.push(s, t);
    sizes.push(across, down);
  }
  checks.owned('faces', 'bytes of light', lengths, lighting.length);
  const all = Int32Array.from(sizes);
  return { ...packRectangles(all), numbers, mins: Int32Array.from(mins), sizes: all };
}

/** Bytes of a sample: Half-Life's are coloured. */
const sampleBytes = ({ version }: Quake1File): 1 | 3 => (version === 30 ? 3 : 1);

/** How many of a face's four styles are used; those behind an unused one are not. */
function countStyles({ faces: { styles } }: Quake1File, face: number): number {
  let count = 0;
  while (count < 4 && styles[4 * face + count] !== NO_STYLE) count++;
  return count;
}

/** Lowest texture coordinates of a face, in steps, and how many samples it has in both directions. */
function extents(file: Quake1File, face: number): [s: number, t: number, across: number, down: number] {
  const { faces, texInfos } = file;
  const first = faces.firstEdges[face]!;
  const at = 8 * faces.texInfos[face]!;
  const ends = [Infinity, Infinity, -Infinity, -Infinity];
  for (let k = first; k < first + faces.numEdges[face]!; k++) {
    const vertex = cornerOf(file, k);
    for (let axis = 0; axis < 2; axis++) {
      const coordinate = textureCoordinate(texInfos.vectors, at + 4 * axis, file.vertexes.positions, vertex);
      ends[axis] = Math.min(ends[axis]!, coordinate);
      ends[2 + axis] = Math.max(ends[2 + axis]!, coordinate);
    }
  }
  const [s, t] = [Math.floor(ends[0]! / STEP), Math.floor(ends[1]! / STEP)];
  return [s, t, Math.ceil(ends[2]! / STEP) - s + 1, Math.ceil(ends[3]! / STEP) - t + 1];
}

/** Vertex at which an edge of a face begins. */
export function cornerOf({ surfEdges, edges }: Quake1File, surfEdge: number): number {
  const edge = surfEdges[surfEdge]!;
  return edge < 0 ? edges[1 - 2 * edge]! : edges[2 * edge]!;
}

/** A coordinate of a texture at a vertex, in texels. In double, as those compilers compute it whose engines are today's. */
export function textureCoordinate(
  vectors: Float32Array,
  at: number,
  positions: Float32Array,
  vertex: number,
): number {
  return (
    positions[3 * vertex]! * vectors[at]! +
    positions[3 * vertex + 1]! * vectors[at + 1]! +
    positions[3 * vertex + 2]! * vectors[at + 2]! +
    vectors[at + 3]!
  );
}

/**
 * The lightmaps of all faces in one picture, at which the `lightmapCoords` of {@link mesh} point; `undefined` for a map
 * without light. The light of a face's styles is summed, each as bright as `styles` says. `brightness` is 2 by default,
 * as bright as the software renderer; hardware renderers of the time showed 1.
 *
 * @throws BspError for light that is not in the file, RangeError or TypeError for wrong options.
 */
export function lightmaps(file: Quake1File, options: LightmapOptions = {}): LightmapAtlas | undefined {
  checkFileOf(file, 'quake1', 'readQuake1');
  const brightness = lightmapBrightness(options, BRIGHTNESS);
  const layout = lightmapLayout(file);
  if (!layout) return undefined;
  const { width, height, numbers, sizes, places } = layout;
  const { faces, lighting } = file;
  const pixels = new Uint8Array(4 * width * height);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  const bytes = sampleBytes(file);
  const used = new Set<number>();
  for (let face = 0; face < faces.count; face++) {
    const number = numbers[face]!;
    if (number <= 0) continue;
    const [across, down] = [sizes[2 * number]!, sizes[2 * number + 1]!];
    const count = countStyles(file, face);
    const styles = faces.styles.subarray(4 * face, 4 * face + count);
    const scales = Array.from(styles, (style) => brightness * (options.styles?.[style] ?? 1));
    for (const style of styles) used.add(style);
    const length = bytes * across * down;
    const left = places[2 * number]!;
    const top = places[2 * number + 1]!;
    for (let y = 0, from = faces.lightOffsets[face]!; y < down; y++) {
      for (let x = 0; x < across; x++, from += bytes) {
        const to = 4 * ((top + y) * width + left + x);
        for (let color = 0; color < 3; color++) {
          let sum = 0;
          for (let k = 0; k < count; k++) {
            sum += scales[k]! * lighting[from + k * length + (bytes === 3 ? color : 0)]!;
          }
          pixels[to + color] = Math.min(255, sum);
        }
      }
    }
  }
  return { width, height, pixels, styles: [...used].sort((a, b) => a - b) };
}
