import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { demoMap } from './demo-maps.ts';
import { MapError } from './errors.ts';
import { listFolder, readFile } from './files.ts';
import { showBytes } from './numbers.ts';
import { type Pk3Kind, readAllFromPk3, readFromPk3 } from './pk3.ts';
import type { Session } from './session.ts';

/** No map of these games comes near it; a file above it is refused before it is read. */
const MAX_MAP_BYTES = 512 * 1024 * 1024;
const MAX_PK3_BYTES = 2 ** 31 - 1;

const MAPS: Pk3Kind = { ending: '.bsp', what: 'map' };
const SOURCES: Pk3Kind = { ending: '.map', what: 'map source' };
const SCRIPTS: Pk3Kind = { ending: '.shader', what: 'shader script' };

const DEMO = /^demo:(.*)$/;
/** What asks for a map in an archive of the older games. */
const IN_PAK = /\.pak:/i;
const PACKED = /^(.+\.(?:pk3|zip))(?::(.+))?$/i;

/** Whether a word can only be meant as a map. */
export const isMapName = (name: string): boolean =>
  DEMO.test(name) || PACKED.test(name) || /\.bsp(\.gz)?$/i.test(name);

/** The file that holds a map: that of the pk3, where it is in one. */
export const fileOfMap = (name: string): string => PACKED.exec(name)?.[1] ?? name;

/** The name of a map that comes with the command, out of `demo:NAME`; `undefined` for any other map. */
export const demoName = (name: string): string | undefined => DEMO.exec(name)?.[1];

/**
 * A map's bytes: of `demo:NAME`, `FILE.pk3:INNER/PATH.bsp`, or a file, gzipped or not.
 * @throws MapError saying what is wrong, after the map's name.
 */
export function readMap(name: string, session: Session): Uint8Array {
  const demo = demoName(name);
  if (demo !== undefined) return demoMap(demo);
  const packed = PACKED.exec(name);
  if (packed) {
    const [, path, inner] = packed as unknown as [string, string, string | undefined];
    return readFromPk3(path, readPk3(path, session), inner, MAX_MAP_BYTES, MAPS);
  }
  return gunzip(name, readMapFile(name, session));
}

/** Bytes of the text of a map: a file, or `FILE.pk3:INNER/PATH.map`. Throws as {@link readMap} does. */
export function readMapText(name: string, limit: number, session: Session): Uint8Array {
  const [, path, inner] = PACKED.exec(name) ?? [];
  return path === undefined
    ? readFile(name, limit, session)
    : readFromPk3(path, readPk3(path, session), inner, limit, SOURCES);
}

/** Shader scripts, with their names: a file, or all of a folder or of a pk3. Throws as {@link readMap} does. */
export function readScripts(
  name: string,
  limit: number,
  session: Session,
): { readonly name: string; readonly bytes: Uint8Array }[] {
  if (PACKED.test(name)) return readAllFromPk3(name, readPk3(name, session), limit, SCRIPTS);
  const names = listFolder(name, session);
  const paths = names?.filter((file) => file.toLowerCase().endsWith(SCRIPTS.ending)).sort();
  if (paths?.length === 0) throw new MapError(`${name}: holds no ${SCRIPTS.what}s`);
  const files = paths?.map((file) => join(name, file)) ?? [name];
  return files.map((file) => ({ name: file, bytes: readFile(file, limit, session) }));
}

const readPk3 = (path: string, session: Session): Uint8Array => readFile(path, MAX_PK3_BYTES, session);

function readMapFile(name: string, session: Session): Uint8Array {
  try {
    return readFile(name, MAX_MAP_BYTES, session);
  } catch (error) {
    const { message, cause } = error as Error;
    if ((cause as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT') throw error;
    const hint = IN_PAK.test(name)
      ? 'paks are not read, so unpack it first'
      : 'demo:arena is a map that is always there';
    throw new MapError(`${message}; ${hint}`, { cause });
  }
}

/** Unpacks what begins like a gzip; anything else stays as it is. Throws `MapError`. */
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
