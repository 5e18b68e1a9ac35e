import { createWriteStream, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Interrupted, systemReason, UsageError } from './errors.ts';
import type { Output } from './io.ts';
import type { Session } from './session.ts';

/**
 * Writes text to a file, gzipped when its name ends in `.gz`; `-` is stdout. The file is there whole or not at all:
 * it is written under another name first, and what is left of it is removed after an error or Ctrl-C.
 * @throws UsageError naming a file that cannot be written; Interrupted.
 */
export async function writeText(name: string, text: AsyncIterable<string>, session: Session): Promise<void> {
  if (name === '-') return print(text, session.io.stdout);
  const path = session.path(name);
  const partial = isSpecial(path) ? path : `${path}.partial`;
  const abort = new AbortController();
  const unwatch = session.io.onInterrupt?.(() => abort.abort());
  try {
    // A plain file is opened at once: opened behind our back it could come to be after it was removed for an error.
    const file: Writable = createWriteStream(partial, partial === path ? {} : { fd: openSync(partial, 'w') });
    const stages = path.endsWith('.gz') ? [createGzip(), file] : [file];
    await pipeline([Readable.from(text), ...stages], { signal: abort.signal });
    if (partial !== path) renameSync(partial, path);
  } catch (error) {
    if (partial !== path) rmSync(partial, { force: true });
    if (abort.signal.aborted) throw new Interrupted();
    const { syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw cannotWrite(name, error);
  } finally {
    unwatch?.();
  }
}

async function print(text: AsyncIterable<string>, output: Output): Promise<void> {
  for await (const part of text) if (!output.write(part)) await output.drained?.();
}

/** Writes a small file at once. Throws `UsageError` naming it. */
export function writeFile(name: string, content: string | Uint8Array, session: Session): void {
  try {
    writeFileSync(session.path(name), content);
  } catch (error) {
    throw cannotWrite(name, error);
  }
}

/** The error for a place that cannot be written to. */
export function cannotWrite(name: string, error: unknown): UsageError {
  return new UsageError(`${name}: cannot be written: ${systemReason(error)}`, { cause: error });
}

/** Whether something is there that is not a plain file and cannot be replaced by one: a pipe, a device. */
function isSpecial(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile();
}
