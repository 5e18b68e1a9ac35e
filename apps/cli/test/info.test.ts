import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boxBrush, compileMap } from '@bspkit/compile';
import { parseEntities } from '@bspkit/core';
import { describe, expect, it } from 'vitest';
import { roomFiles } from './room-files.ts';

const { folder, quake1, quake3, ufoai, printed, json } = roomFiles();

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
    expect(info.textures).toEqual([
      'textures/liquids/water',
      'textures/test/door',
      'textures/test/middle',
      'textures/test/wall',
    ]);
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

  it('lists each texture once, by name, the first of many', async () => {
    const path = join(folder, 'textures.bsp');
    const infoOf = (number: number, ...more: string[]): Promise<string> => {
      const brushes = Array.from({ length: number }, (_, k) =>
        boxBrush([32 * k, 0, 0], [32 * k + 16, 16, 16], { material: `wall/${number - k}` }),
      );
      const source = { entities: [{ properties: { classname: 'worldspawn' }, brushes }] };
      writeFileSync(path, compileMap(source, { format: 'quake3' }).bytes);
      return printed('info', path, ...more);
    };
    const [first, last] = ['\ntexture\ntextures/wall/1\n', '\ntextures/wall/9\n'];
    const some = await infoOf(20);
    expect(some).toContain(first);
    expect(some).toMatch(/\ntextures\/wall\/2\nand 8 more textures \(--all lists them\)\n$/);
    for (const whole of [await infoOf(20, '--all'), await infoOf(13)]) {
      expect(whole).toContain(first);
      expect(whole.endsWith(last)).toBe(true);
    }
  });

  it('counts the models that it leaves out, which is never a single one', async () => {
    const door = { properties: { classname: 'func_door' }, brushes: [boxBrush([0, 0, 0], [8, 8, 8])] };
    const world = { properties: { classname: 'worldspawn' }, brushes: door.brushes };
    const path = join(folder, 'doors.bsp');
    const infoOf = (doors: number): Promise<string> => {
      const source = { entities: [world, ...Array.from({ length: doors }, () => door)] };
      writeFileSync(path, compileMap(source, { format: 'quake3' }).bytes);
      return printed('info', path);
    };
    expect(await infoOf(20)).toMatch(/\nand 9 more models \(--all lists them\)\n/);
    expect(await infoOf(13)).toMatch(/\nand 2 more models \(--all lists them\)\n/);
    const all = await infoOf(12);
    expect(all).toMatch(/^\*12 /m);
    expect(all).not.toContain('more models');
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
