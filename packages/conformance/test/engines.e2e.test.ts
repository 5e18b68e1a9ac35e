import { describe, expect, it } from 'vitest';
import { ENGINES } from '../determinism/engines.ts';

// The program of `determinism.test.ts` in other JavaScript engines.

/** Traces per shape; the proof run has 1,000,000. */
const COUNT = Number(process.env.BSPKIT_RUNS_DETERMINISM ?? 2000);
const timeout = 120_000 + COUNT;

const [node, ...others] = ENGINES;
const inNode = node.run(COUNT);

describe(`after ${COUNT} traces per shape`, () => {
  for (const { name, missing, most = COUNT, run } of others) {
    const why = missing || (COUNT > most ? `it interprets: ${most} traces at most` : '');
    it.skipIf(why !== '')(
      `${name} has the same hashes for answers and compiled maps${why && ` (skipped: ${why})`}`,
      async () => expect(await run(COUNT)).toEqual(await inNode),
      timeout,
    );
  }
});
