// npm leaves optional packages of other platforms out of the lock file when it cannot see them while it writes it, and
// `npm ci` then refuses that file everywhere. This puts them back by name and version, for the platform their name tells, with the
// registry's hash, by which `npm ci` knows them. `npm run lock` runs it last; it asks the registry for each, and rewrites
// package-lock.json.
import { exec } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { platformOf } from './platforms.mjs';

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));
const added = [];
for (const entry of Object.values({ ...lock.packages })) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    const where = platformOf(name);
    if (lock.packages[place] || !where || !/^\d/.test(version)) continue;
    lock.packages[place] = { version, ...where, ...(entry.dev && { dev: true }), optional: true };
    added.push(name);
  }
}
/** How many are looked up at the same time. */
const AT_ONCE = 8;
const hashless = Object.entries(lock.packages).filter(
  ([place, { version, link, integrity }]) =>
    /(?:^|\/)node_modules\//.test(place) && version && !link && !integrity,
);
const lookUp = async () => {
  for (let next = hashless.pop(); next; next = hashless.pop()) {
    const [place, entry] = next;
    const name = `${place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${entry.version}`;
    const { stdout } = await promisify(exec)(`npm view "${name}" dist.integrity`);
    if (!/^sha512-/.test(stdout)) throw new Error(`the registry has no hash of ${name}: ${stdout}`);
    const { version, ...rest } = entry;
    lock.packages[place] = { version, integrity: stdout.trim(), ...rest };
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, lookUp));

lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')),
);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length > 0 ? `added ${added.length}: ${added.join(', ')}` : 'nothing is missing');
