#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { version } from '../package.json';
import { batchCommand } from './commands/batch.ts';
import { benchCommand } from './commands/bench.ts';
import { compareCommand } from './commands/compare.ts';
import { compileCommand } from './commands/compile.ts';
import { demoCommand } from './commands/demo.ts';
import { explainCommand } from './commands/explain.ts';
import { infoCommand } from './commands/info.ts';
import { pointCommand } from './commands/point.ts';
import { sightCommand } from './commands/sight.ts';
import { sphereCommand } from './commands/sphere.ts';
import { traceCommand } from './commands/trace.ts';
import { EXIT, reportError } from './errors.ts';
import { cannotWrite } from './sink.ts';

/** The command with all its subcommands. */
function createProgram(): Command {
  const program = new Command('bspkit')
    .description('Look into Quake-family BSP maps and trace through them.')
    .version(version)
    .addHelpText(
      'after',
      `
A map is a file (.bsp, .bsp.gz), a file in a pk3 (pak0.pk3:maps/q3dm1.bsp), or
one that comes with bspkit: demo:arena, demo:house, demo:torture.

Exit codes: 0 done, 1 the answer is no or differences were found, 2 wrong use,
3 the map cannot be read.

Environment: NO_COLOR leaves colours out, BSPKIT_DEBUG=1 tells where an internal
error arose.`,
    );
  const commands = [
    infoCommand(),
    traceCommand(),
    pointCommand(),
    sphereCommand(),
    sightCommand(),
    explainCommand(),
    compareCommand(),
    benchCommand(),
    batchCommand(),
    compileCommand(),
    demoCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'bspkit: ')),
    });
  }
  return program;
}

// A reader that has seen enough (head, less) closes the pipe: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.ok : reportError(cannotWrite('stdout', error)));
});

try {
  await createProgram().parseAsync();
} catch (error) {
  // Commander has printed its own message or the help.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  else process.exitCode = reportError(error);
}
