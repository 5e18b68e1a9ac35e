import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBuffer, describeBytes, toBytes } from '../src/format/index.ts';

const ascii = (text: string, ...rest: number[]): Uint8Array =>
  Uint8Array.from([...Array.from(text, (letter) => letter.charCodeAt(0)), ...rest]);

describe('bytes', () => {
  it('are taken from arrays and buffers of every kind, without a copy', () => {
    const array = new Uint8Array(8);
    expect(toBytes(array)).toHaveLength(8);
    expect(toBytes(array.subarray(2, 5))).toEqual(new Uint8Array(array.buffer, 2, 3));
    expect(toBytes(array.subarray(2, 5)).buffer).toBe(array.buffer);
    expect(toBytes(array.buffer).buffer).toBe(array.buffer);
    expect(toBytes(new SharedArrayBuffer(4))).toHaveLength(4);
    for (const wrong of [undefined, null, 'text', 5, [1, 2], {}, new Int8Array(4)]) {
      expect(() => toBytes(wrong as never)).toThrow('bytes must be a Uint8Array or an ArrayBuffer, got');
    }
  });

  it('are of no class of their own, whose methods would be others', () => {
    const file = Buffer.from(Uint8Array.of(1, 2, 3, 4));
    const bytes = toBytes(file.subarray(1, 3));
    expect(bytes.constructor).toBe(Uint8Array);
    bytes.slice().fill(9);
    expect(Array.from(file)).toEqual([1, 2, 3, 4]);
    bytes.fill(9);
    expect(Array.from(file)).toEqual([1, 9, 9, 4]);
  });

  it.each([
    [ArrayBuffer, 'ArrayBuffer'],
    [SharedArrayBuffer, 'SharedArrayBuffer'],
  ])('of worlds are of a fixed size (%#)', (Buffers, name) => {
    expect(() => checkBuffer(new Buffers(4))).not.toThrow();
    expect(() => checkBuffer(Reflect.construct(Buffers, [4, { maxByteLength: 8 }]))).toThrow(
      new TypeError(`data must be the buffer of a world, of a fixed size, got ${name}`),
    );
  });

  it('that were transferred are refused, not taken for an empty file', () => {
    const array = new Uint8Array(8);
    const { buffer } = array;
    structuredClone(buffer, { transfer: [buffer] });
    for (const gone of [array, buffer]) {
      expect(() => toBytes(gone)).toThrow(new TypeError('bytes must not have been transferred or cut off'));
      expect(() => toBytes(gone, 'lit')).toThrow(
        new TypeError('lit must not have been transferred or cut off'),
      );
    }
    expect(toBytes(new Uint8Array(0))).toHaveLength(0);
    expect(toBytes(new ArrayBuffer(0))).toHaveLength(0);
  });

  it('are copied where their buffer may become smaller under what is read from them', () => {
    for (const [Buffers, change, length] of [
      [ArrayBuffer, 'resize', 0],
      [SharedArrayBuffer, 'grow', 8],
    ] as const) {
      const buffer = Reflect.construct(Buffers, [4, { maxByteLength: 8 }]);
      new Uint8Array(buffer).set([1, 2, 3, 4]);
      const [whole, part] = [toBytes(buffer), toBytes(new Uint8Array(buffer, 1, 2))];
      buffer[change](length);
      expect(whole).toEqual(Uint8Array.of(1, 2, 3, 4));
      expect(part).toEqual(Uint8Array.of(2, 3));
    }
  });

  it('that lie outside of their buffer are refused, not taken for an empty file', () => {
    const buffer = Reflect.construct(ArrayBuffer, [8, { maxByteLength: 8 }]);
    const [array, follows] = [new Uint8Array(buffer, 0, 8), new Uint8Array(buffer)];
    buffer.resize(7);
    expect(() => toBytes(array)).toThrow(new TypeError('bytes must not have been transferred or cut off'));
    expect(toBytes(follows)).toHaveLength(7);
  });

  it('may be from another realm: from a frame, or read by Node in tests with jsdom', () => {
    const array: Uint8Array = runInNewContext('new Uint8Array(8)');
    expect(array).not.toBeInstanceOf(Uint8Array);
    expect(toBytes(array).buffer).toBe(array.buffer);
    expect(describeBytes(array).name).toContain('of no known kind');
    expect(toBytes(runInNewContext('new ArrayBuffer(8)'))).toHaveLength(8);
    const posing = { [Symbol.toStringTag]: 'Uint8Array', length: 8 };
    expect(() => toBytes(posing as never)).toThrow('must be a Uint8Array or an ArrayBuffer, got');
    expect(() => toBytes(Promise.resolve(new Uint8Array()) as never)).toThrow(
      new TypeError('bytes must be a Uint8Array or an ArrayBuffer, got Promise'),
    );
    expect(() => toBytes(runInNewContext('new Int8Array(8)'))).toThrow(TypeError);
  });

  const ibsp = (version: number): Uint8Array => ascii('IBSP', version, 0, 0, 0);
  it.each([
    [ascii(''), 'empty'],
    [ascii('IB'), 'cut short: it has 2 bytes'],
    // These begin as BSP2 maps do, but end too early.
    [ascii('BSP'), 'cut short: it has 3 bytes'],
    [ascii('hello\n'), 'a text file'],
    [ascii('{}'), 'cut short: it has 2 bytes'],
    [ibsp(46), 'a map of Quake 3 (IBSP 46)'],
    [ibsp(78), 'a map of UFO:AI (IBSP 78)'],
    [ibsp(38), 'a map of Quake 2 (IBSP 38)'],
    [ibsp(99), 'a map of an unknown game (IBSP 99)'],
    [ascii('QBSP', 38, 0, 0, 0), 'a map of Quake 2 (QBSP 38)'],
    [ascii('QBSP', 46, 0, 0, 0), 'a map of an unknown game (QBSP 46)'],
    [ascii('QBSP&'), 'cut short: it has 5 bytes'],
    [ascii('', 29, 0, 0, 0, 0, 0, 0, 0), 'a map of Quake (BSP 29)'],
    [ascii('', 30, 0, 0, 0, 0, 0, 0, 0), 'a map of Half-Life (BSP 30)'],
    [ascii('', 28, 0, 0, 0, 0, 0, 0, 0), 'a BSP map of version 28'],
    [ascii('BSP2', 0, 0, 0, 0), 'a map of Quake (BSP2)'],
    [ascii('VBSP', 20, 0, 0, 0), 'a map of the Source engine (VBSP)'],
    [ascii('PK\x03\x04', 0, 0, 0, 0), 'a zip archive (pk3)'],
    [ascii('', 0x1f, 0x8b, 8, 0, 0, 0, 0, 0), 'gzip data'],
    [ascii('', 0x1f, 0xa0, 8, 0, 0, 0, 0, 9), 'of no known kind: it begins with bytes 1f a0 08 00'],
    [ascii('IDP3', 15, 0, 0, 0), 'a Quake 3 model (MD3)'],
    [ascii('<!DOCTYPE html>'), 'a web page or XML'],
    [ascii('version https://git-lfs.github.com/spec/v1'), 'a Git LFS pointer'],
    [ascii('// entity 0\n{'), 'text, perhaps the source of a map'],
    [ascii('{\n"classname" "worldspawn"'), 'text, perhaps the source of a map'],
    [ascii('{ "error": "no such map" }'), 'JSON'],
    [ascii('hello\tworld\r\n'), 'a text file'],
    [ascii('', 0xde, 0xad, 0xbe, 0xef, 0, 0, 0, 0), 'of no known kind: it begins with bytes de ad be ef'],
  ])('are described (%#)', (bytes, name) => {
    expect(describeBytes(bytes).name).toBe(name);
  });

  it('are described with what to do about them, if anything helps', () => {
    expect(describeBytes(ascii('PK\x03\x04')).advice).toBe('unpack it and open the .bsp inside');
    expect(describeBytes(ascii('IDP3')).advice).toBe('it is not a map');
    expect(describeBytes(ibsp(46)).advice).toBe('');
  });

  it('are described whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(describeBytes(bytes).name.length).toBeGreaterThan(0);
      }),
    );
  });
});
