import type { LightmapAtlas, LightmapOptions } from '../mesh.ts';
import type { Checks } from './checks.ts';
import { blackPixels, type EdgeFaces, type LightmapLayout, layoutLightmaps } from './faces.ts';

// Lightmaps of some formats: up to four for each face, one after the other, each with a light style that can be dimmed or off.

/** The light style that means none. */
const NO_STYLE = 255;

/** The light of a file, whatever its samples are. */
export interface LightRecords {
  readonly faces: EdgeFaces & {
    /** Four light styles per face, 255 for none. */
    readonly styles: Uint8Array;
    /** Where a face's light begins in the lump, in steps of `offsetBytes`; below 0 for none. */
    readonly lightOffsets: Int32Array;
  };
  /** The lump, sample by sample. */
  readonly lighting: Uint8Array;
  /** Bytes of a step of `lightOffsets`: 1 where these count bytes, 3 where light in colour has the places of a map's grey light. */
  readonly offsetBytes: 1 | 3;
}

/** The light of a file. */
export interface StyledLight extends LightRecords {
  /** Bytes of a sample: brightness alone, or red, green and blue. */
  readonly sampleBytes: 1 | 3;
}

/**
 * Places the lightmaps of all faces, with `step` texels from sample to sample; `undefined` for a map without light. Where a map
 * has light, a face without it is dark. Throws `BspError` for light that is not in the file.
 */
export function layoutStyles(
  light: StyledLight,
  step: number,
  isUnlit: (face: number) => boolean,
  checks: Checks<'faces'>,
): LightmapLayout | undefined {
  const { faces, lighting } = light;
  if (lighting.length === 0) return undefined;
  const isDark = (face: number): boolean => faces.lightOffsets[face]! < 0 || countStyles(light, face) === 0;
  const layout = layoutLightmaps(
    faces,
    step,
    (face) => (isUnlit(face) ? 'unlit' : isDark(face) ? 'dark' : 'lit'),
    checks,
  );
  const lengths = new Int32Array(faces.count);
  for (let face = 0; face < faces.count; face++) {
    const number = layout.numbers[face]!;
    if (number > 0) lengths[face] = countStyles(light, face) * bytesOf(light, layout, number);
  }
  checkLight(light, lengths, checks);
  return layout;
}

/** Throws `BspError` unless the light of all faces is in the file. `lengths` are the bytes that it takes for each; 0 for none. */
export function checkLight(light: LightRecords, lengths: Int32Array, checks: Checks<'faces'>): void {
  const { length } = light.lighting;
  for (let face = 0; face < lengths.length; face++) {
    if (lengths[face] !== 0)
      checks.range('faces', face, 'bytes of light', startOf(light, face), lengths[face]!, length);
  }
  checks.owned('faces', 'bytes of light', lengths, length);
}

/** Bytes of one style of a lightmap. */
const bytesOf = ({ sampleBytes }: StyledLight, { sizes }: LightmapLayout, number: number): number =>
  sampleBytes * sizes[2 * number]! * sizes[2 * number + 1]!;

/** The first byte of a face's light. */
const startOf = ({ faces, offsetBytes }: LightRecords, face: number): number =>
  offsetBytes * faces.lightOffsets[face]!;

/** How many of a face's four styles are used; any after an unused one are not. */
export function countStyles({ faces: { styles } }: LightRecords, face: number): number {
  let count = 0;
  while (count < 4 && styles[4 * face + count] !== NO_STYLE) count++;
  return count;
}

/**
 * All lightmaps in one picture, summing the light of each face's styles. Colours brighter than 255 keep their hue, with all three
 * components made darker, or are cut off component by component.
 */
export function paintStyles(
  light: StyledLight,
  layout: LightmapLayout,
  { styles: strengths }: LightmapOptions,
  brightness: number,
  keepsHue: boolean,
): LightmapAtlas {
  const { width, height, numbers, sizes, places } = layout;
  const { faces, lighting, sampleBytes } = light;
  const pixels = blackPixels(layout);
  const used = new Set<number>();
  const scales = new Float64Array(4);
  const sum = new Float64Array(sampleBytes);
  for (let face = 0; face < faces.count; face++) {
    const number = numbers[face]!;
    if (number <= 0) continue;
    const [across, down] = [sizes[2 * number]!, sizes[2 * number + 1]!];
    const count = countStyles(light, face);
    for (let k = 0; k < count; k++) {
      const style = faces.styles[4 * face + k]!;
      scales[k] = brightness * (strengths?.[style] ?? 1);
      used.add(style);
    }
    const length = bytesOf(light, layout, number);
    for (let y = 0, from = startOf(light, face); y < down; y++) {
      let to = 4 * ((places[2 * number + 1]! + y) * width + places[2 * number]!);
      for (let x = 0; x < across; x++, from += sampleBytes, to += 4) {
        sumStyles(sum, lighting, from, length, scales, count);
        fillPixel(pixels, to, sum, keepsHue);
      }
    }
  }
  return { width, height, pixels, styles: [...used].sort((a, b) => a - b) };
}

/** Sums the styles of a sample, which are `length` bytes apart, each as bright as its scale says. */
function sumStyles(
  sum: Float64Array,
  lighting: Uint8Array,
  from: number,
  length: number,
  scales: Float64Array,
  count: number,
): void {
  for (let color = 0; color < sum.length; color++) {
    let total = 0;
    for (let k = 0, at = from + color; k < count; k++, at += length) total += scales[k]! * lighting[at]!;
    sum[color] = total;
  }
}

/** Writes a pixel: three colours, or one brightness for all three. */
function fillPixel(pixels: Uint8Array, to: number, sum: Float64Array, keepsHue: boolean): void {
  if (sum.length === 1) {
    const value = Math.min(255, Math.round(sum[0]!));
    pixels[to] = value;
    pixels[to + 1] = value;
    pixels[to + 2] = value;
    return;
  }
  const scale = keepsHue ? Math.min(1, 255 / Math.max(sum[0]!, sum[1]!, sum[2]!, 1)) : 1;
  for (let color = 0; color < 3; color++) {
    pixels[to + color] = Math.min(255, Math.round(scale * sum[color]!));
  }
}
