import { fileURLToPath } from 'node:url';
import { readmeExamples, runExample } from '@bspkit/testkit/readme';
import { describe, expect, it } from 'vitest';
import { maps } from './maps.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

describe('README', () => {
  const examples = readmeExamples(folder);

  it('has examples that say what they print', () => {
    expect(examples).toHaveLength(5);
    for (const { prints } of examples) expect(prints.length).toBeGreaterThan(0);
  });

  it.each(examples.map((example) => [example.line, example] as const))(
    'example at line %i prints what it says',
    async (_, example) => {
      expect(await runExample(folder, example, { 'arena.bsp': maps.quake3 })).toEqual(example.prints);
    },
  );
});
