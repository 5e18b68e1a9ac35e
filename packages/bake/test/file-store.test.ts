import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { Replacement } from '@bspkit/replace';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { describe, expect, it, vi } from 'vitest';
import { type BakeChunk, type BakeExecutor, bake, createJob, readBake } from '../src/index.ts';
import { openFileStore } from '../src/node/file-store.ts';

const WINDOWS = process.platform === 'win32';

const folder = temporaryFolder();
const place = (name: string): string => join(folder, name);

const job = await createJob({
  kind: 'batch',
  parameters: { header: '{}' },
  count: 12,
  chunkSize: 2,
});
const answer = ({ index }: BakeChunk): Uint8Array => new Uint8Array(40).fill(index);
/** Answers the last of those that wait first, so that the file is put in order in the end. */
const backwards = (): BakeExecutor => {
  const waiting: (() => void)[] = [];
  return {
    capacity: 3,
    run: (chunk) =>
      new Promise((resolve) => {
        waiting.push(() => resolve(answer(chunk)));
        setImmediate(() => waiting.pop()?.());
      }),
  };
};
/** Does something else before it answers a chunk. */
const disturbed = (at: number, disturb: () => unknown): BakeExecutor => ({
  capacity: 1,
  async run(chunk) {
    if (chunk.index === at) await disturb();
    return answer(chunk);
  },
});

const inOrder = (): BakeExecutor => disturbed(-1, () => {});

async function bakeInto(path: string, executor: BakeExecutor, resume = false): Promise<void> {
  const store = await openFileStore(path);
  try {
    await bake(job, { executor, store, resume });
  } finally {
    await store.close();
  }
}

await bakeInto(place('whole'), backwards());
const whole = readFileSync(place('whole'));
const flipped = (at: number): Buffer => {
  const bytes = Buffer.from(whole);
  bytes[at]! ^= 4;
  return bytes;
};

// As it is, whatever a test puts in its place.
const { open } = promises;

describe('a file that is baked into', () => {
  it('has one writer: whoever finds that another has written stops', async () => {
    // On Windows, nothing can be put in place of a file that the first still has open.
    const writer = WINDOWS ? inOrder : backwards;
    const path = place('two');
    const second = (): Promise<void> => bakeInto(path, writer());
    await expect(bakeInto(path, disturbed(3, second))).rejects.toMatchObject({
      code: 'file',
      message: `${path}: another program has written to it meanwhile: only one may at a time`,
    });
    expect(readFileSync(path)).toEqual(whole);

    const resumed = place('resumed');
    const other = disturbed(4, () => bakeInto(resumed, writer(), true));
    await expect(bakeInto(resumed, other)).rejects.toMatchObject({ code: 'file' });
    expect(readFileSync(resumed)).toEqual(whole);
  });

  // Windows keeps the name of a file that is removed while it is open.
  it.skipIf(WINDOWS)('is not said to be whole when it was removed or replaced', async () => {
    const path = place('removed');
    await expect(
      bakeInto(
        path,
        disturbed(2, () => rmSync(path)),
      ),
    ).rejects.toThrow(`${path}: was removed while it was being written`);
    const moved = (): void => {
      renameSync(path, place('moved'));
      writeFileSync(path, readFileSync(place('moved')));
    };
    await expect(bakeInto(path, disturbed(5, moved))).rejects.toThrow(
      `${path}: another program has written to it`,
    );
  });

  it.each([
    ['in order', inOrder()],
    ['put in order', backwards()],
  ])('is not said to be whole with chunks that something wrote over: %s', async (_, executor) => {
    const store = await openFileStore(place('overwritten'), 'a bake');
    const { append } = store;
    let last = 0;
    const run = bake(job, {
      executor,
      store: {
        ...store,
        async append(at, bytes) {
          // As when two wrote there at the same moment: the chunk before is another one.
          if (last > 0) bytes = Buffer.concat([bytes.subarray(0, 4), Buffer.from([9]), bytes.subarray(5)]);
          last = at;
          await append(at, bytes);
        },
      },
    });
    await expect(run).rejects.toMatchObject({
      code: 'file',
      message: expect.stringMatching(/^a bake: chunk \d is no longer where it was put/),
    });
    await store.close();
    expect(readBake(readFileSync(place('overwritten'))).missing).toBeGreaterThan(0);
  });

  it('takes what is left of a write that failed for its own, and bakes continue from there', async () => {
    const path = place('full');
    const store = await openFileStore(path);
    const probe = await open(path);
    const write = vi.spyOn(Object.getPrototypeOf(probe), 'write');
    await probe.close();
    let left = 5;
    try {
      write.mockImplementation(async function (this: FileHandle, ...given: unknown[]) {
        const [bytes, from, , at] = given as [Uint8Array, number, number, number];
        if (left === 0)
          throw Object.assign(new Error('no space left on device, write'), {
            code: 'ENOSPC',
            syscall: 'write',
          });
        const length = --left === 0 ? 7 : bytes.length - from;
        return { bytesWritten: writeSync(this.fd, bytes, from, length, at) };
      });
      // In the words that Node has for a file whose path it knows.
      await expect(bake(job, { executor: inOrder(), store })).rejects.toMatchObject({
        code: 'ENOSPC',
        syscall: 'write',
        path,
        message: `no space left on device, write '${path}'`,
      });
    } finally {
      write.mockRestore();
    }
    expect(await store.size()).toBe(statSync(path).size);
    await bake(job, { executor: inOrder(), store, resume: true });
    await store.close();
    expect(readBake(readFileSync(path)).missing).toBe(0);
  });

  it('says what went wrong first, whatever goes wrong after it', async () => {
    const own = mkdtempSync(join(folder, 'first-'));
    const path = join(own, 'file');
    const store = await openFileStore(path);
    const probe = await open(path);
    const handle = Object.getPrototypeOf(probe) as FileHandle;
    await probe.close();
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
    const write = vi.spyOn(handle, 'write').mockRejectedValue(full);
    // The store looks at its file once before.
    const { stat } = handle;
    const look = vi.spyOn(handle, 'stat').mockImplementationOnce(stat).mockRejectedValue(new Error('gone'));
    const put = vi.spyOn(Replacement.prototype, 'put').mockImplementation(async () => {
      rmSync(path);
      return false;
    });
    try {
      await expect(store.append(0, Buffer.from('old'))).rejects.toMatchObject({ code: 'ENOSPC' });
      write.mockRestore();
      look.mockRestore();
      const parts = async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from('new');
      };
      await expect(store.replace(parts())).rejects.toMatchObject({ code: 'file' });
    } finally {
      for (const spy of [write, look, put]) spy.mockRestore();
    }
    expect(readdirSync(own)).toEqual([]);
    await expect(store.read(0, 1)).rejects.toMatchObject({ code: 'closed' });
    await store.close();
  });

  it.each([
    [
      'another job',
      whole,
      { kind: 'routing' },
      'other-job',
      'the file holds another job: kind "batch" there, "routing" here',
    ],
    ['no job', flipped(40), {}, 'damaged', 'the file is damaged: its job cannot be read'],
    ['no beginning', flipped(1), {}, 'damaged', 'the file is damaged: it does not begin with BSPBAKE1'],
    [
      'a letter',
      Buffer.from('Dear all'),
      {},
      'file',
      'the file is not a bake: it does not begin with BSPBAKE1',
    ],
  ])('is named where it cannot be continued: it has %s', async (_, there, other, code, problem) => {
    const path = place('named');
    writeFileSync(path, there);
    for (const name of [undefined, 'mine']) {
      const store = await openFileStore(path, name);
      const run = bake({ ...job, ...other }, { executor: inOrder(), store, resume: true });
      await expect(run).rejects.toMatchObject({ code, message: `${name ?? path}: ${problem}` });
      await store.close();
    }
    expect(readFileSync(path)).toEqual(there);
  });

  it('is read and written in parts that Node takes, which ends with a crash where they are too long', async () => {
    const store = await openFileStore(place('huge'));
    const probe = await open(place('huge'));
    const asked: number[] = [];
    // Nothing is touched, so it takes no memory.
    const take =
      (name: string) =>
      async (...given: unknown[]) => {
        const length = given[2] as number;
        asked.push(length);
        return { [name]: length };
      };
    const handle = Object.getPrototypeOf(probe);
    await probe.close();
    const [read, write] = [vi.spyOn(handle, 'read'), vi.spyOn(handle, 'write')];
    read.mockImplementation(take('bytesRead'));
    write.mockImplementation(take('bytesWritten'));
    const size = 2 ** 31 + 5;
    try {
      await store.append(0, new Uint8Array(size));
      expect((await store.read(0, size)).length).toBe(size);
    } finally {
      read.mockRestore();
      write.mockRestore();
      await store.close();
    }
    expect(asked.length).toBeGreaterThan(3);
    expect(Math.max(...asked)).toBeLessThan(2 ** 31);
  });

  it.skipIf(WINDOWS)('is a file, not a device', async () => {
    await expect(openFileStore('/dev/null')).rejects.toMatchObject({
      code: 'file',
      message: '/dev/null: is not a file that can grow',
    });
  });

  it('is replaced when no other program has it open, and can be tried again until then', async () => {
    const path = place('read');
    const store = await openFileStore(path);
    await store.append(0, Buffer.from('old'));
    async function* parts(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('ne');
      yield Buffer.from('w');
    }
    const reader = openSync(path, 'r');
    if (WINDOWS) {
      await expect(store.replace(parts())).rejects.toMatchObject({ code: 'EPERM', syscall: 'rename' });
      expect(Buffer.from(await store.read(0, 9)).toString()).toBe('old');
      closeSync(reader);
      await store.replace(parts());
    } else {
      await store.replace(parts());
      expect(readFileSync(reader, 'utf8')).toBe('old');
      closeSync(reader);
    }
    expect(Buffer.from(await store.read(0, 9)).toString()).toBe('new');
    await store.append(3, Buffer.from('er'));
    await store.close();
    expect(readFileSync(path, 'utf8')).toBe('newer');
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  /** Opens files that, when told, refuse to close, as those of network filesystems and quotas do: they are closed nevertheless. */
  async function withUnclosed(run: (refuse: (after: number) => void) => Promise<void>): Promise<void> {
    let left = Infinity;
    const opens = vi.spyOn(promises, 'open').mockImplementation(async (...given) => {
      const file = await open(...given);
      const close = file.close.bind(file);
      file.close = async () => {
        await close();
        if (--left !== 0) return;
        throw Object.assign(new Error('EDQUOT: quota, close'), { code: 'EDQUOT', syscall: 'close' });
      };
      return file;
    });
    syncBuiltinESMExports();
    try {
      await run((after) => {
        left = after;
      });
    } finally {
      opens.mockRestore();
      syncBuiltinESMExports();
    }
  }

  it.each([
    ['the new file', 1],
    ['the old one', 2],
  ])('stays as it was where %s cannot be closed, and is named', (_, after) =>
    withUnclosed(async (refuse) => {
      const path = place(`unclosed-${after}`);
      const store = await openFileStore(path);
      await store.append(0, Buffer.from('old'));
      async function* parts(): AsyncGenerator<Uint8Array> {
        yield Buffer.from('new');
      }
      const refused = { code: 'EDQUOT', path, message: `EDQUOT: quota, close '${path}'` };
      refuse(after);
      await expect(store.replace(parts())).rejects.toMatchObject(refused);
      expect(readFileSync(path, 'utf8')).toBe('old');
      expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
      await store.append(3, Buffer.from('er'));
      refuse(1);
      await expect(store.close()).rejects.toMatchObject(refused);
      expect(readFileSync(path, 'utf8')).toBe('older');
    }),
  );

  it('leaves nothing of programs that were killed while they put it in order, and all that belongs to other files', async () => {
    const own = mkdtempSync(join(folder, 'killed-'));
    const path = join(own, 'bake');
    const partials = (): string[] => readdirSync(own).filter((name) => name.endsWith('.partial'));
    const left: string[] = [];
    for (const name of ['bake', 'other']) {
      const store = await openFileStore(join(own, name));
      async function* parts() {
        yield Buffer.from('half');
        left.push(...partials());
      }
      await store.replace(parts());
      await store.close();
    }
    // As if they had been killed then.
    for (const name of left) writeFileSync(join(own, name), 'half');
    expect(partials()).toHaveLength(2);
    await bakeInto(path, backwards());
    expect(readFileSync(path)).toEqual(whole);
    expect(partials()).toHaveLength(1);
    await bakeInto(join(own, 'other'), backwards());
    expect(partials()).toEqual([]);
  });

  it('is read as far as it still goes where another program has cut it off', async () => {
    const store = await openFileStore(place('cut'));
    await store.append(0, new Uint8Array(100).fill(7));
    truncateSync(place('cut'), 40);
    expect(await store.read(10, 50)).toEqual(new Uint8Array(30).fill(7));
    expect(await store.read(60, 10)).toEqual(new Uint8Array());
    await expect(store.append(100, Uint8Array.of(1))).rejects.toMatchObject({ code: 'file' });
    await store.close();
  });

  it('is closed when all has been written that was begun', async () => {
    const store = await openFileStore(place('large'));
    const bytes = new Uint8Array(1 << 25).fill(7);
    const written = store.append(0, bytes);
    await Promise.all([written, store.close()]);
    expect(statSync(place('large')).size).toBe(bytes.length);
  });

  it('is closed in place of being replaced, at the next part', async () => {
    const store = await openFileStore(place('kept'));
    await store.append(0, whole);
    let closing: Promise<void> | undefined;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        yield new Uint8Array(9);
        closing ??= store.close();
      }
    }
    await expect(store.replace(endless())).rejects.toMatchObject({ code: 'closed' });
    await closing;
    expect(readFileSync(place('kept'))).toEqual(whole);
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('is closed once, and then does nothing more', async () => {
    const store = await openFileStore(place('closed'));
    await store.append(0, whole);
    await Promise.all([store.close(), store.close()]);
    await store.close();
    const closed = { name: 'BakeError', code: 'closed', message: `${place('closed')}: has been closed` };
    async function* parts(): AsyncGenerator<Uint8Array> {
      yield whole;
    }
    await expect(async () => store.size()).rejects.toMatchObject(closed);
    await expect(store.read(0, 1)).rejects.toMatchObject(closed);
    await expect(store.append(0, whole)).rejects.toMatchObject(closed);
    await expect(store.replace(parts())).rejects.toMatchObject(closed);
    for (const resume of [false, true])
      await expect(bake(job, { executor: inOrder(), store, resume })).rejects.toMatchObject(closed);
    expect(readFileSync(place('closed'))).toEqual(whole);
  });

  it('is written to the disk where files have no sync(), as those of Yarn with Plug and Play', async () => {
    const probe = await open(place('unsynced'), 'w');
    await probe.close();
    const sync = vi.spyOn(Object.getPrototypeOf(probe) as FileHandle, 'sync').mockImplementation(() => {
      throw new Error('Method not implemented.');
    });
    try {
      await bakeInto(place('unsynced'), backwards());
    } finally {
      sync.mockRestore();
    }
    expect(readFileSync(place('unsynced'))).toEqual(whole);
  });

  it.skipIf(WINDOWS)('keeps its mode, and the links that lead to it', async () => {
    writeFileSync(place('private'), '');
    chmodSync(place('private'), 0o600);
    symlinkSync('private', place('link'));
    await bakeInto(place('link'), backwards());
    expect(lstatSync(place('link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(place('private'))).toEqual(whole);
    expect(statSync(place('private')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});
