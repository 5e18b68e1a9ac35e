import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePak } from '@bspkit/testkit/pak';
import { strToU8, Zip, ZipPassThrough, type Zippable, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readFromArchive } from '../src/archive.ts';
import { readParts } from '../src/files.ts';
import { Session } from '../src/session.ts';
import { bspkit, temporaryFolder } from './bspkit.ts';
import { rooms } from './rooms.ts';

const folder = temporaryFolder();
const quake1 = rooms('quake1');
const quake3 = rooms('quake3');

const silent = { write: () => true };

function pk3(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** A zip whose entries are written in the given order, whatever their names. */
function zipInOrder(...entries: [string, Uint8Array][]): Uint8Array {
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  for (const [name, bytes] of entries) {
    const file = new ZipPassThrough(name);
    zip.add(file);
    file.push(bytes, true);
  }
  zip.end();
  return Buffer.concat(parts);
}

const formatOf = async (map: string): Promise<unknown> =>
  JSON.parse((await bspkit('info', map, '--json')).stdout).format;

describe('an archive', () => {
  const sky = ['sky.tga', new Uint8Array(1_000_000)] as const;
  const kind = { ending: '.bsp', what: 'map', several: 'maps' };

  it.each([
    ['pk3', zipInOrder([...sky], ['maps/a.bsp', quake3])],
    ['pak', writePak(sky, ['maps/a.bsp', quake3])],
  ])('is read no further than what was asked for: %s', (ending, bytes) => {
    const path = pk3(`large.${ending}`, bytes);
    const session = new Session({ cwd: folder, env: {}, stdout: silent, stderr: silent }, [], []);
    readParts(path, 2e6, session, (parts) => {
      let count = 0;
      const read = (at: number, length: number): Uint8Array => {
        count += length;
        return parts.read(at, length);
      };
      const { size } = parts;
      const archive = { size, read };
      expect(readFromArchive(path, archive, undefined, 2e6, kind)).toEqual(quake3);
      expect(count).toBeLessThan(quake3.length + 100_000);
      // Its directory, which may be long, is read once for all its files.
      count = 0;
      expect(readFromArchive(path, archive, 'maps/a.bsp', 2e6, kind)).toEqual(quake3);
      expect(count).toBeLessThan(quake3.length + 64);
      // Opened once: nothing that takes its name comes between.
      renameSync(path, `${path}.old`);
      expect(parts.read(0, 4)).toEqual(new Uint8Array(bytes.subarray(0, 4)));
      appendFileSync(`${path}.old`, 'more');
      expect(() => parts.read(0, 4)).toThrow(`${path}: was changed while it was read`);
    });
    expect(() => readParts(`${path}.old`, 1e6, session, () => 0)).toThrow(
      'has 1 MB, but at most 1 MB are read',
    );
  });
});

describe('a pk3', () => {
  it('is searched without regard to the case of names', async () => {
    const path = pk3('pak0.pk3', zipSync({ 'maps/Rooms.bsp': quake3, 'readme.txt': strToU8('hello') }));
    expect(await formatOf(`${path}:maps/rooms.bsp`)).toBe('quake3');
    expect(await formatOf(`${path}:MAPS\\ROOMS.BSP`)).toBe('quake3');
  });

  it('needs no inner name when it holds one map', async () => {
    for (const name of ['one.PK3', 'one.pkz', 'one.zip']) {
      expect(await formatOf(pk3(name, zipSync({ 'maps/rooms.bsp': quake3 })))).toBe('quake3');
    }
  });

  it.each([
    ['the same name', 'maps/rooms.bsp'],
    ['the same name in another case', 'maps/ROOMS.bsp'],
  ])('gives the later of two files of %s', async (_, name) => {
    const path = pk3('twice.pk3', zipInOrder([name, quake1], ['maps/rooms.bsp', quake3]));
    expect(await formatOf(`${path}:maps/rooms.bsp`)).toBe('quake3');
    const other = pk3('twice.pk3', zipInOrder(['maps/rooms.bsp', quake3], [name, quake1]));
    expect(await formatOf(`${other}:maps/rooms.bsp`)).toBe('quake1');
  });

  it('has sources of maps, and all its shader scripts, for compile', async () => {
    const cube = [
      ['-32 0 0', '-32 1 0', '-32 0 1'],
      ['32 0 0', '32 0 1', '32 1 0'],
      ['0 -32 0', '0 -32 1', '1 -32 0'],
      ['0 32 0', '1 32 0', '0 32 1'],
      ['0 0 -32', '1 0 -32', '0 1 -32'],
      ['0 0 32', '0 1 32', '1 0 32'],
    ].map((points) => `${points.map((point) => `( ${point} )`).join(' ')} base/pool 0 0 0 1 1`);
    const text = strToU8(`{ "classname" "worldspawn" { ${cube.join('\n')} } }`);
    const files = {
      'maps/Cube.map': text,
      'maps/rooms.bsp': quake3,
      'scripts/b.shader': strToU8('textures/base/pool { surfaceparm lava }'),
      'Scripts/A.shader': strToU8('textures/base/pool { surfaceparm slime }'),
    };
    const path = pk3('sources.pk3', zipSync(files));
    const out = join(folder, 'cube.bsp');
    const compile = (source: string, ...more: string[]) =>
      bspkit('compile', source, '--format', 'quake3', '--out', out, ...more);
    for (const source of [path, `${path}:maps/cube.map`]) {
      expect(await compile(source, '--shaders', path)).toMatchObject({ status: 0, stderr: '' });
      const { stdout } = await bspkit('point', out, '--at', '0,0,0', '--json');
      expect(JSON.parse(stdout).contentsNames).toEqual(['slime']);
    }
    await compile(path, '--shaders', `${path}:scripts/B.shader`);
    const { stdout: one } = await bspkit('point', out, '--at', '0,0,0', '--json');
    expect(JSON.parse(one).contentsNames).toEqual(['lava']);
    const bare = pk3('bare.pk3', zipSync({ 'maps/rooms.bsp': quake3 }));
    const broken = pk3(
      'broken.pk3',
      zipSync({ 'a.map': text, 'b.map': text, 'scripts/c.shader': strToU8('}') }),
    );
    // Two scripts whose headers claim so much that either one alone would be allowed.
    const many = Buffer.from(zipSync({ 'a.shader': strToU8('a {}'), 'b.shader': strToU8('b {}') }));
    const directory = many.readUInt32LE(many.length - 22 + 16);
    for (const at of [directory, many.indexOf('PK\x01\x02', directory + 4)]) many.writeUInt32LE(4e7, at + 24);
    const large = pk3('many.pk3', many);
    // The same for headers of packed bytes, which may unpack to nothing.
    for (const at of [directory, many.indexOf('PK\x01\x02', directory + 4)]) {
      many.writeUInt32LE(4e7, at + 20);
      many.writeUInt32LE(0, at + 24);
    }
    const empty = pk3('empty.pk3', many);
    for (const [args, status, message] of [
      [[path, '--shaders', large], 3, `${large}: its shader scripts take 80 MB, but at most 64 MB are read`],
      [[path, '--shaders', empty], 3, `${empty}: its shader scripts take 80 MB, but at most 64 MB are read`],
      [[bare], 3, `${bare}: holds no map sources`],
      [[`${path}:maps/rooms.bsp`], 3, `${path}: has no maps/rooms.bsp. It holds maps/Cube.map`],
      [[broken], 2, `${broken}: name the map source in it, ${broken}:INNER/PATH.map. It holds a.map, b.map`],
      [[path, '--shaders', `${path}:c.shader`], 3, `${path}: has no c.shader. It holds scripts/b.shader`],
      [[path, '--shaders', bare], 3, `${bare}: holds no shader scripts`],
      [[path, '--shaders', broken], 3, `${broken}:scripts/c.shader: line 1: '}' closes nothing`],
      [[path, '--shaders', join(folder, 'no.pk3')], 3, 'no.pk3: no such file'],
    ] as const) {
      const { status: code, stderr } = await compile(...(args as readonly [string]));
      expect([code, stderr]).toEqual([status, expect.stringContaining(message)]);
    }
  });

  it('without maps is refused for that reason', async () => {
    const path = pk3('none.pk3', zipSync({ 'readme.txt': strToU8('no map') }));
    for (const name of [path, `${path}:maps/c.bsp`]) {
      expect(await bspkit('info', name)).toEqual({
        status: 3,
        stdout: '',
        stderr: `bspkit: ${path}: holds no maps\n`,
      });
    }
    expect((await bspkit('info', `${path}:maps/c.ump`)).stderr).toBe(
      `bspkit: ${path}: holds no assemblies\n`,
    );
  });

  it('lists its maps when the name is not there', async () => {
    const path = pk3('two.pk3', zipSync({ 'maps/a.bsp': quake3, 'maps/b.bsp': quake1 }));
    expect(await bspkit('info', `${path}:maps/c.bsp`)).toMatchObject({
      status: 3,
      stderr: `bspkit: ${path}: has no maps/c.bsp. It holds maps/a.bsp, maps/b.bsp\n`,
    });
    expect(await bspkit('info', path)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('maps/a.bsp, maps/b.bsp'),
    });
    const names = Array.from({ length: 15 }, (_, k) => `m${10 + k}.bsp`);
    const many = pk3('many.pk3', zipSync(Object.fromEntries(names.map((name) => [name, quake3]))));
    expect((await bspkit('info', many)).stderr).toContain(
      `It holds ${names.slice(0, 12).join(', ')}, and 3 more\n`,
    );
  });

  it.each([
    ['empty', new Uint8Array()],
    ['a text', strToU8('not a zip at all, but long enough to look for an end record in')],
    ['cut', zipSync({ 'maps/rooms.bsp': quake3 }).slice(0, -100)],
  ])('that is %s is refused', async (name, bytes) => {
    const path = pk3('broken.pk3', bytes);
    const { status, stdout, stderr } = await bspkit('info', `${path}:maps/rooms.bsp`);
    expect({ name, status, stdout }).toEqual({ name, status: 3, stdout: '' });
    expect(stderr).toMatch(/^bspkit: [^\n]*broken\.pk3: is not a pk3[^\n]*\n$/);
  });

  it('may contain a broken map', async () => {
    const path = pk3('bad.pk3', zipSync({ 'maps/bad.bsp': quake3.slice(0, 500) }));
    const { status, stderr } = await bspkit('info', `${path}:maps/bad.bsp`);
    expect(status).toBe(3);
    expect(stderr).toMatch(/^bspkit: [^\n]*bad\.pk3:maps\/bad\.bsp: quake3: [^\n]+\n$/);
  });

  it('may end in a comment', async () => {
    const bytes = Buffer.concat([zipSync({ 'maps/rooms.bsp': quake3 }), strToU8('made by hand')]);
    bytes.writeUInt16LE(12, bytes.length - 12 - 2);
    expect(await formatOf(pk3('comment.pk3', bytes))).toBe('quake3');
  });

  it('prints names without control characters', async () => {
    const name = 'maps/\x1b[31mred\x07.bsp';
    const path = pk3('red.pk3', zipSync({ [name]: quake3, 'maps/b.bsp': quake1 }));
    const { stderr } = await bspkit('info', path);
    expect(stderr).toContain('It holds maps/\\u001b[31mred\\u0007.bsp, maps/b.bsp');
    const { status, stdout } = await bspkit('info', `${path}:${name}`);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\S+red\.pk3:maps\/\\u001b\[31mred\\u0007\.bsp\s+Quake 3/);
  });
});

describe('a file in a pk3', () => {
  /** An archive with one map, and where its two headers are. */
  function archive(level: 0 | 6): { bytes: Buffer; local: number; central: number } {
    const files: Zippable = { 'maps/rooms.bsp': [quake3, { level }] };
    const bytes = Buffer.from(zipSync(files));
    return { bytes, local: 0, central: bytes.readUInt32LE(bytes.length - 22 + 16) };
  }
  type Archive = ReturnType<typeof archive>;

  const data = 30 + 'maps/rooms.bsp'.length;

  it.each<[string, 0 | 6, (archive: Archive) => void, RegExp]>([
    [
      'has another checksum than the directory says, stored',
      0,
      ({ bytes }) => bytes.writeUInt8(bytes[data + 999]! ^ 1, data + 999),
      /it is damaged: its checksum is [0-9a-f]{8} instead of [0-9a-f]{8}$/,
    ],
    [
      'has another checksum, deflated',
      6,
      ({ bytes, central }) => bytes.writeUInt32LE(12345, central + 16),
      /it is damaged: its checksum is [0-9a-f]{8} instead of 00003039$/,
    ],
    [
      'cannot be unpacked',
      6,
      ({ bytes }) => bytes.fill(0xff, data + 20, data + 60),
      /rooms\.bsp: it is damaged: \w/,
    ],
    [
      'unpacks to more than the directory says',
      6,
      ({ bytes, central }) => bytes.writeUInt32LE(1000, central + 24),
      /it is damaged: it has more than 1000 bytes$/,
    ],
    [
      'unpacks to less',
      6,
      ({ bytes, central }) => bytes.writeUInt32LE(1e6, central + 24),
      /it is damaged: it has \d+ bytes instead of 1000000$/,
    ],
    [
      'is too large',
      6,
      ({ bytes, central }) => bytes.writeUInt32LE(0xfffffff0, central + 24),
      /unpacks to 4.3 GB, but at most 512 MB are read$/,
    ],
    [
      'is packed in another way',
      6,
      ({ bytes, central }) => bytes.writeUInt16LE(14, central + 10),
      /it is packed by method 14, but only deflate and store are read$/,
    ],
    [
      'is encrypted',
      6,
      ({ bytes, central }) => bytes.writeUInt16LE(1, central + 8),
      /rooms\.bsp: it is encrypted$/,
    ],
    [
      'is not where the directory has it',
      6,
      ({ bytes, central }) => bytes.writeUInt32LE(5, central + 42),
      /it is not where the directory says, at byte 5$/,
    ],
    [
      'reaches beyond the end',
      0,
      ({ bytes, central }) => {
        bytes.writeUInt32LE(1e6, central + 20);
        bytes.writeUInt32LE(1e6, central + 24);
      },
      /rooms\.bsp: it is cut off$/,
    ],
    [
      'belongs to a zip64 archive',
      6,
      ({ bytes }) => bytes.writeUInt16LE(0xffff, bytes.length - 22 + 10),
      /is not a pk3 .*: it is a zip64 archive, which no game reads$/,
    ],
    [
      'has a name that reaches beyond the directory',
      6,
      ({ bytes, central }) => bytes.writeUInt16LE(0xffff, central + 28),
      /is not a pk3 .*: the name of file 1 is cut off$/,
    ],
    [
      'is not in the directory, which counts more than it has',
      6,
      ({ bytes }) => bytes.writeUInt16LE(2, bytes.length - 22 + 10),
      /is not a pk3 .*: its directory has 2 files, but breaks off at file 2$/,
    ],
  ])('that %s is refused', async (_, level, change, says) => {
    const changed = archive(level);
    change(changed);
    const path = pk3('changed.pk3', changed.bytes);
    const { status, stdout, stderr } = await bspkit('info', path);
    expect(stderr).toMatch(/^bspkit: [^\n]+\n$/);
    expect(stderr.trimEnd()).toMatch(says);
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  });
});

describe('a pak', () => {
  it('is searched like a pk3, and the first of two files of the same name counts', async () => {
    const path = pk3('pak0.pak', writePak(['maps/e1m1.bsp', quake1], ['maps/E1M1.bsp', quake3]));
    expect(await formatOf(`${path}:MAPS\\e1m1.bsp`)).toBe('quake1');
    expect(await formatOf(path)).toBe('quake1');
    const two = pk3('PAK1.PAK', writePak(['maps/b.bsp', quake1], ['maps/a.bsp', quake3], ['a.txt', quake1]));
    expect(await bspkit('info', two)).toMatchObject({
      status: 2,
      stderr: `bspkit: ${two}: name the map in it, ${two}:INNER/PATH.bsp. It holds maps/b.bsp, maps/a.bsp\n`,
    });
    expect(await formatOf(`${two}:maps/a.bsp`)).toBe('quake3');
    expect(await bspkit('info', `${two}:maps/c.bsp`)).toMatchObject({ status: 3 });
  });

  it('may have names with backslashes', async () => {
    const path = pk3('slashes.pak', writePak(['maps\\dm1.bsp', quake1], ['maps\\dm2.bsp', quake3]));
    expect(await formatOf(`${path}:maps/dm2.bsp`)).toBe('quake3');
    expect(await formatOf(`${path}:maps\\dm1.bsp`)).toBe('quake1');
  });

  it('that is not one is refused as such', async () => {
    const page = pk3('page.pak', strToU8('<!doctype html>'));
    expect(await bspkit('info', page)).toMatchObject({
      status: 3,
      stderr: `bspkit: ${page}: the file is a web page or XML, not a pak; if it was fetched, the address has no map\n`,
    });
    const text = pk3('text.pak', strToU8('hello'));
    expect(await bspkit('info', `${text}:maps/a.bsp`)).toMatchObject({
      status: 3,
      stderr: `bspkit: ${text}: the file is a text file, not a pak\n`,
    });
    expect(await formatOf(pk3('zip.pak', zipSync({ 'maps/rooms.bsp': quake3 })))).toBe('quake3');
  });

  it('that is damaged says where', async () => {
    const bytes = writePak(['maps/e1m1.bsp', quake1]);
    const path = pk3('cut.pak', bytes.subarray(0, 100));
    const { status, stderr } = await bspkit('info', `${path}:maps/e1m1.bsp`);
    expect(status).toBe(3);
    expect(stderr).toBe(
      `bspkit: ${path}: pak: directory: lies at bytes ${bytes.length - 64} to ${bytes.length}, but the file has 100 bytes\n`,
    );
  });
});
