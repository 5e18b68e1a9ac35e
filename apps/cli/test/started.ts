import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { MAIN } from './bspkit.ts';

/** A process of the built command, and what it says on stderr. */
export interface Started {
  readonly process: ChildProcess;
  /** Messages on one line each. */
  readonly said: () => string;
  /** Resolves with its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Starts the built command in a process of its own. */
export const start = (...args: string[]): Started => startIn({}, ...args);

/** {@link start} with more variables in its environment. */
export function startIn(env: Record<string, string>, ...args: string[]): Started {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  // What it prints is passed over, unless a test pauses it.
  child.stdout.resume();
  let said = '';
  child.stderr.on('data', (bytes) => {
    said += bytes;
  });
  const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as number | NodeJS.Signals);
  return { process: child, said: () => said, ended };
}
