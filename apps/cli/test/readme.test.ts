import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { bspkit, temporaryFolder } from './bspkit.ts';
import { commandNames, helpOf, manualPage } from './manual.ts';

const README = resolve(import.meta.dirname, '../README.md');
const readme = readFileSync(README, 'utf8');

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
    .replace(
      /(<!-- help -->\n)[\s\S]*(<!-- \/help -->)/,
      (_, open, close) => `${open}\n${manualPage()}\n${close}`,
    );
  await expect(today).toMatchFileSnapshot(README);
});

it('has all commands in one manual page, and no others', () => {
  const sections = [...readme.slice(readme.indexOf('## Manual')).matchAll(/^### bspkit (\w+)$/gm)];
  expect(sections.map(([, name]) => name)).toEqual([
    ...['info', 'trace', 'point', 'sphere', 'sight', 'explain'],
    ...['compare', 'bench', 'batch', 'compile', 'demo'],
  ]);
  expect(commandNames()).toEqual(sections.map(([, name]) => name));
});

it('has an example in the help of each command', () => {
  for (const name of commandNames())
    expect(helpOf(name), name).toMatch(new RegExp(`Examples?:\n {2}bspkit ${name}`));
});

it('has examples in the help that work', () => {
  const examples = [...manualPage().matchAll(/^ {2}bspkit (.*)$/gm)].map(([, line]) => line!.split(' '));
  const ours = examples.filter(
    (args) =>
      args.some((arg) => arg.startsWith('demo')) && !args.includes('--out') && !args.includes('--svg'),
  );
  expect(ours.length).toBeGreaterThan(6);
  for (const args of ours) {
    const measures = ['compare', 'bench'].includes(args[0]!);
    const { status, stderr } = bspkit(...args, ...(measures ? ['--count', '100', '--rounds', '1'] : []));
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
