import {
  accessSync,
  type BigIntStats,
  constants,
  lstatSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BakeError } from '@bspkit/bake';
import { Replacement, removePartials as removeOf } from '@bspkit/replace';
import { Interrupted, systemReason, UsageError } from './errors.ts';
import type { Output } from './io.ts';
import { escapeLines, printable } from './printable.ts';
import { identity, type Session } from './session.ts';

/** What is written: a text, bytes, or a text in parts. */
export type Content = string | Uint8Array | Iterable<string> | AsyncIterable<string>;

type Parts = Iterable<string | Uint8Array> | AsyncIterable<string>;

/**
 * Writes a file; its content is gzipped if its name ends in `.gz`. `-` is stdout, and anything else that the command would print
 * there is left out.
 *
 * A file is either complete or as it was before: it is written next to its place under a name that nothing else has, flushed to
 * the disk and renamed. What is left of it is removed after an error or a signal. Symbolic links are followed, and the mode of a
 * file that is replaced is kept. Pipes and devices are written to directly.
 * @throws UsageError naming a file that cannot be written, or that this run reads; Interrupted; what `content` throws.
 */
export async function writeFile(name: string, content: Content, session: Session): Promise<void> {
  const parts = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
  const zip = name.endsWith('.gz');
  if (isStdout(name, session)) {
    session.out.silence();
    return untilSignal(session, () => pump(parts, zip, (part) => print(part, session.io.stdout)));
  }
  const target = await checkTarget(name, session);
  return target.replaceable
    ? replace(name, target, parts, zip, session)
    : untilSignal(session, () => writeInPlace(name, target, parts, zip));
}

/** Where a file will be written. */
interface Target {
  /** Its place, with all symbolic links followed. */
  readonly path: string;
  /** The file that exists now. */
  readonly old: BigIntStats | undefined;
  /** Whether another file can replace what is there: not a pipe or a device. */
  readonly replaceable: boolean;
}

/**
 * Finds where a file will be written, before work is done for it.
 * @throws UsageError if it clearly cannot be written, or if this run reads from it.
 */
export function checkTarget(name: string, session: Session): Promise<Target> {
  return withFileName(name, () => {
    const path = session.path(name);
    if (name.endsWith('/') || name.endsWith(sep)) {
      throw new UsageError(`${name}: cannot be written: it names a folder, not a file`);
    }
    const isWindows = process.platform === 'win32';
    const refusal = isWindows && !path.startsWith(DEVICES) && refusalOf(basename(path));
    if (refusal) throw new UsageError(`${name}: cannot be written: ${refusal}`);
    const old = statSync(path, { throwIfNoEntry: false, bigint: true });
    const source = old && session.sourceName(old);
    if (source !== undefined) {
      const which = source === name ? 'it' : `it is ${source}, which`;
      throw new UsageError(`${name}: is not written: ${which} is read here`);
    }
    if (HANDLE.test(path)) return { path, old, replaceable: false };
    if (old?.isDirectory()) throw new UsageError(`${name}: cannot be written: is a folder`);
    // Windows cannot say it of devices, and refuses to.
    if (old && (old.isFile() || !isWindows)) accessSync(path, constants.W_OK);
    if (old && !old.isFile()) return { path, old, replaceable: false };
    const place = followLinks(path);
    checkFolder(name, dirname(place));
    return { path: place, old, replaceable: true };
  });
}

/** How paths begin that name devices and nothing else on Windows. */
const DEVICES = '\\\\.\\';
/** What Windows keeps for devices, whatever the ending. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)/i;

/**
 * Why a name of a file is no good on Windows; `undefined` if it is. Some would be refused once everything is written, under another
 * name at first. The others become files that hardly anything but Node can open or remove.
 */
function refusalOf(name: string): string | undefined {
  const [character] = /[<>:"|?*]/.exec(name) ?? [];
  if (character !== undefined) return `names on Windows must not have ${character}`;
  if (/[. ]$/.test(name)) return 'names on Windows must not end in a dot or a space';
  return DEVICE.test(name) ? 'Windows keeps this name for a device' : undefined;
}

/** Throws UsageError unless files can be added to a folder: whatever is written there is a new one at first. */
function checkFolder(name: string, folder: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const problem = `cannot be written: nothing can be added to its folder: ${systemReason(error)}`;
    throw new UsageError(`${name}: ${problem}`, { cause: error });
  }
}

/** Options whose files are bytes, which a terminal would take for commands. */
const BYTES: readonly string[] = ['out', 'png'];

/**
 * Finds where the files of several options will be written, as {@link checkTarget} does, and checks that no two are the same.
 *
 * @param names - the files, by the names of their options.
 * @param printing - the option that has something printed to stdout too, if one is given.
 * @throws UsageError as `checkTarget` does, naming two options that would write the same file, and for bytes that would be printed
 *   on a terminal.
 */
export async function checkTargets(
  names: Readonly<Record<string, string | undefined>>,
  session: Session,
  printing: string | false = false,
): Promise<void> {
  const taken = new Map<string, string>();
  for (const [option, name] of Object.entries(names)) {
    if (name === undefined) continue;
    const asked = `--${option} ${name}`;
    const key = isStdout(name, session) ? '-' : placeOf(await checkTarget(name, session));
    if (key === '-' && session.io.stdout.isTTY && BYTES.includes(option)) {
      throw new UsageError(`${asked} is not text: send it into a file or another program, not to a terminal`);
    }
    if (printing && key === '-') {
      throw new UsageError(`${printing} and ${asked} both print to stdout: give --${option} a file`);
    }
    const other = key === undefined ? undefined : taken.get(key);
    if (other !== undefined) throw new UsageError(`${other} and ${asked} are one file: each needs its own`);
    if (key !== undefined) taken.set(key, asked);
  }
}

/**
 * Removes what killed runs have left next to a file. Only for a file that a single program writes at a time: one on another
 * machine might still be writing.
 */
export async function removePartials(name: string, session: Session): Promise<void> {
  const { path } = await checkTarget(name, session);
  await withFileName(name, () => removeOf(path));
}

const TAKEN = 'another program has removed what was written: only one may write to it at a time';

/**
 * The same for all names of a place, in any case on systems that ignore case; `undefined` for a device, which can take any number
 * of files.
 */
function placeOf({ path, old }: Target): string | undefined {
  if (old?.isCharacterDevice()) return undefined;
  if (old) return identity(old);
  return ['win32', 'darwin'].includes(process.platform) ? path.toLowerCase() : path;
}

/** Files that this process has open, by number: these can be anything. */
const HANDLE = /^\/(dev\/(fd\/|std)|proc\/(self|\d+)\/fd\/)/;
const STDOUT: ReadonlySet<string> = new Set(['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

/** Whether a name is that of stdout. */
export const isStdout = (name: string, session: Session): boolean =>
  name === '-' || STDOUT.has(session.path(name));

/** An output file in a message. */
export const outputName = (name: string): string => (name === '-' ? 'stdout' : printable(name));

/** Where symbolic links lead in the end, even if nothing is there. */
function followLinks(path: string): string {
  for (;;) {
    // As the system does it: `..` after a link is not the folder that the link is in.
    const folder = realpathSync.native(dirname(path));
    const place = join(folder, basename(path));
    if (!lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) return place;
    const link = readlinkSync(place);
    path = isAbsolute(link) ? link : folder + sep + link;
  }
}

async function replace(
  name: string,
  { path, old }: Target,
  parts: Parts,
  zip: boolean,
  session: Session,
): Promise<void> {
  const watch = new SignalWatch(session);
  let replacement: Replacement | undefined;
  let writing = Promise.resolve();
  try {
    const made = await withFileName(name, () => Replacement.begin(path, old));
    replacement = made;
    const write = (part: string | Uint8Array): Promise<void> => {
      watch.check();
      writing = withFileName(name, () => made.file.writeFile(part));
      return writing;
    };
    // The content may be waiting for a pipe that has nothing to say for ever.
    await Promise.race([pump(parts, zip, write), watch.signalled]);
    await withFileName(name, () => made.seal());
    // Signals that arrived meanwhile are delivered now.
    await new Promise(setImmediate);
    watch.check();
    await withFileName(name, async () => {
      // A run on another machine took it for something that a killed run had left (removePartials).
      if (!(await made.put())) throw new UsageError(`${name}: cannot be written: ${TAKEN}`);
    });
  } catch (error) {
    await writing.catch(() => {});
    // The first error says what went wrong.
    await replacement?.drop().catch(() => {});
    throw error;
  } finally {
    watch.end();
  }
}

/** Watches for signals that ask the command to end. */
class SignalWatch {
  /** Rejects with `Interrupted` when one arrives. */
  readonly signalled: Promise<never>;
  /** Ends the watch. */
  readonly end: () => void;
  private _interrupted: Interrupted | undefined;

  constructor({ io }: Session) {
    let end: (() => void) | undefined;
    this.signalled = new Promise((_, reject) => {
      end = io.onSignal?.((signal) => {
        this._interrupted ??= new Interrupted(signal);
        reject(this._interrupted);
      });
    });
    // It may arrive when nothing is waiting.
    this.signalled.catch(() => {});
    this.end = () => end?.();
  }

  /** Throws `Interrupted` when a signal has arrived. */
  check(): void {
    if (this._interrupted) throw this._interrupted;
  }
}

/** Writes until a signal arrives: then whoever calls takes back what was asked for only to be written. */
async function untilSignal(session: Session, write: () => Promise<void>): Promise<void> {
  const watch = new SignalWatch(session);
  try {
    await Promise.race([write(), watch.signalled]);
  } finally {
    watch.end();
  }
}

/** Writes to what cannot be replaced. */
async function writeInPlace(name: string, { path }: Target, parts: Parts, zip: boolean): Promise<void> {
  const file = await withFileName(name, () => open(path, 'w'));
  try {
    await pump(parts, zip, (part) => withFileName(name, () => file.writeFile(part)));
  } catch (error) {
    await file.close().catch(() => {});
    throw error;
  }
  await withFileName(name, () => file.close());
}

/** Writes everything, one part after the other, gzipped or not. */
async function pump(
  parts: Parts,
  zip: boolean,
  write: (part: string | Uint8Array) => Promise<void>,
): Promise<void> {
  const drain = async (source: AsyncIterable<string | Uint8Array>): Promise<void> => {
    for await (const part of source) await write(part);
  };
  const source = Readable.from(parts);
  await (zip ? pipeline(source, createGzip(), drain) : pipeline(source, drain));
}

async function print(part: string | Uint8Array, output: Output): Promise<void> {
  // A terminal must not get everything that JSON may contain.
  const shown = output.isTTY && typeof part === 'string' ? escapeLines(part) : part;
  if (!output.write(shown)) await output.drained?.();
}

/** Runs something that touches a file to be written: system errors become an error that names it. */
export async function withFileName<T>(name: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw cannotWrite(name, error);
  }
}

/** The error for a place that cannot be written to; errors meant for people stay as they are. */
export function cannotWrite(name: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  // The codes of bakes are their own.
  if (code === undefined || error instanceof BakeError) return error;
  if (code === 'ENOENT') {
    return new UsageError(`${name}: cannot be written: there is no such folder`, { cause: error });
  }
  return new UsageError(`${name}: cannot be written: ${systemReason(error)}`, { cause: error });
}
