import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';

/** Another version of the repository, in a folder of its own. */
export interface CheckOut {
  readonly folder: string;
  /** Short hash and first line of its commit. */
  readonly title: string;
  /** Whether it requires other dependencies than the installed ones, with which it is built all the same. */
  readonly otherDependencies: boolean;
  remove(): void;
}

/** Folders that hold workspaces. */
const GROUPS = ['packages', 'apps', 'apps/examples'];

function git(root: string, ...args: string[]): string {
  const options = { cwd: root, encoding: 'utf8', stdio: 'pipe' } as const;
  return execFileSync('git', args, options).trim();
}

/** The full hash of a revision, or undefined if there is none with that name. */
function find(root: string, revision: string): string | undefined {
  try {
    return git(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);
  } catch {
    return undefined;
  }
}

/**
 * What the working tree is compared with by default: the commit where its branch left `main`. On `main` itself the last commit if
 * files have been changed since, otherwise the one before it.
 */
export function usualRevision(root: string): string {
  const main = find(root, 'main') ?? find(root, 'origin/main');
  const head = find(root, 'HEAD');
  if (main && main !== head) return git(root, 'merge-base', 'HEAD', main);
  return git(root, 'status', '--porcelain', '--untracked-files=no') === '' ? 'HEAD~1' : 'HEAD';
}

/**
 * Checks a revision out into a temporary folder and builds its packages there, with the dependencies that are installed here.
 *
 * @throws RangeError when there is no such revision; Error when it cannot be built.
 */
export function checkOut(root: string, revision: string): CheckOut {
  const commit = find(root, revision);
  if (!commit) throw new RangeError(`there is no revision '${revision}'`);
  const parent = mkdtempSync(join(tmpdir(), 'bspkit-against-'));
  const folder = join(parent, 'tree');
  const remove = (): void => {
    process.off('exit', remove);
    const isThere = existsSync(folder);
    // Before Git does it, which on Windows would follow the links and empty what is installed here.
    rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
    if (isThere) git(root, 'worktree', 'remove', '--force', folder);
  };
  process.on('exit', remove);
  try {
    git(root, 'worktree', 'add', '--detach', folder, commit);
    linkDependencies(root, folder);
    build(folder);
    const lock = (tree: string): string => readFileSync(join(tree, 'package-lock.json'), 'utf8');
    const title = git(root, 'show', '--no-patch', '--format=%h %s', commit);
    return { folder, title, otherDependencies: lock(root) !== lock(folder), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Lets a tree use what is installed in another one, with its own workspaces in place of the other's. */
function linkDependencies(root: string, folder: string): void {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')];
  const link = (target: string, name: string): void => {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    symlinkSync(target, join(to, name), 'junction');
  };
  const names = readdirSync(from).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(from, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  for (const name of names) {
    // What is linked from elsewhere is a workspace, which may no longer exist.
    const path = join(from, name);
    const isInstalled = existsSync(path) && realpathSync(path).split(sep).includes('node_modules');
    if (isInstalled) link(path, name);
  }
  for (const group of GROUPS.filter((one) => existsSync(join(folder, one)))) {
    for (const inner of readdirSync(join(folder, group))) {
      const path = join(folder, group, inner);
      if (!existsSync(join(path, 'package.json'))) continue;
      const { name } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { name: string };
      link(path, name);
    }
  }
}

/** Builds the umbrella of a tree, and with it all formats. The result is not kept for other runs. */
function build(folder: string): void {
  const turbo = join(folder, 'node_modules/turbo/bin/turbo');
  const args = ['run', 'build', '--filter=bspkit', '--output-logs=errors-only', '--cache=local:r'];
  const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
  try {
    execFileSync(process.execPath, [turbo, ...args], options);
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`the revision cannot be built with what is installed here\n${stdout}${stderr}`);
  }
}
