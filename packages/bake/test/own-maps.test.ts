import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, posix, sep, win32 } from 'node:path';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { describe, expect, it } from 'vitest';
import { ownMaps, startOf } from '../src/queue/own-maps.ts';

const outer = temporaryFolder();
const folder = join(outer, 'maps');
mkdirSync(join(folder, 'deep/deeper'), { recursive: true });

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const never = new AbortController().signal;

/** What a folder has of the map that is this text. */
const look = async (text: string, place = folder): Promise<string | undefined> => {
  const bytes = await ownMaps(place, never)(hashOf(text));
  return bytes && Buffer.from(bytes).toString();
};

writeFileSync(join(folder, 'one.bsp'), 'one');
writeFileSync(join(folder, 'deep/deeper/two.BSP.gz'), gzipSync('two'));
writeFileSync(join(folder, 'deep/three.map'), 'three');
writeFileSync(join(outer, 'four.bsp'), 'four');

describe('a URL of maps', () => {
  /** Runs with a server that answers so. */
  const withServer = async (
    answer: (path: string, reply: ServerResponse) => void,
    run: (origin: string) => Promise<void>,
  ): Promise<void> => {
    const server = createServer(({ url }, reply) => answer(url!, reply));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };

  it('may have a path and a query', async () => {
    const asked: string[] = [];
    const answer = (path: string, reply: ServerResponse): void => {
      asked.push(path);
      reply.end('one');
    };
    await withServer(answer, async (origin) => {
      for (const rest of ['', '/', '/maps', '/maps/?key=a/b', '/maps?key=a#here'])
        expect(await look('one', origin + rest)).toBe('one');
    });
    const name = `${hashOf('one')}.bsp`;
    expect(asked).toEqual([
      `/${name}`,
      `/${name}`,
      `/maps/${name}`,
      `/maps/${name}?key=a/b`,
      `/maps/${name}?key=a`,
    ]);
  });

  it('has no map where it says so, and cannot be used where it says anything else', async () => {
    let status = 404;
    const answer = (_: string, reply: ServerResponse): void => void reply.writeHead(status).end('sorry');
    await withServer(answer, async (origin) => {
      expect(await look('one', origin)).toBeUndefined();
      for (status of [401, 403, 500, 503]) {
        await expect(look('one', origin)).rejects.toMatchObject({
          name: 'BakeError',
          code: 'absent',
          message: `${origin} gives no map: it answers with status ${status}`,
        });
      }
    });
  });

  it('is refused where it is none, or has a password, which would be shown', () => {
    for (const place of ['http://', 'https://a b/', 'http://host:99999/'])
      expect(() => ownMaps(place, never)).toThrow(RangeError);
    for (const place of ['http://me:secret@host/', 'https://secret@host/maps']) {
      expect(() => ownMaps(place, never)).toThrow(
        new RangeError('maps must not have a user or password in its URL'),
      );
    }
  });

  it('is waited for no longer once its worker ends', async () => {
    const end = new AbortController();
    await withServer(
      () => end.abort(),
      async (origin) => {
        await expect(ownMaps(origin, end.signal)(hashOf('one'))).rejects.toMatchObject({ code: 'absent' });
      },
    );
  });

  it('that breaks off gives no map, as one that does not answer', async () => {
    const server = createServer((_, reply) => {
      reply.writeHead(200, { 'content-length': 100 });
      reply.write('half', () => reply.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const place = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const gone = { name: 'BakeError', code: 'absent', message: expect.stringContaining('gives no map: ') };
    await expect(look('half', place)).rejects.toMatchObject(gone);
    await new Promise((resolve) => server.close(resolve));
    await expect(look('half', place)).rejects.toMatchObject(gone);
  });
});

describe('a folder of maps', () => {
  it('has those that are in it, at any depth, under any name', async () => {
    expect(await look('one')).toBe('one');
    expect(await look('two')).toBe('two');
    expect(await look('three')).toBeUndefined();
    expect(await look('four')).toBeUndefined();
    expect(await look('one', `${folder}${sep}`)).toBe('one');
    expect(await look('two', join(folder, 'deep', '..', '.'))).toBe('two');
  });

  it.skipIf(process.platform === 'win32')(
    'has links to maps in it, and no end of links to folders',
    async () => {
      writeFileSync(join(folder, 'deep/stored'), 'five');
      symlinkSync('stored', join(folder, 'deep/five.bsp'));
      symlinkSync('../four.bsp', join(folder, 'four.bsp'));
      symlinkSync('nowhere.bsp', join(folder, 'nowhere.bsp'));
      // Two of them have as many paths as a tree of any height.
      symlinkSync('..', join(folder, 'deep/up'));
      symlinkSync('../..', join(folder, 'deep/deeper/up'));
      symlinkSync(folder, join(outer, 'link'));
      for (const place of [folder, join(outer, 'link')]) {
        expect(await look('two', place)).toBe('two');
        expect(await look('five', place)).toBe('five');
        expect(await look('four', place)).toBeUndefined();
      }
    },
  );

  it('that is not there, or a file, is an error', async () => {
    for (const place of [join(folder, 'none'), join(folder, 'one.bsp')]) {
      await expect(ownMaps(place, never)(hashOf('one'))).rejects.toMatchObject({
        name: 'BakeError',
        code: 'absent',
      });
    }
  });

  it('may be a whole drive', () => {
    expect([startOf('/', posix), startOf('/maps', posix)]).toEqual(['/', '/maps/']);
    const [drive, share] = ['C:\\', '\\\\server\\share\\'];
    expect([startOf(drive, win32), startOf(share, win32)]).toEqual([drive, share]);
    expect(startOf('C:\\maps', win32)).toBe('C:\\maps\\');
  });
});
