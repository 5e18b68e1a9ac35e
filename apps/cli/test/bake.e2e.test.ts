import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readBake, startsOf } from '@bspkit/bake';
import { boxBrush, compileMap } from '@bspkit/compile';
import type { BspFormat } from '@bspkit/core/format';
import { houseUfoai } from '@bspkit/fixtures';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { DONE, setUpBakes } from './bakes.ts';
import { bspkit, bspkitIn } from './bspkit.ts';

// Threads that the command starts run the built code.

const { inFolder, arena, points } = setUpBakes();

const none = inFolder('none.txt');
writeFileSync(none, '\n');

describe('a bake of places to stand', () => {
  it('is about the player that the map is for', async () => {
    const [map, out] = [inFolder('halflife.bsp'), inFolder('halflife.bake')];
    await bspkit('compile', 'demo:arena', '--format', 'quake1', '--version', '30', '--out', map);
    const args = ['--kind', 'exposure', '--step', '128', '--out', out];
    expect(await bspkit('bake', map, ...args)).toEqual(DONE);
    // Half-Life's is 36 above the floor, Quake's 24.
    expect(readBake(readFileSync(out)).job.parameters).toEqual({ step: 128, floor: 36, eye: 27 });
  });
});

describe('a bake of an assembly', () => {
  const house = houseUfoai();
  const town = inFolder('town.ump');
  writeFileSync(inFolder('t_house.bsp'), house);
  writeFileSync(
    town,
    `base t_ tile +house { 4 4  0 0 0 0  0 +a +a 0  0 +a +a 0  0 0 0 0 } assembly two { size "4 2" +house "2 2" }`,
  );

  it('is about all of its maps, where they are', async () => {
    const out = inFolder('town.bake');
    const json = inFolder('town.json');
    const args = ['--kind', 'exposure', '--step', '64', '--json', json, '--out', out];
    expect(await bspkit('bake', `${town}:two@3`, ...args)).toEqual(DONE);
    const { job } = readBake(readFileSync(out));
    expect(job.tiles).toHaveLength(2);
    const ufoai: BspFormat = await FORMATS.find(({ id }) => id === 'ufoai')!.load();
    const file = ufoai.read(house);
    const offsets = job.tiles!.map(({ offset }) => offset);
    const bounds = offsets.map((offset) => ufoai.createWorld([file], { offsets: [offset] }).bounds);
    const { columns, rows } = JSON.parse(readFileSync(json, 'utf8')) as {
      columns: string[];
      rows: number[][];
    };
    const x = columns.indexOf('x');
    for (const { mins, maxs } of bounds) {
      expect(rows.filter((row) => row[x]! > mins[0]! && row[x]! < maxs[0]!).length).toBeGreaterThan(20);
    }
    // Where its soldiers start.
    const starts = inFolder('starts.json');
    const entities = ['--kind', 'sight', '--points', 'entities:info*', '--json', starts];
    expect(await bspkit('bake', `${town}:two@3`, ...entities, '--out', inFolder('starts.bake'))).toEqual(
      DONE,
    );
    const own = startsOf(ufoai.createWorld([file]));
    expect(own.length).toBeGreaterThan(0);
    const { points: baked } = readBake(readFileSync(inFolder('starts.bake'))).inputs;
    const units = [32, 32, 64];
    const moved = offsets.flatMap((offset) =>
      Array.from(own, (coordinate, k) => coordinate + units[k % 3]! * offset[k % 3]!),
    );
    expect(new Float32Array(Uint8Array.from(baked!).buffer)).toEqual(Float32Array.from(moved));
    expect((await bspkit('bake', `${town}:two@3`, ...args, '--resume')).status).toBe(0);
    const other = await bspkit('bake', `${town}:two@4`, ...args, '--resume');
    expect(other.status === 0 || /tiles .* there, .* here/.test(other.stderr)).toBe(true);
  });

  it('has a grid, and no surfaces', async () => {
    const clearance = ['--kind', 'clearance', '--step', '128', '--out', inFolder('grid.bake')];
    expect(await bspkit('bake', `${town}:two`, ...clearance)).toEqual(DONE);
    const { stderr } = await bspkit('bake', town, '--kind', 'occlusion', '--out', inFolder('none.bake'));
    expect(stderr).toMatch(/is an assembly, which has no surfaces of its own: take --points cells/);
  });
});

describe('bake', () => {
  it.each([
    ['occlusion', '--rays', '8', '--step', '256'],
    ['sight', '--points', 'entities:info*', '--eye', '20'],
    ['clearance', '--step', '256'],
    ['exposure', '--step', '128'],
  ])('gives the same file with 1 and 2 threads: %s', async (kind, ...args) => {
    const files = ['1', '2'].map((jobs) => [inFolder(`${kind}.${jobs}`), jobs] as const);
    for (const [out, jobs] of files) {
      expect(await bspkit('bake', arena, '--kind', kind, ...args, '--out', out, '--jobs', jobs)).toEqual(
        DONE,
      );
    }
    const [one, two] = files.map(([out]) => readFileSync(out));
    expect(two).toEqual(one);
    expect(readBake(one!)).toMatchObject({ job: { kind }, missing: 0 });
  });

  it.each([
    ['quake3', 'ray', { kind: 'ray' }],
    ['quake1', 'hull1', { kind: 'hull', size: [1] }],
    ['quake1', 'precise', { kind: 'hull', size: [0], options: { precise: true } }],
  ])('describes a preset of %s in its file: %s', async (game, name, tracer) => {
    const out = inFolder(`${name}.bake`);
    const args = ['--kind', 'sight', '--points', points, '--jobs', '1', '--tracer', name, '--out', out];
    expect(await bspkit('bake', `demo:arena@${game}`, ...args)).toEqual(DONE);
    expect(readBake(readFileSync(out)).job.parameters).toEqual({ tracer });
  });

  it('shows a person how far it is, in 80 columns', async () => {
    const { status, stderr } = await bspkitIn(
      { terminal: true, columns: 80 },
      ...[
        'bake',
        arena,
        '--kind',
        'exposure',
        '--step',
        '128',
        '--out',
        inFolder('shown.bake'),
        '--jobs',
        '1',
      ],
    );
    expect(status).toBe(0);
    expect(stderr).toContain('cells/s');
    expect(stderr).toMatch(/\d+ cells in .*, written to .*shown\.bake\n$/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys takes no room.
    const plain = stderr.replace(/\x1b\[[\d;]*[A-Za-z]/g, '');
    for (const line of plain.split(/[\r\n]/).slice(0, -2)) expect(line.length).toBeLessThan(80);
  });

  it.each([
    [['--kind', 'shade'], "argument 'shade' is invalid. Allowed choices are occlusion"],
    [
      ['--kind', 'sight', '--rays', '3'],
      '--rays does not apply to sight: it belongs to occlusion and clearance',
    ],
    [
      ['--kind', 'occlusion', '--rays', '1e9'],
      '--rays must be a whole number from 1 to 65536, got 1000000000',
    ],
    [['--kind', 'occlusion', '--rays', '0'], '--rays must be a whole number from 1 to 65536, got 0'],
    [['--kind', 'occlusion', '--tracer', 'beam'], "--tracer has 'beam', but "],
    [['--kind', 'sight', '--points', 'entities:no_such'], 'there are no such points'],
    [
      ['--kind', 'clearance', '--step', '0'],
      "'--step <units>' argument '0' is invalid. It must be more than 0.",
    ],
    [['--kind', 'clearance', '--chunk-size', '0'], "'--chunk-size <items>' argument '0' is invalid"],
    [['--kind', 'clearance', '--retries', '1001'], "'--retries <n>' argument '1001' is invalid"],
    [['--kind', 'clearance', '--step', '0.001'], '--step 0.001 makes more than 1,099,511,627,776 cells'],
    [
      ['--kind', 'clearance', '--step', '0.5'],
      'cells: use a larger --step, or the --bounds of a part; the whole map is --bounds=-',
    ],
    [['--kind', 'clearance', '--bounds', '8,0,0,0,8,8'], '--bounds takes the lowest corner first'],
    [['--kind', 'occlusion', '--png', 'no.png', '--scale', '99'], 'It must be a number from 0.25 to 8'],
    [
      ['--kind', 'sight', '--points', 'surface'],
      'surface: no such file; points come from surfaces, vertices, cells, entities, ',
    ],
    [['--kind', 'sight', '--points', arena], 'is not UTF-8: points are text, three numbers per line'],
    [
      ['--kind', 'sight', '--step', '3', '--targets', 'vertices'],
      '--step does not apply to points from entities and vertices: it belongs to surfaces and cells',
    ],
    [['--kind', 'sight', '--points', none], 'none.txt: has no points'],
    [
      ['--kind', 'occlusion', '--points', 'surfaces', '--step', '-8'],
      "'--step <units>' argument '-8' is invalid. It must be more than 0.",
    ],
  ])('refuses %j', async (args, problem) => {
    const out = inFolder('refused.bake');
    const { status, stdout, stderr } = await bspkit('bake', arena, '--out', out, ...args);
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining(problem),
    });
    expect(existsSync(out)).toBe(false);
  });

  it.each([
    ['quake2', 0],
    // A soldier stands in the middle of a cell, and fits through doors one cell wide.
    ['ufoai', 16],
  ])('walks where players of %s do', async (game, offset) => {
    const args = ['--kind', 'exposure', '--out', inFolder(`house.${game}`), '--csv', '-'];
    const { status, stdout } = await bspkit('bake', `demo:house@${game}`, ...args);
    expect(status).toBe(0);
    const places = stdout.trim().split('\n').slice(1);
    expect(places.length).toBeGreaterThan(100);
    for (const place of places) {
      const [x, y] = place.split(',').map(Number);
      expect([x! & 31, y! & 31]).toEqual([offset, offset]);
    }
  });

  it('says why there is nowhere to walk', async () => {
    const room = { properties: { classname: 'worldspawn' }, brushes: [boxBrush([0, 0, 0], [64, 64, 64])] };
    const stuck = { properties: { classname: 'info_player_start', origin: '32 32 32' } };
    const map = inFolder('stuck.bsp');
    writeFileSync(map, compileMap({ entities: [room, stuck] }, { format: 'quake3' }).bytes);
    expect(await bspkit('bake', map, '--kind', 'exposure', '--out', inFolder('stuck.bake'))).toEqual({
      status: 2,
      stdout: '',
      stderr:
        `bspkit: cells: players come to no cell in ${map}: no start has room for one and a floor below, ` +
        'as bspkit check tells, or --step is too wide\n',
    });
    writeFileSync(map, compileMap({ entities: [room] }, { format: 'quake3' }).bytes);
    expect((await bspkit('bake', map, '--kind', 'exposure', '--out', inFolder('stuck.bake'))).stderr).toBe(
      `bspkit: cells: ${map} has no place where players start\n`,
    );
  });

  it('refuses a map that cannot be read, and refuses to overwrite its input', async () => {
    writeFileSync(inFolder('broken.bsp'), readFileSync(arena).subarray(0, 2000));
    const broken = await bspkit(
      'bake',
      inFolder('broken.bsp'),
      '--kind',
      'clearance',
      '--out',
      inFolder('no.bake'),
    );
    expect(broken.status).toBe(3);
    const over = await bspkit('bake', arena, '--kind', 'clearance', '--out', arena);
    expect(over).toMatchObject({ status: 2, stderr: expect.stringContaining('is not written') });
    const pipe = await bspkit('bake', arena, '--kind', 'clearance', '--out', '-', '--resume');
    expect(pipe).toMatchObject({
      status: 2,
      stderr: 'bspkit: stdout: --resume needs a file that can grow, which this is not\n',
    });
  });
});
