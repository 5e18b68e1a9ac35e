import { execFile } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { accessorsOf } from '@bspkit/testkit/getters';
import { toyFormat, toyMap } from '@bspkit/testkit/toy';
import { createUfoaiTraceBatch } from '@bspkit/ufoai';
import { describe, expect, it } from 'vitest';

import { createTraceBatch, FORMATS, openBsp } from '../src/index.ts';
import { maps } from './maps.ts';
import { bitsOf, caught, segmentsIn } from './pool-queries.ts';
import { BOX, RAY, setUpPools } from './pool-setup.ts';
import { bundleScript, inFolder } from './pool-workers.ts';

const setup = setUpPools();
const { newPool, poolOf } = setup;

describe('a pool', () => {
  it.each([1, 2, 3])(
    'of %i threads returns the answers of a single one, in order, bit for bit',
    async (threads) => {
      const pool = poolOf(threads);
      expect(pool).toMatchObject({ threads, shared: true });
      const handle = await pool.open(setup.world);
      expect(handle.format).toBe('quake3');
      const segments = segmentsIn(setup.world, 6000);
      const copied = segments.slice();
      for (const tracer of [RAY, BOX]) {
        const single =
          tracer === RAY
            ? setup.world.ray()
            : setup.world.box([-15, -15, -24], [15, 15, 32], { mask: 0x2010001 });
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
    },
  );

  it('fills all arrays of a batch, in place or through copies', async () => {
    const pool = poolOf(2);
    const handle = await pool.open(setup.world);
    const segments = segmentsIn(setup.world, 500);
    const wanted = setup.world.ray().traceBatch(segments);
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
    expect([...tests]).toEqual([...setup.world.ray().blockedBatch(segments)]);
    const none = await pool.traceBatch({ world: handle, tracer: RAY, segments: new Float32Array(0) });
    expect(none.count).toBe(0);
  });

  it('shares no memory where that is not allowed', async () => {
    const pool = poolOf(2, false);
    expect(pool.shared).toBe(false);
    const handle = await pool.open(setup.world);
    const segments = segmentsIn(setup.world, 500);
    const found = await pool.traceBatch({ world: handle, tracer: RAY, segments });
    expect(found.fraction.buffer).toBeInstanceOf(ArrayBuffer);
    expect(bitsOf(found)).toEqual(bitsOf(setup.world.ray().traceBatch(segments)));
  });

  it('opens bytes and worlds, also several of them', async () => {
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
    expect(bitsOf(a)).toEqual(bitsOf(setup.world.ray().traceBatch(segments)));
    if (other.format !== 'quake1') throw new Error('another format');
    expect(bitsOf(b)).toEqual(bitsOf(other.hull(1).traceBatch(segments)));
    one.close();
    one.close();
    const error = await caught(pool.traceBatch({ world: one, tracer: RAY, segments }));
    expect(error.message).toBe('world must be one that this pool has opened and not closed, got an object');
    // A world of another pool, closed here, or a map that was only read: none has the data of a world.
    for (const wrong of [await poolOf(1).open(setup.world), one, { format: 'quake3' }]) {
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

  it.each([true, false])('builds worlds of bytes where workers can see them (shared: %s)', async (shared) => {
    const asked: unknown[] = [];
    const formats = FORMATS.map((entry) => ({
      ...entry,
      async loadReader() {
        const reader = await entry.loadReader();
        return {
          ...reader,
          createWorld(files: never, options?: { readonly shared?: boolean | undefined }) {
            asked.push(options?.shared);
            return reader.createWorld(files, options);
          },
        };
      },
    }));
    const pool = newPool({ threads: 1, shared, formats: formats as never });
    expect((await pool.open(maps.quake1)).format).toBe('quake1');
    expect(asked).toEqual([shared]);
  });

  it('traces with the kernel that it is given', async () => {
    // A world cannot be asked from here, so it says what it is opened with.
    const told = await bundleScript(
      'told',
      `import { serveTracePool } from '../src/pool/node/index.ts';
       import { FORMATS } from '../src/index.ts';
       serveTracePool(FORMATS.map((entry) => ({ ...entry, async load() {
         const format = await entry.load();
         return { ...format, open(...given) {
           throw new RangeError('opened with ' + JSON.stringify(given[1]) + ': ' + format.open(...given).kernel);
         } };
       } })));`,
    );
    for (const [kernel, runs] of [
      ['auto', 'wasm'],
      ['wasm', 'wasm'],
      ['js', 'js'],
    ] as const) {
      const { message } = await caught(newPool({ threads: 1, worker: told, kernel }).open(setup.world));
      expect(message).toBe(`opened with {"kernel":"${kernel}"}: ${runs}`);
    }
    const pool = newPool({ threads: 2, kernel: 'js' });
    const segments = segmentsIn(setup.world, 500);
    const found = await pool.traceBatch({ world: await pool.open(setup.world), tracer: RAY, segments });
    expect(bitsOf(found)).toEqual(bitsOf(setup.world.ray().traceBatch(segments)));
    expect(() => newPool({ kernel: 'c' as never })).toThrow("kernel must be 'auto', 'wasm' or 'js'");
  });

  it.each([true, false])('opens no world whose data was transferred (shared: %s)', async (shared) => {
    const gone = await openBsp(maps.quake1);
    structuredClone(gone.data, { transfer: [gone.data as ArrayBuffer] });
    expect(await caught(poolOf(1, shared).open(gone))).toEqual(
      new TypeError("the world's data was transferred: open it where it is now"),
    );
  });

  it.each([true, false])(
    'forgets a closed world after answering what was asked before (shared: %s)',
    async (shared) => {
      const pool = poolOf(2, shared);
      const handle = await pool.open(setup.world);
      const segments = segmentsIn(setup.world, 30_000);
      const wanted = setup.world.ray().traceBatch(segments);
      for (const given of [segments, segments.slice()]) {
        const opened = await pool.open(setup.world);
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
    const [kept, closed] = [await pool.open(setup.world), await pool.open(setup.world)];
    const segments = segmentsIn(setup.world, 5);
    const answers = pool.traceBatch({ world: closed, tracer: RAY, segments });
    closed.close();
    expect(readFileSync(asked, 'utf8')).not.toContain('forget');
    await answers;
    await pool.traceBatch({ world: kept, tracer: RAY, segments });
    const other = await pool.open(setup.world);
    other.close();
    other.close();
    await pool.traceBatch({ world: kept, tracer: RAY, segments });
    expect(readFileSync(asked, 'utf8')).toBe('open1 open2 copy2 forget2 copy1 open3 forget3 copy1 ');
  });

  it('has its workers created by a user’s function, also to replace those that end', async () => {
    const made: Worker[] = [];
    const worker = (): Worker => {
      made.push(new Worker(setup.worker));
      return made.at(-1)!;
    };
    const pool = newPool({ threads: 2, worker });
    const world = await pool.open(setup.world);
    expect(made).toHaveLength(2);
    const ask = { world, tracer: RAY, segments: segmentsIn(setup.world, 300) };
    const wanted = bitsOf(setup.world.ray().traceBatch(ask.segments));
    expect(bitsOf(await pool.traceBatch(ask))).toEqual(wanted);
    await made[0]!.terminate();
    expect(bitsOf(await pool.traceBatch(ask))).toEqual(wanted);
    expect(made).toHaveLength(3);
  });

  it('may be closed, or its batch be stopped, by the function that makes its workers', async () => {
    const made: Worker[] = [];
    let act = (): void => {};
    const worker = (): Worker => {
      act();
      made.push(new Worker(setup.worker));
      return made.at(-1)!;
    };
    const closed = { name: 'TracePoolError', code: 'closed' };
    const opening = newPool({ threads: 2, worker });
    act = () => void opening.close();
    await expect(opening.open(setup.world)).rejects.toMatchObject(closed);

    act = () => {};
    const pool = newPool({ threads: 1, worker });
    const world = await pool.open(setup.world);
    const segments = segmentsIn(setup.world, 300);
    const controller = new AbortController();
    const { signal } = controller;
    const reason = new Error('no more');
    act = () => controller.abort(reason);
    await made.at(-1)!.terminate();
    expect(await caught(pool.traceBatch({ world, tracer: RAY, segments, signal }))).toBe(reason);
    act = () => void pool.close();
    await made.at(-1)!.terminate();
    await expect(pool.traceBatch({ world, tracer: RAY, segments })).rejects.toMatchObject(closed);
    // None of them is left: those that have ended have no number.
    await expect.poll(() => made.map(({ threadId }) => threadId)).toEqual(made.map(() => -1));
    expect(made).toHaveLength(4);
  });

  it.each([true, false])(
    'asks no more workers than a batch has parts, and the idle first (shared: %s)',
    async (shared) => {
      /** How many questions each worker has been sent. */
      const asked: number[] = [];
      const worker = (): Worker => {
        const made = new Worker(setup.worker);
        const number = asked.push(0) - 1;
        const post = made.postMessage.bind(made);
        made.postMessage = (message: { ask?: string }, ...more: []) => {
          if (message.ask === 'share' || message.ask === 'copy') asked[number]! += 1;
          post(message, ...more);
        };
        return made;
      };
      const pool = newPool({ threads: 4, shared, worker });
      const world = await pool.open(setup.world);
      const given = segmentsIn(setup.world, 65);
      const segments = shared ? given : given.slice();
      const [none, one, two] = [segments.subarray(0, 0), segments.subarray(0, 6), segments];
      const send = (part: Float32Array) => pool.blockedBatch({ world, tracer: RAY, segments: part });
      for (const part of [one, none, one]) await send(part);
      expect(asked).toEqual([3, 0, 0, 0]);
      await Promise.all([one, one, two, one].map(send));
      expect(asked).toEqual([5, 1, 1, 1]);
    },
  );

  it('uses tracers as they are at the time of the query, also those in reactive objects', async () => {
    const pool = newPool({ threads: 1, shared: false });
    const segments = segmentsIn(setup.world, 3000);
    const handle = await pool.open(setup.world);
    const size = [...BOX.size];
    const point = { kind: 'box', size: new Proxy(size, {}), options: new Proxy({ ...BOX.options }, {}) };
    const asked = pool.traceBatch({ world: handle, tracer: point, segments });
    size.fill(0);
    const wanted = await pool.traceBatch({ world: handle, tracer: BOX, segments });
    expect(bitsOf(await asked)).toEqual(bitsOf(wanted));
  });

  it('recognizes its worlds in reactive objects, which wrap what can be changed', async () => {
    const pool = newPool({ threads: 1 });
    const handle = await pool.open(setup.world);
    const reactive = <T extends object>(of: T): T =>
      Object.isExtensible(of) ? new Proxy(of, { get: (_, key) => reactive(of[key as never]) }) : of;
    const state = reactive({ world: handle });
    const segments = segmentsIn(setup.world, 3);
    const answers = await pool.traceBatch({ world: state.world, tracer: RAY, segments });
    expect(bitsOf(answers)).toEqual(bitsOf(setup.world.ray().traceBatch(segments)));
  });

  it('traces segments in arrays of a kind of their own, however these are made', async () => {
    class Moves extends Float32Array<SharedArrayBuffer> {
      constructor(count: number) {
        super(new SharedArrayBuffer(24 * count));
      }
    }
    class OwnMoves extends Float32Array {
      constructor(count: number) {
        super(6 * count);
      }
    }
    const plain = segmentsIn(setup.world, 100);
    const wanted = setup.world.ray().traceBatch(plain);
    const pool = poolOf(2);
    const world = await pool.open(setup.world);
    for (const segments of [new Moves(100), new OwnMoves(100)]) {
      segments.set(plain);
      expect(bitsOf(await pool.traceBatch({ world, tracer: RAY, segments }))).toEqual(bitsOf(wanted));
      const tests = await pool.blockedBatch({ world, tracer: RAY, segments });
      expect([...tests]).toEqual([...setup.world.ray().blockedBatch(plain)]);
    }
  });

  it('takes queries and options that are accessors of a class', async () => {
    const pool = poolOf(1);
    const world = await pool.open(setup.world);
    const segments = segmentsIn(setup.world, 50);
    const query = { world, tracer: { kind: 'ray', options: accessorsOf({ mask: 'water' }) }, segments };
    const single = setup.world.ray({ mask: 0x20 });
    const wanted = single.traceBatch(segments);
    expect(bitsOf(wanted)).not.toEqual(bitsOf(setup.world.ray().traceBatch(segments)));
    expect(bitsOf(await pool.traceBatch(accessorsOf(query)))).toEqual(bitsOf(wanted));
    expect([...(await pool.blockedBatch(accessorsOf(query)))]).toEqual([...single.blockedBatch(segments)]);
    const out = createTraceBatch(50);
    expect(await pool.traceBatch(accessorsOf({ ...query, out }))).toBe(out);
    expect(bitsOf(out)).toEqual(bitsOf(wanted));
  });

  it('writes to batches of any kind: with fields that are undefined, or inherited', async () => {
    const segments = segmentsIn(setup.world, 3);
    const wanted = setup.world.ray().traceBatch(segments);
    for (const shared of [true, false]) {
      const pool = poolOf(1, shared);
      const handle = await pool.open(setup.world);
      const some = { ...createTraceBatch(3, { fields: ['endPos'], shared }), fraction: undefined };
      await pool.traceBatch({ world: handle, tracer: RAY, segments, out: some as never });
      expect([...some.endPos]).toEqual([...wanted.endPos]);
      const heir = Object.create(createTraceBatch(3, { shared }));
      await pool.traceBatch({ world: handle, tracer: RAY, segments, out: heir });
      expect([...heir.endPos]).toEqual([...wanted.endPos]);
    }
  });

  it.each([true, false])(
    "writes a format's own arrays, and leaves those of a caller alone (shared: %s)",
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

/** Enough segments that there is time to stop them. */
const COUNT = 300_000;

it('nothing is written once a pool that is closed has said so, also where workers finish what they are at', async () => {
  let end = (): void => {};
  const answered = new Promise<void>((resolve) => {
    end = resolve;
  });
  let made!: Worker;
  const pool = newPool({
    threads: 1,
    worker: () => {
      made = new Worker(setup.worker);
      const terminate = made.terminate.bind(made);
      // As in Chromium.
      made.terminate = () => answered.then(terminate);
      return made;
    },
  });
  const handle = await pool.open(setup.world);
  const out = createTraceBatch(COUNT, { fields: ['fraction'], shared: true });
  const { fraction } = out;
  fraction.fill(-1);
  const segments = segmentsIn(setup.world, COUNT);
  const running = caught(pool.traceBatch({ world: handle, tracer: RAY, segments, out }));
  while (fraction[0] === -1) await new Promise(setImmediate);
  made.once('message', end);
  const closed = pool.close();
  expect((await running).code).toBe('closed');
  const written = fraction.slice();
  expect(written.includes(-1)).toBe(true);
  await answered;
  expect(written.every((value, k) => value === fraction[k])).toBe(true);
  await closed;
});

describe('a signal', () => {
  it.each([true, false])('stops a batch, after which nothing is written (shared: %s)', async (shared) => {
    const pool = poolOf(2, shared);
    const handle = await pool.open(setup.world);
    const segments = segmentsIn(setup.world, COUNT);
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
    // A worker that still had something to write would have done so before this answer.
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
    const handle = await pool.open(setup.world);
    const segments = segmentsIn(setup.world, COUNT);
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

  it('may stop any number of batches, and keeps no listeners afterwards', async () => {
    const pool = poolOf(1);
    const handle = await pool.open(setup.world);
    const segments = segmentsIn(setup.world, 10);
    const controller = new AbortController();
    const { signal } = controller;
    const heard = (): number => getEventListeners(signal, 'abort').length;
    const ask = () => pool.blockedBatch({ world: handle, tracer: RAY, segments, signal });
    const answered = Array.from({ length: 12 }, ask);
    // Node warns of a leak if there are more than ten.
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
  it('exits when it waits for nothing, and not before', async () => {
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
    const args = [script, setup.worker, inFolder('arena.bsp')];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
    expect(stdout).toBe('20000\n');
  });
});
