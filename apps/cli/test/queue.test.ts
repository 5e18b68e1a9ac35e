import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { SILENT_PORT } from '@bspkit/testkit/redis';
import { describe, expect, it } from 'vitest';
import { bspkit, bspkitIn, temporaryFolder } from './bspkit.ts';

// Queues that cannot be used. Those that work are tested with the built command.

const folder = temporaryFolder();
const queries = join(folder, 'queries.ndjson');
writeFileSync(queries, '{"game":"quake3","map":"arena","kind":"points","columns":["x","y","z"]}\n[0,0,32]\n');
const batch = ['batch', 'demo:arena', '--queries', queries, '--out', join(folder, 'out'), '--queue'];

describe.each([
  ['batch', batch, ''],
  ['worker', ['worker', '--patience', '1', '--queue'], '; trying for 1 s'],
])('%s', { concurrent: true }, (_, command, waits) => {
  it('says that nothing listens', async () => {
    const says = `bspkit: cannot reach the queue at redis://me@127.0.0.1:${SILENT_PORT}: nothing listens there`;
    expect(await bspkit(...command, `redis://me:secret@127.0.0.1:${SILENT_PORT}`)).toEqual({
      status: 2,
      stdout: '',
      stderr: `${waits && `${says}${waits}\n`}${says}\n`,
    });
  });

  it('says that something else listens', async () => {
    const server = createServer((_request, reply) => reply.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `redis://127.0.0.1:${(server.address() as { port: number }).port}`;
    const surroundings = { env: { BSPKIT_QUEUE_PASSWORD: 'secret' } };
    expect(await bspkitIn(surroundings, ...command, url)).toMatchObject({
      status: 2,
      stderr: `bspkit: something answers at ${url}, but it is not a Redis\n`,
    });
    server.close();
  });

  it.each([
    ['farm', /is not a URL; a queue's address is like redis:\/\/host:6379/],
    ['https://:secret@farm', /begins with https:/],
    ['redis://:secret@farm:6379/one', /ends in something that is not the number/],
  ])('refuses %s', async (url, problem) => {
    const { status, stderr } = await bspkit(...command, url);
    expect(status).toBe(2);
    expect(stderr).toMatch(problem);
    expect(stderr).not.toContain('secret');
  });
});

it('is waited for until Ctrl-C, which promises no chunks that are not there', async () => {
  const url = `redis://127.0.0.1:${SILENT_PORT}`;
  const { status, stderr } = await bspkitIn({ signal: 'SIGINT' }, 'worker', '--queue', url);
  expect(status).toBe(0);
  expect(stderr).toMatch(/^bspkit: ending after any chunks at hand; Ctrl-C again gives them back\n/);
  expect(stderr).toMatch(/bspkit: answered 0 chunks\n$/);
});

it('has workers that say at once that there is no such folder of maps', async () => {
  const url = `redis://127.0.0.1:${SILENT_PORT}`;
  const notes = async (maps: string): Promise<string> =>
    (await bspkitIn({ signal: 'SIGINT', cwd: folder }, 'worker', '--queue', url, '--maps', maps)).stderr;
  const rest = '; until it can be read, maps come from the queue\n';
  expect(await notes('mpas')).toContain(`bspkit: mpas: there is no such folder${rest}`);
  expect(await notes('queries.ndjson')).toContain(`bspkit: queries.ndjson: is not a folder${rest}`);
  for (const maps of ['.', 'http://example.org/maps']) expect(await notes(maps)).not.toContain('maps');
});

it('is reached before a bake has made its points, which may take long', async () => {
  const url = `redis://127.0.0.1:${SILENT_PORT}`;
  const bake = ['bake', 'demo:arena', '--kind', 'sight', '--out', join(folder, 'out.bake')];
  const points = ['--points', join(folder, 'none.txt')];
  expect((await bspkit(...bake, ...points)).stderr).toMatch(/no such file/);
  expect(await bspkit(...bake, ...points, '--queue', url)).toMatchObject({
    status: 2,
    stderr: `bspkit: cannot reach the queue at ${url}: nothing listens there\n`,
  });
});

it('answers come either from threads or through a queue, not both', async () => {
  const { status, stderr } = await bspkit(...batch, 'redis://farm', '--jobs', '2');
  expect(status).toBe(2);
  expect(stderr).toMatch(/'--queue <url>' cannot be used with option '--jobs <n>'/);
});

it('names what is missing, and what is not possible', async () => {
  expect((await bspkit('worker')).stderr).toMatch(/missing: '--queue <url>'; for examples/);
  for (const option of ['jobs', 'idle', 'lock', 'limit', 'patience']) {
    const { status, stderr } = await bspkit('worker', '--queue', 'redis://farm', `--${option}`, '-1');
    expect([option, status]).toEqual([option, 2]);
    expect(stderr).toContain(`--${option} <`);
  }
  const zero = await bspkit('worker', '--queue', 'redis://farm', '--lock', '0');
  expect(zero).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/lock must be a whole number from 1 to 3600/),
  });
});
