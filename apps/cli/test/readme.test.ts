import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROW_KINDS } from '@bspkit/bake/rows';
import type { BspFormat, RowHeader } from '@bspkit/core/format';
import { expectWritten } from '@bspkit/testkit/written';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { bspkit, temporaryFolder } from './bspkit.ts';
import { commandNames, helpOf, manualPage } from './manual.ts';

const GUIDES = resolve(import.meta.dirname, '../../docs/guides');
/** What readers find on npm, all of the help, and all that `batch` answers. */
const [README, COMMANDS, BATCH] = [
  resolve(import.meta.dirname, '../README.md'),
  join(GUIDES, 'command.md'),
  join(GUIDES, 'batch.md'),
];
const [readme, commands, batch] = [README, COMMANDS, BATCH].map((file) => readFileSync(file, 'utf8')) as [
  string,
  string,
  string,
];
const manual = await manualPage();
const folder = temporaryFolder();
const ENGINE_MAPS = resolve(import.meta.dirname, '../../../packages/fixtures/engine/maps');

const formatOf = async (game: string): Promise<BspFormat> =>
  (await FORMATS.find(({ id }) => id === game)!.load()) as never;

/** A console block with what its commands print today. */
async function consoleBlock(block: string): Promise<string> {
  const commands = block.split('\n').filter((line) => line.startsWith('$ bspkit '));
  const runs = await Promise.all(
    commands.map(async (line) => {
      const { stdout } = await bspkit(...line.slice('$ bspkit '.length).split(' '));
      return `${line}\n${stdout}`;
    }),
  );
  return `\`\`\`console\n${runs.join('\n')}\`\`\``;
}

/** The columns that questions of each kind have. */
async function columnsTable(): Promise<string> {
  const lines = [
    '| game   | kind          | columns of the question | may be left out |',
    '| ------ | ------------- | --- | --- |',
  ];
  for (const entry of FORMATS) {
    const format: BspFormat = (await entry.load()) as never;
    const { id } = format;
    for (const [kind, { question, optional = [] }] of Object.entries({ ...format.rows, ...ROW_KINDS[id] })) {
      // Rows of objects.
      if (question.length === 0) continue;
      const other = optional.map((group) => `\`${group.join(' ')}\``).join(', ');
      lines.push(`| ${id.padEnd(6)} | ${`\`${kind}\``.padEnd(13)} | \`${question.join(' ')}\` | ${other} |`);
    }
  }
  return lines.join('\n');
}

const columns = await columnsTable();

/** A text with what is written between two comments today. */
const written = (text: string, name: string, today: string): string =>
  text.replace(
    new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*(<!-- /${name} -->)`),
    (_, open, close) => `${open}\n${today}\n${close}`,
  );

describe('README', () => {
  it('shows the answers that the command prints', async () => {
    let today = readme;
    for (const [whole, block] of readme.matchAll(/```console\n([\s\S]*?)```/g)) {
      today = today.replace(whole, await consoleBlock(block!).then((text) => text.replaceAll('$', '$$$$')));
    }
    await expectWritten(today, README);
  });

  it('is followed by all of the help, and all columns of questions', async () => {
    await expectWritten(written(commands, 'help', manual), COMMANDS);
    await expectWritten(written(batch, 'columns', columns), BATCH);
  });

  it('is followed by all commands on one page, and no others', async () => {
    const sections = [...commands.matchAll(/^## bspkit (\w+)$/gm)];
    expect(sections.map(([, name]) => name)).toEqual([
      ...['demo', 'info', 'entities', 'check', 'trace', 'explain', 'point', 'sphere', 'sight'],
      ...['batch', 'bake', 'worker', 'compare', 'bench', 'compile', 'routing', 'completion'],
    ]);
    expect(await commandNames()).toEqual(sections.map(([, name]) => name));
  });

  it('leads to all commands by what they are for, each with an example that its help has', async () => {
    const links = [...readme.matchAll(/^\| .* \| \[`bspkit (\w+)(.*)`\]\[\1\] \|$/gm)];
    expect(links.map(([, name]) => name).sort()).toEqual((await commandNames()).sort());
    for (const [, name, rest] of links) {
      expect(await helpOf(name!)).toContain(`\n  bspkit ${name}${rest}\n`);
      expect(readme).toMatch(new RegExp(`^\\[${name}\\]: \\S+/command\\.md#bspkit-${name}$`, 'm'));
    }
  });

  it('lists all kinds of questions', async () => {
    for (const entry of FORMATS) {
      const kinds = { ...(await entry.load()).rows, ...ROW_KINDS[entry.id] };
      const listed = batch
        .slice(0, batch.indexOf('<!-- columns -->'))
        .split('\n')
        .filter((line) => line.startsWith(`| ${entry.id} `));
      const names = listed.flatMap((line) =>
        [...line.split('|')[2]!.matchAll(/`(\w+)`/g)].map(([, name]) => name),
      );
      const lacking = `rows of ${entry.id}, in the table of kinds of apps/docs/guides/batch.md`;
      expect(names.sort(), lacking).toEqual(Object.keys(kinds).sort());
    }
  });

  it('says by which bytes each game is recognised', () => {
    const said = /^The game is recognised by the first bytes: ([\s\S]*?)\n\n/m.exec(readme)![1]!;
    for (const { id, versions } of FORMATS) {
      const numbers = versions.map((version) => version.split(' ').at(-1)!);
      const lacking = `${id}, in "The game is recognised by the first bytes" of apps/cli/README.md`;
      expect(said.split(/[\s,.()]+/), lacking).toEqual(expect.arrayContaining(numbers));
    }
  });

  it('lists all tracers that can be compared', async () => {
    for (const { tracers } of await Promise.all(FORMATS.map((entry) => entry.load()))) {
      for (const { name } of tracers.presets) expect(readme).toMatch(new RegExp(`^\\|[^|]*\`${name}\``, 'm'));
    }
  });

  const files = [...`${readme}${batch}`.matchAll(/```json\n(\{"game"[\s\S]*?)```/g)].map(([, text]) => text!);

  it.each(files.map((text) => [JSON.parse(text.split('\n', 1)[0]!), text] as const))(
    'has questions for batch that work: $game $kind',
    async (header: RowHeader, text) => {
      const queries = join(folder, `questions-${files.indexOf(text)}.ndjson`);
      writeFileSync(queries, text);
      const maps = header.tiles ? ['--maps', ENGINE_MAPS] : [`demo:arena@${header.game}`];
      const { stderr, stdout } = await bspkit('batch', ...maps, '--queries', queries, '--out', '-');
      expect(stderr).toBe('');
      const columns = header.columns!;
      const [, ...answered] = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const [, ...asked] = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(answered).toHaveLength(asked.length);
      const { results } = { ...(await formatOf(header.game)).rows, ...ROW_KINDS[header.game] }[header.kind]!;
      for (const [k, row] of asked.entries()) {
        // Cells that are null where an answer belongs leave it out.
        const isShown = (_: unknown, place: number): boolean =>
          !results.includes(columns[place]!) || row[place] !== null;
        if (Array.isArray(row)) expect(answered[k].filter(isShown)).toEqual(row.filter(isShown));
        else expect(answered[k]).toEqual(row);
      }
    },
  );

  it('has the same questions in the help of batch', async () => {
    const queries = join(folder, 'questions-of-the-help.ndjson');
    const lines = [...(await helpOf('batch')).matchAll(/^ {2}([[{].*\n)/gm)];
    writeFileSync(queries, lines.map(([, line]) => line).join(''));
    const { status, stdout } = await bspkit('batch', 'demo:arena', '--queries', queries, '--out', '-');
    expect(status).toBe(0);
    expect(stdout).toMatch(/\n\[256,256,-64,\d+,0,0,32\]\n\[0,0,100,\d+,0,0,0\]\n$/);
  });
});

describe('the help', () => {
  it('fits 80 columns', () => {
    for (const line of manual.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it('has an example for each command', async () => {
    for (const name of await commandNames())
      expect(await helpOf(name), name).toMatch(new RegExp(`Examples?:\n {2}bspkit ${name}`));
  });

  const examples = [...manual.matchAll(/^ {2}bspkit (.*)$/gm)]
    .map(([, line]) => line!.split(' '))
    .filter((args) => args.some((arg) => arg.startsWith('demo:')) && !args.includes('--out'));

  it.each(examples.map((args) => [args.join(' '), args]))(
    'has an example that works: %s',
    async (_, args) => {
      const measures = ['compare', 'bench'].includes(args[0]!);
      const few = measures ? ['--count', '100', '--rounds', '1'] : [];
      const { status, stdout, stderr } = await bspkit(
        ...args.map((arg) => (arg.endsWith('.svg') ? join(folder, arg) : arg)),
        ...few,
      );
      expect(stderr).toBe('');
      expect([0, 1]).toContain(status);
      if (args.includes('--json')) return;
      for (const line of stdout.split('\n')) expect([...line].length, line).toBeLessThanOrEqual(80);
    },
  );
});
