import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Input, Io, Output, Signal } from '../src/io.ts';
import { type RunOptions, run } from '../src/run.ts';

export { temporaryFolder } from '@bspkit/testkit/folder';

/** The built command. */
export const MAIN: string = resolve(import.meta.dirname, '../dist/main.js');

/** Windows has no named pipes in the file system, no file modes, and symbolic links only for some users. */
export const WINDOWS: boolean = process.platform === 'win32';

/** The result of running the command. */
export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment that the command runs in. */
export interface Surroundings extends RunOptions {
  /** Whether stdout and stderr are a terminal, which then has colours. */
  readonly terminal?: boolean;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A signal that arrives as soon as the command listens for signals. */
  readonly signal?: Signal;
  readonly stdin?: Input;
}

/**
 * A clock that jumps ahead whenever it is read, so that nothing is measured longer than necessary. Real measurements are tested
 * with the built command.
 */
function hastyClock(): () => number {
  let time = 0;
  return () => {
    time += 20;
    return time;
  };
}

/** Runs the command in this process; its output is not a terminal by default. */
export const bspkit = (...args: string[]): Promise<Run> => bspkitIn({}, ...args);

/** {@link bspkit} in another environment. */
export async function bspkitIn(surroundings: Surroundings, ...args: string[]): Promise<Run> {
  const {
    terminal = false,
    columns,
    env = {},
    cwd = process.cwd(),
    signal,
    stdin,
    ...options
  } = surroundings;
  const written = { stdout: '', stderr: '' };
  const output = (name: keyof typeof written, columns: number | undefined): Output => ({
    write: (text) => {
      written[name] += typeof text === 'string' ? text : Buffer.from(text).toString('latin1');
      return true;
    },
    isTTY: terminal,
    columns,
    hasColors: () => true,
  });
  const heard = new Set<object>();
  const io: Io = {
    stdin,
    stdout: output('stdout', columns),
    stderr: output('stderr', columns),
    env,
    cwd,
    now: hastyClock(),
    onSignal(stop) {
      heard.add(stop);
      if (signal) stop(signal);
      return () => void heard.delete(stop);
    },
  };
  const status = await run(args, io, options);
  // Otherwise it would be the only one to hear of a Ctrl-C from then on.
  if (heard.size > 0) throw new Error(`the command still listens for signals after ${args.join(' ')}`);
  return { status, ...written };
}

/** Runs a line of shell with the built command as `bspkit`. */
export function shell(line: string, env: Record<string, string> = {}): Promise<Run> {
  if (!existsSync(MAIN)) throw new Error('the command is not built: npm run build');
  const script = `bspkit() { '${process.execPath}' '${MAIN}' "$@"; }; ${line}`;
  return new Promise((resolve) => {
    const options = { maxBuffer: 1 << 28, env: { ...process.env, ...env } };
    const child = execFile('bash', ['-c', script], options, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

/** Times differ from run to run. */
export function withoutTimes(text: string): string {
  return text.replace(/\d+(\.\d+)? (µs|ms|s)\b/g, '# ms');
}
