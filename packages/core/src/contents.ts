import { checkMask, checkObject, checkText, failArgument } from './check.ts';
import { showValue } from './kinds.ts';

/** Names of a format's bits: contents or surface flags. Made by {@link createFlagNames}. */
export interface FlagNames {
  /** The bits by name, as given. */
  readonly table: Readonly<Record<string, number>>;
  /** Names of the bits that are set, lowest first; a bit without a name is given as `0x…`. */
  names(bits: number): string[];
  /**
   * The bits of a list of names (an array, or text with commas): signed 32-bit, as contents are. Case does not matter;
   * a number, also in decimal or `0x…` form, is taken as it is. Throws `RangeError` for a name that the format does not
   * have and for a number of more than 32 bits.
   */
  bits(names: string | number | readonly string[]): number;
}

/**
 * Makes the two-way naming of a bit set. Names of a single bit name it in both directions; names of several bits
 * (masks such as `playersolid`) are understood by `bits` and never given by `names`.
 */
export function createFlagNames(table: Readonly<Record<string, number>>): FlagNames {
  checkObject(table, 'table');
  const entries = Object.entries(table);
  for (const [name, bits] of entries) checkMask(bits, `table.${name}`);
  const byName = new Map(entries.map(([name, bits]) => [name.toLowerCase(), bits | 0]));
  if (byName.size < entries.length) throw new RangeError('table has two names that differ in case alone');
  const byBit = new Map<number, string>();
  for (const [name, bits] of entries) {
    const single = bits !== 0 && ((bits >>> 0) & ((bits >>> 0) - 1)) === 0;
    if (single && !byBit.has(bits | 0)) byBit.set(bits | 0, name);
  }
  return {
    table,
    names(bits) {
      checkMask(bits, 'bits');
      const names: string[] = [];
      for (let k = 0; k < 32; k++) {
        const bit = (1 << k) | 0;
        if (bits & bit) names.push(byBit.get(bit) ?? `0x${(bit >>> 0).toString(16)}`);
      }
      return names;
    },
    bits(names) {
      const list = listNames(typeof names === 'number' ? String(names) : names);
      let bits = 0;
      for (const raw of list) {
        const name = raw.trim().toLowerCase();
        const known = byName.get(name);
        if (known !== undefined) bits |= known;
        else if (/^(-?\d+|0x[0-9a-f]+)$/.test(name)) {
          const number = Number(name);
          if (number < -(2 ** 31) || number >= 2 ** 32) throw new RangeError(`${name} has more than 32 bits`);
          bits |= number;
        } else {
          throw new RangeError(
            `unknown name ${showValue(raw.trim())}; known names are ${Object.keys(table).join(', ')}`,
          );
        }
      }
      return bits;
    },
  };
}

/** A list of names that came as text with commas, or as an array. Throws `TypeError` for anything else. */
export function listNames(names: string | readonly string[]): readonly string[] {
  if (typeof names === 'string') return names.split(',');
  if (!Array.isArray(names)) failArgument('names', 'a string or an array of strings', names, false);
  for (const [k, name] of (names as readonly string[]).entries()) checkText(name, `names[${k}]`);
  return names;
}
