/** How chunks are handed out. */
export interface SchedulerOptions {
  /** Number of chunks; `Infinity` while it is not known: then {@link Scheduler.end} says when it is. */
  readonly chunks: number;
  /**
   * How far ahead of the first unsettled chunk others are begun: `Infinity` by default. A caller that must put answers in order
   * holds no more than this many.
   */
  readonly window?: number | undefined;
  /** How often a chunk is tried again after it has failed: 3 by default. */
  readonly retries?: number | undefined;
  /** Whether a chunk is done already, as those of a file that is resumed. */
  readonly isDone?: ((chunk: number) => boolean) | undefined;
}

/** A chunk that failed however often it was tried. */
export interface FailedChunk {
  readonly chunk: number;
  /** How often it was tried. */
  readonly attempts: number;
  /** What the last attempt threw. */
  readonly reason: unknown;
}

/**
 * Which chunks are to be done, are being done, and have been done: a state machine without timers, input or output, so that
 * threads, a queue of many machines and a simulation of both follow the same rules.
 *
 * A chunk is handed out at least once, and settled once: answers that come twice are recognised by {@link Scheduler.succeed}.
 * Chunks that failed are handed out again before new ones, up to a number of times, and then do not hold up the rest. `next`,
 * `succeed` and `fail` take constant time on average, whatever the number of chunks.
 */
export class Scheduler {
  readonly window: number;
  readonly retries: number;
  private _chunks: number;
  private readonly _isDone: (chunk: number) => boolean;
  /** The lowest chunk that was never handed out. */
  private _fresh = 0;
  /** The lowest chunk that is not settled. */
  private _low = 0;
  /** Chunks from `_low` on that are settled. */
  private readonly _settled = new Set<number>();
  /** Attempts of chunks that are being done or tried again. */
  private readonly _attempts = new Map<number, number>();
  private readonly _running = new Set<number>();
  private readonly _again: number[] = [];
  private readonly _failed: FailedChunk[] = [];
  private _done = 0;
  private _skipped = 0;
  private _isStopped = false;

  constructor({ chunks, window = Infinity, retries = 3, isDone = () => false }: SchedulerOptions) {
    this._chunks = chunks;
    this.window = window;
    this.retries = retries;
    this._isDone = isDone;
    if (chunks !== Infinity)
      for (let chunk = 0; chunk < chunks; chunk++) this._skipped += isDone(chunk) ? 1 : 0;
    this._skip();
  }

  /** Number of chunks; `Infinity` while it is not known. */
  get chunks(): number {
    return this._chunks;
  }

  /** Chunks that are done, including those from before. */
  get done(): number {
    return this._done + this._skipped;
  }

  /** Chunks that were done in this run. */
  get doneNow(): number {
    return this._done;
  }

  /** Chunks that have been handed out and are not settled. */
  get outstanding(): number {
    return this._running.size;
  }

  /** Chunks that failed for good, in the order in which they did. */
  get failed(): readonly FailedChunk[] {
    return this._failed;
  }

  /** The lowest chunk that is neither done nor failed for good: all below may be written in order. */
  get low(): number {
    return this._low;
  }

  /** Whether every chunk is done or has failed for good. */
  get isOver(): boolean {
    return this._low >= this._chunks;
  }

  /** Says that there is no chunk of this number, which was just handed out, nor any after it: a stream has ended. */
  end(chunk: number): void {
    this._attempts.delete(chunk);
    this._running.delete(chunk);
    this._chunks = chunk;
  }

  /** Hands out nothing more, not even what fails from now on: what is being done now will be all. */
  stop(): void {
    this._isStopped = true;
    this._chunks = Math.min(this._chunks, this._fresh);
    for (const chunk of this._again.splice(0)) this._settle(chunk);
  }

  /** The next chunk that has failed and is to be tried again; `undefined` if there is none. */
  again(): number | undefined {
    const chunk = this._again.shift();
    if (chunk !== undefined) this._running.add(chunk);
    return chunk;
  }

  /** The next chunk to be begun; `undefined` if there is none for now: all have been begun, or the window is full. */
  next(): number | undefined {
    const again = this.again();
    if (again !== undefined) return again;
    if (this._fresh >= this._chunks || this._fresh >= this._low + this.window) return undefined;
    const chunk = this._fresh++;
    this._attempts.set(chunk, 0);
    this._running.add(chunk);
    this._skip();
    return chunk;
  }

  /** Notes that a chunk has been answered. Returns false if it was settled before: the answer is a second one. */
  succeed(chunk: number): boolean {
    if (!this._isOpen(chunk)) return false;
    this._settle(chunk);
    this._done++;
    return true;
  }

  /**
   * Notes that an attempt at a chunk has failed: it threw, or whoever had it died. Returns `again` if it will be handed out
   * again, `failed` if it has failed for good, and `late` if it was settled before or will be handed out anyway.
   *
   * @param final - no other attempt can succeed: what was asked cannot be answered.
   */
  fail(chunk: number, reason: unknown, final = false): 'again' | 'failed' | 'late' {
    if (!this._isOpen(chunk) || !this._running.has(chunk)) return 'late';
    this._running.delete(chunk);
    const attempts = this._attempts.get(chunk)! + 1;
    if (!final && !this._isStopped && attempts <= this.retries) {
      this._attempts.set(chunk, attempts);
      this._again.push(chunk);
      return 'again';
    }
    this._failed.push({ chunk, attempts, reason });
    this._settle(chunk);
    return 'failed';
  }

  /** Whether a chunk has been handed out, and is not settled. */
  private _isOpen(chunk: number): boolean {
    return this._attempts.has(chunk);
  }

  private _settle(chunk: number): void {
    this._attempts.delete(chunk);
    this._running.delete(chunk);
    const again = this._again.indexOf(chunk);
    if (again >= 0) this._again.splice(again, 1);
    this._settled.add(chunk);
    this._rise();
  }

  /** Moves past the chunks that are done already. */
  private _skip(): void {
    while (this._fresh < this._chunks && this._isDone(this._fresh)) {
      this._settled.add(this._fresh++);
    }
    this._rise();
  }

  private _rise(): void {
    while (this._settled.delete(this._low)) this._low++;
  }
}
