import type { Vec3 } from '@bspkit/core';
import { floatCells, type Row } from '@bspkit/core/format';

// What is in headers of rows.

export type Fields = Readonly<Record<string, unknown>>;

/** What is in an object of a header. */
export const fieldsOf = (value: unknown, name: string): Fields => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new RangeError(`${name} must be an object, got ${JSON.stringify(value)}`);
};

/** A number in a header, as the engine had it. */
export function numberOf(value: unknown, name: string): number {
  if (typeof value === 'number') return Math.fround(value);
  throw new RangeError(`${name} must be a number, got ${JSON.stringify(value)}`);
}

/** A whole number in a header, such as bits. */
export function wholeOf(value: unknown, name: string): number {
  if (Number.isInteger(value)) return value as number;
  throw new RangeError(`${name} must be a whole number, got ${JSON.stringify(value)}`);
}

/** Three numbers in a header, as the engine had them. */
export function vectorOf(value: unknown, name: string): Vec3 {
  if (Array.isArray(value) && value.length === 3) return floatCells(value as Row, [0, 1, 2]);
  throw new RangeError(`${name} must be three numbers, got ${JSON.stringify(value)}`);
}
