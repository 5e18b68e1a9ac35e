/**
 * Runs a command and sets the exit code: its own, 2 for wrong options or names, with the help where options could not be read, and
 * 3 for whatever else goes wrong. After Ctrl-C, what it leaves on the way out is still tidied up.
 */
export function runCommand<C extends { readonly help: boolean }>(
  parse: (args: readonly string[]) => C,
  help: string,
  run: (command: C) => Promise<number>,
): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  let command: C;
  try {
    command = parse(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`);
    process.exitCode = 2;
    return;
  }
  if (command.help) {
    process.stdout.write(help);
    return;
  }
  run(command).then(
    (code) => {
      process.exitCode = code;
    },
    (error: Error) => {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = error instanceof RangeError ? 2 : 3;
    },
  );
}
