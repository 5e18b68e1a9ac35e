import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { arenaQuake3 } from '@bspkit/fixtures';
import { runExample } from '@bspkit/testkit/readme';
import { expect, it } from 'vitest';

const README = new URL('../../../packages/quake3/README.md', import.meta.url);
const folder = fileURLToPath(new URL('..', import.meta.url));

it('the README of quake3 draws the arena with three.js', async () => {
  // A package of a format does not depend on three.js, so that the example is run here.
  const [, drawMap] = /^```typescript\n(.*?)^```/ms.exec(readFileSync(README, 'utf8'))!;
  const code = `${drawMap}
import { readFileSync } from 'node:fs';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
const file = readQuake3(readFileSync('arena.bsp'));
const { children } = drawMap(file, createQuake3World(file));
console.log(children.length, children.map(({ material }) => material.name).includes('textures/arena/floor'));
console.log(children.map(({ position }) => position.toArray()).find(([x]) => x !== 0));
console.log(children.every(({ geometry }) => geometry.index.count > 0 && geometry.index.count % 3 === 0));
// What a texture needs to be seen, once it has loaded.
console.log(children.every(({ geometry: { attributes } }) => attributes.uv.count === attributes.position.count));
// This map has no light: its vertices are white. With others, what has no lightmap is as bright as these say, but for liquids.
const colors = file.vertexes.colors.map(() => 32);
const dim = drawMap({ ...file, vertexes: { ...file.vertexes, colors } }, createQuake3World(file)).children;
const brightness = ({ geometry, material }) => material.vertexColors && geometry.attributes.color.getX(0).toFixed(3);
console.log([...new Set([...children, ...dim].map(brightness))].join());
`;
  const printed = await runExample(
    folder,
    { line: 0, language: 'ts', code, prints: [] },
    { 'arena.bsp': arenaQuake3() },
  );
  // The door that turns stands at its entity's origin.
  expect(printed).toEqual(['12 true', '[536, -64, 60]', 'true', 'true', '1.000,false,0.216']);
});
