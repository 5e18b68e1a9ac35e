import { createWriteStream, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { systemReason, UsageError } from './errors.ts';

/**
 * Writes text to a file, gzipped when its name ends in `.gz`; `-` is stdout. The file is there whole or not at all:
 * it is written under another name first, and what is left of it is removed after an error or Ctrl-C.
 */
export async function writeText(path: string, text: AsyncIterable<string>): Promise<void> {
  if (path === '-') return pipeline(Readable.from(text), process.stdout, { end: false });
  const partial = isSpecial(path) ? path : `${path}.partial`;
  const abort = new AbortController();
  const interrupt = (): void => abort.abort();
  process.once('SIGINT', interrupt);
  try {
    // A plain file is opened at once: opened behind our back it could come to be after it was removed for an error.
    const file: Writable = createWriteStream(partial, partial === path ? {} : { fd: openSync(partial, 'w') });
    const stages = path.endsWith('.gz') ? [createGzip(), file] : [file];
    await pipeline([Readable.from(text), ...stages], { signal: abort.signal });
    if (partial !== path) renameSync(partial, path);
  } catch (error) {
    if (partial !== path) rmSync(partial, { force: true });
    const { syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw cannotWrite(path, error);
  } finally {
    process.off('SIGINT', interrupt);
    // Ends as anything ends that Ctrl-C was pressed on, so that a shell script around it stops too.
    if (abort.signal.aborted) process.kill(process.pid, 'SIGINT');
  }
}

/** Writes a small file at once. Throws `UsageError` naming it. */
export function writeFile(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** The error for a place that cannot be written to. */
export function cannotWrite(path: string, error: unknown): UsageError {
  return new UsageError(`${path}: cannot be written: ${systemReason(error)}`, { cause: error });
}

/** Whether something is there that is not a plain file and cannot be replaced by one: a pipe, a device. */
function isSpecial(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile();
}
