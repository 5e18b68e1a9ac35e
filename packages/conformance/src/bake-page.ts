import { bake, chunkOf, createJob, memoryStore, pointBytes } from '@bspkit/bake';
import { createBakePool } from '@bspkit/bake/pool';

// A page on which module workers answer for a whole map. It is bundled and run in a browser.

/** The page's results. */
export interface BakePageReport {
  readonly isIsolated: boolean;
  readonly isShared: boolean;
  /** The bakes' files, as numbers, by kind. */
  readonly files: Readonly<Record<string, readonly number[]>>;
  /** How many chunks were answered when there were more jobs than a worker keeps, each asked for twice. */
  readonly answered: number;
  /** Name and code of the errors for a worker that does not exist, a chunk that is given up, a pool that is closed. */
  readonly errors: readonly string[];
}

/** What is baked; Node bakes the same. */
export const PARTS = {
  occlusion: { parameters: { rays: 16 }, chunkSize: 20 },
  exposure: { parameters: { eye: 20 }, chunkSize: 25 },
} as const;
export const POINTS: Uint8Array = pointBytes(
  Float32Array.from({ length: 600 }, (_, k) => ((k * 37) % 401) - 200),
);

export async function report(): Promise<BakePageReport> {
  const { crossOriginIsolated: isIsolated } = globalThis as { crossOriginIsolated?: boolean };
  const fetched = await (globalThis as unknown as { fetch(url: string): Promise<Response> }).fetch(
    '/arena.bsp',
  );
  const map = new Uint8Array(await fetched.arrayBuffer());
  const inputs = { points: POINTS };
  const errorOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
      return 'none';
    } catch (error) {
      const { name, code } = error as { name: string; code?: unknown };
      return `${name} ${code}`;
    }
  };
  const job = await createJob({ kind: 'sight', map, inputs });
  const chunk = chunkOf(job, 0);
  const absent = createBakePool({ threads: 1, worker: '/absent.js' });
  // While the other pool answers: it is started again and again.
  const lost = absent.open(job, { map, inputs }).then((executor) => errorOf(executor.run(chunk)));
  const pool = createBakePool({ threads: 2 });
  const files: Record<string, number[]> = {};
  for (const [kind, parts] of Object.entries(PARTS)) {
    const job = await createJob({ kind, map, inputs, ...parts });
    const store = memoryStore();
    await bake(job, { inputs, store, executor: await pool.open(job, { map, inputs }) });
    files[kind] = [...store.bytes()];
  }
  let answered = 0;
  const jobs = await Promise.all(
    Array.from({ length: 7 }, (_, eye) => createJob({ kind: 'exposure', map, inputs, parameters: { eye } })),
  );
  const executors = await Promise.all(jobs.map((job) => pool.open(job, { map, inputs })));
  for (const k of [...jobs.keys(), ...jobs.keys()]) {
    const answer = await executors[k]!.run(chunkOf(jobs[k]!, 0));
    if (answer.length > 0) answered++;
  }
  const executor = await pool.open(job, { map, inputs });
  const signal = (globalThis as unknown as { AbortSignal: { abort(): AbortSignal } }).AbortSignal.abort();
  const errors = [await lost, await errorOf(executor.run(chunk, signal))];
  // A worker that was ended is replaced.
  errors.push(await errorOf(executor.run(chunk)));
  await pool.close();
  errors.push(await errorOf(executor.run(chunk)));
  return { isIsolated: isIsolated ?? false, isShared: pool.shared, files, answered, errors };
}
