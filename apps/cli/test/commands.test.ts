import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boxBrush, type CompileFormat, compileMap, roomBrushes, type SourceEntity } from '@bspkit/compile';
import { parseEntities } from '@bspkit/core';
import { describe, expect, it } from 'vitest';
import { bspkit, bspkitIn } from './bspkit.ts';
import { ACROSS, INTO_WALL, roomFiles } from './room-files.ts';

const { folder, quake1, quake2, quake3, ufoai, printed, json } = roomFiles();

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

  it('names entities without a class as such', async () => {
    const path = join(folder, 'classless.bsp');
    const none = [{ properties: { classname: '' } }, { properties: { origin: '0 0 0' } }];
    const world = { properties: { classname: 'worldspawn' }, brushes: [boxBrush([0, 0, 0], [8, 8, 8])] };
    writeFileSync(path, compileMap({ entities: [world, ...none] }, { format: 'quake3' }).bytes);
    expect((await json('info', path)).entities).toEqual({ worldspawn: 1, '(no class)': 2 });
  });

  it('counts the models that it leaves out', async () => {
    const door = { properties: { classname: 'func_door' }, brushes: [boxBrush([0, 0, 0], [8, 8, 8])] };
    const world = { properties: { classname: 'worldspawn' }, brushes: door.brushes };
    const source = { entities: [world, ...Array.from({ length: 20 }, () => door)] };
    const path = join(folder, 'doors.bsp');
    writeFileSync(path, compileMap(source, { format: 'quake3' }).bytes);
    expect(await printed('info', path)).toMatch(/\nand 9 more models \(--all lists them\)\n/);
  });
});

describe('entities', () => {
  it('are listed with all of their keys, as in sources', async () => {
    const text = await printed('entities', 'demo:arena');
    expect(text).toMatch(/^\{\n"classname" "worldspawn"\n"message" "bspkit arena"\n\}\n\{\n/);
    expect(text).toContain('{\n"classname" "info_player_start"\n"origin" "0 -256 32"\n"angle" "90"\n}\n');
  });

  it('are the same in JSON', async () => {
    const { map, format, entities } = await json('entities', 'demo:arena');
    expect([map, format]).toEqual(['demo:arena', 'quake3']);
    expect(entities).toContainEqual({ classname: 'func_plat', height: '144', lip: '8', model: '*1' });
    expect(parseEntities(await printed('entities', 'demo:arena'), 'quake3')).toEqual(
      (entities as object[]).map((entity) => Object.assign(Object.create(null), entity)),
    );
  });
});

describe('check', () => {
  const FORMATS: readonly CompileFormat[] = ['quake1', 'quake2', 'quake3', 'ufoai'];
  const room = {
    properties: { classname: 'worldspawn' },
    brushes: [...roomBrushes([0, 0, 0], [256, 256, 128], 16), boxBrush([180, 180, 0], [220, 220, 128])],
  };
  const start = { properties: { classname: 'info_player_start', origin: '64 64 40' } };
  const door = {
    properties: { classname: 'func_door', targetname: 'door' },
    brushes: [boxBrush([120, 120, 0], [136, 136, 64])],
  };
  const button = (properties: Record<string, string>): SourceEntity => ({
    properties: { classname: 'trigger_relay', ...properties },
  });
  const mapOf = (format: CompileFormat, ...entities: SourceEntity[]): string => {
    const path = join(folder, `check-${format}.bsp`);
    const bytes = Buffer.from(compileMap({ entities: [room, start, ...entities] }, { format }).bytes);
    // No compiler writes this, but files may contain it.
    const at = bytes.indexOf('nobody');
    if (at >= 0) bytes[at + 2] = 7;
    writeFileSync(path, bytes);
    return path;
  };

  it.each(FORMATS)('finds nothing in a correct map: %s', async (format) => {
    const right = mapOf(
      format,
      { ...door, properties: { ...door.properties, targetname2: 'gate', target: 'lightning' } },
      button({ target: 'Door', killtarget: 'gate', message: 'target' }),
      { properties: { classname: 'event_lightning' } },
      { properties: { classname: 'target_spawner', origin: '200 200 64' } },
    );
    const brushes = format === 'quake1' ? null : 8;
    const found = { entities: 6, starts: 1, problems: [], brushes, brushProblems: [] };
    expect(await bspkit('check', right, '--json')).toMatchObject({
      status: 0,
      stdout: `${JSON.stringify({ map: right, format, ...found })}\n`,
    });
    const counted = brushes === null ? '' : '  brushes   8\n';
    expect((await bspkit('check', right)).stdout).toBe(
      `${right}\n  entities  6\n  starts    1\n${counted}  problems  0\n`,
    );
  });

  it.each(FORMATS)(
    'reports a missing start for players, except in tiles of assemblies: %s',
    async (format) => {
      const path = join(folder, `nowhere-${format}.bsp`);
      writeFileSync(path, compileMap({ entities: [room] }, { format }).bytes);
      const { status, stdout } = await bspkit('check', path, '--json');
      const isTile = format === 'ufoai';
      expect(status).toBe(isTile ? 0 : 1);
      const { starts, problems } = JSON.parse(stdout) as { starts: number; problems: { kind: string }[] };
      expect([starts, problems.map(({ kind }) => kind)]).toEqual([0, isTile ? [] : ['no-start']]);
    },
  );

  it('says that players who start in a map without hulls cannot be tried', async () => {
    const path = join(folder, 'no-hulls.bsp');
    const { bytes } = compileMap({ entities: [room, start] }, { format: 'quake1' });
    // Without clip nodes, and with no model that leads to any.
    const { buffer, byteOffset } = bytes;
    const words = new Int32Array(buffer, byteOffset, bytes.length >> 2);
    const [clipNodes, models] = [1 + 2 * 9, 1 + 2 * 14];
    words[clipNodes + 1] = 0;
    for (const hull of [1, 2, 3]) words[words[models]! / 4 + 9 + hull] = 0;
    writeFileSync(path, bytes);
    const { status, stdout } = await bspkit('check', path, '--json');
    expect(status).toBe(1);
    const problem = 'players start here, but the map has no hull in which they could move';
    expect(JSON.parse(stdout)).toMatchObject({
      starts: 1,
      problems: [{ entity: 0, classname: 'worldspawn', kind: 'no-hull', problem }],
    });
  });

  it.each(FORMATS)('finds starts inside what stops only players: %s', async (format) => {
    const clip = boxBrush([180, 40, 0], [240, 100, 128], { material: 'common/clip' });
    const path = join(folder, `clip-${format}.bsp`);
    const inClip = { properties: { classname: 'info_player_deathmatch', origin: '210 70 40' } };
    const entities = [{ ...room, brushes: [...room.brushes, clip] }, start, inClip];
    writeFileSync(path, compileMap({ entities }, { format }).bytes);
    const { status, stdout } = await bspkit('check', path, '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ starts: 2, problems: [{ entity: 2, kind: 'stuck' }] });
  });

  it.each(FORMATS)('finds what is wrong with entities: %s', async (format) => {
    const wrong = mapOf(
      format,
      door,
      button({ target: 'dor', killtarget: 'door', pathtarget: 'nobody' }),
      { properties: { classname: 'info_player_deathmatch', origin: '200 200 64' } },
      { properties: { classname: 'info_player_deathmatch', origin: '900 64 64' } },
      // A little way into the floor, from which games lift players out.
      { properties: { classname: 'info_player_deathmatch', origin: '200 64 18' } },
      { properties: { classname: 'light', origin: '8 8' } },
      { properties: { origin: '8 8 8' } },
      { properties: { classname: 'func_wall', model: '*2' } },
      { properties: { classname: 'func_wall', model: '*0' } },
      { properties: { classname: 'info_player_intermission', origin: '0 0 9000' } },
      { properties: { classname: 'info_player_deathmatch' } },
      {
        properties: {
          classname: '',
          target: 'a long way to go, and nobody at home when at last you are there',
        },
      },
      // More than games' numbers can hold.
      { properties: { classname: 'info_player_deathmatch', origin: '1e39 0 0' } },
      { properties: { classname: 'trap_'.repeat(20), model: '*3' } },
      // Classes that need brushes.
      { properties: { classname: 'func_door_rotating', origin: '64 64 64' } },
      { properties: { classname: 'trigger_hurt' } },
    );
    const { status, stdout } = await bspkit('check', wrong, '--json');
    expect(status).toBe(1);
    const { entities, starts, problems } = JSON.parse(stdout) as {
      entities: number;
      starts: number;
      problems: { entity: number; kind: string; problem: string; origin: number[] | null }[];
    };
    expect([entities, starts]).toEqual([18, 6]);
    const found = problems.map(({ entity, kind, problem }) => [entity, kind, problem]);
    expect(found).toEqual([
      [3, 'target', "target: nothing is called 'dor'"],
      [3, 'target', "pathtarget: nothing is called 'no\u0007ody'"],
      [4, 'stuck', 'a player does not fit here'],
      [5, 'no-floor', 'no floor in the 4096 units below'],
      [7, 'origin', "origin '8 8' is not three numbers that games can hold"],
      [8, 'no-classname', 'has no classname, so games ignore it'],
      [9, 'model', 'model *2: the map has only *1'],
      [10, 'model', 'model *0: the map has only *1'],
      [12, 'stuck', 'a player does not fit here'],
      [13, 'no-classname', 'has no classname, so games ignore it'],
      [
        13,
        'target',
        "target: nothing is called 'a long way to go, and nobody at home when at last you are there'",
      ],
      [14, 'origin', "origin '1e39 0 0' is not three numbers that games can hold"],
      [15, 'model', 'model *3: the map has only *1'],
      [16, 'model', 'needs brushes, and has none'],
      [17, 'model', 'needs brushes, and has none'],
    ]);
    const text = await bspkit('check', wrong);
    expect(text.status).toBe(1);
    const words = text.stdout.replaceAll(/\s+/g, ' ');
    expect(words).toContain(" 3 trigger_relay - target: nothing is called 'dor' ");
    expect(words).toContain(' 12 info_player_deathmatch 0 0 0 a player does not fit here ');
    expect(words).toContain(' 13 - - has no classname');
    expect(words).toContain(` 15 ${'trap_'.repeat(8)}… - model *3`);
    expect(text.stdout).not.toContain('\u0007');
    for (const line of text.stdout.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(80);
    // What does not fit continues below the second column.
    expect(text.stdout).toMatch(/a long way to go,.*\n {8}\S/);
  });
});

describe('trace', () => {
  it('says what a ray hits', async () =>
    expect(await printed('trace', quake3, ...INTO_WALL)).toMatchSnapshot());

  it('names no texture where there is none, and rounds no fraction to 0', async () => {
    // Far behind a sky, which has no face there.
    const far = ['demo:arena@quake1', '--from', '0,0,40', '--to', '0,0,3e38'];
    const text = await printed('trace', ...far);
    expect(text).toMatch(/\n {2}fraction +1\.\d+e-36\n/);
    expect(text).not.toContain('texture');
    expect(await json('trace', ...far)).toMatchObject({ textureName: null });
  });

  it('says which box is moved where the game has no such box', async () => {
    const text = await printed('trace', quake1, ...INTO_WALL, '--box=-8,-8,-8,8,8,8');
    // The hull of the map's that is at least as wide, from the box's own lowest corner.
    expect(text.split('\n')[0]).toContain('box from -8 -8 -8 to 24 24 48');
    expect(text).toMatch(/\n {2}asked for +box from -8 -8 -8 to 8 8 8; traced as the box above\n/);
    expect(await printed('trace', quake1, ...INTO_WALL, '--box=-16,-16,-24,16,16,32')).not.toContain('asked');
    expect(await printed('trace', quake3, ...INTO_WALL, '--box=-8,-8,-8,8,8,8')).not.toContain('asked');
  });

  it('passes through the doorway, and not through the door', async () => {
    expect(await json('trace', quake3, ...ACROSS)).toMatchObject({
      fraction: 1,
      endPos: [224, 128, 64],
      brush: -1,
    });
    const door = await json('trace', quake3, ...ACROSS, '--model', '1');
    expect(door).toMatchObject({ model: 1, normal: [-1, 0, 0], textureName: 'textures/test/door' });
    expect(await json('trace', quake3, ...ACROSS, '--model', '*1')).toEqual(door);
    expect((await bspkit('trace', quake3, ...ACROSS, '--model', '**1')).status).toBe(2);
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
    // A line that starts in solid meets no surface.
    const wall = ['--from', '-520,0,64', '--to', '0,0,64'];
    const text = await printed('trace', 'demo:arena@ufoai', ...wall);
    expect(text).toMatch(/result +starts in solid\n/);
    expect(text).not.toContain('surface');
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

  it('puts several doors of a UFO:AI map where they are asked to be, three numbers each', async () => {
    const moves = [
      ['--from', '384,50,30', '--to', '384,200,30'],
      ['--from', '600,256,30', '--to', '700,256,30'],
    ];
    // Doors 1 and 2 as they are, and with one or both of them 200 units higher.
    const [hinged, sliding] = ['352,100,32', '0,0,0'];
    const [high, higher] = ['352,100,232', '0,0,200'];
    for (const [origin, hit] of [
      [`${hinged},${sliding}`, [1, 2]],
      [`${hinged},${higher}`, [1, -1]],
      [`${high} ${sliding}`, [-1, 2]],
      [`${high}, ${higher}`, [-1, -1]],
    ] as const) {
      for (const [k, move] of moves.entries()) {
        const asked = ['demo:house@ufoai', ...move, '--models', '1,2', '--origin', origin];
        for (const command of ['trace', 'explain'])
          expect(await json(command, ...asked), `${command} ${origin}`).toMatchObject({ model: hit[k] });
        // Three numbers for each of the three.
        const all = ['--models', 'all', '--origin', `${origin},0,0,0`, '--angles', '0 90 0 0 0 0 0 0 0'];
        expect(await json('trace', 'demo:house@ufoai', ...move, ...all)).toMatchObject({
          model: k === 0 ? -1 : hit[k],
        });
      }
    }
  });
});

describe('point, sphere, sight', () => {
  it('says what is at a point', async () => {
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

  it('say in words where there is no cluster', async () => {
    for (const map of [quake2, quake3]) {
      const ends = ['--from', '32,128,64', '--to', '32,128,-4'];
      const { stdout } = await bspkit('sight', map, ...ends);
      expect(stdout).toMatch(/from cluster +0\n {2}to cluster +-1: none, as in solid or outside the map\n/);
      expect(JSON.parse((await bspkit('sight', map, ...ends, '--json')).stdout)).toMatchObject({
        toCluster: -1,
      });
      expect((await bspkit('point', map, '--at', '32,128,-4')).stdout).toMatch(/cluster +-1: none, as in/);
    }
  });
});

it('answers say in JSON which map they are about', async () => {
  const at = ['--at', '32,128,64'];
  for (const [map, ...args] of [
    [quake1, 'point', ...at],
    [quake1, 'sphere', ...at, '--radius', '1'],
    [quake3, 'sight', '--from', '32,128,64', '--to', '32,128,-4'],
  ] as const) {
    const [command, ...more] = args;
    const { stdout } = await bspkit(command!, map, ...more, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ map, format: map === quake1 ? 'quake1' : 'quake3' });
  }
});

describe('helps', () => {
  it('come from the command that shows them, too', async () => {
    const help = await bspkit('--help');
    expect(help).toMatchObject({ status: 0, stderr: '' });
    for (const asked of [['help'], ['help', '--help'], ['help', '-h'], ['help', 'help'], ['help', '--']])
      expect(await bspkit(...asked), asked.join(' ')).toEqual(help);
    expect(await bspkit('help', '--', 'trace')).toEqual(await bspkit('help', 'trace'));
  });

  it('say what is traced by default, and for which games it is something else', async () => {
    const { stdout } = await bspkit('help', 'trace');
    expect(stdout).toContain('\nShape (by default --ray or --line for UFO:AI):\n');
  });

  it('say nothing twice about an option', async () => {
    for (const command of ['trace', 'explain', 'compile', 'bake', 'batch']) {
      const { stdout } = await bspkitIn({ columns: 1000 }, 'help', command);
      const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--\S+).*? {2,}(\S.*)$/gm)];
      expect(options.length).toBeGreaterThan(6);
      for (const [, name, text] of options) {
        const said = text!.split(/ \([^)]*\)(?:; |$)|[;:] /);
        expect(new Set(said).size, `${name}: ${text}`).toBe(said.length);
      }
    }
    const { stdout } = await bspkitIn({ columns: 1000 }, 'help', 'trace');
    expect(stdout).toMatch(
      /--mask <names> +contents that stop it, [^;]+ \(Quake 2, Quake 3, UFO:AI\); solid /,
    );
  });
});
