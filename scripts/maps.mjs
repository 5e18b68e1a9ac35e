// Fetches free maps from Debian's packages, unpacks them into maps/, and has `bspkit info` load every one of them. If apt is not
// available, says what to download and uses what is in maps/ already.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { loadAll } from './maps-load.mjs';

const PACKAGES = {
  quake3: ['openarena-081-maps', 'openarena-085-data', 'openarena-oacmp1', 'nexuiz-data'],
  ufoai: ['ufoai-maps'],
};
const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'maps');
const games = process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['quake3'];

for (const game of games) {
  if (!PACKAGES[game]) {
    console.error(`unknown game '${game}'; known are ${Object.keys(PACKAGES).join(', ')}`);
    process.exit(2);
  }
  for (const name of PACKAGES[game]) fetchPackage(game, name);
}
process.exitCode = await loadAll(
  games.map((game) => ({ game, files: findFiles(join(folder, game), /\.bsp$/i) })),
  availableParallelism(),
);

/** Downloads a package and unpacks the maps of its pk3 files into maps/GAME/PACKAGE, unless that was done before. */
function fetchPackage(game, name) {
  const target = join(folder, game, name);
  if (existsSync(target)) return;
  const work = mkdtempSync(join(tmpdir(), 'bspkit-maps-'));
  try {
    console.log(`fetching ${name} …`);
    if (spawnSync('apt-get', ['download', name], { cwd: work }).status !== 0) {
      console.log(
        `  apt could not download it: get the Debian package ${name}, and put its .bsp files into ${target}`,
      );
      return;
    }
    const [deb] = readdirSync(work);
    spawnSync('dpkg-deb', ['-x', deb, '.'], { cwd: work, stdio: 'inherit' });
    mkdirSync(target, { recursive: true });
    const seen = new Set();
    for (const pk3 of findFiles(work, /\.pk3$/i)) {
      const entries = unzipSync(readFileSync(pk3), { filter: (entry) => /\.bsp$/i.test(entry.name) });
      for (const [path, bytes] of Object.entries(entries)) {
        // A package may contain the same pk3 twice, but different folders must not give equal names.
        const file = path.replace(/^maps\//i, '').replaceAll('/', '_');
        if (seen.has(`${basename(pk3)} ${file}`)) continue;
        seen.add(`${basename(pk3)} ${file}`);
        writeFileSync(join(target, `${basename(pk3, '.pk3')}_${file}`), bytes);
      }
    }
  } finally {
    rmSync(work, { recursive: true });
  }
}

function findFiles(root, pattern) {
  if (!existsSync(root)) return [];
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}
