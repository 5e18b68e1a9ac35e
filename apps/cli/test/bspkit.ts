import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';

/** The command as it is published. */
export const MAIN: string = resolve(import.meta.dirname, '../dist/main.js');

if (!existsSync(MAIN)) throw new Error('the command is not built: npm run build');

/** What a run of the command gave. */
export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command, its output not being a terminal. */
export function bspkit(...args: string[]): Run {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: undefined },
  });
  if (error) throw error;
  return { status, stdout, stderr };
}

/** Runs a line of shell with the built command as `bspkit`. */
export function shell(line: string, env: Record<string, string> = {}): Run {
  const { status, stdout, stderr, error } = spawnSync(
    'bash',
    ['-c', `bspkit() { '${process.execPath}' '${MAIN}' "$@"; }; ${line}`],
    { encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, ...env } },
  );
  if (error) throw error;
  return { status, stdout, stderr };
}

/** A folder for the files of one test file, removed at its end. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Times differ from run to run. */
export function withoutTimes(text: string): string {
  return text.replace(/\d+(\.\d+)? (µs|ms|s)\b/g, '# ms');
}
