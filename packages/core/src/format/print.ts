import type { Shape } from '../shape.ts';

/** Name of the method that Node calls to print an object. */
const INSPECT: symbol = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom');

function inspect(this: object): string {
  return String(this);
}

/**
 * Makes Node print an object as its `toString` gives it, on one line instead of with all its arrays. To be called in
 * constructors: bundlers keep every class that has a method named by a symbol, whether it is used or not.
 */
export function printAsString(object: object): void {
  if (!(INSPECT in object)) Reflect.set(Object.getPrototypeOf(object), INSPECT, inspect);
}

/** Coordinates in a row, with at most four decimals: `0 -200 24.125`. */
export const showVec = (point: ArrayLike<number>): string =>
  Array.from(point, (x) => Math.round(x * 1e4) / 1e4).join(' ');

/** A shape in a few words: `box -15 -15 -24 to 15 15 32`. */
export function showShape(shape: Shape): string {
  if (shape.kind === 'sphere') return `sphere of radius ${shape.radius}`;
  if (shape.kind === 'ellipsoid') return `ellipsoid of radii ${showVec(shape.radii)}`;
  if (shape.kind === 'ray') return 'ray';
  return `${shape.kind} ${showVec(shape.mins)} to ${showVec(shape.maxs)}`;
}
