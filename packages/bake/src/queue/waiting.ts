import type { BakeChunk } from '../job.ts';
import type { ChunkMessage } from './protocol.ts';

/** A chunk that is in the queue, and those who wait for its answer: it may be asked for again meanwhile. */
export class Waiting {
  readonly key: string;
  readonly chunk: BakeChunk;
  readonly message: ChunkMessage;
  readonly answer: Promise<Uint8Array>;
  readonly resolve: (answer: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  /** How many wait for the answer. */
  askers = 0;
  /** Resolves when it is in the queue. */
  handed: Promise<void> | undefined;
  /** When it was last handed out or looked for. */
  seen: number = performance.now();
  /** How often it has been given back by workers that lack something that it needs. */
  givenBack = 0;

  constructor(key: string, chunk: BakeChunk, message: ChunkMessage) {
    let settle!: Pick<Waiting, 'resolve' | 'reject'>;
    this.answer = new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
    // The callers may have gone.
    this.answer.catch(() => {});
    this.resolve = settle.resolve;
    this.reject = settle.reject;
    this.key = key;
    this.chunk = chunk;
    this.message = message;
  }
}

/** What is waited for, by the keys of its chunks. Each wait ends once, after which the same chunk may be waited for again. */
export class WaitingChunks {
  private readonly _all = new Map<string, Waiting>();

  has(key: string): boolean {
    return this._all.has(key);
  }

  get(key: string): Waiting | undefined {
    return this._all.get(key);
  }

  list(): Waiting[] {
    return [...this._all.values()];
  }

  begin(waiting: Waiting): void {
    this._all.set(waiting.key, waiting);
  }

  /** Whether a wait has not ended. */
  goesOn(waiting: Waiting): boolean {
    return this._all.get(waiting.key) === waiting;
  }

  /** Ends a wait. Returns whether it had not ended before: then whoever ends it settles it. */
  end(waiting: Waiting): boolean {
    return this.goesOn(waiting) && this._all.delete(waiting.key);
  }

  /** Ends all waits, and returns them, to be settled. */
  endAll(): Waiting[] {
    const all = this.list();
    this._all.clear();
    return all;
  }
}
