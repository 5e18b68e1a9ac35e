import { fileURLToPath } from 'node:url';
import { arenaQuake3 } from '@bspkit/fixtures';
import { readmeExamples, runExample } from '@bspkit/testkit/readme';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('README of the project', () => {
  const examples = readmeExamples(root);

  it('has an example that says what it prints', () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const { prints } of examples) expect(prints.length).toBeGreaterThan(0);
  });

  it.each(examples.map((example) => [example.line, example] as const))(
    'example at line %i prints so',
    async (_, example) => {
      expect(await runExample(root, example, { 'arena.bsp': arenaQuake3() })).toEqual(example.prints);
    },
  );
});
