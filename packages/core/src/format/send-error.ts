import { BspError } from '../error.ts';
import { isErrorOf, reasonOf } from './thrown.ts';

/** An error as plain data, so that it can be sent to another thread or machine. */
export interface PackedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The error that caused it, which may have a cause of its own. */
  readonly cause: PackedError | undefined;
  /** Other fields of the error. */
  readonly more: Readonly<Record<string, string | number | undefined>>;
}

/** The longest chain of causes that is sent: an error may be its own cause. */
const MOST_CAUSES = 4;

/** Packs whatever was thrown, and throws nothing itself: who waits for an answer would wait for ever. */
export function packError(error: unknown): PackedError {
  return pack(error, MOST_CAUSES);
}

function pack(error: unknown, causes: number): PackedError {
  try {
    if (isErrorOf(error, Error)) return packFields(error, causes);
  } catch {
    // One of its fields cannot be read.
  }
  return { name: 'Error', message: reasonOf(error), stack: undefined, cause: undefined, more: {} };
}

function packFields(error: Error, causes: number): PackedError {
  const { name, stack } = error;
  const cause = error.cause === undefined || causes === 0 ? undefined : pack(error.cause, causes - 1);
  const isPlain = ([key, value]: [string, unknown]): boolean =>
    key !== 'name' && /^(string|number|undefined)$/.test(typeof value);
  return {
    name: String(name),
    message: reasonOf(error),
    stack: typeof stack === 'string' ? stack : undefined,
    cause,
    more: Object.fromEntries(Object.entries(error).filter(isPlain)),
  };
}

/**
 * The error that was packed, of the same class if that is one that code looks for.
 *
 * @param others - classes besides `BspError`, `RangeError`, `SyntaxError` and `TypeError`, by the names of their errors.
 */
export function unpackError(
  { name, message, stack, cause, more }: PackedError,
  others: Readonly<Record<string, { readonly prototype: Error }>> = {},
): Error {
  const error = new Error(message, cause && { cause: unpackError(cause, others) });
  const classes = { BspError, RangeError, SyntaxError, TypeError, ...others };
  const known = Object.hasOwn(classes, name) ? classes[name as 'BspError'] : undefined;
  if (known) Object.setPrototypeOf(error, known.prototype);
  // Errors of the language get their name from their class. Not by an assignment, see BspError.
  if (error.name !== name) {
    Object.defineProperty(error, 'name', { value: name, enumerable: true, writable: true });
  }
  if (stack !== undefined) Object.defineProperty(error, 'stack', { value: stack });
  return Object.assign(error, more);
}
