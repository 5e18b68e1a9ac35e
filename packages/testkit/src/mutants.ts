import type { Trace } from '@bspkit/core';
import fc from 'fast-check';
import { SEED } from './seed.ts';

/** How many mutants to try; BSPKIT_MUTANTS=20000 is the proof run. */
export const MUTANTS: number = Number(process.env.BSPKIT_MUTANTS ?? 200);
if (!(Number.isInteger(MUTANTS) && MUTANTS > 0))
  throw new Error(`BSPKIT_MUTANTS must be a whole number above 0, got ${process.env.BSPKIT_MUTANTS}`);

/** Changes a map, in place or in a copy, and returns it. */
export type Mutation = (bytes: Uint8Array) => Uint8Array;

/**
 * Tries {@link MUTANTS} mutants of some maps, each changed up to `most` times. `survives` loads and uses one: it returns true if
 * it loaded, false if it was refused as it should be; whatever it throws fails the run, with seed and counterexample. Returns how
 * many loaded: both must happen often, or the mutations are too mild or too wild to prove anything.
 */
export function tryMutants(
  maps: readonly Uint8Array[],
  mutation: fc.Arbitrary<Mutation>,
  survives: (bytes: Uint8Array) => boolean,
  most = 4,
): number {
  let loaded = 0;
  let slowest = 0;
  fc.assert(
    fc.property(
      fc.nat(maps.length - 1),
      fc.array(mutation, { minLength: 1, maxLength: most }),
      (map, mutations) => {
        let bytes: Uint8Array = Uint8Array.from(maps[map]!);
        for (const mutate of mutations) bytes = mutate(bytes);
        const begin = performance.now();
        if (survives(bytes)) loaded++;
        slowest = Math.max(slowest, performance.now() - begin);
      },
    ),
    { numRuns: MUTANTS, seed: SEED },
  );
  // A proof run is made for its figures.
  if (process.env.BSPKIT_MUTANTS) {
    const took = `the slowest took ${slowest.toFixed(0)} ms`;
    console.log(`seed ${SEED}: ${loaded} of ${MUTANTS} loaded, ${took}`);
  }
  return loaded;
}

/** Throws unless an answer is valid, whatever the map: a fraction from 0 to 1, and finite coordinates. */
export function checkAnswer(trace: Trace): void {
  const { fraction, endPos, normal, dist } = trace;
  const numbers = [...endPos, ...normal, dist];
  if (fraction >= 0 && fraction <= 1 && numbers.every(Number.isFinite)) return;
  throw new Error(`fraction ${fraction}, end ${endPos}, normal ${normal}, dist ${dist}`);
}
