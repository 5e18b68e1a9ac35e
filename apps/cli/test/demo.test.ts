import { expect, it } from 'vitest';
import { bspkit } from './bspkit.ts';

it('shows the arena, and ten tracers of three games that agree in it', () => {
  const { status, stdout, stderr } = bspkit('demo');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^\nbspkit {2}the arena: 69 brushes .* in [\d.]+ (m?s|s)\n\n█/);
  const lines = stdout.split('\n');
  expect(lines.every((line) => [...line].length <= 100)).toBe(true);
  // The eye stands in the picture and in its legend.
  expect(lines.filter((line) => /@(?!quake|ufo)/.test(line))).toHaveLength(2);
  expect(stdout).toMatch(/\nQuake 1 +BSP 29 .*\nQuake 3 +IBSP 46 .*\nUFO:AI +IBSP 79 /);

  const table = lines.slice(lines.findIndex((line) => /^ +tracer +hits +agrees/.test(line)) + 1);
  const rows = table.slice(
    0,
    table.findIndex((line) => line.startsWith('agrees:')),
  );
  const cells = rows.map((row) => row.slice(7).split(/ {2,}/));
  expect(cells.map(([name]) => name)).toEqual([
    ...['Quake 3 ray', 'Quake 3 ray, tutorial 1/32', 'Quake 1 hull 0', 'Quake 1 precise ray', 'UFO:AI line'],
    ...['Quake 3 box', 'Quake 1 hull 1', 'UFO:AI box'],
    ...['Quake 3 sphere', 'Quake 3 exact sphere'],
  ]);
  for (const [name, hits, agrees, time, bar] of cells) {
    expect(Number(hits)).toBeGreaterThan(500);
    expect(Number(time)).toBeGreaterThan(0);
    expect(bar).toMatch(/^▪+$/);
    const share = agrees === 'measure' ? 100 : Number.parseFloat(agrees!);
    expect(share).toBeGreaterThan(name === 'Quake 3 exact sphere' ? 80 : 99);
  }
  expect(rows.filter((row) => row.includes('measure'))).toHaveLength(3);
});
