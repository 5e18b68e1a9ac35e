import { createHash } from 'node:crypto';
import { resizable } from '@bspkit/testkit/elastic';
import { describe, expect, it } from 'vitest';
import {
  BakeError,
  type BakeJob,
  bake,
  checkJob,
  chunkCount,
  chunkOf,
  createJob,
  memoryStore,
  openJob,
  pointBytes,
  sha256,
} from '../src/index.ts';
import { jobText } from '../src/job.ts';
import { NO_BYTES } from '../src/sha256.ts';

const job: BakeJob = { map: NO_BYTES, kind: 'sight', parameters: {}, inputs: {}, count: 10, chunkSize: 4 };

const problemOf = (value: unknown): string => {
  try {
    checkJob(value);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(BakeError);
    expect((error as BakeError).code).toBe('job');
    return (error as BakeError).message;
  }
};

describe('a job', () => {
  it('is cut into chunks, the last of which may be smaller', () => {
    expect(chunkCount(job)).toBe(3);
    expect([0, 1, 2].map((index) => chunkOf(job, index))).toEqual([
      { index: 0, first: 0, count: 4 },
      { index: 1, first: 4, count: 4 },
      { index: 2, first: 8, count: 2 },
    ]);
    expect(() => chunkOf(job, 3)).toThrow('index must be a whole number in 0..2, got 3');
    expect(() => chunkOf(job, 0.5)).toThrow(RangeError);
  });

  it('is counted where its numbers can be', () => {
    for (const wrong of [null, {}, { ...job, count: '10' }, { ...job, chunkSize: 0 }]) {
      expect(() => chunkCount(wrong as never)).toThrow(BakeError);
    }
  });

  it('has one text, whatever the order of its fields', () => {
    const { map, ...rest } = { ...job, parameters: { b: -0, a: [1, { d: 1, c: undefined }] } };
    const other = { ...rest, parameters: { a: [1, { d: 1 }], b: -0 }, map };
    expect(jobText(other)).toBe(jobText({ map, ...rest }));
    expect(jobText(other)).toContain('"parameters":{"a":[1,{"d":1}],"b":-0}');
    expect(jobText({ ...job, count: 11 })).not.toBe(jobText(job));
  });

  it('is refused by the name of what is wrong', () => {
    expect(problemOf(job)).toBe('');
    expect(problemOf(7)).toContain('a job must be an object, got 7');
    expect(problemOf([])).toContain('a job must be an object');
    expect(problemOf({ ...job, code: 'x' })).toContain("a job has no field 'code'");
    expect(problemOf({ ...job, map: 'abc' })).toContain("map must be a sha256 in hex, got 'abc'");
    expect(problemOf({ ...job, kind: '' })).toContain('kind must be a name');
    expect(problemOf({ ...job, parameters: null })).toContain('parameters must be an object, got null');
    expect(problemOf({ ...job, parameters: { x: Number.NaN } })).toContain(
      'parameters.x must be a finite number',
    );
    expect(problemOf({ ...job, parameters: { x: () => 0 } })).toContain('parameters.x must be plain data');
    for (const part of [undefined, new Map(), new Date(0), new Float32Array(1)]) {
      expect(problemOf({ ...job, parameters: { x: [part] } })).toContain('parameters.x.0 must be plain data');
    }
    expect(problemOf({ ...job, parameters: { x: new Array(1) } })).toContain('parameters.x.0 must be');
    expect(problemOf({ ...job, inputs: { points: 1 } })).toContain(
      'inputs.points must be a sha256 in hex, got 1',
    );
    expect(problemOf({ ...job, count: -1 })).toContain('count must be a whole number from 0');
    expect(problemOf({ ...job, chunkSize: 0 })).toContain('chunkSize must be a whole number from 1');
    expect(problemOf({ ...job, count: 2 ** 40, chunkSize: 1 })).toContain('at most 16777216 are accepted');
    const tile = { map: job.map, offset: [0, 0, 0] };
    expect(problemOf({ ...job, tiles: [tile, { ...tile, offset: [-8, 16, 1] }] })).toBe('');
    for (const tiles of [[], {}, null]) {
      expect(problemOf({ ...job, tiles })).toContain('tiles must be a list of 1 to 1024, got');
    }
    expect(problemOf({ ...job, map: 'a'.repeat(64), tiles: [tile] })).toContain(
      'map must be the hash of no bytes where there are tiles',
    );
    expect(problemOf({ ...job, tiles: [{ ...tile, code: 1 }] })).toContain(
      'tiles.0 must have map and offset',
    );
    expect(problemOf({ ...job, tiles: [{ ...tile, map: 'abc' }] })).toContain('tiles.0.map must be a sha256');
    for (const offset of [
      undefined,
      [1, 2],
      [1, 2, Number.NaN],
      ['1', 2, 3],
      Object.assign(Array(3), [1, 2]),
    ]) {
      expect(problemOf({ ...job, tiles: [tile, { ...tile, offset }] })).toContain(
        'tiles.1.offset must be three numbers',
      );
    }
    let deep: object = {};
    for (let k = 0; k < 20; k++) deep = { deep };
    expect(problemOf({ ...job, parameters: deep as BakeJob['parameters'] })).toContain('more than 16 deep');
    // Deeper than the stack: text of a job that says so must not end in the engine's own error.
    for (let k = 0; k < 100_000; k++) deep = [deep];
    for (const field of ['kind', 'map', 'count', 'inputs', 'parameters']) {
      expect(problemOf({ ...job, [field]: [deep] })).toContain(field);
      expect(problemOf({ ...job, [field]: [1n] })).toContain(field);
    }
  });
});

describe('making a job', () => {
  const inputs = { points: pointBytes([1, 2, 3, 4, 5, 6]) };

  it('hashes its map and inputs and counts its items', async () => {
    const map = new Uint8Array([1, 2, 3]);
    const made = await createJob({ kind: 'sight', map, inputs });
    expect(made).toEqual({
      map: createHash('sha256').update(map).digest('hex'),
      kind: 'sight',
      parameters: {},
      inputs: { points: await sha256(inputs.points) },
      count: 2,
      chunkSize: 1,
    });
    expect((await createJob({ kind: 'sight', map, inputs, chunkSize: 2 })).chunkSize).toBe(2);
    const tiles = [{ map, offset: Float32Array.of(8, -8, 0) }];
    expect(await createJob({ kind: 'sight', tiles, inputs })).toEqual({
      ...made,
      map: NO_BYTES,
      tiles: [{ map: made.map, offset: [8, -8, 0] }],
    });
    const wrong: [unknown, string][] = [
      [1, 'tiles must be an array, got 1'],
      [[{ map }], 'tiles[0].offset must be three numbers'],
      [[{ map: 'x', offset: [0, 0, 0] }], 'tiles[0].map must be a Uint8Array'],
      [[{ map, offset: [0, 0, 0], x: 1 }], "there is no option 'x' here; the options are map, offset"],
    ];
    for (const [given, problem] of wrong) {
      await expect(createJob({ kind: 'sight', tiles: given as never, inputs })).rejects.toThrow(problem);
    }
  });

  it('keeps to what it was made of, whatever becomes of that', async () => {
    const map = new Uint8Array([1, 2, 3]);
    const parameters = { eye: -0, tracer: { kind: 'box', size: [1, 2, 3], options: undefined } };
    const tiles = [{ map, offset: Float32Array.of(8, -8, 0) }];
    const making = createJob({ kind: 'sight', tiles, inputs, parameters });
    const expected = { eye: -0, tracer: { kind: 'box', size: [1, 2, 3] } };
    parameters.tracer.size[0] = 7;
    tiles[0]!.offset[0] = 7;
    const made = await making;
    parameters.eye = 7;
    expect(made.parameters).toEqual(expected);
    expect(made.tiles![0]!.offset).toEqual([8, -8, 0]);
  });

  it('makes chunks that take a while, and some of them', async () => {
    const many = { points: pointBytes(new Float32Array(1_200_000)) };
    const { chunkSize } = await createJob({ kind: 'occlusion', inputs: many, parameters: { rays: 256 } });
    expect(chunkSize).toBe(2 ** 20 / 256);
    const few = { points: pointBytes(new Float32Array(3000)) };
    expect((await createJob({ kind: 'occlusion', inputs: few })).chunkSize).toBe(Math.ceil(1000 / 64));
    // However many items there are, not more of them than a job may have.
    const size = [2 ** 14, 2 ** 13, 2 ** 13];
    const grid = await createJob({ kind: 'clearance', parameters: { origin: [0, 0, 0], step: 1, size } });
    expect([grid.count, chunkCount(grid)]).toEqual([2 ** 40, 2 ** 24]);
  });

  it('names the bytes that are not there', async () => {
    const [map, points] = [new Uint8Array(8), pointBytes([1, 2, 3])];
    const job = await createJob({ kind: 'sight', map, inputs: { points } });
    const known = new Map([[job.map, map]]);
    const opened = openJob(job, { load: (hash) => known.get(hash) });
    await expect(opened).rejects.toThrow(BakeError);
    await expect(opened).rejects.toMatchObject({
      code: 'absent',
      message: `there are no bytes for input 'points' (${job.inputs.points})`,
    });
    const stranger = openJob(job, { load: () => null as never });
    await expect(stranger).rejects.toThrow(TypeError);
  });

  it('of clearance has a step of 2^-10 to 2^20', async () => {
    const map = new Uint8Array(8);
    const of = (step: number) =>
      createJob({ kind: 'clearance', map, parameters: { origin: [0, 0, 0], size: [1, 1, 1], step } });
    for (const step of [2 ** -10, 2 ** 20]) expect((await of(step)).parameters.step).toBe(step);
    for (const step of [2 ** -11, 2 ** 21, 0]) await expect(of(step)).rejects.toThrow(/^step must be /);
  });

  it('of clearance has three numbers for its first cell and its size, no more', async () => {
    const grid = { origin: [0, 0, 0], step: 8, size: [1, 1, 1] };
    for (const name of ['origin', 'size'] as const) {
      for (const more of [[1], [1, 1, 1]]) {
        const parameters = { ...grid, [name]: [...grid[name], ...more] };
        await expect(createJob({ kind: 'clearance', parameters })).rejects.toThrow(
          new RangeError(`${name} must be three numbers, got ${3 + more.length}`),
        );
      }
    }
  });

  it('takes no input that its kind would not use', async () => {
    const { points } = inputs;
    for (const [kind, given, other, known] of [
      ['sight', { points, target: points }, 'target', 'its inputs are points, targets'],
      ['occlusion', { points, normal: points }, 'normal', 'its inputs are points, normals'],
      ['exposure', { points, targets: points }, 'targets', 'its inputs are points'],
      ['clearance', { points }, 'points', 'it has none'],
      ['routing', { points }, 'points', 'it has none'],
    ] as const) {
      const parameters = kind === 'clearance' ? { origin: [0, 0, 0], step: 8, size: [1, 1, 1] } : {};
      await expect(createJob({ kind, inputs: given, parameters })).rejects.toMatchObject({
        code: 'job',
        message: `${kind} has no input '${other}': ${known}`,
      });
    }
    for (const kind of ['sight', 'occlusion'] as const) {
      const both = { points, [kind === 'sight' ? 'targets' : 'normals']: points };
      await expect(createJob({ kind, inputs: both })).resolves.toMatchObject({ kind });
    }
  });

  it('takes no parameter that is null for one that is left out, or for 0', async () => {
    const grid = { origin: [0, 0, 0], step: 8, size: [1, 1, 1] };
    for (const [kind, names] of [
      ['sight', ['eye', 'distance', 'step', 'floor', 'tracer']],
      ['exposure', ['eye', 'distance', 'step', 'floor', 'tracer']],
      ['occlusion', ['rays', 'seed', 'distance', 'offset', 'step', 'floor', 'tracer']],
      ['clearance', ['origin', 'step', 'size', 'rays', 'reach', 'tracer', 'shape']],
    ] as const) {
      for (const name of names) {
        const parameters = { ...(kind === 'clearance' && grid), [name]: null };
        const parts = { kind, parameters, ...(kind !== 'clearance' && { inputs }) };
        const refused = expect.objectContaining({
          name: 'TypeError',
          message: expect.stringMatching(new RegExp(`^${name} must be .*, got null$`)),
        });
        await expect(createJob(parts), `${kind} ${name}`).rejects.toEqual(refused);
      }
    }
    const { step, ...rest } = grid;
    await expect(createJob({ kind: 'clearance', parameters: rest })).rejects.toThrow(
      'step must be a finite float32, got undefined',
    );
  });

  it('names an input that its kind needs and that it lacks, whoever made it', async () => {
    const job = await createJob({
      kind: 'sight',
      map: new Uint8Array(8),
      inputs: { points: pointBytes([1, 2, 3]) },
    });
    await expect(openJob({ ...job, inputs: {} }, { load: () => new Uint8Array(8) })).rejects.toMatchObject({
      ...{ name: 'BakeError', code: 'job' },
      message: 'inputs.points is missing: sight needs it',
    });
  });

  it('says what is missing where nothing computes its hashes, as in pages that are not served by https', async () => {
    const really = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!;
    for (const value of [undefined, {}]) {
      Object.defineProperty(globalThis, 'crypto', { value, configurable: true });
      try {
        await expect(createJob({ kind: 'sight', map: new Uint8Array(8), inputs })).rejects.toMatchObject({
          ...{ name: 'BakeError', code: 'hash' },
          message: expect.stringContaining('need crypto.subtle, which is missing here'),
        });
      } finally {
        Object.defineProperty(globalThis, 'crypto', really);
      }
    }
  });

  it('is about no bytes that another thread has got', async () => {
    const [map, points] = [new Uint8Array(8), pointBytes([1, 2, 3])];
    const job = await createJob({ kind: 'sight', map, inputs: { points } });
    structuredClone(map, { transfer: [map.buffer] });
    structuredClone(points, { transfer: [points.buffer] });
    await expect(createJob({ kind: 'sight', map, inputs })).rejects.toThrow(
      new TypeError('map must not have been transferred or cut off'),
    );
    await expect(createJob({ kind: 'sight', inputs: { points } })).rejects.toThrow(
      new TypeError('inputs.points must not have been transferred or cut off'),
    );
    await expect(sha256(map)).rejects.toThrow(
      new TypeError('bytes must not have been transferred or cut off'),
    );
    const executor = { capacity: 1, run: async () => new Uint8Array(1) };
    await expect(bake(job, { inputs: { points }, executor, store: memoryStore() })).rejects.toThrow(
      new TypeError("input 'points' must not have been transferred or cut off"),
    );
    await expect(openJob(job, { load: () => map })).rejects.toThrow(
      'must not have been transferred or cut off',
    );
    // Nor about those of a buffer that was made smaller.
    const buffer = resizable(new Uint8Array(24));
    const [bytes, numbers] = [new Uint8Array(buffer, 0, 24), new Float32Array(buffer, 0, 6)];
    buffer.resize(12);
    const gone = (name: string): TypeError =>
      new TypeError(`${name} must not have been transferred or cut off`);
    await expect(sha256(bytes)).rejects.toThrow(gone('bytes'));
    await expect(createJob({ kind: 'sight', inputs: { points: bytes } })).rejects.toThrow(
      gone('inputs.points'),
    );
    expect(() => pointBytes(numbers)).toThrow(gone('points'));
    expect(() => memoryStore(bytes)).toThrow(gone('content'));
    // None at all is something else.
    const none = await createJob({
      kind: 'sight',
      map: new Uint8Array(),
      inputs: { points: pointBytes([]) },
    });
    expect(none).toMatchObject({ map: NO_BYTES, count: 0 });
  });

  it('takes inputs that are inherited or accessors of a class', async () => {
    const points = pointBytes([1, 2, 3]);
    class Inputs {
      get points() {
        return points;
      }
    }
    const wanted = await createJob({ kind: 'sight', inputs: { points } });
    for (const inputs of [new Inputs(), Object.create({ points })])
      expect(await createJob({ kind: 'sight', inputs: inputs as never })).toEqual(wanted);
  });

  it('refuses what cannot be by name', async () => {
    await expect(createJob({ kind: 'shade' })).rejects.toThrow(
      "no such kind of bake: 'shade'; there are batch, occlusion, sight, clearance, exposure, routing",
    );
    await expect(createJob({ kind: 'sight' })).rejects.toThrow('inputs.points is missing: sight needs it');
    await expect(
      createJob({ kind: 'sight', inputs: { points: new Float32Array(12) as never } }),
    ).rejects.toThrow(
      new TypeError(
        'inputs.points must be a Uint8Array, as pointBytes() makes of points, got a Float32Array',
      ),
    );
    await expect(createJob({ kind: 'sight', map: 'q3dm1.bsp' as never, inputs })).rejects.toThrow(
      new TypeError("map must be a Uint8Array, got 'q3dm1.bsp'"),
    );
    for (const kind of ['sight', 'exposure', 'occlusion']) {
      await expect(createJob({ kind, inputs: { points: new Uint8Array(30) } })).rejects.toThrow(
        "input 'points' has 30 bytes, but points have 12 each",
      );
    }
    await expect(createJob({ kind: 'sight', inputs, parameters: { rays: 3 } })).rejects.toThrow(
      "there is no option 'rays' here",
    );
    await expect(createJob({ kind: 'occlusion', inputs, parameters: { rays: 0 } })).rejects.toThrow(
      'rays must be a whole number from 1 to 65536, got 0',
    );
    for (const seed of [0, 0xffffffff]) {
      await expect(createJob({ kind: 'occlusion', inputs, parameters: { seed } })).resolves.toBeDefined();
    }
    for (const seed of [-1, 2 ** 32]) {
      await expect(createJob({ kind: 'occlusion', inputs, parameters: { seed } })).rejects.toThrow(
        `seed must be a whole number from 0 to 4294967295, got ${seed}`,
      );
    }
    await expect(createJob({ kind: 'batch', parameters: { header: '{}' } })).rejects.toThrow(
      'count is missing',
    );
    for (const [count, shown] of [
      [Number.NaN, 'NaN'],
      [0.5, '0.5'],
      [-1, '-1'],
      ['ten', "'ten'"],
      [null, 'null'],
      [2 ** 41, '2199023255552'],
    ] as const) {
      await expect(createJob({ kind: 'routing', count: count as number })).rejects.toThrow(
        `count must be a whole number from 0 to 1099511627776, got ${shown}`,
      );
    }
    const { count } = await createJob({ kind: 'occlusion', inputs });
    await expect(createJob({ kind: 'occlusion', inputs, count })).resolves.toMatchObject({ count });
    await expect(createJob({ kind: 'occlusion', inputs, count: -1 })).rejects.toThrow(
      new RangeError(`count must be ${count}, as occlusion finds it, or left out, got -1`),
    );
    await expect(
      createJob({ kind: 'clearance', parameters: { origin: [0, 0, 0], step: 8 } }),
    ).rejects.toThrow('size');
    await expect(
      createJob({ kind: 'clearance', parameters: { origin: [0, 0, 0], step: 8, size: [1e6, 1e6, 1e6] } }),
    ).rejects.toThrow(
      'size must be of 1099511627776 cells at most, 1000000 x 1000000 x 1000000 are 1000000000000000000',
    );
    expect(() => pointBytes([1, 2])).toThrow('points must be three numbers each');
    expect(() => pointBytes([[1, 2, 3]] as never)).toThrow(
      'points[0] must be a finite float32, got an array',
    );
  });
});
