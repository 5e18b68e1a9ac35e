import type { Vec3 } from '@bspkit/core';
import { floatCells, type Row, type RowHeader } from '@bspkit/core/format';

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
function wholeOf(value: unknown, name: string): number {
  if (Number.isInteger(value)) return value as number;
  throw new RangeError(`${name} must be a whole number, got ${JSON.stringify(value)}`);
}

/** Three numbers in a header, as the engine had them. */
export function vectorOf(value: unknown, name: string): Vec3 {
  if (Array.isArray(value) && value.length === 3) return floatCells(value as Row, [0, 1, 2]);
  throw new RangeError(`${name} must be three numbers, got ${JSON.stringify(value)}`);
}

/** An object in a header that says in errors where it is, such as `scenes[0].things[2]`. */
export class HeaderFields {
  private readonly _fields: Fields;
  private readonly _place: string;

  constructor(value: unknown, place: string) {
    this._fields = fieldsOf(value, `${place} in the header`);
    this._place = place;
  }

  /** One of the header's scenes. */
  static scene({ scenes }: RowHeader, number: number): HeaderFields {
    const list: readonly unknown[] = Array.isArray(scenes) ? scenes : [];
    return new HeaderFields(list[number], `scenes[${number}]`);
  }

  number(name: string): number {
    return numberOf(this._fields[name], this.nameOf(name));
  }

  whole(name: string): number {
    return wholeOf(this._fields[name], this.nameOf(name));
  }

  vector(name: string): Vec3 {
    return vectorOf(this._fields[name], this.nameOf(name));
  }

  list(name: string): HeaderFields[] {
    const list = this._fields[name];
    if (!Array.isArray(list)) {
      throw new RangeError(`${this.nameOf(name)} must be an array, got ${JSON.stringify(list)}`);
    }
    return list.map((value, k) => new HeaderFields(value, `${this._place}.${name}[${k}]`));
  }

  /** What errors call a field. */
  nameOf(name: string): string {
    return `${this._place}.${name} in the header`;
  }
}
