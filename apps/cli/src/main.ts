#!/usr/bin/env node
import { once } from 'node:events';
import type { WriteStream } from 'node:tty';
import { EXIT, reportError } from './errors.ts';
import type { Io, Output } from './io.ts';
import { run } from './run.ts';
import { cannotWrite } from './sink.ts';

// All that touches the process itself.

const { env, stdout, stderr } = process;

const outputOf = (stream: WriteStream): Output => ({
  write: (text) => stream.write(text),
  drained: async () => {
    await once(stream, 'drain');
  },
  isTTY: stream.isTTY,
  columns: stream.columns,
  hasColors: () => stream.hasColors?.(env) ?? false,
});

const io: Io = {
  stdout: outputOf(stdout),
  stderr: outputOf(stderr),
  env,
  cwd: process.cwd(),
  onInterrupt(stop) {
    process.once('SIGINT', stop);
    return () => process.off('SIGINT', stop);
  },
};

// A reader that has seen enough (head, less) closes the pipe: that is no error.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.ok : reportError(cannotWrite('stdout', error), io));
});

process.exitCode = await run(process.argv.slice(2), io);
// Ends as anything ends that Ctrl-C was pressed on, so that a shell script around it stops too.
if (process.exitCode === EXIT.interrupted) process.kill(process.pid, 'SIGINT');
