import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type ArchiveKind, readAllFromArchive, readFromArchive } from './archive.ts';
import { demoMap } from './demo-maps.ts';
import { MapError } from './errors.ts';
import { listFolder, readFile, readParts } from './files.ts';
import { showBytes } from './numbers.ts';
import type { Session } from './session.ts';

/** No map of these games comes near this size; a larger file is refused before it is read. */
const MAX_MAP_BYTES = 512_000_000;
const MAX_ARCHIVE_BYTES = 2_000_000_000;

const MAPS: ArchiveKind = { ending: '.bsp', what: 'map', several: 'maps' };
const SOURCES: ArchiveKind = { ending: '.map', what: 'map source', several: 'map sources' };
const SCRIPTS: ArchiveKind = { ending: '.shader', what: 'shader script', several: 'shader scripts' };

const DEMO = /^demo:(.*)$/;
// As `.` takes line breaks too, what follows the colon fits at once: for a name with thousands of colons it would be tried for each.
const PACKED = /^(.+\.(?:pk3|pkz|zip|pak))(?::(.+))?$/is;

/** Whether a word can only mean a map. */
export const isMapName = (name: string): boolean =>
  DEMO.test(name) || PACKED.test(name) || /\.bsp(\.gz)?$/i.test(name);

/** Whether a word can only mean the source of a map. */
export const isSourceName = (name: string): boolean => /\.map(\.gz)?$/i.test(name);

/** How maps are named, for the help of a command that takes one. */
export const MAP_FORMS = 'a file, pk3:path or demo:name (see bspkit help)';

/** The archive that a file is in, and its name there if given; `undefined` for a file that is not in one. */
export function splitPacked(
  name: string,
): { readonly path: string; readonly inner: string | undefined } | undefined {
  const [, path, inner] = PACKED.exec(name) ?? [];
  return path === undefined ? undefined : { path, inner };
}

/** A map's name alone: without folders and endings, unless nothing is left then. */
export const titleOf = (name: string): string =>
  name.replace(/^.*[/\\:]/s, '').replace(/(\.bsp)?(\.gz)?$/i, '') || name;

/** The file that contains a map: the archive, if it is in one. */
export const fileOfMap = (name: string): string => splitPacked(name)?.path ?? name;

/** The name of a map that comes with the command, from `demo:NAME`; `undefined` for any other map. */
export const demoName = (name: string): string | undefined => DEMO.exec(name)?.[1];

/**
 * A map's bytes: from `demo:NAME`, `FILE.pk3:INNER/PATH.bsp`, the same with a pak, or a file, gzipped or not.
 * @throws MapError saying what is wrong, after the map's name.
 */
export function readMap(name: string, session: Session): Uint8Array {
  const demo = demoName(name);
  if (demo !== undefined) return demoMap(demo);
  const packed = splitPacked(name);
  if (packed) return openPack(packed.path, session, ({ map }) => map(packed.inner));
  const bytes = gunzip(name, readMapFile(name, session));
  // Text in place of a map is recognised by how it begins, which must not be the byte order mark of UTF-8.
  return Buffer.from(bytes.subarray(0, 3)).equals(MARK) ? bytes.subarray(3) : bytes;
}

/** What Windows editors put at the beginning of text. */
const MARK = Buffer.from('\ufeff');

/** Files of an archive. Without a name, it must contain exactly one of the kind. Throws `MapError`. */
export interface Pack {
  map(inner: string | undefined): Uint8Array;
  file(inner: string | undefined, limit: number, kind: ArchiveKind): Uint8Array;
}

/** Opens an archive, for as long as it is used. Throws as {@link readMap} does. */
export function openPack<T>(path: string, session: Session, use: (pack: Pack) => T): T {
  return readParts(path, MAX_ARCHIVE_BYTES, session, (archive) => {
    const file: Pack['file'] = (inner, limit, kind) => readFromArchive(path, archive, inner, limit, kind);
    return use({ file, map: (inner) => file(inner, MAX_MAP_BYTES, MAPS) });
  });
}

/**
 * Bytes of the text of a map: a file, gzipped or not, or one in an archive, `FILE.pk3:INNER/PATH.map`. Throws as {@link readMap}
 * does.
 */
export function readMapText(name: string, limit: number, session: Session): Uint8Array {
  const packed = splitPacked(name);
  return packed
    ? openPack(packed.path, session, ({ file }) => file(packed.inner, limit, SOURCES))
    : gunzip(name, readFile(name, limit, session), limit);
}

/** Shader scripts, with their names: a file, one in an archive, or all in a folder or archive. Throws as {@link readMap} does. */
export function readScripts(
  name: string,
  limit: number,
  session: Session,
): { readonly name: string; readonly bytes: Uint8Array }[] {
  const packed = splitPacked(name);
  if (packed?.inner !== undefined) {
    return openPack(packed.path, session, ({ file }) => [
      { name, bytes: file(packed.inner, limit, SCRIPTS) },
    ]);
  }
  if (packed) {
    return readParts(name, MAX_ARCHIVE_BYTES, session, (archive) =>
      readAllFromArchive(name, archive, limit, SCRIPTS),
    );
  }
  const names = listFolder(name, session);
  const paths = names?.filter((file) => file.toLowerCase().endsWith(SCRIPTS.ending)).sort();
  if (paths?.length === 0) throw new MapError(`${name}: holds no ${SCRIPTS.several}`);
  const files = paths?.map((file) => join(name, file)) ?? [name];
  return files.map((file) => ({ name: file, bytes: gunzip(file, readFile(file, limit, session), limit) }));
}

function readMapFile(name: string, session: Session): Uint8Array {
  try {
    return readFile(name, MAX_MAP_BYTES, session);
  } catch (error) {
    const { message, cause } = error as Error;
    if (name === '-' || (cause as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT') throw error;
    throw new MapError(`${message}; demo:arena is a map that is always there`, { cause });
  }
}

/** Unpacks what begins like gzip; anything else stays as it is. Throws `MapError`. */
export function gunzip(name: string, bytes: Uint8Array, limit: number = MAX_MAP_BYTES): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: limit });
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const problem = tooLarge
      ? `unpacks to more than ${showBytes(limit)}`
      : `is a damaged gzip file: ${(error as Error).message}`;
    throw new MapError(`${name}: ${problem}`, { cause: error });
  }
}
