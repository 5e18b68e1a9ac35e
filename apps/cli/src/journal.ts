import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { type BakeChunk, type BakeExecutor, type BakeJob, BakeWriter, MOST_CHUNKS } from '@bspkit/bake';
import type { Session } from './session.ts';
import { removePartials } from './sink.ts';
import { openStore } from './store.ts';

/** Answers of a run that may be cut short, in a file next to the one that is written at the end. */
export interface Journal {
  readonly name: string;
  /** Aborts with the reason when nothing can be written to it any more. */
  readonly lost: AbortSignal;
  /** Returns an executor that uses the answers that exist already, and keeps all others as they come. */
  keep(executor: BakeExecutor): BakeExecutor;
  /** Closes the file, which can be continued another time. */
  close(): Promise<void>;
  /** Removes the file: the run is done. */
  remove(): Promise<void>;
}

/** An answer is preceded by the sha256 of what was asked. */
const HASH_BYTES = 32;

/**
 * Opens the journal of a job of rows, or makes it: a bake's file in whose chunks the hash of the rows comes first.
 *
 * @param inputs - the bytes that the job names.
 * @throws (rejects with) UsageError for a file that cannot be written, BakeError for one that is not a journal, or is about other
 *   questions.
 */
export async function openJournal(
  out: string,
  given: BakeJob,
  inputs: Readonly<Record<string, Uint8Array>>,
  session: Session,
): Promise<Journal> {
  const name = `${out}.part`;
  const { store, close } = await openStore(name, session);
  // The number of chunks is not known before the last row.
  const job = { ...given, count: MOST_CHUNKS, chunkSize: 1 };
  let writer: BakeWriter;
  try {
    writer = await BakeWriter.resume(store, job, inputs);
    // Only one program writes to the journal. Runs that are killed again and again would fill the disk.
    await removePartials(out, session);
  } catch (error) {
    await close();
    throw error;
  }
  const lost = new AbortController();
  let writing = Promise.resolve();
  const add = (index: number, bytes: Uint8Array): Promise<void> => {
    writing = writing
      .then(() => (lost.signal.aborted ? undefined : writer.add(index, bytes)))
      .catch((error: unknown) => lost.abort(error));
    return writing;
  };
  const take = async (index: number, hash: Buffer): Promise<Uint8Array | undefined> => {
    const kept = await writer.read(index);
    if (!kept) return undefined;
    if (hash.equals(kept.subarray(0, HASH_BYTES))) return kept.subarray(HASH_BYTES);
    throw new RangeError(`these are not the questions that ${name} has answers to: remove it to start again`);
  };
  return {
    name,
    lost: lost.signal,
    keep: (executor) => ({
      get capacity() {
        return executor.capacity;
      },
      async run(chunk: BakeChunk, signal) {
        const hash = createHash('sha256').update(chunk.input!).digest();
        const kept = await take(chunk.index, hash);
        if (kept) return kept;
        const answer = await executor.run(chunk, signal);
        await add(chunk.index, Buffer.concat([hash, answer]));
        return answer;
      },
    }),
    async close() {
      await writing;
      await close();
    },
    remove: () => rm(session.path(name), { force: true }),
  };
}
