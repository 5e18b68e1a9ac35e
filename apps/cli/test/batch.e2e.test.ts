import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { BakeWriter, memoryStore, readBake } from '@bspkit/bake';
import { ROW_KINDS } from '@bspkit/bake/rows';
import { ENGINE_DATA, engineFiles } from '@bspkit/fixtures/engine';
import { findRealData } from '@bspkit/fixtures/real';
import { rowFiles } from '@bspkit/fixtures/recorded';
import { parseHeader } from '@bspkit/rows';
import { REDIS_SERVER, startRedis, type TestRedis } from '@bspkit/testkit/redis';
import { FORMATS } from 'bspkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bspkit, type Run, temporaryFolder } from './bspkit.ts';
import { type Started, start } from './started.ts';

// Threads that the command starts run the built code.

const ALL = process.env.BSPKIT_ALL_ROWS !== undefined;
const MOST_LINES = ALL ? Infinity : 300;

const real = findRealData();
const loaded = await Promise.all(FORMATS.map((format) => format.load()));

/**
 * Rows recorded from the engines: a file of each kind, on our own maps; with BSPKIT_ALL_ROWS all files, also those on real maps.
 */
const known = [
  ...engineFiles().map((file) => ({ ...file, data: ENGINE_DATA })),
  ...(ALL && real ? rowFiles(real).map((file) => ({ ...file, data: real })) : []),
].filter(({ game, readHeader }) => {
  const format = loaded.find(({ id }) => id === game);
  return format && parseHeader(readHeader()).kind in { ...format.rows, ...ROW_KINDS[game] };
});
const files = ALL ? known : [...new Map(known.map((file) => [`${file.game} ${file.kind}`, file])).values()];

/** The first line of questions about points. */
const POINTS = '{"game":"quake3","map":"arena","kind":"points","columns":["x","y","z"]}';

const DONE = { status: 0, stdout: '', stderr: '' };
const folder = temporaryFolder();
const inFolder = (name: string): string => join(folder, name);

let redis: TestRedis | undefined;
let worker: Started | undefined;
beforeAll(async () => {
  if (!REDIS_SERVER) return;
  redis = await startRedis();
  worker = start('worker', '--queue', redis.url, '--jobs', '2');
  // The worker may not have joined the queue yet; until then, the command says that nothing listens.
  const [queries, out] = [inFolder('first.ndjson'), inFolder('answer.ndjson')];
  writeFileSync(queries, `${POINTS}\n[0,0,32]\n`);
  const asked = ['batch', 'demo:arena', '--queries', queries, '--out', out, '--queue', redis.url];
  expect((await bspkit(...asked)).status).toBe(0);
});
afterAll(async () => {
  worker?.process.kill('SIGTERM');
  await worker?.ended;
  await redis?.remove();
});

const title = REDIS_SERVER ? '' : ' (queue: skipped, redis-server is not installed)';

/** Options that let threads or a queue, whose worker has two, answer. */
const ways = (jobs = '2'): string[][] => [['--jobs', jobs], ...(redis ? [['--queue', redis.url]] : [])];

describe(`batch in threads and through a queue${title}`, () => {
  it('says which map the answers are about, if the questions leave that to the command line', async () => {
    const [queries, out] = [inFolder('unnamed.ndjson'), inFolder('named.ndjson')];
    writeFileSync(queries, `${POINTS.replace('"map":"arena",', '')}\n[0,0,32]\n`);
    for (const way of ways()) {
      expect(await bspkit('batch', 'demo:arena', '--queries', queries, '--out', out, ...way)).toEqual(DONE);
      expect(readFileSync(out, 'utf8').split('\n')[0]).toContain('"map":"arena"');
    }
  });

  it.each(files.map((file) => [file.name, file] as const))(
    'writes the same bytes: %s',
    async (_, file) => {
      const lines = file.read().trimEnd().split('\n').slice(0, MOST_LINES);
      const queries = inFolder('queries.ndjson');
      writeFileSync(queries, lines.join('\n'));
      // What rows are about may be beside them.
      const beside = join(file.path, '..', `${parseHeader(file.readHeader()).map}.gz`);
      const about = existsSync(beside) ? [beside] : [];
      const run = async (...args: string[]): Promise<Buffer> => {
        const out = inFolder('answers.ndjson');
        const asked = ['batch', ...about, '--maps', file.data.maps, '--queries', queries, '--out', out];
        expect(await bspkit(...asked, ...args)).toEqual(DONE);
        return readFileSync(out);
      };
      const alone = await run();
      expect(alone.toString().trimEnd().split('\n')).toHaveLength(lines.length);
      // A second thread takes as long to start as all else that is done here.
      for (const way of ways('1')) expect(Buffer.compare(await run(...way), alone), way[0]).toBe(0);
    },
    600_000,
  );

  it('reads and writes gzip', async () => {
    const [queries, out] = [inFolder('queries.ndjson.gz'), inFolder('answers.ndjson.gz')];
    writeFileSync(queries, gzipSync(`${POINTS}\n[0,0,32]\n`));
    for (const way of [[], ...ways()]) {
      expect(await bspkit('batch', 'demo:arena', '--queries', queries, '--out', out, ...way)).toEqual(DONE);
      expect(gunzipSync(readFileSync(out)).toString()).toMatch(/\n\[0,0,32,\d+,0,0,0\]\n$/);
      rmSync(out);
    }
  });

  it('reports errors in the same way, with the line', async () => {
    const texts = ['[1,2,3]\n\n[1,2]\n[1', `${'[1,2,3]\n'.repeat(300)}[1,2,"x"]`];
    for (const text of texts) {
      const queries = inFolder('wrong.ndjson');
      writeFileSync(queries, `${POINTS}\n${text}\n`);
      const run = (...args: string[]): Promise<Run> =>
        bspkit('batch', 'demo:arena', '--queries', queries, '--out', inFolder('wrong'), ...args);
      const alone = await run();
      expect(alone).toMatchObject({ status: 2, stderr: expect.stringMatching(/wrong\.ndjson: line \d+/) });
      for (const way of ways()) expect(await run(...way)).toEqual(alone);
      expect(existsSync(inFolder('wrong'))).toBe(false);
    }
  });

  it('goes on from the answers that are there', async () => {
    const [queries, out, part] = ['long.ndjson', 'long.out', 'long.out.part'].map(inFolder) as [
      string,
      string,
      string,
    ];
    const rows = Array.from({ length: 300 }, (_, k) => `[${k},0,32]`);
    const ask = (...lines: string[]): void => writeFileSync(queries, [POINTS, ...lines].join('\n'));
    const run = (...args: string[]): Promise<Run> =>
      bspkit('batch', 'demo:arena', '--queries', queries, '--out', out, ...args);
    ask(...rows, '[0,0,32]');
    expect(await run()).toEqual(DONE);
    const whole = readFileSync(out);
    rmSync(out);
    for (const way of [[], ...ways()]) {
      ask(...rows, '[0,0]');
      expect(await run('--resume', ...way)).toMatchObject({ status: 2 });
      expect(existsSync(out)).toBe(false);
      const { job, inputs, chunks } = readBake(readFileSync(part));
      expect(chunks.size).toBeGreaterThan(8);
      // An answer that nobody would compute shows where it came from.
      const other = memoryStore();
      const writer = await BakeWriter.create(other, job, inputs);
      for (const [k, answer] of chunks) {
        const text = Buffer.from(answer).toString('latin1');
        await writer.add(k, Buffer.from(k === 3 ? text.replace('[', '[7') : text, 'latin1'));
      }
      writeFileSync(part, other.bytes());

      ask('[1,2,3]', ...rows.slice(1), '[0,0,32]');
      expect(await run('--resume', ...way)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(`these are not the questions that ${part} has answers to`),
      });
      ask(...rows, '[0,0,32]');
      expect(await run('--resume', ...way)).toEqual(DONE);
      expect(readFileSync(out, 'utf8')).toBe(whole.toString().replace('[24,0,32', '[724,0,32'));
      expect(existsSync(part)).toBe(false);
      rmSync(out);
    }
  });

  it('keeps no answers where that is not possible', async () => {
    const [queries, part] = [inFolder('few.ndjson'), inFolder('few.out.part')];
    writeFileSync(queries, `${POINTS}\n[0,0,32]\n`);
    const run = (out: string): Promise<Run> =>
      bspkit('batch', 'demo:arena', '--queries', queries, '--resume', '--out', out);
    const pipe = await run('-');
    expect(pipe).toEqual({ ...DONE, status: 2, stderr: 'bspkit: --resume needs a file: --out is stdout\n' });
    const device = await run('/dev/null');
    expect(device).toMatchObject({
      status: 2,
      stderr: 'bspkit: --resume needs a file: --out is /dev/null\n',
    });
    writeFileSync(part, 'Dear all');
    const letter = await run(inFolder('few.out'));
    expect(letter).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/few\.out\.part: the file is not a bake/),
    });
    expect(readFileSync(part, 'utf8')).toBe('Dear all');
  });

  it('refuses impossible numbers of threads', async () => {
    for (const jobs of ['0', '257', 'x', '1.5']) {
      const { status, stderr } = await bspkit('batch', '--queries', '-', '--out', '-', '--jobs', jobs);
      expect({ status, stderr }).toEqual({
        status: 2,
        stderr: expect.stringContaining('whole number from 1 to 256'),
      });
    }
  });
});
