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

/** The first line of a help: how to call the command. */
const usageOf = (help: string): string => /^Usage: (.*)\n/.exec(help)![1]!;

/** The whole help as one page. */
export async function manualPage(): Promise<string> {
  const help = await helpOf();
  const names = await commandNames();
  const helps = await Promise.all(names.map(async (name) => ({ name, text: await helpOf(name) })));
  return [
    '## Synopsis',
    block(helps.map(({ text }) => `${usageOf(text)}\n`).join('')),
    '## bspkit',
    block(help),
    ...helps.flatMap(({ name, text }) => [`## bspkit ${name}`, block(text)]),
  ]
    .map((part) => `${part.trimEnd()}\n`)
    .join('\n');
}
