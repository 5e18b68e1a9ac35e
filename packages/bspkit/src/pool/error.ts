import { BspError } from '@bspkit/core';
import type { PackedError } from './messages.ts';

/** Why a pool could not answer. */
export type TracePoolErrorCode =
  /** The pool has been closed. */
  | 'closed'
  /** A worker could not be started, or ended before it had answered. */
  | 'worker'
  /** Memory was to be shared where the platform does not allow it. */
  | 'isolation';

/** What went wrong with a pool itself. Errors of tracing and opening are carried over from the workers as they are. */
export class TracePoolError extends Error {
  readonly code: TracePoolErrorCode;

  constructor(code: TracePoolErrorCode, problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = 'TracePoolError';
    this.code = code;
  }
}

/** An error as plain data, so that it can be sent. */
export function packError(error: unknown): PackedError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined, more: {} };
  const { name, message, stack } = error;
  const isPlain = ([key, value]: [string, unknown]): boolean =>
    key !== 'name' && /^(string|number|undefined)$/.test(typeof value);
  return { name, message, stack, more: Object.fromEntries(Object.entries(error).filter(isPlain)) };
}

/** The error that was sent, of the same class as far as that is one that code asks for. */
export function unpackError({ name, message, stack, more }: PackedError): Error {
  const classes: Readonly<Record<string, { readonly prototype: Error }>> = {
    BspError,
    RangeError,
    TypeError,
  };
  const error = new Error(message);
  if (classes[name]) Object.setPrototypeOf(error, classes[name].prototype);
  else error.name = name;
  if (stack !== undefined) Object.defineProperty(error, 'stack', { value: stack });
  return Object.assign(error, name === 'BspError' ? { name } : {}, more);
}
