import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { systemReason, UsageError } from './errors.ts';

/** Yields the lines of a text file, gzipped or not, without their ends. Throws `UsageError` naming the file. */
export async function* readLines(path: string): AsyncGenerator<string> {
  try {
    const zipped = isGzip(path);
    const file = createReadStream(path);
    // The callback takes the error, which the loop below sees too.
    const bytes = zipped ? pipeline(file, createGunzip(), () => {}) : file;
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of bytes) {
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
    if (rest !== '') yield rest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new UsageError(`${path}: ${systemReason(error)}`, { cause: error });
  }
}

/** By the first two bytes; a pipe cannot be looked into and is taken by its name. */
function isGzip(path: string): boolean {
  if (!statSync(path).isFile()) return path.endsWith('.gz');
  const head = new Uint8Array(2);
  const file = openSync(path, 'r');
  readSync(file, head);
  closeSync(file);
  return head[0] === 0x1f && head[1] === 0x8b;
}
