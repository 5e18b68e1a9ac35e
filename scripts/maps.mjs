// Fetches free maps from Debian's packages, unpacks them into maps/, and has `bspkit info` load every one of them. If apt is not
// available, says what to download and uses what is in maps/ already.
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchPackage, findFiles } from './maps-fetch.mjs';
import { loadAll } from './maps-load.mjs';

const PACKAGES = {
  quake3: ['openarena-081-maps', 'openarena-085-data', 'openarena-oacmp1', 'nexuiz-data'],
  ufoai: ['ufoai-maps'],
};
const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'maps');
const games = process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['quake3'];

// Before anything is fetched.
const unknown = games.find((game) => !Object.hasOwn(PACKAGES, game));
if (unknown !== undefined) {
  console.error(`unknown game '${unknown}'; known are ${Object.keys(PACKAGES).join(', ')}`);
  process.exit(2);
}
for (const game of games) for (const name of PACKAGES[game]) fetchPackage(folder, game, name);
process.exitCode = await loadAll(
  games.map((game) => ({ game, files: findFiles(join(folder, game), /\.bsp$/i) })),
  availableParallelism(),
);
