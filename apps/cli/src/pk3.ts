import { MapError, UsageError, withMapName } from './errors.ts';
import { showBytes } from './numbers.ts';
import { printable } from './printable.ts';
import { listZip, unzipEntry, type ZipEntry, ZipError } from './zip.ts';

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
  const wrong = `${path}: is not a pk3 (a zip), or a damaged one`;
  const files = withMapName(wrong, () => listZip(pk3), ZipError);
  const maps = files.filter(({ name }) => /\.bsp$/i.test(name));
  const wanted = inner?.replaceAll('\\', '/').toLowerCase();
  const names = new Map(maps.map((entry) => [entry.name.toLowerCase(), entry]));
  if (names.size === 0) throw new MapError(`${path}: holds no maps`);
  if (wanted === undefined && names.size !== 1) {
    throw new UsageError(`${path}: name the map in it, ${path}:INNER/PATH.bsp. It holds ${listed(names)}`);
  }
  const entry = wanted === undefined ? [...names.values()][0]! : names.get(wanted);
  if (!entry) throw new MapError(`${path}: has no ${inner}. It holds ${listed(names)}`);
  if (entry.size > limit) {
    const size = `unpacks to ${showBytes(entry.size)}, but at most ${showBytes(limit)} are read`;
    throw new MapError(`${path}:${entry.name}: ${size}`);
  }
  return withMapName(`${path}:${entry.name}`, () => unzipEntry(pk3, entry), ZipError);
}

function listed(names: ReadonlyMap<string, ZipEntry>): string {
  const shown = [...names.values()].slice(0, 12).map(({ name }) => printable(name, 100));
  if (names.size > shown.length) shown.push(`and ${names.size - shown.length} more`);
  return shown.join(', ');
}
