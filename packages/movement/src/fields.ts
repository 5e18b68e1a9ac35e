// The fields of states, written out for each kind: V8 takes a hundred times as long to read or write fields by names in variables,
// longer than a player's whole move.

/**
 * How the numbers of states of one kind are read and written, one after the other, in the order of a fresh state's fields. They
 * pass through doubles, as which all of them are exact.
 */
export interface StateFields<S> {
  /** Whether a state has all fields, of the right types, and numbers that are whole where movers want them so. */
  fit(state: S): boolean;
  read(state: S, to: Float64Array): void;
  /** Writes single numbers first: these may be read-only, which throws. */
  write(from: Float64Array, state: S): void;
}

export const isWhole = (value: unknown): boolean => typeof value === 'number' && (value | 0) === value;

// Arrays of other realms fit no state here. One that was transferred may seem to have its length still, but has no numbers.

export const areFloats = (value: unknown): boolean =>
  value instanceof Float32Array && value.length === 3 && value[2] !== undefined;

export const areInts = (value: unknown, length = 3): boolean =>
  value instanceof Int32Array && value.length === length && value[length - 1] !== undefined;

export function putThree(to: Float64Array, at: number, from: Float32Array | Int32Array): void {
  to[at] = from[0]!;
  to[at + 1] = from[1]!;
  to[at + 2] = from[2]!;
}

export function takeThree(from: Float64Array, at: number, to: Float32Array | Int32Array): void {
  to[0] = from[at]!;
  to[1] = from[at + 1]!;
  to[2] = from[at + 2]!;
}
