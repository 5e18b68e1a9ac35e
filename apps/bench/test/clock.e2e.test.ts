import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { runBench } from '../src/bench.ts';
import { CLOCKS, onAllProcessors, onOneProcessor, processorOfThread, stayOn } from '../src/clock.ts';
import type { ColdStart } from '../src/cold.ts';
import { openMap } from '../src/maps.ts';
import { openAddon } from '../src/native-addon.ts';

const addon = openAddon('the thread', ['../native/thread.c']);
const hasClock = 'threadCpuUsage' in process || typeof addon !== 'string';

describe('the clock of processor time', () => {
  it.skipIf(!hasClock)(
    `leaves out what other threads do${hasClock ? '' : ` (skipped: no process.threadCpuUsage, and ${addon})`}`,
    async () => {
      const busy = new Worker('const end = performance.now() + 100; while (performance.now() < end);', {
        eval: true,
      });
      const began = CLOCKS.cpu();
      const all = process.cpuUsage();
      await once(busy, 'exit');
      const { user, system } = process.cpuUsage(all);
      expect(CLOCKS.cpu() - began).toBeLessThan((user + system) / 1000 / 2);
    },
  );

  it('counts what this thread does', () => {
    const began = CLOCKS.cpu();
    let sum = 0;
    for (let k = 0; k < 1e7; k++) sum += Math.sqrt(k);
    expect(sum).toBeGreaterThan(0);
    expect(CLOCKS.cpu()).toBeGreaterThan(began);
  });
});

/** The number of processors that a process started here may use. */
const processors = async (): Promise<number> => Number(execFileSync('nproc', { encoding: 'utf8' }));
const all = process.platform === 'linux' ? await processors() : 1;
const few =
  typeof addon === 'string' ? addon : all < 2 ? 'this system has, or tells of, one processor' : undefined;

describe('the processor', () => {
  it.skipIf(few)(`is pinned only where work asks for that${few ? ` (skipped: ${few})` : ''}`, async () => {
    const [one, within, after] = await onOneProcessor(async () => [
      await processors(),
      await onAllProcessors(processors),
      await processors(),
    ]);
    expect([one, within, after, await processors()]).toEqual([1, all, 1, all]);
    await expect(onOneProcessor(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await processors()).toBe(all);
  });

  it.skipIf(few)(
    `is the same after work on all, and in threads that are told of it${few ? ` (skipped: ${few})` : ''}`,
    async () => {
      const allowed = (): string =>
        /Cpus_allowed_list:\s*(.*)/.exec(readFileSync('/proc/thread-self/status', 'utf8'))![1]!;
      await onOneProcessor(async () => {
        const first = allowed();
        expect(first).toBe(String(processorOfThread()));
        await onAllProcessors(async () => expect(processorOfThread()).toBe(-1));
        expect(allowed()).toBe(first);
      });
      const before = allowed();
      // The first and the last of a list such as 0-3,8.
      const [first, last] = [before.match(/^\d+/)![0], before.match(/\d+$/)![0]];
      for (const one of [first, first, last]) {
        stayOn(Number(one));
        expect([allowed(), processorOfThread()]).toEqual([one, Number(one)]);
      }
      stayOn(-1);
      expect([allowed(), processorOfThread()]).toEqual([before, -1]);
      stayOn(1023);
      expect([allowed(), processorOfThread()]).toEqual([before, -1]);
    },
  );

  it.skipIf(few)(
    `is not pinned for processes that show how a new one begins${few ? ` (skipped: ${few})` : ''}`,
    async () => {
      const seen: number[] = [];
      const coldStart = (): ColdStart => {
        seen.push(Number(execFileSync('nproc', { encoding: 'utf8' })));
        return { loadMs: 1, firstMs: 1, compileMs: 1, instanceMs: 1, tracesMs: 1 };
      };
      const asked = {
        shapes: ['ray'],
        motions: ['long'],
        peers: ['bspkit'],
        queries: 20,
        rounds: 1,
      } as const;
      await runBench(['arena'], (name) => openMap(name), { ...asked, seed: 1, clock: 'cpu', coldStart });
      expect(seen).toEqual([all]);
    },
  );
});
