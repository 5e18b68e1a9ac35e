import { describeBytes } from '@bspkit/core/detect';
import { listPak } from '@bspkit/core/pak';
import { MapError, UsageError, withMapName } from './errors.ts';
import type { FileParts } from './files.ts';
import { showBytes } from './numbers.ts';
import { printable } from './printable.ts';
import { listZip, unzipEntry, ZipError } from './zip.ts';

// Archives in which games keep their files: pk3, which is a zip, and pak.

const PAK = 'PACK';

/** What an archive is opened for: files with an ending, and what to call them. */
export interface ArchiveKind {
  readonly ending: string;
  readonly what: string;
  readonly several: string;
}

/** A file in an archive. */
interface ArchiveEntry {
  readonly name: string;
  /** Bytes, once unpacked. */
  readonly size: number;
  /** Bytes that unpacking goes through: what is packed may be far more than what comes of it. */
  readonly work: number;
  /** Throws `MapError`. */
  unpack(): Uint8Array;
}

/** A file from an archive. Without `inner`, the archive must contain exactly one of the kind. */
export function readFromArchive(
  path: string,
  archive: FileParts,
  inner: string | undefined,
  limit: number,
  kind: ArchiveKind,
): Uint8Array {
  const files = listArchive(path, archive);
  const wanted = inner === undefined ? undefined : keyOf(inner);
  const own = wanted?.endsWith(kind.ending) ? files.get(wanted) : undefined;
  const entry = own ?? chooseFrom(path, files, inner, kind);
  if (entry.size > limit) {
    throw new MapError(`${path}:${entry.name}: unpacks to ${tooLarge(entry.size, limit)}`);
  }
  return entry.unpack();
}

/** The only file of a kind. Throws `MapError` or `UsageError` if there are others, or another one was asked for. */
function chooseFrom(
  path: string,
  files: ReadonlyMap<string, ArchiveEntry>,
  inner: string | undefined,
  { ending, what, several }: ArchiveKind,
): ArchiveEntry {
  const entries = [...files].filter(([name]) => name.endsWith(ending)).map(([, entry]) => entry);
  if (entries.length === 0) throw new MapError(`${path}: holds no ${several}`);
  if (inner !== undefined) throw new MapError(`${path}: has no ${inner}. It holds ${listed(entries)}`);
  if (entries.length === 1) return entries[0]!;
  throw new UsageError(
    `${path}: name the ${what} in it, ${path}:INNER/PATH${ending}. It holds ${listed(entries)}`,
  );
}

/** All files with an ending from an archive, sorted by name; `limit` is for all of them together. */
export function readAllFromArchive(
  path: string,
  archive: FileParts,
  limit: number,
  { ending, several }: ArchiveKind,
): { readonly name: string; readonly bytes: Uint8Array }[] {
  const files = [...listArchive(path, archive)].filter(([name]) => name.endsWith(ending));
  const entries = files.sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) throw new MapError(`${path}: holds no ${several}`);
  // Entries may share their bytes, so that a small file unpacks to any amount, or unpacks any amount to nothing.
  const work = entries.reduce((sum, [, entry]) => sum + entry.work, 0);
  if (work > limit) throw new MapError(`${path}: its ${several} take ${tooLarge(work, limit)}`);
  return entries.map(([, entry]) => ({ name: `${path}:${entry.name}`, bytes: entry.unpack() }));
}

/** Files of archives that are open: one may be asked for many. */
const listings = new WeakMap<FileParts, ReadonlyMap<string, ArchiveEntry>>();

/** Files by name, in upper or lower case; if a name occurs twice, which file counts is as in the games. */
function listArchive(path: string, archive: FileParts): ReadonlyMap<string, ArchiveEntry> {
  const known = listings.get(archive);
  if (known) return known;
  const first = archive.read(0, Math.min(64, archive.size));
  const begins = String.fromCharCode(...first.subarray(0, 4));
  const isPak = begins === PAK;
  // The error for a web page that is called a pak must not be about zips.
  if (!isPak && /\.pak$/i.test(path) && !begins.startsWith('PK')) {
    const { name, advice } = describeBytes(first);
    throw new MapError(`${path}: the file is ${name}, not a pak${advice && `; ${advice}`}`);
  }
  const files = isPak ? pakEntries(path, archive) : zipEntries(path, archive);
  const listing = new Map(files.map((entry) => [keyOf(entry.name), entry] as const));
  listings.set(archive, listing);
  return listing;
}

/** The key by which a file is looked up. */
const keyOf = (name: string): string => name.replaceAll('\\', '/').toLowerCase();

/** If a name occurs twice, the last file counts. */
function zipEntries(path: string, zip: FileParts): ArchiveEntry[] {
  const wrong = `${path}: is not a pk3 (a zip), or a damaged one`;
  const files = withMapName(wrong, () => listZip(zip), ZipError);
  return files.map((file) => ({
    name: file.name,
    size: file.size,
    work: Math.max(file.size, file.packed),
    unpack: () => withMapName(`${path}:${file.name}`, () => unzipEntry(zip, file), ZipError),
  }));
}

/** If a name occurs twice, the first file counts. */
function pakEntries(path: string, pak: FileParts): ArchiveEntry[] {
  const seen = new Set<string>();
  return withMapName(path, () => listPak(pak.size, pak.read)).flatMap(({ name, offset, length }) => {
    const isSeen = seen.has(keyOf(name));
    seen.add(keyOf(name));
    return isSeen ? [] : { name, size: length, work: length, unpack: () => pak.read(offset, length) };
  });
}

const tooLarge = (size: number, limit: number): string =>
  `${showBytes(size)}, but at most ${showBytes(limit)} are read`;

function listed(entries: readonly ArchiveEntry[]): string {
  const shown = entries.slice(0, 12).map(({ name }) => printable(name, 100));
  if (entries.length > shown.length) shown.push(`and ${entries.length - shown.length} more`);
  return shown.join(', ');
}
