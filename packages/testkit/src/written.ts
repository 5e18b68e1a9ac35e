import { relative } from 'node:path';
import { expect } from 'vitest';

/**
 * Expects a file that tests write to have this text: `-u` writes it. If it has another, the message says so.
 *
 * @param advice - what the file has, or what to think of before it is written again.
 */
export async function expectWritten(text: string, file: string, advice?: string): Promise<void> {
  await expect(text, differenceText(file, expect.getState().testPath ?? '', advice)).toMatchFileSnapshot(
    file,
  );
}

/** What is said of a file that has another text than a test would write. */
export function differenceText(file: string, testPath: string, advice = ''): string {
  // These need a build, which the command then makes first.
  const run = testPath.endsWith('.e2e.test.ts') ? 'npm run test:e2e --' : 'npx vitest run';
  return `${relative('', file)} is not as it would be written today. ${advice}
${run} ${relative('', testPath)} -u writes it, if the difference is meant`;
}
