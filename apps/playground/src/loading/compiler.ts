import type { Answer, Question, Results, Work } from './messages.ts';

interface Waiting {
  readonly question: Question;
  resolve(value: Results[keyof Results]): void;
  reject(error: Error): void;
}

/** The worker that compiles and unpacks. It starts when it is made. */
export class Compiler {
  /** `undefined` when it could not be started, or has died: the next question starts another. */
  private _worker: Worker | undefined;
  /** In the order in which they were asked. */
  private readonly _waiting = new Map<number, Waiting>();
  private _count = 0;

  constructor() {
    this._start();
  }

  /**
   * Has something done. Rejects with what is wrong, in words.
   *
   * @param signal - gives it up, which rejects with an `AbortError`.
   */
  ask<K extends Work['kind']>(
    work: Extract<Work, { readonly kind: K }>,
    signal?: AbortSignal,
  ): Promise<Results[K]> {
    const id = ++this._count;
    const question = { ...work, id };
    return new Promise((resolve, reject) => {
      // Throws what cannot be sent, and where no worker can be started.
      (this._worker ?? this._start()).postMessage(question);
      this._waiting.set(id, { question, resolve: resolve as Waiting['resolve'], reject });
      signal?.addEventListener('abort', () => this._giveUp(id), { once: true });
    });
  }

  /** Gives up all that is being done, which rejects with an `AbortError`. */
  abandon(): void {
    if (this._waiting.size === 0) return;
    this._worker?.terminate();
    this._fail(outdated());
    this._start();
  }

  /** Gives up one question; what others wait for is done all the same. */
  private _giveUp(id: number): void {
    const [first] = this._waiting.keys();
    const waiting = this._waiting.get(id);
    if (!waiting) return;
    this._waiting.delete(id);
    waiting.reject(outdated());
    // What has not been begun keeps nobody waiting.
    if (id !== first) return;
    this._worker?.terminate();
    const worker = this._start();
    for (const { question } of this._waiting.values()) worker.postMessage(question);
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

const outdated = (): DOMException => new DOMException('a later request came', 'AbortError');
