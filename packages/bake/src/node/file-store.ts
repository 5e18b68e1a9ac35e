import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkText } from '@bspkit/core/format';
import type { BakeStore } from '../file.ts';

/** A store in a file on the disk. */
export interface FileStore extends BakeStore {
  /** Has everything written to the disk, and lets go of the file. */
  close(): Promise<void>;
}

/**
 * Opens a file to bake into, or makes it. What replaces it whole is written beside it and renamed.
 * @throws (rejects with) what the system says about a file that cannot be read and written.
 */
export async function openFileStore(path: string): Promise<FileStore> {
  checkText(path, 'path');
  let file: FileHandle = await open(path, 'a+').then(async (made) => {
    await made.close();
    return open(path, 'r+');
  });
  let size = (await file.stat()).size;
  const write = async (to: FileHandle, at: number, bytes: Uint8Array): Promise<void> => {
    for (let done = 0; done < bytes.length; ) {
      done += (await to.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
    }
  };
  return {
    size: () => size,
    async read(at, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - at)));
      let done = 0;
      while (done < bytes.length) {
        const { bytesRead } = await file.read(bytes, done, bytes.length - done, at + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return bytes.subarray(0, done);
    },
    async append(at, bytes) {
      if (size > at) await file.truncate(at);
      await write(file, at, bytes);
      size = at + bytes.length;
    },
    async replace(parts) {
      const partial = join(dirname(path), `.bspkit-${process.pid}-${randomBytes(8).toString('hex')}.partial`);
      const made = await open(partial, 'wx+');
      try {
        let at = 0;
        for await (const part of parts) {
          await write(made, at, part);
          at += part.length;
        }
        await made.sync();
        await rename(partial, path);
        await file.close();
        file = made;
        size = at;
      } catch (error) {
        await made.close();
        await rm(partial, { force: true });
        throw error;
      }
    },
    async close() {
      await file.sync();
      await file.close();
    },
  };
}
