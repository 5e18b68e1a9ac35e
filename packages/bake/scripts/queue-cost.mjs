// What it costs to have chunks answered through a queue instead of by threads: CPU time of everybody who takes part, bytes
// over the network, chunks per second. Needs Linux and redis-server. Prints a table in Markdown:
//
//   npx turbo run build --filter=@bspkit/cli && node packages/bake/scripts/queue-cost.mjs
//
// --rounds N (3): medians of so many. --write: into apps/docs/guides/scaling.md as well.
import { fork, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  chunkCount,
  chunkOf,
  createJob,
  mapInput,
  pointBytes,
  streamChunks,
  surfacePoints,
} from '@bspkit/bake';
import { createBakePool } from '@bspkit/bake/pool';
import { createQueueExecutor, runQueueWorker } from '@bspkit/bake/queue';
import { FORMATS, formatOf } from 'bspkit';
import { Redis } from 'ioredis';
import { writeFigures } from '../../../scripts/figures.mjs';
import { machine, startRedis, traceRows } from './work.mjs';

const GUIDE = new URL('../../../apps/docs/guides/scaling.md', import.meta.url);

/** How long nothing is done, to see what that costs. */
const IDLE_MS = 4000;

const SELF = fileURLToPath(import.meta.url);

if (process.send) {
  // A worker of its own process, which tells its CPU time when asked.
  process.on('message', () => process.send(usage()));
  process.once('disconnect', () => process.exit());
  await runQueueWorker({ url: process.argv[2], threads: 1 });
} else await main();

/** CPU time of this process and of each of its threads but the first, in ms. Linux tells it. */
function usage() {
  const { user, system } = process.cpuUsage();
  const threads = {};
  for (const thread of readdirSync('/proc/self/task')) {
    const [time] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ');
    if (Number(thread) !== process.pid) threads[thread] = Number(time) / 1e6;
  }
  return { all: (user + system) / 1000, threads };
}

/** What was used between two looks: by the one thread that answers chunks, and by everything else. */
function between(before, after) {
  const times = Object.entries(after.threads).map(([thread, time]) => time - (before.threads[thread] ?? 0));
  const compute = Math.max(0, ...times);
  return { compute, rest: after.all - before.all - compute };
}

async function main() {
  const { values } = parseArgs({ options: { rounds: { type: 'string' }, write: { type: 'boolean' } } });
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-cost-'));
  const redis = await startRedis(folder);
  redis.client = new Redis(redis.url);
  try {
    const map = makeMap(folder);
    const rows = [];
    for (const work of [await occlusion(map), await batch(map)]) {
      const ways = {
        threads: inThreads,
        one: (given) => runQueue(redis, 1, given),
        two: (given) => runQueue(redis, 2, given),
      };
      const runs = { threads: [], one: [], two: [] };
      for (let round = 0; round < Number(values.rounds ?? 3); round++) {
        for (const [name, run] of Object.entries(ways)) runs[name].push(await run(work));
      }
      const hashes = new Set(Object.values(runs).flatMap((all) => all.map(({ hash }) => hash)));
      if (hashes.size !== 1) throw new Error(`${work.name}: the answers differ`);
      rows.push([work, runs]);
    }
    const text = report(rows);
    console.log(text);
    if (values.write) writeFigures(GUIDE, 'queue-cost.mjs', text);
  } finally {
    redis.server.kill('SIGKILL');
    redis.client.disconnect();
    rmSync(folder, { recursive: true });
  }
}

/** The arena, compiled. */
function makeMap(folder) {
  const out = join(folder, 'arena.bsp');
  const cli = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [
    cli,
    'compile',
    'demo:arena',
    '--format',
    'quake3',
    '--out',
    out,
  ]);
  if (status !== 0) throw new Error(String(stderr));
  return readFileSync(out);
}

/** Chunks of the size that `bspkit bake` makes. */
async function occlusion(map) {
  const format = await formatOf('quake3', FORMATS);
  const { points, normals } = surfacePoints(format.mesh(format.read(map)), 3);
  const inputs = { points: pointBytes(points), normals: pointBytes(normals) };
  const job = await createJob({ kind: 'occlusion', map, inputs });
  const chunks = Math.min(40, chunkCount(job));
  const chunkAt = (index) => (index < chunks ? chunkOf(job, index) : undefined);
  return { name: `occlusion, ${job.chunkSize} points × 64 rays`, job, map, inputs, chunks, chunkAt };
}

/** Rows of traces in chunks of the size that `bspkit batch` makes. */
async function batch(map) {
  const rows = traceRows();
  const header = rows.next().value.trimEnd();
  const chunks = Array.from({ length: 60 }, (_, index) => {
    let text = '';
    let count = 0;
    for (; text.length < 1 << 18; count++) {
      text += rows.next().value;
    }
    return { index, first: 2, count, input: Buffer.from(text) };
  });
  const inputs = { [mapInput('arena')]: map };
  const job = await createJob({ kind: 'batch', parameters: { header }, inputs, count: 0, chunkSize: 1 });
  const name = `batch, ${chunks[0].count} rows of traces`;
  return { name, job, map: undefined, inputs, chunks: chunks.length, chunkAt: (index) => chunks[index] };
}

/** Runs all chunks through an executor. */
async function drive({ chunks, chunkAt }, executor) {
  async function* all() {
    for (let index = 0; index < chunks; index++) yield chunkAt(index);
  }
  const sum = createHash('sha256');
  for await (const { answer } of streamChunks({ executor, chunks: all() })) sum.update(answer);
  return sum.digest('hex');
}

async function inThreads(work) {
  const pool = createBakePool({ threads: 1 });
  const executor = await pool.open(work.job, { map: work.map, inputs: work.inputs });
  // Code is compiled and the map is opened.
  await drive({ ...work, chunks: 8 }, executor);
  const [before, time] = [usage(), performance.now()];
  const hash = await drive(work, executor);
  const run = { hash, ...between(before, usage()), time: performance.now() - time };
  await pool.close();
  return run;
}

/** Runs through a queue with so many workers, each with one thread. */
async function runQueue({ client, url }, count, work) {
  const workers = Array.from({ length: count }, () =>
    fork(SELF, [url], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  );
  const bytes = new Map(Object.entries(work.job.inputs).map(([name, hash]) => [hash, work.inputs[name]]));
  if (work.map) bytes.set(work.job.map, work.map);
  const executor = await createQueueExecutor({ url, job: work.job, load: (hash) => bytes.get(hash) });
  await drive({ ...work, chunks: 8 * count }, executor);
  const look = async () => {
    const times = await Promise.all(
      workers.map(async (worker) => {
        worker.send('cpu');
        return (await once(worker, 'message'))[0];
      }),
    );
    const info = await client.info();
    const number = (name) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)[1]);
    return {
      coordinator: usage().all,
      workers: times,
      redis: 1000 * (number('used_cpu_user') + number('used_cpu_sys')),
      network: number('total_net_input_bytes') + number('total_net_output_bytes'),
    };
  };
  // What everybody does who only waits, which is not the chunks' doing.
  const resting = await look();
  await sleep(IDLE_MS);
  const before = await look();
  const idle = costs(resting, before);
  const began = performance.now();
  const hash = await drive(work, executor);
  const time = performance.now() - began;
  const after = await look();
  await executor.close();
  for (const worker of workers) worker.disconnect();
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  const used = costs(before, after);
  const own = (who) => used[who] - (idle[who] * time) / IDLE_MS;
  const rate = (idle.worker + idle.coordinator + idle.redis) / IDLE_MS;
  return {
    hash,
    time,
    rate,
    network: after.network - before.network,
    ...Object.fromEntries(['worker', 'coordinator', 'redis'].map((who) => [who, own(who)])),
  };
}

/** What was used between two looks, but for the threads that answer chunks. */
function costs(before, after) {
  const parts = after.workers.map((worker, k) => between(before.workers[k], worker));
  return {
    worker: parts.reduce((sum, { rest }) => sum + rest, 0),
    coordinator: after.coordinator - before.coordinator,
    redis: after.redis - before.redis,
  };
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function report(rows) {
  const lines = [
    '| chunk | its thread | besides, without queue | with it: worker | coordinator | Redis | all, waiting | the queue adds | bytes per chunk | chunks/s: thread, 1 worker, 2 workers |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
  ];
  for (const [{ name, chunks }, { threads, one, two }] of rows) {
    const each = (runs, key) => median(runs.map((run) => run[key])) / chunks;
    const ms = (value) => `${value.toFixed(1)} ms`;
    const sum = ['worker', 'coordinator', 'redis'].reduce((all, who) => all + each(one, who), 0);
    // A chunk takes as long as its thread needs for it, and everybody waits for so long.
    const waiting = median(one.map(({ rate }) => rate)) * each(threads, 'compute');
    const share = (100 * (sum + waiting - each(threads, 'rest'))) / each(threads, 'compute');
    const rate = (runs) => (1000 / each(runs, 'time')).toFixed(1);
    const cells = [
      name,
      ms(each(threads, 'compute')),
      ms(each(threads, 'rest')),
      ms(each(one, 'worker')),
      ms(each(one, 'coordinator')),
      ms(each(one, 'redis')),
      ms(waiting),
      `${share.toFixed(1)} %`,
      Math.round(each(one, 'network')).toLocaleString('en'),
      [threads, one, two].map(rate).join(', '),
    ];
    lines.push(`| ${cells.join(' | ')} |`);
  }
  lines.push('', machine());
  return lines.join('\n');
}
