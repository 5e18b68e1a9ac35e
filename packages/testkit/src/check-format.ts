import type { BspFormatEntry } from '@bspkit/core/format';
import { describe, expect, it } from 'vitest';
import { tracersOf } from './check-format/catalog.ts';
import { checkCatalog, checkIdentity, checkReading, checkWords } from './check-format/identity.ts';
import { checkMeshes } from './check-format/meshes.ts';
import { checkModels } from './check-format/models.ts';
import { checkQuestions } from './check-format/questions.ts';
import type { FormatSample, World } from './check-format/sample.ts';
import { checkTracer } from './check-format/tracers.ts';
import { checkWorld } from './check-format/world.ts';

export type { FormatSample };

/** What the suite needs to know about a format. */
export interface CheckOptions {
  /** Files of other kinds, which it must refuse. */
  readonly foreign?: readonly Uint8Array[];
  /**
   * Kinds of tracers that are tests of their own in the engine: `blocked` may say something else than the trace, as the package's
   * documents tell, and no move starts in solid. Of all others, `blocked` and the trace must agree, and some moves start in solid.
   */
  readonly ownTests?: readonly string[];
}

/**
 * What every format must do, as tests: whoever writes a format runs it over maps of theirs, at the top level of a test
 * file. Nothing in it knows which games there are.
 *
 * @param entry - the format's light half, as lists have it.
 * @param samples - some maps; one of them with inline models, if any of its tracers can be made for models.
 */
export async function checkFormat(
  entry: BspFormatEntry,
  samples: readonly FormatSample[],
  { foreign = [], ownTests = [] }: CheckOptions = {},
): Promise<void> {
  if (samples.length === 0) {
    throw new RangeError(`${entry.id} has no maps to be checked on: checkFormat needs some`);
  }
  const format = await entry.load();
  const before = samples.map(({ bytes }) => Uint8Array.from(bytes));
  describe(`format ${entry.id}`, () => {
    checkIdentity(entry, format, samples, [...OTHER_FILES, ...foreign]);
    checkReading(format, samples[0]!, [...OTHER_FILES, ...foreign]);
    checkWords(format);
    checkCatalog(format);
    for (const sample of samples) {
      const world = format.createWorld([format.read(sample.bytes)]) as World;
      describe(sample.name, () => {
        checkWorld(format, sample, world);
        checkQuestions(format, sample, world, ownTests);
        if (format.mesh) checkMeshes(format, sample, world);
        for (const tracer of tracersOf(format, world)) {
          checkTracer(tracer, format, world, ownTests.includes(tracer.kind.name));
        }
        if (world.numModels > 0) checkModels(format, world);
      });
    }
    if (format.tracers.kinds.some(({ options }) => options.includes('model')))
      it('has a sample with inline models', () => {
        const worlds = samples.map(({ bytes }) => format.createWorld([format.read(bytes)]));
        expect(worlds.some(({ numModels }) => numModels > 0)).toBe(true);
      });

    it('left its samples unchanged', () => {
      for (const [k, { name, bytes }] of samples.entries()) {
        expect(Buffer.compare(bytes, before[k]!), name).toBe(0);
      }
    });
  });
}

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Files that are no maps. */
const OTHER_FILES: readonly Uint8Array[] = [
  new Uint8Array(0),
  new Uint8Array(3),
  new Uint8Array(4096),
  ascii('PK\x03\x04, as a zip archive begins, and so on for a while'),
  ascii('<!doctype html><title>404</title>'),
  ascii('{\n"classname" "worldspawn"\n}\n'),
];
