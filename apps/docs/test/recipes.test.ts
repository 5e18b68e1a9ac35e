import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { boxBrush, compileMap, roomBrushes } from '@bspkit/compile';
import { arenaQuake1, arenaQuake3 } from '@bspkit/fixtures';
import { readQuake1 } from '@bspkit/quake1';
import { readQuake3 } from '@bspkit/quake3';
import { examplesIn, runExample } from '@bspkit/testkit/readme';
import { expect, it } from 'vitest';

const folder = new URL('../guides/recipes/', import.meta.url);
const home = fileURLToPath(new URL('../../', folder));
const textOf = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
/** The file that a recipe has its readers save. */
const moduleIn = (name: string): string => /^```js \S+\.mjs\n(.*?)^```/ms.exec(textOf(name))![1]!;

it('each recipe is in the menu and in the table of its index', () => {
  const files = readdirSync(folder).filter((name) => name !== 'index.md');
  const index = textOf('index.md');
  const [, head = '', text = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(index) ?? [];
  const menu = [...head.matchAll(/^ {2}- \.\/(\S+)$/gm)].map(([, name]) => name);
  const table = [...text.matchAll(/^\| .* \| \[[^\]]+\]\((\w[\w-]*\.md)\) +\|$/gm)].map(([, name]) => name);
  expect(menu.sort(), 'the menu: `children` in the first lines of index.md').toEqual(files.sort());
  expect(table.sort(), 'the tables in index.md').toEqual(files);
});

it('each picture is in a guide', () => {
  const guides = new URL('../guides/', import.meta.url);
  const names = readdirSync(guides, { recursive: true, encoding: 'utf8' });
  const texts = names
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(new URL(name, guides), 'utf8'));
  const pictures = readdirSync(new URL('pictures/', guides));
  expect(pictures.length).toBeGreaterThan(3);
  expect(pictures.filter((name) => !texts.some((text) => text.includes(`pictures/${name})`)))).toEqual([]);
});

it('replacing lumps leaves all else where it is, as the 18th lump of Quake Live, which bspkit does not read', () => {
  const code = moduleIn('change-a-map.md').replace('export ', '');
  const replaceLumps = new Function(`${code}; return replaceLumps;`)();
  const map = arenaQuake3();
  // The last entry of the directory, between the others and what follows.
  const directory = 8 + 17 * 8;
  const bytes = new Uint8Array(map.length + 8);
  bytes.set(map.subarray(0, directory));
  bytes.set(map.subarray(directory), directory + 8);
  const view = new DataView(bytes.buffer);
  view.setInt32(4, 47, true);
  for (let at = 8; at < directory; at += 8) view.setInt32(at, view.getInt32(at, true) + 8, true);
  view.setInt32(directory, bytes.length - 4, true);
  view.setInt32(directory + 4, 4, true);

  const file = readQuake3(bytes);
  const changed: Uint8Array = replaceLumps(bytes, file, { entities: Uint8Array.of(0) });
  expect(readQuake3(changed)).toMatchObject({ version: 47, entities: '', planes: file.planes });
  expect(changed.subarray(directory, bytes.length)).toEqual(bytes.subarray(directory));
  expect(replaceLumps(bytes.buffer, file, { entities: Uint8Array.of(0) })).toEqual(changed);
  expect(() => replaceLumps(bytes, file, { entity: Uint8Array.of(0) })).toThrow(
    "there is no lump 'entity' among entities,",
  );
});

it('light is that of all kinds of lamps, and water that a compiler has lit gets it too', async () => {
  const light = examplesIn(textOf('change-a-map.md')).find(({ code }) => code.includes('bakeFace'))!;
  const map = Uint8Array.from(arenaQuake1());
  const { lumps, faces, texInfos, textures } = readQuake1(map);
  const partOf = ({ byteOffset, byteLength }: Uint8Array) => Buffer.from(map.buffer, byteOffset, byteLength);

  const entities = partOf(lumps.entities);
  const torches = entities.toString('latin1').replaceAll('{\n"classname" "light"', '{"classname" "light_"');
  expect(entities.write(torches, 'latin1')).toBe(entities.length);
  const water = textures.findIndex((texture) => texture?.name === '*pool_water');
  for (let k = 0; k < texInfos.count; k++) {
    if (texInfos.textures[k] === water) partOf(lumps.texInfos).writeInt32LE(0, 40 * k + 36);
  }
  // Where the light was that is replaced.
  for (let k = 0; k < faces.count; k++) partOf(lumps.faces).writeInt32LE(1_000_000, 20 * k + 16);

  const files = {
    'arena1.bsp': map,
    'replace-lumps.mjs': new TextEncoder().encode(moduleIn('change-a-map.md')),
  };
  const [samples, brightness] = await runExample(home, light, files);
  expect(brightness).toBe(light.prints[1]);
  const [dry] = /\d+/.exec(light.prints[0]!)!;
  expect(Number(/\d+/.exec(samples!)![0])).toBeGreaterThan(Number(dry));
});

it('an arc does not lead to where a curve, which lets moves through from behind, reaches into the player', async () => {
  const arc = examplesIn(textOf('grenades.md')).find(({ code }) => code.includes('function arc'))!;
  const points = Array.from({ length: 9 }, (_, k) => {
    const [column, row] = [k % 3, Math.floor(k / 3)];
    return [column === 1 ? 380 : 390, 100 * column - 100, 60 * row, column, row] as const;
  });
  const brushes = [boxBrush([-1000, -1000, -16], [1000, 1000, 0])];
  const patches = [{ material: 'curve', width: 3, height: 3, points }];
  const { bytes } = compileMap(
    { entities: [{ properties: { classname: 'worldspawn' }, brushes, patches }] },
    { format: 'quake3' },
  );
  const [through, past] = await runExample(home, arc, { 'arena.bsp': bytes });
  expect(through).toBe('undefined');
  expect(past).toMatch(/^\[-256, 654/);
});

it('a grid of light has the cells that the map asks for', async () => {
  const grid = examplesIn(textOf('light.md'))[0]!;
  const properties = { classname: 'worldspawn', gridsize: '96 96 160' };
  const brushes = roomBrushes([-512, -512, 0], [512, 512, 512], 16);
  const { bytes } = compileMap({ entities: [{ properties, brushes }] }, { format: 'quake3' });
  const [dark, lit, brightness] = await runExample(home, grid, { 'arena.bsp': bytes });
  expect([dark, lit, Number(brightness) > 0.1]).toEqual(['false', 'true', true]);
});

it('a pole that Rapier finds no hull of is there all the same', async () => {
  const crates = examplesIn(textOf('rigid-bodies.md'))[0]!;
  const brushes = [
    boxBrush([-512, -512, -16], [512, 512, 0]),
    boxBrush([1088, 2695, 235], [1089, 2696, 2487]),
  ];
  const { bytes } = compileMap(brushes, { format: 'quake3' });
  expect(await runExample(home, crates, { 'arena.bsp': bytes })).toEqual(crates.prints);
});

it('a map where no player can begin is refused by that reason', async () => {
  const spawning = examplesIn(textOf('spawning.md'))[0]!;
  const { bytes } = compileMap([boxBrush([0, 0, 0], [64, 64, 64])], { format: 'quake3' });
  await expect(runExample(home, spawning, { 'arena.bsp': bytes })).rejects.toThrow('players cannot begin');
});

it('shots in any game go through triggers', async () => {
  const anyGame = examplesIn(textOf('hitscan.md')).find(({ code }) => code.includes('createGun'))!;
  const box = (x: number, material: string) => boxBrush([x, -64, 0], [x + 16, 64, 128], { material });
  const entities = [
    { properties: { classname: 'worldspawn' }, brushes: [box(700, 'test/wall')] },
    { properties: { classname: 'trigger_once' }, brushes: [box(620, 'common/trigger')] },
  ];
  const [arena, arena1] = (['quake3', 'quake1'] as const).map(
    (format) => compileMap({ entities }, { format }).bytes,
  );
  const printed = await runExample(home, anyGame, { 'arena.bsp': arena!, 'arena1.bsp': arena1! });
  expect(printed).toEqual(['[textures/test/wall of model 0, wall of model 0]']);
});
