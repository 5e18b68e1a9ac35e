import { createRandom } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { BinaryReader, type NumberKind, readFloats, readInts } from '../src/format/index.ts';
import { codeOf } from './errors.ts';

describe('columns', () => {
  const bytes = new Uint8Array(24);
  const view = new DataView(bytes.buffer);
  for (const [record, at] of [0, 12].entries()) {
    view.setInt32(at, -7 - record, true);
    view.setUint16(at + 4, 0xfff0 + record, true);
    view.setInt16(at + 6, -1, true);
    view.setFloat32(at + 8, 0.5 + record, true);
  }
  const lump = new BinaryReader(bytes, 'test', 'things');

  it('are read field by field, as integers and as floats', () => {
    expect([...readInts(lump, 12, 0)]).toEqual([-7, -8]);
    expect([...readInts(lump, 12, 4, 1, 'u16')]).toEqual([0xfff0, 0xfff1]);
    expect([...readInts(lump, 12, 4, 2, 'i16')]).toEqual([-16, -1, -15, -1]);
    expect([...readFloats(lump, 12, 8)]).toEqual([0.5, 1.5]);
    expect(readFloats(lump, 12, 4, 2, 'i16')).toEqual(Float32Array.of(-16, -1, -15, -1));
  });

  it.each([0, 1, 2, 3])('are the same in a lump that begins %d bytes later, aligned or not', (shift) => {
    const file = new Uint8Array(24 + shift);
    file.set(bytes, shift);
    const moved = new BinaryReader(file, 'test').lump({ name: 'things', offset: shift, length: 24 });
    expect([...readInts(moved, 12, 0)]).toEqual([-7, -8]);
    expect([...readInts(moved, 12, 6, 1, 'i16')]).toEqual([-1, -1]);
    expect([...readFloats(moved, 12, 8)]).toEqual([0.5, 1.5]);
    const words = [0, 4, 8, 12, 16, 20].map((at) => view.getInt32(at, true));
    expect([...readInts(moved, 4, 0)]).toEqual(words);
    expect([...readInts(moved, 12, 0, 3)]).toEqual(words);
    expect([...readInts(moved, 2, 0, 1, 'u16')].slice(0, 4)).toEqual([0xfff9, 0xffff, 0xfff0, 0xffff]);
  });

  it('are what a DataView reads, of every kind, at every place of a record', () => {
    const random = createRandom(3);
    const file = Uint8Array.from({ length: 16 * 12 + 3 }, () => 256 * random());
    // A signalling NaN, whose bits a copy from float to float may change.
    file.set([1, 0, 0x80, 0x7f], 4);
    const all = new DataView(file.buffer);
    const kinds = {
      i16: (at: number) => all.getInt16(at, true),
      u16: (at: number) => all.getUint16(at, true),
      i32: (at: number) => all.getInt32(at, true),
      f32: (at: number) => all.getInt32(at, true),
    };
    for (const [kind, read] of Object.entries(kinds) as [NumberKind, (at: number) => number][]) {
      const width = kind.endsWith('16') ? 2 : 4;
      for (const [shift, records] of [0, 1, 2, 3].flatMap((k) => [0, 1, 2, 12].map((n) => [k, n] as const))) {
        for (let size = width; size <= 16; size += width) {
          const part = { name: 'things', offset: shift, length: records * size };
          const things = new BinaryReader(file, 'test').lump(part);
          for (let at = 0; at < size; at += width) {
            for (let count = 1; at + count * width <= size; count++) {
              const expected = Array.from({ length: records * count }, (_, k) =>
                read(shift + Math.floor(k / count) * size + at + (k % count) * width),
              );
              const ints = readInts(things, size, at, count, kind);
              const floats = readFloats(things, size, at, count, kind);
              expect(ints).toEqual(Int32Array.from(expected));
              if (kind === 'f32') expect(new Int32Array(floats.buffer)).toEqual(ints);
              else expect(floats).toEqual(Float32Array.from(expected));
            }
          }
        }
      }
    }
  });

  it('refuse an incomplete record', () => {
    for (const [size, kind] of [
      [7, 'i32'],
      [16, 'f32'],
      [10, 'u16'],
    ] as const) {
      expect(codeOf(() => readInts(lump, size, 0, 1, kind))).toBe('lump-size');
      expect(codeOf(() => readFloats(lump, size, 0, 1, kind))).toBe('lump-size');
    }
  });
});
