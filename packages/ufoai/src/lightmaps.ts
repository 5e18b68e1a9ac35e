import type { LightmapAtlas, LightmapOptions } from '@bspkit/core';
import {
  blackPixels,
  checkFileOf,
  checkFlag,
  type LightmapLayout,
  layoutLightmaps,
  lightmapBrightness,
} from '@bspkit/core/format';
import { checks } from './check.ts';
import type { UfoaiFile } from './file.ts';
import { readFaces, type UfoaiFaces } from './mesh-faces.ts';

// The content of the light lumps was found out by measuring 12 of the game's own maps: byte 0 is the power of 2 of the texels
// between samples (4); then there are six bytes per sample, row by row from each face's offset on: red, green, blue, and the
// direction that light comes from, which is ignored here.

export const SAMPLE_BYTES = 6;
/** The greatest power of 2 that is accepted as the distance of samples. */
const MAX_POWER = 8;

/** How lightmaps are made. */
export interface UfoaiLightmapOptions extends LightmapOptions {
  /** The light at night instead of by day; false by default. */
  readonly night?: boolean | undefined;
}

/** Where lightmaps are placed; night and day have the same places. */
export interface UfoaiLightmapLayout extends LightmapLayout {
  /** Texels from sample to sample. */
  readonly step: number;
}

/** Lumps of light, in the order of a face's two offsets. */
export const LIGHTS = ['lightingNight', 'lightingDay'] as const;

/** Texels from sample to sample; `undefined` for a map without light. Throws `BspError` for numbers that do not go together. */
export function lightStep({ lumps }: UfoaiFile): number | undefined {
  let power: number | undefined;
  for (const name of LIGHTS) {
    const light = lumps[name];
    if (light.length <= 1) continue;
    const own = light[0]!;
    if (own > MAX_POWER)
      checks.fail('value', name, undefined, `samples are 2^${own} texels apart, more than 2^${MAX_POWER}`);
    power ??= own;
    if (own !== power)
      checks.fail('value', name, undefined, `samples are 2^${own} texels apart, but 2^${power} at night`);
  }
  return power === undefined ? undefined : 2 ** power;
}

/**
 * Places the lightmaps of all faces; `undefined` for a map without light. Throws `BspError` for light that is not in the file.
 */
export function lightmapLayout(file: UfoaiFile, faces: UfoaiFaces): UfoaiLightmapLayout | undefined {
  const lights = LIGHTS.map((name) => file.lumps[name]);
  const step = lightStep(file);
  if (step === undefined) return undefined;
  const offsets = faces.lightOffsets;
  const isLit = (face: number): boolean =>
    lights.some(({ length }, k) => length > 1 && offsets[2 * face + k]! > 0);
  const layout = layoutLightmaps(faces, step, (face) => (isLit(face) ? 'lit' : 'unlit'), checks);
  for (const [k, { length }] of lights.entries()) {
    const lengths = new Int32Array(faces.count);
    for (let face = 0; face < faces.count && length > 1; face++) {
      const [number, offset] = [layout.numbers[face]!, offsets[2 * face + k]!];
      if (number <= 0 || offset <= 0) continue;
      lengths[face] = SAMPLE_BYTES * layout.sizes[2 * number]! * layout.sizes[2 * number + 1]!;
      checks.range('faces', face, 'bytes of light', offset, lengths[face]!, length);
    }
    checks.owned('faces', 'bytes of light', lengths, length);
  }
  return { ...layout, step };
}

/**
 * The lightmaps of all faces in one picture, which the `lightmapCoords` of {@link mesh} refer to; `undefined` for a map without
 * light, such as those of our compiler. `brightness` is 1 by default, as in the file.
 *
 * @throws BspError for light that is not in the file, RangeError or TypeError for wrong options.
 */
export function lightmaps(file: UfoaiFile, options: UfoaiLightmapOptions = {}): LightmapAtlas | undefined {
  checkFileOf(file, 'ufoai', 'readUfoai');
  const brightness = lightmapBrightness(options, 1, ['night']);
  const { night = false } = options;
  checkFlag(night, 'night');
  const faces = readFaces(file);
  const layout = lightmapLayout(file, faces);
  const lump = night ? 'lightingNight' : 'lightingDay';
  const light = file.lumps[lump];
  if (!layout || light.length <= 1) return undefined;
  const { width, height, numbers, sizes, places } = layout;
  const pixels = blackPixels(layout);
  for (let face = 0; face < faces.count; face++) {
    const number = numbers[face]!;
    const offset = faces.lightOffsets[2 * face + (night ? 0 : 1)]!;
    if (number <= 0 || offset <= 0) continue;
    const [across, down] = [sizes[2 * number]!, sizes[2 * number + 1]!];
    for (let y = 0, from = offset; y < down; y++) {
      let to = 4 * ((places[2 * number + 1]! + y) * width + places[2 * number]!);
      for (let x = 0; x < across; x++, from += SAMPLE_BYTES, to += 4) {
        for (let color = 0; color < 3; color++) {
          pixels[to + color] = Math.min(255, Math.round(brightness * light[from + color]!));
        }
      }
    }
  }
  return { width, height, pixels, styles: [] };
}
