import type { BspFormat } from '@bspkit/core/format';
import { toyMap } from '@bspkit/testkit/toy';
import type { Platform } from '@bspkit/workers';
import { FORMATS } from 'bspkit';
import { describe, expect, it, vi } from 'vitest';
import {
  type AnyBakeKind,
  bake,
  chunkOf,
  createJob,
  memoryStore,
  openJob,
  pointBytes,
} from '../src/index.ts';
import { createPool } from '../src/pool/pool.ts';
import { MAPS } from './maps.ts';
import { strange, strangeJob } from './strange-kind.ts';
import { setUpStrangePool } from './strange-pool.ts';

const kinds = [strange as AnyBakeKind];
const setup = setUpStrangePool();

describe('the bytes that a pool of threads is given, sends and gets', () => {
  it('answers about an assembly as the world of its maps does', async () => {
    const map = MAPS.ufoai!();
    const tiles = [
      { map, offset: [0, 0, 0] },
      { map, offset: [24, 8, 1] },
    ];
    const inputs = {
      points: pointBytes(Float32Array.from({ length: 600 }, (_, k) => ((k * 37) % 1200) - 200)),
    };
    const job = await createJob({ kind: 'sight', tiles, inputs });
    const ufoai: BspFormat = await FORMATS.find(({ id }) => id === 'ufoai')!.load();
    const file = ufoai.read(map);
    const world = ufoai.createWorld([file, file], { offsets: tiles.map(({ offset }) => offset) });
    const files: Uint8Array[] = [];
    const opened = { format: 'ufoai', data: world.data };
    let loads = 0;
    const load = (hash: string): Uint8Array => {
      loads++;
      return hash === job.inputs.points ? inputs.points : map;
    };
    for (const source of [{ load, world: opened }, { load }]) {
      const { run: answer } = await openJob(job, source);
      const store = memoryStore();
      await bake(job, { inputs, store, executor: { capacity: 1, run: async (chunk) => answer(chunk) } });
      files.push(store.bytes());
    }
    // The points twice, and the map, which is there twice, once.
    expect(loads).toBe(3);
    const store = memoryStore();
    await bake(job, { inputs, store, executor: await setup.pool.open(job, { tiles, inputs }) });
    files.push(store.bytes());
    expect(files[1]).toEqual(files[0]);
    expect(files[2]).toEqual(files[0]);
    // Elsewhere it is another bake.
    const moved = [tiles[0]!, { map, offset: [48, 8, 1] }];
    const apart = await createJob({ kind: 'sight', tiles: moved, inputs });
    const executor = await setup.pool.open(apart, { tiles: moved, inputs });
    await expect(bake(apart, { inputs, store, executor, resume: true })).rejects.toThrow(
      /tiles \[.*\] there, \[.*\] here/,
    );
    const alone = await createJob({ kind: 'sight', map, inputs });
    expect(alone).not.toEqual(job);
  });

  it('hashes and reads a map once that is many times in an assembly', async () => {
    const map = MAPS.ufoai!();
    const inputs = { points: pointBytes(new Float32Array(3)) };
    const tiles = Array.from({ length: 6 }, (_, k) => ({ map, offset: [24 * k, 0, 0] }));
    const ufoai: BspFormat = await FORMATS.find(({ id }) => id === 'ufoai')!.load();
    let reads = 0;
    const counting = FORMATS.map((entry) => ({
      ...entry,
      load: async (): Promise<BspFormat> => ({
        ...ufoai,
        read(bytes) {
          reads++;
          return ufoai.read(bytes);
        },
      }),
    }));
    const digest = vi.spyOn(globalThis.crypto.subtle, 'digest');
    try {
      const job = await createJob({ kind: 'sight', tiles, inputs });
      // The points, the map, and none in place of one.
      expect(digest).toHaveBeenCalledTimes(3);
      await setup.pool.open(job, { tiles, inputs, formats: counting });
      expect(digest).toHaveBeenCalledTimes(6);
      expect(reads).toBe(1);
    } finally {
      digest.mockRestore();
    }
  });

  it('hashes an input once that has many names', async () => {
    const named: AnyBakeKind = {
      name: 'named',
      needsWorld: false,
      inputs: [],
      check: (parameters) => parameters,
      open: () => () => new Uint8Array(1),
      merge: (chunks) => chunks,
    };
    const bytes = Uint8Array.of(1, 2, 3);
    const inputs = Object.fromEntries(Array.from({ length: 100 }, (_, k) => [`input${k}`, bytes]));
    const job = await createJob({ kind: 'named', inputs, count: 1, kinds: [named] });
    const digest = vi.spyOn(globalThis.crypto.subtle, 'digest');
    try {
      await setup.pool.open(job, { inputs, kinds: [named], checked: true });
      // The input, and none in place of a map.
      expect(digest).toHaveBeenCalledTimes(2);
      const others = { ...inputs, input99: Uint8Array.of(1, 2, 4) };
      const opening = setup.pool.open(job, { inputs: others, kinds: [named], checked: true });
      await expect(opening).rejects.toThrow("input 'input99' differs from its hash");
    } finally {
      digest.mockRestore();
    }
  });

  it('opens no assembly whose maps are not those of the job', async () => {
    const map = MAPS.ufoai!();
    const inputs = { points: pointBytes(new Float32Array(3)) };
    const tiles = [{ map, offset: [0, 0, 0] }];
    const job = await createJob({ kind: 'sight', tiles, inputs });
    await expect(setup.pool.open(job, { inputs })).rejects.toThrow('tiles must be the 1 of the job, got 0');
    const other = [{ map: MAPS.quake3!(), offset: [0, 0, 0] }];
    await expect(setup.pool.open(job, { tiles: other, inputs })).rejects.toMatchObject({
      code: 'hash',
      message: expect.stringContaining('tile 0 differs from its hash'),
    });
    await expect(setup.pool.open(job, { tiles: [{ map, offset: [8, 0, 0] }], inputs })).rejects.toThrow(
      new TypeError('tiles[0].offset must be that of the job, 0 0 0, got 8 0 0'),
    );
    const alone = await createJob({ kind: 'sight', map, inputs });
    await expect(setup.pool.open(alone, { map, tiles, inputs })).rejects.toThrow(
      'tiles must be the 0 of the job, got 1',
    );
    const quake = await createJob({ kind: 'sight', tiles: other, inputs });
    await expect(setup.pool.open(quake, { tiles: other, inputs })).rejects.toThrow(
      'offsets are for worlds made of several maps; a Quake 3 world is a single map',
    );
    const routing = await createJob({ kind: 'routing', tiles, count: 1 });
    const problem = 'tiles are for kinds that trace in a map: routing does not';
    await expect(setup.pool.open(routing, { tiles })).rejects.toThrow(problem);
    await expect(openJob(routing, { load: () => map })).rejects.toThrow(problem);
    await expect(
      openJob(job, { load: (hash) => (hash === job.inputs.points ? inputs.points : undefined) }),
    ).rejects.toThrow('there are no bytes for tile 0');
  });

  it('leaves a game that it does not know to its workers', async () => {
    const header = JSON.stringify({ game: 'toy', map: 'x', kind: 'points', columns: ['x'] });
    const job = await createJob({ kind: 'batch', map: toyMap(), parameters: { header }, count: 1 });
    const executor = await setup.pool.open(job, { map: toyMap() });
    const chunk = { ...chunkOf(job, 0), input: new Uint8Array() };
    await expect(executor.run(chunk)).rejects.toThrow("no such format: 'toy'");
  });

  it('refuses bytes that a job has no use for', async () => {
    const job = await strangeJob(['work']);
    await expect(setup.pool.open(job, { kinds, maps: new Uint8Array() } as never)).rejects.toThrow(TypeError);
  });

  it('sends what a chunk carries without the rest of its buffer, and leaves it to its owner', async () => {
    const job = await strangeJob(['weigh', 'weigh', 'weigh']);
    const executor = await setup.pool.open(job, { kinds });
    const file = new Uint8Array(1 << 20);
    const shared = new Uint8Array(new SharedArrayBuffer(1 << 20), 50, 9);
    const inputs = [file.subarray(100, 107), Uint8Array.of(1, 2, 3), shared];
    const weights: number[] = [];
    for (const [index, input] of inputs.entries()) {
      const answer = await executor.run({ ...chunkOf(job, index), input });
      weights.push(new DataView(answer.buffer).getUint32(0, true));
    }
    expect(weights).toEqual([7, 3, 9]);
    expect([file.length, ...inputs.map(({ length }) => length)]).toEqual([1 << 20, 7, 3, 9]);
  });

  it('gets answers without the rest of their buffers', async () => {
    const job = await strangeJob(['view', 'view']);
    const executor = await setup.pool.open(job, { kinds });
    for (const index of [0, 1]) {
      const answer = await executor.run(chunkOf(job, index));
      expect([...answer, answer.buffer.byteLength]).toEqual([7, 7, 7, 3]);
    }
  });

  it('sends inputs without the rest of their buffers where memory is not shared, and as they were', async () => {
    const sent: Uint8Array[] = [];
    const platform: Platform = {
      cores: 1,
      shares: false,
      ownScript: 'own.js',
      start: () => (onMessage) => {
        setTimeout(() => onMessage({ bspkit: 'serveBake' }));
        const post = (message: unknown): void => {
          const { id, open } = message as { id: number; open: { bytes: Map<string, Uint8Array> } };
          sent.push(...open.bytes.values());
          setTimeout(() => onMessage({ id, answer: Uint8Array.of(1) }));
        };
        return { post, hold: () => {}, end: async () => undefined };
      },
    };
    const flag = new Uint8Array(1 << 20).fill(5).subarray(10, 14);
    const job = { ...(await strangeJob([''], { flag })) };
    const executor = await createPool(platform).open(job, { kinds, inputs: { flag } });
    flag.fill(9);
    job.count = 7;
    expect(executor.job!.count).toBe(1);
    await executor.run(chunkOf(job, 0));
    const [input] = sent.filter(({ length }) => length > 0);
    expect([...input!, input!.buffer.byteLength]).toEqual([5, 5, 5, 5, 4]);
  });
});
