import { relative } from 'node:path';
import { expect } from 'vitest';

/**
 * Expects a file that tests write to have this text: `-u` writes it. If it has another, the message says so.
 *
 * @param advice - what the file has, or what to think of before it is written again.
 */
export async function expectWritten(text: string, file: string, advice?: string): Promise<void> {
  await expect(text, differenceText(file, advice)).toMatchFileSnapshot(file);
}

/** What is said of a file that has another text than the running test would write. */
export function differenceText(file: string, advice = ''): string {
  const { testPath = '' } = expect.getState();
  return `${relative('', file)} is not as it would be written today. ${advice}
npx vitest run ${relative('', testPath)} -u writes it, if the difference is meant`;
}
