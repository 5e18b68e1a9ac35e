import { BspError } from '../error.ts';

/** An error as plain data, so that it can be sent to another thread or machine. */
export interface PackedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Fields that the error has besides. */
  readonly more: Readonly<Record<string, string | number | undefined>>;
}

/** Packs whatever was thrown. */
export function packError(error: unknown): PackedError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined, more: {} };
  const { name, message, stack } = error;
  const isPlain = ([key, value]: [string, unknown]): boolean =>
    key !== 'name' && /^(string|number|undefined)$/.test(typeof value);
  return { name, message, stack, more: Object.fromEntries(Object.entries(error).filter(isPlain)) };
}

/**
 * The error that was packed, of the same class as far as that is one that code asks for.
 *
 * @param others - classes besides `BspError`, `RangeError`, `SyntaxError` and `TypeError`, by the names of their errors.
 */
export function unpackError(
  { name, message, stack, more }: PackedError,
  others: Readonly<Record<string, { readonly prototype: Error }>> = {},
): Error {
  const error = new Error(message);
  const classes = { BspError, RangeError, SyntaxError, TypeError, ...others };
  const known = Object.hasOwn(classes, name) ? classes[name as 'BspError'] : undefined;
  if (known) Object.setPrototypeOf(error, known.prototype);
  // The language's own errors have it from their class.
  if (error.name !== name) error.name = name;
  if (stack !== undefined) Object.defineProperty(error, 'stack', { value: stack });
  return Object.assign(error, more);
}
