import { createTraceBatch, openBsp } from 'bspkit';
import { createTracePool } from 'bspkit/pool';

// A page that asks a pool and a world of its own the same questions. It is bundled and run in a browser.

/** The page's results. */
export interface PageReport {
  readonly isIsolated: boolean;
  readonly isShared: boolean;
  /** Whether every bit was the same: in shared memory where that is possible, and in copies. */
  readonly same: readonly boolean[];
  readonly traced: number;
  /** Name and code of the errors for a pool that must share, a worker that does not exist, a file that is not a map, a signal. */
  readonly errors: readonly string[];
  /** What errors say about scripts that are not workers of the pool, by the scripts' names. */
  readonly strangers: Readonly<Record<string, string>>;
  /** How many segments are answered by a worker that waits for something before it serves. */
  readonly late: number;
}

const FIELDS = ['fraction', 'endPos', 'normal', 'dist', 'contents', 'brush', 'startSolid'] as const;

export async function report(): Promise<PageReport> {
  const { crossOriginIsolated: isIsolated } = globalThis as { crossOriginIsolated?: boolean };
  const fetched = await (globalThis as unknown as { fetch(url: string): Promise<Response> }).fetch(
    '/arena.bsp',
  );
  const world = await openBsp(await fetched.arrayBuffer());
  const nameOf = ({ name, code }: { name: string; code?: unknown }): string => `${name} ${code}`;
  const errorOf = async (work: () => unknown): Promise<string> => {
    try {
      await work();
      return 'none';
    } catch (error) {
      return nameOf(error as Error);
    }
  };
  // While the pool answers: one of them is waited for, and one is started again and again.
  const strangers: Record<string, string> = {};
  const meet = async (worker: string): Promise<void> => {
    // Only the one that says nothing is waited for so briefly: on a busy machine the others may take longer to say something.
    const startLimit = worker === '/silent.js' ? 1 : undefined;
    const stranger = createTracePool({ threads: 2, worker, startLimit });
    await stranger.open(world).catch(({ message }: Error) => {
      strangers[worker] = message;
    });
    await stranger.close();
  };
  const met = Promise.all(['/ready.js', '/silent.js', '/page.html'].map(meet));
  const absent = errorOf(() => createTracePool({ threads: 1, worker: '/absent.js' }).open(world));
  const pool = createTracePool({ threads: 2 });
  const handle = await pool.open(world);
  const count = 5000;
  const { mins, maxs } = world.bounds;
  let seed = 3;
  const values = Float32Array.from({ length: 6 * count }, (_, i) => {
    seed = (seed * 16_807) % 0x7fffffff;
    return mins[i % 3]! + (seed / 0x7fffffff) * (maxs[i % 3]! - mins[i % 3]!);
  });
  const wanted = world.ray().traceBatch(values);
  const tests = world.ray().blockedBatch(values);
  const tracer = { kind: 'ray' };
  const same: boolean[] = [];
  for (const shared of pool.shared ? [true, false] : [false]) {
    const segments = shared ? new Float32Array(new SharedArrayBuffer(24 * count)) : values;
    segments.set(values);
    const out = createTraceBatch(count, { fields: FIELDS, shared });
    await pool.traceBatch({ world: handle, tracer, segments, out });
    for (const field of FIELDS) {
      const bits = (array: Float32Array | Int32Array | Uint8Array): string =>
        new Uint8Array(array.buffer, array.byteOffset, array.byteLength).join(' ');
      same.push(bits(out[field]) === bits(wanted[field]));
    }
    const found = await pool.blockedBatch({ world: handle, tracer, segments });
    same.push(found.join() === tests.join() && found.includes(1) && found.includes(0));
  }
  const signal = (globalThis as unknown as { AbortSignal: { abort(): AbortSignal } }).AbortSignal.abort();
  const errors = [
    await errorOf(() => createTracePool({ shared: true })),
    await absent,
    await errorOf(() => pool.open({ format: world.format, data: new ArrayBuffer(64) })),
    await errorOf(() => pool.traceBatch({ world: handle, tracer, segments: values, signal })),
  ];
  const lateOne = createTracePool({ threads: 1, worker: '/late.js' });
  const late = (await lateOne.traceBatch({ world: await lateOne.open(world), tracer, segments: values }))
    .count;
  await Promise.all([pool.close(), lateOne.close(), met]);
  return {
    isIsolated: isIsolated ?? false,
    isShared: pool.shared,
    same,
    traced: wanted.count,
    errors,
    strangers,
    late,
  };
}
