import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differenceText, expectWritten } from '@bspkit/testkit/written';
import { expect, it } from 'vitest';
import { ROOT } from '../src/sources.ts';

it('files that tests write are compared, and what is said of others names the command that writes them', async () => {
  const file = join(ROOT, 'packages/conformance/test/written.test.ts');
  await expectWritten(readFileSync(file, 'utf8'), file);
  const saying = (test: string): string => differenceText(file, join(ROOT, test), 'It has numbers.');
  expect(saying('a.test.ts')).toMatch(
    /^\S*written\.test\.ts is not as it would be written today\. It has numbers\.\nnpx vitest run \S*a\.test\.ts -u writes it/,
  );
  expect(saying('a.e2e.test.ts')).toMatch(/\nnpm run test:e2e -- \S*a\.e2e\.test\.ts -u writes it/);
});
