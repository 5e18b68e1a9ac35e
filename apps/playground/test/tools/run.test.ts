import { afterEach, describe, expect, it, vi } from 'vitest';
import { Run } from '../../src/tools/run.ts';
import { serveWork, type WorkMessage } from '../../src/tools/serve.ts';
import type { ToolContext } from '../../src/tools/tool.ts';

type Message = WorkMessage<string, string>;

/** A worker that says what it is told to say. */
class FakeWorker {
  onmessage: ((event: { readonly data: Message }) => void) | undefined;
  onerror: ((event: { readonly message: string }) => void) | undefined;
  readonly asked: unknown[] = [];
  isEnded = false;

  postMessage(question: unknown): void {
    this.asked.push(question);
  }

  terminate(): void {
    this.isEnded = true;
  }

  say(message: Message): void {
    this.onmessage!({ data: message });
  }
}

const map = { bytes: Uint8Array.of(1), format: { id: 'quake3' } } as ToolContext['map'];

/** A run, its worker, and what was told of it. */
function start(): { run: Run<string, string>; worker: FakeWorker; told: unknown[] } {
  const worker = new FakeWorker();
  const run = new Run<string, string>(map, { step: 8 }, 'the bake', worker as never, { kind: 'sight' });
  const told: unknown[] = [];
  run.tell = () => told.push([run.goesOn, run.told]);
  return { run, worker, told };
}

describe('a run of a tool', () => {
  it('asks its worker about the map, and goes on until that has a result', () => {
    const { run, worker, told } = start();
    expect(worker.asked).toEqual([{ kind: 'sight', format: 'quake3', bytes: map.bytes }]);
    expect([run.form, run.goesOn, run.told]).toEqual([{ step: 8, ran: true }, true, undefined]);
    worker.say({ part: 0.5 });
    expect(worker.isEnded).toBe(false);
    worker.say({ result: 'all' });
    expect(told).toEqual([
      [true, { part: 0.5 }],
      [false, { result: 'all' }],
    ]);
    expect(worker.isEnded).toBe(true);
    // A link to it has it run again.
    expect(run.form.ran).toBe(true);
  });

  it('fails with what its worker says, or with the worker', () => {
    const told = { error: 'no room' };
    const one = start();
    one.worker.say(told);
    expect([one.run.goesOn, one.run.told, one.worker.isEnded]).toEqual([false, told, true]);
    const other = start();
    other.worker.onerror!({ message: 'Uncaught boom' });
    expect(other.told).toEqual([[false, { error: 'the bake has failed: boom' }]]);
    expect(other.worker.isEnded).toBe(true);
  });

  it('ends when it is stopped, and a link does not run it, but has the form as it was by then', () => {
    const { run, worker } = start();
    const set = vi.fn();
    const context = { state: { set } } as never;
    expect(run.stop(context, { step: 16 })).toBe(true);
    const form = { step: 16, ran: false };
    expect([run.goesOn, worker.isEnded, run.form, set.mock.calls]).toEqual([false, true, form, [[form]]]);
    expect([run.stop(context, { step: 32 }), set.mock.calls.length]).toEqual([false, 1]);
  });

  it('announces its end to whoever is elsewhere, as long as its map is open', () => {
    const endings: readonly (readonly [Message, string])[] = [
      [{ result: 'all' }, 'done'],
      [{ error: 'no room' }, 'failed'],
    ];
    for (const [message, announced] of endings) {
      const { run, worker } = start();
      const announce = vi.fn();
      run.leave({ map, announce } as never, 'done', 'failed');
      worker.say({ part: 0.5 });
      expect(announce).not.toHaveBeenCalled();
      worker.say(message);
      expect(announce.mock.calls).toEqual([[announced]]);
    }
    const { run, worker } = start();
    const announce = vi.fn();
    run.leave({ map: { ...map, bytes: Uint8Array.of(1) }, announce } as never, 'done', 'failed');
    worker.say({ result: 'all' });
    expect(announce).not.toHaveBeenCalled();
  });
});

describe('a worker of a tool', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** What it says when it is asked about a map of Quake 3. */
  async function saidOf(work: Parameters<typeof serveWork>[0]): Promise<unknown[]> {
    const said: unknown[] = [];
    const self = { onmessage: undefined as unknown, postMessage: (message: unknown) => said.push(message) };
    vi.stubGlobal('self', self);
    serveWork(work);
    await (self.onmessage as (event: unknown) => Promise<void>)({
      data: { format: 'quake3', bytes: map.bytes },
    });
    return said;
  }

  it('says how far it is now and then, and of each stage at once, and then what came of it', async () => {
    const said = await saidOf(async (format, { bytes }, report: (part: number, stage?: never) => void) => {
      for (const part of [0, 0.0025, 0.25, 0.2525, 0.375]) report(part);
      report(0.375, 'stage' as never);
      report(0.3775, 'stage' as never);
      report(1, 'stage' as never);
      return [format.id, bytes];
    });
    expect(said).toEqual([
      { part: 0.25 },
      { part: 0.375 },
      { part: 0.375, stage: 'stage' },
      { part: 1, stage: 'stage' },
      { result: ['quake3', map.bytes] },
    ]);
  });

  it('says what is wrong', async () => {
    const fail = (error: unknown) => () => {
      throw error;
    };
    expect(await saidOf(fail(new RangeError('too far')))).toEqual([{ error: 'too far' }]);
    expect(await saidOf(fail('no memory'))).toEqual([{ error: 'no memory' }]);
  });
});
