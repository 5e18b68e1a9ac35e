import { describe, expect, it } from 'vitest';
import { BinaryReader, readFloats, readInts } from '../src/format/index.ts';
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

  it('refuse an incomplete record', () => {
    expect(codeOf(() => readInts(lump, 7, 0))).toBe('lump-size');
  });
});
