import { bake, createJob, memoryStore, openJob, walkableCells } from '@bspkit/bake';
import { playerPreset, tracerOf } from '@bspkit/core/format';
import type { OpenMap } from '../../src/app/open-map.ts';

/** A bake of a map's cells to stand in, wide apart, as its file. */
export async function bakeCells(map: OpenMap, kind: 'exposure' | 'sight'): Promise<Uint8Array> {
  const step = 96;
  const body = tracerOf(map.format, map.world, playerPreset(map.format));
  const cells = walkableCells(map.world, body, { step });
  const inputs = { points: new Uint8Array(cells.buffer) };
  const job = await createJob({ kind, map: map.bytes, inputs, parameters: { step, floor: 24 } });
  const files = new Map([
    [job.map, map.bytes],
    [job.inputs.points!, inputs.points],
  ]);
  const open = await openJob(job, { load: (hash) => files.get(hash)! });
  const store = memoryStore();
  await bake(job, { inputs, store, executor: { capacity: 1, run: async (chunk) => open.run(chunk) } });
  return store.bytes();
}
