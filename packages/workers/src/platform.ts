import { checkKind, checkWhole } from '@bspkit/core/format';
import type { StartWorker, WorkerSource } from './link.ts';

/** Where a worker's file is: an address, an object like `URL`, or a browser's `TrustedScriptURL`. */
export type WorkerFile = Exclude<OwnWorker, () => WorkerLike>;

/** A worker of the platform's own class: `Worker` in pages, that of `node:worker_threads` in Node. */
export interface WorkerLike {
  /** Sends it what it is asked. */
  postMessage(message: unknown): unknown;
  /** Ends it. */
  terminate(): unknown;
}

/** What a user passes in place of a pool's own worker: the address of its file, or a function that makes one each time. */
export type OwnWorker =
  | string
  | { readonly href: string }
  | { readonly toJSON: () => string }
  | (() => WorkerLike);

/** What a platform provides. */
export interface Platform {
  /** Threads that the machine runs at once. */
  readonly cores: number;
  /** Whether memory can be shared between threads. */
  readonly shares: boolean;
  /** What the pool's own worker is called in errors. */
  readonly ownScript: string;
  /** How workers are started: a user's, or the pool's own. */
  start(own: OwnWorker | undefined): StartWorker;
}

/** Options of all pools. */
export interface WorkerOptions {
  readonly threads?: number | undefined;
  readonly worker?: OwnWorker | undefined;
  readonly startLimit?: number | undefined;
}

/** What to do if a pool's own worker does not exist. */
export const LEFT_OUT = 'if your bundler left it out, see the option `worker` of pools';

/** Seconds that workers may take to start: far more than they need on busy machines. */
const START_LIMIT = 30;
const MOST_SECONDS = 86_400;

/** The most workers of a pool. */
export const MOST_THREADS = 256;

/** How many workers a pool has, and how they are started. Throws `RangeError` and `TypeError` for invalid options. */
export function checkWorkers(
  platform: Platform,
  { threads = Math.min(platform.cores, MOST_THREADS), worker, startLimit = START_LIMIT }: WorkerOptions,
): { readonly threads: number; readonly source: WorkerSource } {
  checkWhole(threads, 'threads', 1, MOST_THREADS);
  checkWhole(startLimit, 'startLimit', 1, MOST_SECONDS);
  const address = worker === undefined ? platform.ownScript : nameOf(worker);
  checkKind(
    address !== undefined,
    worker,
    'worker',
    'the address of a file, or a function that makes a Worker',
  );
  // An address may contain the script itself.
  const script = address!.length > 500 ? `${address!.slice(0, 500)}…` : address!;
  return { threads, source: { start: platform.start(worker), script, startLimit } };
}

const nameOf = (worker: OwnWorker): string | undefined =>
  typeof worker === 'function' ? 'what the option `worker` makes' : addressOf(worker);

/** Workers that users have made: each belongs to a pool. */
const made: WeakSet<object> = /* @__PURE__ */ new WeakSet();

/** Makes a worker with a user's function. Throws `TypeError` if that returns none with some methods of the platform's. */
export function makeOwn<W>(make: () => WorkerLike, ...methods: (keyof W & string)[]): W {
  const worker = make() as unknown as (W & object) | undefined;
  checkKind(
    methods.every((method) => typeof worker?.[method] === 'function'),
    worker,
    'what worker() returns',
    "a Worker of the pool's own platform",
  );
  // If two pools used the same one, each would take the other's answers.
  if (made.has(worker!)) throw new TypeError('worker() must make a new Worker each time');
  made.add(worker!);
  return worker!;
}

/** The text of an address; `undefined` if it is not one. */
export function addressOf(worker: WorkerFile): string | undefined {
  if (typeof worker === 'string') return worker;
  const { href, toJSON } = (worker ?? {}) as { readonly href?: unknown; readonly toJSON?: unknown };
  if (typeof href === 'string') return href;
  // A TrustedScriptURL shows nothing but its text.
  const text = typeof toJSON === 'function' ? toJSON.call(worker) : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** The same bytes in memory that workers see without a copy. */
export function shareBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes;
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
