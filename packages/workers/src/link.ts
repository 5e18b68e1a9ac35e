import { type PackedError, unpackError } from '@bspkit/core/format';

/** A worker as a platform makes it. */
export interface Port {
  /** Throws where the message is no plain data. */
  post(message: unknown, transfer: readonly ArrayBufferLike[]): void;
  /** Whether the worker keeps the process alive. */
  hold(isHeld: boolean): void;
  end(): Promise<unknown>;
}

/** Starts a worker, whose messages and end are told: an end that nobody asked for, with what is known of it. */
export type StartWorker = (onMessage: (message: unknown) => void, onEnd: (cause: unknown) => void) => Port;

/** The answer to a request, by its number. */
export interface Reply<A> {
  readonly id: number;
  readonly answer?: A;
  readonly error?: PackedError | undefined;
}

/** What a pool calls what goes wrong. */
export interface LinkErrors {
  /** A worker has ended that should not have. */
  ended(what: string, cause: unknown): Error;
  /** A request cannot be sent: something in it is no plain data. */
  notPlain(what: string): Error;
  /** Classes of errors that workers throw, by the names of their errors, besides those of `unpackError`. */
  readonly classes?: Parameters<typeof unpackError>[1];
}

interface Waiting<A> {
  resolve(answer: A): void;
  reject(reason: unknown): void;
}

/** A worker and what it has been asked. */
export class Link<Q extends object, A> {
  private readonly _port: Port;
  private readonly _errors: LinkErrors;
  private readonly _waiting = new Map<number, Waiting<A>>();
  private _lastId = 0;
  private _ended: { readonly reason: unknown } | undefined;

  /** Starts the worker. Throws what `errors.ended` makes where none can be started. */
  constructor(start: StartWorker, errors: LinkErrors) {
    this._errors = errors;
    try {
      this._port = start(
        (message) => this._take(message as Reply<A>),
        (cause) => this._end(errors.ended(wordsOf(cause), cause)),
      );
    } catch (cause) {
      throw errors.ended(`it could not be started: ${wordsOf(cause)}`, cause);
    }
    this._port.hold(false);
  }

  /** It has ended, and answers no more. */
  get isDead(): boolean {
    return this._ended !== undefined;
  }

  /** Asks and waits for the answer; the process waits with it. Rejects with the worker's error, or when it ends or has. */
  ask(request: Q, transfer: readonly ArrayBufferLike[] = []): Promise<A> {
    return new Promise((resolve, reject) => {
      if (this._ended) return reject(this._ended.reason);
      const id = ++this._lastId;
      this._waiting.set(id, { resolve, reject });
      this._port.hold(true);
      try {
        this._port.post({ ...request, id }, transfer);
      } catch (error) {
        this._settle(id)?.reject(this._errors.notPlain(wordsOf(error)));
      }
    });
  }

  /** Ends the worker; what it holds is rejected with the reason. */
  close(reason: unknown): Promise<unknown> {
    this._end(reason);
    return this._port.end();
  }

  private _take({ id, error, answer }: Reply<A>): void {
    const waiting = this._settle(id);
    if (error) waiting?.reject(unpackError(error, this._errors.classes));
    else waiting?.resolve(answer as A);
  }

  private _settle(id: number): Waiting<A> | undefined {
    const waiting = this._waiting.get(id);
    this._waiting.delete(id);
    // A late answer must not let the process leave before the end of this worker has been told.
    if (this._waiting.size === 0 && !this.isDead) this._port.hold(false);
    return waiting;
  }

  private _end(reason: unknown): void {
    this._ended ??= { reason };
    const all = [...this._waiting.values()];
    this._waiting.clear();
    for (const { reject } of all) reject(reason);
  }
}

const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
