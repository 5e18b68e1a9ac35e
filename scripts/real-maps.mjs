// Where scripts that measure find real maps.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with real maps: that in BSPKIT_MAPS, or in `../shared`. Where there is none, ends the process and says so. */
export function realMaps() {
  const folder = process.env.BSPKIT_MAPS ?? fileURLToPath(new URL('../../shared', import.meta.url));
  const maps = join(folder, 'maps');
  if (existsSync(join(maps, 'INDEX.json'))) return maps;
  console.error(`there are no real maps in ${maps}: name the folder that has maps/INDEX.json in BSPKIT_MAPS`);
  process.exit(2);
}
