import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { COMPILE_TARGETS, compileMap } from '@bspkit/compile';
import { BspError } from '@bspkit/core';
import type { BspFormat, BspFormatEntry } from '@bspkit/core/format';
import { fixtureMap } from '@bspkit/fixtures';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { demoMap } from '../src/demo-maps.ts';
import { bspkit, bspkitIn } from './bspkit.ts';
import { roomFiles } from './room-files.ts';

const { folder, printed, json } = roomFiles();

describe('compile', () => {
  const source = join(folder, 'box.map');
  const brush = (x: number): string =>
    [
      `( ${x} 0 0 ) ( ${x} 1 0 ) ( ${x} 0 1 )`,
      `( ${x + 64} 0 0 ) ( ${x + 64} 0 1 ) ( ${x + 64} 1 0 )`,
      `( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 )`,
      `( 0 64 0 ) ( 1 64 0 ) ( 0 64 1 )`,
      `( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 )`,
      `( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 )`,
    ]
      .map((plane) => `${plane} test/box 0 0 0 1 1\n`)
      .join('');
  writeFileSync(source, `{\n"classname" "worldspawn"\n{\n${brush(0)}}\n{\n${brush(128)}}\n}\n`);

  it.each(COMPILE_TARGETS.map(({ id }) => id))('makes a %s map that can be traced', async (format) => {
    const out = join(folder, `${format}.bsp`);
    const { status, stdout } = await bspkit('compile', source, '--format', format, '--out', out, '--stats');
    expect(status).toBe(0);
    expect(stdout).toMatch(/from 2 brushes/);
    expect(stdout).toMatch(/depth +\d+ at most/);
    const answer = await json('trace', out, '--from', '-100,32,32', '--to', '100,32,32');
    expect((answer.endPos as number[])[0]).toBeCloseTo(0, 0);
  });

  it('reads sources and shader scripts that are gzipped, whatever they are called', async () => {
    const [packed, scripts, out] = ['box.map.gz', 'packed.shader', 'packed.bsp'].map((name) =>
      join(folder, name),
    );
    writeFileSync(packed!, gzipSync(readFileSync(source)));
    writeFileSync(scripts!, gzipSync('textures/test/box { surfaceparm fog }'));
    const made = await bspkit('compile', packed!, '-f', 'quake3', '-o', out!, '--shaders', scripts!);
    expect(made).toMatchObject({ status: 0, stderr: '' });
    expect(await json('point', out!, '--at', '32,32,32')).toMatchObject({ contentsNames: ['fog'] });
    writeFileSync(packed!, gzipSync(readFileSync(source)).subarray(0, 99));
    expect(await bspkit('compile', packed!, '-f', 'quake3', '-o', out!)).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('box.map.gz: is a damaged gzip file'),
    });
  });

  it('takes contents from the text if they are those of the game', async () => {
    const [pool, out] = [join(folder, 'pool.map'), join(folder, 'pool.bsp')];
    writeFileSync(pool, readFileSync(source, 'utf8').replaceAll('1 1\n', '1 1 32 0 0\n'));
    await bspkit('compile', pool, '--format', 'quake2', '--out', out);
    expect(await json('point', out, '--at', '32,32,32')).toMatchObject({ contentsNames: ['water'] });
  });

  it('takes the options of a target, whatever they are called', async () => {
    const out = join(folder, 'later.bsp');
    await printed('compile', 'demo:house', '--format', 'ufoai', '--out', out, '--version', '79');
    expect(await json('info', out)).toMatchObject({ version: 'IBSP 79' });
    const made = await bspkit('compile', 'demo:arena', '--format', 'quake1', '--out', out, '--version', '30');
    expect(made.stdout).toMatch(/later\.bsp\s+Quake 1 \(Half-Life BSP 30\), /);
    expect(await json('info', out)).toMatchObject({ version: 'Half-Life BSP 30' });
    const wrong = (format: string, version: string) =>
      bspkit('compile', 'demo:house', '-f', format, '-o', out, '--version', version);
    expect(await wrong('ufoai', '80')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Allowed choices are 29, 30, 78, 79'),
    });
    expect(await wrong('ufoai', '30')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--version must be 78 or 79, got '30'"),
    });
  });

  it('takes the version from the text, unless one is given', async () => {
    const [crate, out] = [join(folder, 'crate.map'), join(folder, 'crate.bsp')];
    writeFileSync(crate, `// Game: Half-Life\n${readFileSync(source, 'utf8')}`);
    const { stdout } = await bspkit('compile', crate, '--format', 'quake1', '--out', out);
    expect(stdout).toMatch(/ Quake 1 \(Half-Life BSP 30\), /);
    await bspkit('compile', crate, '--format', 'quake1', '--out', out, '--version', '29');
    expect(await json('info', out)).toMatchObject({ version: 'BSP 29' });
    expect(await bspkit('compile', crate, '--format', 'quake3', '--out', out)).toMatchObject({ status: 0 });
  });

  it('makes hulls of the requested sizes', async () => {
    const out = join(folder, 'hulls.bsp');
    const sizes = ['--hulls', '-8,-8,-8,8,8,8 -32,-32,-24,32,32,64', '--bsp2'];
    const { status, stderr } = await bspkit('compile', source, '--format', 'quake1', '--out', out, ...sizes);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^bspkit: \S+box\.map: warning: no entity with an origin stands in the open/);
    const narrow = await bspkitIn(
      { columns: 40 },
      'compile',
      source,
      '-f',
      'quake1',
      '-o',
      join(folder, 'narrow.bsp'),
    );
    for (const line of narrow.stderr.split('\n').slice(1)) expect(line).toMatch(/^( {2}.{1,38})?$/);
    expect(await json('info', out)).toMatchObject({ version: 'BSP2', facts: { hulls: 3 } });
    const moved = await json('trace', out, '--from', '-100,32,32', '--to', '100,32,32', '--hull', '1');
    expect((moved.endPos as number[])[0]).toBeCloseTo(-8, 1);
  });

  it('puts corners into edges of faces by default, also in the maps that come with it', async () => {
    const [plain, filled] = ['plain.bsp', 'filled.bsp'].map((name) => join(folder, name)) as [string, string];
    await bspkit('compile', 'demo:house', '-f', 'quake2', '-o', plain, '--no-tjunc');
    await bspkit('compile', 'demo:house', '-f', 'quake2', '-o', filled);
    for (const [out, tjunc] of [
      [plain, false],
      [filled, true],
    ] as const) {
      const { bytes } = compileMap(fixtureMap('house'), { format: 'quake2', tjunc });
      expect(Uint8Array.from(readFileSync(out))).toEqual(bytes);
    }
    expect(demoMap('house@quake2')).toEqual(Uint8Array.from(readFileSync(filled)));
  });

  it('takes materials from a file, then the usual names, and refuses any other', async () => {
    const [pond, out, materials] = ['pond.map', 'pond.bsp', 'materials.json'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    const clip = brush(128).replaceAll('test/box', 'common/clip');
    writeFileSync(pond, `{\n"classname" "worldspawn"\n{\n${brush(0)}}\n{\n${clip}}\n}\n`);
    const compile = (table: unknown, ...more: string[]) => {
      writeFileSync(materials, typeof table === 'string' ? table : JSON.stringify(table));
      return bspkit('compile', pond, '-f', 'quake3', '-o', out, '--materials', materials, ...more);
    };
    expect(await compile({ 'test/box': { contents: 'water', width: 32 } })).toMatchObject({ status: 0 });
    expect(await json('point', out, '--at', '32,32,32')).toMatchObject({ contentsNames: ['water'] });
    expect(await json('point', out, '--at', '160,32,32')).toMatchObject({ contentsNames: ['playerClip'] });
    expect((await compile({})).stderr).toMatch(
      /pond\.map: .*brush 0, side 0: material 'test\/box' is not known\n$/,
    );
    expect(await compile({}, '--unknown-material', 'solid')).toMatchObject({ status: 0 });
    expect(await json('point', out, '--at', '32,32,32')).toMatchObject({ contentsNames: ['solid'] });
    for (const [table, message] of [
      ['{', 'is not JSON: Expected property name'],
      [[], 'is not an object with an entry for each material'],
      [
        { moss: { contents: 'mud' } },
        "materials['moss'].contents: unknown name 'mud'; known names are solid",
      ],
      [{ moss: { content: 'water' } }, "materials['moss'] has no 'content'"],
      [{ moss: null }, "materials['moss'] must be an object, got null"],
    ] as const) {
      const { status, stderr } = await compile(table);
      expect([status, stderr]).toEqual([3, expect.stringContaining(`materials.json: ${message}`)]);
    }
    expect(await compile({ moss: {} }, '--points', materials)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('materials.json'),
    });
  });

  it('takes materials from shader scripts, and before those from a file', async () => {
    const [scripts, pool, out] = ['scripts', 'shaded.map', 'shaded.bsp'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    const marsh = brush(128).replaceAll('test/box', 'test/Marsh');
    writeFileSync(pool, `{\n"classname" "worldspawn"\n{\n${brush(0)}}\n{\n${marsh}}\n}\n`);
    mkdirSync(scripts);
    writeFileSync(join(scripts, 'a.shader'), 'textures/test/marsh { surfaceparm slime }');
    writeFileSync(
      join(scripts, 'b.SHADER'),
      'textures/test/marsh { surfaceparm lava } TEST/box { surfaceparm fog }',
    );
    writeFileSync(join(scripts, 'notes.txt'), '}');
    writeFileSync(
      join(scripts, 'c.shader'),
      'constructor { surfaceparm water } __proto__ { surfaceparm water }',
    );
    const named = brush(256).replaceAll('test/box', 'constructor');
    writeFileSync(pool, readFileSync(pool, 'utf8').replace(/}\n$/, `{\n${named}}\n}\n`));
    const compile = (...more: string[]) => bspkit('compile', pool, '-f', 'quake3', '-o', out, ...more);
    const contents = async (x: number) => (await json('point', out, '--at', `${x},32,32`)).contentsNames;
    expect(await compile('--shaders', scripts)).toMatchObject({ status: 0, stderr: '' });
    expect([await contents(32), await contents(160)]).toEqual([['fog'], ['slime']]);
    expect(await contents(288)).toEqual(['water']);
    const [one, other] = ['a.shader', 'b.SHADER'].map((name) => join(scripts, name)) as [string, string];
    await compile('--shaders', other, '--shaders', one);
    expect([await contents(32), await contents(160)]).toEqual([['fog'], ['lava']]);
    await compile('--shaders', one);
    expect([await contents(32), await contents(160)]).toEqual([['solid'], ['slime']]);
    const materials = join(folder, 'shaded.json');
    writeFileSync(materials, JSON.stringify({ 'test/marsh': { contents: 'water' } }));
    await compile('--shaders', scripts, '--materials', materials);
    expect([await contents(32), await contents(160)]).toEqual([['fog'], ['water']]);
    // However their names are written.
    writeFileSync(materials, JSON.stringify({ 'textures/test/Box': { contents: 'lava' } }));
    await compile('--shaders', scripts, '--materials', materials);
    expect([await contents(32), await contents(160)]).toEqual([['lava'], ['slime']]);
    writeFileSync(materials, JSON.stringify({ 'test/marsh': { contents: 'water' } }));
    // A material that neither knows is an error only with a file of materials.
    expect((await compile('--shaders', one, '--materials', materials)).stderr).toContain(
      "'test/box' is not known",
    );
    expect((await compile('--shaders', one, '--unknown-material', 'error')).status).toBe(3);
    writeFileSync(one, 'textures/test/marsh\n}');
    for (const [path, message] of [
      [one, "a.shader: line 2: '}' closes nothing"],
      [join(scripts, 'none.shader'), 'none.shader: no such file'],
    ] as const) {
      const { status, stderr } = await compile('--shaders', path);
      expect([status, stderr]).toEqual([3, expect.stringContaining(message)]);
    }
    for (const name of ['a.shader', 'b.SHADER', 'c.shader']) rmSync(join(scripts, name));
    const { status, stderr } = await compile('--shaders', scripts);
    expect([status, stderr]).toEqual([3, expect.stringContaining('scripts: holds no shader scripts')]);
  });

  it('leaves out brushes without volume, with a warning', async () => {
    const [map, out] = ['flat.map', 'flat.bsp'].map((name) => join(folder, name)) as [string, string];
    const flat = brush(128).replaceAll('192', '128');
    writeFileSync(map, `{\n"classname" "worldspawn"\n{\n${brush(0)}}\n{\n${flat}}\n}\n`);
    const { status, stderr } = await bspkit('compile', map, '-f', 'quake3', '-o', out);
    expect([status, stderr]).toEqual([
      0,
      `bspkit: ${map}: warning: line 11, entity 0, brush 1: no point lies more than 0.01 units behind all planes; left out\n`,
    ]);
    expect(await json('point', out, '--at', '32,32,32')).toMatchObject({ contentsNames: ['solid'] });
  });

  it('gives the same bytes each time', async () => {
    const [first, second] = ['a.bsp', 'b.bsp'].map((name) => join(folder, name)) as [string, string];
    await printed('compile', source, '--format', 'quake3', '--out', first, '--json');
    await printed('compile', source, '--format', 'quake3', '--out', second);
    expect(readFileSync(first).equals(readFileSync(second))).toBe(true);
  });

  it('says what is wrong with a source, with its line', async () => {
    const bad = join(folder, 'bad.map');
    writeFileSync(bad, '{\n"classname" "worldspawn"\n{\n( 0 0 0 ) ( 1 0 0 )\n');
    expect(
      await bspkit('compile', bad, '--format', 'quake3', '--out', join(folder, 'bad.bsp')),
    ).toMatchObject({
      status: 3,
      stdout: '',
      stderr: expect.stringMatching(/bad\.map: line \d.*\n$/),
    });
  });

  it('writes the path out of a map that leaks, and nothing for one that does not', async () => {
    const [leaky, out, points] = ['leaky.map', 'leaky.bsp', 'leaky.pts'].map((name) =>
      join(folder, name),
    ) as [...[string, string, string]];
    writeFileSync(leaky, `${readFileSync(source, 'utf8')}{\n"classname" "light"\n"origin" "96 32 32"\n}\n`);
    const compile = (format: string) =>
      bspkit('compile', leaky, '--format', format, '--out', out, '--points', points);
    expect((await compile('quake1')).stderr).toContain('entity 1: the map leaks: from light at (96 32 32)');
    const lines = readFileSync(points, 'utf8').trimEnd().split('\n');
    expect(lines[0]).toBe('96 32 32');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^\S+ \S+ \S+$/);
    await compile('ufoai');
    expect(readFileSync(points, 'utf8')).toBe('');
    const same = await bspkit('compile', leaky, '--format', 'quake1', '--out', out, '--points', out);
    expect(same).toMatchObject({ status: 2, stderr: expect.stringContaining('are one file') });
  });

  it.each(['quake3', 'ufoai'])('writes no map of %s that cannot be read', async (id) => {
    const entry = FORMATS.find((one) => one.id === id)!;
    const read = (): never => {
      throw new BspError('limit', { format: id, lump: 'nodes' }, 'is 2000 nodes deep');
    };
    const format = { ...entry, load: async () => ({ ...(await entry.load()), read }) } as BspFormatEntry;
    const out = join(folder, 'deep.bsp');
    expect(await bspkitIn({ formats: [format] }, 'compile', source, '--format', id, '--out', out)).toEqual({
      status: 3,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`box\\.map: what it compiles to cannot be read: ${id}: nodes: is 2000 nodes deep`),
      ),
    });
    expect(existsSync(out)).toBe(false);
  });

  it('says how to do without a table that is too much work', async () => {
    const entry = FORMATS.find(({ id }) => id === 'ufoai')!;
    const load = async (): Promise<BspFormat> => {
      const format = await entry.load();
      const compute = (): never => {
        throw new BspError('limit', { format: 'ufoai' }, 'the table is too much work');
      };
      return { ...format, routing: { ...format.routing!, compute } };
    };
    const format = { ...entry, load } as BspFormatEntry;
    const out = join(folder, 'large.bsp');
    const compile = (...more: string[]): ReturnType<typeof bspkitIn> =>
      bspkitIn({ formats: [format] }, 'compile', source, '--format', 'ufoai', '--out', out, ...more);
    expect(await compile()).toEqual({
      status: 3,
      stdout: '',
      stderr: expect.stringContaining(
        'box.map: ufoai: the table is too much work; --no-routing leaves it empty',
      ),
    });
    expect(existsSync(out)).toBe(false);
    expect(await compile('--no-routing')).toMatchObject({ status: 0 });
  });
});

describe('sources in single-byte encodings', () => {
  it('keep them', async () => {
    const latin = join(folder, 'latin.map');
    const text = readFileSync(join(folder, 'box.map'), 'latin1');
    writeFileSync(latin, text.replace('"classname"', '"message" "caf\u00e9" "classname"'), 'latin1');
    const out = join(folder, 'latin.bsp');
    expect((await bspkit('compile', latin, '--format', 'quake3', '--out', out)).status).toBe(0);
    expect(readFileSync(out).toString('latin1')).toContain('"caf\u00e9"');
  });
});
