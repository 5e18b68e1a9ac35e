import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { CHUNK_SECONDS, crewKey, MOST_WORKERS, readThreads, WORKERS, workerKey } from './protocol.ts';

// Which workers there are. Each keeps a lease in the store, which ends when it has been silent for too long: that a connection
// stands says nothing about who is at its other end, and not everybody may ask a Redis for its connections.

/** The fewest seconds of a lease, and how long workers may take to come back: one that is late for a moment has not gone. */
const LEAST_SECONDS = 5;

/** A queue that takes longer to answer was away. */
const LATE_MS = 2000;

/** How long a coordinator's mark stays in the store after the last count. */
const MARK_SECONDS = 60;

/** A worker's lease, as long as it goes on. */
export class Presence {
  private readonly _redis: Redis;
  private readonly _id: string;
  private readonly _threads: number;
  private readonly _lock: number;
  private readonly _seconds: number;
  private readonly _refused: (error: Error) => void;
  private _timer: ReturnType<typeof setInterval> | undefined;
  private _renewal: Promise<void> | undefined;
  private _isRefused = false;

  /**
   * @param lock - the seconds of silence after which others get the worker's chunks.
   * @param refused - called when the store begins to refuse the lease.
   */
  constructor(redis: Redis, id: string, threads: number, lock: number, refused: (error: Error) => void) {
    this._refused = refused;
    this._redis = redis;
    this._id = id;
    this._threads = threads;
    this._lock = lock;
    this._seconds = Math.max(lock, LEAST_SECONDS);
  }

  /** Begins the lease, and renews it whenever half of the lock is over, or half of the shortest lease. */
  async begin(): Promise<void> {
    // The store may have forgotten everything while it was gone, or may do so at any time: however long the lock is, coordinators
    // wait for the shortest lease.
    this._redis.on('ready', this._renew);
    this._timer = setInterval(this._renew, 500 * Math.min(this._lock, LEAST_SECONDS));
    await this._renew();
  }

  /** Ends the lease: nobody needs to wait until it has run out. */
  async end(): Promise<void> {
    this.stop();
    await this._renewal;
    const ending = this._redis.pipeline().srem(WORKERS, this._id).unlink(workerKey(this._id)).exec();
    await ending.catch(() => {});
  }

  /** Renews it no longer. */
  stop(): void {
    this._redis.off('ready', this._renew);
    clearInterval(this._timer);
  }

  private readonly _renew = (): Promise<void> => {
    this._renewal = this._keep();
    return this._renewal;
  };

  private async _keep(): Promise<void> {
    const key = workerKey(this._id);
    try {
      // The lease comes first: coordinators take ids without one out of the set. Only a new one is stored: a Redis that is full
      // stores nothing, but renews what it has.
      const isThere = await this._redis.expire(key, this._seconds);
      if (isThere !== 1) await this._redis.set(key, this._threads, 'EX', this._seconds);
      const results = await this._redis
        .pipeline()
        .sadd(WORKERS, this._id)
        .expire(WORKERS, CHUNK_SECONDS)
        .exec();
      for (const [error] of results!) if (error) throw error;
      this._isRefused = false;
    } catch (error) {
      if (!this._isRefused) this._refused(error as Error);
      this._isRefused = true;
    }
  }
}

/** The workers at a queue that have been heard of lately, for a coordinator. */
export class Crew {
  private readonly _redis: Redis;
  private readonly _shown: string;
  private readonly _note: (text: string) => void;
  /** What it leaves in the store, and nobody else writes: once it is missing, the store has forgotten everything. */
  private readonly _mark: string = crewKey(randomUUID());
  /** Threads of each, by its id; `undefined` before they have been counted. */
  private _workers: ReadonlyMap<string, number> | undefined;
  /** Those that lack something that the job needs, and what each lacks. */
  private readonly _lacking = new Map<string, Error>();
  /** When the queue last came back. */
  private _back = -Infinity;
  /** The most that there have been. */
  private _most = 0;

  /**
   * @param shown - the queue's address.
   * @param note - called when workers have gone and when they are back, and when the first come.
   */
  constructor(redis: Redis, shown: string, note: (text: string) => void) {
    this._redis = redis;
    this._shown = shown;
    this._note = note;
    redis.on('ready', () => {
      this._back = performance.now();
    });
  }

  /** Threads of all that may be able to answer the job. */
  get threads(): number {
    let threads = 0;
    for (const [id, count] of this._workers ?? []) threads += this._lacking.has(id) ? 0 : count;
    return threads;
  }

  /** Notes that a worker lacks something that the job needs, such as its kind. */
  lacks(id: string, error: Error): void {
    this._lacking.set(id, error);
  }

  /** Notes that a worker has answered: what it lacked, such as a map, is there by now. */
  lacksNothing(id: string | undefined): void {
    if (id !== undefined) this._lacking.delete(id);
  }

  /**
   * Counts them, unless the queue has just come back: then they may still be on their way. Resolves with what they lack if there
   * are some, and none of them can answer the job: then forgets that.
   */
  async count(): Promise<Error | undefined> {
    const workers = await this._find();
    if (!workers) this._back = performance.now();
    // Asked afterwards: a question from before the queue was gone is answered when it is back.
    if (!workers || performance.now() - this._back < 1000 * LEAST_SECONDS) return undefined;
    const before = this._workers?.size;
    this._workers = workers;
    this._tell(before, workers.size);
    for (const id of this._lacking.keys()) if (!workers.has(id)) this._lacking.delete(id);
    const [error] = this._lacking.values();
    if (!error || workers.size > this._lacking.size) return undefined;
    this._lacking.clear();
    return error;
  }

  private _tell(before: number | undefined, now: number): void {
    const workers = now === 1 ? '1 worker is' : `${now} workers are`;
    const known = before ?? now;
    const gone = known - now;
    if (now === 0 && before !== 0)
      this._note(`no worker is at ${this._shown}; start some: bspkit worker --queue ${this._shown}`);
    else if (gone > 0)
      this._note(
        `${workers} left at ${this._shown}; ${gone} ${gone === 1 ? 'has' : 'have'} gone or fallen silent`,
      );
    else if (gone < 0 && (known === 0 || known < this._most))
      this._note(`${workers} at ${this._shown}${this._most > 0 ? ' again' : ''}`);
    this._most = Math.max(this._most, known);
  }

  /**
   * The threads of each worker that has been heard of lately, by its id; `undefined` if the queue was away meanwhile, though its
   * connection stood, or has forgotten everything, since its workers may still be on their way back.
   */
  private async _find(): Promise<ReadonlyMap<string, number> | undefined> {
    const asked = performance.now();
    // All of them, but never more than that, whoever has written there.
    const ids = await this._redis.srandmember(WORKERS, MOST_WORKERS);
    const leases = ids.length > 0 ? await this._redis.mget(ids.map(workerKey)) : [];
    // Asked last: if it has forgotten nothing until now, it had not when it was asked for them.
    const remembers = await this._isMarked();
    if (!remembers || performance.now() - asked > LATE_MS) return undefined;
    const ended = ids.filter((_, k) => leases[k] === null);
    if (ended.length > 0) await this._redis.srem(WORKERS, ...ended);
    return new Map(
      ids.flatMap((id, k) => {
        const threads = readThreads(leases[k] ?? '');
        return threads === undefined ? [] : [[id, threads]];
      }),
    );
  }

  /** Whether the mark is where it was left, if it was left at all. Leaves it where it is not. */
  private async _isMarked(): Promise<boolean> {
    if ((await this._redis.expire(this._mark, MARK_SECONDS)) === 1) return true;
    await this._redis.set(this._mark, 1, 'EX', MARK_SECONDS);
    return this._workers === undefined;
  }
}
