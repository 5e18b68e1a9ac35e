import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineSections, packTexts, unpackTexts } from '../src/format/index.ts';
import { codeOf } from './errors.ts';

describe('texts', () => {
  it('are unpacked as they were packed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.nat({ max: 254 }).map((code) => String.fromCharCode(code + 1)) })),
        (texts) => {
          expect(unpackTexts(packTexts(texts))).toEqual(texts);
        },
      ),
    );
  });

  it.each(['ŝ', '\0', '€'])(
    'are refused with letters that a byte cannot hold, or that end a text: %j',
    (letter) => {
      expect(() => packTexts(['good', `so${letter}so`])).toThrow(
        new RangeError(`texts of a map must be Latin-1 without NULs, got '${letter}'`),
      );
    },
  );
});

describe('sections', () => {
  const layout = defineSections({
    format: 'test',
    magic: 0x54534554,
    version: 3,
    headerWords: 4,
    sections: { nodes: 4, leafs: 2 },
  });
  const written = (): Int32Array => {
    const { places, words } = layout.plan({ nodes: 2, leafs: 3 });
    const ints = new Int32Array(words);
    layout.write(ints, places);
    return ints;
  };

  it('are read back where they were planned', () => {
    expect(layout.read(written().buffer)).toEqual(layout.plan({ nodes: 2, leafs: 3 }).places);
  });

  it('refuse anything but such a world', () => {
    const changed = (word: number, value: number): ArrayBufferLike => {
      const ints = written();
      ints[word] = value;
      return ints.buffer;
    };
    expect(codeOf(() => layout.read(new ArrayBuffer(3)))).toBe('truncated');
    expect(codeOf(() => layout.read(changed(0, 1)))).toBe('magic');
    expect(codeOf(() => layout.read(changed(1, 2)))).toBe('version');
    expect(codeOf(() => layout.read(changed(2, 2)))).toBe('truncated');
    expect(codeOf(() => layout.read(changed(4, 1)))).toBe('lump-range');
    expect(codeOf(() => layout.read(changed(5, 1000)))).toBe('lump-range');
  });
});
