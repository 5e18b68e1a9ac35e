import { type BspFormat, type BspFormatEntry, checkChoice } from '@bspkit/core/format';
import { tracersOf } from './catalog.ts';
import type { CheckOptions } from './check-format.ts';
import { demand } from './demand.ts';
import { checkCatalog, checkIdentity, checkParts, checkWords } from './identity.ts';
import { checkLight } from './light.ts';
import { checkMeshes } from './meshes.ts';
import { checkModels } from './models.ts';
import { checkQuestions } from './questions.ts';
import { checkReading } from './reading.ts';
import type { FormatSample, It, World } from './sample.ts';
import { checkTracer } from './tracers.ts';
import { checkWorld } from './world.ts';

/** What tests are declared with. */
export interface Runner {
  readonly it: It;
  /** Declares a group of tests, by a function that declares these. */
  readonly describe: (title: string, tests: () => void) => void;
}

/** Declares all tests of a format. */
export function declareTests(
  { describe, it }: Runner,
  entry: BspFormatEntry,
  format: BspFormat,
  samples: readonly FormatSample[],
  { foreign = [], ownTests = [], mutants = 60 }: CheckOptions,
): void {
  if (!checkParts(it, format)) return;
  const kinds = format.tracers.kinds.map(({ name }) => name);
  for (const [k, name] of ownTests.entries()) checkChoice(name, `options.ownTests[${k}]`, kinds);
  const others = [...OTHER_FILES, ...foreign];
  const before = samples.map(({ bytes }) => Uint8Array.from(bytes));
  checkIdentity(it, entry, format, samples, others);
  checkReading(it, format, samples[0]!, others, mutants);
  checkWords(it, format);
  checkCatalog(it, format);
  for (const sample of samples) {
    describe(sample.name, () => {
      let world: World | undefined;
      declare(it, 'can be opened', () => {
        world = format.createWorld([format.read(sample.bytes)]) as World;
      });
      if (world) checkSample(it, format, sample, world, ownTests, mutants);
    });
  }
  if (format.tracers.kinds.some((kind) => kind.options.includes('model')))
    it('has a sample with inline models', () => {
      const worlds = samples.map(({ bytes }) => format.createWorld([format.read(bytes)]));
      demand(
        worlds.some(({ numModels }) => numModels > 0),
        `tracers take the option 'model', and none of the samples has inline models: add one that has`,
      );
    });

  it('left its samples unchanged', () => {
    for (const [k, { name, bytes }] of samples.entries()) {
      const isSame = Buffer.compare(bytes, before[k]!) === 0;
      demand(isSame, `the bytes of ${name} have changed; they belong to the caller`);
    }
  });
}

/** All tests of one map. */
function checkSample(
  it: It,
  format: BspFormat,
  sample: FormatSample,
  world: World,
  ownTests: readonly string[],
  mutants: number,
): void {
  declare(it, 'has a world to ask', () => checkWorld(it, format, sample, world));
  declare(it, 'answers questions', () => checkQuestions(it, format, sample, world, ownTests));
  declare(it, 'has meshes', () => {
    if (format.mesh) checkMeshes(it, format, sample, world, mutants);
    if (format.createLightSampler) checkLight(it, format, sample, world);
  });
  declare(it, 'has tracers', () => {
    for (const tracer of tracersOf(format, world)) {
      const isOwn = ownTests.includes(tracer.kind.name);
      declare(it, `${tracer.name}: can be made`, () => checkTracer(it, tracer, format, world, isOwn));
    }
  });
  declare(it, 'has tracers of models', () => {
    if (world.numModels > 0) checkModels(it, format, world);
  });
}

/** Declares tests. Where that fails, a test with this title fails in their place, and those of the rest of the file still run. */
function declare(it: It, title: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    it(title, () => {
      throw error;
    });
  }
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
