import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Compiler } from '../src/loading/compiler.ts';

// The page's side of its worker; the worker itself is tested in the page.

interface FakeWorker {
  readonly posted: { readonly id: number }[];
  isEnded: boolean;
  onmessage(event: { readonly data: unknown }): void;
  onerror(event: { readonly message?: string }): void;
  onmessageerror(): void;
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
  workers[0]!.onerror({});
  await asked;
  expect(workers[0]!.isEnded).toBe(true);
  const next = compiler.ask(WORK);
  expect(workers.map(({ posted }) => posted.length)).toEqual([1, 1]);
  // What is left of the first one is not about the second.
  workers[0]!.onerror({});
  expect(workers[1]!.isEnded).toBe(false);
  workers[1]!.onmessage({ data: { id: 2, value: { ok: true } } });
  expect(await next).toEqual({ ok: true });
});

it('says what a question came to that could not be answered, and goes on with the next one', async () => {
  const compiler = new Compiler();
  const asked = compiler.ask(WORK);
  workers[0]!.onmessage({ data: { id: 1, error: 'there are no brushes' } });
  await expect(asked).rejects.toThrow(new Error('there are no brushes'));
  const next = compiler.ask(WORK);
  expect([workers.length, workers[0]!.isEnded]).toEqual([1, false]);
  workers[0]!.onmessage({ data: { id: 2, value: { ok: true } } });
  expect(await next).toEqual({ ok: true });
});

it('says what ended a worker in the middle of its work, or that its answer could not be read', async () => {
  const compiler = new Compiler();
  const message = 'Uncaught RangeError: Maximum call stack size exceeded';
  const asked = compiler.ask(WORK);
  workers[0]!.onerror({ message });
  await expect(asked).rejects.toThrow(
    'the compiler has failed: RangeError: Maximum call stack size exceeded',
  );
  const [unread, behind] = [compiler.ask(WORK), compiler.ask(SHADERS)];
  workers[1]!.onmessageerror();
  for (const each of [unread, behind])
    await expect(each).rejects.toThrow('the compiler gave an answer that this browser could not read');
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true]);
});

const SHADERS = { kind: 'shaders', files: [] } as const;
const GIVEN_UP = { name: 'AbortError' };

it('gives up a question alone: what has been begun with its worker, so that the next one is asked of another', async () => {
  const compiler = new Compiler();
  const stop = new AbortController();
  const given = expect(compiler.ask(WORK, stop.signal)).rejects.toMatchObject(GIVEN_UP);
  const other = compiler.ask(SHADERS);
  // Only what is begun is sent, as nothing can be taken back.
  expect(workers[0]!.posted).toEqual([{ ...WORK, id: 1 }]);
  stop.abort();
  await given;
  expect(workers[0]!.isEnded).toBe(true);
  expect(workers[1]!.posted).toEqual([{ ...SHADERS, id: 2 }]);
  // A late answer of the first worker is nobody's.
  workers[0]!.onmessage({ data: { id: 1, value: { ok: true } } });
  workers[1]!.onmessage({ data: { id: 2, value: { materials: {} } } });
  expect(await other).toEqual({ materials: {} });
  // Once it has been answered, there is nothing to give up.
  const done = new AbortController();
  const answer = compiler.ask(WORK, done.signal);
  workers[1]!.onmessage({ data: { id: 3, value: { ok: true } } });
  expect(await answer).toEqual({ ok: true });
  done.abort();
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false]);
});

it('does not begin what is given up while it waits, nor what has been given up before', async () => {
  const compiler = new Compiler();
  const first = compiler.ask(SHADERS);
  const stop = new AbortController();
  const given = expect(compiler.ask(WORK, stop.signal)).rejects.toMatchObject(GIVEN_UP);
  const last = compiler.ask(WORK);
  stop.abort();
  await given;
  await expect(compiler.ask(WORK, stop.signal)).rejects.toMatchObject(GIVEN_UP);
  workers[0]!.onmessage({ data: { id: 1, value: { materials: {} } } });
  expect(await first).toEqual({ materials: {} });
  expect(workers).toHaveLength(1);
  expect(workers[0]!.posted.map(({ id }) => id)).toEqual([1, 3]);
  workers[0]!.onmessage({ data: { id: 3, value: { ok: true } } });
  expect(await last).toEqual({ ok: true });
});

it('starts another worker later if that fails when one has been given up', async () => {
  const compiler = new Compiler();
  const stop = new AbortController();
  const given = expect(compiler.ask(WORK, stop.signal)).rejects.toMatchObject(GIVEN_UP);
  const behind = expect(compiler.ask(SHADERS)).rejects.toThrow('no worker');
  const { Worker: Fake } = globalThis;
  vi.stubGlobal(
    'Worker',
    class {
      constructor() {
        throw new Error('no worker');
      }
    },
  );
  stop.abort();
  await Promise.all([given, behind]);
  vi.stubGlobal('Worker', Fake);
  const next = compiler.ask(SHADERS);
  workers[1]!.onmessage({ data: { id: 3, value: { materials: {} } } });
  expect(await next).toEqual({ materials: {} });
});

it('rejects a question that cannot be sent, and has nothing waiting of it', async () => {
  const compiler = new Compiler();
  const materials = (() => {}) as never;
  await expect(compiler.ask({ ...WORK, materials })).rejects.toThrow('could not be cloned');
  expect(workers).toHaveLength(1);
});
