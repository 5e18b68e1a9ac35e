import {
  type BspWorld,
  type Bytes,
  checkSegments,
  checkTests,
  createTraceBatch,
  type KernelChoice,
  type TraceBatch,
} from '@bspkit/core';
import {
  type BspFormatEntry,
  checkApart,
  checkBuffer,
  checkChoice,
  checkFlag,
  checkKind,
  checkObject,
  checkOptions,
  checkText,
  held,
  isErrorOf,
  plainOf,
  printAsString,
  type TracerPreset,
  type TracerValues,
} from '@bspkit/core/format';
import {
  checkSignal,
  checkWorkers,
  Link,
  type LinkErrors,
  onAbort,
  type Platform,
  shareBytes,
  type WorkerSource,
} from '@bspkit/workers';
import { checkFormats } from '../find.ts';
import { FORMATS } from '../formats.ts';
import { openBsp } from '../open.ts';
import { copy, type PoolLink, type Stop, share } from './batches.ts';
import { TracePoolError } from './error.ts';
import { type Answers, type OpenRequest, type Request, SERVES, type TracerDescription } from './messages.ts';
import type { PooledWorld, PoolQuery, TracePool, TracePoolOptions } from './types.ts';

/** A world of a pool, as it is described to its workers. */
interface OpenWorld {
  readonly request: OpenRequest;
  /** Batches under way. */
  running: number;
  isClosed: boolean;
}

const OPTIONS: readonly string[] = [
  'threads',
  'shared',
  'worker',
  'startLimit',
  'kernel',
  'formats',
] satisfies (keyof TracePoolOptions)[];

/**
 * How long workers may take to finish what they are at when the pool is closed, in milliseconds: far longer than for a chunk. One
 * that hangs is ended all the same.
 */
const REST = 1000;

/** The parts of timers that browsers and Node share. */
declare function setTimeout(work: () => void, milliseconds: number): object;
declare function clearTimeout(timer: object | undefined): void;

/** What errors call a world of a pool. */
const OWN = 'one that this pool has opened and not closed';

/** Makes a pool on a platform. */
export function createPool(platform: Platform, options: TracePoolOptions = {}): TracePool {
  checkOptions(options, OPTIONS);
  const { threads, source } = checkWorkers(platform, options);
  const { shared = platform.shares, kernel = 'auto', formats = FORMATS } = options;
  checkFlag(shared, 'shared');
  checkChoice(kernel, 'kernel', ['auto', 'wasm', 'js'] satisfies KernelChoice[]);
  checkFormats(formats);
  if (shared && !platform.shares) {
    const problem =
      'shared must be false: memory cannot be shared here, as this page is not cross-origin isolated';
    throw new TracePoolError('isolation', problem);
  }
  return new WorkerPool(source, threads, shared, kernel, formats);
}

const ERRORS: LinkErrors = {
  serves: SERVES,
  ended: (what, cause) => new TracePoolError('worker', `a worker of the pool has ended: ${what}`, { cause }),
  // All else that is sent is our own.
  notPlain: (what) => new TypeError(`tracer must be plain data: ${what}`),
};

class WorkerPool implements TracePool {
  readonly threads: number;
  readonly shared: boolean;
  private readonly _source: WorkerSource;
  private readonly _kernel: KernelChoice;
  private readonly _formats: readonly BspFormatEntry[];
  private readonly _links: PoolLink[] = [];
  /** What workers that start later need to be told, by the world's handle. */
  private readonly _worlds = new Map<PooledWorld, OpenWorld>();
  /** Batches under way, by what stops them with an error: they end once nothing is written any more. */
  private readonly _batches = new Map<Stop, Promise<void>>();
  private _lastWorld = 0;
  private _isClosed = false;

  constructor(
    source: WorkerSource,
    threads: number,
    shared: boolean,
    kernel: KernelChoice,
    formats: readonly BspFormatEntry[],
  ) {
    this.threads = threads;
    this.shared = shared;
    this._source = source;
    this._kernel = kernel;
    this._formats = formats;
    printAsString(this);
  }

  async open(world: Pick<BspWorld, 'format' | 'data'> | PooledWorld | Bytes): Promise<PooledWorld> {
    this._checkOpen();
    if (this._worlds.has(world as PooledWorld)) return world as PooledWorld;
    const isWorld = typeof (world as BspWorld)?.format === 'string';
    checkKind(!isWorld || (world as BspWorld).data !== undefined, world, 'world', `a world, or ${OWN}`);
    const { format, data } = isWorld
      ? (world as BspWorld)
      : await openBsp(world as Bytes, { formats: this._formats, shared: this.shared });
    this._checkOpen();
    const number = ++this._lastWorld;
    const request: OpenRequest = {
      ask: 'open',
      world: number,
      format,
      data: this._handOver(data),
      kernel: this._kernel,
    };
    const opened: OpenWorld = { request, running: 0, isClosed: false };
    const links = this._awake();
    // Frozen, since Vue and the like leave such objects alone: their wrapper would be another object, which is not on the list.
    const handle: PooledWorld = Object.freeze({
      format,
      close: () => {
        if (!this._worlds.delete(handle)) return;
        opened.isClosed = true;
        this._forget(opened);
      },
    });
    this._worlds.set(handle, opened);
    try {
      await allOf(links.map((link) => link.ask(request)));
    } catch (error) {
      handle.close();
      // It may have been transferred while the workers started.
      checkBuffer(request.data);
      throw error;
    }
    return handle;
  }

  traceBatch(query: PoolQuery): Promise<TraceBatch>;
  traceBatch<B extends TraceBatch<never>>(query: PoolQuery & { readonly out: B }): Promise<B>;
  async traceBatch(asked: PoolQuery & { readonly out?: TraceBatch<never> }): Promise<TraceBatch<never>> {
    checkObject(asked, 'query');
    const { out: given, segments } = asked;
    const count = checkSegments(segments, given, false);
    const out = given ?? createTraceBatch(count, { shared: this._sees(segments) });
    const arrays: Record<string, unknown> = {};
    // Workers know which of these their tracer writes; and they would take `tests` to ask for something else.
    for (const field in out) {
      const array = out[field as never] as Float32Array | undefined;
      if (!array?.subarray || field === 'tests') continue;
      checkApart(array, segments);
      arrays[field] = array;
    }
    await this._run(asked, segments, arrays, (all) => checkSegments(all, out));
    return out;
  }

  async blockedBatch(asked: PoolQuery & { readonly out?: Uint8Array | undefined }): Promise<Uint8Array> {
    checkObject(asked, 'query');
    const { out: given, segments } = asked;
    const count = checkTests(segments, given, false);
    const room = this._sees(segments) ? new SharedArrayBuffer(count) : new ArrayBuffer(count);
    const out = given ?? new Uint8Array(room);
    await this._run(asked, segments, { tests: out }, (all) => checkTests(all, out));
    return out;
  }

  async close(): Promise<void> {
    this._isClosed = true;
    this._worlds.clear();
    const error = new TracePoolError('closed', 'the pool has been closed');
    await this._rest(error);
    await Promise.all(this._links.map((link) => link.close(error)));
  }

  /** Stops all batches, and waits for them. Chromium lets a worker that is ended finish its task, which may write answers in place. */
  private async _rest(error: Error): Promise<void> {
    if (this._batches.size === 0) return;
    const ended = Promise.allSettled(this._batches.values());
    for (const stop of [...this._batches.keys()]) stop(error);
    let clock: object | undefined;
    const late = new Promise<void>((resolve) => {
      clock = setTimeout(resolve, REST);
    });
    await Promise.race([ended, late]);
    clearTimeout(clock);
  }

  private _checkOpen(): void {
    if (this._isClosed) throw new TracePoolError('closed', 'the pool has been closed');
  }

  /** All workers; those that have not been started yet, or have ended, are started and told what is open. */
  private _awake(): readonly PoolLink[] {
    for (let k = 0; k < this.threads; k++) {
      if (this._links[k]?.isDead === false) continue;
      const link = new Link<Request, Answers>(this._source, ERRORS);
      this._links[k] = link;
      // What makes workers may have closed the pool meanwhile.
      if (this._isClosed) void this.close();
      this._checkOpen();
      // The result shows when the world is traced.
      for (const { request } of this._worlds.values()) void link.ask(request).catch(() => {});
    }
    return this._links;
  }

  /** Has the workers forget a world that has been closed, unless they are still using it. */
  private _forget({ request: { world }, running, isClosed }: OpenWorld): void {
    if (!isClosed || running > 0) return;
    for (const link of this._links) void link.ask({ ask: 'forget', world }).catch(() => {});
  }

  /** Whether workers can see an array's memory. */
  private _sees({ buffer }: ArrayBufferView): boolean {
    return this.shared && buffer instanceof SharedArrayBuffer;
  }

  /** A world's data in memory that workers can see, if there is any. */
  private _handOver(data: ArrayBufferLike): ArrayBufferLike {
    checkBuffer(data);
    held({ ints: { length: data.byteLength } });
    return this.shared ? shareBytes(new Uint8Array(data)).buffer : data;
  }

  /** Runs a batch. `check` throws what is wrong with the segments, if anything is. */
  private async _run(
    query: PoolQuery,
    given: Float32Array,
    answers: Answers,
    check: (segments: Float32Array) => void,
  ): Promise<void> {
    const { world, tracer, signal } = query;
    let segments = given;
    this._checkOpen();
    checkOptions(query, ['world', 'tracer', 'segments', 'out', 'signal'], 'query');
    const opened = this._worlds.get(world)!;
    checkKind(opened !== undefined, world, 'world', OWN);
    checkObject(tracer, 'tracer');
    if ('trace' in tracer) throw ERRORS.notPlain("workers make a tracer of it, as of { kind: 'ray' }");
    checkOptions(tracer, DESCRIBED, 'tracer');
    const { kind, size, options } = tracer;
    checkText(kind, 'tracer.kind');
    checkKind(size === undefined || isNumbers(size), size, 'tracer.size', 'an array of numbers');
    checkSignal(signal);
    // A copy: workers are asked bit by bit, and the caller may describe the next tracer in the same arrays meanwhile.
    const description = {
      kind,
      size: size && Array.from(size),
      options: options && copyValues(options),
    };
    const inPlace = [segments, ...Object.values(answers)].every((array) => this._sees(array));
    if (signal?.aborted) throw signal.reason;
    const work = inPlace ? share : copy;
    opened.running++;
    try {
      // Without a length of its own, an array whose buffer shrinks meanwhile would look complete as soon as that much is answered.
      // Not `subarray`, which asks a subclass for its own kind of array, however that is made.
      segments = new Float32Array(segments.buffer, segments.byteOffset, segments.length);
      const request = { world: opened.request.world, tracer: description, segments };
      const links = this._awake();
      // What makes workers may have stopped it.
      if (signal?.aborted) throw signal.reason;
      const batch = work(links, request, answers);
      const leave = onAbort(signal, () => batch.stop(signal?.reason));
      this._batches.set(batch.stop, batch.ended);
      try {
        await batch.ended;
      } finally {
        leave();
        this._batches.delete(batch.stop);
      }
    } catch (error) {
      // A worker only knows its part; here it can be said which coordinate of all is wrong, and what was taken away meanwhile.
      if (isErrorOf(error, RangeError) || isErrorOf(error, TypeError)) check(segments);
      throw error;
    } finally {
      opened.running--;
      this._forget(opened);
    }
  }

  /** @internal */
  toString(): string {
    return `TracePool { threads: ${this.threads} }`;
  }
}

/**
 * A copy of options. Throws `TypeError` for values that no option can have, by a name that workers do not see: they get copies,
 * and keep tracers by the text of their descriptions.
 */
function copyValues(options: TracerValues): TracerValues {
  checkObject(options, 'tracer.options');
  const copies = Object.entries(plainOf(options)).map(([name, value]) => {
    const isPlain = value === undefined || ['number', 'string', 'boolean'].includes(typeof value);
    const isList = isNumbers(value);
    checkKind(isPlain || isList, value, `tracer.options.${name}`, 'a number, text, true, false or numbers');
    return [name, isList ? Array.from(value) : value];
  });
  return Object.fromEntries(copies);
}

/** Whether something is an array of numbers. An object that merely has a `length` may claim any length. */
function isNumbers(value: unknown): value is ArrayLike<number> {
  const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value);
  return isList && Array.from(value as ArrayLike<unknown>).every((part) => typeof part === 'number');
}

/** The parts of a tracer's description, and what presets have besides. */
const DESCRIBED: readonly string[] = [
  'kind',
  'size',
  'options',
  'name',
  'role',
  'measured',
  'suits',
] satisfies (keyof TracerDescription | keyof TracerPreset<never>)[];

/** Waits until all have settled, then throws the first error. */
async function allOf(asked: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(asked)) {
    if (result.status === 'rejected') throw result.reason;
  }
}
