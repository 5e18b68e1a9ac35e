// Summarises a test report in one line.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Prints how many tests have passed, failed and were skipped. Returns whether none failed and the report has every test file of
 * these Vitest projects.
 *
 * @param isTitled - whether tests were selected by title: if none matches, all were skipped, which is an error.
 */
export function summarize(root, path, projects, isTitled) {
  const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  const results = report?.testResults ?? [];
  const reported = new Set(results.map(({ name }) => relative(root, name).replaceAll('\\', '/')));
  const silent = testFiles(root)
    .filter((file) => projects.includes(file.endsWith('.e2e.test.ts') ? 'e2e' : 'sources'))
    .filter((file) => !reported.has(file));
  if (silent.length > 0) console.log(`no test report from ${silent.join(', ')}`);

  const passed = report?.numPassedTests ?? 0;
  const failed = (report?.numFailedTests ?? 1) + results.filter(isBroken).length + silent.length;
  const skipped = report ? report.numPendingTests + report.numTodoTests : 0;
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  const isMissing = isTitled && passed + failed === 0;
  if (isMissing) console.log('no test has such a title');
  return failed === 0 && !isMissing;
}

/** A test file that did not even load has failed, although it has no failed test. */
const isBroken = ({ status, assertionResults }) =>
  status === 'failed' && !assertionResults.some((test) => test.status === 'failed');

/** All test files of all workspaces, relative to the root. */
function testFiles(root) {
  return ['packages', 'apps', 'apps/examples'].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => `${group}/${name}/test`)
      .filter((folder) => existsSync(join(root, folder)))
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.test.ts'))
          .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
      ),
  );
}
