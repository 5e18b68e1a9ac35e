import { fileURLToPath } from 'node:url';
import { readEngineMap } from '@bspkit/fixtures/engine';
import { readmeExamples, runExample } from '@bspkit/testkit/readme';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));

// An example says how much is allocated.

describe('README', () => {
  const examples = readmeExamples(folder);

  it('has examples that say what they print', () => {
    expect(examples).toHaveLength(5);
    for (const { prints } of examples) expect(prints.length).toBeGreaterThan(0);
  });

  it.each(examples.map((example) => [example.line, example] as const))(
    'example at line %i prints what it says',
    async (_, example) => {
      expect(await runExample(folder, example, { 'arena.bsp': readEngineMap('quake3/arena.bsp') })).toEqual(
        example.prints,
      );
    },
  );
});
