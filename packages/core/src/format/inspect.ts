import type { Shape } from '../shape.ts';

/** Name of the method that Node calls to print an object: worlds and tracers show one line, not their arrays. */
export const inspect: unique symbol = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom') as never;

/** A shape in a few words: `box -15 -15 -24 to 15 15 32`. */
export function showShape(shape: Shape): string {
  const vec = (point: ArrayLike<number>): string =>
    Array.from(point, (x) => Math.round(x * 1e4) / 1e4).join(' ');
  if (shape.kind === 'sphere') return `sphere of radius ${shape.radius}`;
  if (shape.kind === 'ellipsoid') return `ellipsoid of radii ${vec(shape.radii)}`;
  if (shape.kind === 'ray') return 'ray';
  return `${shape.kind} ${vec(shape.mins)} to ${vec(shape.maxs)}`;
}
