import { describe, expect, it } from 'vitest';
import { ENGINES, inNode } from '../determinism/engines.ts';

// The program of `determinism.test.ts` in other JavaScript engines.

/** Traces per shape that are asked for; the proof run has 1,000,000. */
const ASKED = process.env.BSPKIT_RUNS_DETERMINISM;
const timeout = 240_000 + Number(ASKED ?? 0);

/** Traces per shape, in engines that compile and in those that only interpret. */
const COUNT = Number(ASKED ?? 2000);
const FEW = Math.min(Number(ASKED ?? 300), 10_000);

const [, ...others] = ENGINES;
const node = inNode([FEW, COUNT]);

describe('the same hashes for answers and compiled maps', () => {
  for (const { name, missing, interprets, run } of others) {
    const count = interprets ? FEW : COUNT;
    it.skipIf(missing !== '')(
      `in ${name}, after ${count} traces per shape${missing && ` (skipped: ${missing})`}`,
      async () => expect(await run(count)).toEqual((await node)[interprets ? 0 : 1]),
      timeout,
    );
  }
});
