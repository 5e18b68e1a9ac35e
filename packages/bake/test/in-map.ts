import type { BspWorld, Tracer } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import { formatOf, openBsp } from 'bspkit';
import {
  type BakeTracer,
  bake,
  bodyTracer,
  createJob,
  type JobParts,
  memoryStore,
  mergeBake,
  openJob,
  readBake,
  sightTracer,
  walkableCells,
} from '../src/index.ts';
import { MAPS } from './maps.ts';

/** Bakes here, chunk by chunk, and reads what came out. */
export async function baked<R>(parts: JobParts): Promise<R> {
  const job = await createJob(parts);
  const inputs = { ...parts.inputs };
  const bytes = new Map([
    [job.map, parts.map!],
    ...Object.keys(inputs).map((name) => [job.inputs[name]!, inputs[name]!] as const),
  ]);
  const { run } = await openJob(job, { load: (hash) => bytes.get(hash) });
  const store = memoryStore();
  await bake(job, { inputs, store, executor: { capacity: 1, run: async (chunk) => run(chunk) } });
  return mergeBake(readBake(store.bytes())) as R;
}

export const make = (
  format: BspFormat,
  world: BspWorld,
  { kind, size = [], options = {} }: BakeTracer,
): Tracer => format.tracers.kinds.find(({ name }) => name === kind)!.create(world, size, options as never);

/** A map of `MAPS`, what sees and what walks in it, and cells that this can walk to. */
export async function openMap(name: string) {
  const map = MAPS[name]!();
  const world: BspWorld = await openBsp(map);
  const format: BspFormat = await formatOf(name as 'quake3');
  const ray = make(format, world, sightTracer(format, world));
  const body = make(format, world, bodyTracer(format, world));
  return { map, world, format, ray, body, cells: walkableCells(world, body, { step: 96 }) };
}

/** One of many points. */
export const at = (points: Float32Array, k: number): Float32Array => points.subarray(3 * k, 3 * k + 3);
