import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { BspError, detectBsp, openBsp } from '../src/index.ts';
import { bytesOf, headed, maps } from './maps.ts';

describe('a map is known by its first bytes', () => {
  it.each([
    [headed('', 29), 'quake1', 29, 'a Quake map (BSP 29)'],
    [headed('', 30), 'quake1', 30, 'a Half-Life map (BSP 30)'],
    [headed('BSP2', 0), 'quake1', 'BSP2', 'a Quake map (BSP2)'],
    [headed('2PSB', 0), 'quake1', '2PSB', 'a Quake map (2PSB)'],
    [headed('IBSP', 46), 'quake3', 46, 'a Quake 3 map (IBSP 46)'],
    [headed('IBSP', 47), 'quake3', 47, 'a Quake 3 map (IBSP 47)'],
    [headed('IBSP', 78), 'ufoai', 78, 'a UFO:AI map (IBSP 78)'],
    [headed('IBSP', 79), 'ufoai', 79, 'a UFO:AI map (IBSP 79)'],
  ])('%#: %o', (bytes, format, version, name) => {
    expect(detectBsp(bytes)).toEqual({ format, version, name });
    expect(detectBsp(bytes.subarray(0, 8))).toEqual({ format, version, name });
  });

  it('as any kind of buffer, at any place in it', () => {
    const shared = new SharedArrayBuffer(maps.quake3.length);
    new Uint8Array(shared).set(maps.quake3);
    const within = new Uint8Array(maps.quake3.length + 3);
    within.set(maps.quake3, 3);
    const files = [Buffer.from(maps.quake3), shared, within.slice(3).buffer, within.subarray(3)];
    for (const file of files) expect(detectBsp(file).format).toBe('quake3');
  });

  it('and nothing else is taken', () => {
    expect(() => detectBsp('maps/q3dm1.bsp' as never)).toThrow(
      new TypeError('bytes must be a Uint8Array or an ArrayBuffer, got string'),
    );
  });
});

/** What people hand over that is none of our maps: the file, what it is called, and what to do. */
const foreign: [string, Uint8Array, string, string][] = [
  ['Quake 2', headed('IBSP', 38), 'an IBSP map of version 38 (Quake 2)', 'versions 46 and 47'],
  ['Daikatana', headed('IBSP', 41), 'an IBSP map of version 41 (Daikatana)', 'versions 46 and 47'],
  ['an IBSP from nowhere', headed('IBSP', -7), 'an IBSP map of version -7', 'versions 46 and 47'],
  ['IBSP and no more', bytesOf('IBSP'), 'cut short: it has 4 bytes', 'fetch it anew'],
  ['Source', headed('VBSP', 20), 'a Source engine map (VBSP)', 'not read: bspkit reads Quake 1'],
  ['Raven', headed('RBSP', 1), 'a Raven map (RBSP: Jedi Knight, Soldier of Fortune 2)', 'not read'],
  ['QFusion', headed('FBSP', 1), 'a QFusion map (FBSP: Warsow)', 'not read'],
  ['an early Quake', headed('', 28), 'a BSP map of version 28', '29 (Quake) and 30 (Half-Life)'],
  ['a pk3', zipSync({ 'maps/a.bsp': maps.quake3 }), 'a zip archive (pk3)', 'open the .bsp inside, in maps/'],
  ['a zip of nothing', zipSync({}), 'an empty zip archive', 'no map in it'],
  ['a pak', headed('PACK', 12), 'a Quake pak archive', 'open the .bsp inside'],
  ['gzip', gzipSync(maps.quake1), 'gzip data', 'unpack it first'],
  [
    'map source',
    bytesOf('// entity 0\n{\n"classname" "worldspawn"\n'),
    'text, perhaps the source',
    'compile it',
  ],
  ['text', bytesOf('Hello, I am a readme of a map.'), 'a text file', 'bspkit reads'],
  ['a web page', bytesOf('<!DOCTYPE html><title>404</title>'), 'a web page or XML', 'the address'],
  ['a pointer', bytesOf('version https://git-lfs.github.com/spec/v1\n'), 'a Git LFS pointer', 'git lfs pull'],
  ['nothing', new Uint8Array(0), 'empty', 'anew'],
  ['three bytes', Uint8Array.of(29, 0, 0), 'cut short: it has 3 bytes', 'anew'],
  ['zeros', new Uint8Array(100), 'of no known kind: it begins with bytes 00 00 00 00', 'bspkit reads'],
  ['a model', headed('IDP3', 15), 'a Quake 3 model (MD3)', 'no map'],
];

describe.each(foreign)('%s', (_, bytes, name, advice) => {
  it('is named, with what to do', async () => {
    const found = detectBsp(bytes);
    expect(found.format).toBeUndefined();
    expect(found.name).toContain(name);
    expect('advice' in found && found.advice).toContain(advice);
    const error = await openBsp(bytes).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(BspError);
    expect(error).toMatchObject({ format: 'bsp', code: found.version === undefined ? 'magic' : 'version' });
    expect((error as BspError).message).toContain(`bsp: the file is ${name}`);
    expect((error as BspError).message).toContain(advice);
  });
});

describe('whatever is handed over', () => {
  it('is told from its first 64 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 200 }), (bytes) => {
        expect(detectBsp(bytes.subarray(0, 64))).toEqual(detectBsp(bytes));
      }),
    );
  });

  it('opens or is refused with a BspError', async () => {
    const magic = fc.constantFrom('IBSP', 'BSP2', '2PSB', 'VBSP', '\x1d\0\0\0', '\x1e\0\0\0', 'toSt', '');
    await fc.assert(
      fc.asyncProperty(magic, fc.uint8Array({ maxLength: 300 }), async (magic, tail) => {
        const bytes = Uint8Array.of(...bytesOf(magic), ...tail);
        const error = await openBsp(bytes).catch((error: unknown) => error);
        expect(error).toBeInstanceOf(BspError);
      }),
      { numRuns: 300 },
    );
  });
});
