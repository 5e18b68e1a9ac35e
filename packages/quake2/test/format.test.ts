import { arenaQuake2, arenaQuake3, compileFixture } from '@bspkit/fixtures';
import { checkFormat } from '@bspkit/testkit/check-format';
import { expect, it } from 'vitest';
import { quake2 } from '../src/descriptor.ts';
import { quake2Format } from '../src/format.ts';

const maps = [
  { name: 'arena', bytes: arenaQuake2() },
  { name: 'house', bytes: compileFixture('house', 'quake2').bytes },
];

await checkFormat(quake2Format, maps, { foreign: [arenaQuake3()] });

it('cuts each brush of a world once, however many leafs list it', () => {
  const source = quake2.polygons(quake2.createWorld([quake2.read(maps[0]!.bytes)]));
  const ofLeafs = Array.from({ length: source.numLeafs }, (_, leaf) => source.leafPolygons(leaf)).flat();
  const distinct = new Set(ofLeafs);
  expect(distinct.size).toBeLessThan(ofLeafs.length);
  expect(source.polygons().every((polygon) => distinct.has(polygon))).toBe(true);
  expect(() => source.leafPolygons(source.numLeafs)).toThrow(RangeError);
});
