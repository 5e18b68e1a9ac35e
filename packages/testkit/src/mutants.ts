import type { Trace } from '@bspkit/core';
import fc from 'fast-check';
import { expect } from 'vitest';
import { breaking } from './broken.ts';
import type { CraftedFormat, Field } from './crafted/files.ts';
import { refusal } from './refusals.ts';
import { SEED } from './seed.ts';

/** How many mutants to try; BSPKIT_MUTANTS=20000 is the proof run. */
export const MUTANTS: number = Number(process.env.BSPKIT_MUTANTS ?? 200);
if (!(Number.isInteger(MUTANTS) && MUTANTS > 0))
  throw new Error(`BSPKIT_MUTANTS must be a whole number above 0, got ${process.env.BSPKIT_MUTANTS}`);

/** Changes a map, in place or in a copy, and returns it. */
export type Mutation = (bytes: Uint8Array) => Uint8Array;

/** Milliseconds that a test of mutants may take. */
export const MUTANTS_TIMEOUT: number = 30_000 + 100 * MUTANTS;

/** Numbers that break things: the ends of ranges, and floats that are not finite. */
export const nasty: fc.Arbitrary<number> = fc.constantFrom(
  ...[0, 1, -1, 2, -2, -15, -16, 255, 0x7fff, 0x8000, 0xffff, 0x7fffffff, -0x80000000],
  ...[0x7fc00000, 0x7f800000, 0x7f7fffff, 0x4b000000],
);

/** Anywhere in a lump or file, as a fraction of it; without fast-check's liking for small numbers, which are all header. */
export const anywhere: fc.Arbitrary<number> = fc.noBias(fc.nat(0xffffff)).map((step) => step / 0x1000000);

const mutation = <T>(drawn: fc.Arbitrary<T>, mutate: (bytes: Uint8Array, drawn: T) => Uint8Array) =>
  drawn.map(
    (value): Mutation =>
      (bytes) =>
        mutate(bytes, value),
  );

/** Flips a bit. */
export const flippedBit: fc.Arbitrary<Mutation> = mutation(
  fc.tuple(anywhere, fc.nat(7)),
  (bytes, [at, bit]) => {
    bytes[Math.floor(at * bytes.length)]! ^= 1 << bit;
    return bytes;
  },
);

/** Cuts the file. */
export const cut: fc.Arbitrary<Mutation> = mutation(anywhere, (bytes, at) =>
  bytes.slice(0, Math.floor(at * bytes.length)),
);

/** Where the directory ends. */
const endOf = ({ directory, lumps }: CraftedFormat): number => directory + 8 * Object.keys(lumps).length;

/** Changes an offset or a length in the directory: small changes there do the most. */
export const directoryWord = (format: CraftedFormat): fc.Arbitrary<Mutation> =>
  mutation(fc.tuple(fc.nat(2 * Object.keys(format.lumps).length - 1), nasty), (bytes, [entry, word]) => {
    if (bytes.length >= endOf(format))
      new DataView(bytes.buffer).setInt32(format.directory + 4 * entry, word, true);
    return bytes;
  });

/** A mutation for each of some fields of lumps, which changes it in any record. */
export function fieldsOf<Lump extends string>(
  format: CraftedFormat & { readonly lumps: Readonly<Record<Lump, number>> },
  fields: { readonly [name in Lump]?: readonly Field[] },
): fc.Arbitrary<Mutation>[] {
  const { lumpAt, withNumber } = breaking(format);
  const number = fc.oneof(nasty, fc.integer({ min: -5000, max: 5000 }));
  return (Object.keys(fields) as Lump[]).flatMap((lump) =>
    fields[lump]!.map(({ at, size }) =>
      mutation(fc.tuple(anywhere, number), (bytes, [where, value]) => {
        if (bytes.length < endOf(format)) return bytes;
        const { offset, length } = lumpAt(bytes, lump);
        const record = Math.max(format.lumps[lump], size);
        const records = Math.floor(length / record);
        if (records < 1 || offset < 0 || offset + length > bytes.length) return bytes;
        return withNumber(bytes, lump, record * Math.floor(where * records) + at, value, size);
      }),
    ),
  );
}

/**
 * Expects {@link MUTANTS} mutants of some maps, each changed up to `most` times, to load and answer, or to be refused with a
 * BspError. `use` loads one and asks it all kinds of things; whatever else it throws fails the run, with seed and counterexample.
 */
export function tryMutants(
  maps: readonly Uint8Array[],
  mutations: fc.Arbitrary<Mutation>,
  use: (bytes: Uint8Array) => void,
  most = 4,
): void {
  let loaded = 0;
  let slowest = 0;
  fc.assert(
    fc.property(
      fc.nat(maps.length - 1),
      fc.array(mutations, { minLength: 1, maxLength: most }),
      (map, changes) => {
        let bytes: Uint8Array = Uint8Array.from(maps[map]!);
        for (const change of changes) bytes = change(bytes);
        const begin = performance.now();
        if (refusal(() => use(bytes)) === '') loaded++;
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
  // Both ends must be reached, or the mutations are too mild or too wild to prove anything.
  expect(loaded).toBeGreaterThan(MUTANTS / 20);
  expect(loaded).toBeLessThan(MUTANTS);
}

/** Throws unless an answer is valid, whatever the map: a fraction from 0 to 1, and finite coordinates. */
export function checkAnswer(trace: Trace): void {
  const { fraction, endPos, normal, dist } = trace;
  const numbers = [...endPos, ...normal, dist];
  if (fraction >= 0 && fraction <= 1 && numbers.every(Number.isFinite)) return;
  throw new Error(`fraction ${fraction}, end ${endPos}, normal ${normal}, dist ${dist}`);
}
