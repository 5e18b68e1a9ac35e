import type { LightmapOptions } from '@bspkit/core';
import type { BspFile, BspFormat, BspFormatEntry } from '@bspkit/core/format';
import { detectBsp, FORMATS } from 'bspkit';
import type { OpenMap } from '../app/open-map.ts';
import { FileError } from './unpack.ts';

/** Formats that are opened, in the order of their list. */
const ENTRIES: readonly BspFormatEntry[] = FORMATS;

/**
 * Opens a map's bytes, of whatever format.
 * @throws (rejects with) FileError for anything but a map, saying what it is; BspError for one that is broken.
 */
export async function openBytes(
  bytes: Uint8Array,
  about: Pick<OpenMap, 'name' | 'isOwn' | 'text' | 'original' | 'materials' | 'lit'>,
): Promise<OpenMap> {
  const found = detectBsp(bytes);
  if (found.format === undefined) throw new FileError(`the file is ${found.name}; ${found.advice}`);
  const format = await ENTRIES.find(({ id }) => id === found.format)!.load();
  const file = format.read(bytes);
  const world = format.createWorld([file]);
  const light = lightOf(format, file, about.lit);
  return { ...about, bytes, file, format, world, ...light, surfaces: format.polygons(world) };
}

/** The light of a map, or that beside it, if that fits: without, the map can be shown all the same. */
function lightOf(
  { lightmaps }: BspFormat,
  file: BspFile,
  lit: Uint8Array | undefined,
): Pick<OpenMap, 'light' | 'lightError'> {
  let lightError: unknown;
  // Whether it takes such a file, the format says.
  for (const options of lit ? [{ lit } as LightmapOptions, undefined] : [undefined]) {
    try {
      return { light: lightmaps?.(file, options), lightError };
    } catch (error) {
      lightError ??= error;
    }
  }
  return { light: undefined, lightError };
}

/** Whether a file may hold maps: by its name, or by how it begins. */
export const isMapFile = (name: string, beginning: Uint8Array): boolean =>
  /\.(bsp|gz|pk3|pkz|zip|pak|map)$/i.test(name) || detectBsp(beginning).format !== undefined;

/** Fetches what it takes to open a format's maps. */
export async function preloadFormat(id: string): Promise<void> {
  await ENTRIES.find((entry) => entry.id === id)?.load();
}
