import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { beforeEach, expect, it, vi } from 'vitest';
import { summarize } from '../../../scripts/test-summary.mjs';

// The line with which `npm test` ends.

const root = temporaryFolder();
const report = join(root, 'report.json');
const [one, two] = ['packages/a/test/one.test.ts', 'apps/b/test/in/it/two.e2e.test.ts'];
for (const file of [one, two]) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), '');
}
mkdirSync(join(root, 'apps/examples'));

const printed: string[] = [];
beforeEach(() => {
  printed.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line) => printed.push(line));
  return () => vi.restoreAllMocks();
});

/** What is returned and printed of a report in which these files have tests with these results. */
function summaryOf(
  files: Readonly<Record<string, readonly string[]>>,
  { projects = ['sources', 'measuring', 'e2e'], isTitled = false } = {},
): [boolean, ...string[]] {
  const all = Object.values(files).flat();
  const count = (status: string): number => all.filter((one) => one === status).length;
  const testResults = Object.entries(files).map(([name, results]) => ({
    name: join(root, name),
    status: results.length === 0 || results.includes('failed') ? 'failed' : 'passed',
    assertionResults: results.map((status) => ({ status })),
  }));
  const counts = {
    ...{ numPassedTests: count('passed'), numFailedTests: count('failed') },
    ...{ numPendingTests: count('skipped'), numTodoTests: 0 },
  };
  writeFileSync(report, JSON.stringify({ testResults, ...counts }));
  return [summarize(root, report, projects, isTitled), ...printed];
}

it('counts tests, and is right where none has failed', () => {
  expect(summaryOf({ [one]: ['passed', 'passed'], [two]: ['skipped'] })).toEqual([
    true,
    '2 passed, 0 failed, 1 skipped',
  ]);
});

it('counts a file that did not load as failed, once', () => {
  expect(summaryOf({ [one]: ['passed'], [two]: [] })).toEqual([false, '1 passed, 1 failed, 0 skipped']);
});

it('does not count a file with failed tests besides these', () => {
  expect(summaryOf({ [one]: ['failed', 'failed'], [two]: ['passed'] })).toEqual([
    false,
    '1 passed, 2 failed, 0 skipped',
  ]);
});

it('names files of the projects that the report does not have', () => {
  const lines = [`no test report from ${two}`, '1 passed, 1 failed, 0 skipped'];
  expect(summaryOf({ [one]: ['passed'] })).toEqual([false, ...lines]);
  printed.length = 0;
  expect(summaryOf({})).toEqual([
    false,
    `no test report from ${one}, ${two}`,
    '0 passed, 2 failed, 0 skipped',
  ]);
});

it('expects no files of other projects', () => {
  expect(summaryOf({ [one]: ['passed'] }, { projects: ['sources'] })).toEqual([
    true,
    '1 passed, 0 failed, 0 skipped',
  ]);
});

it('says when no test has the title, which is an error', () => {
  expect(summaryOf({ [one]: ['skipped'] }, { projects: [], isTitled: true })).toEqual([
    false,
    '0 passed, 0 failed, 1 skipped',
    'no test has such a title',
  ]);
});

it('is not right without a report', () => {
  expect(summarize(root, join(root, 'none.json'), [], false)).toBe(false);
  expect(printed).toEqual(['0 passed, 1 failed, 0 skipped']);
});
