import { listPak } from '@bspkit/core/pak';
import { writePak } from '@bspkit/testkit/pak';
import { describe, expect, it } from 'vitest';
import { readPak } from '../src/index.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const pak = writePak(
  ['maps/a.bsp', bytesOf('a map')],
  ['x'.repeat(56), bytesOf('')],
  ['maps/a.bsp', bytesOf('b')],
);
/** Where its directory starts. */
const directory = 12 + 6;

/** The pak with one 32-bit number changed. */
function patched(offset: number, value: number): Uint8Array {
  const copy = pak.slice();
  new DataView(copy.buffer).setInt32(offset, value, true);
  return copy;
}

/** The pak, whose second file has no name. */
function patchedName(copy: Uint8Array): Uint8Array {
  return copy.fill(0, directory + 64, directory + 64 + 56);
}

/** A pak of more files than any real one has, all of them empty. */
const tooMany = writePak(...Array.from({ length: 65_537 }, () => ['', new Uint8Array()] as const));

describe('a pak', () => {
  it('lists its files in the order of its directory, and copies nothing', () => {
    const files = readPak(pak);
    expect(files.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)])).toEqual([
      ['maps/a.bsp', 'a map'],
      ['x'.repeat(56), ''],
      ['maps/a.bsp', 'b'],
    ]);
    expect(files[0]!.bytes.buffer).toBe(pak.buffer);
    expect(readPak(writePak())).toEqual([]);
    expect(readPak(pak.slice().buffer)).toEqual(files);
  });

  it.each<[string, Uint8Array, object]>([
    ['nothing', new Uint8Array(), { code: 'magic', message: /^pak: the file is empty, not a pak archive; / }],
    [
      'a zip',
      bytesOf('PK\x03\x04....'),
      { code: 'magic', message: /a zip archive \(pk3\), not a pak archive/ },
    ],
    [
      'a map',
      bytesOf('IBSP\x2e\0\0\0'),
      { code: 'magic', message: /a map of Quake 3 \(IBSP 46\), not a pak archive/ },
    ],
    [
      'far too many files',
      tooMany,
      { code: 'limit', lump: 'directory', message: /65537 files are more than 65536/ },
    ],
    ['a header that is cut', bytesOf('PACK1234'), { code: 'truncated', lump: 'header' }],
    ['a directory beyond its end', patched(4, pak.length), { code: 'lump-range', lump: 'directory' }],
    ['a directory before its beginning', patched(4, -64), { code: 'lump-range', lump: 'directory' }],
    ['half an entry', patched(8, 100), { code: 'lump-size', lump: 'directory' }],
    ['a file beyond its end', patched(directory + 60, 10_000), { code: 'lump-range', lump: 'maps/a.bsp' }],
    ['a file of no length at all', patched(directory + 60, -1), { code: 'lump-range', lump: 'maps/a.bsp' }],
    [
      'a file without a name',
      patchedName(patched(directory + 64 + 60, 10_000)),
      { code: 'lump-range', lump: 'file 1', message: /^pak: file 1: lies at bytes/ },
    ],
    ['a file before its beginning', patched(directory + 56, -1), { code: 'lump-range', lump: 'maps/a.bsp' }],
  ])('is refused by name: %s', (_, bytes, { message, ...place }: { message?: RegExp }) => {
    expect(() => readPak(bytes)).toThrow(
      expect.objectContaining({ name: 'BspError', format: 'pak', ...place }),
    );
    if (message) expect(() => readPak(bytes)).toThrow(message);
    const part = (offset: number, length: number): Uint8Array => bytes.subarray(offset, offset + length);
    expect(() => listPak(bytes.length, part)).toThrow(
      expect.objectContaining({ name: 'BspError', format: 'pak', ...place }),
    );
  });

  it('is listed without its files', () => {
    const large = writePak(['sky.tga', new Uint8Array(1e6)], ['maps/a.bsp', bytesOf('a map')]);
    let count = 0;
    const files = listPak(large.length, (offset, length) => {
      count += length;
      return large.subarray(offset, offset + length);
    });
    expect(files).toEqual([
      { name: 'sky.tga', offset: 12, length: 1e6 },
      { name: 'maps/a.bsp', offset: 12 + 1e6, length: 5 },
    ]);
    expect(count).toBeLessThan(200);
    // A directory of two gigabytes is not asked for.
    const claims = patched(8, 2 ** 31 - 128);
    const asked = (offset: number, length: number): Uint8Array => {
      expect(length).toBeLessThanOrEqual(64);
      return claims.subarray(offset, offset + length);
    };
    expect(() => listPak(2 ** 31, asked)).toThrow('pak: directory: 33554430 files are more than 65536');
    expect(() => listPak(large.length, () => large)).toThrow(
      new RangeError(`read must return 64 bytes, got ${large.length}`),
    );
    const late = (async () => large) as never;
    expect(() => listPak(large.length, late)).toThrow(
      new TypeError('what read returns must be a Uint8Array, at once, got Promise'),
    );
    expect(() => listPak(100, () => 'PACK' as never)).toThrow(TypeError);
    expect(() => listPak(0.5, asked)).toThrow('size must be a whole number');
    expect(() => listPak(100, 5 as never)).toThrow(TypeError);
  });

  it('is refused for anything but bytes', () => {
    expect(() => readPak('PACK' as never)).toThrow(TypeError);
  });
});
