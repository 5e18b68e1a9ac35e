// Fetches the maps of a Debian package.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { unzipSync } from 'fflate';

/**
 * Downloads a package and unpacks the maps of its pk3 files into a folder of its name, unless that was done before. The folder is
 * there once all of them are in it: what an interrupted run has left, the package too, is removed by the next.
 */
export function fetchPackage(folder, game, name) {
  const target = join(folder, game, name);
  if (existsSync(target)) return;
  // Not in the game's folder, where it would be taken for a package.
  const unfinished = join(folder, '.unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  const [work, maps] = [join(unfinished, 'package'), join(unfinished, 'maps')];
  for (const made of [work, maps]) mkdirSync(made, { recursive: true });
  try {
    console.log(`fetching ${name} …`);
    if (spawnSync('apt-get', ['download', name], { cwd: work }).status !== 0) {
      console.log(
        `  apt could not download it: get the Debian package ${name}, and put its .bsp files into ${target}`,
      );
      return;
    }
    const [deb] = readdirSync(work);
    const unpacked = spawnSync('dpkg-deb', ['-x', deb, '.'], { cwd: work, stdio: 'inherit' });
    if (unpacked.status !== 0) throw new Error(`dpkg-deb could not unpack ${deb}`);
    const seen = new Set();
    for (const pk3 of findFiles(work, /\.pk3$/i)) {
      const entries = unzipSync(readFileSync(pk3), { filter: (entry) => /\.bsp$/i.test(entry.name) });
      for (const [path, bytes] of Object.entries(entries)) {
        // A package may contain the same pk3 twice, but different folders must not give equal names.
        const file = path.replace(/^maps\//i, '').replaceAll('/', '_');
        if (seen.has(`${basename(pk3)} ${file}`)) continue;
        seen.add(`${basename(pk3)} ${file}`);
        writeFileSync(join(maps, `${basename(pk3, '.pk3')}_${file}`), bytes);
      }
    }
    mkdirSync(dirname(target), { recursive: true });
    renameSync(maps, target);
  } finally {
    rmSync(unfinished, { recursive: true });
  }
}

/** Files in a folder, at whatever depth; none if it is not there. */
export function findFiles(root, pattern) {
  if (!existsSync(root)) return [];
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}
