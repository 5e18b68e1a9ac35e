import {
  type BspFormatEntry,
  checkArrayOf,
  checkCallback,
  checkList,
  checkObject,
  checkOptions,
  checkText,
  checkWhole,
} from '@bspkit/core/format';
import { describe, expect, it, onTestFinished } from 'vitest';
import { caught, NONE } from './demand.ts';
import type { FormatSample, It } from './sample.ts';
import { declareTests } from './suite.ts';

export type { FormatSample };

/** What {@link checkFormat} cannot find out by itself. Most formats need none of it. */
export interface CheckOptions {
  /** Files of other formats, which it must refuse; some that are not maps at all are always tried. */
  readonly foreign?: readonly Uint8Array[] | undefined;
  /**
   * Kinds of tracers, by their names in `tracers.kinds`, that are tests of their own in the engine: `blocked` may say something else
   * than the trace, as the package's documentation says, and no move starts in solid. Of all others, `blocked` and the trace must
   * agree, and some moves must start in solid.
   */
  readonly ownTests?: readonly string[] | undefined;
  /** How many broken copies of a map each test of broken files tries, always the same ones; 60 by default, a million at most. */
  readonly mutants?: number | undefined;
}

/** Days of work. */
const MOST_MUTANTS = 1_000_000;

const OPTIONS: readonly (keyof CheckOptions)[] = ['foreign', 'ownTests', 'mutants'];

/**
 * Declares the tests that every map format must pass, in a `describe` block named after the format. Call it at the top level of a
 * test file that Vitest runs.
 *
 * The tests find answers that contradict each other, the map, or their own fields, and broken files that end in anything but a
 * `BspError`. They cannot know whether a fraction is right: one that is wrong in the same way wherever it is asked for passes. What
 * the samples lack, such as inline models, is reported by a test that fails, too.
 *
 * @param entry - the format's light half, as lists of formats have it.
 * @param samples - maps to try it on, each by all tests. A few rooms are enough, with space for a player of Quake. If tracers can be
 * made for inline models, one of the maps must have some.
 * @returns a promise that is fulfilled at once; `await` it, so that what follows is reported.
 * @throws TypeError or RangeError for wrong arguments, by name, and for no samples.
 * @throws Error outside Vitest, and in a test.
 */
export async function checkFormat(
  entry: BspFormatEntry,
  samples: readonly FormatSample[],
  options: CheckOptions = {},
): Promise<void> {
  checkArguments(entry, samples, options);
  checkPlace();
  // Declared before anything is waited for: otherwise the tests would be lost where nobody waits for this function.
  describe(`format ${entry.id}`, async () => {
    declareTests({ describe, it: patiently }, entry, await entry.load(), samples, options);
  });
}

/** Without a limit of time: it stops no test that waits for nothing, and fails those of large maps and busy machines. */
const patiently: It = (title, run) => it(title, run, 0);

function checkArguments(
  entry: BspFormatEntry,
  samples: readonly FormatSample[],
  options: CheckOptions,
): void {
  checkObject(entry, 'entry');
  checkText(entry.id, 'entry.id');
  for (const name of ['detect', 'load', 'loadReader'] as const) checkCallback(entry[name], `entry.${name}`);
  checkList(samples, 'samples');
  if (samples.length === 0) throw new RangeError('samples must have a map of the format, at least one');
  for (const [k, sample] of samples.entries()) {
    checkObject(sample, `samples[${k}]`);
    checkText(sample.name, `samples[${k}].name`);
    checkArrayOf(sample.bytes, Uint8Array, `samples[${k}].bytes`);
  }
  checkOptions(options, OPTIONS);
  const { foreign = [], ownTests = [], mutants = 1 } = options;
  checkList(foreign, 'options.foreign');
  for (const [k, bytes] of foreign.entries()) checkArrayOf(bytes, Uint8Array, `options.foreign[${k}]`);
  checkList(ownTests, 'options.ownTests');
  for (const [k, name] of ownTests.entries()) checkText(name, `options.ownTests[${k}]`);
  checkWhole(mutants, 'options.mutants', 1, MOST_MUTANTS);
}

/** Tests that are declared anywhere but at the top level of a test file would never run, and nobody would notice. */
function checkPlace(): void {
  const isOutside = caught(() => expect.getState()) !== NONE || expect.getState().testPath === undefined;
  // This is refused except in a test.
  const isInTest = !isOutside && caught(() => onTestFinished(() => {})) === NONE;
  if (!isOutside && !isInTest) return;
  const where = isOutside ? 'outside Vitest' : 'in a test';
  throw new Error(`checkFormat declares tests: call it at the top level of a test file, not ${where}`);
}
