import type { Answer, Results, Work } from './messages.ts';

interface Waiting {
  resolve(value: Results[keyof Results]): void;
  reject(error: Error): void;
}

/** The worker that compiles and unpacks. It starts when it is made. */
export class Compiler {
  /** `undefined` when it could not be started, or has died: the next question starts another. */
  private _worker: Worker | undefined;
  private readonly _waiting = new Map<number, Waiting>();
  private _count = 0;

  constructor() {
    this._start();
  }

  /** Has something done. Rejects with what is wrong, in words. */
  ask<K extends Work['kind']>(work: Extract<Work, { readonly kind: K }>): Promise<Results[K]> {
    const id = ++this._count;
    return new Promise((resolve, reject) => {
      // Throws what cannot be sent, and where no worker can be started.
      (this._worker ?? this._start()).postMessage({ ...work, id });
      this._waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
    });
  }

  /** Gives up what is being done, which rejects with an `AbortError`. */
  abandon(): void {
    if (this._waiting.size === 0) return;
    this._worker?.terminate();
    this._fail(new DOMException('a later request came', 'AbortError'));
    this._start();
  }

  private _start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'compiler' });
    this._worker = worker;
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const waiting = this._waiting.get(data.id);
      this._waiting.delete(data.id);
      if ('error' in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.value);
    };
    worker.onerror = () => {
      // What has been replaced meanwhile has nothing to say.
      if (worker !== this._worker) return;
      worker.terminate();
      this._worker = undefined;
      this._fail(new Error('the compiler could not be started'));
    };
    return worker;
  }

  private _fail(error: Error): void {
    for (const { reject } of this._waiting.values()) reject(error);
    this._waiting.clear();
  }
}
