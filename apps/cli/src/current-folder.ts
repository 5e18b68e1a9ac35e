import { UsageError } from './errors.ts';

/** The folder that the process runs in. Throws `UsageError` if somebody has removed it. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('the current folder has been removed; change to another one');
  }
}
