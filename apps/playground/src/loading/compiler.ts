import type { Answer, Question, Results, Work } from './messages.ts';
import { onFailure } from './worker-failure.ts';

interface Waiting {
  readonly question: Question;
  resolve(value: Results[keyof Results]): void;
  reject(error: Error): void;
  /** Stops listening to the signal. */
  leave(): void;
}

/** The worker that compiles and unpacks, one question after the other. It starts when this is made. */
export class Compiler {
  /** `undefined` when it could not be started, or has been ended: the next question starts another. */
  private _worker: Worker | undefined;
  /** In the order in which they were asked. The worker has the first: what it has been sent cannot be taken back. */
  private _waiting: Waiting[] = [];
  private _count = 0;

  constructor() {
    this._start();
  }

  /**
   * Has something done. Rejects with what is wrong, in words.
   *
   * @param signal - gives it up, which rejects with an `AbortError`; what others wait for is done all the same.
   */
  ask<K extends Work['kind']>(
    work: Extract<Work, { readonly kind: K }>,
    signal?: AbortSignal,
  ): Promise<Results[K]> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(outdated());
      const stop = (): void => {
        // If it has been begun, only the worker's end stops it.
        if (waiting === this._waiting[0]) this._end();
        this._drop(waiting).reject(outdated());
      };
      const waiting: Waiting = {
        question: { ...work, id: ++this._count },
        resolve: resolve as Waiting['resolve'],
        reject,
        leave: () => signal?.removeEventListener('abort', stop),
      };
      signal?.addEventListener('abort', stop);
      this._waiting.push(waiting);
      if (this._waiting.length === 1) this._send();
    });
  }

  /** Sends the first question, unless there is none. What cannot be sent is rejected. */
  private _send(): void {
    const [first] = this._waiting;
    if (!first) return;
    try {
      (this._worker ?? this._start()).postMessage(first.question);
    } catch (error) {
      this._drop(first).reject(error as Error);
    }
  }

  /** Takes a question out, and sends the next one if it was the first. */
  private _drop(waiting: Waiting): Waiting {
    const at = this._waiting.indexOf(waiting);
    this._waiting.splice(at, 1);
    waiting.leave();
    if (at === 0) this._send();
    return waiting;
  }

  private _start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'compiler' });
    this._worker = worker;
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const [first] = this._waiting;
      if (first?.question.id !== data.id) return;
      this._drop(first);
      if ('error' in data) first.reject(new Error(data.error));
      else first.resolve(data.value);
    };
    onFailure(worker, 'the compiler', (error) => {
      // What has been replaced meanwhile has nothing to say.
      if (worker === this._worker) this._fail(error);
    });
    return worker;
  }

  private _end(): void {
    this._worker?.terminate();
    this._worker = undefined;
  }

  private _fail(error: Error): void {
    this._end();
    const all = this._waiting;
    this._waiting = [];
    for (const { leave, reject } of all) {
      leave();
      reject(error);
    }
  }
}

const outdated = (): DOMException => new DOMException('a later request came', 'AbortError');
