import { join } from 'node:path';
import type { Vec3 } from '@bspkit/core';
import { bundleScript } from '@bspkit/testkit/bundle';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { type BspMap, openBsp } from 'bspkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BakeExecutor,
  type BakeJob,
  type BakeParameters,
  type BakeTracer,
  bake,
  createJob,
  memoryStore,
  mergeBake,
  openJob,
  pointBytes,
  readBake,
  type SightResult,
} from '../src/index.ts';
import { type BakePool, createBakePool } from '../src/pool/node/index.ts';
import { MAPS } from './maps.ts';

// Jobs name doors of UFO:AI, and where they stand, as plain data.

type House = Extract<BspMap, { format: 'ufoai' }>;

const map = MAPS.ufoai!();
const folder = temporaryFolder();
const STEPS = [-40, -7, 7, 40];
const BOX = [-4, -4, -4, 4, 4, 4];
let pool: BakePool;
let house: House;
/** Places on all sides of the doors, below doors that are up and beside them. */
let places: number[];
/** Positions and rotations of all doors: as they are, 40 units up, and turned, each by another angle. */
let poses: readonly { readonly origin?: readonly number[]; readonly angles?: readonly number[] }[];

beforeAll(async () => {
  const serves = "import { serveBake } from '../src/pool/node/index.ts'; serveBake();";
  pool = createBakePool({
    threads: 2,
    worker: await bundleScript(join(folder, 'doors.mjs'), serves, import.meta.url),
  });
  const opened = await openBsp(map);
  if (opened.format !== 'ufoai') throw new Error('another format');
  house = opened;
  places = house.models().flatMap(({ origin, bounds: { mins, maxs } }) => {
    const [x, y, z] = [0, 1, 2].map((k) => origin[k]! + (mins[k]! + maxs[k]!) / 2) as [
      number,
      number,
      number,
    ];
    return STEPS.flatMap((east) =>
      STEPS.flatMap((north) => [x + east, y + north, z - 4, x + east, y + north, z + 20]),
    );
  });
  const up = house.models().flatMap(({ origin: [x, y, z] }) => [x!, y!, z! + 40]);
  const turned = house.models().flatMap(({ number }) => [-0, 30.1 * number, 0]);
  poses = [{}, { origin: up }, { angles: turned }, { origin: up, angles: turned }];
});
afterAll(async () => {
  await pool.close();
});

/** A job about the places by the doors, and its inputs. */
async function jobOf(
  kind: string,
  parameters: BakeParameters,
): Promise<{ job: BakeJob; inputs: Record<string, Uint8Array> }> {
  const inputs: Record<string, Uint8Array> = kind === 'clearance' ? {} : { points: pointBytes(places) };
  return { job: await createJob({ kind, map, inputs, parameters, chunkSize: 7 }), inputs };
}

/** What a bake gives, which must be the same file from two threads as from one. */
async function baked<R>(kind: string, parameters: BakeParameters): Promise<R> {
  const { job, inputs } = await jobOf(kind, parameters);
  const { run } = await openJob(job, { load: (hash) => (hash === job.map ? map : inputs.points!) });
  const alone: BakeExecutor = { capacity: 1, run: async (chunk) => run(chunk) };
  const files: Uint8Array[] = [];
  for (const executor of [alone, await pool.open(job, { map, inputs })]) {
    const store = memoryStore();
    await bake(job, { inputs, executor, store });
    files.push(store.bytes());
  }
  expect(Buffer.compare(files[0]!, files[1]!)).toBe(0);
  return mergeBake(readBake(files[1]!)) as R;
}

describe('doors of UFO:AI', () => {
  const tracers = ['line', 'ray', 'box'].map((kind) => ({ kind, ...(kind === 'box' && { size: BOX }) }));

  it.each(tracers)('are seen through where they have been put elsewhere: $kind', async ({ kind, size }) => {
    const numbers = house.models().map(({ number }) => number);
    const seen = new Set<string>();
    for (const { origin, angles } of poses) {
      const tracer: BakeTracer = { kind, size, options: { models: numbers, origin, angles } };
      const { bits, sees } = await baked<SightResult>('sight', { tracer });
      const models = numbers.map((number, k) => {
        const place = (all: readonly number[] | undefined): Vec3 | undefined => all?.slice(3 * k, 3 * k + 3);
        return house.model(number).place({ origin: place(origin), angles: place(angles) });
      });
      const single =
        kind === 'box'
          ? house.box(BOX.slice(0, 3), BOX.slice(3), { models })
          : house[kind as 'line' | 'ray']({ models });
      const at = (k: number): Vec3 => places.slice(3 * k, 3 * k + 3);
      const wrong: string[] = [];
      for (let from = 0; from < places.length / 3; from++)
        for (let to = 0; to < places.length / 3; to++)
          if (sees(from, to) === single.blocked(at(from), at(to))) wrong.push(`${from} ${to}`);
      expect(wrong).toEqual([]);
      seen.add(Buffer.from(bits).toString('hex'));
    }
    expect(seen.size).toBe(poses.length);
  });

  it('change what every kind of bake gives, wherever they stand', async () => {
    const cells = { origin: [360, 76, 28], step: 8, size: [8, 8, 5], rays: 16, reach: 128 };
    for (const [kind, more, name] of [
      ['occlusion', { rays: 32 }, 'tracer'],
      ['exposure', {}, 'tracer'],
      ['clearance', cells, 'tracer'],
      ['clearance', cells, 'shape'],
    ] as const) {
      const tracer = name === 'shape' ? { kind: 'box', size: BOX } : { kind: 'line' };
      const seen = new Set<string>();
      for (const pose of [undefined, ...poses]) {
        const options = pose && { models: 'all', ...pose };
        const result = await baked<object>(kind, { ...more, [name]: { ...tracer, options } });
        seen.add(JSON.stringify(result));
      }
      expect(seen.size, `${kind}: ${name}`).toBe(1 + poses.length);
    }
  });

  it('that are put nowhere are refused before anything is baked', async () => {
    for (const [options, error, message] of [
      [
        { models: [1, 2], origin: [1, 2, 3] },
        RangeError,
        'origin must have three numbers for each model, 6 in all',
      ],
      [{ models: 'all', angles: [] }, RangeError, 'angles must have three numbers for each model, 9 in all'],
      [{ models: [1], angles: [0, 1e39, 0] }, RangeError, 'angles[1] must be a finite float32, got 1e+39'],
      [{ models: [1], origin: '1 2 3' }, TypeError, "origin must be an array of numbers, got '1 2 3'"],
      [{ origin: [1, 2, 3] }, RangeError, 'origin and angles are for models: the world does not move'],
    ] as const) {
      const { job, inputs } = await jobOf('sight', { tracer: { kind: 'line', options } });
      const opening = pool.open(job, { map, inputs });
      await expect(opening).rejects.toThrow(error);
      await expect(opening).rejects.toThrow(message);
    }
  });
});
