import { type ChildProcess, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBake } from '@bspkit/bake';
import { arenaQuake3 } from '@bspkit/fixtures';
import { createRandom } from '@bspkit/geometry';
import { REDIS_SERVER, startRedis, type TestRedis } from '@bspkit/testkit/redis';
import { SEED } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, WINDOWS } from './bspkit.ts';
import { type Started, start, startIn } from './started.ts';

// The command as published, in processes that die.

const ROWS = Number(process.env.BSPKIT_RUNS_QUEUE ?? 12_000);
/** Not a measurement; 10^7 rows take minutes. */
const TIMEOUT = 240_000 + ROWS;
/** How long workers whose locks last two seconds may take to notice an abandoned chunk: ten times what they need. */
const TIDY_MS = 30_000;

const folder = temporaryFolder();

/** A file: each process would compile `demo:arena`, which takes longer than its start. */
const arena = join(folder, 'arena.bsp');
writeFileSync(arena, arenaQuake3());

/** Moves of a player's box through the arena. */
function* questions(): Generator<string> {
  const random = createRandom(SEED);
  const size = ['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz'];
  const columns = ['model', 'ox', 'oy', 'oz', 'pitch', 'yaw', 'roll', 'sx', 'sy', 'sz', 'ex', 'ey', 'ez'];
  const header = {
    game: 'quake3',
    map: 'arena',
    kind: 'trace',
    columns: [...columns, ...size, 'capsule', 'mask'],
  };
  yield `${JSON.stringify(header)}\n`;
  const point = (): string =>
    [1000, 1000, 300].map((width) => Math.round(8 * width * (random() - 0.5)) / 8).join(',');
  for (let row = 0; row < ROWS; row++) {
    yield `[0,0,0,0,0,0,0,${point()},${point()},-15,-15,-24,15,15,32,0,33619969]\n`;
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** How many times a chunk was reported as ended. */
async function ended(redis: TestRedis): Promise<number> {
  const [, count] = /entries-added\r\n:(\d+)/.exec(await redis.ask('XINFO STREAM bspkit:answers')) ?? [];
  return Number(count ?? 0);
}

/** Whether a coordinator waits for answers: one that has not reached the queue yet gives up when the queue goes. */
async function isHeard(redis: TestRedis): Promise<boolean> {
  return / cmd=xread /.test(await redis.ask('CLIENT LIST'));
}

/** A bake in many chunks. */
const BAKE = ['bake', arena, '--kind', 'exposure', '--step', '24', '--chunk-size', '10', '--out'];

/** What it comes to in one thread; whoever asks first has it made. */
let made: Promise<Buffer> | undefined;
function plainBake(): Promise<Buffer> {
  const plain = join(folder, 'plain.bake');
  const make = async (): Promise<Buffer> => {
    const alone = start(...BAKE, plain, '--jobs', '1');
    expect(await alone.ended, alone.said()).toBe(0);
    return readFileSync(plain);
  };
  made ??= make();
  return made;
}

const title = `a queue${REDIS_SERVER ? '' : ': skipped, redis-server is not installed'}`;

describe.skipIf(!REDIS_SERVER)(title, () => {
  it(
    'writes the bytes of one thread, whichever process is killed',
    async () => {
      const [queries, plain, out] = ['queries', 'plain', 'out'].map((name) =>
        join(folder, `${name}.ndjson`),
      ) as [string, string, string];
      await pipeline(Readable.from(questions()), createWriteStream(queries));
      const batch = ['batch', arena, '--queries', queries, '--out'];
      const alone = start(...batch, plain);

      const redis = await startRedis();
      const queue = ['--queue', redis.url];
      const workers = Array.from({ length: 4 }, () =>
        start('worker', ...queue, '--jobs', '1', '--lock', '2'),
      );
      const coordinate = (): Started => start(...batch, out, ...queue, '--resume');
      let coordinator = coordinate();
      try {
        // What happens, and after how many chunks: there are at least 66.
        const random = createRandom(SEED);
        const chunks = 60 * Math.max(1, ROWS / 250_000);
        const kill = ({ process: child }: Started): void => void child.kill('SIGKILL');
        const deeds: [number, () => unknown][] = [
          () => kill(workers[0]!),
          () => kill(workers[1]!),
          async () => {
            await redis.kill();
            await redis.start();
          },
          async () => {
            kill(coordinator);
            await coordinator.ended;
            coordinator = coordinate();
            // Chunks that the workers still have may bring on the next deed at once.
            const { process: child } = coordinator;
            while (child.exitCode === null && child.signalCode === null && !(await isHeard(redis)))
              await sleep(5);
          },
        ].map((deed) => [1 + Math.floor(chunks * random()), deed]);
        for (const [after, deed] of deeds.sort(([a], [b]) => a - b)) {
          while (coordinator.process.exitCode === null && (await ended(redis)) < after) await sleep(5);
          expect(coordinator.process.exitCode, `done before ${after} chunks: ${coordinator.said()}`).toBe(
            null,
          );
          await deed();
        }
        expect(await coordinator.ended, coordinator.said()).toBe(0);
        // Nothing is left of any chunk except what expires. A Redis that was killed forgets what it removed just before, and a
        // worker that was killed leaves its chunk unfinished: the others notice within a few seconds.
        const queued = (): Promise<string[]> =>
          Promise.all(['wait', 'active'].map((list) => redis.ask(`LLEN bspkit:chunks:${list}`)));
        await expect.poll(queued, { timeout: TIDY_MS }).toEqual([':0\r\n', ':0\r\n']);
        for (const { process: child } of workers) child.kill('SIGTERM');
        const ends = await Promise.all(workers.map((worker) => worker.ended));
        expect(ends).toEqual(['SIGKILL', 'SIGKILL', 0, 0]);
        expect(await alone.ended, alone.said()).toBe(0);
        expect(await hashOf(out)).toBe(await hashOf(plain));
        for (const left of ['input', 'answer']) {
          const stays = `if redis.call('TTL', key) < 0 then stays = stays + 1 end`;
          const all = `for _, key in ipairs(redis.call('KEYS', 'bspkit:${left}:*')) do ${stays} end`;
          expect(await redis.ask(`EVAL "local stays = 0 ${all} return stays" 0`)).toBe(':0\r\n');
        }
        if (ROWS > 100_000) console.info(workers.map((worker) => worker.said()).join('\n'));
      } finally {
        for (const { process: child } of [coordinator, alone, ...workers]) child.kill('SIGKILL');
        await redis.remove();
      }
    },
    TIMEOUT,
  );

  it('goes on with a bake whose coordinator was killed', async () => {
    const redis = await startRedis();
    const out = join(folder, 'out.bake');
    const queue = ['--queue', redis.url];
    const worker = start('worker', ...queue, '--jobs', '1');
    const killed = start(...BAKE, out, ...queue);
    while (killed.process.exitCode === null && (await ended(redis)) < 20) await sleep(5);
    killed.process.kill('SIGKILL');
    expect(await killed.ended, killed.said()).toBe('SIGKILL');
    const { missing, chunks } = readBake(readFileSync(out));
    expect(chunks.size).toBeGreaterThan(0);
    expect(missing).toBeGreaterThan(0);
    const resumed = start(...BAKE, out, ...queue, '--resume');
    expect(await resumed.ended, resumed.said()).toBe(0);
    expect(Buffer.compare(readFileSync(out), await plainBake())).toBe(0);
    worker.process.kill('SIGTERM');
    expect(await worker.ended, worker.said()).toBe(0);
    await redis.remove();
  });

  // It waits most of the time, so those that follow run beside it.
  it.concurrent('has the chunks of a frozen worker answered by others, and says that nobody works as long as there are none', async ({
    expect,
  }) => {
    const redis = await startRedis();
    const out = join(folder, 'frozen.bake');
    const queue = ['--queue', redis.url];
    const work = (): Started => start('worker', ...queue, '--jobs', '1', '--lock', '1');
    const frozen = work();
    const coordinator = start(...BAKE, out, ...queue);
    const started = [frozen, coordinator];
    try {
      while (coordinator.process.exitCode === null && (await ended(redis)) < 20) await sleep(5);
      const before = coordinator.said();
      // As a laptop that falls asleep: its connection stays.
      frozen.process.kill('SIGSTOP');
      const nobody = `no worker is at ${redis.url}`;
      await expect.poll(() => coordinator.said().slice(before.length)).toContain(nobody);
      expect(coordinator.process.exitCode).toBe(null);
      const other = work();
      started.push(other);
      expect(await coordinator.ended, coordinator.said()).toBe(0);
      expect(Buffer.compare(readFileSync(out), await plainBake())).toBe(0);
      frozen.process.kill('SIGCONT');
      for (const worker of [frozen, other]) {
        worker.process.kill('SIGTERM');
        expect(await worker.ended, worker.said()).toBe(0);
      }
    } finally {
      for (const { process: child } of started) child.kill('SIGKILL');
      await redis.remove();
    }
  });

  const interrupt = (batch: ChildProcess): unknown => batch.kill('SIGINT');
  const closePipe = ({ stdout }: ChildProcess): unknown => stdout!.destroy();
  it.concurrent.each([
    ['on Ctrl-C, for a file', join(folder, 'some.out'), interrupt, 'SIGINT'],
    ['on Ctrl-C, for stdout', '-', interrupt, 'SIGINT'],
    ['when the pipe is closed that is its stdout', '-', closePipe, 0],
  ])('withdraws what nobody has begun %s', async (when, out, stop, end) => {
    const redis = await startRedis();
    const queries = join(folder, `some ${when}.ndjson`);
    // Of what comes before the first answer, a pipe holds only a part.
    const [head, ...rows] = [...questions()].slice(0, 200);
    writeFileSync(queries, [head!.replace('{', `{"note":"${'-'.repeat(1e6)}",`), ...rows].join(''));
    const batch = start('batch', arena, '--queries', queries, '--out', out, '--queue', redis.url);
    batch.process.stdout!.pause();
    const nobody = `no worker is at ${redis.url}; start some: bspkit worker --queue ${redis.url}`;
    const isWaiting = async (): Promise<boolean> =>
      batch.said().includes(nobody) && /^:[1-9]/.test(await redis.ask('LLEN bspkit:chunks:wait'));
    while (!(await isWaiting()) && batch.process.exitCode === null) await sleep(10);
    stop(batch.process);
    batch.process.stdout!.resume();
    expect(await batch.ended, batch.said()).toBe(end);
    expect(batch.said()).toContain(nobody);
    expect(await redis.ask('LLEN bspkit:chunks:wait')).toBe(':0\r\n');
    expect(await redis.ask('KEYS bspkit:input:*')).toBe('*0\r\n');
    await redis.remove();
  });

  it.skipIf(WINDOWS).concurrent('does not keep a bake from ending on Ctrl-C while it is silent', async () => {
    const redis = await startRedis();
    let isSilent = false;
    const silence = createServer((near) => {
      if (!isSilent) near.pipe(connect(redis.port, '127.0.0.1')).pipe(near);
    }).listen(0, '127.0.0.1');
    await once(silence, 'listening');
    const url = `redis://127.0.0.1:${(silence.address() as AddressInfo).port}`;
    const pipe = join(folder, 'points');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const asked = ['--kind', 'sight', '--points', pipe, '--out', join(folder, 'silent.bake')];
    const bake = start('bake', arena, ...asked, '--queue', url);
    try {
      // Points are read once the queue has been seen, and before the job is opened there.
      const points = await open(pipe, 'w');
      isSilent = true;
      const asks = once(silence, 'connection');
      await points.writeFile('0 0 32\n');
      await points.close();
      await asks;
      bake.process.kill('SIGINT');
      expect(await bake.ended, bake.said()).toBe('SIGINT');
    } finally {
      bake.process.kill('SIGKILL');
      silence.close();
      await redis.remove();
    }
  });

  const openssl = spawnSync('openssl', ['version']).status === 0;
  const secret = `is reached by TLS, with a user and a password${openssl ? '' : ': skipped, openssl is not installed'}`;
  it.skipIf(!openssl).concurrent(secret, async () => {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const made = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
    ];
    const { status, stderr } = spawnSync('openssl', [...made, ...names, '-keyout', key, '-out', certificate]);
    expect(status, String(stderr)).toBe(0);
    const redis = await startRedis(
      `tls-cert-file ${certificate}`,
      `tls-key-file ${key}`,
      'tls-auth-clients no',
      'user baker on >s3cr3t ~bspkit:* &* +@all',
    );
    const worker = (url: string, env: Record<string, string>): Started =>
      startIn(
        { NODE_EXTRA_CA_CERTS: certificate, ...env },
        'worker',
        '--queue',
        url,
        '--jobs',
        '1',
        '--idle',
        '0',
      );
    const url = `rediss://baker@localhost:${redis.port}`;
    const [good, wrong, unknown] = [
      worker(url, { BSPKIT_QUEUE_PASSWORD: 's3cr3t' }),
      worker(url.replace('@', ':s3cr3t-not@'), {}),
      worker(url, { BSPKIT_QUEUE_PASSWORD: 's3cr3t', NODE_EXTRA_CA_CERTS: '' }),
    ];
    expect(await good.ended, good.said()).toBe(0);
    expect(good.said()).toContain(`takes chunks from ${url} with 1 thread`);
    expect(await wrong.ended).toBe(2);
    expect(wrong.said()).toMatch(/^bspkit: rediss:\/\/baker@localhost:\d+ refuses the user or password/);
    expect(await unknown.ended).toBe(2);
    expect(unknown.said()).toMatch(/^bspkit: cannot reach the queue at rediss:.*self-signed certificate/);
    for (const { said } of [good, wrong, unknown]) expect(said()).not.toContain('s3cr3t');
    await redis.remove();
  });
});
