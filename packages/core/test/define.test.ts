import { describe, expect, it } from 'vitest';
import { defineReader, ibspVersion, openFile } from '../src/format/index.ts';
import type { BspWorld } from '../src/index.ts';

describe('a reader', () => {
  it('takes files that only have what all files have, and none of another format', () => {
    const file = { format: 'mine', version: 1, entities: '', stats: { count: 3, sizes: [1, 2] } };
    const reader = defineReader<typeof file, BspWorld>('mine', {
      read: () => file,
      createWorld: ([first]) => ({ format: first!.format }) as BspWorld,
      open: () => ({ format: 'mine' }) as BspWorld,
    });
    expect(reader.createWorld([file]).format).toBe('mine');
    for (const wrong of [{ ...file, format: 'other' }, { ...file, entities: () => [] }, undefined]) {
      expect(() => reader.createWorld([wrong as never])).toThrow('file must be a map that readBsp has read');
    }
  });

  it('names the version of a relative that it does not support', () => {
    const versionOf = (bytes: Uint8Array): number | undefined =>
      ibspVersion(bytes, 'RBSP') === 1 ? 1 : undefined;
    const open = (bytes: Uint8Array): unknown =>
      openFile(
        bytes,
        'mine',
        'a map of mine (RBSP 1)',
        8,
        versionOf,
        (file) => ibspVersion(file, 'RBSP') !== undefined,
      );
    const headed = (magic: string, version: number): Uint8Array =>
      Uint8Array.of(...[...magic].map((letter) => letter.charCodeAt(0)), version, 0, 0, 0);
    expect(() => open(headed('RBSP', 2))).toThrow(
      'the file is a map of version 2 (RBSP), not a map of mine (RBSP 1); other versions are not read',
    );
    expect(() => open(headed('IBSP', 46))).toThrow(
      'the file is a map of Quake 3 (IBSP 46), not a map of mine',
    );
    expect(open(headed('RBSP', 1))).toMatchObject({ version: 1 });
  });
});
