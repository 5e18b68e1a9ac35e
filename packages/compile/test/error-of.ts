import { CompileError } from '../src/index.ts';

/** What compiling throws; anything else is thrown on. */
export function errorOf(run: () => unknown): CompileError {
  try {
    run();
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
