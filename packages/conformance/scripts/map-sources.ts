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
  type Material,
  parseMap,
  parseShaders,
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

const MOVES = 20_000;
/** Of this many units two ends may be apart: compilers round planes differently. */
const NEAR = 0.5;
/** Made of the same source in the same size, two worlds are as large as each other within this. */
const SAME_SIZE = 64;
const MINS = [-15, -15, -24] as const;
const MAXS = [15, 15, 32] as const;

type Shaders = Readonly<Record<string, Material>>;

const nameOf = (path: string): string => basename(path).replace(/\.\w+$/, '');
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** What the shaders of a made map say, in the compiler's words. */
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

function compile(text: string, materials: Shaders): CompiledMap {
  const source = parseMap(text, { target: 'quake3' });
  return compileMap(source, {
    format: 'quake3',
    materials,
    unknownMaterial: 'solid',
    emptyBrush: 'leave-out',
  });
}

/** Percent of moves that end elsewhere; those that begin in something solid do not count. */
function differing(ours: Tracer, theirs: Tracer, places: readonly ArrayLike<number>[]): string {
  const random = createRandom(1);
  const [a, b] = [ours.createTrace(), theirs.createTrace()];
  let count = 0;
  let other = 0;
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
    if (Math.abs(a.fraction - b.fraction) * length > NEAR) other++;
  }
  return `${other} of ${count}`;
}

/** Whether two worlds are of one size: maps may have been scaled, or made of another state of the source. */
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
  let compiled: CompiledMap;
  try {
    compiled = compile(textOf(map), { ...shadersOf(theirFile), ...scripts });
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
  const boxes = differing(ours.box(MINS, MAXS, options), theirs.box(MINS, MAXS, options), places);
  return `${name}: ${theirFile.brushes.count} brushes, rays ${rays}, players' boxes ${boxes}`;
}

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
