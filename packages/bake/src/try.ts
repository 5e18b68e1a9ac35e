import { isLacking } from './error.ts';
import type { BakeJob } from './job.ts';
import type { BakeSource } from './kind.ts';
import { openJob } from './run.ts';

/**
 * Throws what is wrong with a job, as {@link openJob} does, before any of its chunks is handed out. A kind or format that is not
 * known here may be known to those who answer the chunks.
 */
export async function tryJob(job: BakeJob, source: BakeSource): Promise<void> {
  try {
    await openJob(job, source);
  } catch (error) {
    if (!isLacking(error)) throw error;
  }
}
