import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { COMPILED } from '../determinism/compiled.ts';
import { ENGINES } from '../determinism/engines.ts';
import { given } from '../determinism/maps.ts';
import { createRuns, type Run, type SharedWorlds } from '../determinism/runs.ts';

/** Traces per shape; 1,000,000 for proof. */
const COUNT = Number(process.env.BSPKIT_RUNS_DETERMINISM ?? 2000);
const timeout = 60_000 + COUNT;

const inNode = ENGINES[0].run(COUNT);

describe(`after ${COUNT} traces per shape`, () => {
  const file = fileURLToPath(new URL(`../determinism/hashes-${COUNT}.json`, import.meta.url));
  const isWritten = existsSync(file);

  it.skipIf(!isWritten)(
    `answers have the hashes that are written down${isWritten ? '' : ' (skipped: none are for this count)'}`,
    async () => {
      const found = Object.entries(await inNode).filter(([name]) => !name.endsWith(COMPILED));
      // Of answers that are meant to change, `npx vitest run test/determinism.test.ts -u` writes the new ones.
      await expect(`${JSON.stringify(Object.fromEntries(found), null, 2)}\n`).toMatchFileSnapshot(file);
    },
    timeout,
  );

  it(
    'no two shapes have the same hash',
    async () => {
      const hashes = Object.values(await inNode);
      expect(hashes.length).toBeGreaterThan(40);
      expect(new Set(hashes).size).toBe(hashes.length);
    },
    timeout,
  );
});

describe('answers have no history', () => {
  const all = given().maps;
  const maps = FORMATS.flatMap(({ id }) => all.find(({ format }) => format === id) ?? []);
  const STEPS = 30;
  const hashesOf = (runs: readonly Run[]): string[] => runs.map((run) => `${run.name} ${run.hash()}`);

  it('they are the same alone, in worlds where all else is asked in between, and when asked again', async () => {
    const alone = await createRuns(maps);
    for (const run of alone) for (let k = 0; k < STEPS; k++) run.step();
    const worlds: SharedWorlds = new Map();
    const [mixed, again] = [await createRuns(maps, worlds), await createRuns(maps, worlds)];
    for (const runs of [mixed, again]) {
      for (let k = 0; k < STEPS; k++) for (const run of runs) run.step();
    }
    expect(hashesOf(mixed)).toEqual(hashesOf(alone));
    expect(hashesOf(again)).toEqual(hashesOf(alone));
  });
});
