import { FIXTURE_NAMES } from '@bspkit/fixtures';
import type { Command, Option } from 'commander';

// Scripts that complete the command line, generated from the commands themselves, so that they are always up to date.

/** Shells that a script can be written for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof SHELLS)[number];

/** An option as completion sees it. */
interface Flag {
  readonly names: readonly string[];
  readonly description: string;
  /** Whether a value follows. */
  readonly takesValue: boolean;
  /** The possible values, if there is a list of them. */
  readonly choices: readonly string[];
  /** Whether it may be given more than once. */
  readonly repeats: boolean;
}

/** A command as completion sees it. */
interface Verb {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly Flag[];
  /** What can follow it besides files. */
  readonly words: readonly string[];
}

/** An option that takes no value. */
const plain = (names: readonly string[], description: string): Flag => ({
  names,
  description,
  takesValue: false,
  choices: [],
  repeats: false,
});

const HELP = plain(['-h', '--help'], 'display help');

const flagOf = (option: Option): Flag => ({
  names: [option.short, option.long].filter((name) => name !== undefined),
  description: oneLine(option.description),
  takesValue: option.required || option.optional,
  choices: option.argChoices ?? [],
  // Of our parsers, only theirs take what came before.
  repeats: !option.argChoices && (option.parseArg?.length ?? 0) > 1,
});

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** What helps with the commands; it is not one of them. */
const HELP_COMMAND = 'display help for a command';
/** What can be asked without a command. */
const ALONE: readonly Flag[] = [HELP, plain(['-V', '--version'], 'show the version')];

/** The commands of a program. */
const verbsOf = (program: Command): Verb[] =>
  program.commands.map((command) => ({
    name: command.name(),
    description: oneLine(command.description()),
    flags: [...command.options.map(flagOf), HELP],
    words: command.registeredArguments.flatMap((argument) => argument.argChoices ?? mapsFor(argument.name())),
  }));

/** Maps that need no file. */
const mapsFor = (argument: string): string[] =>
  argument === 'map' || argument === 'source' ? FIXTURE_NAMES.map((name) => `demo:${name}`) : [];

/** The script for a shell. */
export function completionScript(shell: Shell, program: Command): string {
  return SCRIPTS[shell](verbsOf(program));
}

/** Text within single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bashScript(verbs: readonly Verb[]): string {
  const values = verbs.flatMap(({ name, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(
        ({ names, choices }) =>
          `    ${names.map((flag) => `${name}:${flag}`).join('|')}) ${choices.length > 0 ? `files=''; ` : ''}words=${quoted(choices.join(' '))};;`,
      ),
  );
  const all = verbs.map(({ name, flags, words }) => {
    const flagNames = flags.flatMap(({ names }) => names.filter((flag) => flag.startsWith('--')));
    return `      ${name}) flags=${quoted(flagNames.join(' '))}; words=${quoted(words.join(' '))};;`;
  });
  return `# Completion of bspkit for bash. To have it in every shell:
#   bspkit completion bash > ~/.local/share/bash-completion/completions/bspkit
_bspkit() {
  local line=\${COMP_LINE:0:COMP_POINT} at char open='' begun='' cur='' prefix='' broken='' variable='' lead=''
  local verb='' before='' word words='' flags='' files=yes
  # The words before the one that is completed, and of that what is there, without quotes and escapes.
  for ((at = 0; at < \${#line}; at++)); do
    char=\${line:at:1}
    if [[ $open ]]; then
      if [[ $char == "$open" ]]; then
        # What is within closed quotes is part of the word, for bash too.
        open='' prefix=$broken
      elif [[ $open == '"' && $char == \\\\ && \${line:at+1:1} == [\\"\\\\\\$\\\`] ]]; then
        cur+=\${line: ++at:1}
      else
        if [[ $open$char == '"$' ]]; then variable=yes; fi
        cur+=$char
      fi
    elif [[ $char == [[:space:]\\<\\>] ]]; then
      if [[ -z $verb && $before && $cur && $cur != -* ]]; then verb=$cur; fi
      if [[ $begun ]]; then before=$cur; fi
      begun='' cur='' prefix='' broken='' variable=''
      continue
    elif [[ $char == [\\"\\'] ]]; then
      open=$char prefix=$cur
    elif [[ $char == \\\\ ]]; then
      cur+=\${line: ++at:1}
    else
      # There, bash takes a word to begin again: after these characters, or with an at sign.
      if [[ $COMP_WORDBREAKS == *"$char"* ]]; then prefix=$cur\${char#@} broken=$prefix; fi
      cur+=$char
    fi
    begun=yes
  done
  COMPREPLY=()
  if [[ -z $verb ]]; then
    words=${quoted([...verbs.map(({ name }) => name), 'help', '--help', '--version'].join(' '))}
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  if [[ $cur == --*=* ]]; then
    before=\${cur%%=*} lead=\${cur%%=*}= cur=\${cur#*=}
  fi
  case "$verb:$before" in
${values.join('\n')}
    *) if [[ $lead ]]; then return; fi
    case "$verb" in
      help) words=${quoted(verbs.map(({ name }) => name).join(' '))};;
${all.join('\n')}
    esac;;
  esac
  if [[ $cur == -* ]]; then words=$flags; fi
  COMPREPLY=($(compgen -P "$lead" -W "$words" -- "$cur"))
  # Choices are all that there is to choose from.
  if [[ $cur != -* && $verb != help && $files ]]; then
    local text=$cur names=()
    # Of a line with quotes or escapes, compgen takes off what it takes for such, up to twice.
    for ((at = 0; at < 3 && \${#names[@]} == 0; at++)); do
      while IFS= read -r word; do
        if [[ $word == "$cur"* ]]; then names+=("$lead$word"); fi
      done < <(compgen -f -- "$text")
      text=\${text//\\\\/\\\\\\\\} text=\${text//\\"/\\\\\\"}
      if [[ $open != \\" ]]; then text=\${text//\\'/\\\\\\'}; fi
    done
    COMPREPLY+=("\${names[@]}")
    # As names of files are, a variable in quotes would be escaped. Bash 3 has no such command.
    if [[ $open && $variable ]]; then compopt +o filenames 2> /dev/null; fi
  fi
  # Bash replaces only what follows this.
  COMPREPLY=("\${COMPREPLY[@]#"$prefix"}")
}
complete -o filenames -F _bspkit bspkit
`;
}

function zshScript(verbs: readonly Verb[]): string {
  // Within a specification, brackets and colons have a meaning.
  const told = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');
  const specs = ({ flags, words }: Verb): string[] => [
    ...flags.flatMap(({ names, description, takesValue, choices, repeats }) => {
      const value = takesValue ? `:value:${choices.length > 0 ? `(${choices.join(' ')})` : '_files'}` : '';
      return names.map((name) => {
        // With an equals sign, the value may also follow one.
        const end = takesValue && name.startsWith('--') ? '=' : '';
        // Without one of these, it is offered until it is on the line.
        const times = repeats ? '*' : names.length > 1 ? `(${names.join(' ')})` : '';
        return quoted(`${times}${name}${end}[${told(description)}]${value}`);
      });
    }),
    quoted(words.length > 0 ? `*:file:{ compadd -- ${words.join(' ')}; _files }` : '*:file:_files'),
  ];
  return `#compdef bspkit
# Completion of bspkit for zsh. To have it in every shell, put it into a folder of $fpath:
#   bspkit completion zsh > ~/.zfunc/_bspkit
_bspkit() {
  local -a verbs=(
${verbs.map(({ name, description }) => `    ${quoted(`${name}:${told(description)}`)}`).join('\n')}
    'help:${told(HELP_COMMAND)}'
  )
  local -a alone=(
${ALONE.flatMap(({ names, description }) => names.map((name) => `    ${quoted(`${name}:${told(description)}`)}`)).join('\n')}
  )
  if (( CURRENT == 2 )); then
    if [[ $PREFIX == -* ]]; then _describe -o option alone; else _describe command verbs; fi
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
${verbs.map((verb) => `    ${verb.name}) _arguments -S \\\n      ${specs(verb).join(' \\\n      ')};;`).join('\n')}
    help) _describe command verbs;;
  esac
}
if [[ $funcstack[1] == _bspkit ]]; then _bspkit "$@"; else compdef _bspkit bspkit; fi
`;
}

function fishScript(verbs: readonly Verb[]): string {
  const told = ({ names, description, takesValue, choices }: Flag): string => {
    const flag = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
    const value = takesValue ? (choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : ' -r') : '';
    return `${flag.join(' ')}${value} -d ${quoted(description)}`;
  };
  const first = 'complete -c bspkit -f -n __fish_use_subcommand';
  const ofHelp = quoted('__fish_seen_subcommand_from help');
  const all = verbs.map(({ name }) => name).join(' ');
  const lines = verbs.flatMap(({ name, description, flags, words }) => {
    // Not after help, which is followed by the name of a command too.
    const here = `complete -c bspkit -n ${quoted(`__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from help`)}`;
    return [
      `${first} -a ${name} -d ${quoted(description)}`,
      ...words.map((word) => `${here} -a ${quoted(word)}`),
      ...flags.map((flag) => `${here} ${told(flag)}`),
    ];
  });
  return `# Completion of bspkit for fish. To have it in every shell:
#   bspkit completion fish > ~/.config/fish/completions/bspkit.fish
${lines.join('\n')}
${first} -a help -d ${quoted(HELP_COMMAND)}
complete -c bspkit -f -n ${ofHelp} -a ${quoted(all)}
${ALONE.map((flag) => `${first} ${told(flag)}`).join('\n')}
`;
}

function powershellScript(verbs: readonly Verb[]): string {
  // Curly quotes are quotes too. Each is written twice to stand for itself.
  const text = (value: string): string => `'${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
  const list = (values: readonly string[]): string => `@(${values.map(text).join(', ')})`;
  const told = verbs.map(({ name, description, flags, words }) => {
    const tips = flags.flatMap((flag) =>
      flag.names.map((flagName) => `        ${text(flagName)} = ${text(flag.description)}`),
    );
    const values = flags
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ names, choices }) => names.map((flag) => `        ${text(flag)} = ${list(choices)}`));
    return `    ${text(name)} = @{
      tip = ${text(description)}
      words = ${list(words)}
      flags = [ordered]@{
${tips.join('\n')}
      }
      choices = @{
${values.join('\n')}
      }
    }`;
  });
  return `# Completion of bspkit for PowerShell. To have it in every shell, add this line to the file that $PROFILE names:
#   bspkit completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName bspkit -ScriptBlock {
  param($word, $line, $cursor)
  $verbs = [ordered]@{
${told.join('\n')}
  }
  $offer = {
    param($text, $tip)
    if ($text.StartsWith($word, [StringComparison]::OrdinalIgnoreCase)) {
      [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $tip)
    }
  }
  # The words before the one that is completed, and the first of them that is a command of ours.
  $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
  $verb = $before | Select-Object -Skip 1 | Where-Object { $_ -notlike '-*' } | Select-Object -First 1
  if (-not $verb -or $verb -eq 'help') {
    foreach ($name in $verbs.Keys) { & $offer $name $verbs[$name].tip }
    if (-not $verb) {
      & $offer 'help' ${text(HELP_COMMAND)}
${ALONE.map(({ names, description }) => `      & $offer ${text(names.at(-1)!)} ${text(description)}`).join('\n')}
    }
  } elseif ($verbs.Contains($verb)) {
    $known = $verbs[$verb]
    $last = $before[-1]
    $isValue = $known.choices.ContainsKey($last)
    $isFlag = -not $isValue -and $word -like '-*'
    $texts = if ($isValue) { $known.choices[$last] } elseif ($isFlag) { $known.flags.Keys } else { $known.words }
    foreach ($text in $texts) {
      if ($isFlag) { & $offer $text $known.flags[$text] } else { & $offer $text $text }
    }
    # Choices are all that there is to choose from.
    if ($isFlag -or ($isValue -and $texts)) { return }
    [System.Management.Automation.CompletionCompleters]::CompleteFilename($word)
  }
}
`;
}

const SCRIPTS: Readonly<Record<Shell, (verbs: readonly Verb[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};
