// Computes the table of where soldiers can go for every map in a folder, and compares it with the one that the map contains,
// byte for byte. Lists those that differ, with the first place where they do, and the processor time.
// After `npm run build`: node scripts/prove-routing.mjs FOLDER   (the maps of Debian's ufoai-maps: 0maps.pk3 is a zip)
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ufoaiFormat } from '../dist/format.js';
import { computeRouting, encodeRouting, readUfoai } from '../dist/index.js';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('node scripts/prove-routing.mjs FOLDER');
  process.exit(2);
}
const { routing } = await ufoaiFormat.load();

function* maps(from) {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const path = join(from, entry.name);
    if (entry.isDirectory()) yield* maps(path);
    else if (entry.name.endsWith('.bsp')) yield path;
  }
}

const times = [];
let equal = 0;
for (const path of [...maps(folder)].sort()) {
  const file = readUfoai(readFileSync(path));
  const before = process.cpuUsage();
  const table = encodeRouting(computeRouting(file));
  const { user, system } = process.cpuUsage(before);
  times.push({ path, milliseconds: (user + system) / 1000 });
  const difference = routing.difference(table, file.lumps.routing);
  if (difference === undefined) equal++;
  else console.log(`${relative(folder, path)}: ${difference}`);
}
times.sort((a, b) => a.milliseconds - b.milliseconds);
const total = times.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
const show = (time) => `${time.milliseconds.toFixed(0)} ms`;
console.log(`${equal} of ${times.length} maps have the same table`);
if (times.length > 0) {
  console.log(
    `${(total / 1000).toFixed(1)} s of processor time, median ${show(times[times.length >> 1])}, most ${show(times.at(-1))}`,
  );
}
