import { BspError } from '@bspkit/core';
import type { Io } from './io.ts';

/** What the command ends with. */
export const EXIT = {
  ok: 0,
  /** The question's answer is no, or differences were found. */
  no: 1,
  usage: 2,
  map: 3,
  /** A mistake of ours, as sysexits(3) has it. */
  internal: 70,
  /** Ctrl-C, as shells have it. */
  interrupted: 130,
} as const;

/** The command was used wrongly: the message says how. */
export class UsageError extends Error {}

/** A map that is not there or cannot be read: the message names it and says why. */
export class MapError extends Error {}

/** The user pressed Ctrl-C. */
export class Interrupted extends Error {}

/** Runs what takes a user's numbers: what the libraries say about their arguments becomes a usage error. */
export function withUserInput<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) {
      throw new UsageError(error.message, { cause: error });
    }
    throw error;
  }
}

/** Runs what opens a map: what is wrong with its content is told with the map's name. */
export function withMapName<T>(name: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof BspError) throw new MapError(`${name}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** What a failed system call or file means, for people. */
export function systemReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EISDIR') return 'is a directory';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'ENOTDIR') return 'no such file: a part of the path is not a directory';
  return message;
}

/** Says what went wrong, in one line on stderr, and returns the exit code. */
export function reportError(error: unknown, { stderr, env }: Pick<Io, 'stderr' | 'env'>): number {
  const say = (message: string, code: number): number => {
    stderr.write(`bspkit: ${message}\n`);
    return code;
  };
  if (error instanceof Interrupted) return EXIT.interrupted;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError) return say(message, EXIT.usage);
  if (error instanceof MapError || error instanceof BspError) return say(message, EXIT.map);
  const detail = env.BSPKIT_DEBUG && error instanceof Error ? error.stack : message;
  return say(`internal error, please report it: ${detail}`, EXIT.internal);
}
