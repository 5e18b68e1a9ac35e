import { gzipSync } from 'node:zlib';
import { toyFormat, toyMap } from '@bspkit/testkit/toy';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { BspError, detectBsp, FORMATS, openBsp } from '../src/index.ts';
import { bytesOf, headed, maps } from './maps.ts';

describe('a map is recognized by its first bytes', () => {
  it.each([
    [headed('', 29), 'quake1', 'BSP 29', 'a map of Quake 1 (BSP 29)'],
    [headed('', 30), 'quake1', 'Half-Life BSP 30', 'a map of Quake 1 (Half-Life BSP 30)'],
    [headed('BSP2', 0), 'quake1', 'BSP2', 'a map of Quake 1 (BSP2)'],
    [headed('2PSB', 0), 'quake1', '2PSB', 'a map of Quake 1 (2PSB)'],
    [headed('IBSP', 38), 'quake2', 'IBSP 38', 'a map of Quake 2 (IBSP 38)'],
    [headed('IBSP', 46), 'quake3', 'IBSP 46', 'a map of Quake 3 (IBSP 46)'],
    [headed('IBSP', 47), 'quake3', 'IBSP 47', 'a map of Quake 3 (IBSP 47)'],
    [headed('IBSP', 78), 'ufoai', 'IBSP 78', 'a map of UFO:AI (IBSP 78)'],
    [headed('IBSP', 79), 'ufoai', 'IBSP 79', 'a map of UFO:AI (IBSP 79)'],
  ])('%#: %o', (bytes, format, version, name) => {
    expect(detectBsp(bytes)).toEqual({ format, version, name });
    expect(detectBsp(bytes.subarray(0, 8))).toEqual({ format, version, name });
  });

  it('in any kind of buffer, at any place in it', () => {
    const shared = new SharedArrayBuffer(maps.quake3.length);
    new Uint8Array(shared).set(maps.quake3);
    const within = new Uint8Array(maps.quake3.length + 3);
    within.set(maps.quake3, 3);
    const files = [Buffer.from(maps.quake3), shared, within.slice(3).buffer, within.subarray(3)];
    for (const file of files) expect(detectBsp(file).format).toBe('quake3');
  });

  it('and nothing else is accepted', () => {
    expect(() => detectBsp('maps/q3dm1.bsp' as never)).toThrow(TypeError);
    expect(() => detectBsp('maps/q3dm1.bsp' as never)).toThrow(
      /^bytes must be a Uint8Array or an ArrayBuffer, got /,
    );
  });
});

const KNOWN = FORMATS.map(({ name, versions }) => `${name} (${versions.join(', ')})`);
const READS = `bspkit reads ${new Intl.ListFormat('en-GB').format(KNOWN)}`;

/** What people pass that is not one of our maps: the file, what it is called, and what to do about it. */
const foreign: [string, Uint8Array, string, string][] = [
  ['Daikatana', headed('IBSP', 41), 'a map of Daikatana (IBSP 41)', READS],
  ['an IBSP from nowhere', headed('IBSP', -7), 'a map of an unknown game (IBSP -7)', READS],
  ['IBSP and no more', bytesOf('IBSP'), 'cut short: it has 4 bytes', 'fetch it again'],
  ['Source', headed('VBSP', 20), 'a map of the Source engine (VBSP)', READS],
  ['an early Quake', headed('', 28), 'a BSP map of version 28', READS],
  ['a pk3', zipSync({ 'maps/a.bsp': maps.quake3 }), 'a zip archive (pk3)', 'open the .bsp inside'],
  ['gzip', gzipSync(maps.quake1), 'gzip data', 'unpack it first'],
  [
    'map source',
    bytesOf('// entity 0\n{\n"classname" "worldspawn"\n'),
    'text, perhaps the source',
    'compile it',
  ],
  ['nothing', new Uint8Array(0), 'empty', 'again'],
  ['zeros', new Uint8Array(100), 'of no known kind: it begins with bytes 00 00 00 00', READS],
  ['a model', headed('IDP3', 15), 'a Quake 3 model (MD3)', 'it is not a map'],
];

describe.each(foreign)('%s', (_, bytes, name, advice) => {
  it('is named, with what to do about it', async () => {
    const found = detectBsp(bytes);
    expect(found.format).toBeUndefined();
    expect(found.name).toContain(name);
    expect('advice' in found && found.advice).toContain(advice);
    const error = await openBsp(bytes).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(BspError);
    expect(error).toMatchObject({ format: 'bsp', code: 'magic' });
    expect((error as BspError).message).toContain(`bsp: the file is ${name}`);
    expect((error as BspError).message).toContain(advice);
  });
});

it('what can be read is listed by name and version', () => {
  expect(READS).toMatch(
    /^bspkit reads Quake 1 \(BSP 29, Half-Life BSP 30, BSP2, 2PSB\), Quake 2 \(IBSP 38, QBSP 38\)/,
  );
});

describe('any input', () => {
  it('is recognized by its first 64 bytes', () => {
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

describe('a list of your own', () => {
  it('is asked in its order', () => {
    expect(detectBsp(toyMap(), [...FORMATS, toyFormat])).toEqual({
      format: 'toy',
      version: 'TOYB 1',
      name: 'a map of Toy (TOYB 1)',
    });
    const greedy = { ...toyFormat, detect: () => 'anything' };
    expect(detectBsp(maps.quake3, [greedy, ...FORMATS]).version).toBe('anything');
    expect(detectBsp(maps.quake3, [...FORMATS, greedy]).version).toBe('IBSP 46');
  });

  it('describes files in text, or not at all', () => {
    for (const wrong of [false, true, null, 0]) {
      const broken = { ...toyFormat, detect: () => wrong as never };
      expect(() => detectBsp(maps.quake3, [broken, ...FORMATS])).toThrow(
        new TypeError(`detect of 'toy' must return text or undefined, got ${wrong}`),
      );
    }
  });

  it('is what errors about foreign files mention', () => {
    expect(detectBsp(maps.quake3, [toyFormat])).toMatchObject({
      format: undefined,
      name: 'a map of Quake 3 (IBSP 46)',
      advice: 'bspkit reads Toy (TOYB 1)',
    });
  });
});
