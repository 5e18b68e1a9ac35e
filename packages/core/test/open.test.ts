import { describe, expect, it } from 'vitest';
import { ibspVersion, openKernel, openLumps, worldOptions } from '../src/format/index.ts';
import type { BspError } from '../src/index.ts';

// What formats other than IBSP, or without a kernel in WebAssembly, share.

/** A file with four letters, a version, words before its directory, and two lumps after it. */
function fileOf(magic: string, version: number, directoryAt: number): Uint8Array {
  const bytes = new Uint8Array(directoryAt + 16 + 11);
  bytes.set(new TextEncoder().encode(magic));
  const view = new DataView(bytes.buffer);
  view.setInt32(4, version, true);
  const [first, second] = [directoryAt + 16, directoryAt + 19];
  for (const [k, word] of [first, 3, second, 8].entries()) view.setInt32(directoryAt + 4 * k, word, true);
  bytes.set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], first);
  return bytes;
}

const LUMPS = { entities: 1, planes: 4 } as const;

const kind = (directoryAt?: number) => ({
  wanted: 'a map of chess (CHSS 5)',
  versionOf: (bytes: Uint8Array) => (ibspVersion(bytes, 'CHSS') === 5 ? 5 : undefined),
  isRelated: (bytes: Uint8Array) => ibspVersion(bytes, 'CHSS') !== undefined,
  directoryAt,
});

function problem(call: () => unknown): BspError {
  try {
    call();
  } catch (error) {
    return error as BspError;
  }
  throw new Error('nothing was thrown');
}

describe('a relative of IBSP with letters of its own', () => {
  it.each([8, 12])('is opened by its directory at byte %i', (directoryAt) => {
    const file = fileOf('CHSS', 5, directoryAt);
    const { version, lumps, raw } = openLumps(file, 'chess', kind(directoryAt), LUMPS);
    expect(version).toBe(5);
    expect([...raw.entities]).toEqual([1, 2, 3]);
    expect(lumps.planes.records(4)).toBe(2);
    expect([...raw.planes]).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('is refused as others are', () => {
    const open = (bytes: Uint8Array) => problem(() => openLumps(bytes, 'chess', kind(), LUMPS));
    expect(open(fileOf('CHSS', 6, 8))).toMatchObject({ code: 'version', format: 'chess' });
    expect(open(fileOf('IBSP', 5, 8))).toMatchObject({ code: 'magic' });
    expect(open(fileOf('IBSP', 5, 8)).message).toContain('not a map of chess (CHSS 5)');
    expect(open(fileOf('CHSS', 5, 8).subarray(0, 20))).toMatchObject({ code: 'truncated', lump: 'header' });
    const odd = fileOf('CHSS', 5, 8);
    new DataView(odd.buffer).setInt32(20, 7, true);
    expect(open(odd)).toMatchObject({ code: 'lump-size', lump: 'planes' });
  });
});

describe('a format without WebAssembly', () => {
  it('has the kernel in JavaScript, and refuses to have another', () => {
    for (const kernel of [undefined, 'auto', 'js'] as const) {
      expect(openKernel({ kernel })).toBe('js');
      expect(worldOptions({ kernel })).toEqual({ shared: false, kernel: 'js' });
    }
    expect(worldOptions({ shared: true })).toEqual({ shared: true, kernel: 'js' });
    const missing = new Error("kernel 'wasm' does not exist for this format: its only one is 'js'");
    expect(() => openKernel({ kernel: 'wasm' })).toThrow(missing);
    expect(() => worldOptions({ kernel: 'wasm' })).toThrow(missing);
  });

  it('refuses any other choice, and other options', () => {
    expect(() => openKernel({ kernel: 'fast' as 'js' })).toThrow(/^kernel must be 'auto', 'wasm' or 'js'/);
    expect(() => worldOptions({ kernel: 'fast' as 'js' })).toThrow(RangeError);
    expect(() => worldOptions({ kernels: 'js' } as object)).toThrow(TypeError);
    expect(() => worldOptions({ shared: 1 as never })).toThrow(TypeError);
  });
});
