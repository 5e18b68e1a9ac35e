import type { LightmapAtlas, LightmapOptions } from '@bspkit/core';
import {
  blackPixels,
  checkFileOf,
  type LightmapLayout,
  layoutLightmaps,
  lightmapBrightness,
} from '@bspkit/core/format';
import { checks } from './check.ts';
import { SURFACE_NODRAW, SURFACE_SKY, SURFACE_TRANS33, SURFACE_TRANS66, SURFACE_WARP } from './constants.ts';
import type { Quake2File } from './file.ts';
import { type Quake2Faces, readFaces } from './mesh-faces.ts';

/** Texels between samples. */
export const STEP = 16;
/** Surface flags of what is never lit. */
const UNLIT: number = SURFACE_SKY | SURFACE_WARP | SURFACE_TRANS33 | SURFACE_TRANS66 | SURFACE_NODRAW;
/** Light style that means none. */
const NO_STYLE = 255;

/**
 * Places the lightmaps of all faces; `undefined` for a map without light. Where a map has light, a face without is dark.
 * Throws `BspError` for light that is not in the file.
 */
export function lightmapLayout(file: Quake2File, faces: Quake2Faces): LightmapLayout | undefined {
  const { length } = file.lumps.lighting;
  if (length === 0) return undefined;
  const layout = layoutLightmaps(
    faces,
    STEP,
    (face) => {
      if ((file.textures[faces.texInfos[face]!]!.surfaceFlags & UNLIT) !== 0) return 'unlit';
      return faces.lightOffsets[face]! < 0 || countStyles(faces, face) === 0 ? 'dark' : 'lit';
    },
    checks,
  );
  const lengths = new Int32Array(faces.count);
  for (let face = 0; face < faces.count; face++) {
    const number = layout.numbers[face]!;
    if (number <= 0) continue;
    lengths[face] = countStyles(faces, face) * bytesOf(layout, number);
    checks.range('faces', face, 'bytes of light', faces.lightOffsets[face]!, lengths[face]!, length);
  }
  checks.owned('faces', 'bytes of light', lengths, length);
  return layout;
}

/** Bytes of one style of a lightmap: red, green and blue of each sample. */
const bytesOf = ({ sizes }: LightmapLayout, number: number): number =>
  3 * sizes[2 * number]! * sizes[2 * number + 1]!;

/** How many of a face's four styles are used; those behind an unused one are not. */
function countStyles({ styles }: Quake2Faces, face: number): number {
  let count = 0;
  while (count < 4 && styles[4 * face + count] !== NO_STYLE) count++;
  return count;
}

/**
 * The lightmaps of all faces in one picture, at which the `lightmapCoords` of {@link mesh} point; `undefined` for a map
 * without light. The light of a face's styles is summed, each as bright as `styles` says. `brightness` is 1 by default, as
 * in the file; what would be brighter than 255 keeps its hue, as in the engine: all three colours are made darker.
 *
 * @throws BspError for light that is not in the file, RangeError or TypeError for wrong options.
 */
export function lightmaps(file: Quake2File, options: LightmapOptions = {}): LightmapAtlas | undefined {
  checkFileOf(file, 'quake2', 'readQuake2');
  const brightness = lightmapBrightness(options, 1);
  const faces = readFaces(file);
  const layout = lightmapLayout(file, faces);
  if (!layout) return undefined;
  const { width, height, numbers, sizes, places } = layout;
  const { lighting } = file.lumps;
  const pixels = blackPixels(layout);
  const used = new Set<number>();
  for (let face = 0; face < faces.count; face++) {
    const number = numbers[face]!;
    if (number <= 0) continue;
    const [across, down] = [sizes[2 * number]!, sizes[2 * number + 1]!];
    const styles = faces.styles.subarray(4 * face, 4 * face + countStyles(faces, face));
    const scales = Array.from(styles, (style) => brightness * (options.styles?.[style] ?? 1));
    for (const style of styles) used.add(style);
    const length = bytesOf(layout, number);
    for (let y = 0, from = faces.lightOffsets[face]!; y < down; y++) {
      let to = 4 * ((places[2 * number + 1]! + y) * width + places[2 * number]!);
      for (let x = 0; x < across; x++, from += 3, to += 4) {
        const light = [0, 1, 2].map((color) =>
          scales.reduce((sum, scale, k) => sum + scale * lighting[from + k * length + color]!, 0),
        );
        const scale = Math.min(1, 255 / Math.max(...light, 1));
        for (let color = 0; color < 3; color++) pixels[to + color] = Math.round(scale * light[color]!);
      }
    }
  }
  return { width, height, pixels, styles: [...used].sort((a, b) => a - b) };
}
