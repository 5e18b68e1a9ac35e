import type { BspWorld, PolygonSource, Vec3 } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import { compileFixture, type FIXTURE_FORMATS, type FixtureName } from '@bspkit/fixtures';
import { findRealData, readRealMap } from '@bspkit/fixtures/real';
import type { Vec } from '@bspkit/geometry';
import { formatOf } from 'bspkit';
import { createEllipsoidWorld, type EllipsoidWorld } from '../src/index.ts';
import { boxFaces } from './rooms.ts';

export interface TestMap {
  readonly name: string;
  readonly format: BspFormat;
  readonly world: BspWorld;
  readonly source: PolygonSource;
  readonly ellipsoids: EllipsoidWorld;
  /** Where the centre of a player may start, in Quake units. */
  readonly spawns: readonly (readonly [number, number, number])[];
}

type Game = (typeof FIXTURE_FORMATS)[number];

async function openBytes(game: Game, name: string, bytes: Uint8Array): Promise<TestMap> {
  const format: BspFormat = await formatOf(game);
  const world = format.createWorld([format.read(bytes)]);
  const source = fenced(format.polygons(world), world);
  const ellipsoids = createEllipsoidWorld(source);
  const spawns = world.entities().flatMap((entity) => {
    if (!/^info_.*(start|deathmatch|player|human|civilian|alien)/.test(entity.classname ?? '')) return [];
    const [x, y, z] = (entity.origin ?? '').split(' ').map(Number);
    return x === undefined || y === undefined || z === undefined ? [] : [[x, y, z] as const];
  });
  return { name, format, world, source, ellipsoids, spawns };
}

/** A map's polygons within a box: a tile of an assembly is open towards its neighbours, so a fence is added. */
function fenced(source: PolygonSource, { bounds: { mins, maxs } }: BspWorld): PolygonSource {
  const corner = (from: Vec3, by: number): Vec => [from[0]! + by, from[1]! + by, from[2]! + by];
  const fence = boxFaces(corner(mins, -8), corner(maxs, 8), true);
  const all = [...source.polygons(), ...fence];
  return {
    polygons: () => all,
    leafPolygons: (leaf) => (leaf === source.numLeafs ? fence : source.leafPolygons(leaf)),
    numLeafs: source.numLeafs + 1,
    // The fence has a leaf of its own, which every box touches.
    boxLeafs(low, high, out) {
      const found = source.boxLeafs(low, high, out);
      if (found < out.length) out[found] = source.numLeafs;
      return found + 1;
    },
    isSolid: (polygon) => fence.includes(polygon) || source.isSolid(polygon),
  };
}

const compiled = new Map<string, Promise<TestMap>>();

/** One of our own maps, compiled for a game; once for all tests of a process. */
export function ownMap(game: Game, fixture: FixtureName): Promise<TestMap> {
  const name = `${game}/${fixture}`;
  const map = compiled.get(name) ?? openBytes(game, name, compileFixture(fixture, game).bytes);
  compiled.set(name, map);
  return map;
}

/** A real map: `quake3/oa_dm1.bsp`. */
export const realMap = (name: string): Promise<TestMap> =>
  openBytes(name.split('/')[0] as Game, name, readRealMap(name));

/** Four real maps, one per game, if they are present. */
export const REAL_MAPS: readonly string[] = findRealData()
  ? ['quake1/e1m1.bsp', 'quake2/dm1.bsp', 'quake3/oa_dm1.bsp', 'ufoai/farm_f_farmhouse_a.bsp']
  : [];
