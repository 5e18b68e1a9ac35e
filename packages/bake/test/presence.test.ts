import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Crew } from '../src/queue/presence.ts';
import { workerKey } from '../src/queue/protocol.ts';

// Whom a coordinator takes for gone, by a clock and a store of the test's own. How workers tell that they are there is tested with
// a real Redis.

const realNow = performance.now;
let now = 0;
beforeEach(() => {
  now = 1e6;
  performance.now = () => now;
});
afterEach(() => {
  performance.now = realNow;
});

/** A coordinator's crew at a store that knows of these workers: a Redis, as far as it is asked. */
function crewAt(leases: Map<string, string | null>) {
  const notes: string[] = [];
  const calls = new Map<string, () => void>();
  /** Until when marks are there. */
  const marks = new Map<string, number>();
  /** How long an answer takes, in milliseconds. */
  let delay = 0;
  const filled = (keys: readonly string[]): void => {
    if (keys.length === 0) throw new Error('ERR wrong number of arguments');
  };
  const redis = {
    on: (name: string, call: () => void) => void calls.set(name, call),
    async srandmember(): Promise<string[]> {
      now += delay;
      return [...leases.keys()];
    },
    async mget(keys: string[]): Promise<(string | null)[]> {
      filled(keys);
      return keys.map((key) => [...leases].find(([id]) => workerKey(id) === key)?.[1] ?? null);
    },
    async expire(mark: string, seconds: number): Promise<number> {
      if (!((marks.get(mark) ?? 0) > now)) return 0;
      marks.set(mark, now + 1000 * seconds);
      return 1;
    },
    async set(mark: string, _: unknown, unit: string, seconds: number): Promise<void> {
      if (unit !== 'EX') throw new Error('ERR syntax error');
      marks.set(mark, now + 1000 * seconds);
    },
    async srem(_: string, ...ids: string[]): Promise<void> {
      filled(ids);
      for (const id of ids) leases.delete(id);
    },
  };
  const crew = new Crew(redis as unknown as Redis, 'there', (text) => void notes.push(text));
  return {
    crew,
    ready: () => calls.get('ready')!(),
    forget: () => marks.clear(),
    /** Counts, after a while; returns what is noted then. */
    async count(takes = 0): Promise<string[]> {
      now += 50_000;
      delay = takes;
      notes.length = 0;
      await crew.count();
      delay = 0;
      return notes.slice();
    },
    notes,
  };
}

describe('the workers at a queue', () => {
  const workers = (count: number): [string, string][] =>
    Array.from({ length: count }, (_, k) => [`worker ${k}`, '3']);

  it('are missed when they go, and told of when as many as before are back', async () => {
    const leases = new Map<string, string | null>();
    const { count, crew } = crewAt(leases);
    const told = async (number: number): Promise<string[]> => {
      leases.clear();
      for (const [id, threads] of workers(number)) leases.set(id, threads);
      const notes = await count();
      expect(crew.threads).toBe(3 * number);
      return notes;
    };
    expect(await told(0)).toEqual(['no worker is at there; start some: bspkit worker --queue there']);
    expect(await told(0)).toEqual([]);
    expect(await told(1)).toEqual(['1 worker is at there']);
    expect(await told(3)).toEqual([]);
    expect(await told(2)).toEqual(['2 workers are left at there; 1 has gone or fallen silent']);
    expect(await told(1)).toEqual(['1 worker is left at there; 1 has gone or fallen silent']);
    expect(await told(2)).toEqual(['2 workers are at there again']);
    expect(await told(3)).toEqual(['3 workers are at there again']);
    expect(await told(4)).toEqual([]);
    expect(await told(2)).toEqual(['2 workers are left at there; 2 have gone or fallen silent']);
    expect(await told(5)).toEqual(['5 workers are at there again']);
    expect(await told(6)).toEqual([]);
    expect(await told(0)).toEqual(['no worker is at there; start some: bspkit worker --queue there']);
    expect(await told(1)).toEqual(['1 worker is at there again']);
  });

  it('are told of again after the only one has gone, and are no longer asked about', async () => {
    const leases = new Map<string, string | null>(workers(1));
    const { count } = crewAt(leases);
    await count();
    leases.set('worker 0', null);
    expect(await count()).toEqual([expect.stringMatching(/^no worker is at there/)]);
    expect(leases.size).toBe(0);
    leases.set('worker 0', '3');
    leases.set('worker 1', '4 threads');
    expect(await count()).toEqual(['1 worker is at there again']);
    expect(leases.size).toBe(2);
  });

  it('are not told of when they are there from the beginning', async () => {
    const { crew, count } = crewAt(new Map(workers(2)));
    // The answer may take two seconds.
    expect(await count(2000)).toEqual([]);
    expect(crew.threads).toBe(6);
  });

  it('have five seconds to come back after the queue has', async () => {
    const leases = new Map<string, string | null>(workers(2));
    const { crew, count, ready, notes } = crewAt(leases);
    await count();
    leases.clear();
    ready();
    for (const [passed, threads, noted] of [
      [0, 6, 0],
      [4999, 6, 0],
      [1, 0, 1],
    ] as const) {
      now += passed;
      await crew.count();
      expect([crew.threads, notes.length]).toEqual([threads, noted]);
    }
  });

  it.each([
    ['takes longer than two seconds to answer', false, 2001],
    ['has forgotten everything', true, 0],
  ])('have five seconds to come back when the queue %s', async (_, forgets, takes) => {
    const leases = new Map<string, string | null>(workers(2));
    const { crew, count, forget, notes } = crewAt(leases);
    await count();
    leases.clear();
    if (forgets) forget();
    expect(await count(takes)).toEqual([]);
    expect(crew.threads).toBe(6);
    // From when it answered.
    for (const [passed, threads] of [
      [4999, 6],
      [1, 0],
    ] as const) {
      now += passed;
      await crew.count();
      expect([passed, crew.threads]).toEqual([passed, threads]);
    }
    expect(notes.length).toBe(1);
  });

  it('are of no use if all lack something, which is said once', async () => {
    const leases = new Map<string, string | null>(workers(2));
    const { crew, count } = crewAt(leases);
    await count();
    const [first, second] = [new Error('first'), new Error('second')];
    crew.lacks('worker 0', first);
    expect([await crew.count(), crew.threads]).toEqual([undefined, 3]);
    crew.lacks('worker 1', second);
    expect(crew.threads).toBe(0);
    expect(await crew.count()).toBe(first);
    // That is forgotten then, and what those lack that have gone.
    expect([await crew.count(), crew.threads]).toEqual([undefined, 6]);
    crew.lacks('worker 0', first);
    leases.delete('worker 0');
    expect([await crew.count(), crew.threads]).toEqual([undefined, 3]);
    leases.set('worker 0', '3');
    await count();
    expect(crew.threads).toBe(6);
    // Nor is one of no use that has answered since.
    crew.lacks('worker 0', first);
    crew.lacks('worker 1', second);
    crew.lacksNothing('worker 1');
    crew.lacksNothing(undefined);
    expect([await crew.count(), crew.threads]).toEqual([undefined, 3]);
  });
});
