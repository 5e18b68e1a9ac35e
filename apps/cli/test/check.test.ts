import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boxBrush, type CompileFormat, compileMap, roomBrushes, type SourceEntity } from '@bspkit/compile';
import { expect, it } from 'vitest';
import { bspkit, temporaryFolder } from './bspkit.ts';

const folder = temporaryFolder();

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

it.each(FORMATS)('reports a missing start for players, except in tiles of assemblies: %s', async (format) => {
  const path = join(folder, `nowhere-${format}.bsp`);
  writeFileSync(path, compileMap({ entities: [room] }, { format }).bytes);
  const { status, stdout } = await bspkit('check', path, '--json');
  const isTile = format === 'ufoai';
  expect(status).toBe(isTile ? 0 : 1);
  const { starts, problems } = JSON.parse(stdout) as { starts: number; problems: { kind: string }[] };
  expect([starts, problems.map(({ kind }) => kind)]).toEqual([0, isTile ? [] : ['no-start']]);
});

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

it.each(FORMATS)('counts walls that are entities, and no others: %s', async (format) => {
  const path = join(folder, `walls-${format}.bsp`);
  const at = (x: number): SourceEntity => ({
    properties: { classname: 'info_player_deathmatch', origin: `${x} 40 ${64 + 40}` },
  });
  const part = (
    classname: string,
    x: number,
    z: number,
    more: Record<string, string> = {},
  ): SourceEntity => ({
    properties: { classname, ...more },
    brushes: [boxBrush([x - 24, 0, z], [x + 24, 80, z + 16])],
  });
  const entities: SourceEntity[] = [
    // Nothing is below the starts but what is an entity.
    { properties: { classname: 'worldspawn' }, brushes: [boxBrush([0, 200, 0], [64, 264, 16])] },
    at(0), // [1] on a wall
    part('func_wall', 0, 48),
    at(100), // [3] in one
    part('func_wall', 100, 96),
    at(200), // [5] on what moves
    part('func_train', 200, 48),
    at(300), // [7] on a wall, in one that may be missing
    part('func_static', 300, 48),
    part('func_wall', 300, 96, { spawnflags: '1' }),
    // [10] on one that stands elsewhere than its brushes are in the file
    at(400),
    part('func_wall', 400, 48, { origin: '400 40 56' }),
  ];
  writeFileSync(path, compileMap({ entities }, { format }).bytes);
  const { problems } = JSON.parse((await bspkit('check', path, '--no-brushes', '--json')).stdout) as {
    problems: { entity: number; kind: string }[];
  };
  expect(problems.map(({ entity, kind }) => [entity, kind])).toEqual([
    [3, 'stuck'],
    [5, 'no-floor'],
  ]);
});

it.each(FORMATS)('finds what is wrong with entities: %s', async (format) => {
  const wrong = mapOf(
    format,
    door,
    button({ target: 'dor', killtarget: 'door', pathtarget: 'nobody' }),
    { properties: { classname: 'info_player_deathmatch', origin: '200 200 64' } },
    // Outside, close to a wall, along which a player falls out of the map.
    { properties: { classname: 'info_player_deathmatch', origin: '290 64 64' } },
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
