import type { LightmapAtlas, LightmapOptions } from '@bspkit/core';
import {
  blackPixels,
  checkFileOf,
  type EdgeFaces,
  type LightmapLayout,
  layoutLightmaps,
  lightmapBrightness,
} from '@bspkit/core/format';
import { checks } from './check.ts';
import type { Quake1File } from './file.ts';

/** Texels between samples. */
export const STEP = 16;
/** Bit of a texture's flags: never lit, as liquids and sky are not. */
const SPECIAL = 1;
/** Light style that means none. */
const NO_STYLE = 255;
/** As much light as software rendering shows at most: twice a texture's own. */
const BRIGHTNESS = 2;

/** The faces of a file with all that they are made of. */
export const edgeFaces = ({ faces, texInfos, surfEdges, edges, vertexes }: Quake1File): EdgeFaces => ({
  ...{ ...faces, vectors: texInfos.vectors, surfEdges, edges, positions: vertexes.positions },
});

/**
 * Places the lightmaps of all faces; `undefined` for a map without light. Where a map has light, a face without is dark, as
 * in the engine. Throws `BspError` for light that is not in the file.
 */
export function lightmapLayout(file: Quake1File): LightmapLayout | undefined {
  const { faces, texInfos, lighting } = file;
  if (lighting.length === 0) return undefined;
  const layout = layoutLightmaps(
    edgeFaces(file),
    STEP,
    (face) => {
      if ((texInfos.flags[faces.texInfos[face]!]! & SPECIAL) !== 0) return 'unlit';
      return faces.lightOffsets[face]! < 0 || countStyles(file, face) === 0 ? 'dark' : 'lit';
    },
    checks,
  );
  const lengths = new Int32Array(faces.count);
  for (let face = 0; face < faces.count; face++) {
    const number = layout.numbers[face]!;
    if (number <= 0) continue;
    lengths[face] = sampleBytes(file) * countStyles(file, face) * samplesAt(layout, number);
    checks.range('faces', face, 'bytes of light', faces.lightOffsets[face]!, lengths[face]!, lighting.length);
  }
  checks.owned('faces', 'bytes of light', lengths, lighting.length);
  return layout;
}

const samplesAt = ({ sizes }: LightmapLayout, number: number): number =>
  sizes[2 * number]! * sizes[2 * number + 1]!;

/** Bytes of a sample: Half-Life's are coloured. */
const sampleBytes = ({ version }: Quake1File): 1 | 3 => (version === 30 ? 3 : 1);

/** How many of a face's four styles are used; those behind an unused one are not. */
function countStyles({ faces: { styles } }: Quake1File, face: number): number {
  let count = 0;
  while (count < 4 && styles[4 * face + count] !== NO_STYLE) count++;
  return count;
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
  const pixels = blackPixels(layout);
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
    const length = bytes * samplesAt(layout, number);
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
          pixels[to + color] = Math.min(255, Math.round(sum));
        }
      }
    }
  }
  return { width, height, pixels, styles: [...used].sort((a, b) => a - b) };
}
