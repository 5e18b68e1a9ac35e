import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * An empty folder for the tests of a file, or of the `describe` that calls this; or for one test, which passes its `onTestFinished`.
 * It is removed afterwards, however these end.
 *
 * @param parent - where it is; among the machine's temporary files by default.
 */
export function temporaryFolder(
  whenDone: (remove: () => Promise<void>) => void = afterAll,
  parent: string = tmpdir(),
): string {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'bspkit-'));
  // Windows keeps the names of removed files as long as they are open.
  // Not synchronously: what reads a file that a command has left closes it when the event loop next turns.
  whenDone(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
