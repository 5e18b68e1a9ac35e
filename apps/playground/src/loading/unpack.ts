import { COMPILE_TARGETS, type CompileFormat } from '@bspkit/compile';
import { type PakFile, readPak } from 'bspkit';
import { unzipSync } from 'fflate';
import type { InnerMap, Unpacked } from './messages.ts';
import { decode, FileError, readShaders } from './shaders.ts';

export { FileError };

// Files as people have them: maps as they are, packed by gzip, or in a game's archive, which is a zip or a pak.

/** The most that is unpacked, in bytes: ten times the largest map known. */
const MOST = 512e6;

/** The most that shader scripts beside a map take, in bytes. */
const MOST_SCRIPTS = 64e6;

/** The most files that a zip lists, as in games: a few bytes of zip64 could claim billions. */
const MOST_FILES = 65_535;

/** The bytes of a file. Rejects with a `FileError` where there are none: what browsers say of folders and huge files helps nobody. */
export async function bytesOf(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (cause) {
    const why = `the browser cannot read ${file.name}: it may be a folder, too large, or have been moved or deleted`;
    throw new FileError(why, { cause });
  }
}

/**
 * Takes a map out of a file. Throws `FileError`.
 *
 * @param inner - the path of one map in an archive.
 * @param isInner - whether the file comes out of an archive itself: nobody packs them deeper.
 */
export async function unpack(
  name: string,
  bytes: Uint8Array,
  inner?: string,
  isInner = false,
): Promise<Unpacked> {
  if (bytes.length === 0) throw new FileError('the file is empty');
  if (startsWith(bytes, [0x50, 0x4b])) return unpackZip(bytes, inner, isInner);
  if (startsWith(bytes, [0x50, 0x41, 0x43, 0x4b])) return unpackPak(bytes, inner);
  if (startsWith(bytes, [0x1f, 0x8b])) return asMap(name.replace(/\.gz$/i, ''), await gunzip(bytes));
  return asMap(name, bytes);
}

/** By its name, `.map` text; anything else is left to those who read maps. */
function asMap(name: string, bytes: Uint8Array): Exclude<Unpacked, { readonly kind: 'choice' }> {
  if (!isText(name)) return { kind: 'bsp', name, bytes, light: undefined };
  // Line ends as text fields have them, so that only what was typed counts as a change.
  const text = decode(bytes).replace(/\r\n?/g, '\n');
  return { kind: 'map', name, text, madeFor: madeFor(text), materials: undefined };
}

/** The game that text shows to be made for; `undefined` where nothing or too much does. */
function madeFor(text: string): CompileFormat | undefined {
  const found = COMPILE_TARGETS.filter(({ text: { signs } }) => signs?.test(text));
  return found.length === 1 ? found[0]!.id : undefined;
}

const isText = (name: string): boolean => /\.map$/i.test(name);

async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      size += part.value.length;
      if (size > MOST) throw new FileError(`it unpacks to more than ${megabytes(MOST)}`);
    }
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError('it begins as a gzip file, but is damaged or cut off', { cause: error });
  } finally {
    reader.cancel().catch(() => {});
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

async function unpackZip(bytes: Uint8Array, inner: string | undefined, isInner: boolean): Promise<Unpacked> {
  // macOS puts a second file of each name into its archives, with what other systems have no place for.
  const all = listFiles(bytes).filter(({ path }) => !/(^|\/)(__MACOSX\/|\._)/.test(path));
  const maps = sorted(all);
  // What is offered for download is often a game's archive, with a text beside it, in a zip.
  const archives =
    maps.length > 0 || isInner ? [] : all.filter(({ path }) => /\.(pk3|pkz|pak|zip)$/i.test(path));
  if (archives.length > 1)
    throw new FileError('it contains several archives; unpack it, and open one of them');
  const wanted = archives[0] ?? wantedOf(maps, inner);
  if (!wanted) return { kind: 'choice', maps };
  // The last of a name counts.
  const light = all.filter(({ path }) => isLightOf(path, wanted.path)).at(-1);
  const whole = [wanted, ...(light ? [light] : [])];
  for (const { path, size } of whole) {
    if (size > MOST) throw new FileError(`${path} unpacks to more than ${megabytes(MOST)}`);
  }
  // Files may share their bytes, so that a small archive unpacks to any amount, or unpacks any amount to nothing.
  const left = new Map(whole.map((one) => [one.path, all.filter(({ path }) => path === one.path).length]));
  let work = 0;
  const files = unzipped(bytes, ({ name, size, originalSize }) => {
    const others = left.get(name);
    if (others !== undefined) {
      left.set(name, others - 1);
      return others === 1;
    }
    if (!isText(wanted.path) || !isScript(name)) return false;
    work += Math.max(size, originalSize);
    return work <= MOST_SCRIPTS;
  });
  if (work > MOST_SCRIPTS)
    throw new FileError(`its shader scripts take more than ${megabytes(MOST_SCRIPTS)}`);
  for (const { path, size } of whole) {
    if (files[path]!.length !== size) throw new FileError(`${path} in it is damaged`);
  }
  const file = files[wanted.path]!;
  if (archives.length > 0) return unpack(wanted.path, file, inner, true);
  const map = asMap(baseOf(wanted.path), file);
  if (map.kind === 'bsp')
    return { ...map, light: light && { name: baseOf(light.path), bytes: files[light.path]! } };
  const scripts = Object.entries(files).filter(([path]) => path !== wanted.path);
  if (scripts.length === 0) return map;
  return { ...map, materials: readShaders(scripts) };
}

function unpackPak(bytes: Uint8Array, inner: string | undefined): Unpacked {
  let files: PakFile[];
  try {
    files = readPak(bytes);
  } catch (error) {
    throw new FileError('it begins as a pak archive, but is damaged or cut off', { cause: error });
  }
  // The first of a name counts.
  const maps = sorted(files.map(({ name, bytes }) => ({ path: name, size: bytes.length })).reverse());
  const wanted = wantedOf(maps, inner);
  if (!wanted) return { kind: 'choice', maps };
  // A copy, without the rest of the archive.
  const map = asMap(baseOf(wanted.path), files.find(({ name }) => name === wanted.path)!.bytes.slice());
  const light = files.find(({ name }) => isLightOf(name, wanted.path));
  return map.kind === 'bsp' && light
    ? { ...map, light: { name: baseOf(light.name), bytes: light.bytes.slice() } }
    : map;
}

const baseOf = (path: string): string => path.replace(/^.*\//, '');

/** Whether a file has the light of a map beside it, in colour. Maps may have been named on systems where case does not matter. */
const isLightOf = (path: string, map: string): boolean =>
  /\.bsp$/i.test(map) && path.toLowerCase() === map.toLowerCase().replace(/bsp$/, 'lit');

/** The map that is meant in an archive; `undefined` where there are several. Throws `FileError`. */
function wantedOf(maps: readonly InnerMap[], inner: string | undefined): InnerMap | undefined {
  if (maps.length === 0) throw new FileError('the archive contains no .bsp or .map');
  if (inner === undefined) return maps.length > 1 ? undefined : maps[0];
  const wanted = maps.find(({ path }) => path === inner);
  if (!wanted) throw new FileError(`the archive has no ${inner}`);
  return wanted;
}

/** Where a game keeps what its materials are. */
const isScript = (path: string): boolean => /(^|\/)scripts\/[^/]*\.shader$/i.test(path);

function listFiles(bytes: Uint8Array): InnerMap[] {
  const files: InnerMap[] = [];
  unzipped(bytes, ({ name, originalSize }) => {
    if (files.length === MOST_FILES) throw new FileError('it lists more files than an archive of a game can');
    files.push({ path: name, size: originalSize });
    return false;
  });
  return files;
}

/** The maps among files, the last of each name. */
function sorted(files: readonly InnerMap[]): InnerMap[] {
  const maps = files.filter(({ path }) => /\.(bsp|map)$/i.test(path));
  const byName = new Map(maps.map((map) => [map.path, map]));
  return [...byName.values()].sort((a, b) => NATURAL.compare(a.path, b.path));
}

/** As people count, 2 before 10; the source of a level comes after it, as `.map` does after `.bsp`. */
const NATURAL = new Intl.Collator('en', { numeric: true });

/** Given a file's name, and its bytes as they are packed and unpacked. */
type Filter = (file: {
  readonly name: string;
  readonly size: number;
  readonly originalSize: number;
}) => boolean;

function unzipped(bytes: Uint8Array, filter: Filter): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError('it begins as a zip archive, but is damaged or cut off', { cause: error });
  }
}

const startsWith = (bytes: Uint8Array, first: readonly number[]): boolean =>
  first.every((byte, k) => bytes[k] === byte);

const megabytes = (size: number): string => `${Math.round(size / 1e6)} MB`;
