import { bspkit } from './bspkit.ts';

const seen = new Map<string, string>();

/** The real help of a command, or without a name that of `bspkit` itself. Asked once. */
export function helpOf(...name: string[]): string {
  const key = name.join(' ');
  const text = seen.get(key) ?? bspkit(...name, '--help').stdout;
  seen.set(key, text);
  return text;
}

/** Names of the commands, as `bspkit --help` lists them. */
export function commandNames(): string[] {
  const help = helpOf();
  const list = help.slice(help.indexOf('Commands:'));
  return [...list.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name!).filter((name) => name !== 'help');
}

const block = (text: string): string => `\`\`\`text\n${text}\`\`\`\n`;

/** The first lines of a help: how to call the command, and what it does. */
function introduction(help: string): { usage: string; does: string } {
  const [, usage, does] = /^Usage: (.*)\n\n([^\n]+(?:\n[^\n]+)*)\n\n/.exec(help)!;
  return { usage: usage!, does: does!.replaceAll('\n', ' ') };
}

/** All of the help as one page, in the order of a manual page. */
export function manualPage(): string {
  const { does } = introduction(helpOf());
  const helps = commandNames().map((name) => ({ name, text: helpOf(name) }));
  return [
    '### Name',
    `bspkit: ${does[0]!.toLowerCase()}${does.slice(1)}`,
    '### Synopsis',
    block(helps.map(({ text }) => `${introduction(text).usage}\n`).join('')),
    '### bspkit',
    block(helpOf()),
    ...helps.flatMap(({ name, text }) => [`### bspkit ${name}`, block(text)]),
  ]
    .map((part) => `${part.trimEnd()}\n`)
    .join('\n');
}
