import { MapError, UsageError, withMapName } from './errors.ts';
import { showBytes } from './numbers.ts';
import { printable } from './printable.ts';
import { listZip, unzipEntry, type ZipEntry, ZipError } from './zip.ts';

/** What a pk3 is opened for: files of one ending, and what they are. */
export interface Pk3Kind {
  readonly ending: string;
  readonly what: string;
}

/**
 * A file out of a pk3, which is a zip. Without `inner` the pk3 must hold one of the kind alone.
 */
export function readFromPk3(
  path: string,
  pk3: Uint8Array,
  inner: string | undefined,
  limit: number,
  { ending, what }: Pk3Kind,
): Uint8Array {
  const names = listPk3(path, pk3, ending);
  const wanted = inner?.replaceAll('\\', '/').toLowerCase();
  if (names.size === 0) throw new MapError(`${path}: holds no ${what}s`);
  if (wanted === undefined && names.size !== 1) {
    throw new UsageError(
      `${path}: name the ${what} in it, ${path}:INNER/PATH${ending}. It holds ${listed(names)}`,
    );
  }
  const entry = wanted === undefined ? [...names.values()][0]! : names.get(wanted);
  if (!entry) throw new MapError(`${path}: has no ${inner}. It holds ${listed(names)}`);
  return unpack(path, pk3, entry, limit);
}

/** All files of an ending out of a pk3, with their names, by these; `limit` is for all of them together. */
export function readAllFromPk3(
  path: string,
  pk3: Uint8Array,
  limit: number,
  { ending, what }: Pk3Kind,
): { readonly name: string; readonly bytes: Uint8Array }[] {
  const entries = [...listPk3(path, pk3, ending)].sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) throw new MapError(`${path}: holds no ${what}s`);
  // Entries may share their bytes, so that a small file unpacks to any amount.
  const size = entries.reduce((sum, [, entry]) => sum + entry.size, 0);
  if (size > limit) throw new MapError(`${path}: its ${what}s unpack to ${tooLarge(size, limit)}`);
  return entries.map(([, entry]) => ({
    name: `${path}:${entry.name}`,
    bytes: unpack(path, pk3, entry, limit),
  }));
}

/** As in the games, names are looked up whatever their case, and where a name stands twice the later file counts. */
function listPk3(path: string, pk3: Uint8Array, ending: string): ReadonlyMap<string, ZipEntry> {
  const wrong = `${path}: is not a pk3 (a zip), or a damaged one`;
  const files = withMapName(wrong, () => listZip(pk3), ZipError);
  const named = files.map((entry) => [entry.name.toLowerCase(), entry] as const);
  return new Map(named.filter(([name]) => name.endsWith(ending)));
}

function unpack(path: string, pk3: Uint8Array, entry: ZipEntry, limit: number): Uint8Array {
  if (entry.size > limit) {
    throw new MapError(`${path}:${entry.name}: unpacks to ${tooLarge(entry.size, limit)}`);
  }
  return withMapName(`${path}:${entry.name}`, () => unzipEntry(pk3, entry), ZipError);
}

const tooLarge = (size: number, limit: number): string =>
  `${showBytes(size)}, but at most ${showBytes(limit)} are read`;

function listed(names: ReadonlyMap<string, ZipEntry>): string {
  const shown = [...names.values()].slice(0, 12).map(({ name }) => printable(name, 100));
  if (names.size > shown.length) shown.push(`and ${names.size - shown.length} more`);
  return shown.join(', ');
}
