import { constants } from 'node:os';
import { BakeError, type BakeErrorCode } from '@bspkit/bake';
import { BspError } from '@bspkit/core';
import { reasonOf } from '@bspkit/core/format';
import type { Io, Signal } from './io.ts';
import { Page } from './page.ts';
import { printable } from './printable.ts';

/** The exit codes of the command. */
export const EXIT = {
  ok: 0,
  /** The question's answer is no, or differences were found. */
  no: 1,
  usage: 2,
  map: 3,
  /** A mistake of ours, as in sysexits(3). */
  internal: 70,
} as const;

/** The exit code for a signal is this plus the signal's number, as in shells: 130 for Ctrl-C. */
export const SIGNAL_EXIT = 128;

/** Longest error message: what it quotes may be a whole file. */
export const MOST_MESSAGE = 2000;

/** The command was used wrongly: the message says how. */
export class UsageError extends Error {}

/** A map, or a file that leads to one, does not exist or cannot be read: the message names it and says why. */
export class MapError extends Error {}

/** The user pressed Ctrl-C, or something else asked the command to end. */
export class Interrupted extends Error {
  readonly signal: Signal;

  constructor(signal: Signal) {
    super(signal);
    this.signal = signal;
  }
}

/** Runs something that takes a user's numbers: the libraries' errors about their arguments become usage errors. */
export function withUserInput<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw userError(error);
  }
}

/** The usage error for a library's error about a user's numbers; any other error as it is. */
export const userError = (error: unknown): unknown =>
  error instanceof RangeError || error instanceof TypeError
    ? new UsageError(error.message, { cause: error })
    : error;

/** Recognises errors of maps by their name: formats that users add may have a core of their own, with its own class. */
export const isBspError = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'BspError';

/**
 * Runs something that reads a map, or a file that leads to one: errors about its content get its name.
 *
 * @param name - a function if it is only known once there is an error.
 * @param kind - the class of these errors.
 */
export function withMapName<T>(
  name: string | (() => string),
  run: () => T,
  kind: new (...parts: never) => Error = BspError,
): T {
  try {
    return run();
  } catch (error) {
    const isOne = kind === BspError ? isBspError(error) : error instanceof kind;
    if (!isOne) throw error;
    const named = typeof name === 'string' ? name : name();
    throw new MapError(`${named}: ${(error as Error).message}`, { cause: error });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder',
  EACCES: 'permission denied',
  // What Windows says when the file to be replaced is open.
  EPERM:
    process.platform === 'win32' ? 'permission denied, or another program has it open' : 'permission denied',
  EBUSY: 'it is busy: open in another program, or a mount point',
  ENOTDIR: 'no such file: a part of the path is not a folder',
  ELOOP: 'symbolic links that lead in a circle',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'no space left that this user may fill',
  EFBIG: 'the file would become larger than is allowed here',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'the name is too long',
};

/** What a failed system call or file means, for people. */
export function systemReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return Object.hasOwn(REASONS, code) ? REASONS[code]! : message;
}

/** The exit code for errors of bakes, by their codes: wrong use of the command, the map, or no answer. */
const BAKE_EXIT: Readonly<Partial<Record<BakeErrorCode, number>>> = {
  job: EXIT.usage,
  kind: EXIT.usage,
  version: EXIT.usage,
  format: EXIT.usage,
  file: EXIT.usage,
  damaged: EXIT.usage,
  'other-job': EXIT.usage,
  unfinished: EXIT.usage,
  hash: EXIT.map,
  absent: EXIT.map,
  'too-large': EXIT.map,
  chunk: EXIT.no,
};

/** Whether an error, or one that caused it, is that Node's permission model has refused something. */
function isDenied(error: unknown): boolean {
  // Causes may lead back to an error.
  const seen = new Set<unknown>();
  let at = error as { readonly code?: unknown; readonly cause?: unknown } | undefined;
  for (; at && !seen.has(at); at = at.cause as typeof at) {
    if (at.code === 'ERR_ACCESS_DENIED') return true;
    seen.add(at);
  }
  return false;
}

/** Stands for a space at which a line is not broken. No message has it: `printable` writes it in another way. */
const JOINT = '\0';

/** A message in which what must stay whole is one word: what the user typed, options with their values, command lines. */
function joined(message: string, argv: readonly string[]): string {
  const typed = argv
    .flatMap((word) => [word, word.replace(/^--[\w-]+=/, '')])
    .filter((word) => / /.test(word));
  const join = (text: string): string => text.replaceAll(' ', JOINT);
  return typed
    .sort((a, b) => b.length - a.length)
    .map((word) => printable(word, MOST_MESSAGE))
    .reduce((text, word) => text.replaceAll(word, join), message)
    .replace(/'--[^']+'|(?<=: )bspkit .+$|\bbspkit [a-z]+/g, join);
}

/** An option as the user writes it, by the name that an argument of a library has. */
export const flagOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** A message about an argument of a library, a part of it or two of them, with the option that the user gave for it. */
function withOption(message: string, argv: readonly string[]): string {
  const isFlag = (name: string | undefined): name is string =>
    name !== undefined && argv.some((word) => word.replace(/=.*$/s, '') === flagOf(name));
  const [start, ...both] = /^(\w+) and (\w+)(?= are )/.exec(message) ?? [];
  if (start !== undefined && both.some(isFlag))
    return both.map((name) => flagOf(name!)).join(' and ') + message.slice(start.length);
  const [, name, part] = /^(\w+)([[.]\S+)? (?:must|has) /.exec(message) ?? [];
  if (!isFlag(name)) return message;
  return part === undefined ? message.replace(/^\w+/, flagOf(name)) : `${flagOf(name)}: ${message}`;
}

/** Where messages go. */
type Listener = Pick<Io, 'stderr' | 'env'>;

/**
 * Prints a text on stderr, fitted to a terminal's width. Elsewhere it is one line, so that logs can be searched.
 *
 * @param text - without anything that a terminal would obey.
 * @param argv - what the user typed: lines are not broken within it.
 */
export function tell(text: string, { stderr, env }: Listener, argv: readonly string[]): void {
  const page = new Page(stderr, env);
  const line = joined(text, argv);
  page.print(`${(stderr.isTTY ? page.wrap(line, 2) : line).replaceAll(JOINT, ' ')}\n`);
}

/** {@link tell} with the command's name before it, as for all that went wrong. */
export const say = (message: string, listener: Listener, argv: readonly string[]): void =>
  tell(`bspkit:${JOINT}${message}`, listener, argv);

/** Says what went wrong, and returns the exit code. */
export function reportError(error: unknown, { stderr, env }: Listener, argv: readonly string[]): number {
  const ends = (message: string, code: number): number => {
    say(printable(message, MOST_MESSAGE), { stderr, env }, argv);
    return code;
  };
  if (error instanceof Interrupted) return SIGNAL_EXIT + constants.signals[error.signal];
  const message = reasonOf(error);
  if (error instanceof UsageError) return ends(withOption(message, argv), EXIT.usage);
  if (error instanceof MapError || isBspError(error)) return ends(message, EXIT.map);
  const bakeExit = error instanceof BakeError ? BAKE_EXIT[error.code] : undefined;
  if (bakeExit !== undefined) return ends(message, bakeExit);
  if (isDenied(error)) return ends(message, EXIT.usage);
  const whose = env.BSPKIT_FORMATS
    ? 'an error in bspkit, or in what BSPKIT_FORMATS names'
    : 'internal error, please report it';
  const code = ends(`${whose}: ${message}`, EXIT.internal);
  if (env.BSPKIT_DEBUG && error instanceof Error) stderr.write(`${error.stack}\n`);
  return code;
}
