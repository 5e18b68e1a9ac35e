// The next version of all packages, and their changelogs, from the changesets. Nobody has met what was changed before the first
// release, so that takes only each package's own changeset, which is named after it and says what is in it; the others are removed.
// `npm run version-packages` runs it.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.changeset');
const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'));

if (version === '0.0.0') {
  const others = readdirSync(folder).filter((name) => name.endsWith('.md') && !isOwn(name));
  for (const name of others) rmSync(join(folder, name));
  console.log(`A first release: ${others.length} changesets of changes before it are removed`);
}
const { status } = spawnSync('npx changeset version', { cwd: root, stdio: 'inherit', shell: true });
process.exitCode = status ?? 1;

function isOwn(file) {
  const [, packageName] =
    /^---\n["'](?:@bspkit\/)?([\w-]+)["']:/.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
  return file === `${packageName}.md`;
}
