import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BinaryReader } from '../src/format/index.ts';
import { BspError } from '../src/index.ts';

function thrown(work: () => unknown): BspError {
  try {
    work();
  } catch (error) {
    if (error instanceof BspError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const bytes = new Uint8Array(16);
const view = new DataView(bytes.buffer);
view.setInt32(0, -2, true);
view.setFloat32(4, 1.5, true);
view.setUint16(8, 0xfffe, true);
bytes.set([0x41, 0x42, 0, 0x43], 10);

describe('BinaryReader', () => {
  const reader = new BinaryReader(bytes, 'test');

  it('reads little-endian numbers and text up to a NUL', () => {
    expect(reader.i32(0)).toBe(-2);
    expect(reader.u32(0)).toBe(0xfffffffe);
    expect(reader.f32(4)).toBe(1.5);
    expect(reader.u16(8)).toBe(0xfffe);
    expect(reader.i16(8)).toBe(-2);
    expect(reader.u8(10)).toBe(0x41);
    expect(reader.text(10, 4)).toBe('AB');
    expect(reader.text(10, 2)).toBe('AB');
    expect(reader.text(12, 2)).toBe('');
  });

  it('names format, lump and place of a read past the end', () => {
    const lump = reader.lump({ name: 'planes', offset: 8, length: 4 });
    const error = thrown(() => lump.i32(2));
    expect(error).toMatchObject({ code: 'truncated', format: 'test', lump: 'planes', offset: 10 });
    expect(error.message).toBe('test: planes: needs 4 bytes at 2, but has 4');
  });

  it('knows where in the file a part of a lump is', () => {
    const part = reader
      .lump({ name: 'textures', offset: 4, length: 12 })
      .lump({ name: 'sky', offset: 6, length: 4 });
    expect(part.base).toBe(10);
    expect(part.text(0, 2)).toBe('AB');
    expect(thrown(() => part.u8(4))).toMatchObject({ lump: 'sky', offset: 14 });
  });

  it.each([
    [-1, 4],
    [0, -4],
    [13, 4],
    [0x7fffffff, 0x7fffffff],
  ])('refuses a lump at %i of %i bytes', (offset, length) => {
    expect(thrown(() => reader.lump({ name: 'nodes', offset, length })).code).toBe('lump-range');
  });

  it('refuses a lump that is not a whole number of records', () => {
    expect(reader.records(8)).toBe(2);
    const error = thrown(() => reader.lump({ name: 'nodes', offset: 0, length: 10 }).records(4));
    expect(error.message).toBe('test: nodes: length 10 is not a multiple of 4');
  });

  it('gives words of its own, from views at odd offsets and from Node buffers', () => {
    const odd = new Uint8Array(17);
    odd.set(bytes, 1);
    const sources = [odd.subarray(1), Buffer.from(odd.buffer, 1, 16)];
    for (const source of sources) {
      const { ints, floats } = new BinaryReader(source, 'test').words();
      expect(ints).toHaveLength(4);
      expect(ints[0]).toBe(-2);
      expect(floats[1]).toBe(1.5);
      ints[0] = 7;
      expect(source[0]).toBe(0xfe);
    }
  });

  it('leaves an incomplete word out of its words', () => {
    for (const [length, words] of [
      [3, 0],
      [4, 1],
      [7, 1],
      [15, 3],
    ] as const) {
      expect(new BinaryReader(bytes.subarray(0, length), 'test').words().ints).toHaveLength(words);
    }
  });

  it('never reads outside, whatever the offset', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), fc.double({ noNaN: false }), (data, offset) => {
        const any = new BinaryReader(data, 'test');
        const inside = offset >= 0 && offset + 4 <= data.length;
        if (inside) expect(any.i32(offset)).toBeTypeOf('number');
        else expect(thrown(() => any.i32(offset)).code).toBe('truncated');
      }),
    );
  });
});
