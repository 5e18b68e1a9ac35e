import { reasonOf } from '@bspkit/core/format';
import { FORMATS } from 'bspkit';
import type { Redis } from 'ioredis';
import { BakeError, isLacking } from '../error.ts';
import type { BakeExecutor } from '../executor.ts';
import { type BakeJob, eachInput } from '../job.ts';
import type { BakeSource } from '../kind.ts';
import { dropOldest } from '../pool/messages.ts';
import type { BakePool } from '../pool/node/index.ts';
import { formatIdOf, kindOf, loadTiles } from '../run.ts';
import { NO_BYTES } from '../sha256.ts';
import type { FindMap } from './own-maps.ts';
import { bytesKey, MOST_JOB, readJob } from './protocol.ts';
import { ByteStore, readStored } from './store.ts';

/** Milliseconds after which bytes are looked for again that the queue cannot have. */
const LOOK_AGAIN_MS = 5000;

/** A job of a bake for which this worker can answer chunks. */
interface OpenedJob {
  readonly job: BakeJob;
  readonly executor: BakeExecutor;
}

/** The jobs of bakes whose chunks have come to a worker: those that it has opened, and why it cannot answer others. */
export class OpenedJobs {
  private readonly _redis: Redis;
  private readonly _store: ByteStore;
  private readonly _pool: BakePool;
  private readonly _kinds: BakeSource['kinds'];
  private readonly _formats: BakeSource['formats'];
  private readonly _note: (text: string) => void;
  /** By their ids, least recently used first. */
  private readonly _jobs = new Map<string, Promise<OpenedJob>>();
  /** Why jobs cannot be answered here: each reason has been reported once, and holds for all of a job's chunks. */
  private readonly _told = new WeakSet<object>();
  /** Jobs for which something is lacking here, as has been reported. */
  private readonly _lacks = new Set<string>();

  /**
   * @param findMap - looks for a map before the queue's store is asked.
   * @param note - called with the jobs that it begins, and with those that cannot be answered here.
   */
  constructor(
    redis: Redis,
    pool: BakePool,
    findMap: FindMap | undefined,
    { kinds, formats }: Pick<BakeSource, 'kinds' | 'formats'>,
    note: (text: string) => void,
  ) {
    this._redis = redis;
    this._store = new ByteStore(redis, findMap, note);
    this._pool = pool;
    this._kinds = kinds;
    this._formats = formats;
    this._note = note;
  }

  /** The job with an id. Rejects if it cannot be answered here; where trying again would not help, with the same error again. */
  of(id: string): Promise<OpenedJob> {
    const known = this._jobs.get(id);
    const job = known ?? this._open(id);
    // Now it is the most recently used one.
    this._jobs.delete(id);
    this._jobs.set(id, job);
    if (!known) job.catch((error: unknown) => this._failOpening(id, job, error));
    dropOldest(this._jobs);
    return job;
  }

  /** Notes that a chunk of a job could not be answered, since something that it needs is lacking here. */
  lacks(id: string, error: BakeError): void {
    this._tellLack(id, error);
    if (error.code !== 'kind' && error.code !== 'format') return;
    // If the threads do not know it, they will not know it for any chunk of the job.
    const unknown = Promise.reject(error);
    unknown.catch(() => {});
    this._jobs.set(id, unknown);
  }

  /** Whether an error that failed a chunk has been reported already, as the reason why its job cannot be answered. */
  isTold(error: object): boolean {
    return this._told.has(error);
  }

  /** A job could not be opened. Where trying again would not help, that is remembered for its other chunks. */
  private _failOpening(id: string, job: Promise<OpenedJob>, error: unknown): void {
    const forget = (): void => {
      if (this._jobs.get(id) === job) this._jobs.delete(id);
    };
    if (isLacking(error)) {
      this._tellLack(id, error);
      // Somebody may put it there meanwhile; but a folder may be large.
      if (error.code === 'too-large') setTimeout(forget, LOOK_AGAIN_MS).unref();
    } else if (error instanceof Error && error.name === 'BspError') {
      this._noteRefusal(id, error);
    } else {
      // The reason may have been a lack of memory.
      forget();
    }
  }

  /** Says once of a job what is lacking here. */
  private _tellLack(id: string, error: BakeError): void {
    if (this._lacks.has(id)) this._told.add(error);
    else this._noteRefusal(id, error);
    this._lacks.delete(id);
    this._lacks.add(id);
    dropOldest(this._lacks);
  }

  private _noteRefusal(id: string, error: Error): void {
    this._told.add(error);
    this._note(`job ${id.slice(0, 8)} cannot be answered here: ${reasonOf(error)}`);
  }

  private async _open(id: string): Promise<OpenedJob> {
    const text = await readStored(this._redis, bytesKey(id), MOST_JOB);
    if (!text) throw new BakeError('absent', `the queue's store does not have the job ${id}`);
    const job = readJob(text, id);
    const kind = kindOf(job.kind, this._kinds);
    const begin = (): void => this._note(`job ${id.slice(0, 8)}: ${job.kind}`);
    // It may still lack what it lacked before.
    if (!this._lacks.has(id)) begin();
    const load = (hash: string): Promise<Uint8Array> | Uint8Array =>
      hash === NO_BYTES ? new Uint8Array() : this._store.load(hash);
    const inputs = await eachInput(job.inputs, load);
    const map = await load(job.map);
    const files = await loadTiles(job.tiles ?? [], load);
    const tiles = job.tiles?.map(({ offset }, k) => ({ map: files[k]!, offset }));
    const [kinds, formats] = [this._kinds, this._formats];
    if (kind.needsWorld && (tiles || job.map !== NO_BYTES)) formatIdOf(files[0] ?? map, formats ?? FORMATS);
    // Its coordinator has checked it, and here this thread renews locks.
    const executor = await this._pool.open(job, { map, tiles, inputs, kinds, formats, checked: true });
    if (this._lacks.delete(id)) begin();
    return { job, executor };
  }
}
