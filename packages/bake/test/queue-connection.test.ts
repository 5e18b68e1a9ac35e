import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { REDIS_SERVER, SILENT_PORT, startRedis } from '@bspkit/testkit/redis';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createJob } from '../src/index.ts';
import { connectQueue, parseQueueUrl } from '../src/queue/connection.ts';
import {
  checkQueue,
  createQueueExecutor,
  type QueueWorkerOptions,
  type QueueWorkerReport,
  runQueueWorker,
} from '../src/queue.ts';
import { arena, job } from './queue-setup.ts';

// Queues that cannot be used: each is named, at once, and without the password.

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** The address of something that listens here and is no Redis. */
async function listen(server: Server): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as { port: number }).port}`;
}

const notes: string[] = [];
const options = { patience: 1, note: (text: string) => void notes.push(text) };
const refusal = async (url: string): Promise<unknown> => {
  try {
    (await connectQueue(url, options)).close();
  } catch (error) {
    return error;
  }
  return undefined;
};

it('that nothing answers is heard of before a job is opened, which may take long', async () => {
  const load = vi.fn(() => new Uint8Array());
  const own = await createJob({
    kind: 'batch',
    map: new Uint8Array(1),
    parameters: { header: '{}' },
    count: 1,
  });
  const url = `redis://127.0.0.1:${SILENT_PORT}`;
  await expect(createQueueExecutor({ url, job: own, load })).rejects.toMatchObject({ code: 'unreachable' });
  expect(load).not.toHaveBeenCalled();
  await expect(checkQueue(url)).rejects.toMatchObject({ code: 'unreachable' });
  await expect(checkQueue('farm')).rejects.toMatchObject({ code: 'url' });
});

it('is not asked for a job that is longer than its workers read', async () => {
  const parameters = { header: '{}', note: 'ä'.repeat(2 ** 19) };
  const long = { ...job, parameters };
  const making = createQueueExecutor({ url: 'redis://farm', job: long, load: () => arena });
  await expect(making).rejects.toMatchObject({
    code: 'job',
    message: expect.stringMatching(
      /^a queue takes jobs of at most 1048576 bytes as text, and this one has 10\d{5}: /,
    ),
  });
});

it('refuses a worker whose maps are at no address', async () => {
  await expect(runQueueWorker({ url: 'redis://farm', maps: 'http://' })).rejects.toThrow(
    new RangeError('maps must be a folder or a URL: it begins as a URL, and is not one'),
  );
});

describe('the address of a queue', () => {
  it.each([
    ['redis://host', { host: 'host', port: 6379, db: 0 }, 'redis://host:6379'],
    ['redis://10.0.0.1:7000/3', { host: '10.0.0.1', port: 7000, db: 3 }, 'redis://10.0.0.1:7000/3'],
    ['redis://[::1]:7000', { host: '::1', port: 7000, db: 0 }, 'redis://[::1]:7000'],
    ['redis://:s%40cret@host', { host: 'host', port: 6379, db: 0, password: 's@cret' }, 'redis://host:6379'],
    [
      'rediss://me:secret@host:1',
      { host: 'host', port: 1, db: 0, username: 'me', password: 'secret', tls: {} },
      'rediss://me@host:1',
    ],
  ])('%s is understood', (url, wanted, shown) => {
    expect(parseQueueUrl(url)).toEqual({ options: wanted, shown });
  });

  it.each([
    ['host:6379', /begins with host:/],
    ['http://:secret@host', /begins with http:, not with redis:/],
    ['redis://:secret@', /is not a URL/],
    ['redis:', /names no host/],
    ['redis://:secret@host/db', /ends in something that is not the number of a database/],
    ['redis://:secret@host/1?x=2', /must not have anything after a \?/],
    ['redis://:sec%ret@host', /has a % in its user or password/],
    ['redis://:secret@host:99999', /is not a URL/],
    ['secret', /is not a URL/],
  ])('%s is refused', (url, problem) => {
    expect(() => parseQueueUrl(url)).toThrow(
      expect.objectContaining({ name: 'QueueError', code: 'url', message: expect.stringMatching(problem) }),
    );
    expect(() => parseQueueUrl(url)).not.toThrow(/sec%?ret/);
  });

  it('must be a text', () => {
    expect(() => parseQueueUrl(6379 as never)).toThrow('url must be a string');
  });
});

it('is what BullMQ and ioredis are loaded for, and nothing else', () => {
  const sources = new URL('../src/', import.meta.url);
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const using = files.filter((name) =>
    /from '(bullmq|ioredis|\.\.?\/queue[/.].*)'/.test(readFileSync(new URL(name, sources), 'utf8')),
  );
  expect(using.length).toBeGreaterThan(3);
  expect(using.filter((name) => !/^queue([\\/]|\.ts$)/.test(name))).toEqual([]);
});

/** Something that says this of itself, as a Redis does. */
const info = (text: string): Server =>
  createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      for (const command of bytes
        .toString()
        .toLowerCase()
        .matchAll(/\r\n(hello|info|client)\r\n/g)) {
        socket.write(command[1] === 'info' ? `$${text.length}\r\n${text}\r\n` : '+OK\r\n');
      }
    });
  });

it('that is away while a connection to it is ended is not waited for', async () => {
  const server = info('redis_version:7.0.0');
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  const { another, close } = await connectQueue(`redis://${await listen(server)}`, options);
  const other = another();
  await once(other, 'ready');
  server.close();
  for (const socket of sockets) socket.destroy();
  await once(other, 'reconnecting');
  const asked = other.ping();
  const ended = once(other, 'end');
  other.disconnect();
  // BullMQ waits for both when it closes a worker.
  await ended;
  await expect(asked).rejects.toThrow('Connection is closed');
  close();
});

describe('anything but a queue', () => {
  it('nothing listens', async () => {
    expect(await refusal(`redis://:secret@127.0.0.1:${SILENT_PORT}`)).toMatchObject({
      name: 'QueueError',
      code: 'unreachable',
      message: `cannot reach the queue at redis://127.0.0.1:${SILENT_PORT}: nothing listens there`,
    });
  });

  it('another protocol', async () => {
    const place = await listen(createHttp((_, reply) => reply.end('hello')));
    const message = `something answers at redis://${place}, but it is not a Redis`;
    expect(await refusal(`redis://${place}`)).toMatchObject({ code: 'not-redis', message });
    expect(await refusal(`rediss://${place}`)).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('does not speak TLS'),
    });
  });

  it('something that talks first', async () => {
    const place = await listen(
      createServer((socket) => {
        socket.on('error', () => {});
        socket.write('220 ready\r\n');
      }),
    );
    expect(await refusal(`redis://${place}`)).toMatchObject({ code: 'not-redis' });
  });

  it('something that hangs up', async () => {
    const place = await listen(createServer((socket) => socket.destroy()));
    expect(await refusal(`redis://${place}`)).toMatchObject({ code: 'unreachable' });
  });

  it('a Redis that repeats the command with the password', async () => {
    const place = await listen(
      createServer((socket) => {
        socket.on('error', () => {});
        socket.on('data', (bytes) => {
          // As Redis does it where the command has been renamed.
          for (const command of bytes
            .toString()
            .split(/(?<=\n)\*\d+\r\n|^\*\d+\r\n/)
            .slice(1)) {
            const [name, ...args] = [...command.matchAll(/\$\d+\r\n(.*)\r\n/g)].map(
              ([, text]) => `'${text}'`,
            );
            socket.write(`-ERR unknown command ${name}, with args beginning with: ${args.join(' ')}\r\n`);
          }
        });
      }),
    );
    const error = await refusal(`redis://:s3cr3t@${place}`);
    expect(error).toMatchObject({
      code: 'unreachable',
      message: `cannot reach the queue at redis://${place}: ERR unknown command 'auth'`,
    });
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('s3cr3t');
  });

  it('a Redis that is too old, and one that says it is none', async () => {
    const old = await listen(info('# Server\r\nredis_version:5.0.14\r\n'));
    expect(await refusal(`redis://${old}`)).toMatchObject({
      code: 'version',
      message: `redis://${old} is Redis 5.0.14; 6.2 or newer is needed`,
    });
    const other = await listen(info('hello'));
    expect(await refusal(`redis://${other}`)).toMatchObject({ code: 'not-redis' });
  });
});

it.runIf(REDIS_SERVER)('a Redis that could not be asked for a while is not lost', async () => {
  const redis = await startRedis();
  const { lost, close } = await connectQueue(redis.url, { ...options, patience: 0.5 });
  // Nothing else goes on in this thread meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  // It looks once more.
  await sleep(700);
  close();
  await redis.remove();
  expect(lost.aborted).toBe(false);
});

// They wait most of the time, so the tests of both groups run at once.
describe('a worker at a queue that is not there yet', { concurrent: true }, () => {
  const run = (url: string, more: Partial<QueueWorkerOptions> = {}): Promise<QueueWorkerReport> =>
    runQueueWorker({ url, threads: 1, patience: 1, note: options.note, ...more });

  it('tries for as long as its patience lasts', async () => {
    // With a number that no other test has, by which its notes are found.
    const url = `redis://127.0.0.1:${SILENT_PORT}/3`;
    const problem = `cannot reach the queue at ${url}: nothing listens there`;
    const began = performance.now();
    await expect(run(url)).rejects.toMatchObject({ code: 'unreachable', message: problem });
    expect(performance.now() - began).toBeGreaterThan(1000);
    expect(notes.filter((text) => text.includes(url))).toEqual([`${problem}; trying for 1 s`]);
  });

  it('ends when it is told to', async () => {
    const url = `redis://127.0.0.1:${SILENT_PORT}`;
    for (const name of ['signal', 'hurry']) {
      const stop = new AbortController();
      const ended = run(url, { patience: 600, note: () => stop.abort(), [name]: stop.signal });
      expect(await ended).toEqual({ answered: 0, failed: 0 });
    }
  });

  it('ends when it is told to also while it waits for an answer', async () => {
    for (const name of ['signal', 'hurry']) {
      const stop = new AbortController();
      const place = await listen(createServer(() => stop.abort()));
      const said: string[] = [];
      const more = { patience: 600, note: (text: string) => void said.push(text), [name]: stop.signal };
      const began = performance.now();
      expect(await run(`redis://${place}`, more)).toEqual({ answered: 0, failed: 0 });
      expect(performance.now() - began).toBeLessThan(9000);
      expect(said).toEqual([]);
    }
  });

  it('does not wait for what will be as it is', async () => {
    const stop = new AbortController();
    const place = await listen(createHttp((_, reply) => reply.end('hello')));
    const more = { patience: 600, note: () => stop.abort(), signal: stop.signal };
    await expect(run(`rediss://${place}`, more)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('does not speak TLS'),
    });
    await expect(run(`redis://${place}`, more)).rejects.toMatchObject({ code: 'not-redis' });
    await expect(run('farm', more)).rejects.toMatchObject({ code: 'url' });
  });

  it.runIf(REDIS_SERVER)('does not wait for a database that a queue does not have', async () => {
    const redis = await startRedis();
    const stop = new AbortController();
    const more = { patience: 600, note: () => stop.abort(), signal: stop.signal };
    await expect(run(`${redis.url}/99`, more)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('DB index is out of range'),
    });
    await redis.remove();
  });

  it.runIf(REDIS_SERVER)('begins as soon as it is there', async () => {
    const redis = await startRedis();
    await redis.kill();
    const stop = new AbortController();
    const said: string[] = [];
    const note = (text: string): void => {
      said.push(text);
      if (text.startsWith('cannot reach')) void redis.start();
      if (text.startsWith('takes chunks from')) stop.abort();
    };
    expect(await run(redis.url, { patience: 60, note, signal: stop.signal })).toEqual({
      answered: 0,
      failed: 0,
    });
    expect(said).toEqual([
      `cannot reach the queue at ${redis.url}: nothing listens there; trying for 60 s`,
      `takes chunks from ${redis.url} with 1 thread`,
    ]);
    await redis.remove();
  });
});

describe.skipIf(!REDIS_SERVER)(
  `a Redis${REDIS_SERVER ? '' : ': skipped, redis-server is not installed'}`,
  { concurrent: true },
  () => {
    it('with a password', async () => {
      const redis = await startRedis('requirepass secret', 'maxmemory 1gb', 'maxmemory-policy allkeys-lru');
      try {
        expect(await refusal(redis.url)).toMatchObject({
          code: 'denied',
          message: `${redis.url} wants a password; the address takes it: redis://user:password@host`,
        });
        const wrong = await refusal(redis.url.replace('//', '//:s3cr3t@'));
        expect(wrong).toMatchObject({
          code: 'denied',
          message: expect.stringContaining('refuses the user or password'),
        });
        // As logs show it: with its cause, and all that this has.
        expect(inspect(wrong, { depth: Infinity, showHidden: true })).not.toContain('s3cr3t');
        const said: string[] = [];
        const note = (text: string): void => void said.push(text);
        const connection = await connectQueue(redis.url.replace('//', '//:secret@'), { ...options, note });
        expect(await connection.redis.ping()).toBe('PONG');
        connection.close();
        expect(said).toEqual([
          `${redis.url} throws keys away when it is full (maxmemory-policy allkeys-lru); noeviction is safer`,
        ]);
      } finally {
        await redis.remove();
      }
    });

    it('that goes and does not come back is lost, in words', async () => {
      const redis = await startRedis();
      const { lost, close } = await connectQueue(redis.url, { ...options, patience: 0.25 });
      await redis.remove();
      if (!lost.aborted) await once(lost, 'abort');
      close();
      expect(lost.reason).toMatchObject({
        code: 'lost',
        message: `the queue at ${redis.url} has not answered for 0.25 s: nothing listens there`,
      });
    });

    it('that falls silent is not said to be gone as it was before', async () => {
      const redis = await startRedis();
      const { redis: client, lost, close } = await connectQueue(redis.url, { ...options, patience: 2 });
      const refused = once(client, 'error');
      await redis.kill();
      await refused;
      await redis.start();
      await client.ping();
      const other = await connectQueue(redis.url, options);
      await other.redis.call('CLIENT', 'PAUSE', '60000', 'ALL');
      if (!lost.aborted) await once(lost, 'abort');
      for (const end of [close, other.close]) end();
      await redis.remove();
      expect(lost.reason.message).toBe(`the queue at ${redis.url} has not answered for 2 s`);
    });

    it('that is back is not gone any more for those who close then', async ({ expect }) => {
      const redis = await startRedis();
      const said: string[] = [];
      const note = (text: string): void => void said.push(text);
      const { gone, close } = await connectQueue(redis.url, { patience: 60, note });
      const went = gone();
      await redis.kill();
      await went;
      await redis.start();
      await expect.poll(() => said.at(-1)).toBe(`${redis.url} answers again`);
      const isGone = await Promise.race([gone().then(() => true), sleep(50).then(() => false)]);
      close();
      await redis.remove();
      expect(isGone).toBe(false);
    });

    it('that goes while a job is opened is lost, too', async () => {
      const redis = await startRedis();
      const load = async (): Promise<Uint8Array> => {
        await redis.remove();
        return arena;
      };
      const opening = createQueueExecutor({ url: redis.url, job, load, patience: 1 });
      await expect(opening).rejects.toMatchObject({ code: 'lost' });
    });
  },
);
