import { CompileError } from '../src/index.ts';

/** The error that compiling throws; anything else is rethrown. */
export function errorOf(run: () => unknown): CompileError {
  try {
    run();
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
