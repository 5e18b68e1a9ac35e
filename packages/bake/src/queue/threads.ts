import type { BakeChunk, BakeJob } from '../job.ts';
import type { BakeSource } from '../kind.ts';
import { openJob } from '../run.ts';

export interface ChunkThreads {
  run(id: string, job: BakeJob, chunk: BakeChunk, signal: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}

export function createChunkThreads({ load }: { threads: number; load: BakeSource['load'] }): ChunkThreads {
  const open = new Map();
  return {
    async run(id, job, chunk) {
      if (!open.has(id)) open.set(id, openJob(job, { load }));
      return (await open.get(id)).run(chunk);
    },
    close: async () => {},
  };
}
