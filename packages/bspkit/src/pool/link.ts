import { unpackError } from '@bspkit/core/format';
import { TracePoolError } from './error.ts';
import type { Reply, Request } from './messages.ts';

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

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** A worker and what it has been asked. */
export class Link {
  /** It has ended, and answers no more. */
  isDead = false;
  private readonly _port: Port;
  private readonly _waiting = new Map<number, Waiting>();
  private _lastId = 0;

  constructor(start: StartWorker) {
    this._port = start(
      (message) => this._take(message as Reply),
      (cause) => {
        const what = cause instanceof Error ? cause.message : String(cause);
        this._end(new TracePoolError('worker', `a worker of the pool has ended: ${what}`, { cause }));
      },
    );
    this._port.hold(false);
  }

  /** Asks and waits for the answer; the process waits with it. Rejects with the worker's error, or when it ends. */
  ask(request: Request, transfer: readonly ArrayBufferLike[] = []): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const id = ++this._lastId;
      this._waiting.set(id, { resolve, reject });
      this._port.hold(true);
      try {
        this._port.post({ ...request, id }, transfer);
      } catch (error) {
        this._settle(id)?.reject(
          new TypeError(`tracer must be plain data: ${error instanceof Error ? error.message : error}`),
        );
      }
    });
  }

  /** Ends the worker; what it holds is rejected. */
  close(error: Error): Promise<unknown> {
    this._end(error);
    return this._port.end();
  }

  private _take({ id, error, answers }: Reply): void {
    const waiting = this._settle(id);
    if (error) waiting?.reject(unpackError(error));
    else waiting?.resolve({ id, answers });
  }

  private _settle(id: number): Waiting | undefined {
    const waiting = this._waiting.get(id);
    this._waiting.delete(id);
    // A late answer must not let the process leave before the end of this worker has been told.
    if (this._waiting.size === 0 && !this.isDead) this._port.hold(false);
    return waiting;
  }

  private _end(error: Error): void {
    this.isDead = true;
    const all = [...this._waiting.values()];
    this._waiting.clear();
    for (const { reject } of all) reject(error);
  }
}
