import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// Dedicated servers of engines, as packaged by Debian, which load a program of ours as their game.

/** Where Debian's packages are. */
export const ENGINES: string = process.env.BSPKIT_ENGINES ?? '/';

/** Throws unless a file of Debian's packages is there. Returns its path. */
export function installed(path: string): string {
  if (existsSync(path)) return path;
  throw new Error(
    `there is no ${path}: install the package that it is from, or unpack that and name the folder in BSPKIT_ENGINES`,
  );
}

/** An unprivileged user: servers may refuse to run as root. */
const NOBODY = { uid: 65534, gid: 65534 };

/** What a `yardstick/engine.json` says about a server. */
export interface Engine {
  readonly program: string;
  readonly module: string;
  readonly map: string;
  readonly files: Readonly<Record<string, string>>;
  readonly arguments: readonly string[];
}

/** Reads what a folder of the name `yardstick` says about its server. */
export const readEngine = (yardstick: string): Engine =>
  JSON.parse(readFileSync(join(yardstick, 'engine.json'), 'utf8')) as Engine;

/** Does some work in a folder that is removed afterwards. */
export function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-record-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes the folders of files in a folder. */
export function makeFolders(folder: string, names: readonly string[]): void {
  for (const name of names) mkdirSync(dirname(join(folder, name)), { recursive: true });
}

/** Compiles a program as a module. */
export const compileModule = (source: string, module: string, ...options: readonly string[]): void =>
  void execFileSync('gcc', ['-O2', '-fPIC', '-shared', ...options, '-o', module, source, '-ldl']);

/** Runs a server in a folder that has all that it needs, until it ends, and returns the lines that its game has written. */
export function runServer(
  { program, ...engine }: Engine,
  folder: string,
  environment: Readonly<Record<string, string>>,
  words: readonly string[] = [],
): string[] {
  const server = installed(join(ENGINES, program));
  const answers = join(folder, 'answers');
  execFileSync('chmod', ['-R', 'a+rwX', folder]);
  const usual = engine.arguments.flatMap((line) => line.replaceAll('FOLDER', folder).split(' '));
  const { status, signal, stderr } = spawnSync(server, [...usual, ...words], {
    env: { HOME: folder, BSPKIT_ANSWERS: answers, ...environment },
    timeout: 60_000,
    ...(process.getuid?.() === 0 && NOBODY),
  });
  if (status !== 0) throw new Error(`${program} ended with ${status ?? signal}: ${stderr}`);
  return readFileSync(answers, 'latin1').trimEnd().split('\n');
}
