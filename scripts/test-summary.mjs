// Sums the test reports of all workspaces into one line, and fails when a test failed or a workspace did not report.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const totals = { passed: 0, failed: 0, skipped: 0 };
const silent = [];

for (const group of ['packages', 'apps', 'apps/examples']) {
  for (const name of readdirSync(join(root, group))) {
    const manifest = join(root, group, name, 'package.json');
    if (!existsSync(manifest) || !JSON.parse(readFileSync(manifest, 'utf8')).scripts?.test) continue;
    const report = join(root, group, name, 'test-report.json');
    if (!existsSync(report)) {
      silent.push(`${group}/${name}`);
      continue;
    }
    const result = JSON.parse(readFileSync(report, 'utf8'));
    totals.passed += result.numPassedTests;
    totals.failed += result.numFailedTests + result.testResults.filter(brokenFile).length;
    totals.skipped += result.numPendingTests + result.numTodoTests;
  }
}

/** A test file that did not even load has failed without a failed test in it. */
function brokenFile({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
}

if (silent.length > 0) console.log(`no test report from ${silent.join(', ')}`);
console.log(`${totals.passed} passed, ${totals.failed + silent.length} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed + silent.length > 0 ? 1 : 0;
