import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { arenaQuake3, compileFixture, FIXTURE_FORMATS, fixtureFor } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import { MapError } from '../src/errors.ts';
import { gunzip } from '../src/maps.ts';
import { bspkit, temporaryFolder, WINDOWS } from './bspkit.ts';

const folder = temporaryFolder();
const arena = arenaQuake3();

/** Lumps of a Quake 3 map in the order of its directory, with the number of bytes per record. */
const LUMPS = {
  entities: 1,
  shaders: 72,
  planes: 16,
  nodes: 36,
  leafs: 48,
  leafSurfaces: 4,
  leafBrushes: 4,
  models: 40,
  brushes: 12,
  sides: 8,
  vertexes: 44,
  indexes: 4,
  fogs: 72,
  surfaces: 104,
  lightmaps: 1,
  lightGrid: 1,
  visibility: 1,
} as const;
const NAMES = Object.keys(LUMPS) as (keyof typeof LUMPS)[];

/** A copy of the arena to break. */
function copy(): { bytes: Uint8Array; view: DataView; lump(name: keyof typeof LUMPS): number } {
  const bytes = arena.slice();
  const view = new DataView(bytes.buffer);
  return { bytes, view, lump: (name) => view.getInt32(8 + 8 * NAMES.indexOf(name), true) };
}

const lengthPlace = (name: keyof typeof LUMPS): number => 12 + 8 * NAMES.indexOf(name);

/** Passes bytes to `bspkit info` and expects one clear line about them and exit code 3. */
async function expectRefused(name: string, bytes: Uint8Array | string, ...says: RegExp[]): Promise<void> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const { status, stdout, stderr } = await bspkit('info', path);
  expect(stderr).toMatch(/^bspkit: [^\n]+\n$/);
  expect(stderr).toContain(path);
  for (const pattern of says) expect(stderr).toMatch(pattern);
  expect(stdout).toBe('');
  expect(status).toBe(3);
}

describe('a file that is not a map', () => {
  it.each([
    ['empty.bsp', new Uint8Array(), /the file is empty/],
    ['ten.bsp', arena.slice(0, 10), /quake3: header: needs/],
    ['short.bsp', arena.slice(0, 7), /the file is cut short: it has 7 bytes; fetch it again/],
    ['text.bsp', 'Dear reader, this is a text.\n', /the file is a text file; bspkit reads Quake 1/],
    ['source.bsp', 'VBSP\x14\0\0\0', /a map of the Source engine \(VBSP\); bspkit reads Quake 1/],
    ['daikatana.bsp', 'IBSP\x29\0\0\0', /a map of Daikatana \(IBSP 41\); bspkit reads .*IBSP 46, IBSP 47/],
    ['raven.bsp', 'RBSP\x01\0\0\0', /a map of SiN, Jedi Knight or Soldier of Fortune 2 \(RBSP/],
    ['zip.bsp', 'PK\x03\x04\x14\0\0\0', /a zip archive \(pk3\); unpack it/],
    ['damaged.bsp.gz', gzipSync(arena).subarray(0, 5000), /damaged gzip/],
    ['empty.bsp.gz', gzipSync(''), /the file is empty/],
  ])('%s', (name, bytes, says) => expectRefused(name, bytes, says));

  it('of another version', async () => {
    const { bytes, view } = copy();
    view.setInt32(4, 99, true);
    await expectRefused(
      'version.bsp',
      bytes,
      /a map of an unknown game \(IBSP 99\); bspkit reads .*IBSP 46, IBSP 47/,
    );
  });

  it.each(['', '\ufeff'])(
    'that is the source of a map, with a UTF-8 byte order mark or without (%j)',
    async (mark) => {
      const source = join(folder, 'level.map');
      writeFileSync(source, `${mark}// Game: Quake\r\n{\r\n`);
      expect(await bspkit('info', source)).toMatchObject({
        status: 3,
        stderr: `bspkit: ${source}: the file is text, perhaps the source of a map; compile it first\n`,
      });
    },
  );

  it('that is not there, or is a folder, or is far too large', async () => {
    const missing = await bspkit('info', join(folder, 'missing.bsp'));
    expect(missing).toMatchObject({
      status: 3,
      stdout: '',
      stderr: expect.stringMatching(
        /missing\.bsp: no such file; demo:arena is a map that is always there\n$/,
      ),
    });
    for (const args of [
      ['info', '-'],
      ['compile', '-', '--format', 'quake3', '--out', join(folder, 'piped.bsp')],
    ]) {
      const hint = WINDOWS ? '' : '; what comes through a pipe is /dev/stdin';
      expect(await bspkit(...args)).toMatchObject({
        status: 3,
        stderr: `bspkit: -: no such file${hint}\n`,
      });
    }
    expect(await bspkit('info', folder)).toMatchObject({
      status: 3,
      stderr: `bspkit: ${folder}: is a folder; name a file in it\n`,
    });
    const huge = join(folder, 'huge.bsp');
    writeFileSync(huge, '');
    truncateSync(huge, 1e9);
    const refused = await bspkit('trace', huge, '--from', '0,0,0', '--to', '1,1,1');
    expect(refused).toMatchObject({
      status: 3,
      stdout: '',
      stderr: `bspkit: ${huge}: has 1 GB, but at most 512 MB are read\n`,
    });
  });

  it('unpacks to far too much', () => {
    // A gzip file may have several members, which unpack one after the other.
    const zeros = gzipSync(new Uint8Array(2 ** 16));
    const bomb = Buffer.concat(Array.from({ length: 17 }, () => zeros));
    expect(gunzip('bomb.bsp.gz', bomb.subarray(zeros.length), 2 ** 20)).toHaveLength(2 ** 20);
    const unpack = (): Uint8Array => gunzip('bomb.bsp.gz', bomb, 1e6);
    expect(unpack).toThrow(new MapError('bomb.bsp.gz: unpacks to more than 1 MB'));
  });
});

describe('a damaged Quake 3 map', () => {
  const { view } = copy();
  const ends = NAMES.map(
    (name) => view.getInt32(lengthPlace(name) - 4, true) + view.getInt32(lengthPlace(name), true),
  );
  const whole = Math.max(...ends);
  const boundaries = NAMES.flatMap((name) => {
    const begin = view.getInt32(lengthPlace(name) - 4, true);
    return [begin, begin + view.getInt32(lengthPlace(name), true)];
  });

  it.each([...new Set(boundaries)].filter((cut) => cut < whole))(
    'cut at byte %i, a boundary of lumps',
    async (cut) => {
      await expectRefused('cut.bsp', arena.slice(0, cut), /but the file has|lies at bytes|needs/);
    },
  );

  it.each(NAMES.filter((name) => LUMPS[name] > 1))(
    'whose %s lump is not a whole number of records',
    async (name) => {
      const { bytes, view } = copy();
      view.setInt32(
        lengthPlace(name),
        view.getInt32(lengthPlace(name), true) + (name === 'fogs' ? 1 : -1),
        true,
      );
      await expectRefused(`size-${name}.bsp`, bytes, new RegExp(`${name}.*not a multiple of ${LUMPS[name]}`));
    },
  );

  it('with a node child out of range', async () => {
    const { bytes, view, lump } = copy();
    view.setInt32(lump('nodes') + 4, 100_000, true);
    await expectRefused('child.bsp', bytes, /nodes 0.*100000/);
  });

  it('with a node that is its own child', async () => {
    const { bytes, view, lump } = copy();
    view.setInt32(lump('nodes') + 36 + 8, 1, true);
    await expectRefused('cycle.bsp', bytes, /node/);
  });

  it('with a leaf brush out of range', async () => {
    const { bytes, view, lump } = copy();
    view.setInt32(lump('leafBrushes'), 70_000, true);
    await expectRefused('leafbrush.bsp', bytes, /leafBrushes 0.*70000/);
  });

  it('with entities that do not parse', async () => {
    const { bytes, lump } = copy();
    bytes[lump('entities')] = 0x78;
    await expectRefused('entities.bsp', bytes, /entities.*line 1/);
  });
});

describe('a cut map of another game', () => {
  it.each(FIXTURE_FORMATS.filter((format) => format !== 'quake3'))('%s', async (name) => {
    const { bytes } = compileFixture(fixtureFor(name), name);
    for (const part of [0.001, 0.3, 0.9]) {
      await expectRefused(
        `${name}.bsp`,
        bytes.slice(0, Math.max(8, Math.floor(part * bytes.length))),
        new RegExp(name),
      );
    }
  });
});
