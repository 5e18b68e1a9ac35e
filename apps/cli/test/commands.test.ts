import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { boxBrush, compileMap, type MapSource } from '@bspkit/compile';
import { BspError } from '@bspkit/core';
import type { BspFormatEntry } from '@bspkit/core/format';
import { toy, toyFormat } from '@bspkit/testkit/toy-format';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { bspkit, bspkitIn, temporaryFolder, withoutTimes } from './bspkit.ts';
import { rooms } from './rooms.ts';

const folder = temporaryFolder();
const quake1 = join(folder, 'rooms1.bsp');
const quake2 = join(folder, 'rooms2.bsp');
const quake3 = join(folder, 'rooms3.bsp');
const ufoai = join(folder, 'roomsu.bsp.gz');
writeFileSync(quake1, rooms('quake1'));
writeFileSync(quake2, rooms('quake2'));
writeFileSync(quake3, rooms('quake3'));
writeFileSync(ufoai, gzipSync(rooms('ufoai')));

/** What a command printed, without what depends on where, when and with which tree. */
async function printed(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await bspkit(...args);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const text = withoutTimes(stdout.replaceAll(folder, 'FOLDER'));
  return text.replace(/\b(leaf|plane|brush|side) +\d+/g, '$1 #');
}

const json = async (...args: string[]): Promise<Record<string, unknown>> =>
  JSON.parse(await printed(...args, '--json')) as Record<string, unknown>;

const ACROSS = ['--from', '32,128,64', '--to', '224,128,64'];
const INTO_WALL = ['--from', '32,192,64', '--to', '224,192,64'];

describe('info', () => {
  it('of a Quake 3 map', async () => {
    const sizes = /^(nodes|leafs|leafSurfaces|leafBrushes|planes|surfaces|vertexes|indexes)\b.*$/gm;
    const text = (await printed('info', quake3)).replace(sizes, '$1 #');
    expect(text.replace(/[\d.]+ kB/g, '# kB')).toMatchSnapshot();
  });

  it('is the same in JSON', async () => {
    const info = await json('info', quake3);
    expect(info).toMatchObject({
      format: 'quake3',
      version: 'IBSP 46',
      bounds: { mins: [-17, -17, -17], maxs: [273, 273, 145] },
      entities: { worldspawn: 1, info_player_start: 1, func_door: 1 },
    });
    expect(info.contents).toMatchObject({
      of: 'brushes',
      counts: [{ names: ['solid'] }, { names: ['water'], number: 1 }],
    });
    expect(info.models).toHaveLength(2);
  });

  it('of a Quake 1 map', async () => {
    expect(await json('info', quake1)).toMatchObject({
      format: 'quake1',
      version: 'BSP 29',
      facts: { hulls: 3 },
    });
    expect(await printed('info', quake1)).toContain('Quake 1 (BSP 29)');
  });

  it('of a UFO:AI map', async () => {
    expect(await json('info', ufoai)).toMatchObject({ format: 'ufoai', facts: { tiles: 1, doors: 1 } });
    expect(await printed('info', ufoai)).toContain('UFO:AI (IBSP 78)');
  });

  it('shortens long tables by default', async () => {
    expect(await printed('info', ufoai)).not.toContain('--all');
    const house = await printed('info', 'demo:house');
    expect(house).toContain('(--all lists them)');
    expect((await printed('info', 'demo:house', '--all')).split('\n').length).toBeGreaterThan(
      house.split('\n').length,
    );
  });
});

describe('trace', () => {
  it('tells what a ray hits', async () =>
    expect(await printed('trace', quake3, ...INTO_WALL)).toMatchSnapshot());

  it('passes through the doorway, and not through the door', async () => {
    expect(await json('trace', quake3, ...ACROSS)).toMatchObject({
      fraction: 1,
      endPos: [224, 128, 64],
      brush: -1,
    });
    const door = await json('trace', quake3, ...ACROSS, '--model', '1');
    expect(door).toMatchObject({ model: 1, normal: [-1, 0, 0], textureName: 'textures/test/door' });
    expect(await json('trace', quake3, ...ACROSS, '--model', '1', '--origin', '0,0,-200')).toMatchObject({
      fraction: 1,
    });
  });

  it.each([
    ['box', '-15,-15,-24,15,15,32', 120 - 15 - 0.125],
    ['sphere', '20', 120 - 20 - 0.125],
    ['capsule', '10,60', 120 - 10 - 0.125],
    ['ellipsoid', '10,10,30', 120 - 10],
  ])('moves a %s', async (shape, size, stop) => {
    const answer = await json('trace', quake3, ...INTO_WALL, `--${shape}`, size);
    expect(answer.shape).toMatchObject({ kind: shape });
    expect((answer.endPos as number[])[0]).toBeCloseTo(stop, 4);
  });

  it('takes mask and epsilon', async () => {
    const down = ['--from', '40,40,100', '--to', '40,40,-8'];
    expect(await json('trace', quake3, ...down)).toMatchObject({ contentsNames: ['solid'] });
    expect(await json('trace', quake3, ...down, '--mask', 'solid,water')).toMatchObject({
      contentsNames: ['water'],
    });
    expect((await json('trace', quake3, ...down, '--mask', '0x20', '--epsilon', '0')).endPos).toEqual([
      40, 40, 24,
    ]);
  });

  it('keeps the sign of zeros in JSON', async () => {
    const { stdout } = await bspkit('trace', quake3, '--from', '-0,128,64', '--to', '-0,128,96', '--json');
    expect(stdout).toContain('"from":[-0,128,64]');
  });

  it('tests a position where the ends are equal', async () => {
    const place = ['--from', '64,128,32', '--to', '64,128,32'];
    expect(await printed('trace', quake3, ...place, '--sphere', '16')).toContain('in the open');
    expect(await printed('trace', quake3, ...place, '--sphere', '60')).toContain('in solid');
  });

  it('moves the hulls of a Quake 1 map', async () => {
    const hull = await json('trace', quake1, ...INTO_WALL, '--hull', '1');
    expect(hull).toMatchObject({ inOpen: true, inWater: false, contentsNames: ['solid'] });
    expect((hull.endPos as number[])[0]).toBeCloseTo(120 - 16 - 0.03125, 4);
    expect((await json('trace', quake1, ...INTO_WALL, '--precise')).endPos).toEqual([120, 192, 64]);
    expect((await json('trace', quake1, ...INTO_WALL, '--box', '-15,-15,-24,15,15,32')).shape).toMatchObject({
      mins: [-15, -15, -24],
      maxs: [17, 17, 32],
    });
  });

  it('draws lines of sight through a UFO:AI map', async () => {
    expect(await json('trace', ufoai, ...INTO_WALL)).toMatchObject({ normal: [-1, 0, 0], tile: 0 });
    expect(await json('trace', ufoai, ...ACROSS, '--levels', '1,actorClip')).toMatchObject({ fraction: 1 });
    expect(await json('trace', ufoai, ...ACROSS, '--model', '1')).toMatchObject({ model: 1 });
    expect(await json('trace', ufoai, ...INTO_WALL, '--box', '-9,-9,-24,9,9,20')).toMatchObject({ model: 0 });
  });
});

describe('point, sphere, sight', () => {
  it('tells what is at a point', async () => {
    expect(await printed('point', quake3, '--at', '40,40,12')).toMatchSnapshot();
    expect(await json('point', quake3, '--at', '40,40,60')).toMatchObject({ contents: 0, cluster: 0 });
    expect(await json('point', quake1, '--at', '40,40,12')).toMatchObject({
      contentsNames: ['water'],
      inside: true,
    });
    expect(await json('point', ufoai, '--at', '40,40,12')).toMatchObject({ level: 1, cell: [129, 129, 0] });
    expect(await json('point', quake1, '--at', '64,192,100')).toMatchObject({ distanceToSolid: 28 });
  });

  it.each([
    ['quake1', quake1],
    ['quake3', quake3],
  ])('tells whether a sphere is in the open (%s)', async (_, map) => {
    expect(await bspkit('sphere', map, '--at', '64,128,64', '--radius', '40')).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(await bspkit('sphere', map, '--at', '64,128,64', '--radius', '70')).toMatchObject({
      status: 1,
      stderr: '',
    });
  });

  it.each([
    ['quake1', quake1],
    ['quake2', quake2],
    ['quake3', quake3],
    ['ufoai', ufoai],
  ])('checks lines of sight (%s)', async (_, map) => {
    expect(await bspkit('sight', map, ...ACROSS)).toMatchObject({ status: 0, stderr: '' });
    const blocked = await bspkit('sight', map, ...INTO_WALL);
    expect(blocked).toMatchObject({ status: 1, stderr: '' });
    expect(blocked.stdout).toMatch(/visible +no/);
  });
});

describe('explain', () => {
  it('tells every step', async () => {
    const text = await printed('explain', quake3, ...INTO_WALL);
    expect(text).toMatch(/^node 0 {2}\S.* at \S+ and \S+ {2}(front|back)/);
    expect(text).toMatch(/\n {2,}leaf # {2}solid {2}0\.\d+ to /);
    expect(text).toMatch(/\n {2,}brush # {2}solid {2}hit at 0\.457682\n {2,}side # {2}x = 120 \(faces -x\)/);
    expect(text).toMatch(/result +stopped after 87\.87 of 192 units/);
    expect(text).toMatch(/work +\d+ nodes, \d+ leafs, \d+ brush/);
  });

  it('tells the same in JSON, and more with --all', async () => {
    const { steps, fraction } = await json('explain', quake3, ...INTO_WALL);
    const hit = (steps as { kind: string; outcome?: string; enter?: number }[]).find(
      (step) => step.outcome === 'hit',
    );
    expect(hit?.kind).toBe('brush');
    expect(hit?.enter).toBeCloseTo(fraction as number, 8);
    const short = await printed('explain', quake3, ...INTO_WALL, '--box', '-15,-15,-24,15,15,32');
    expect(
      (await printed('explain', quake3, ...INTO_WALL, '--box', '-15,-15,-24,15,15,32', '--all')).length,
    ).toBeGreaterThan(short.length);
  });

  it('names the trees of UFO:AI', async () => {
    expect(await printed('explain', ufoai, ...INTO_WALL)).toMatch(/^level 1.*\nnode \d+/m);
  });

  it('knows Quake 1', async () => {
    expect(await printed('explain', quake1, ...INTO_WALL, '--hull', '1')).toMatch(/^node \d+.*\n/);
  });
});

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

  it.each(['quake1', 'quake2', 'quake3', 'ufoai'])('makes a %s map that can be traced', async (format) => {
    const out = join(folder, `${format}.bsp`);
    const { status, stdout } = await bspkit('compile', source, '--format', format, '--out', out, '--stats');
    expect(status).toBe(0);
    expect(stdout).toMatch(/from 2 brushes/);
    expect(stdout).toMatch(/depth +\d+ at most/);
    const answer = await json('trace', out, '--from', '-100,32,32', '--to', '100,32,32');
    expect((answer.endPos as number[])[0]).toBeCloseTo(0, 0);
  });

  it('takes the options of a target, whatever they are called', async () => {
    const out = join(folder, 'later.bsp');
    await printed('compile', 'demo:house', '--format', 'ufoai', '--out', out, '--version', '79');
    expect(await json('info', out)).toMatchObject({ version: 'IBSP 79' });
    const { status, stderr } = await bspkit(
      'compile',
      'demo:house',
      '-f',
      'ufoai',
      '-o',
      out,
      '--version',
      '80',
    );
    expect(status).toBe(2);
    expect(stderr).toContain('Allowed choices are 78, 79');
  });

  it('makes hulls of the sizes that are asked for', async () => {
    const out = join(folder, 'hulls.bsp');
    const sizes = ['--hulls', '-8,-8,-8,8,8,8 -32,-32,-24,32,32,64', '--bsp2'];
    const { status, stderr } = await bspkit('compile', source, '--format', 'quake1', '--out', out, ...sizes);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^bspkit: \S+box\.map: warning: no entity has an origin/);
    expect(await json('info', out)).toMatchObject({ version: 'BSP2', facts: { hulls: 3 } });
    const moved = await json('trace', out, '--from', '-100,32,32', '--to', '100,32,32', '--hull', '1');
    expect((moved.endPos as number[])[0]).toBeCloseTo(-8, 1);
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

  it('writes no map that cannot be read', async () => {
    const entry = FORMATS.find(({ id }) => id === 'quake3')!;
    const read = (): never => {
      throw new BspError('limit', { format: 'quake3', lump: 'nodes' }, 'is 2000 nodes deep');
    };
    const format = { ...entry, load: async () => ({ ...(await entry.load()), read }) } as BspFormatEntry;
    const out = join(folder, 'deep.bsp');
    expect(
      await bspkitIn({ formats: [format] }, 'compile', source, '--format', 'quake3', '--out', out),
    ).toEqual({
      status: 3,
      stdout: '',
      stderr: expect.stringContaining('cannot be read: quake3: nodes: is 2000 nodes deep'),
    });
    expect(existsSync(out)).toBe(false);
  });
});

describe('wrong use', () => {
  const still = ['--from', '0,0,0', '--to', '0,0,1'];

  it.each<[string, string[], RegExp]>([
    ['no command', [], /^Usage: bspkit /],
    ['an unknown command', ['fly', quake3], /unknown command 'fly'/],
    ['a map for a command', [quake3], /is a map, not a command; try: bspkit info \S+rooms3\.bsp/],
    ['an unknown option', ['info', quake3, '--wings'], /unknown option '--wings'/],
    ['no map', ['info'], /missing required argument 'map'/],
    ['too many maps', ['info', quake3, ufoai], /too many arguments/],
    [
      'an absent option',
      ['trace', quake3, '--from', '0,0,0'],
      /'--to <x,y,z>' not specified; for examples: bspkit help trace$/m,
    ],
    ['two numbers for three', ['trace', quake3, '--from', '0,0', '--to', '0,0,0'], /2 numbers, but needs 3/],
    ['a word for a number', ['trace', quake3, '--from', '0,0,up', '--to', '0,0,0'], /'up' is not a number/],
    [
      'a number too large',
      ['trace', quake3, '--from', '0,0,1e39', '--to', '0,0,0'],
      /'1e39' is not a number/,
    ],
    ['two shapes', ['trace', quake3, ...still, '--sphere', '1', '--capsule', '1,2'], /cannot be used with/],
    ['a flat ellipsoid', ['trace', quake3, ...still, '--ellipsoid', '1,0,1'], /radii\[1\] must be a radius/],
    ['two radii', ['trace', quake3, ...still, '--ellipsoid', '1,1'], /ellipsoid/],
    [
      'a mask for polygons',
      ['trace', quake3, ...still, '--ellipsoid', '1,1,1', '--mask', '1'],
      /does not apply/,
    ],
    ['a box inside out', ['trace', quake3, ...still, '--box', '1,1,1,0,0,0'], /mins\[0\] must not be above/],
    ['a mask of too many bits', ['trace', quake3, ...still, '--mask', '99999999999'], /more than 32 bits/],
    ['levels of too many bits', ['trace', ufoai, ...still, '--levels', '0x100000001'], /more than 32 bits/],
    ['a seed that would wrap around', ['bench', quake3, '--seed', '4294967296'], /from 0 to 4,294,967,295\./],
    ['more queries than fit', ['compare', quake3, '--count', '1000001'], /from 0 to 1,000,000\./],
    ['a count beyond all numbers', ['bench', quake3, '--rounds', '9'.repeat(400)], /from 0 to 4,294,967,295/],
    [
      'too many rounds',
      ['bench', quake3, '--rounds', '1001'],
      /rounds must be a whole number from 0 to 1000/,
    ],
    ['escapes for a command', ['fly\x1b[31m'], /unknown command 'fly\\u001b\[31m'/],
    ['a negative radius', ['sphere', quake3, '--at', '0,0,0', '--radius', '-1'], /radius must be/],
    ['unknown contents', ['trace', quake3, ...still, '--mask', 'jelly'], /unknown name 'jelly'/],
    ['a pose for the world', ['trace', quake3, ...still, '--origin', '1,2,3'], /the world does not move/],
    ['a model that is not there', ['trace', quake3, ...still, '--model', '9'], /there is no model \*9/],
    [
      'a shape of another game',
      ['trace', quake3, ...still, '--hull', '1'],
      /is a Quake 3 map, to which --hull does not apply; its shapes are --ray, --box, --sphere, --capsule and --ellipsoid/,
    ],
    [
      'an option of another game',
      ['trace', quake1, ...still, '--no-curves'],
      /is a Quake 1 map, to which --no-curves does not apply/,
    ],
    [
      'an option of another shape',
      ['trace', quake3, ...still, '--box', '-1,-1,-1,1,1,1', '--exact'],
      /--exact does not apply to --box: it belongs to --sphere/,
    ],
    ['steps that there are not', ['explain', quake3, ...still, '--sphere', '9', '--exact'], /exact sphere/],
    [
      'a question of another game',
      ['sphere', ufoai, '--at', '0,0,0', '--radius', '1'],
      /is a UFO:AI map, which is not supported by `bspkit sphere`/,
    ],
    [
      'an unknown format',
      ['compile', 'demo:arena', '-f', 'quake9', '-o', 'x.bsp'],
      /Allowed choices are quake1/,
    ],
    [
      'an option of another target',
      ['compile', 'demo:arena', '-f', 'quake3', '-o', 'x.bsp', '--bsp2'],
      /--bsp2 belongs to --format quake1/,
    ],
    [
      'a folder that is not there',
      ['compile', 'demo:arena', '-f', 'quake3', '-o', join(folder, 'no/x.bsp')],
      /no\/x\.bsp: cannot be written: no such file/,
    ],
  ])('%s: exit code 2 and a sentence', async (_, args, says) => {
    const { status, stdout, stderr } = await bspkit(...args);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^(bspkit: [^\n]+\n$|Usage: )/);
    expect(stderr).toMatch(says);
    expect(status).toBe(2);
  });

  it('of a demo map is told what there is', async () => {
    expect((await bspkit('info', 'demo:castle')).stderr).toBe(
      'bspkit: demo:castle: no such demo map; there are arena, house, torture\n',
    );
    expect((await bspkit('info', 'demo:arena@quake9')).stderr).toContain('no such format; there are quake1');
  });
});

describe('names in a map', () => {
  // The compiler refuses what these letters stand for.
  const OBEYED: Readonly<Record<string, number>> = { '@': 0x1b, '%': 7, '&': 0x9b };
  const bad = join(folder, 'names.bsp');
  const entity = (classname: string): MapSource['entities'][number] => ({
    properties: { classname, origin: '0 0 100' },
  });
  const source: MapSource = {
    entities: [
      {
        properties: { classname: 'worldspawn' },
        brushes: [boxBrush([0, 0, 0], [64, 64, 64], { material: 'te@[2Jst' })],
      },
      entity('a@]0;title%'),
      entity('b&31m'),
      entity('c'.repeat(1000)),
    ],
  };
  const compiled = compileMap(source, { format: 'quake3' }).bytes;
  writeFileSync(
    bad,
    compiled.map((byte) => OBEYED[String.fromCharCode(byte)] ?? byte),
  );
  const down = ['--from', '32,32,100', '--to', '32,32,0'];

  it('are printed without what a terminal would obey', async () => {
    for (const args of [
      ['info', bad],
      ['info', bad, '--json'],
      ['trace', bad, ...down],
      ['trace', bad, ...down, '--json'],
      ['explain', bad, ...down],
    ]) {
      const { status, stdout } = await bspkit(...args);
      expect(status).toBe(0);
      expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
    }
    expect((await bspkit('trace', bad, ...down)).stdout).toMatch(/texture +\S*te\\u001b\[2Jst\n/);
    const { entities } = JSON.parse((await bspkit('info', bad, '--json')).stdout);
    expect(Object.keys(entities)).toContain('b\u009b31m');
  });

  it('are cut off where they are very long', async () => {
    const { stdout } = await bspkit('info', bad);
    expect(stdout).toContain(`${'c'.repeat(300)}…`);
    expect(stdout.length).toBeLessThan(10_000);
  });

  it('and what errors quote are cut off too', async () => {
    const long = join(folder, 'long.map');
    writeFileSync(long, `"${'A\x1b'.repeat(100_000)}`);
    const { stderr } = await bspkit('compile', long, '--format', 'quake3', '--out', join(folder, 'x.bsp'));
    expect(stderr).toMatch(/long\.map: line 1.*A\\u001bA.*…\n$/);
    expect(stderr.length).toBeLessThan(20_000);
  });
});

describe('sources in the letters of one byte', () => {
  it('keep them', async () => {
    const latin = join(folder, 'latin.map');
    const text = readFileSync(join(folder, 'box.map'), 'latin1');
    writeFileSync(latin, text.replace('"classname"', '"message" "caf\u00e9" "classname"'), 'latin1');
    const out = join(folder, 'latin.bsp');
    expect((await bspkit('compile', latin, '--format', 'quake3', '--out', out)).status).toBe(0);
    expect(readFileSync(out).toString('latin1')).toContain('"caf\u00e9"');
  });
});

describe('a mistake of ours', () => {
  it('is told as one, and from where with BSPKIT_DEBUG', async () => {
    const broken = {
      ...toyFormat,
      load: () => Promise.reject(new Error('the moon is full')),
    };
    const internal = { formats: [broken], env: {} };
    expect(await bspkitIn(internal, 'info', quake3)).toEqual({
      status: 70,
      stdout: '',
      stderr: 'bspkit: internal error, please report it: the moon is full\n',
    });
    const { stderr } = await bspkitIn({ ...internal, env: { BSPKIT_DEBUG: '1' } }, 'info', quake3);
    expect(stderr).toMatch(/the moon is full\n +at .*commands\.test\.ts/);
  });

  it('as when formats disagree about an option', async () => {
    const other = { ...toy, id: 'other', name: 'Other' };
    const tracers = {
      ...toy.tracers,
      options: toy.tracers.options.map((option) => ({ ...option, type: 'number' as const })),
    };
    const formats = [toyFormat, { ...toyFormat, id: 'other', load: async () => ({ ...other, tracers }) }];
    expect((await bspkitIn({ formats }, 'info', quake3)).stderr).toContain(
      'Other has --mask as number, others as text',
    );
  });
});

describe('explain --svg', () => {
  it.each([
    ['from above', ACROSS.slice(0, 2), '224,192,64', 'seen from above'],
    ['from the side', ACROSS.slice(0, 2), '224,128,-200', 'seen from the side'],
  ])('draws the move %s', async (_, from, to, says) => {
    const path = join(folder, 'slice.svg');
    await printed('explain', quake3, ...from, '--to', to, '--box', '-15,-15,-24,15,15,32', '--svg', path);
    const svg = readFileSync(path, 'utf8');
    expect(svg).toMatch(/^<svg xmlns=[\s\S]*<\/svg>\n$/);
    expect(svg).toContain(says);
    expect(svg.match(/<polygon class="hit"/g)).toHaveLength(1);
    expect(svg.match(/<polygon class="widened"/g)).toHaveLength(1);
    expect(svg.match(/<polygon class="shape"/g)).toHaveLength(2);
    expect(svg).toMatch(/class="node"/);
    expect(svg).toMatch(/>enter 0\.\d+</);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it.each([
    [
      'a format that keeps no brushes, by the leafs',
      quake1,
      ['--hull', '1'],
      /<polygon class="hit".*leaf \d+/,
    ],
    ['lines, whose steps name no brush', ufoai, [], /<polygon class="hit".*brush \d+/],
  ])('shows what stopped %s', async (_, map, args, hit) => {
    const path = join(folder, 'hit.svg');
    await printed('explain', map, ...INTO_WALL, ...args, '--svg', path);
    const svg = readFileSync(path, 'utf8');
    expect(svg.match(/<polygon class="hit"/g)).toHaveLength(1);
    expect(svg).toMatch(hit);
  });

  it('has a legend of what it draws, a scale, and labels that cover no others', async () => {
    const path = join(folder, 'legend.svg');
    await printed('explain', 'demo:arena', '--from', '0,-256,32', '--to', '480,-384,32', '--svg', path);
    const svg = readFileSync(path, 'utf8');
    for (const text of ['solid', 'what stopped the move', 'split plane', 'not reached']) {
      expect(svg).toContain(`>${text}</text>`);
    }
    expect(svg).not.toContain('>other contents</text>');
    expect(svg).toMatch(/>\d+ units; seen from above, fraction 0\.499/);
    const names = [...svg.matchAll(/class="node-name" x="([-\d.]+)" y="([-\d.]+)">(\d+)</g)];
    expect(names.length).toBeGreaterThan(5);
    const boxes = names.map(([, x, y, text]) => ({ x: Number(x), y: Number(y), width: 6 * text!.length }));
    for (const [k, a] of boxes.entries()) {
      for (const b of boxes.slice(k + 1)) {
        const apart = Math.abs(a.y - b.y) >= 12 || a.x + a.width <= b.x || b.x + b.width <= a.x;
        expect(apart, `${names[k]![3]} at ${a.x} ${a.y}`).toBe(true);
      }
    }
  });

  it('has nothing to draw for a position test', async () => {
    const place = ['--from', '64,128,32', '--to', '64,128,32'];
    expect(await bspkit('explain', quake3, ...place, '--svg', join(folder, 'none.svg'))).toMatchObject({
      status: 2,
    });
  });
});
