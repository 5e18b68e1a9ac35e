import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFlagNames } from '../src/format/index.ts';

const names = createFlagNames({ solid: 1, water: 0x20, noDrop: 0x80000000, liquid: 0x38 });

describe('createFlagNames', () => {
  it('refuses names that differ only in case', () => {
    expect(() => createFlagNames({ water: 1, Water: 2 })).toThrow('two names that differ in case alone');
  });

  it('names single bits, lowest first, and shows the nameless ones as numbers', () => {
    expect(names.names(0x80000061)).toEqual(['solid', 'water', '0x40', 'noDrop']);
    expect(names.names(0)).toEqual([]);
  });

  it('reads names, masks and numbers in any mix, as signed 32 bits', () => {
    expect(names.bits('solid, LIQUID')).toBe(0x39);
    expect(names.bits(['noDrop', '0x2', '4'])).toBe(0x80000006 | 0);
    expect(names.bits('-1')).toBe(-1);
    expect([names.bits(0x21), names.bits(0x80000000)]).toEqual([0x21, 0x80000000 | 0]);
  });

  it.each(['lava', '', 'solid,', '0x', '1.5'])('refuses %j, saying what it knows', (text) => {
    expect(() => names.bits(text)).toThrow(RangeError);
    expect(() => names.bits(text)).toThrow('known names are solid, water');
  });

  it.each(['4294967296', '0x100000000', '-2147483649', '99999999999', 'solid,0xfffffffff'])(
    'refuses %s, which would wrap around',
    (text) => expect(() => names.bits(text)).toThrow(/^(0x)?-?[0-9a-f]+ has more than 32 bits$/),
  );

  it.each([4294967296, 1.5, Number.NaN])('refuses %d, which is not 32 bits', (number) =>
    expect(() => names.bits(number)).toThrow(RangeError),
  );

  it('takes all numbers of 32 bits', () => {
    expect([names.bits('-2147483648'), names.bits('4294967295'), names.bits('0xffffffff')]).toEqual([
      -2147483648, -1, -1,
    ]);
  });

  it('turns any bits into names and back', () => {
    fc.assert(
      fc.property(fc.integer(), (bits) => {
        expect(names.bits(names.names(bits))).toBe(bits);
      }),
    );
  });
});
