import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { arenaQuake1 } from '@bspkit/fixtures';
import { readQuake1 } from '@bspkit/quake1';
import { examplesIn, runExample } from '@bspkit/testkit/readme';
import { expect, it } from 'vitest';

const folder = new URL('../guides/recipes/', import.meta.url);

it('each recipe is in the menu and in the table of its index', () => {
  const files = readdirSync(folder).filter((name) => name !== 'index.md');
  const index = readFileSync(new URL('index.md', folder), 'utf8');
  const [, head = '', text = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(index) ?? [];
  const menu = [...head.matchAll(/^ {2}- \.\/(\S+)$/gm)].map(([, name]) => name);
  const table = [...text.matchAll(/^\| .* \| \[[^\]]+\]\((\w[\w-]*\.md)\) +\|$/gm)].map(([, name]) => name);
  expect(menu.sort()).toEqual(files.sort());
  expect(table.sort()).toEqual(files);
});

it('light is that of all kinds of lamps, and water that a compiler has lit gets it too', async () => {
  const text = readFileSync(new URL('change-a-map.md', folder), 'utf8');
  const [, replaceLumps = ''] = /^```js replace-lumps\.mjs\n(.*?)^```/ms.exec(text) ?? [];
  const light = examplesIn(text).find(({ code }) => code.includes('bakeFace'))!;
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

  const files = { 'arena1.bsp': map, 'replace-lumps.mjs': new TextEncoder().encode(replaceLumps) };
  const [samples, brightness] = await runExample(fileURLToPath(new URL('../../', folder)), light, files);
  expect(brightness).toBe(light.prints[1]);
  const [dry] = /\d+/.exec(light.prints[0]!)!;
  expect(Number(/\d+/.exec(samples!)![0])).toBeGreaterThan(Number(dry));
});
