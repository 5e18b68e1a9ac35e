import { readFileSync } from 'node:fs';
import { arenaQuake3 } from '@bspkit/fixtures';
import { testReadme } from '@bspkit/testkit/readme';
import { describe, expect, it } from 'vitest';

testReadme(new URL('../../../', import.meta.url), { 'arena.bsp': arenaQuake3() });

// Core's test is here, because the code that runs README examples depends on core itself.
describe('core', () => {
  testReadme(new URL('../../core/', import.meta.url));
});

it('says of our compiler what its own README says, whose figures a script on other machines has printed', () => {
  const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const [about = ''] = /^\[Our compiler\].*?\n\n/ms.exec(read('README.md')) ?? [];
  const [compared = ''] =
    /^## Compared with the games' own compilers\n.*?^## /ms.exec(read('packages/compile/README.md')) ?? [];
  const figures = about.match(/\b[\d,]+\b/g) ?? [];
  expect(figures.length).toBeGreaterThan(2);
  for (const figure of figures) expect(compared).toMatch(new RegExp(`\\b${figure}\\b`));
});
