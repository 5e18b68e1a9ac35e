import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { bspkit, temporaryFolder } from './bspkit.ts';

const README = resolve(import.meta.dirname, '../README.md');
const readme = readFileSync(README, 'utf8');

/** Names of the commands, as `bspkit --help` lists them. */
function commandNames(): string[] {
  const help = bspkit('--help').stdout;
  const list = help.slice(help.indexOf('Commands:'));
  return [...list.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name!).filter((name) => name !== 'help');
}

function help(): string {
  const block = (...args: string[]): string => `\`\`\`text\n${bspkit(...args, '--help').stdout}\`\`\`\n`;
  const parts = commandNames().map((name) => `### bspkit ${name}\n\n${block(name)}`);
  return `\n${block()}\n${parts.join('\n')}\n`;
}

/** A console block with what its commands print today. */
function console(block: string): string {
  const commands = block.split('\n').filter((line) => line.startsWith('$ bspkit '));
  const runs = commands.map(
    (line) => `${line}\n${bspkit(...line.slice('$ bspkit '.length).split(' ')).stdout}`,
  );
  return `\`\`\`console\n${runs.join('\n')}\`\`\``;
}

// `vitest run -u` writes the README anew.
it('shows the help and the answers that the command gives', async () => {
  const today = readme
    .replace(/```console\n([\s\S]*?)```/g, (_, block: string) => console(block))
    .replace(/(<!-- help -->\n)[\s\S]*(<!-- \/help -->)/, (_, open, close) => open + help() + close);
  await expect(today).toMatchFileSnapshot(README);
});

it('has an example in the help of each command', () => {
  const names = commandNames();
  expect(names).toContain('explain');
  for (const name of names)
    expect(bspkit(name, '--help').stdout, name).toMatch(new RegExp(`Examples?:\n {2}bspkit ${name}`));
});

it('has examples in the help that work', () => {
  const examples = [...help().matchAll(/^ {2}bspkit (.*)$/gm)].map(([, line]) => line!.split(' '));
  const ours = examples.filter(
    (args) =>
      args.some((arg) => arg.startsWith('demo')) && !args.includes('--out') && !args.includes('--svg'),
  );
  expect(ours.length).toBeGreaterThan(6);
  for (const args of ours) {
    const { status, stderr } = bspkit(...args);
    expect(stderr, args.join(' ')).toBe('');
    expect([0, 1]).toContain(status);
  }
});

it('has questions for batch that work', () => {
  const folder = temporaryFolder();
  const queries = join(folder, 'questions.ndjson');
  writeFileSync(queries, /```json\n(\{"game"[\s\S]*?)```/.exec(readme)![1]!);
  const { status, stdout } = bspkit('batch', 'demo:arena', '--queries', queries, '--out', '-');
  expect(status).toBe(0);
  expect(stdout).toMatch(/\n\[256,256,-64,\d+,0,0,32\]\n\[0,0,100,\d+,0,0,0\]\n$/);
});
