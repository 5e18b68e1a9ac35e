import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORK_KINDS, type Work } from '@bspkit/compare';
import { boxBrush, COMPILE_TARGETS, type CompileFormat, compileMap } from '@bspkit/compile';
import type { BspFormat } from '@bspkit/core/format';
import { formatOf } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { benchMarkdown } from '../src/bench-report.ts';
import { explainedText } from '../src/comparing.ts';
import { bspkit, temporaryFolder } from './bspkit.ts';
import { rooms } from './rooms.ts';

const folder = temporaryFolder();
/** The shapes that are measured by default. */
const SHAPES: Readonly<Record<string, readonly string[]>> = {
  quake1: ['hull0', 'precise', 'hull1', 'hull2'],
  quake2: ['ray', 'box'],
  quake3: ['ray', 'box', 'capsule', 'sphere'],
  ufoai: ['line', 'box'],
};
function writeRooms(format: CompileFormat): string {
  const path = join(folder, `${format}.bsp`);
  writeFileSync(path, rooms(format));
  return path;
}
const quake3 = writeRooms('quake3');
const FEW = ['--count', '100', '--rounds', '2'];

interface Report {
  readonly tracers: {
    readonly name: string;
    readonly hits: number;
    readonly time: Readonly<Record<'median' | 'min' | 'max' | 'rounds', number>>;
    readonly work?: Readonly<Record<'queries' | 'nodes' | 'leafs' | 'brushes' | 'sides', number>>;
  }[];
}

async function report(...args: string[]): Promise<Report> {
  const { status, stdout, stderr } = await bspkit('bench', ...args, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Report;
}

describe('bench', () => {
  it('does not mention work where there were no steps to count', async () => {
    const path = join(folder, 'apart.bsp');
    const brushes = [boxBrush([0, 0, 0], [1, 1, 1]), boxBrush([999, 999, 999], [1000, 1000, 1000])];
    const world = { properties: { classname: 'worldspawn' }, brushes };
    writeFileSync(path, compileMap({ entities: [world] }, { format: 'quake3' }).bytes);
    const far = ['--queries', 'uniform', '--tracers', 'ellipsoid', '--count', '20', '--rounds', '1'];
    const { stdout } = await bspkit('bench', path, ...far);
    expect(stdout).toMatch(/^ellipsoid /m);
    expect(stdout.toLowerCase()).not.toContain('work');
  });

  it.each(COMPILE_TARGETS.map(({ id }) => id))('measures the shapes of %s', async (format) => {
    const map = writeRooms(format);
    const { tracers } = await report(map, ...FEW, '--queries', 'uniform');
    const { presets } = ((await formatOf(format)) as BspFormat).tracers;
    const measured = presets.filter((preset) => preset.measured).map(({ name }) => name);
    const names = SHAPES[format] ?? measured;
    expect(tracers.map(({ name }) => name)).toEqual(names);
    for (const { hits, time, work } of tracers) {
      expect(hits).toBeGreaterThan(0);
      expect(time.rounds).toBe(2);
      expect(time.min).toBeGreaterThan(0);
      expect(time.median).toBeGreaterThanOrEqual(time.min);
      expect(time.max).toBeGreaterThanOrEqual(time.median);
      expect(work!.queries).toBe(100);
      expect(work!.nodes).toBeGreaterThan(1);
    }
  });

  it('reports what was asked and where, and asks what it was told to', async () => {
    const chosen = ['--tracers', 'exact,ray', '--queries', 'player', '--seed', '7'];
    const told = await report(quake3, ...FEW, ...chosen);
    expect(told).toMatchObject({ map: quake3, format: 'quake3', kind: 'player', seed: 7, queries: 100 });
    expect(told).toMatchObject({ rounds: 2, node: process.version, cpu: expect.any(String) });
    expect(told.tracers.map(({ name }) => name)).toEqual(['exact', 'ray']);
    // An exact sphere has no sides to test.
    expect(told.tracers[0]!.work).toMatchObject({ sides: 0, features: expect.any(Number) });
    expect(told.tracers[1]!.work).toMatchObject({ features: 0 });
    expect(told.tracers[0]).not.toHaveProperty('agreement');
  });

  it('prints tables, and also writes a report', async () => {
    const path = join(folder, 'speed.md');
    const queries = ['--count', '250', '--rounds', '2'];
    const { status, stdout, stderr } = await bspkit('bench', 'demo:arena', ...queries, '--markdown', path);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('demo:arena: Quake 3, 250 queries between points in the open, seed 1');
    expect(lines[1]).toMatch(/^tracer +million\/s +ns\/query +min +max +hits.* +speed$/);
    expect(lines[2]).toMatch(/^ray +\d+\.\d\d +[\d.,]+ +[\d.,]+ +[\d.,]+ +\d+ .*▪$/);
    expect(stdout).toMatch(/\nwork per query +nodes +leafs +brushes +sides +facets\nray +\d+\.\d/);
    expect(stdout).toMatch(
      /\nMedian, minimum and maximum of 2 rounds [\s\S]*Node v\d[\s\S]*Work is [\s\S]* 200\s+queries/,
    );
    const markdown = readFileSync(path, 'utf8');
    expect(markdown).toMatch(
      /^# Speed\n\ndemo:arena: Quake 3, 250 queries .*\.\n\n\| tracer \| million\/s \|/,
    );
    expect(markdown).toMatch(/\| sides \| facets \|\n\| :?--:? \| --: \|.*\n\| ray \| /);
  });

  it('has separators between thousands', async () => {
    const measured = { hits: 1234, startSolid: 5678, time: { median: 1499.6, min: 999.5, max: 1e6 } };
    const none = Object.fromEntries(WORK_KINDS.map((kind) => [kind, 0]));
    const tracer = {
      name: 'ray',
      ...measured,
      work: { ...none, queries: 1, nodes: 1234.56, polygons: 4321 },
    };
    const map = { name: 'large', format: { name: 'Quake 3' } };
    const markdown = benchMarkdown({ map, asked: '', rounds: 1, tracers: [tracer] } as never);
    expect(markdown).toContain(
      '| ray | 0.67 | 1,500 | 1,000 | 1,000,000 | 1,234 | 5,678 | 1,234.6 | 4,321.0 |',
    );
  });

  it('says over how many queries work was counted, where tracers differ too', () => {
    const over = (...queries: number[]): string =>
      explainedText(queries.map((count) => ({ work: { queries: count } as Work })));
    expect(over(200, 200)).toBe('200 queries');
    expect(over(200, 0, 58)).toBe('0 to 200 queries (without those of too many steps)');
    expect(explainedText([{}])).toBe('');
  });

  it('uses the singular where there is one', async () => {
    const { stdout } = await bspkit('bench', quake3, '--tracers', 'ray', '--count', '1', '--rounds', '1');
    expect(stdout).toMatch(/of 1 round in turns[\s\S]* over 1 query, untimed\./);
  });

  it.each<[string, string[], number, string]>([
    ['no rounds', [quake3, '--rounds', '0'], 2, "'0' is invalid. It must be a whole number from 1 to 1,000."],
    [
      'no queries',
      [quake3, '--count', '0'],
      2,
      "'0' is invalid. It must be a whole number from 1 to 1,000,000.",
    ],
    [
      'tracers of another game',
      [quake3, '--tracers', 'line'],
      2,
      `--tracers has 'line', but ${quake3} (quake3) has ray, tutorial, flat, box, `,
    ],
    [
      'a report in no folder, before anything else',
      [quake3, '--tracers', 'line', '--markdown', join(folder, 'no/x.md')],
      2,
      'there is no such folder',
    ],
    ['a map that is not there', ['nowhere.bsp'], 3, 'nowhere.bsp: no such file'],
  ])('refuses %s', async (_, args, code, message) => {
    const { status, stdout, stderr } = await bspkit('bench', ...args);
    expect(stderr).toContain(message);
    expect([status, stdout]).toEqual([code, '']);
  });
});
