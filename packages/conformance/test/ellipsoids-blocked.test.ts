import { boxBrush, COMPILE_TARGETS, compileMap, roomBrushes } from '@bspkit/compile';
import type { PolygonSource } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import { createEllipsoidWorld } from '@bspkit/ellipsoid';
import { createQuake1World, hullPolygons, readQuake1 } from '@bspkit/quake1';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';

// What stops ellipsoids that fall onto a slab: the README of @bspkit/ellipsoid and the recipe about round bodies say which
// brushes are missing from the polygons of each game, and how to add them.

const HEIGHT = 28;
const FLOOR = 8;
const SLAB = 120;

/** Materials that stop players, with the games whose polygons include them. */
const STOPPING: Readonly<Record<string, readonly string[]>> = {
  'base/wall': ['quake1', 'quake2', 'quake3', 'ufoai'],
  sky: ['quake1', 'quake2', 'quake3', 'ufoai'],
  'common/caulk': ['quake2', 'ufoai'],
  'common/nodraw': ['quake2', 'ufoai'],
  'common/clip': [],
};

/** Whether a material stops players of a game: one of Quake 3's tools lets them through. */
const isStopping = (material: string, game: string): boolean =>
  material in STOPPING && !(material === 'common/nodraw' && game === 'quake3');

/** A slab of a given material above the floor of a room. */
function compiled(format: 'quake1' | 'quake2' | 'quake3' | 'ufoai', material: string): Uint8Array {
  const room = roomBrushes([-256, -256, FLOOR], [256, 256, 400], 16, { material: 'base/wall' });
  const slab = boxBrush([-100, -100, 100], [100, 100, SLAB], { material });
  const entities = [{ properties: { classname: 'worldspawn' }, brushes: [...room, slab] }];
  return compileMap({ entities }, format === 'quake1' ? { format, brushlist: true } : { format }).bytes;
}

/** The height at which an ellipsoid that falls among a source's polygons comes to rest. */
function rest(source: PolygonSource): number {
  const tracer = createEllipsoidWorld(source).ellipsoid([16, 16, HEIGHT]);
  return tracer.trace([0, 0, 200], [0, 0, -10]).endPos[2]! - HEIGHT;
}

// Formats without a compiler have no such maps.
const entries = FORMATS.filter((entry) => COMPILE_TARGETS.some(({ id }) => id === entry.id));

describe.each(entries.map((entry) => [entry.id, entry] as const))('ellipsoids in maps of %s', (id, entry) => {
  it.each([...Object.keys(STOPPING), '*water'])('of %s', async (material) => {
    const format: BspFormat = await entry.load();
    const file = format.read(compiled(id as 'quake1', material));
    const source = format.polygons(format.createWorld([file]));
    expect(rest(source)).toBe(STOPPING[material]?.includes(id) ? SLAB : FLOOR);
    const brushes = format.brushPolygons!(file).filter(({ model }) => model === 0);
    const all = { ...source, polygons: () => [...source.polygons(), ...brushes] };
    expect(rest(all)).toBe(isStopping(material, id) ? SLAB : FLOOR);
  });
});

// Most compilers for this game list no brushes; then the point hull contains what is solid and not drawn, but no clip.
it.each([
  ['common/nodraw', SLAB],
  ['common/clip', FLOOR],
  ['*water', FLOOR],
])('ellipsoids among the polygons of the hull of points, of %s', (material, height) => {
  const world = createQuake1World(readQuake1(compiled('quake1', material)));
  const polygons = hullPolygons(world, 0);
  expect(
    rest({
      polygons: () => polygons,
      leafPolygons: () => [],
      numLeafs: 0,
      boxLeafs: () => 0,
      isSolid: () => true,
    }),
  ).toBe(height);
});
