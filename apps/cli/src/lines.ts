import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { systemReason, UsageError } from './errors.ts';
import type { Session } from './session.ts';

/** A text file that is read line by line. */
export interface Lines extends AsyncIterable<string> {
  /** How much of the file has been read, 0 to 1; `undefined` for what has no size, such as a pipe. */
  part(): number | undefined;
}

/** The lines of a text file, gzipped or not, without their ends. Reading throws `UsageError` naming the file. */
export function readLines(name: string, session: Session): Lines {
  const path = session.path(name);
  let size = 0;
  let read = (): number => 0;
  async function* lines(): AsyncGenerator<string> {
    try {
      const stats = statSync(path);
      if (stats.isFile()) size = stats.size;
      // A pipe cannot be looked into and is taken by its name.
      const zipped = stats.isFile() ? isGzip(path) : path.endsWith('.gz');
      const file = createReadStream(path);
      read = () => file.bytesRead;
      // The callback takes the error, which the loop below sees too.
      const bytes = zipped ? pipeline(file, createGunzip(), () => {}) : file;
      const decoder = new TextDecoder();
      let rest = '';
      for await (const chunk of bytes) {
        const whole = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
        rest = whole.pop()!;
        for (const line of whole) yield line.endsWith('\r') ? line.slice(0, -1) : line;
      }
      if (rest !== '') yield rest;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      throw new UsageError(`${name}: ${systemReason(error)}`, { cause: error });
    }
  }
  const iterator = lines();
  return {
    [Symbol.asyncIterator]: () => iterator,
    part: () => (size > 0 ? Math.min(1, read() / size) : undefined),
  };
}

/** By the first two bytes. */
function isGzip(path: string): boolean {
  const head = new Uint8Array(2);
  const file = openSync(path, 'r');
  readSync(file, head);
  closeSync(file);
  return head[0] === 0x1f && head[1] === 0x8b;
}
