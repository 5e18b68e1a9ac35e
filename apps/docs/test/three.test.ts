import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { arenaQuake3 } from '@bspkit/fixtures';
import { runExample } from '@bspkit/testkit/readme';
import { expect, it } from 'vitest';

const RECIPE = new URL('../guides/recipes/draw-map.md', import.meta.url);
const folder = fileURLToPath(new URL('..', import.meta.url));

it('the recipe draws the arena with three.js', async () => {
  const [, example = ''] = /^```js\n(.*?)^```/ms.exec(readFileSync(RECIPE, 'utf8'))!;
  const code = `${example}
const { children } = map;
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
  expect(printed.slice(1)).toEqual(['[536, -64, 60]', 'true', 'true', '1.000,false,0.216']);
});
