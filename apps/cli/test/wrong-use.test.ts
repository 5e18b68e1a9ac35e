import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bake, createJob, memoryStore, pointBytes, readBake } from '@bspkit/bake';
import { describe, expect, it } from 'vitest';
import { bspkit } from './bspkit.ts';
import { roomFiles } from './room-files.ts';

const { folder, quake1, quake2, quake3, ufoai } = roomFiles();

describe('wrong use', () => {
  const still = ['--from', '0,0,0', '--to', '0,0,1'];

  it.each<[string, string[], RegExp]>([
    ['no command', [], /^Usage: bspkit /],
    [
      'an unknown command',
      ['fly', quake3],
      /^bspkit: unknown command 'fly'; for all commands: bspkit help$/m,
    ],
    [
      'help for an unknown command',
      ['help', 'fly'],
      /: unknown command 'fly'; for all commands: bspkit help$/m,
    ],
    [
      'help for an unknown command after what ends options',
      ['help', '--', 'fly'],
      /^bspkit: unknown command 'fly'; for all commands: bspkit help\n$/,
    ],
    [
      'the help of an unknown command',
      ['fly', '--help'],
      /unknown command 'fly'; for all commands: bspkit help$/m,
    ],
    [
      'a misspelt command',
      ['trcae', quake3],
      /'trcae' \(Did you mean trace\?\); for all commands: bspkit help$/m,
    ],
    [
      'help for a misspelt command',
      ['help', 'chekc'],
      /'chekc' \(Did you mean check\?\); for all commands: /,
    ],
    ['a map for a command', [quake3], /is a map, not a command; try: bspkit info \S+rooms3\.bsp/],
    [
      'an unknown option',
      ['info', quake3, '--wings'],
      /^bspkit: unknown option '--wings'; for all options: bspkit help info$/m,
    ],
    [
      'an option for a command to help with',
      ['help', '--json', 'trace'],
      /^bspkit: unknown option '--json'; for all options: bspkit help\n$/,
    ],
    ['an unknown option of none', ['--wings'], /unknown option '--wings'; for all options: bspkit help$/m],
    [
      'an option for the value of another one',
      ['batch', quake3, '--queries', 'q.ndjson', '--out', '--resume'],
      /^bspkit: '--out <file>' needs a value, but '--resume' follows it\n$/,
    ],
    [
      'a short option, and one with a value, for a value',
      ['compile', 'demo:arena', '-o', '--format=quake3'],
      /^bspkit: '--out <file>' needs a value, but '--format' follows it\n$/,
    ],
    ...['--help', '-h'].map((help): [string, string[], RegExp] => [
      `${help} for a point`,
      ['point', quake3, '--at', help],
      new RegExp(`^bspkit: '--at <x,y,z>' needs a value, but '${help}' follows it\\n$`),
    ]),
    ['a sign after a short option', ['bake', quake3, '-o=x.bake'], /: -o=x\.bake: write -o x\.bake\n$/],
    [
      'a sign after an unknown one',
      ['bake', quake3, '-f=sight'],
      /^bspkit: unknown option '-f=sight'; missing: /,
    ],
    [
      'a gap for no brushes',
      ['check', quake3, '--no-brushes', '--gap', '3'],
      /^bspkit: --gap is about brushes/,
    ],
    [
      'a gap between brushes where there are none',
      ['check', 'demo:arena@quake1', '--gap', '3'],
      /^bspkit: --gap is about brushes, and maps of Quake 1 have none$/m,
    ],
    [
      'a value for an option that takes none',
      ['info', quake3, '--json=yes'],
      /^bspkit: --json takes no value$/m,
    ],
    [
      'a source in place of a command',
      ['level.map.gz'],
      /^bspkit: level\.map\.gz is the source of a map, not a command; to compile it: bspkit help compile$/m,
    ],
    ['no map', ['info'], /^bspkit: missing: '<map>'; for examples: bspkit help info$/m],
    [
      'all that is absent',
      ['sphere'],
      /^bspkit: missing: '<map>', '--at <x,y,z>' and '--radius <units>'; for examples: bspkit help sphere$/m,
    ],
    ['absent options', ['compile', 'a.map'], /missing: '--format <game>' and '--out <file>'; for examples/],
    [
      'too many maps',
      ['info', quake3, ufoai],
      /^bspkit: too many arguments for 'info'\. Expected 1 argument but got 2\.$/m,
    ],
    [
      'an absent option',
      ['trace', quake3, '--from', '0,0,0'],
      /^bspkit: missing: '--to <x,y,z>'; for examples: bspkit help trace$/m,
    ],
    [
      'an absent option that was misspelt',
      ['trace', '--form', '0,0,0', quake3, '--to', '0,0,0'],
      /^bspkit: unknown option '--form'; missing: '--from <x,y,z>'; for examples: bspkit help trace$/m,
    ],
    ['two numbers for three', ['trace', quake3, '--from', '0,0', '--to', '0,0,0'], /2 numbers, but needs 3/],
    [
      // What some shells make of 0,0,0 without quotes.
      'words for numbers that belong together',
      ['trace', quake3, '--from', '0', '0', '0', '--to', '0', '0', '0'],
      /It has 1 number, but needs 3; quotes keep them together\.$/m,
    ],
    ['a word for a number', ['trace', quake3, '--from', '0,0,up', '--to', '0,0,0'], /'up' is not a number/],
    [
      'a number too large',
      ['trace', quake3, '--from', '0,0,1e39', '--to', '0,0,0'],
      /'1e39' is too large: numbers go up to 3\.4e38, as float32\./,
    ],
    [
      'two shapes',
      ['trace', quake3, ...still, '--sphere', '1', '--capsule', '1,2'],
      /'--sphere <radius>' cannot be used with option '--capsule <radius,height>'$/m,
    ],
    ['a flat ellipsoid', ['trace', quake3, ...still, '--ellipsoid', '1,0,1'], /radii\[1\] must be a radius/],
    [
      'two radii',
      ['trace', quake3, ...still, '--ellipsoid', '1,1'],
      /'--ellipsoid <rx,ry,rz>' argument '1,1' is invalid\. It has 2 numbers, but needs 3\.$/m,
    ],
    [
      'a mask for polygons',
      ['trace', quake3, ...still, '--ellipsoid', '1,1,1', '--mask', '1'],
      /^bspkit: --mask does not apply to --ellipsoid: it belongs to --ray, /,
    ],
    [
      'levels of too many bits',
      ['trace', ufoai, ...still, '--levels', '0x100000001'],
      /--levels: \S+ has more than 32 bits/,
    ],
    ['a seed that would wrap around', ['bench', quake3, '--seed', '4294967296'], /from 0 to 4,294,967,295\./],
    [
      'more queries than fit',
      ['compare', quake3, '--count', '1000001'],
      /whole number from 1 to 1,000,000\./,
    ],
    ['a count beyond all numbers', ['bench', quake3, '--rounds', '9'.repeat(400)], /from 1 to 1,000\./],
    [
      'too many rounds',
      ['compare', quake3, '--rounds', '1001'],
      /'--rounds <n>' argument '1001' is invalid\. It must be a whole number from 0 to 1,000\./,
    ],
    ['escapes for a command', ['fly\x1b[31m'], /unknown command 'fly\\u001b\[31m'/],
    ['a negative radius', ['sphere', quake3, '--at', '0,0,0', '--radius', '-1'], /^bspkit: --radius must be/],
    [
      'a height that another option has',
      ['trace', quake3, ...still, '--capsule', '16,10'],
      /^bspkit: --capsule: height must be twice the radius/,
    ],
    [
      'two outputs on stdout',
      ['compile', 'demo:arena', '-f', 'quake3', '-o', '-', '--stats'],
      /^bspkit: --stats and --out - both print to stdout: give --out a file\n/,
    ],
    [
      'no seed',
      ['info', 'farm.ump:small@x'],
      /^bspkit: farm\.ump:small@x: the seed of an assembly is a whole number, 0 or more\n/,
    ],
    [
      'unknown contents',
      ['trace', quake3, ...still, '--mask', 'jelly'],
      /^bspkit: --mask: unknown name 'jelly'/,
    ],
    [
      'a mask of too many bits, with another option',
      ['trace', quake3, ...still, '--epsilon', '0', '--mask', '99999999999'],
      /^bspkit: --mask: 99999999999 has more than 32 bits/,
    ],
    ['a pose for the world', ['trace', quake3, ...still, '--origin', '1,2,3'], /the world does not move/],
    [
      'numbers that are not three for each model',
      ['trace', ufoai, ...still, '--models', '1,2', '--origin', '1,2,3,4'],
      /'--origin <x,y,z>' argument '1,2,3,4' is invalid\. It has 4 numbers, but needs 3, or 3 for each of several models\.$/m,
    ],
    [
      'one rotation for two models',
      ['trace', 'demo:house@ufoai', ...still, '--models', '1,2', '--angles', '0,90,0'],
      /: --angles must have three numbers for each model, 6 in all, got 3$/m,
    ],
    [
      'two positions for all three models',
      ['explain', 'demo:house@ufoai', ...still, '--models', 'all', '--origin', '0,0,0,0,0,9'],
      /: --origin must have three numbers for each model, 9 in all, got 6$/m,
    ],
    [
      'a position too large among several',
      ['trace', ufoai, ...still, '--models', '1,1', '--origin', '0,0,0,0,1e39,0'],
      /'1e39' is too large: numbers go up to 3\.4e38, as float32\./,
    ],
    [
      'poses of several doors for none',
      ['trace', ufoai, ...still, '--origin', '0,0,0,0,0,0'],
      /^bspkit: --origin and --angles are for models: the world does not move$/m,
    ],
    [
      'an angle for no model',
      ['trace', quake3, ...still, '--angles', '0,90,0'],
      /^bspkit: --origin and --angles are for models: the world does not move$/m,
    ],
    ...Object.entries({ quake1, quake2, quake3, ufoai }).map(([game, map]): [string, string[], RegExp] => [
      `two positions for one model of ${game}`,
      ['trace', map, ...still, '--model', '1', '--origin', '0,0,0,0,0,64'],
      /: --origin must have three numbers for each model, 3 in all, got 6$/m,
    ]),
    ['a model that is not there', ['trace', quake3, ...still, '--model', '9'], /there is no model \*9/],
    [
      'a box that is inside out',
      ['trace', quake3, ...still, '--box', '1,1,1,0,0,0'],
      /: --box: mins\[0\] must not be above maxs\[0\], got 1 and 0\n$/,
    ],
    [
      'an option of a shape, although the error names only a part of it',
      ['trace', ufoai, ...still, '--line', '--levels', '12'],
      /^bspkit: --levels: level must be a whole number in 1\.\.8, got 12\n$/,
    ],
    [
      'a hull that is not there',
      ['trace', quake1, ...still, '--hull', '7'],
      /^bspkit: --hull must be a whole number in 0\.\.2, got 7\n$/,
    ],
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
      'an unknown shell',
      ['completion', 'tcsh'],
      /^bspkit: <shell> cannot be 'tcsh'\. Allowed choices are bash, zsh, fish, powershell\.$/m,
    ],
    [
      'hulls of three numbers',
      ['compile', 'demo:arena', '-f', 'quake1', '-o', 'x.bsp', '--hulls', '1,2,3'],
      /It has 3 numbers, but needs 6 for each box\.$/m,
    ],
    [
      'a hull that is inside out',
      ['compile', 'demo:arena', '-f', 'quake1', '-o', 'x.bsp', '--hulls=9,0,0,1,1,1'],
      /^bspkit: --hulls: hulls\[0\]\.mins\[0\] must not be above hulls\[0\]\.maxs\[0\], got 9 and 1$/m,
    ],
    [
      'too many hulls',
      ['compile', 'demo:arena', '-f', 'quake1', '-o', 'x.bsp', '--hulls', Array(24).fill(0).join(' ')],
      /^bspkit: --hulls must be three or fewer, got 4$/m,
    ],
    [
      'an option of another target',
      ['compile', 'demo:arena', '-f', 'quake3', '-o', 'x.bsp', '--bsp2'],
      /--bsp2 belongs to --format quake1/,
    ],
    [
      'two answers for stdout',
      ['explain', quake3, ...still, '--svg', '-', '--json'],
      /--json and --svg - both print to stdout: give --svg a file/,
    ],
    [
      'a report and JSON for stdout',
      ['compare', quake3, '--markdown', '-', '--json'],
      /--json and --markdown - both print to stdout: give --markdown a file/,
    ],
    [
      'a map and JSON for stdout',
      ['compile', 'demo:arena', '-f', 'quake3', '-o', '-', '--json'],
      /--json and --out - both print to stdout: give --out a file/,
    ],
    [
      'points too close to each other',
      ['bake', 'demo:arena', '--kind', 'occlusion', '--out', join(folder, 'x.bake'), '--step', '1e-6'],
      /^bspkit: --step 0\.000001 makes more than 16777216 points: use a larger one\n$/,
    ],
    [
      'storeys without a height, before the bake',
      'bake demo:arena --kind sight --out x.bake --png x.png --level-height 0'.split(' '),
      /'--level-height <units>' argument '0' is invalid\. It must be more than 0\.\n$/,
    ],
    ['no name of a map', ['info', ''], /: the name of a file is empty\n/],
    [
      'no name to write',
      ['compile', 'demo:arena', '-f', 'quake3', '-o', ''],
      /: the name of a file is empty\n/,
    ],
    [
      'a folder that is not there',
      ['compile', 'demo:arena', '-f', 'quake3', '-o', join(folder, 'no/x.bsp')],
      /no[\\/]x\.bsp: cannot be written: there is no such folder/,
    ],
  ])('%s: exit code 2 and a sentence', async (_, args, says) => {
    const { status, stdout, stderr } = await bspkit(...args);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^(bspkit: [^\n]+\n$|Usage: )/);
    expect(stderr).toMatch(says);
    expect(status).toBe(2);
  });

  it('an unknown demo map, or format of one, is answered with those that there are', async () => {
    expect((await bspkit('info', 'demo:castle')).stderr).toBe(
      'bspkit: demo:castle: no such demo map; there are arena, house, torture\n',
    );
    for (const format of ['quake9', 'quake2@quake3']) {
      const { stderr } = await bspkit('info', `demo:arena@${format}`);
      expect(stderr).toContain('no such format; there are quake1');
    }
  });

  it('a demo map with a format is compiled already: its source is named', async () => {
    const out = join(folder, 'x.bsp');
    expect(await bspkit('compile', 'demo:arena@quake3', '-f', 'quake1', '-o', out)).toMatchObject({
      status: 2,
      stderr:
        'bspkit: demo:arena@quake3: is a compiled map: its source is demo:arena, and --format says what to compile it for\n',
    });
    const unknown = await bspkit('compile', 'demo:castle@quake3', '-f', 'quake1', '-o', out);
    expect(unknown).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('demo:castle: no such demo map'),
    });
  });

  it('a compiled map is no source', async () => {
    const { status, stderr } = await bspkit('compile', quake3, '-f', 'quake1', '-o', join(folder, 'x.bsp'));
    expect(stderr).toBe(
      `bspkit: ${quake3}: is a map of Quake 3 (IBSP 46), compiled already: what can be compiled is its source, a .map file\n`,
    );
    expect(status).toBe(3);
  });

  it('a bake is no map: what draws it is named, or what is damaged in it', async () => {
    const path = join(folder, 'rooms.bake');
    const inputs = { points: pointBytes([0, 0, 0]) };
    const job = await createJob({ kind: 'sight', map: readFileSync(quake3), inputs });
    const store = memoryStore();
    await bake(job, {
      inputs,
      store,
      executor: { capacity: 1, run: async () => new Uint8Array(1) } as never,
    });
    writeFileSync(path, store.bytes());
    for (const args of [
      ['info', path],
      ['bake', path, '--kind', 'sight', '--out', join(folder, 'y.bake')],
    ]) {
      expect(await bspkit(...args)).toMatchObject({
        status: 3,
        stderr: `bspkit: ${path}: the file is not a map, but a bake (sight): the command that made it draws it if you add --resume --png FILE\n`,
      });
    }
    const whole = readFileSync(path);
    const end = readBake(whole).inputs.points!.byteOffset - whole.byteOffset;
    const broken = join(folder, 'broken.bake');
    for (const [bytes, problem] of [
      [whole.subarray(0, 40), 'its job cannot be read'],
      [whole.subarray(0, end), "its input 'points' is missing or broken: resuming the bake puts it back"],
      [Buffer.concat([Buffer.alloc(64), whole.subarray(64)]), 'it does not begin with BSPBAKE1'],
    ] as const) {
      writeFileSync(broken, bytes);
      expect(await bspkit('info', broken)).toMatchObject({
        status: 3,
        stderr: `bspkit: ${broken}: the file is not a map, but a bake; the file is damaged: ${problem}\n`,
      });
    }
  });
});
