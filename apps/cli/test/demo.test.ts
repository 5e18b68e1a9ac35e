import { FORMATS } from 'bspkit';
import { expect, it } from 'vitest';
import { bspkit, bspkitIn } from './bspkit.ts';

it('shows the arena, and tracers of all games that agree in it', async () => {
  const { status, stdout, stderr } = await bspkit('demo');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^\nbspkit {2}the arena: \d+ brushes, .* for four games in [\d.]+ (m?s|s)\n\n█/);
  const lines = stdout.split('\n');
  for (const line of lines) expect([...line].length, line).toBeLessThanOrEqual(80);
  // The eye appears in the picture and in its legend.
  expect(lines.filter((line) => /@(?!quake|ufo)/.test(line))).toHaveLength(2);
  // So do liquids.
  expect(lines.filter((line) => line.includes('~')).length).toBeGreaterThan(1);
  expect(stdout).toMatch(/\nQuake 3 +IBSP 46 .*\nQuake 1 +BSP 29 .*\nQuake 2 +IBSP 38 .*\nUFO:AI +IBSP 78 /);

  // What rays and sweeps hit: a mark for each of them.
  expect(stdout).toMatch(/^texture +rays +sweeps +nearest +farthest$/m);
  expect(stdout).toMatch(/^\S+ +\d+ +\d+ +[\d.]+ +[\d.]+ {2}•+■+$/m);

  const table = lines.slice(lines.findIndex((line) => /^tracer +hits +same answers/.test(line)) + 1);
  const rows = table.slice(
    0,
    table.findIndex((line) => line.startsWith('same answers:')),
  );
  expect(rows.filter((row) => !row.startsWith('  '))).toEqual(['point', 'body, 32 x 32 x 56', 'ball']);
  const cells = rows.flatMap((row) => (row.startsWith('  ') ? [row.slice(2).split(/ {2,}/)] : []));
  expect(cells.map(([name]) => name)).toEqual([
    ...['Quake 3 ray', 'Quake 3 tutorial', 'Quake 3 flat', 'Quake 1 hull0', 'Quake 1 precise'],
    ...['Quake 2 ray', 'UFO:AI line', 'UFO:AI point', 'UFO:AI engine'],
    ...['Quake 3 box', 'Quake 1 hull1', 'Quake 2 box', 'UFO:AI box'],
    ...['Quake 3 sphere', 'Quake 3 exact'],
  ]);
  for (const [name, hits, same, time, bar] of cells) {
    expect(Number(hits!.replace(',', ''))).toBeGreaterThan(500);
    expect(time).toMatch(/^[1-9][\d,.]*$/);
    expect(bar).toMatch(/^▪+$/);
    const share = same === 'baseline' ? 100 : Number.parseFloat(same!);
    expect(share, name).toBeGreaterThan(name === 'Quake 3 exact' ? 80 : 98);
  }
  expect(rows.filter((row) => row.includes('baseline'))).toHaveLength(3);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    ' tracers: tutorial (ray, epsilon 0.03125), flat (ray, no curves), hull0 (hull 0), precise ',
  );
});

it.each([60, 40])('shows all games that there are, in %i columns', async (columns) => {
  const narrow = { formats: FORMATS.slice(0, 1), terminal: true, columns, env: { NO_COLOR: '1' } };
  const { status, stdout } = await bspkitIn(narrow, 'demo');
  expect(status).toBe(0);
  expect(stdout.replace(/\s+/g, ' ')).toContain('for one game in');
  // Command lines are not broken.
  const lines = stdout.split('\n').filter((line) => !line.includes(' bspkit '));
  for (const line of lines) expect([...line].length, line).toBeLessThanOrEqual(columns);
  // No row is without a name.
  for (const [line] of stdout.matchAll(/^.*[•■▪]$/gm)) expect(line).not.toMatch(/^ *[\d•■▪]+ /);
  expect(stdout).toMatch(columns < 60 ? /^ {2}Quake \d \w+ +[\d,.]+ {2}▪+$/m : /baseline +[\d,.]+ {2}▪+$/m);
});

it('ends with command lines that work', async () => {
  const { stdout } = await bspkit('demo');
  const next = [...stdout.matchAll(/ npx bspkit (.+)$/gm)].map(([, line]) => line!.split(' '));
  expect(next.map(([command]) => command)).toEqual(['compare', 'bench', 'trace', '--help']);
  for (const args of next) {
    const { status, stdout: text } = await bspkit(...args);
    // The same rays in maps of different games: not all of their answers are the same, and the text says so.
    const isSaid = args[0] === 'compare' && /^exit code 1: /m.test(text);
    expect(status, args.join(' ')).toBe(isSaid ? 1 : 0);
  }
});
