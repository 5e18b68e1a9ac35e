import { bspkit } from './bspkit.ts';

/** The real help of a command; without a name, that of `bspkit` itself. */
export const helpOf = async (...name: string[]): Promise<string> => (await bspkit(...name, '--help')).stdout;

/** Names of the commands, as `bspkit --help` lists them. */
export async function commandNames(): Promise<string[]> {
  const help = await helpOf();
  const list = [...help.matchAll(/^ {2}([a-z]+)(?: [<[][a-z.]+[>\]])?(?: {2}|$)/gm)];
  return list.map(([, name]) => name!).filter((name) => name !== 'help');
}

const block = (text: string): string => `\`\`\`text\n${text}\`\`\`\n`;

/** The first lines of a help: how to call the command, and what it does. */
function introduction(help: string): { usage: string; does: string } {
  const [, usage, does] = /^Usage: (.*)\n\n([^\n]+(?:\n[^\n]+)*)\n\n/.exec(help)!;
  return { usage: usage!, does: does!.replaceAll('\n', ' ') };
}

/** The whole help as one page, in the order of a manual page. */
export async function manualPage(): Promise<string> {
  const help = await helpOf();
  const { does } = introduction(help);
  const names = await commandNames();
  const helps = await Promise.all(names.map(async (name) => ({ name, text: await helpOf(name) })));
  return [
    '### Name',
    `bspkit: ${does[0]!.toLowerCase()}${does.slice(1)}`,
    '### Synopsis',
    block(helps.map(({ text }) => `${introduction(text).usage}\n`).join('')),
    '### bspkit',
    block(help),
    ...helps.flatMap(({ name, text }) => [`### bspkit ${name}`, block(text)]),
  ]
    .map((part) => `${part.trimEnd()}\n`)
    .join('\n');
}
