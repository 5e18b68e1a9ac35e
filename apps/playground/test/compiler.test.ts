import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Compiler } from '../src/loading/compiler.ts';

// The page's side of its worker; the worker itself is tested in the page.

interface FakeWorker {
  readonly posted: { readonly id: number }[];
  isEnded: boolean;
  onmessage(event: { readonly data: unknown }): void;
  onerror(): void;
}

let workers: FakeWorker[];

beforeEach(() => {
  workers = [];
  class Fake {
    readonly posted: { readonly id: number }[] = [];
    isEnded = false;
    constructor() {
      workers.push(this as never);
    }
    postMessage(message: { readonly id: number }): void {
      this.posted.push(structuredClone(message));
    }
    terminate(): void {
      this.isEnded = true;
    }
  }
  vi.stubGlobal('Worker', Fake);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const WORK = { kind: 'compile', text: '', format: 'quake3', materials: undefined } as const;

it('ends a worker that failed, and starts another for the next question', async () => {
  const compiler = new Compiler();
  const asked = expect(compiler.ask(WORK)).rejects.toThrow('the compiler could not be started');
  workers[0]!.onerror();
  await asked;
  expect(workers[0]!.isEnded).toBe(true);
  const next = compiler.ask(WORK);
  expect(workers.map(({ posted }) => posted.length)).toEqual([1, 1]);
  // What is left of the first one is not about the second.
  workers[0]!.onerror();
  expect(workers[1]!.isEnded).toBe(false);
  workers[1]!.onmessage({ data: { id: 2, value: { ok: true } } });
  expect(await next).toEqual({ ok: true });
});

it('gives up a question alone: what others wait for is asked again', async () => {
  const compiler = new Compiler();
  const stop = new AbortController();
  const given = expect(compiler.ask(WORK, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
  const shaders = { kind: 'shaders', files: [] } as const;
  const other = compiler.ask(shaders);
  stop.abort();
  await given;
  expect(workers[0]!.isEnded).toBe(true);
  expect(workers[1]!.posted).toEqual([{ ...shaders, id: 2 }]);
  // What waits behind it takes nothing from it.
  const later = new AbortController();
  const waits = expect(compiler.ask(WORK, later.signal)).rejects.toMatchObject({ name: 'AbortError' });
  later.abort();
  await waits;
  expect(workers).toHaveLength(2);
  workers[1]!.onmessage({ data: { id: 3, value: { ok: true } } });
  workers[1]!.onmessage({ data: { id: 2, value: { materials: {} } } });
  expect(await other).toEqual({ materials: {} });
  // Once it has been answered, there is nothing to give up.
  const done = new AbortController();
  const answer = compiler.ask(WORK, done.signal);
  workers[1]!.onmessage({ data: { id: 4, value: { ok: true } } });
  expect(await answer).toEqual({ ok: true });
  done.abort();
  expect(workers).toHaveLength(2);
});

it('rejects a question that cannot be sent, and has nothing waiting of it', async () => {
  const compiler = new Compiler();
  const materials = (() => {}) as never;
  await expect(compiler.ask({ ...WORK, materials })).rejects.toThrow('could not be cloned');
  // Where nothing waits, nothing is given up.
  compiler.abandon();
  expect(workers).toHaveLength(1);
});
