import { compileFixture } from '@bspkit/fixtures';
import { formatOf } from 'bspkit';
import { describe, expect, it } from 'vitest';
import {
  bake,
  createJob,
  type JobParts,
  memoryStore,
  mergeBake,
  openJob,
  type RoutingResult,
  readBake,
} from '../src/index.ts';
import { MAPS } from './maps.ts';

const map = compileFixture('house', 'ufoai').bytes;
const { routing, read } = await formatOf('ufoai');
const file = read(map);
const { rows } = routing!.work(file);

async function baked(parts: Partial<JobParts>): Promise<Uint8Array> {
  const job = await createJob({ kind: 'routing', map, count: rows, ...parts });
  const { run } = await openJob(job, { load: () => parts.map ?? map });
  const store = memoryStore();
  await bake(job, { store, executor: { capacity: 3, run: async (chunk) => run(chunk) } });
  return routing!.join((mergeBake(readBake(store.bytes())) as RoutingResult).parts);
}

describe('the table of where walkers can go', () => {
  it('is the same bytes, baked in chunks of any size', async () => {
    const whole = Buffer.from(routing!.compute(file));
    expect(whole.equals(await baked({}))).toBe(true);
    expect(whole.equals(await baked({ chunkSize: 5 }))).toBe(true);
  });

  it('goes on with the chunks that are missing', async () => {
    const job = await createJob({ kind: 'routing', map, count: rows, chunkSize: 4 });
    const { run } = await openJob(job, { load: () => map });
    const store = memoryStore();
    let count = 0;
    const stopped = bake(job, {
      store,
      executor: {
        capacity: 1,
        run: async (chunk) => {
          if (++count > 2) throw new RangeError('stopped');
          return run(chunk);
        },
      },
    });
    await expect(stopped).rejects.toThrow('stopped');
    let again = 0;
    await bake(job, {
      store,
      resume: true,
      executor: {
        capacity: 1,
        run: async (chunk) => {
          again++;
          return run(chunk);
        },
      },
    });
    expect(again).toBe(Math.ceil(rows / 4) - 2);
    const { parts } = mergeBake(readBake(store.bytes())) as RoutingResult;
    expect(Buffer.from(routing!.join(parts)).equals(routing!.compute(file))).toBe(true);
  });

  it('belongs to formats that have one, and has as many rows as the map', async () => {
    await expect(baked({ count: rows + 1 })).rejects.toThrow(`count must be ${rows}, the rows of the map`);
    await expect(baked({ map: MAPS.quake3!() })).rejects.toThrow(
      new RangeError('map is of Quake 3, which has no table of where walkers can go: it must be of UFO:AI'),
    );
    await expect(baked({ parameters: { step: 1 } })).rejects.toThrow('step');
    await expect(baked({ count: undefined })).rejects.toThrow('count is missing');
  });
});
