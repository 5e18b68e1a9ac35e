import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { growable, resizable } from '@bspkit/testkit/elastic';
import { describe, expect, it } from 'vitest';
import { createTraceBatch, formatOf, openBsp } from '../src/index.ts';
import {
  createTracePool,
  type PoolQuery,
  serveTracePool,
  type TracePoolError,
} from '../src/pool/node/index.ts';
import { maps } from './maps.ts';
import { bitsOf, caught, segmentsIn } from './pool-queries.ts';
import { RAY, setUpPools } from './pool-setup.ts';
import { bundleScript, inFolder } from './pool-workers.ts';

const setup = setUpPools();
const { newPool, poolOf } = setup;

describe('an error', () => {
  it('in a query is reported before any worker is asked', async () => {
    const pool = poolOf(1);
    const opened = await pool.open(maps.quake3);
    const segments = segmentsIn(setup.world, 2);
    const view = new DataView(new ArrayBuffer(24));
    for (const size of [{ length: 1e9 }, 'box', 6, [1n], ['1'], new BigInt64Array(6), [undefined], view]) {
      const error = await caught(
        pool.traceBatch({ world: opened, tracer: { kind: 'box', size: size as never }, segments }),
      );
      expect(error).toMatchObject({
        name: 'TypeError',
        message: expect.stringMatching(/^tracer\.size must be an array of numbers/),
      });
    }
    // Workers could not be sent these, or could not tell two of them apart.
    const cycle: unknown[] = [1];
    cycle.push(cycle);
    for (const mask of [1n, [1n], cycle, { mask: 1 }, null, () => 1, Symbol('x'), new Map(), view]) {
      const tracer = { kind: 'ray', options: { mask: mask as never } };
      expect(await caught(pool.traceBatch({ world: opened, tracer, segments }))).toMatchObject({
        name: 'TypeError',
        message: expect.stringMatching(
          /^tracer\.options\.mask must be a number, text, true, false or numbers, got/,
        ),
      });
    }
    const listed = { kind: 'ray', options: [1] as never };
    expect((await caught(pool.traceBatch({ world: opened, tracer: listed, segments }))).message).toMatch(
      /^tracer\.options must be an object/,
    );
    // A signal whose listener cannot be removed would end the process.
    for (const signal of [null, {}, { aborted: false, addEventListener: () => {} }]) {
      const query = { world: opened, tracer: RAY, segments, signal: signal as never };
      expect((await caught(pool.traceBatch(query))).message).toMatch(/^signal must be an AbortSignal/);
    }
    for (const shared of [true, false]) {
      const other = poolOf(1, shared);
      for (const data of ['x', 5, null, Symbol('x'), { byteLength: 1e15 }, new Uint8Array(8)]) {
        const error = await caught(other.open({ format: 'quake3', data: data as never }));
        expect([error.name, error.message.slice(0, 33)]).toEqual([
          'TypeError',
          'data must be the buffer of a worl',
        ]);
      }
    }
    expect(await caught(pool.traceBatch(null as never))).toMatchObject({
      message: expect.stringMatching(/^query must be/),
    });
    expect(await caught(pool.blockedBatch(5 as never))).toMatchObject({
      message: expect.stringMatching(/^query must be/),
    });
  });

  it.each([true, false])('names what is taken away meanwhile (shared: %s)', async (shared) => {
    const pool = poolOf(2, shared);
    const opened = await pool.open(maps.quake3);
    const query = (): PoolQuery => ({
      world: opened,
      tracer: RAY,
      segments: segmentsIn(setup.world, 4000).slice(),
    });
    const take = ({ buffer }: ArrayBufferView): void => {
      structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
    };
    const batch = createTraceBatch(4000, { shared: false });
    const results = pool.traceBatch({ ...query(), out: batch });
    take(batch.fraction);
    expect(await caught(results)).toMatchObject({ message: expect.stringMatching(/^out must be made by/) });
    const tests = new Uint8Array(4000);
    const tested = pool.blockedBatch({ ...query(), out: tests });
    take(tests);
    expect(await caught(tested)).toMatchObject({
      name: 'TypeError',
      message: 'out must not have been transferred or cut off',
    });
    const moves = query();
    const left = pool.traceBatch(moves);
    take(moves.segments);
    const said = 'segments must not have been transferred or cut off';
    expect(await caught(left)).toMatchObject({ name: 'TypeError', message: said });
    expect(await caught(pool.traceBatch(moves))).toMatchObject({ name: 'TypeError', message: said });
  });

  it.each([true, false])('names segments whose buffer shrinks meanwhile (shared: %s)', async (shared) => {
    const pool = poolOf(2, shared);
    const world = await pool.open(maps.quake3);
    const bytes = new Uint8Array(segmentsIn(setup.world, 4000).slice().buffer);
    for (const ask of ['traceBatch', 'blockedBatch'] as const) {
      const buffer = resizable(bytes);
      const results = pool[ask]({ world, tracer: RAY, segments: new Float32Array(buffer) });
      buffer.resize(24 * 1000);
      expect(await caught(results as Promise<never>)).toMatchObject({
        name: 'TypeError',
        message: 'segments must not have been transferred or cut off',
      });
      // More than were asked about are none of this batch.
      const memory = growable(bytes);
      const answers = pool[ask]({ world, tracer: RAY, segments: new Float32Array(memory) });
      memory.grow(2 * bytes.length);
      const expected = setup.world.ray()[ask](new Float32Array(bytes.buffer));
      expect(bitsOf((await answers) as never)).toEqual(bitsOf(expected as never));
    }
  });

  it('in a worker is carried over with name, message and code', async () => {
    const pool = poolOf(2);
    const broken = { format: 'quake3', data: new ArrayBuffer(64) };
    expect(await caught(pool.open(broken))).toMatchObject({ name: 'BspError', format: 'quake3' });
    expect((await caught(pool.open(broken))).code).toMatch(/^[a-z-]+$/);
    expect(await caught(pool.open({ format: 'doom', data: broken.data }))).toBeInstanceOf(RangeError);
    expect(await caught(pool.open(Uint8Array.of(1, 2, 3)))).toMatchObject({
      name: 'BspError',
      code: 'magic',
    });
    const handle = await pool.open(setup.world);
    const segments = segmentsIn(setup.world, 300);
    const ask = (tracer: object, more: object = {}): Promise<TracePoolError> =>
      caught(pool.traceBatch({ world: handle, tracer: tracer as typeof RAY, segments, ...more }));
    const kind = await ask({ kind: 'cone' });
    expect(kind).toBeInstanceOf(RangeError);
    expect(kind.message).toMatch(/^tracer\.kind must be 'ray'/);
    expect(kind.stack).toContain('worker.mjs');
    expect((await ask({ kind: 'ray', options: { mask: 'nonsense' } })).message).toContain("'nonsense'");
    expect(await ask({ kind: 'ray', options: { speed: 1 } })).toBeInstanceOf(TypeError);
    // A world's own factories have it in the same place as the kind: it would be ignored unnoticed.
    expect((await ask({ kind: 'ray', mask: 1 })).message).toContain("no option 'mask' here");
    const made = await ask(setup.world.ray());
    expect([made.name, made.message]).toEqual([
      'TypeError',
      "tracer must be plain data: workers make a tracer of it, as of { kind: 'ray' }",
    ]);
    expect((await ask(RAY, { segments: new Float32Array(7) })).message).toContain('six numbers');
    expect((await ask(RAY, { out: createTraceBatch(1) })).message).toContain(
      'room in out must be 300 or more',
    );
    expect((await ask(RAY, { hurry: true })).message).toContain("'hurry'");
    for (const given of [segments, segments.slice()]) {
      given[6 * 299 + 1] = Number.NaN;
      const error = await ask(RAY, { segments: given });
      expect([error.name, error.message]).toEqual([
        'RangeError',
        'segments[1795] must be a finite float32, got NaN',
      ]);
    }
  });

  it('in a query is reported whatever was asked before, even with numbers that JSON writes alike', async () => {
    const pool = poolOf(1);
    const map = await openBsp(maps.quake1);
    const handle = await pool.open(map);
    const { kinds } = (await formatOf(map)).tracers;
    const segments = segmentsIn(map, 100);
    const values = [Number.NaN, Infinity, -Infinity, 0, -0];
    for (const origin of [...values, ...values.reverse()] as unknown[] as number[][]) {
      const tracer = { kind: 'ray', options: { origin } };
      const alone = async (): Promise<unknown> =>
        kinds
          .find(({ name }) => name === 'ray')!
          .create(map, [], tracer.options)
          .traceBatch(segments);
      const said = (asked: Promise<unknown>): Promise<string> => asked.then(() => 'fine', String);
      expect(await said(pool.traceBatch({ world: handle, tracer, segments }))).toBe(await said(alone()));
    }
  });

  it.each([true, false])('in a query of no segments is reported as well (shared: %s)', async (shared) => {
    const pool = poolOf(2, shared);
    const handle = await pool.open(setup.world);
    const segments = new Float32Array(new SharedArrayBuffer(0));
    const ask = { world: handle, tracer: RAY, segments };
    expect((await pool.traceBatch(ask)).count).toBe(0);
    expect(await pool.blockedBatch(ask)).toHaveLength(0);
    for (const [tracer, problem] of [
      [{ kind: 'cone' }, 'tracer.kind must be'],
      [{ kind: 'ray', options: { speed: 1 } }, "'speed'"],
      [{ kind: 'sphere', size: [-1] }, 'radius'],
    ] as const) {
      expect((await caught(pool.traceBatch({ ...ask, tracer }))).message).toContain(problem);
      expect((await caught(pool.blockedBatch({ ...ask, tracer }))).message).toContain(problem);
    }
  });

  it('in options is reported at once', () => {
    expect(() => createTracePool({ threads: 0 })).toThrow('threads must be a whole number from 1 to 256');
    expect(() => createTracePool({ workers: 2 } as object)).toThrow("no option 'workers'");
    expect(() => createTracePool({ shared: 1 as never })).toThrow('shared must be true or false');
    expect(() => createTracePool({ worker: 5 as never })).toThrow('worker must be the address of a file');
    expect(() => serveTracePool()).toThrow('serveTracePool is for workers');
  });

  it('rejects what is left when the pool is closed', async () => {
    const pool = newPool({ threads: 2 });
    const handle = await pool.open(setup.world);
    const ask = { world: handle, tracer: RAY, segments: segmentsIn(setup.world, 50_000) };
    const running = caught(pool.traceBatch(ask));
    await pool.close();
    await pool.close();
    for (const error of [
      await running,
      await caught(pool.traceBatch(ask)),
      await caught(pool.open(setup.world)),
    ]) {
      expect(error).toMatchObject({ name: 'TracePoolError', code: 'closed' });
    }
  });
});

// All at the same time: they wait for threads and processes to start.
describe.concurrent('an error', () => {
  it('rejects what a worker that dies was working on, and another takes its place', async () => {
    const mortal = await bundleScript(
      'mortal',
      `import { existsSync, writeFileSync } from 'node:fs';
       import { parentPort } from 'node:worker_threads';
       import { serveTracePool } from '../src/pool/node/index.ts';
       const mark = ${JSON.stringify(inFolder('mark'))};
       parentPort.on('message', ({ ask }) => {
         if (ask === 'open' || existsSync(mark)) return;
         writeFileSync(mark, '');
         process.exit(3);
       });
       serveTracePool();`,
    );
    const pool = newPool({ threads: 1, worker: pathToFileURL(mortal) });
    const handle = await pool.open(setup.world);
    const segments = segmentsIn(setup.world, 300);
    const ask = { world: handle, tracer: RAY, segments };
    const [error, queued] = await Promise.all([caught(pool.traceBatch(ask)), caught(pool.traceBatch(ask))]);
    expect(error).toMatchObject({ name: 'TracePoolError', code: 'worker' });
    expect(error.message).toBe('a worker of the pool has ended: it exited with code 3');
    expect(queued.code).toBe('worker');
    expect(bitsOf(await pool.traceBatch(ask))).toEqual(bitsOf(setup.world.ray().traceBatch(segments)));
  });

  it('rejects a request that a worker could not read', async () => {
    const deaf = await bundleScript(
      'deaf',
      `import { parentPort } from 'node:worker_threads';
       import { serveTracePool } from '../src/pool/node/index.ts';
       parentPort.on('message', () => parentPort.emit('messageerror', new TypeError('Unable to deserialize')));
       serveTracePool();`,
    );
    const error = await caught(newPool({ threads: 1, worker: deaf }).open(setup.world));
    expect(error).toMatchObject({ name: 'TracePoolError', code: 'worker' });
    expect(error.message).toContain('Unable to deserialize');
  });

  it('with a world that a new worker cannot open ends when it can', async () => {
    const [leave, full] = [inFolder('leave'), inFolder('full')];
    const crowded = await bundleScript(
      'crowded',
      `import { existsSync, rmSync } from 'node:fs';
       import { parentPort } from 'node:worker_threads';
       import { FORMATS } from '../src/index.ts';
       import { serveTracePool } from '../src/pool/node/index.ts';
       const [leave, full] = ${JSON.stringify([leave, full])};
       parentPort.on('message', ({ ask }) => {
         if (ask === 'open' || !existsSync(leave)) return;
         rmSync(leave);
         process.exit(3);
       });
       const open = (format, data) => {
         if (existsSync(full)) throw new RangeError('no room');
         return format.open(data);
       };
       const load = async (entry) => {
         const format = await entry.load();
         return { ...format, open: (data) => open(format, data) };
       };
       serveTracePool(FORMATS.map((entry) => ({ ...entry, load: () => load(entry) })));`,
    );
    const pool = newPool({ threads: 1, worker: crowded });
    const ask = { world: await pool.open(setup.world), tracer: RAY, segments: segmentsIn(setup.world, 300) };
    for (const file of [leave, full]) writeFileSync(file, '');
    expect((await caught(pool.traceBatch(ask))).code).toBe('worker');
    expect(await caught(pool.traceBatch(ask))).toMatchObject({ name: 'RangeError', message: 'no room' });
    rmSync(full);
    expect(bitsOf(await pool.traceBatch(ask))).toEqual(bitsOf(setup.world.ray().traceBatch(ask.segments)));
  });

  it('names the world whose data was transferred before a new worker could open it', async () => {
    const kill = inFolder('kill');
    const gone = /^the world's data was transferred: /;
    const mortal = await bundleScript(
      'mortal-once',
      `import { existsSync, rmSync } from 'node:fs';
       import { parentPort } from 'node:worker_threads';
       import { serveTracePool } from '../src/pool/node/index.ts';
       const kill = ${JSON.stringify(kill)};
       parentPort.on('message', () => {
         if (!existsSync(kill)) return;
         rmSync(kill);
         process.exit(3);
       });
       serveTracePool();`,
    );
    const world = await openBsp(maps.quake3);
    const pool = newPool({ threads: 1, worker: mortal, shared: false });
    const ask = { world: await pool.open(world), tracer: RAY, segments: segmentsIn(world, 300) };
    structuredClone(null, { transfer: [world.data as ArrayBuffer] });
    // Workers have copies of their own.
    await pool.traceBatch(ask);
    writeFileSync(kill, '');
    expect((await caught(pool.traceBatch(ask))).code).toBe('worker');
    const error = await caught(pool.traceBatch(ask));
    expect(error.name).toBe('TypeError');
    expect(error.message).toBe(
      "the world's data was transferred, but a worker that was started since needs it: open the world again where it is now",
    );
    expect((await caught(pool.open(world))).message).toMatch(gone);
    // The same while workers start.
    const other = await openBsp(maps.quake3);
    const opening = caught(newPool({ threads: 1, worker: mortal, shared: false }).open(other));
    structuredClone(null, { transfer: [other.data as ArrayBuffer] });
    expect((await opening).message).toMatch(gone);
  });

  it('comes from a worker that cannot be started, without a wait', async () => {
    const pool = newPool({ threads: 2, worker: inFolder('nothing.mjs') });
    const error = await caught(pool.open(setup.world));
    expect(error).toMatchObject({ name: 'TracePoolError', code: 'worker' });
    expect(error.message).toContain('nothing.mjs');
  });

  it('says so if a function returns an earlier worker again, or one that has ended', async () => {
    const one = new Worker(setup.worker);
    const same = await caught(newPool({ threads: 2, worker: () => one }).open(setup.world));
    expect(same).toMatchObject({ name: 'TracePoolError', code: 'worker' });
    expect(same.message).toContain('worker() must make a new Worker each time');
    const dead = new Worker(setup.worker);
    await dead.terminate();
    const ended = await caught(newPool({ threads: 1, worker: () => dead }).open(setup.world));
    expect(ended).toMatchObject({ name: 'TracePoolError', code: 'worker' });
    expect(ended.message).toContain('what worker() returned has ended already');
  });

  it('says so if a function does not return a worker of Node’s', async () => {
    const likeInPages = { postMessage: () => {}, terminate: () => {} };
    // Like a child process, which has a worker's methods except for `terminate`.
    const likeProcesses = { postMessage: () => {}, on: () => {}, kill: () => {} };
    for (const [worker, got] of [
      [() => likeInPages, 'an object'],
      [() => likeProcesses as never, 'an object'],
      [(): never => undefined as never, 'undefined'],
    ] as const) {
      const error = await caught(newPool({ threads: 2, worker }).open(setup.world));
      expect(error).toMatchObject({ name: 'TracePoolError', code: 'worker' });
      expect(error.message).toContain(
        `it could not be started: what worker() returns must be a Worker of the pool's own platform, got ${got}`,
      );
    }
  });

  it.each([
    ['says something else', "parentPort.postMessage('ready')", 30, 'it is another script: it sent something'],
    [
      'says nothing',
      "parentPort.on('message', () => {})",
      1,
      'it has not called serveTracePool() within 1 s',
    ],
  ])(
    'with another script as worker, which %s, is an error, not a wait',
    async (_, does, startLimit, says) => {
      const file = inFolder(`stranger-${startLimit}.mjs`);
      writeFileSync(file, `import { parentPort } from 'node:worker_threads'; ${does};`);
      const pool = newPool({ threads: 2, worker: file, startLimit });
      const error = await caught(pool.open(setup.world));
      expect(error).toMatchObject({ name: 'TracePoolError', code: 'worker' });
      expect(error.message).toContain(`a worker of the pool has ended: ${file}: ${says}`);
      expect(error.message).toContain('the option `worker` of pools');
      // For good, as the option's description says: nothing is started again.
      expect(await caught(pool.open(setup.world))).toEqual(error);
    },
  );

  it.each(['esm', 'cjs'] as const)('in a bundle (%s) without its worker says what to do', async (format) => {
    const script = await bundleScript(
      `server-${format}`,
      `import { createTracePool } from '../src/pool/node/index.ts';
         const pool = createTracePool({ threads: 1 });
         const world = { format: 'quake3', data: new ArrayBuffer(8) };
         pool.open(world).catch(({ name, code, message }) => console.log(name, code, message));`,
      format,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    expect(stdout).toMatch(
      /^TracePoolError worker a worker .*; if your bundler left it out, see the option `worker` of pools\n$/,
    );
  });
});
