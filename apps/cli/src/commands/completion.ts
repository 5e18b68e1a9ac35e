import { Argument, Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion.ts';
import type { Session } from '../session.ts';

export function completionCommand(session: Session): Command {
  const command: Command = new Command('completion')
    .description('print a script that completes commands, options and maps in a shell')
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  bspkit completion bash > ~/.local/share/bash-completion/completions/bspkit
  bspkit completion zsh > ~/.zfunc/_bspkit
  bspkit completion fish > ~/.config/fish/completions/bspkit.fish
  bspkit completion powershell | Out-String | Invoke-Expression`,
    )
    .action((shell: Shell) => session.out.print(completionScript(shell, command.parent ?? command)));
  return command;
}
