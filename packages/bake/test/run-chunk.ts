import { type BakeChunk, type BakeJob, type BakeSource, openJob } from '../src/index.ts';

/** Answers one chunk of a job in this thread. */
export async function runChunk(job: BakeJob, chunk: BakeChunk, source: BakeSource): Promise<Uint8Array> {
  return (await openJob(job, source)).run(chunk);
}
