import { createRandom } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { driveChunks } from '../src/executor.ts';
import type { BakeChunk, BakeExecutor } from '../src/index.ts';
import { Scheduler } from '../src/scheduler.ts';

/** Takes as many chunks as there are for now. */
function takeAll(scheduler: Scheduler): number[] {
  const taken: number[] = [];
  for (let chunk = scheduler.next(); chunk !== undefined; chunk = scheduler.next()) taken.push(chunk);
  return taken;
}

describe('a scheduler', () => {
  it('hands out each chunk once, in order, within its window', () => {
    const scheduler = new Scheduler({ chunks: 5, window: 3 });
    expect(takeAll(scheduler)).toEqual([0, 1, 2]);
    expect(scheduler.outstanding).toBe(3);
    expect(scheduler.succeed(1)).toBe(true);
    expect([scheduler.low, takeAll(scheduler)]).toEqual([0, []]);
    expect(scheduler.succeed(0)).toBe(true);
    expect([scheduler.low, takeAll(scheduler)]).toEqual([2, [3, 4]]);
    for (const chunk of [4, 3, 2]) scheduler.succeed(chunk);
    expect([scheduler.isOver, scheduler.done, scheduler.outstanding]).toEqual([true, 5, 0]);
  });

  it('tells answers that come twice, or late', () => {
    const scheduler = new Scheduler({ chunks: 2 });
    takeAll(scheduler);
    expect(scheduler.succeed(0)).toBe(true);
    expect(scheduler.succeed(0)).toBe(false);
    expect(scheduler.fail(0, 'late')).toBe('late');
    expect(scheduler.succeed(7)).toBe(false);
    expect(scheduler.done).toBe(1);
  });

  it('tries failed chunks again before new ones, then lets them be', () => {
    const scheduler = new Scheduler({ chunks: 3, retries: 2, window: 2 });
    expect(takeAll(scheduler)).toEqual([0, 1]);
    expect(scheduler.fail(0, 'a')).toBe('again');
    expect(scheduler.fail(0, 'not running')).toBe('late');
    expect(scheduler.next()).toBe(0);
    expect(scheduler.fail(0, 'b')).toBe('again');
    expect(scheduler.next()).toBe(0);
    expect(scheduler.fail(0, 'c')).toBe('failed');
    expect(scheduler.failed).toEqual([{ chunk: 0, attempts: 3, reason: 'c' }]);
    expect(takeAll(scheduler)).toEqual([2]);
    scheduler.succeed(1);
    scheduler.succeed(2);
    expect([scheduler.isOver, scheduler.done]).toEqual([true, 2]);
  });

  it('lets an answer count that comes while the chunk waits to be tried again', () => {
    const scheduler = new Scheduler({ chunks: 2 });
    for (const chunk of takeAll(scheduler)) scheduler.fail(chunk, 'said to be dead');
    expect(scheduler.succeed(0)).toBe(true);
    // The other one still is.
    expect(takeAll(scheduler)).toEqual([1]);
    scheduler.succeed(1);
    expect(scheduler.isOver).toBe(true);
  });

  it('does not try again what can have no other outcome', () => {
    const scheduler = new Scheduler({ chunks: 1, retries: 5 });
    scheduler.next();
    expect(scheduler.fail(0, 'wrong', true)).toBe('failed');
    expect(scheduler.failed[0]!.attempts).toBe(1);
  });

  it('leaves out what is done', () => {
    const scheduler = new Scheduler({ chunks: 6, isDone: (chunk) => chunk % 2 === 0, window: 1 });
    expect(scheduler.done).toBe(3);
    expect([scheduler.next(), scheduler.next()]).toEqual([1, undefined]);
    scheduler.succeed(1);
    expect(scheduler.next()).toBe(3);
    scheduler.succeed(3);
    expect(scheduler.next()).toBe(5);
    scheduler.succeed(5);
    expect([scheduler.isOver, scheduler.done, scheduler.doneNow]).toEqual([true, 6, 3]);
  });

  it('learns of the end of a stream', () => {
    const scheduler = new Scheduler({ chunks: Infinity });
    scheduler.next();
    scheduler.end(scheduler.next()!);
    expect([scheduler.chunks, scheduler.next(), scheduler.isOver]).toEqual([1, undefined, false]);
    scheduler.succeed(0);
    expect(scheduler.isOver).toBe(true);
  });

  it('stops', () => {
    const scheduler = new Scheduler({ chunks: 9, window: 2 });
    takeAll(scheduler);
    scheduler.fail(0, 'x');
    scheduler.stop();
    expect(scheduler.next()).toBeUndefined();
    scheduler.succeed(1);
    expect(scheduler.isOver).toBe(true);
  });

  it('tries nothing again after it has stopped', () => {
    const scheduler = new Scheduler({ chunks: 9, window: 2 });
    takeAll(scheduler);
    scheduler.stop();
    expect([scheduler.fail(0, 'x'), scheduler.fail(1, 'y')]).toEqual(['failed', 'failed']);
    expect([scheduler.next(), scheduler.isOver, scheduler.failed.length]).toEqual([undefined, true, 2]);
  });

  it('gives executors chunks of their own', async () => {
    const scheduler = new Scheduler({ chunks: 3 });
    const executor: BakeExecutor = {
      capacity: 2,
      async run(chunk) {
        const { index } = chunk;
        Object.assign(chunk, { index: 0, first: 0, count: 0 });
        return Uint8Array.of(index);
      },
    };
    const answers: number[][] = [];
    const chunk = (index: number): BakeChunk => ({ index, first: index, count: 1 });
    await driveChunks({
      executor,
      scheduler,
      chunk,
      done: ({ index }, [value]) => void answers.push([index, value!]),
    });
    expect(answers).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  it('ends with what its source of chunks throws, at once or later', async () => {
    const broken = new Error('torn');
    const [fail, failLater] = [
      () => {
        throw broken;
      },
      () => Promise.reject(broken),
    ];
    for (const next of [fail, failLater]) {
      const done: number[] = [];
      const signal = new AbortController().signal;
      const driving = driveChunks({
        executor: { capacity: 1, run: async () => new Uint8Array() },
        scheduler: new Scheduler({ chunks: 3 }),
        chunk: (index) => (index === 2 ? next() : { index, first: index, count: 1 }),
        done: ({ index }) => void done.push(index),
        signal,
      });
      await expect(driving).rejects.toBe(broken);
      expect(done).toEqual([0, 1]);
    }
  });

  it.each([1, 2, 3, 4, 5])('loses and doubles nothing, whatever happens (%i)', (seed) => {
    const random = createRandom(seedOf(seed));
    const scheduler = new Scheduler({ chunks: 300, window: 40, retries: 1000 });
    const running: number[] = [];
    const done = new Map<number, number>();
    while (!scheduler.isOver) {
      const chunk = random() < 0.5 ? scheduler.next() : undefined;
      if (chunk !== undefined) running.push(chunk);
      if (running.length === 0) continue;
      const [one] = running.splice(Math.floor(random() * running.length), 1);
      const event = random();
      if (event < 0.3) scheduler.fail(one!, 'died');
      else {
        if (scheduler.succeed(one!)) done.set(one!, (done.get(one!) ?? 0) + 1);
        if (event > 0.9) expect(scheduler.succeed(one!)).toBe(false);
      }
      expect(Math.max(-1, ...done.keys())).toBeLessThan(scheduler.low + 40);
    }
    expect([...done.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, k) => k));
    expect([...done.values()].every((times) => times === 1)).toBe(true);
  });
});
