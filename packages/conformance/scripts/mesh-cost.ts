// What drawing real maps costs: for every map, triangles and the processor time of its meshes, lightmaps and textures,
// each the least of some runs in one process.
//
// cd packages/conformance && npx esbuild scripts/mesh-cost.ts --bundle --platform=node --format=esm \
//   --conditions=@bspkit/source --outfile=../fixtures/dist/mesh-cost.mjs && node ../fixtures/dist/mesh-cost.mjs ons-reborn
//
// Needs maps in BSPKIT_MAPS or ../shared; parts of names as arguments choose some of them.

import { BspError } from '@bspkit/core';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { FORMATS } from 'bspkit';

const RUNS = 5;

/** The shortest time of several runs, in milliseconds; a dash for what a file does not have. */
function timed(work: () => unknown): string {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const begin = process.cpuUsage();
    try {
      if (work() === undefined) return '-';
    } catch (error) {
      if (error instanceof BspError && error.code === 'empty') return '-';
      throw error;
    }
    const { user, system } = process.cpuUsage(begin);
    least = Math.min(least, (user + system) / 1000);
  }
  return least.toFixed(1);
}

const chosen = process.argv.slice(2);
const isChosen = (name: string): boolean => chosen.length === 0 || chosen.some((part) => name.includes(part));
if (!FORMATS.some(({ id }) => realMapNames(id).some(isChosen)))
  throw new Error(
    `there are no such maps in ${process.env.BSPKIT_MAPS ?? '../shared'}: name a folder that has them in BSPKIT_MAPS`,
  );
console.log(['map', 'triangles', 'drawn ms', 'by contents ms', 'lightmaps ms', 'textures ms'].join(' | '));
for (const entry of FORMATS) {
  const format = await entry.load();
  for (const name of realMapNames(entry.id)) {
    if (!isChosen(name)) continue;
    const file = format.read(readRealMap(name)) as never;
    const columns = [
      name,
      `${format.mesh!(file).indices.length / 3} + ${format.mesh!(file, { by: 'contents' }).indices.length / 3}`,
      timed(() => format.mesh!(file)),
      timed(() => format.mesh!(file, { by: 'contents' })),
      timed(() => format.lightmaps?.(file)),
      timed(() => format.embeddedTextures?.(file)),
    ];
    console.log(columns.join(' | '));
  }
}
