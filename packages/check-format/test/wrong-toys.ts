import type { Mesh, Tracer } from '@bspkit/core';
import type { BspFormat, BspFormatEntry, TracerKind } from '@bspkit/core/format';
import { type ToyFormat, type ToyWorld, toy, toyMap } from '@bspkit/testkit/toy';
import { expect, it } from 'vitest';
import type { CheckOptions, FormatSample } from '../src/index.ts';
import { declareTests } from '../src/suite.ts';

// Toys with mistakes, and what the suite says about them.

export const ROOM: FormatSample = { name: 'room', bytes: toyMap() };

/** Runs the suite over a toy with changes, also of its light half, and returns the tests that fail: title and message. */
export async function failuresOf(
  changed: Partial<ToyFormat>,
  samples: readonly FormatSample[] = [ROOM],
  options: CheckOptions = {},
  isAsked: (title: string) => boolean = () => true,
  half: Partial<BspFormatEntry> = {},
): Promise<string[]> {
  // Not made by `defineFormat`, which formats may do without: it would see some mistakes first.
  const format = { ...toy, ...changed } as unknown as BspFormat;
  const { id, name, versions, detect } = format;
  const entry: BspFormatEntry = {
    ...{ id, name, versions, detect },
    loadReader: () => Promise.resolve(format),
    load: () => Promise.resolve(format),
    ...half,
  };
  const tests: { title: string; run: () => void | Promise<void> }[] = [];
  const groups: string[] = [];
  const runner = {
    it: (title: string, run: () => void | Promise<void>) => {
      tests.push({ title: [...groups, title].join(' > '), run });
    },
    describe: (title: string, declare: () => void) => {
      groups.push(title);
      declare();
      groups.pop();
    },
  };
  declareTests(runner, entry, format, samples, { mutants: 10, ...options });
  const failures: string[] = [];
  for (const { title, run } of tests) {
    if (!isAsked(title)) continue;
    try {
      await run();
    } catch (error) {
      failures.push(`${title}: ${(error as Error).message}`);
    }
  }
  return failures;
}

/** The toy's worlds with changes. */
export const worlds = (change: (world: ToyWorld) => Partial<ToyWorld>): Partial<ToyFormat> => ({
  createWorld(files, options) {
    const world = toy.createWorld(files, options);
    return Object.assign(world, change(world));
  },
});

/** The toy's tracers with changes. */
export function tracers(change: (tracer: Tracer) => Partial<Tracer>): Partial<ToyFormat> {
  const kinds = toy.tracers.kinds.map(
    (kind): TracerKind<ToyWorld> => ({
      ...kind,
      create(...given) {
        const tracer = kind.create(...given);
        return Object.assign(tracer, change(tracer));
      },
    }),
  );
  return { tracers: { ...toy.tracers, kinds } };
}

/** The toy's tracers, made in another way. */
export function kinds(
  change: (kind: TracerKind<ToyWorld>) => Partial<TracerKind<ToyWorld>>,
): Partial<ToyFormat> {
  return {
    tracers: { ...toy.tracers, kinds: toy.tracers.kinds.map((kind) => ({ ...kind, ...change(kind) })) },
  };
}

export const mesh = (change: (mesh: Mesh) => Partial<Mesh>): Partial<ToyFormat> => ({
  mesh(file, options) {
    const made = toy.mesh!(file, options);
    return { ...made, ...change(made) };
  },
});

export type Changed = Partial<ToyFormat>;

/** Declares that a test of the suite says this of toys with these changes. */
export function finds(test: string, toys: Readonly<Record<string, Changed>>): void {
  it.each(Object.entries(toys))(`${test}: %s`, async (failure, changed) => {
    const failures = await failuresOf(changed, [ROOM], {}, (title) => title.includes(test));
    expect(failures.filter((text) => text.includes(failure)).length, failures.join('\n')).toBeGreaterThan(0);
  });
}
