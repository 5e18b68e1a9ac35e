import { access, constants, type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkText } from '@bspkit/core/format';
import { flush, Replacement, removePartials } from '@bspkit/replace';
import { BakeError, type BakeErrorCode } from '../error.ts';
import type { BakeStore } from '../store.ts';

/** A store in a file on disk. */
export interface FileStore extends BakeStore {
  readonly name: string;
  /** Has everything written to the disk, and closes the file. After that, nothing else can be done with the store. */
  close(): Promise<void>;
}

/** Bytes that are read or written at once: more than 2^31 - 1 end a process of Node. */
const MOST_AT_ONCE = 2 ** 30;

const OTHERS = 'another program has written to it meanwhile: only one may at a time';

/**
 * Opens a file to bake into, or creates it. Whole replacements are written beside it and renamed, with the same mode; a symbolic
 * link stays one.
 *
 * Only one program at a time may write to it. `append` and `replace` reject with BakeError (`file`) when somebody else has
 * written to it since, or has moved or removed it. After `close`, everything else fails with BakeError (`closed`).
 *
 * @param name - what errors call the file: by default its path.
 * @throws (rejects with) what the system says about a file that cannot be read and written; BakeError (`file`) for a device.
 */
export async function openFileStore(path: string, name: string = path): Promise<FileStore> {
  checkText(path, 'path');
  checkText(name, 'name');
  /** Waits for a call about a file that is open: Node's errors do not say which it is. */
  const call = <T>(calling: Promise<T>): Promise<T> =>
    calling.catch((error: unknown) => {
      throw withPath(error, path);
    });
  const fail = (code: BakeErrorCode, problem: string): never => {
    throw new BakeError(code, `${name}: ${problem}`);
  };
  let file: FileHandle = await open(path, 'a+').then(async (made) => {
    await made.close();
    return open(path, 'r+');
  });
  let place: string;
  let size: number;
  try {
    place = await realpath(path);
    const stats = await call(file.stat());
    // Devices and pipes keep nothing that could be read again.
    if (!stats.isFile()) fail('file', 'is not a file that can grow');
    size = stats.size;
    // Before there are answers of hours: what takes its place in the end is written next to it.
    await access(dirname(place), constants.W_OK);
  } catch (error) {
    return afterError(error, () => file.close());
  }
  let closing: Promise<void> | undefined;
  /** What is being read and written. */
  const busy = new Set<Promise<unknown>>();
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    const working = work();
    busy.add(working);
    try {
      return await working;
    } finally {
      busy.delete(working);
    }
  };
  const checkOpen = (): void => {
    if (closing) fail('closed', 'has been closed');
  };
  /** Throws unless the file is still where it was, and has the size that we left. */
  const checkOwn = async (): Promise<void> => {
    checkOpen();
    const ours = await call(file.stat({ bigint: true }));
    const there = await stat(place, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!there) return fail('file', 'was removed while it was being written');
    if (there.dev !== ours.dev || there.ino !== ours.ino || Number(ours.size) !== size) fail('file', OTHERS);
  };
  const reopen = async (): Promise<void> => {
    try {
      file = await open(place, 'r+');
    } catch (error) {
      closing = Promise.resolve();
      throw error;
    }
  };
  const write = async (to: FileHandle, at: number, bytes: Uint8Array): Promise<void> => {
    for (let done = 0; done < bytes.length; ) {
      const length = Math.min(MOST_AT_ONCE, bytes.length - done);
      done += (await call(to.write(bytes, done, length, at + done))).bytesWritten;
    }
  };
  return {
    name,
    size() {
      checkOpen();
      return size;
    },
    read: (at, length) =>
      during(async () => {
        checkOpen();
        const bytes = new Uint8Array(Math.max(0, Math.min(length, size - at)));
        let done = 0;
        while (done < bytes.length) {
          const part = Math.min(MOST_AT_ONCE, bytes.length - done);
          const { bytesRead } = await call(file.read(bytes, done, part, at + done));
          if (bytesRead === 0) break;
          done += bytesRead;
        }
        return bytes.subarray(0, done);
      }),
    append: (at, bytes) =>
      during(async () => {
        await checkOwn();
        try {
          if (size > at) await call(file.truncate(at));
          await write(file, at, bytes);
          size = at + bytes.length;
        } catch (error) {
          await afterError(error, async () => {
            // A full disk has taken a part: what is there now is ours, and a bake continues before it.
            size = (await file.stat()).size;
          });
        }
      }),
    replace: (parts) =>
      during(async () => {
        await checkOwn();
        await removePartials(place);
        const replacement = await Replacement.begin(place, await file.stat({ bigint: true }));
        try {
          let at = 0;
          for await (const part of parts) {
            checkOpen();
            await write(replacement.file, at, part);
            at += part.length;
          }
          await call(replacement.seal());
          await checkOwn();
          try {
            // Windows does not replace a file that is open.
            await call(file.close());
            if (!(await replacement.put())) fail('file', OTHERS);
          } catch (error) {
            await afterError(error, reopen);
          }
          size = at;
          await reopen();
        } catch (error) {
          await afterError(error, () => replacement.drop());
        }
      }),
    close() {
      closing ??= Promise.allSettled(busy).then(() => call(flushAndClose(file)));
      return closing;
    },
  };
}

/** Whatever the disk says, the file is closed. What is not written yet may be refused at either. */
async function flushAndClose(file: FileHandle): Promise<void> {
  await flush(file).catch((error: unknown) => afterError(error, () => file.close()));
  await file.close();
}

/** Throws an error once something has been done about it, whatever becomes of that: the first error says what went wrong. */
async function afterError(error: unknown, mend: () => Promise<void>): Promise<never> {
  await mend().catch(() => {});
  throw error;
}

/** An error of a call about an open file, with its path: as Node's errors are of calls that take one. */
function withPath(error: unknown, path: string): unknown {
  const { message, code, errno, syscall, path: known } = error as NodeJS.ErrnoException;
  if (syscall === undefined || known !== undefined) return error;
  const named = new Error(`${message} '${path}'`, { cause: error });
  return Object.assign(named, { code, errno, syscall, path });
}
