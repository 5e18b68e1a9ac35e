import { BspError, type BspErrorCode } from '../src/index.ts';

/** The code of the `BspError` that this throws. */
export const codeOf = (work: () => unknown): BspErrorCode => {
  try {
    work();
  } catch (error) {
    if (error instanceof BspError) return error.code;
    throw error;
  }
  throw new Error('nothing was thrown');
};
