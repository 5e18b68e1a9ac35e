import { wholeIn } from '../check.ts';
import type { Bounds } from '../vec.ts';

type Key = string | number;

/** Numbers of 32 bits, signed or not: bits, contents, masks. */
const LEAST = -0x80000000;
const MOST = 0xffffffff;

/**
 * What is in the header of rows, in an object or a list of it, or in a line between rows. Its methods throw for a field that is
 * missing or wrong, and name its place: `SyntaxError` with `line 1: scenes[0].things[2].model` for a header, which is read when its
 * rows are, and `RangeError` with `entities[3].origin` for another line, whose number the reader of the file adds.
 */
export class HeaderFields {
  private readonly _fields: Readonly<Record<Key, unknown>>;
  private readonly _line: string;
  private readonly _path: string;

  /** @param line - what comes before the names of fields: nothing for a line between rows. */
  constructor(fields: object, line = 'line 1: ', path = '') {
    this._fields = fields as Readonly<Record<Key, unknown>>;
    this._line = line;
    this._path = path;
  }

  /** How many things a list has. */
  get length(): number {
    return (this._fields as unknown as readonly unknown[]).length;
  }

  has(key: Key): boolean {
    return this._fields[key] !== undefined;
  }

  /** Throws the error that a field is missing, or not what is wanted. */
  fail(key: Key, wanted: string): never {
    const value = this._fields[key];
    // JSON has no infinity, which is what it reads 1e999 as.
    const shown = typeof value === 'number' ? `${value}` : `${JSON.stringify(value)}`;
    const problem =
      value === undefined
        ? `is missing; it must be ${wanted}`
        : `must be ${wanted}, got ${shown.slice(0, 60)}`;
    const message = `${this._line}${this._nameOf(key)} ${problem}`;
    throw this._line === '' ? new RangeError(message) : new SyntaxError(message);
  }

  /** A text that is not empty. */
  text(key: Key): string {
    const value = this._fields[key];
    return typeof value === 'string' && value !== '' ? value : this.fail(key, 'text');
  }

  /** A number, as the engine had it: the float32 that the printed digits stand for. */
  number(key: Key, otherwise?: number, least: number = -Infinity): number {
    const value = this._valueOf(key, otherwise);
    const isNumber = typeof value === 'number';
    const float = isNumber ? Math.fround(value) : Number.NaN;
    if (Number.isFinite(float) && float >= least) return float;
    return this.fail(key, `a ${isNumber ? 'finite float32' : 'number'}${least === 0 ? ', 0 or more' : ''}`);
  }

  /** A whole number: of 32 bits, if no range is given. */
  whole(key: Key, otherwise?: number, least: number = LEAST, most: number = MOST): number {
    const value = this._valueOf(key, otherwise);
    if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most)
      return value as number;
    return this.fail(key, least === LEAST ? 'a whole number of 32 bits' : wholeIn(least, most));
  }

  /** Whether something is so: 1 or 0. */
  flag(key: Key, otherwise: 0 | 1 = 0): boolean {
    return this.choice(key, [0, 1], otherwise) === 1;
  }

  /** One of some words or numbers. */
  choice<const T extends Key>(key: Key, choices: readonly T[], otherwise?: T): T {
    const value = this._valueOf(key, otherwise);
    if (choices.includes(value as T)) return value as T;
    const all = choices.map((choice) => JSON.stringify(choice)).join(', ');
    return this.fail(key, all.replace(/, ([^,]*)$/, ' or $1'));
  }

  /** The number of one of a map's inline models; with `least` 0 also 0, for none, as when it is left out. */
  model(key: Key, { numModels }: { readonly numModels: number }, least: 0 | 1 = 1): number {
    const value = this._valueOf(key, least === 0 ? 0 : undefined) as number;
    if (Number.isInteger(value) && value >= least && value <= numModels) return value;
    return this.fail(key, `${least === 0 ? '0 or ' : ''}the number of a model, ${modelRange(numModels)}`);
  }

  /** Three numbers, such as a point. */
  vector(key: Key, otherwise?: readonly number[]): readonly number[] {
    if (otherwise && !this.has(key)) return otherwise;
    const list = this.list(key, 'three numbers', 3);
    return [0, 1, 2].map((k) => list.number(k));
  }

  /** A box: `mins` and `maxs`. */
  box(): Bounds {
    const [mins, maxs] = [this.vector('mins'), this.vector('maxs')];
    const k = mins.findIndex((low, axis) => low > maxs[axis]!);
    if (k >= 0) this.list('mins').fail(k, `at most ${maxs[k]}, as in maxs`);
    return { mins, maxs };
  }

  object(key: Key): HeaderFields {
    const value = this._fields[key];
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return this._within(key, value);
    return this.fail(key, 'an object');
  }

  /** A list, whose things are fields by number; of `count` things, if that is given. */
  list(key: Key, wanted = 'a list', count?: number): HeaderFields {
    const value = this._fields[key];
    const isList = Array.isArray(value) && (count === undefined || value.length === count);
    return isList ? this._within(key, value) : this.fail(key, wanted);
  }

  /** The objects in a list; none if it is left out and may be. */
  objects(key: Key, isOptional = false): HeaderFields[] {
    if (isOptional && !this.has(key)) return [];
    const list = this.list(key);
    return Array.from({ length: list.length }, (_, k) => list.object(k));
  }

  private _valueOf(key: Key, otherwise: unknown): unknown {
    const value = this._fields[key];
    return value === undefined ? otherwise : value;
  }

  private _nameOf(key: Key): string {
    const { _path: path } = this;
    return typeof key === 'number' ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
  }

  private _within(key: Key, fields: object): HeaderFields {
    return new HeaderFields(fields, this._line, this._nameOf(key));
  }
}

/** Which models a map has, if these have names that begin with `sign`. */
export function modelRange(count: number, sign = ''): string {
  if (count === 0) return 'of which the map has none';
  return count === 1 ? `${sign}1` : `${sign}1 to ${sign}${count}`;
}

/** The models in a list, each as seven numbers: its own, where it stands and how it is turned. */
export function listedModels(
  fields: HeaderFields,
  key: Key,
  world: { readonly numModels: number },
): { readonly model: number; readonly origin: readonly number[]; readonly angles: readonly number[] }[] {
  const models = fields.list(key);
  return Array.from({ length: models.length }, (_, k) => {
    const model = models.list(k, 'seven numbers: a model, its origin and its angles', 7);
    const [x, y, z, ...angles] = [1, 2, 3, 4, 5, 6].map((place) => model.number(place)) as [
      number,
      number,
      number,
    ];
    return { model: model.model(0, world), origin: [x, y, z], angles };
  });
}
