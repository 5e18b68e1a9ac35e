// Compiles the sources of real Quake 3 maps and compares the result with the maps that the game's own compiler made of them:
// the same moves through both. Takes pk3 files that have maps/*.bsp with their *.map beside them or elsewhere, and
// scripts/*.shader, as those of Nexuiz and of OpenArena's community maps do.
//
// cd packages/conformance && npx esbuild scripts/map-sources.ts --bundle --platform=node --format=esm \
//   --conditions=@bspkit/source --outfile=../fixtures/dist/map-sources.mjs && \
//   node ../fixtures/dist/map-sources.mjs data.pk3 z_oacmp-volume1-v3.pk3
//
// Shaders that a pk3 has not, since they come with the game, are what the made map says of them.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  CONTENTS,
  type CompiledMap,
  CompileError,
  compileMap,
  type MapSource,
  type Material,
  parseMap,
  parseShaders,
  type SourceBrush,
  SURFACE,
} from '@bspkit/compile';
import { entityVector, type Tracer } from '@bspkit/core';
import { createRandom } from '@bspkit/geometry';
import {
  contentsNames,
  createQuake3World,
  MASK_PLAYERSOLID,
  type Quake3File,
  type Quake3World,
  readQuake3,
  surfaceNames,
} from '@bspkit/quake3';
import { unzipSync } from 'fflate';
import { type BruteBrush, box, createBrute, separation } from '../test/compile-brute.ts';

const MOVES = 20_000;
/** How far apart two ends may be, in units: compilers round planes differently. */
const NEAR = 0.5;
/** Two worlds made from the same source at the same scale have the same size, to within this. */
const SAME_SIZE = 64;
const MINS = [-15, -15, -24] as const;
const MAXS = [15, 15, 32] as const;
const PLAYER = box(MINS, MAXS);
/** Boxes keep 1/8 of a unit from walls, along the normal. */
const TOUCHES = 0.3;

type Shaders = Readonly<Record<string, Material>>;

const nameOf = (path: string): string => basename(path).replace(/\.\w+$/, '');
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** What the shaders in a compiled map say, in terms of our compiler. */
function shadersOf({ shaders }: Quake3File): Shaders {
  const words = (names: readonly string[], table: object): string[] =>
    names.map((name) => name.toLowerCase()).filter((name) => Object.hasOwn(table, name));
  return Object.fromEntries(
    shaders.map(({ name, contents, surfaceFlags }) => [
      name.replace(/^textures\//, '').toLowerCase(),
      {
        contents: words(contentsNames.names(contents), CONTENTS),
        surface: words(surfaceNames.names(surfaceFlags), SURFACE),
      },
    ]),
  );
}

const compile = (source: MapSource, materials: Shaders): CompiledMap =>
  compileMap(source, { format: 'quake3', materials, unknownMaterial: 'solid', emptyBrush: 'leave-out' });

/** The world's brushes that stop players, by corners and edges that no compiler has touched. */
function wallsOf({ entities }: MapSource, materials: Shaders): BruteBrush[] {
  const stops = ({ sides }: SourceBrush): boolean => {
    const { contents = 'solid' } = materials[sides[0]!.material!.toLowerCase()] ?? {};
    return ['solid', 'playerclip'].some((word) => (contents as readonly string[]).includes(word));
  };
  const own = entities.filter(
    ({ properties }, k) => k === 0 || /^func_(group|detail)/.test(properties.classname ?? ''),
  );
  return own.flatMap(({ brushes = [] }) =>
    brushes.filter(stops).flatMap((brush) => {
      try {
        return [createBrute(brush)];
      } catch {
        // A brush without volume.
        return [];
      }
    }),
  );
}

/** Whether a player's box at a point is in the open, clear of all walls. */
function isInOpen(walls: readonly BruteBrush[], at: ArrayLike<number>): boolean {
  const point = [at[0]!, at[1]!, at[2]!] as const;
  const isNear = ({ mins, maxs }: BruteBrush): boolean =>
    point.every((x, k) => mins[k]! - 40 < x && x < maxs[k]! + 40);
  return walls.filter(isNear).every((wall) => separation(wall, PLAYER, point) > TOUCHES);
}

interface Difference {
  readonly other: number;
  readonly count: number;
  readonly inOpen: readonly [ours: number, theirs: number];
}

const NONE: Difference = { other: 0, count: 0, inOpen: [0, 0] };

/** Totals over all maps. */
let maps = 0;
let allRays = NONE;
let allBoxes = NONE;

/**
 * How many moves end elsewhere; those that start in something solid do not count. For boxes also how many are stopped in the
 * open, clear of `walls`, in our map and in theirs.
 */
function differing(
  ours: Tracer,
  theirs: Tracer,
  places: readonly ArrayLike<number>[],
  walls?: readonly BruteBrush[],
): Difference {
  const random = createRandom(1);
  const [a, b] = [ours.createTrace(), theirs.createTrace()];
  let count = 0;
  let other = 0;
  const inOpen: [ours: number, theirs: number] = [0, 0];
  for (let k = 0; k < MOVES; k++) {
    const place = places[Math.floor(random() * places.length)]!;
    const from = [0, 1, 2].map((axis) => place[axis]! + (axis < 2 ? 64 * random() - 32 : 48 * random()));
    const length = k % 2 === 0 ? 4000 : 200;
    const way = [0, 1, 2].map(() => 2 * random() - 1);
    const size = Math.sqrt(way.reduce((sum, x) => sum + x * x, 0));
    const to = from.map((x, axis) => x + (length * way[axis]!) / size);
    ours.trace(from, to, a);
    theirs.trace(from, to, b);
    if (a.startSolid || b.startSolid) continue;
    count++;
    if (Math.abs(a.fraction - b.fraction) * length <= NEAR) continue;
    other++;
    const first = a.fraction < b.fraction ? 0 : 1;
    if (walls && isInOpen(walls, (first === 0 ? a : b).endPos)) inOpen[first]!++;
  }
  return { other, count, inOpen };
}

const sum = (a: Difference, b: Difference): Difference => ({
  other: a.other + b.other,
  count: a.count + b.count,
  inOpen: [a.inOpen[0] + b.inOpen[0], a.inOpen[1] + b.inOpen[1]],
});

function show(rays: Difference, boxes: Difference): string {
  const [ours, theirs] = boxes.inOpen;
  const open = boxes.other > 0 ? `, stopped in the open: ours ${ours}, theirs ${theirs}` : '';
  return `rays ${rays.other} of ${rays.count}, players' boxes ${boxes.other} of ${boxes.count}${open}`;
}

/** Whether two worlds have the same size: maps may have been scaled, or compiled from another version of the source. */
function isAsLarge(one: Quake3World, other: Quake3World): boolean {
  const { mins, maxs } = one.bounds;
  return [0, 1, 2].every(
    (k) =>
      Math.abs(mins[k]! - other.bounds.mins[k]!) < SAME_SIZE &&
      Math.abs(maxs[k]! - other.bounds.maxs[k]!) < SAME_SIZE,
  );
}

function compareMap(name: string, map: Uint8Array, bsp: Uint8Array, scripts: Shaders): string {
  const theirFile = readQuake3(bsp);
  const materials = { ...shadersOf(theirFile), ...scripts };
  let source: MapSource;
  let compiled: CompiledMap;
  try {
    source = parseMap(textOf(map), { target: 'quake3' });
    compiled = compile(source, materials);
  } catch (error) {
    if (error instanceof CompileError) return `${name}: ${error.message}`;
    throw error;
  }
  const theirs = createQuake3World(theirFile);
  const ours = createQuake3World(readQuake3(compiled.bytes));
  const models = compiled.warnings.filter(({ code }) => code === 'model-left-out').length;
  if (models > 0) return `${name}: has ${models} solid models, of which nothing is compiled`;
  if (!isAsLarge(ours, theirs)) return `${name}: the map is not of this source, or of another scale`;
  const places = theirs.entities().flatMap((entity) => {
    const origin = /^(info_|item_|weapon_|ammo_|team_|light)/.test(entity.classname ?? '')
      ? entityVector(entity, 'origin')
      : undefined;
    return origin ? [origin] : [];
  });
  if (places.length === 0) return `${name}: nobody is anywhere in it`;
  const rays = differing(ours.ray(), theirs.ray(), places);
  const options = { mask: MASK_PLAYERSOLID };
  const walls = wallsOf(source, materials);
  const boxes = differing(ours.box(MINS, MAXS, options), theirs.box(MINS, MAXS, options), places, walls);
  maps++;
  allRays = sum(allRays, rays);
  allBoxes = sum(allBoxes, boxes);
  return `${name}: ${theirFile.brushes.count} brushes, ${show(rays, boxes)}`;
}

if (process.argv.length === 2) throw new Error('name pk3 files that have maps with their sources');
for (const path of process.argv.slice(2)) {
  const entries = unzipSync(readFileSync(path), { filter: ({ name }) => /\.(map|bsp|shader)$/i.test(name) });
  const names = Object.keys(entries).sort();
  const scripts: Record<string, Material> = {};
  for (const name of names.filter((entry) => /\.shader$/i.test(entry))) {
    for (const [shader, material] of Object.entries(parseShaders(textOf(entries[name]!))))
      scripts[shader] ??= material;
  }
  console.log(`${basename(path)}: ${Object.keys(scripts).length} shaders`);
  for (const name of names.filter((entry) => /\.map$/i.test(entry))) {
    const made = names.find((entry) => /\.bsp$/i.test(entry) && nameOf(entry) === nameOf(name));
    if (made) console.log(compareMap(nameOf(name), entries[name]!, entries[made]!, scripts));
  }
}
console.log(`${maps} maps: ${show(allRays, allBoxes)}`);
