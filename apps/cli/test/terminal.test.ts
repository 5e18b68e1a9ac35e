import { existsSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { arenaQuake3 } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import { bspkit, bspkitIn, temporaryFolder, WINDOWS } from './bspkit.ts';
import { commandNames } from './manual.ts';

const folder = temporaryFolder();
const ESCAPE = '\x1b';
const arena = join(folder, 'arena.bsp');
writeFileSync(arena, arenaQuake3());

const questions = join(folder, 'questions.ndjson');
const columns = ['x', 'y', 'z', 'contents'];
// The number of rows that the header claims does not matter.
const header = JSON.stringify({ game: 'quake3', map: 'arena', kind: 'points', n: 3, columns });
const rows = Array.from({ length: 30_000 }, (_, k) => `[${k % 500},${k % 300},32,null]`);
writeFileSync(questions, `${header}\n${rows.join('\n')}\n`);
const few = join(folder, 'few.ndjson');
writeFileSync(few, `${header}\n${rows.slice(0, 500).join('\n')}\n`);

const batch = (queries: string): string[] => ['batch', arena, '--queries', queries, '--out', devNull];
const bench = ['bench', arena, '--count', '20', '--rounds', '2'];

describe('a terminal', () => {
  it('gets colours', async () => {
    const { stdout } = await bspkitIn({ terminal: true }, 'info', arena);
    expect(stdout).toMatch(new RegExp(`^${ESCAPE}\\[1m`));
    expect(
      (await bspkitIn({ terminal: true }, 'sight', arena, '--from', '0,0,32', '--to', '0,9,32')).stdout,
    ).toContain(`${ESCAPE}[32myes`);
  });

  it('gets no bytes, which it would obey', async () => {
    const [source, bake] = [join(folder, 'room.map'), join(folder, 'room.bake')];
    const asBake = ['bake', arena, '--kind', 'sight'] as const;
    for (const [asked, ...args] of [
      ['--out -', 'compile', source, '--format', 'quake3', '--out', '-'],
      ...(WINDOWS ? [] : [['--out /dev/stdout', ...asBake, '--out', '/dev/stdout'] as const]),
      ['--png -', ...asBake, '--out', bake, '--png', '-'],
    ] as const) {
      writeFileSync(source, '{ "classname" "worldspawn" }');
      const problem = `${asked} is not text: send it into a file or another program, not to a terminal`;
      expect(await bspkitIn({ terminal: true, columns: 200 }, ...args)).toEqual({
        status: 2,
        stdout: '',
        stderr: `bspkit: ${problem}\n`,
      });
      // Nothing else is refused: not before the error of the source.
      if (args[0] === 'compile') expect((await bspkit(...args)).stderr).not.toContain('terminal');
    }
    expect(existsSync(bake)).toBe(false);
  });

  it('gets none with NO_COLOR', async () => {
    const quiet = { terminal: true, env: { NO_COLOR: '1' } };
    expect((await bspkitIn(quiet, 'info', arena)).stdout).not.toContain(ESCAPE);
  });

  it.each([
    ['1', true],
    ['', true],
    ['0', false],
    ['false', false],
  ])('is not needed for colours with FORCE_COLOR=%o: %s', async (FORCE_COLOR, isColored) => {
    const { stdout } = await bspkitIn({ env: { FORCE_COLOR } }, 'info', arena);
    expect(stdout.includes(ESCAPE)).toBe(isColored);
    expect((await bspkitIn({ env: { FORCE_COLOR, NO_COLOR: '1' } }, 'info', arena)).stdout).not.toContain(
      ESCAPE,
    );
    expect((await bspkitIn({ env: { FORCE_COLOR } }, 'info', arena, '--json')).stdout).not.toContain(ESCAPE);
  });

  it('shows the progress of a measurement, unless it is a dumb one', async () => {
    const quiet = { terminal: true, env: { NO_COLOR: '1' } };
    expect((await bspkitIn(quiet, ...bench)).stderr).toMatch(/█*░* \d+ % {2}timing/);
    expect((await bspkitIn({ terminal: true, env: { TERM: 'dumb' } }, ...bench)).stderr).toBe('');
  });

  it('shows the progress of a check', async () => {
    const { stdout, stderr } = await bspkitIn({ terminal: true, env: { NO_COLOR: '1' } }, 'check', arena);
    expect(stdout).toContain('problems');
    const stages = ['cutting faces', 'checking brushes'];
    for (const stage of stages) {
      const lines = stderr.matchAll(new RegExp(`█*░* (\\d+) % {2}${stage}\n`, 'g'));
      const shares = [...lines].map(([, share]) => Number(share));
      expect(shares.length, stage).toBeGreaterThan(3);
      expect(shares).toEqual([...shares].sort((a, b) => a - b));
      expect(shares.at(-1)).toBeGreaterThan(50);
    }
    const [first, last] = stages.map((stage) => stderr.lastIndexOf(stage)) as [number, number];
    expect(first).toBeLessThan(last);
    // Nothing of it is left.
    expect(stderr.endsWith('\x1b[J')).toBe(true);
  });

  it('shows the progress of a batch, whatever its header claims, and how many answers there were', async () => {
    const { stderr } = await bspkitIn({ terminal: true, env: { NO_COLOR: '1' } }, ...batch(questions));
    expect(stderr).toMatch(/30,000 answers in .* written to \S+\n$/);
    expect(stderr).toContain(` written to ${devNull}\n`);
    const narrow = await bspkitIn({ terminal: true, columns: 32, env: { NO_COLOR: '1' } }, ...batch(few));
    expect(narrow.stderr).toMatch(/500 answers in \S+ ms, written to\n {2}\S+\n$/);
    const printed = ['batch', arena, '--queries', few, '--out', '-'];
    expect((await bspkitIn({ terminal: true }, ...printed)).stderr).toMatch(/ written to stdout\n$/);
    const shares = [...stderr.matchAll(/ (\d+) % {2}rows ([\d,]+) /g)].map(([, share, done]) => [
      Number(share),
      Number(done!.replace(',', '')),
    ]);
    expect(shares.length).toBeGreaterThan(0);
    for (const [share, done] of shares)
      expect(Math.abs(share! / 100 - done! / rows.length)).toBeLessThan(0.2);
  });

  it.each([60, 132])('of %i columns is filled, and no line is longer', async (width) => {
    const wide = { terminal: true, columns: width, env: { NO_COLOR: '1' } };
    const outputs = [
      await bspkitIn(wide, ...bench),
      await bspkitIn(wide, 'compare', arena, '--tracers', 'all', '--count', '10', '--rounds', '1'),
      await bspkitIn(wide, 'explain', arena, '--from', '0,-256,32', '--to', '480,-384,32', '--all'),
      await bspkitIn(wide, 'trace', '--help'),
    ];
    for (const { stdout } of outputs) {
      expect(stdout).not.toBe('');
      // Neither paths nor command lines are broken.
      const lines = stdout.split('\n').filter((line) => !line.includes(folder) && !line.includes(' bspkit '));
      for (const line of lines) expect([...line].length, line).toBeLessThanOrEqual(width);
    }
  });

  it.each([40, 60, 80])('of %i columns has helps, titles and long names of rows wrapped', async (columns) => {
    const size = { terminal: true, columns, env: { NO_COLOR: '1' } };
    const help = (await bspkitIn(size, '--help')).stdout;
    const commands = ['help', ...(await commandNames())];
    expect(commands.length).toBeGreaterThan(15);
    const outputs = [
      help,
      ...(await Promise.all(commands.map(async (name) => (await bspkitIn(size, 'help', name)).stdout))),
      (await bspkitIn(size, 'info', 'demo:house@ufoai', '--all')).stdout,
      (await bspkitIn(size, 'routing', 'demo:house@ufoai')).stdout,
      (await bspkitIn(size, 'trace', arena, '--from', '0,0,32', '--to', '0,9,32', '--box', '-1,-1,-1,1,1,1'))
        .stdout,
    ];
    const broken = /^ +(bspkit |\{)/;
    for (const line of outputs.join('').split('\n')) {
      // Command lines, JSON and names stay whole.
      if (!broken.test(line) && /\S \S/.test(line))
        expect([...line].length, line).toBeLessThanOrEqual(columns);
    }
    expect(outputs.join('')).toMatch(/^ {2}bspkit bake q3dm1\.bsp --kind exposure --out \S+ --png \S+$/m);
  });

  it('of 60 columns has items of lists wrapped below what they say', async () => {
    const { stdout } = await bspkitIn({ terminal: true, columns: 60 }, 'help');
    const item =
      / {2}2 {3}wrong use, .* a queue\n {6}that cannot be reached, .* cannot be\n {6}written\n {2}3 /;
    expect(stdout).toMatch(item);
  });

  it('of 40 columns has descriptions below their options', async () => {
    for (const command of ['trace', 'bake', 'batch']) {
      const { stdout } = await bspkitIn({ terminal: true, columns: 40 }, command, '--help');
      const lines = stdout.slice(stdout.indexOf('Options:')).split(/^\n/m)[0]!.split('\n');
      expect(lines.length).toBeGreaterThan(8);
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(40);
    }
  });
});

describe('elsewhere', () => {
  it('there are no colours and no progress', async () => {
    for (const args of [['info', arena], batch(few), bench]) {
      const { stdout, stderr } = await bspkitIn({}, ...args);
      expect(stdout).not.toContain(ESCAPE);
      expect(stderr).toBe('');
    }
  });
});
