import type { BspFormatEntry } from '@bspkit/core/format';
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
  about: Pick<OpenMap, 'name' | 'isOwn' | 'text' | 'original' | 'materials'>,
): Promise<OpenMap> {
  const found = detectBsp(bytes);
  if (found.format === undefined) throw new FileError(`the file is ${found.name}; ${found.advice}`);
  const format = await ENTRIES.find(({ id }) => id === found.format)!.load();
  const file = format.read(bytes);
  const world = format.createWorld([file]);
  return { ...about, bytes, file, format, world, surfaces: format.polygons(world) };
}

/** Whether a file may hold maps: by its name, or by how it begins. */
export const isMapFile = (name: string, beginning: Uint8Array): boolean =>
  /\.(bsp|gz|pk3|pkz|zip|pak|map)$/i.test(name) || detectBsp(beginning).format !== undefined;

/** Fetches what it takes to open a format's maps. */
export async function preloadFormat(id: string): Promise<void> {
  await ENTRIES.find((entry) => entry.id === id)?.load();
}
