import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expectWritten } from '@bspkit/testkit/written';
import { detectBsp } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { COMPILED } from '../determinism/compiled.ts';
import { ENGINES } from '../determinism/engines.ts';
import { given } from '../determinism/maps.ts';
import { createRuns, type Run, type SharedWorlds } from '../determinism/runs.ts';
import { ROOT } from '../src/sources.ts';

/** Traces per shape; the proof run has 1,000,000. */
const COUNT = Number(process.env.BSPKIT_RUNS_DETERMINISM ?? 2000);
const timeout = 60_000 + COUNT;

// In a process of its own, beside the tests that need it last.
const inNode = ENGINES[0].run(COUNT);

describe('answers do not depend on history', () => {
  const all = given().maps;
  /** One map of each format and version: some shapes exist in maps of only one version. */
  const versions = new Map(all.map((map) => [`${map.format} ${detectBsp(map.bytes).version}`, map] as const));
  const maps = [...versions.values()];
  const STEPS = 30;
  /** Polygons have no random questions, and take longest: asking for them only a few times in between is as good. */
  const isAsked = (run: Run, step: number): boolean => step % 7 === 0 || !run.name.endsWith(' polygons');
  const ask = (run: Run, step: number): void => {
    if (isAsked(run, step)) run.step();
  };
  const hashesOf = (runs: readonly Run[]): string[] => runs.map((run) => `${run.name} ${run.hash()}`);

  it('they are the same alone, in worlds with all other questions in between, and when asked again', async () => {
    const alone = await createRuns(maps);
    for (const run of alone) for (let k = 0; k < STEPS; k++) ask(run, k);
    const worlds: SharedWorlds = new Map();
    const [mixed, again] = [await createRuns(maps, worlds), await createRuns(maps, worlds)];
    for (const runs of [mixed, again]) {
      for (let k = 0; k < STEPS; k++) for (const run of runs) ask(run, k);
    }
    expect(hashesOf(mixed)).toEqual(hashesOf(alone));
    expect(hashesOf(again)).toEqual(hashesOf(alone));
  });
});

it.each(['README.md', 'apps/docs/guides/bit-equality.md'])('%s names all engines', (path) => {
  const paragraphs = readFileSync(`${ROOT}${path}`, 'utf8').split('\n\n');
  // By hand, with BSPKIT_NODE.
  for (const name of [...ENGINES.map((engine) => engine.name.split(' ')[0]!), 'Deno']) {
    expect(paragraphs.find((paragraph) => /hashes/.test(paragraph) && /QuickJS/.test(paragraph))).toContain(
      name,
    );
  }
});

describe(`after ${COUNT} traces per shape`, () => {
  const file = fileURLToPath(new URL(`../determinism/hashes-${COUNT}.json`, import.meta.url));
  const isWritten = existsSync(file);

  it.skipIf(!isWritten)(
    `answers have the recorded hashes${isWritten ? '' : ' (skipped: none are for this count)'}`,
    async () => {
      const found = Object.entries(await inNode).filter(([name]) => !name.endsWith(COMPILED));
      const advice = `Is an engine's row not answered any more? If all are, other hashes
are to be recorded with BSPKIT_RUNS_DETERMINISM=1000000 too, in three minutes.`;
      await expectWritten(`${JSON.stringify(Object.fromEntries(found), null, 2)}\n`, file, advice);
    },
    timeout,
  );

  it(
    'no two shapes have the same hash',
    async () => {
      // Polygons have no random questions: they are equal where two formats store them alike, in maps from the same source.
      const hashes = Object.entries(await inNode).filter(([name]) => !name.endsWith(' polygons'));
      expect(hashes.length).toBeGreaterThan(40);
      const first = new Map<string, string>();
      const equal: string[] = [];
      for (const [name, hash] of hashes) {
        if (first.has(hash)) equal.push(`${first.get(hash)} = ${name}`);
        else first.set(hash, name);
      }
      expect(equal).toEqual([]);
    },
    timeout,
  );
});
