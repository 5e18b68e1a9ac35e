import type { LightmapAtlas, LightmapOptions } from '@bspkit/core';
import { blackPixels, checkFileOf, lightmapBrightness } from '@bspkit/core/format';
import { checks } from './check.ts';
import type { Quake3File } from './file.ts';

/** Side of a lightmap in pixels, and its size in bytes: red, green, blue. */
const SIDE = 128;
const PAGE_BYTES = 3 * SIDE * SIDE;

/** The engine shows lightmaps four times as bright: what it calls two bits of overbright. */
export const BRIGHTNESS = 4;

/** How the lightmaps of a file are arranged in their atlas: in rows of `columns`, the first one at the top left. */
export interface LightmapPages {
  readonly count: number;
  readonly columns: number;
  readonly rows: number;
}

export function lightmapPages({ lightmaps }: Quake3File): LightmapPages {
  if (lightmaps.length % PAGE_BYTES !== 0) {
    const problem = `length ${lightmaps.length} is not a multiple of ${PAGE_BYTES}`;
    checks.fail('lump-size', 'lightmaps', undefined, problem);
  }
  const count = lightmaps.length / PAGE_BYTES;
  const columns = Math.ceil(Math.sqrt(count));
  return { count, columns, rows: columns && Math.ceil(count / columns) };
}

/** Turns coordinates in a lightmap, two per vertex, into coordinates in the atlas. */
export function placeInAtlas({ columns, rows }: LightmapPages, lightmap: number, coords: Float32Array): void {
  const [column, row] = [lightmap % columns, Math.floor(lightmap / columns)];
  for (let k = 0; k < coords.length; k += 2) {
    coords[k] = (column + coords[k]!) / columns;
    coords[k + 1] = (row + coords[k + 1]!) / rows;
  }
}

/**
 * All lightmaps of a map in one picture, to which the `lightmapCoords` of {@link mesh} refer; `undefined` for a map without.
 * `brightness` is 4 by default, as the engine shows them; anything that would be brighter than 255 keeps its hue, as there: all
 * three colours are made darker. For maps of some compilers, lightmaps are separate picture files.
 *
 * @throws BspError for a lump that is not a whole number of lightmaps, RangeError or TypeError for wrong options.
 */
export function lightmaps(file: Quake3File, options: LightmapOptions = {}): LightmapAtlas | undefined {
  checkFileOf(file, 'quake3', 'readQuake3');
  const brightness = lightmapBrightness(options, BRIGHTNESS);
  const { count, columns, rows } = lightmapPages(file);
  if (count === 0) return undefined;
  const [width, height] = [SIDE * columns, SIDE * rows];
  const pixels = blackPixels({ width, height });
  const samples = file.lightmaps;
  for (let page = 0, from = 0; page < count; page++) {
    const left = SIDE * (page % columns);
    const top = SIDE * Math.floor(page / columns);
    for (let y = 0; y < SIDE; y++) {
      for (let to = 4 * ((top + y) * width + left), x = 0; x < SIDE; x++, from += 3, to += 4) {
        const [red, green, blue] = [samples[from]!, samples[from + 1]!, samples[from + 2]!];
        const scale = Math.min(brightness, 255 / Math.max(red, green, blue, 1));
        pixels[to] = Math.round(red * scale);
        pixels[to + 1] = Math.round(green * scale);
        pixels[to + 2] = Math.round(blue * scale);
      }
    }
  }
  return { width, height, pixels, styles: [] };
}
