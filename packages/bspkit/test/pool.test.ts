import { execFile } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { toyFormat, toyMap } from '@bspkit/testkit/toy-format';
import { createUfoaiTraceBatch } from '@bspkit/ufoai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type BspMap, createTraceBatch, FORMATS, formatOf, openBsp } from '../src/index.ts';
import {
  createTracePool,
  type PoolQuery,
  serveTracePool,
  type TracePool,
  type TracePoolError,
  type TracePoolOptions,
} from '../src/pool/node/index.ts';
import { maps } from './maps.ts';
import { bitsOf, caught, segmentsIn } from './pool-queries.ts';
import { bundleScript, bundleWorker, inFolder, removeFolder } from './pool-workers.ts';

let worker: string;
let world: BspMap;
const pools: TracePool[] = [];

const newPool = (options: TracePoolOptions): TracePool => {
  const pool = createTracePool({ worker, ...options });
  pools.push(pool);
  return pool;
};

const kept = new Map<string, TracePool>();

/** A pool for tests that do no more than ask it, which share it: to start a worker takes longer than most of them. */
function poolOf(threads: number, shared = true): TracePool {
  const key = `${threads} ${shared}`;
  const pool = kept.get(key) ?? newPool({ threads, shared });
  kept.set(key, pool);
  return pool;
}

const RAY = { kind: 'ray' };
const BOX = { kind: 'box', size: [-15, -15, -24, 15, 15, 32], options: { mask: 'playersolid' } };

beforeAll(async () => {
  worker = await bundleWorker();
  world = await openBsp(maps.quake3);
});

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  removeFolder();
});

describe('a pool', () => {
  it.each([1, 2, 3])('of %i threads gives the answers of one, in order, bit for bit', async (threads) => {
    const pool = poolOf(threads);
    expect(pool).toMatchObject({ threads, shared: true });
    const handle = await pool.open(world);
    expect(handle.format).toBe('quake3');
    const segments = segmentsIn(world, 6000);
    const copied = segments.slice();
    for (const tracer of [RAY, BOX]) {
      const single =
        tracer === RAY ? world.ray() : world.box([-15, -15, -24], [15, 15, 32], { mask: 0x2010001 });
      const wanted = single.traceBatch(segments);
      const tests = [...single.blockedBatch(segments)];
      expect(new Set(tests).size).toBe(2);
      const shared = await pool.traceBatch({ world: handle, tracer, segments });
      expect(shared.fraction.buffer).toBeInstanceOf(SharedArrayBuffer);
      const plain = await pool.traceBatch({ world: handle, tracer, segments: copied });
      expect(plain.fraction.buffer).toBeInstanceOf(ArrayBuffer);
      expect([bitsOf(shared), bitsOf(plain)]).toEqual([bitsOf(wanted), bitsOf(wanted)]);
      expect([...(await pool.blockedBatch({ world: handle, tracer, segments }))]).toEqual(tests);
      expect([...(await pool.blockedBatch({ world: handle, tracer, segments: copied }))]).toEqual(tests);
    }
  });

  it('writes what a batch has, in place or by copies', async () => {
    const pool = poolOf(2);
    const handle = await pool.open(world);
    const segments = segmentsIn(world, 500);
    const wanted = world.ray().traceBatch(segments);
    for (const shared of [true, false]) {
      const out = createTraceBatch(501, { fields: ['normal', 'brush'], shared });
      out.brush[500] = 77;
      const { brush } = out;
      expect(await pool.traceBatch({ world: handle, tracer: RAY, segments, out })).toBe(out);
      expect(out.brush).toBe(brush);
      expect([...brush]).toEqual([...wanted.brush, 77]);
      expect([...out.normal.subarray(0, 1500)]).toEqual([...wanted.normal]);
    }
    const tests = new Uint8Array(500);
    expect(await pool.blockedBatch({ world: handle, tracer: RAY, segments, out: tests })).toBe(tests);
    expect([...tests]).toEqual([...world.ray().blockedBatch(segments)]);
    const none = await pool.traceBatch({ world: handle, tracer: RAY, segments: new Float32Array(0) });
    expect(none.count).toBe(0);
  });

  it('shares no memory where it must not', async () => {
    const pool = poolOf(2, false);
    expect(pool.shared).toBe(false);
    const handle = await pool.open(world);
    const segments = segmentsIn(world, 500);
    const found = await pool.traceBatch({ world: handle, tracer: RAY, segments });
    expect(found.fraction.buffer).toBeInstanceOf(ArrayBuffer);
    expect(bitsOf(found)).toEqual(bitsOf(world.ray().traceBatch(segments)));
  });

  it('opens bytes, worlds and several of them', async () => {
    const pool = poolOf(2);
    const [three, one] = await Promise.all([pool.open(maps.quake3), pool.open(maps.quake1)]);
    expect([three.format, one.format]).toEqual(['quake3', 'quake1']);
    expect(await pool.open(three)).toBe(three);
    const other = await openBsp(maps.quake1);
    const segments = segmentsIn(other, 300);
    const [a, b] = await Promise.all([
      pool.traceBatch({ world: three, tracer: RAY, segments }),
      pool.traceBatch({ world: one, tracer: { kind: 'hull', size: [1] }, segments }),
    ]);
    expect(bitsOf(a)).toEqual(bitsOf(world.ray().traceBatch(segments)));
    if (other.format !== 'quake1') throw new Error('another format');
    expect(bitsOf(b)).toEqual(bitsOf(other.hull(1).traceBatch(segments)));
    one.close();
    one.close();
    const error = await caught(pool.traceBatch({ world: one, tracer: RAY, segments }));
    expect(error.message).toBe('world must be one that this pool has opened and not closed, got an object');
    // Of another pool, closed here, or a map that was only read: none has the data of a world.
    for (const wrong of [await poolOf(1).open(world), one, { format: 'quake3' }]) {
      expect(await caught(pool.open(wrong as typeof one))).toEqual(
        new TypeError(
          'world must be a world, or one that this pool has opened and not closed, got an object',
        ),
      );
    }
    expect((await pool.traceBatch({ world: three, tracer: RAY, segments })).count).toBe(300);
  });

  it('opens bytes of the formats that it is given, where its workers know them', async () => {
    const pool = newPool({ threads: 1, formats: [...FORMATS, toyFormat] });
    expect((await pool.open(maps.quake3)).format).toBe('quake3');
    expect(await caught(pool.open(toyMap()))).toEqual(
      new RangeError(
        "the workers know no format 'toy': pass it to serveTracePool in a script of your own, given as the option worker",
      ),
    );
    expect((await caught(poolOf(1).open(toyMap()))).message).toContain('of no known kind');
  });

  it.each([true, false])('opens no world whose data is elsewhere (shared: %s)', async (shared) => {
    const gone = await openBsp(maps.quake1);
    structuredClone(gone.data, { transfer: [gone.data as ArrayBuffer] });
    expect(await caught(poolOf(1, shared).open(gone))).toEqual(
      new TypeError("the world's data was transferred: open it where it is now"),
    );
  });

  it.each([true, false])(
    'forgets a world when it has answered what was asked before (shared: %s)',
    async (shared) => {
      const pool = poolOf(2, shared);
      const handle = await pool.open(world);
      const segments = segmentsIn(world, 30_000);
      const wanted = world.ray().traceBatch(segments);
      for (const given of [segments, segments.slice()]) {
        const opened = await pool.open(world);
        const asked = [1, 2].map(() => pool.traceBatch({ world: opened, tracer: RAY, segments: given }));
        opened.close();
        for (const found of await Promise.all(asked)) expect(bitsOf(found)).toEqual(bitsOf(wanted));
        expect(await caught(pool.traceBatch({ world: opened, tracer: RAY, segments: given }))).toBeInstanceOf(
          TypeError,
        );
      }
      expect((await pool.traceBatch({ world: handle, tracer: RAY, segments })).count).toBe(30_000);
    },
  );

  it('has its workers forget a closed world, once and not before they have answered', async () => {
    const asked = inFolder('asked.txt');
    const noting = await bundleScript(
      'noting',
      `import { appendFileSync } from 'node:fs';
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ ask, world }) => appendFileSync(${JSON.stringify(asked)}, ask + world + ' '));
      import '../src/pool/node/worker.ts';`,
    );
    const pool = newPool({ threads: 1, shared: false, worker: noting });
    const [kept, closed] = [await pool.open(world), await pool.open(world)];
    const segments = segmentsIn(world, 5);
    const answers = pool.traceBatch({ world: closed, tracer: RAY, segments });
    closed.close();
    expect(readFileSync(asked, 'utf8')).not.toContain('forget');
    await answers;
    await pool.traceBatch({ world: kept, tracer: RAY, segments });
    const other = await pool.open(world);
    other.close();
    other.close();
    await pool.traceBatch({ world: kept, tracer: RAY, segments });
    expect(readFileSync(asked, 'utf8')).toBe('open1 open2 copy2 forget2 copy1 open3 forget3 copy1 ');
  });

  it('takes tracers as they are when it is asked, of reactive objects too', async () => {
    const pool = newPool({ threads: 1, shared: false });
    const segments = segmentsIn(world, 3000);
    const handle = await pool.open(world);
    const size = [...BOX.size];
    const point = { kind: 'box', size: new Proxy(size, {}), options: new Proxy({ ...BOX.options }, {}) };
    const asked = pool.traceBatch({ world: handle, tracer: point, segments });
    size.fill(0);
    const wanted = await pool.traceBatch({ world: handle, tracer: BOX, segments });
    expect(bitsOf(await asked)).toEqual(bitsOf(wanted));
  });

  it('writes to batches of any make: with fields that are undefined, or inherited', async () => {
    const segments = segmentsIn(world, 3);
    const wanted = world.ray().traceBatch(segments);
    for (const shared of [true, false]) {
      const pool = poolOf(1, shared);
      const handle = await pool.open(world);
      const some = { ...createTraceBatch(3, { fields: ['endPos'], shared }), fraction: undefined };
      await pool.traceBatch({ world: handle, tracer: RAY, segments, out: some as never });
      expect([...some.endPos]).toEqual([...wanted.endPos]);
      const heir = Object.create(createTraceBatch(3, { shared }));
      await pool.traceBatch({ world: handle, tracer: RAY, segments, out: heir });
      expect([...heir.endPos]).toEqual([...wanted.endPos]);
    }
  });

  it.each([true, false])(
    "writes arrays of a format's own, and leaves those of a caller alone (shared: %s)",
    async (shared) => {
      const pool = poolOf(2, shared);
      const house = await openBsp(maps.ufoai);
      if (house.format !== 'ufoai') throw new Error('another format');
      const handle = await pool.open(house);
      const segments = segmentsIn(house, 500);
      const size = [-4, -4, -4, 4, 4, 4];
      for (const [tracer, single] of [
        [{ kind: 'line' }, house.line()],
        [RAY, house.ray()],
        [
          { kind: 'box', size, options: { models: 'all' } },
          house.box([-4, -4, -4], [4, 4, 4], { models: house.models() }),
        ],
      ] as const) {
        const wanted = single.traceBatch(segments);
        expect(new Set([...wanted.tile])).toEqual(new Set([-1, 0]));
        const room = createUfoaiTraceBatch(500, { fields: ['leaf', 'fraction', 'tile', 'level'], shared });
        const view = new DataView(new ArrayBuffer(4));
        const own = { tests: new Uint8Array(9), damage: Int32Array.of(7), names: ['a'], view };
        for (const out of [room, { ...room, ...own }]) {
          room.tile.fill(99);
          expect(await pool.traceBatch({ world: handle, tracer, segments, out })).toBe(out);
          for (const field of ['leaf', 'fraction', 'tile', 'level'] as const)
            expect([...out[field]], field).toEqual([...wanted[field]]);
        }
        expect(own).toEqual({ tests: new Uint8Array(9), damage: Int32Array.of(7), names: ['a'], view });
        const over = { ...room, tile: new Int32Array(segments.buffer, 0, 500) };
        expect(await caught(pool.traceBatch({ world: handle, tracer, segments, out: over }))).toMatchObject({
          name: 'RangeError',
          message: 'out must not overlap segments',
        });
        for (const tile of [new Float32Array(500), new Int32Array(499)]) {
          const out = { ...createTraceBatch(500, { shared }), tile };
          expect(await caught(pool.traceBatch({ world: handle, tracer, segments, out }))).toMatchObject({
            name: 'TypeError',
            message: expect.stringMatching(
              /^out must be made by createTraceBatch|^out.tile must be of type Int32Array, with room for all answers/,
            ),
          });
        }
      }
    },
  );
});

describe('what goes wrong', () => {
  it('in a query is told before any worker is asked', async () => {
    const pool = poolOf(1);
    const opened = await pool.open(maps.quake3);
    const segments = segmentsIn(world, 2);
    for (const size of [{ length: 1e9 }, 'box', 6, [1n], ['1'], new BigInt64Array(6), [undefined]]) {
      const error = await caught(
        pool.traceBatch({ world: opened, tracer: { kind: 'box', size: size as never }, segments }),
      );
      expect(error).toMatchObject({
        name: 'TypeError',
        message: expect.stringMatching(/^tracer\.size must be an array of numbers/),
      });
    }
    // Workers could not be sent them, or could not tell two of them apart.
    const cycle: unknown[] = [1];
    cycle.push(cycle);
    for (const mask of [1n, [1n], cycle, { mask: 1 }, null, () => 1, Symbol('x'), new Map()]) {
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
    // A signal that cannot be left again would end the process.
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

  it.each([true, false])(
    'with what is taken away meanwhile is told by its name (shared: %s)',
    async (shared) => {
      const pool = poolOf(2, shared);
      const opened = await pool.open(maps.quake3);
      const query = (): PoolQuery => ({
        world: opened,
        tracer: RAY,
        segments: segmentsIn(world, 4000).slice(),
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
        message: expect.stringMatching(/^room in out must be \d+ or more, got 0/),
      });
      const moves = query();
      const left = pool.traceBatch(moves);
      take(moves.segments);
      const said = 'segments were transferred';
      expect(await caught(left)).toMatchObject({ name: 'TypeError', message: said });
      expect(await caught(pool.traceBatch(moves))).toMatchObject({ name: 'TypeError', message: said });
    },
  );

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
    const handle = await pool.open(world);
    const segments = segmentsIn(world, 300);
    const ask = (tracer: object, more: object = {}): Promise<TracePoolError> =>
      caught(pool.traceBatch({ world: handle, tracer: tracer as typeof RAY, segments, ...more }));
    const kind = await ask({ kind: 'cone' });
    expect(kind).toBeInstanceOf(RangeError);
    expect(kind.message).toMatch(/^tracer\.kind must be 'ray'/);
    expect(kind.stack).toContain('worker.mjs');
    expect((await ask({ kind: 'ray', options: { mask: 'nonsense' } })).message).toContain("'nonsense'");
    expect(await ask({ kind: 'ray', options: { speed: 1 } })).toBeInstanceOf(TypeError);
    // Where a world's own factories have it, at the same place as the kind: it would be left out unnoticed.
    expect((await ask({ kind: 'ray', mask: 1 })).message).toContain("no option 'mask' here");
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

  it('in a query is told whatever was asked before, even by numbers that JSON writes alike', async () => {
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

  it.each([true, false])('in a query of no segments is told as well (shared: %s)', async (shared) => {
    const pool = poolOf(2, shared);
    const handle = await pool.open(world);
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

  it('with options is said at once', () => {
    expect(() => createTracePool({ threads: 0 })).toThrow('threads must be a whole number from 1 to 256');
    expect(() => createTracePool({ workers: 2 } as object)).toThrow("no option 'workers'");
    expect(() => createTracePool({ shared: 1 as never })).toThrow('shared must be true or false');
    expect(() => createTracePool({ worker: 5 as never })).toThrow('worker must be the address of a file');
    expect(() => serveTracePool()).toThrow('serveTracePool is for workers');
  });

  it('with a worker that dies rejects what it held, and another takes its place', async () => {
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
    const handle = await pool.open(world);
    const segments = segmentsIn(world, 300);
    const ask = { world: handle, tracer: RAY, segments };
    const [error, queued] = await Promise.all([caught(pool.traceBatch(ask)), caught(pool.traceBatch(ask))]);
    expect(error).toMatchObject({ name: 'TracePoolError', code: 'worker' });
    expect(error.message).toBe('a worker of the pool has ended: it exited with code 3');
    expect(queued.code).toBe('worker');
    expect(bitsOf(await pool.traceBatch(ask))).toEqual(bitsOf(world.ray().traceBatch(segments)));
  });

  it('with a world that a new worker cannot open is over when it can', async () => {
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
    const ask = { world: await pool.open(world), tracer: RAY, segments: segmentsIn(world, 300) };
    for (const file of [leave, full]) writeFileSync(file, '');
    expect((await caught(pool.traceBatch(ask))).code).toBe('worker');
    expect(await caught(pool.traceBatch(ask))).toMatchObject({ name: 'RangeError', message: 'no room' });
    rmSync(full);
    expect(bitsOf(await pool.traceBatch(ask))).toEqual(bitsOf(world.ray().traceBatch(ask.segments)));
  });

  it('with a worker that cannot be started is an error, not a wait', async () => {
    const pool = newPool({ threads: 2, worker: inFolder('nothing.mjs') });
    const error = await caught(pool.open(world));
    expect(error).toMatchObject({ name: 'TracePoolError', code: 'worker' });
    expect(error.message).toContain('nothing.mjs');
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
      const file = inFolder('stranger.mjs');
      writeFileSync(file, `import { parentPort } from 'node:worker_threads'; ${does};`);
      const pool = newPool({ threads: 2, worker: file, startLimit });
      const error = await caught(pool.open(world));
      expect(error).toMatchObject({ name: 'TracePoolError', code: 'worker' });
      expect(error.message).toContain(`a worker of the pool has ended: ${file}: ${says}`);
      expect(error.message).toContain('the option `worker` of pools');
      // For good, as the option's description says: nothing is started again.
      expect(await caught(pool.open(world))).toEqual(error);
    },
  );

  it.each(['esm', 'cjs'] as const)(
    'in a bundle (%s) that has left its worker out tells what to do',
    async (format) => {
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
    },
  );

  it('when it is closed rejects what is left', async () => {
    const pool = newPool({ threads: 2 });
    const handle = await pool.open(world);
    const ask = { world: handle, tracer: RAY, segments: segmentsIn(world, 50_000) };
    const running = caught(pool.traceBatch(ask));
    await pool.close();
    await pool.close();
    for (const error of [await running, await caught(pool.traceBatch(ask)), await caught(pool.open(world))]) {
      expect(error).toMatchObject({ name: 'TracePoolError', code: 'closed' });
    }
  });
});

describe('a signal', () => {
  /** Enough that there is time for it. */
  const COUNT = 300_000;

  it.each([true, false])('stops a batch, after which nothing is written (shared: %s)', async (shared) => {
    const pool = poolOf(2, shared);
    const handle = await pool.open(world);
    const segments = segmentsIn(world, COUNT);
    const out = createTraceBatch(COUNT, { fields: ['fraction'], shared: true });
    const { fraction } = out;
    fraction.fill(-1);
    const controller = new AbortController();
    const { signal } = controller;
    const running = caught(pool.traceBatch({ world: handle, tracer: RAY, segments, out, signal }));
    while (fraction[0] === -1) await new Promise(setImmediate);
    controller.abort();
    expect((await running).name).toBe('AbortError');
    const written = fraction.slice();
    expect(written.includes(-1)).toBe(true);
    // Whoever still had something to write would have done so before this.
    await pool.blockedBatch({ world: handle, tracer: RAY, segments: segments.subarray(0, 6000) });
    const isAsWritten = (): boolean => written.every((value, k) => value === fraction[k]);
    expect(isAsWritten()).toBe(true);
    const reason = new Error('too late');
    const late = { world: handle, tracer: RAY, segments, out, signal: AbortSignal.abort(reason) };
    expect(await caught(pool.traceBatch(late))).toBe(reason);
    expect(isAsWritten()).toBe(true);
  });

  it('need not wait for what was asked before', async () => {
    const pool = poolOf(1);
    const handle = await pool.open(world);
    const segments = segmentsIn(world, COUNT);
    let isFirstDone = false;
    const first = pool.traceBatch({ world: handle, tracer: RAY, segments }).then(() => {
      isFirstDone = true;
    });
    const controller = new AbortController();
    const { signal } = controller;
    const second = caught(pool.blockedBatch({ world: handle, tracer: RAY, segments, signal }));
    controller.abort(new Error('no more'));
    expect((await second).message).toBe('no more');
    expect(isFirstDone).toBe(false);
    await first;
  });

  it('may stop any number of batches, and nothing of them stays on it', async () => {
    const pool = poolOf(1);
    const handle = await pool.open(world);
    const segments = segmentsIn(world, 10);
    const controller = new AbortController();
    const { signal } = controller;
    const heard = (): number => getEventListeners(signal, 'abort').length;
    const ask = () => pool.blockedBatch({ world: handle, tracer: RAY, segments, signal });
    const answered = Array.from({ length: 12 }, ask);
    // Node warns of a leak where there are more than ten.
    expect(heard()).toBe(1);
    await Promise.all(answered);
    expect(heard()).toBe(0);
    const stopped = Array.from({ length: 12 }, () => caught(ask()));
    controller.abort(new Error('all of it'));
    for (const error of await Promise.all(stopped)) expect(error.message).toBe('all of it');
    expect(heard()).toBe(0);
  });
});

describe('a process', () => {
  it('ends when it waits for nothing, and not before', async () => {
    const script = await bundleScript(
      'script',
      `import { readFileSync } from 'node:fs';
       import { createTracePool } from '../src/pool/node/index.ts';
       const pool = createTracePool({ threads: 2, worker: process.argv[2] });
       const world = await pool.open(readFileSync(process.argv[3]));
       const segments = new Float32Array(6 * 20_000);
       pool.traceBatch({ world, tracer: { kind: 'ray' }, segments }).then(({ count }) => console.log(count));
       // The pool stays open.`,
    );
    writeFileSync(inFolder('arena.bsp'), maps.quake3);
    const args = [script, worker, inFolder('arena.bsp')];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
    expect(stdout).toBe('20000\n');
  });
});
