import { bytesPerCall } from '@bspkit/testkit/allocation';
import { expect, it } from 'vitest';
import { chunkOf, createJob, openJob, pointBytes } from '../src/index.ts';
import { MAPS } from './maps.ts';

const COUNT = 128;

it.each(['sight', 'exposure'])('%s allocates by rows, not by points', async (kind) => {
  const map = MAPS.quake3!();
  // Too far from each other to be traced.
  const points = pointBytes(Array.from({ length: COUNT }, (_, k) => [16 * k, 0, 0]).flat());
  const job = await createJob({ kind, map, inputs: { points }, parameters: { distance: 8 }, chunkSize: 1 });
  const { run } = await openJob(job, { load: (hash) => (hash === job.map ? map : points) });
  const chunks = Array.from({ length: COUNT }, (_, k) => chunkOf(job, k));
  // A row has an answer and a view; a single number per point would be as much again.
  const allowed = 16 * COUNT;
  const bytes = bytesPerCall((call) => void run(chunks[call % COUNT]!), 3_000, allowed);
  expect(bytes).toBeLessThanOrEqual(allowed);
});
