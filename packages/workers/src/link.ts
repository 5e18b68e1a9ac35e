import { type PackedError, reasonOf, unpackError } from '@bspkit/core/format';
import type { Hello } from './serve.ts';

/** A worker as a platform makes it. */
export interface Port {
  /** Throws if the message is not plain data. */
  post(message: unknown, transfer: readonly ArrayBufferLike[]): void;
  /** Whether the worker keeps the process alive. */
  hold(isHeld: boolean): void;
  end(): Promise<unknown>;
}

/** Starts a worker, and reports its messages and its end: one that was not requested, with what is known of its cause. */
export type StartWorker = (onMessage: (message: unknown) => void, onEnd: (cause: unknown) => void) => Port;

/** The answer to a request, by its number. */
export interface Reply<A> {
  readonly id: number;
  readonly answer?: A;
  readonly error?: PackedError | undefined;
}

/** How the workers of a pool are started. Shared by all of them: what is found out about one applies to the others. */
export interface WorkerSource {
  readonly start: StartWorker;
  /** What errors call the script. */
  readonly script: string;
  /** Seconds that a worker may take to start. If none has served by then, the pool starts no more. */
  readonly startLimit: number;
  /** Whether any worker has said that it serves. */
  serves?: boolean;
  /** Why no more are started: the script is not one that serves. */
  stranger?: Error;
}

/** The errors that a pool throws. */
export interface LinkErrors {
  /** The function that its workers call to serve it, by whose name they say so. */
  readonly serves: string;
  /** A worker has ended unexpectedly. */
  ended(what: string, cause: unknown): Error;
  /** A request cannot be sent: something in it is not plain data. */
  notPlain(what: string): Error;
  /** Classes of errors that workers throw, by the names of their errors, in addition to those of `unpackError`. */
  readonly classes?: Parameters<typeof unpackError>[1];
}

/** The part of timers that browsers and Node share. */
declare function setTimeout(work: () => void, milliseconds: number): Timer;
declare function clearTimeout(timer: Timer | undefined): void;
interface Timer {
  unref?(): void;
}

interface Waiting<A> {
  resolve(answer: A): void;
  reject(reason: unknown): void;
}

/** A worker and the requests that it has been sent. */
export class Link<Q extends object, A> {
  private readonly _port: Port;
  private readonly _source: WorkerSource;
  private readonly _errors: LinkErrors;
  /** Requests from before the worker has said that it serves this pool; `undefined` once it has. */
  private _unsent: (() => void)[] | undefined = [];
  private _clock: Timer | undefined;
  private readonly _waiting = new Map<number, Waiting<A>>();
  private _lastId = 0;
  private _ended: { readonly reason: unknown } | undefined;

  /** Starts the worker. Throws what `errors.ended` returns if none can be started. */
  constructor(source: WorkerSource, errors: LinkErrors) {
    if (source.stranger) throw source.stranger;
    this._source = source;
    this._errors = errors;
    try {
      this._port = source.start(
        (message) => this._hear(message),
        (cause) => this._end(errors.ended(this._wordsOf(cause), cause)),
      );
    } catch (cause) {
      throw errors.ended(`it could not be started: ${reasonOf(cause)}`, cause);
    }
    this._port.hold(false);
    this._expect(source.startLimit);
  }

  /** Whether it has ended, and answers no more. */
  get isDead(): boolean {
    return this._ended !== undefined;
  }

  /** Whether it has said that it serves the pool. */
  get isServing(): boolean {
    return this._unsent === undefined;
  }

  /** How many requests it has not answered yet. */
  get pending(): number {
    return this._waiting.size;
  }

  /**
   * Asks and waits for the answer, keeping the process alive. Rejects with the worker's error, or if the worker ends or has
   * ended.
   */
  ask(request: Q, transfer: readonly ArrayBufferLike[] = []): Promise<A> {
    return new Promise((resolve, reject) => {
      if (this._ended) return reject(this._ended.reason);
      const id = ++this._lastId;
      this._waiting.set(id, { resolve, reject });
      this._port.hold(true);
      const send = (): void => {
        try {
          this._port.post({ ...request, id }, transfer);
        } catch (error) {
          this._settle(id)?.reject(this._errors.notPlain(reasonOf(error)));
        }
      };
      // Browsers lose messages to a worker that waits for something before it listens.
      if (this._unsent) this._unsent.push(send);
      else send();
    });
  }

  /** Ends the worker; pending requests are rejected with the reason. */
  close(reason: unknown): Promise<unknown> {
    this._end(reason);
    return this._port.end();
  }

  private _hear(message: unknown): void {
    // A late answer must not let the process exit before the end of this worker has been reported.
    if (this.isDead) return;
    const { serves } = this._errors;
    if (!this._unsent) {
      this._take(message as Reply<A> | null);
    } else if ((message as Hello | null)?.bspkit === serves) {
      clearTimeout(this._clock);
      this._source.serves = true;
      const unsent = this._unsent;
      this._unsent = undefined;
      for (const send of unsent) send();
    } else {
      this._refuse(`it is another script: it sent something before it had called ${serves}()`);
    }
  }

  /**
   * Waits for the worker to say that it serves. Counts single seconds, and a moment at the end: a thread that was busy or asleep
   * for longer gets its workers' messages from meanwhile before it counts the next second.
   */
  private _expect(seconds: number): void {
    const next = (): void => {
      const { startLimit } = this._source;
      if (seconds > 0) this._expect(seconds - 1);
      else this._refuse(`it has not called ${this._errors.serves}() within ${startLimit} s, its startLimit`);
    };
    this._clock = setTimeout(next, seconds > 0 ? 1000 : 0);
    this._clock.unref?.();
  }

  /** Ends a worker that does not serve this pool; if no worker of its script has ever served, starts no more of it. */
  private _refuse(what: string): void {
    const advice = 'the option `worker` of pools is for one that calls it at its start';
    const error = this._errors.ended(`${this._wordsOf(what)}; ${advice}`, undefined);
    if (!this._source.serves) this._source.stranger = error;
    void this.close(error);
  }

  /** Describes a cause, with the script's address as long as it may be the wrong one. */
  private _wordsOf(cause: unknown): string {
    const words = reasonOf(cause);
    const { script } = this._source;
    const isNamed = words.includes(script.replace('file://', ''));
    return this._unsent && !isNamed ? `${script}: ${words}` : words;
  }

  private _take(message: Reply<A> | null): void {
    const { id, error, answer } = message ?? ({} as Partial<Reply<A>>);
    const waiting = this._settle(id);
    if (error) waiting?.reject(unpackError(error, this._errors.classes));
    else waiting?.resolve(answer as A);
  }

  private _settle(id: number | undefined): Waiting<A> | undefined {
    const waiting = this._waiting.get(id!);
    this._waiting.delete(id!);
    if (this._waiting.size === 0) this._port.hold(false);
    return waiting;
  }

  private _end(reason: unknown): void {
    this._ended ??= { reason };
    clearTimeout(this._clock);
    const all = [...this._waiting.values()];
    this._waiting.clear();
    for (const { reject } of all) reject(reason);
  }
}
