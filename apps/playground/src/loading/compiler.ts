import type { Answer, Results, Work } from './messages.ts';

interface Waiting {
  resolve(value: Results[keyof Results]): void;
  reject(error: Error): void;
}

/** The worker that compiles and unpacks. It starts when it is made. */
export class Compiler {
  private _worker!: Worker;
  private readonly _waiting = new Map<number, Waiting>();
  private _count = 0;

  constructor() {
    this._start();
  }

  /** Has something done. Rejects with what is wrong, in words. */
  ask<K extends Work['kind']>(work: Extract<Work, { readonly kind: K }>): Promise<Results[K]> {
    const id = ++this._count;
    return new Promise((resolve, reject) => {
      this._waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      this._worker.postMessage({ ...work, id });
    });
  }

  /** Gives up what is being done, which rejects with an `AbortError`. */
  abandon(): void {
    if (this._waiting.size === 0) return;
    this._worker.terminate();
    this._fail(new DOMException('a later request came', 'AbortError'));
    this._start();
  }

  private _start(): void {
    this._worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'compiler' });
    this._worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const waiting = this._waiting.get(data.id);
      this._waiting.delete(data.id);
      if ('error' in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.value);
    };
    this._worker.onerror = () => this._fail(new Error('the compiler could not be started'));
  }

  private _fail(error: Error): void {
    for (const { reject } of this._waiting.values()) reject(error);
    this._waiting.clear();
  }
}
