import { BspError } from '@bspkit/core';

/** The error that some work throws; anything but a BspError, or none at all, fails the test. */
export function bspError(work: () => unknown): BspError {
  try {
    work();
  } catch (error) {
    if (error instanceof BspError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** The code and message of the BspError that some work throws; empty if it throws nothing. */
export function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof BspError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return '';
}
