import { BspError, type BspWorld, type Bytes, type WorldOptions } from '@bspkit/core';
import {
  checkCallback,
  checkFlag,
  checkKind,
  checkOptions,
  failArgument,
  toBytes,
} from '@bspkit/core/detect';
import type { BspFormat, BspFormatEntry, FormatReader } from '@bspkit/core/format';
import { checkFormats, findFormat } from './find.ts';
import {
  type BspFile,
  type DescriptorIn,
  type FileOf,
  FORMATS,
  type FormatId,
  type FormatNamed,
  type Listed,
  type MapNamed,
  type WorldOf,
} from './formats.ts';

/** Options for opening a map. */
export interface OpenOptions<I extends string = FormatId> extends WorldOptions {
  /** The format that it must be; any by default. */
  readonly format?: I | undefined;
  readonly formats?: undefined;
}

/** {@link OpenOptions} with a list of formats of your own. */
export interface OpenListOptions<E extends BspFormatEntry, I extends string = string>
  extends Omit<OpenOptions<I>, 'formats'> {
  /** The formats that can be opened, in the order in which they are tried. */
  readonly formats: readonly E[];
}

// Of several overloads, the one that most callers mean is last: `ReturnType` uses that, and so do the compiler's errors.

/** Opens a map of any format on a list. */
export async function openBsp<E extends BspFormatEntry, const I extends string = string>(
  bytes: Bytes,
  options: OpenListOptions<E, I>,
): Promise<WorldOf<Listed<I, E>>>;
/**
 * Opens a map of any format: finds out what it is, loads that format's package and no other, reads and builds.
 *
 * The world is made from this one file. For assemblies of several, use {@link readBsp} and the format's own package.
 *
 * @param bytes - the whole .bsp file, unpacked. Do not change it before the promise has settled.
 * @throws (rejects with) BspError: for a file that is not a map, or not one of `options.format`, saying what it is and what to
 *   do; for a map that cannot be read or built, as its package says. RangeError for a `format` that is not on the list, or an
 *   unknown `kernel`; TypeError for anything but a buffer or a `Uint8Array`, and for one that was or is transferred; Error where
 *   the kernel `wasm` is not available.
 */
export async function openBsp<I extends FormatId = FormatId>(
  bytes: Bytes,
  options?: OpenOptions<I>,
): Promise<MapNamed<I>>;
export async function openBsp(
  bytes: Bytes,
  options: OpenOptions<string> | OpenListOptions<BspFormatEntry> = {},
): Promise<unknown> {
  checkOptions(options, ['shared', 'kernel', 'format', 'formats']);
  const { shared, kernel } = options;
  checkFlag(shared, 'shared');
  const { entry, reader, file } = await readAny(bytes, options);
  return ownWorld(entry, reader.createWorld([file], { shared, kernel }));
}

/** Reads a map's file of any format on a list. */
export async function readBsp<E extends BspFormatEntry>(
  bytes: Bytes,
  options: { readonly formats: readonly E[] },
): Promise<FileOf<E>>;
/**
 * Reads a map's file of any format, as records, without building a world. Some of these are views of `bytes`; do not change it
 * for as long as the file is used.
 * @throws (rejects with) BspError and TypeError as {@link openBsp}.
 */
export async function readBsp(bytes: Bytes): Promise<BspFile>;
export async function readBsp(
  bytes: Bytes,
  options: { readonly formats?: readonly BspFormatEntry[] } = {},
): Promise<unknown> {
  checkOptions(options, ['formats']);
  return (await readAny(bytes, options)).file;
}

/** Builds the world of a file of any format on a list. */
export async function createWorld<E extends BspFormatEntry>(
  file: FileOf<E>,
  options: Omit<OpenListOptions<E>, 'format'>,
): Promise<WorldOf<E>>;
/**
 * Builds the world of a file from {@link readBsp}.
 * @throws (rejects with) BspError as its package says; RangeError for a file of a format that is not on the list.
 */
export async function createWorld<I extends FormatId>(
  file: { readonly format: I } & BspFile,
  options?: Omit<OpenOptions, 'format'>,
): Promise<MapNamed<I>>;
export async function createWorld(
  file: BspFile | FileOf<BspFormatEntry>,
  options: Omit<OpenOptions | OpenListOptions<BspFormatEntry>, 'format'> = {},
): Promise<unknown> {
  checkKind(typeof file?.format === 'string', file, 'file', 'a map that readBsp has read');
  checkOptions(options, ['shared', 'kernel', 'formats']);
  const { shared, kernel, formats = FORMATS } = options;
  checkFlag(shared, 'shared');
  const entry = entryOf(file.format, formats);
  return ownWorld(entry, (await readerOf(entry)).createWorld([file], { shared, kernel }));
}

/** Loads the descriptor of a format on a list. */
export async function formatOf<E extends BspFormatEntry, const I extends string = string>(
  target: I | { readonly format: I },
  formats: readonly E[],
): Promise<DescriptorIn<I, E>>;
/**
 * Loads the descriptor of a format: everything about it besides reading and tracing, for tools that handle
 * maps of any format.
 *
 * @param target - a world, a file, or the format's name.
 * @throws (rejects with) RangeError for a format that is not on the list.
 */
export async function formatOf<I extends FormatId>(
  target: I | { readonly format: I },
): Promise<FormatNamed<I>>;
export async function formatOf(
  target: string | { readonly format: string },
  formats: readonly BspFormatEntry[] = FORMATS,
): Promise<BspFormat> {
  const id = typeof target === 'string' ? target : target?.format;
  checkKind(typeof id === 'string', target, 'target', 'a world, a file or the name of a format');
  const entry = entryOf(id, formats);
  const descriptor = await entry.load();
  checkOwn(descriptor?.id, entry, 'a descriptor');
  return descriptor;
}

async function readerOf(entry: BspFormatEntry): Promise<FormatReader> {
  const reader = await entry.loadReader();
  checkCallback(reader?.read, `read of the reader of '${entry.id}'`);
  return reader;
}

/**
 * Throws `TypeError` if a format's code returned something of another format, which would then be taken for that one everywhere.
 */
function checkOwn(given: unknown, { id }: BspFormatEntry, what: string): void {
  if (given !== id)
    throw new TypeError(`the format '${id}' must give ${what} of its own, got one of '${given}'`);
}

function ownWorld(entry: BspFormatEntry, world: BspWorld): BspWorld {
  checkOwn(world?.format, entry, 'a world');
  return world;
}

/** What an entry of a list needs to be opened. */
const LOADED = ['detect', 'loadReader', 'load'] as const satisfies (keyof BspFormatEntry)[];

function entryOf(id: string, formats: readonly BspFormatEntry[]): BspFormatEntry {
  checkFormats(formats, LOADED);
  const entry = formats.find((known) => known.id === id);
  if (entry) return entry;
  const ids = formats.map((known) => `'${known.id}'`).join(', ');
  failArgument('format', `${ids} or another one listed in formats`, id, typeof id === 'string');
}

async function readAny(
  bytes: Bytes,
  options: { readonly format?: string | undefined; readonly formats?: readonly BspFormatEntry[] | undefined },
): Promise<{ entry: BspFormatEntry; reader: FormatReader; file: ReturnType<FormatReader['read']> }> {
  const { formats = FORMATS } = options;
  const file = toBytes(bytes);
  checkFormats(formats, LOADED);
  const wanted = options.format === undefined ? undefined : entryOf(options.format, formats);
  const found = findFormat(file, formats);
  if (!found) {
    // Loaded only now: most files are maps, and need no list of other kinds.
    const { name, advice } = (await import('./describe.ts')).describeForeign(file, formats);
    throw notOpened(`${name}; ${advice}`);
  }
  const { entry, name } = found;
  if (wanted && entry !== wanted)
    throw notOpened(`${name}, not of ${wanted.name} (${wanted.versions.join(', ')})`);
  const reader = await readerOf(entry);
  const read = reader.read(file);
  checkOwn(read?.format, entry, 'a file');
  return { entry, reader, file: read };
}

const notOpened = (what: string): BspError => new BspError('magic', { format: 'bsp' }, `the file is ${what}`);
