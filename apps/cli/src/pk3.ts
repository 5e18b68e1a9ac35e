import { type UnzipFileInfo, unzipSync } from 'fflate';
import { MapError, UsageError } from './errors.ts';
import { showBytes } from './numbers.ts';

/**
 * A map out of a pk3, which is a zip. As in the games, names are looked up whatever their case, and where a name
 * stands twice the later file counts. Without `inner` the pk3 must hold one map alone.
 */
export function readFromPk3(
  path: string,
  pk3: Uint8Array,
  inner: string | undefined,
  limit: number,
): Uint8Array {
  const maps = listMaps(path, pk3);
  const wanted = inner?.replaceAll('\\', '/').toLowerCase();
  const names = new Map(maps.map((entry) => [entry.name.toLowerCase(), entry]));
  if (wanted === undefined && names.size !== 1) {
    throw new UsageError(`${path}: name the map in it, ${path}:INNER/PATH.bsp. It holds ${listed(names)}`);
  }
  const entry = wanted === undefined ? [...names.values()][0]! : names.get(wanted);
  if (!entry) throw new MapError(`${path}: has no ${inner}. It holds ${listed(names)}`);
  if (entry.originalSize > limit) {
    throw new MapError(
      `${path}:${entry.name}: unpacks to ${showBytes(entry.originalSize)}, but at most ${showBytes(limit)} are read`,
    );
  }
  let left = maps.filter(({ name }) => name === entry.name).length;
  const files = unzip(path, pk3, ({ name }) => name === entry.name && --left === 0);
  return files[entry.name]!;
}

function listMaps(path: string, pk3: Uint8Array): UnzipFileInfo[] {
  const maps: UnzipFileInfo[] = [];
  unzip(path, pk3, (entry) => {
    if (/\.bsp$/i.test(entry.name)) maps.push(entry);
    return false;
  });
  return maps;
}

function unzip(
  path: string,
  pk3: Uint8Array,
  filter: (entry: UnzipFileInfo) => boolean,
): Record<string, Uint8Array> {
  try {
    return unzipSync(pk3, { filter });
  } catch (error) {
    throw new MapError(`${path}: is not a pk3 (a zip), or a damaged one: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function listed(names: ReadonlyMap<string, UnzipFileInfo>): string {
  if (names.size === 0) return 'no maps';
  const shown = [...names.values()].slice(0, 12).map(({ name }) => name);
  if (names.size > shown.length) shown.push(`and ${names.size - shown.length} more`);
  return shown.join(', ');
}
