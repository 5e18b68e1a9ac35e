import { once } from 'node:events';
import { constants } from 'node:os';
import type { WriteStream } from 'node:tty';
import { currentFolder } from './current-folder.ts';
import { EXIT, reportError, SIGNAL_EXIT } from './errors.ts';
import { type Io, type Output, SIGNALS, type Signal } from './io.ts';
import { run } from './run.ts';
import { cannotWrite } from './sink.ts';

// Everything that touches the process itself.

const { env, platform, stdout, stderr } = process;
const argv = process.argv.slice(2);

const outputOf = (stream: WriteStream): Output => ({
  write: (text) => stream.write(text),
  drained: async () => {
    await once(stream, 'drain');
  },
  isTTY: stream.isTTY,
  get columns() {
    return stream.columns;
  },
  hasColors: () => stream.hasColors?.(env) ?? false,
});

/** Those who are told before the command ends. */
const stops = new Set<(signal: Signal) => void>();

const io: Io = {
  // A getter: opening it would keep the process waiting for a terminal that nobody reads.
  get stdin() {
    return process.stdin;
  },
  stdout: outputOf(stdout),
  stderr: outputOf(stderr),
  env,
  // A getter: what needs no folder works in one that is gone, too.
  get cwd() {
    return currentFolder();
  },
  onSignal(stop) {
    // Later ones too: npm passes on a Ctrl-C that the terminal has already sent.
    for (const signal of SIGNALS) process.on(signal, stop);
    stops.add(stop);
    return () => {
      stops.delete(stop);
      for (const signal of SIGNALS) process.off(signal, stop);
    };
  },
};

/** The exit code, once nothing can be written to stdout any more. */
let cutOff: number | string | undefined;
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (cutOff !== undefined) return;
  // A reader that has seen enough (head, less) closes the pipe: that is not an error, and the answer still counts.
  const ends = process.exitCode ?? EXIT.ok;
  cutOff = error.code === 'EPIPE' ? ends : reportError(cannotWrite('stdout', error), io, argv);
  // Whoever has begun something elsewhere takes it back first, as after Ctrl-C.
  if (stops.size === 0) process.exit(cutOff);
  for (const stop of [...stops]) stop('SIGPIPE');
});
// There is no way left to report this. The exit code still says what happened.
stderr.on('error', () => {});

/** Node's exit code when something is awaited that can never happen. */
const NEVER = 13;
// Node itself would end without a message, or with a warning that shows a line of code.
const tellOfEnd = (): void => {
  stderr.write('bspkit: something that was waited for never came\n');
  giveUp(NEVER);
};
let giveUp!: (code: number) => void;
const givenUp = new Promise<number>((resolve) => {
  giveUp = resolve;
});
process.once('beforeExit', tellOfEnd);
const code = await Promise.race([run(argv, io), givenUp]);
if (cutOff !== undefined) process.exit(cutOff);
process.exitCode = code;
process.off('beforeExit', tellOfEnd);
// Ends as anything does that was ended by a signal, so that a shell script around it stops after Ctrl-C too. Windows has no such
// end, but would take the exit code and drop everything that is still to be printed.
const signal = SIGNALS.find((name) => process.exitCode === SIGNAL_EXIT + constants.signals[name]);
if (signal && platform !== 'win32') process.kill(process.pid, signal);
