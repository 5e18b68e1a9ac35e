import type { LightmapAtlas, LightmapOptions } from '../mesh.ts';
import type { Checks } from './checks.ts';
import { blackPixels, type EdgeFaces, type LightmapLayout, layoutLightmaps } from './faces.ts';

// Lightmaps of some formats: up to four for each face, one after the other, each with a light style that can be dimmed or off.

/** The light style that means none. */
const NO_STYLE = 255;

/** The light of a file. */
export interface StyledLight {
  readonly faces: EdgeFaces & {
    /** Four light styles per face, 255 for none. */
    readonly styles: Uint8Array;
    /** Where a face's light begins in the lump; below 0 for none. */
    readonly lightOffsets: Int32Array;
  };
  /** The lump, sample by sample. */
  readonly lighting: Uint8Array;
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
    if (number <= 0) continue;
    lengths[face] = countStyles(light, face) * bytesOf(light, layout, number);
    checks.range('faces', face, 'bytes of light', faces.lightOffsets[face]!, lengths[face]!, lighting.length);
  }
  checks.owned('faces', 'bytes of light', lengths, lighting.length);
  return layout;
}

/** Bytes of one style of a lightmap. */
const bytesOf = ({ sampleBytes }: StyledLight, { sizes }: LightmapLayout, number: number): number =>
  sampleBytes * sizes[2 * number]! * sizes[2 * number + 1]!;

/** How many of a face's four styles are used; any after an unused one are not. */
function countStyles({ faces: { styles } }: StyledLight, face: number): number {
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
  const sum = new Float64Array(3);
  for (let face = 0; face < faces.count; face++) {
    const number = numbers[face]!;
    if (number <= 0) continue;
    const [across, down] = [sizes[2 * number]!, sizes[2 * number + 1]!];
    const styles = faces.styles.subarray(4 * face, 4 * face + countStyles(light, face));
    const scales = Array.from(styles, (style) => brightness * (strengths?.[style] ?? 1));
    for (const style of styles) used.add(style);
    const length = bytesOf(light, layout, number);
    for (let y = 0, from = faces.lightOffsets[face]!; y < down; y++) {
      let to = 4 * ((places[2 * number + 1]! + y) * width + places[2 * number]!);
      for (let x = 0; x < across; x++, from += sampleBytes, to += 4) {
        for (let color = 0; color < 3; color++) {
          const at = sampleBytes === 3 ? from + color : from;
          sum[color] = 0;
          for (let k = 0; k < scales.length; k++) sum[color]! += scales[k]! * lighting[at + k * length]!;
        }
        const scale = keepsHue ? Math.min(1, 255 / Math.max(sum[0]!, sum[1]!, sum[2]!, 1)) : 1;
        for (let color = 0; color < 3; color++) {
          pixels[to + color] = Math.min(255, Math.round(scale * sum[color]!));
        }
      }
    }
  }
  return { width, height, pixels, styles: [...used].sort((a, b) => a - b) };
}
