import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boxBrush, compileMap, roomBrushes } from '@bspkit/compile';
import { arenaQuake3, houseUfoai } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import { bspkit, bspkitIn, temporaryFolder, WINDOWS } from './bspkit.ts';

const folder = temporaryFolder();
/** Compiled once: with `demo:arena`, every run would compile it. */
const [arena, house] = Object.entries({ arena: arenaQuake3(), house: houseUfoai() }).map(([name, bytes]) => {
  const path = join(folder, `${name}.bsp`);
  writeFileSync(path, bytes);
  return path;
}) as [string, string];
const ARENAS = ['demo:arena@quake3', 'demo:arena@quake1', 'demo:arena@quake2', 'demo:arena@ufoai'];
const FEW = ['--count', '40', '--rounds', '0'];
/** Enough for answers to differ. */
const MORE = ['--count', '60', '--seed', '7', '--rounds', '0'];

interface Report {
  readonly maps: string[];
  readonly queries: number;
  readonly tracers: {
    readonly name: string;
    readonly shape: { readonly kind: string };
    readonly hits: number;
    readonly agreement: { readonly share: number; readonly worst: unknown[] };
    readonly time?: { readonly median: number; readonly rounds: number };
    readonly work?: { readonly nodes: number; readonly queries: number };
  }[];
}

async function report(...args: string[]): Promise<Report> {
  const { status, stdout, stderr } = await bspkit('compare', ...args, '--least', '0', '--json');
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout) as Report;
}

const namesOf = ({ tracers }: Report): string[] => tracers.map(({ name }) => name);

describe('compare', () => {
  it('compares the rays of one map in four formats', async () => {
    const { maps, queries, tracers } = await report(
      ...ARENAS,
      '--count',
      '100',
      '--rounds',
      '0',
      '--worst',
      '2',
    );
    expect(maps).toEqual(ARENAS);
    expect(queries).toBe(100);
    expect(tracers.map(({ name }) => name)).toEqual([
      ...['quake3 ray', 'quake3 tutorial', 'quake3 flat', 'quake1 hull0', 'quake1 precise'],
      ...['quake2 ray', 'ufoai line', 'ufoai point', 'ufoai engine'],
    ]);
    expect(tracers[0]!.agreement.share).toBe(1);
    for (const { agreement, hits, work } of tracers) {
      expect(agreement.share).toBeGreaterThan(0.95);
      expect(agreement.worst.length).toBeLessThanOrEqual(2);
      expect(hits).toBeGreaterThan(30);
      expect(work).toMatchObject({ queries: 100 });
    }
  });

  it('compares several algorithms on one map', async () => {
    const { tracers } = await report(arena, '--tracers', 'exact,sphere', '--queries', 'player', ...FEW);
    expect(tracers.map(({ name, shape }) => [name, shape.kind])).toEqual([
      ['exact', 'sphere'],
      ['sphere', 'sphere'],
    ]);
    for (const { work } of tracers) expect(work!.nodes).toBeGreaterThan(1);
  });

  it('compares an ellipsoid, by both methods, with the box of a player, in every format', async () => {
    const names = 'ellipsoid,ellipsoid-tutorial,box,hull1';
    const { tracers } = await report(...ARENAS, '--tracers', names, '--count', '200', '--rounds', '0');
    expect(tracers.map(({ name }) => name)).toEqual([
      ...['quake3 ellipsoid', 'quake3 ellipsoid-tutorial', 'quake3 box'],
      ...['quake1 ellipsoid', 'quake1 ellipsoid-tutorial', 'quake1 hull1'],
      ...['quake2 ellipsoid', 'quake2 ellipsoid-tutorial', 'quake2 box'],
      ...['ufoai ellipsoid', 'ufoai ellipsoid-tutorial', 'ufoai box'],
    ]);
    expect(tracers[0]!.shape.kind).toBe('ellipsoid');
    for (const { hits } of tracers) expect(hits).toBeGreaterThan(20);
  });

  it('takes all tracers of a map at once, in Quake 1 those that there are hulls for', async () => {
    expect(namesOf(await report(arena, '--tracers', 'all', ...FEW))).toHaveLength(9);
    const quake1 = namesOf(await report('demo:arena@quake1', '--tracers', 'all', ...FEW));
    expect(quake1).toEqual([
      ...['hull0', 'precise', 'hull1', 'precise1', 'hull2', 'ellipsoid', 'ellipsoid-tutorial'],
    ]);
    expect(namesOf(await report(...ARENAS, '--tracers', 'box,hull1', ...FEW))).toEqual([
      'quake3 box',
      'quake1 hull1',
      'quake2 box',
      'ufoai box',
    ]);
  });

  it.each(['open', 'uniform', 'planes', 'player'])(
    'makes %s queries, different ones for another seed',
    async (kind) => {
      const ask = (seed: string): Promise<Report> => report(house, '--queries', kind, '--seed', seed, ...FEW);
      const first = await ask('3');
      expect(first).toMatchObject({ kind, seed: 3, queries: 40 });
      expect((await ask('4')).tracers).not.toEqual(first.tracers);
    },
  );

  it('takes groups and names in one list, and each tracer once', async () => {
    const asked = await report(arena, '--tracers', 'box,rays, ray,flat', ...FEW);
    expect(namesOf(asked)).toEqual(['box', 'ray', 'tutorial', 'flat']);
  });

  it('says how close ends must be, however close that is', async () => {
    const { stdout } = await bspkit('compare', arena, ...FEW, '--distance', '1e-5');
    expect(stdout).toMatch(/ends within 0\.00001\s+units/);
  });

  it('returns the same for the same seed', async () => {
    const ask = (): Promise<Report> =>
      report(arena, '--queries', 'player', '--tracers', 'box,capsule', ...FEW);
    expect(await ask()).toEqual(await ask());
  });

  it('times in rounds, unless there are none', async () => {
    const [timed] = (await report(arena, '--count', '100', '--rounds', '2')).tracers;
    expect(timed!.time).toMatchObject({ rounds: 2 });
    expect(timed!.time!.median).toBeGreaterThan(0);
    expect((await report(arena, ...FEW)).tracers[0]).not.toHaveProperty('time');
    const { stdout } = await bspkit('compare', arena, '--count', '100', '--rounds', '2');
    expect(stdout).toMatch(/^speed: times as fast as the first in the same round, the median of 2$/m);
  });

  it('prints a table and the worst differences', async () => {
    const { stdout, stderr } = await bspkit('compare', 'demo:arena', ...MORE);
    expect(stderr).toBe('');
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('60 queries between points in the open, seed 7, in demo:arena');
    expect(lines[1]).toMatch(
      /^tracer +hits +same answers +widest gap +nodes +leafs +brushes +sides +facets$/,
    );
    expect(lines[2]).toMatch(/^ray +\d+ +baseline +\d/);
    expect(lines[4]).toMatch(/^flat +\d+ +\d/);
    // Each part on a line of its own, and points as other commands take them.
    expect(stdout).toMatch(
      /\n {2}flat, query \d+: \w.* units apart;\n {4}from [-\d.,]+ to [-\d.,]+:\n {4}\d\.\d.*, instead of \d/,
    );
    expect(stdout).not.toContain('ns/query');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      ' same answers: of all queries, hits and misses, ends within ',
    );
    expect(stdout).not.toMatch(/^speed/m);
    expect(stdout).toMatch(/^tracers: tutorial \(ray, epsilon 0\.03125\), flat \(ray, no curves\)$/m);
    expect(stdout).toMatch(
      /^nodes, leafs, brushes, sides, facets: steps per query, on average over 60\s+queries$/m,
    );
  });

  it.each([
    [[], "ends within 0.25 units of the first tracer's or fractions within 0.0001"],
    [['--distance', '0'], 'fractions within 0.0001'],
    [['--distance', '0', '--tolerance', '0'], 'the same fractions'],
    [['--tolerance', '0'], "ends within 0.25 units of the first tracer's or the same fractions"],
  ])('says which answers are the same: %j', async (given, near) => {
    const { stdout } = await bspkit('compare', 'demo:arena', ...MORE, ...given);
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain(`same answers: of all queries, hits and misses, ${near}, surfaces that face`);
  });

  it('says of which maps, and what a name stands for in each game', async () => {
    const { stdout } = await bspkit(
      'compare',
      'demo:arena',
      'demo:arena@quake2',
      ...FEW,
      '--tracers',
      'shapes',
    );
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain(', in demo:arena and demo:arena@quake2 tracer ');
    expect(text).toMatch(
      / tracers: quake3 box \(size [-\d ]+\), capsule \(.*, quake2 box \(size [-\d ]+\) same /,
    );
  });

  it('begins each part of a difference on a line of its own, in narrow windows too', async () => {
    const { stdout } = await bspkitIn({ columns: 40 }, 'compare', 'demo:arena', ...MORE);
    expect(stdout).toMatch(/\n {2}flat, query [^;]*;\n {4}from [^:]*:\n {4}\d\.\d/);
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(40);
  });

  it('says so if hardly any move hits anything', async () => {
    const start = { properties: { classname: 'info_player_start', origin: '128 128 40' } };
    const room = {
      properties: { classname: 'worldspawn' },
      brushes: roomBrushes([0, 0, 0], [256, 256, 128], 16),
    };
    const path = join(folder, 'bare.bsp');
    writeFileSync(path, compileMap({ entities: [room, start] }, { format: 'quake3' }).bytes);
    const bare = await bspkit('compare', path, ...MORE);
    expect(bare.stdout).toMatch(
      /^few hits: only \d of 60 queries hit anything, so this says little; --queries\s+uniform/m,
    );
    expect((await bspkit('compare', path, ...MORE, '--queries', 'uniform')).stdout).not.toContain('few hits');
    const apart = [boxBrush([0, 0, 0], [1, 1, 1]), boxBrush([999, 999, 999], [1000, 1000, 1000])];
    writeFileSync(path, compileMap({ entities: [{ ...room, brushes: apart }] }, { format: 'quake3' }).bytes);
    const uniform = await bspkit('compare', path, ...MORE, '--queries', 'uniform');
    // Other queries than those that hit so little.
    expect(uniform.stdout).toMatch(/^few hits: .* says little; --queries\s+planes may hit more$/m);
    // Where there are no polygons near any move, nothing was counted that could be explained.
    const copy = join(folder, 'copy.bsp');
    writeFileSync(copy, readFileSync(path));
    const far = ['--queries', 'uniform', '--tracers', 'ellipsoid'];
    const { stdout } = await bspkit('compare', path, copy, ...MORE, ...far);
    expect(stdout).toMatch(/^copy\.bsp\s+ellipsoid +100 %$/m);
    expect(stdout).not.toContain('steps per query');
    expect((await bspkit('compare', 'demo:arena', ...MORE)).stdout).not.toContain('few hits');
  });

  it('also writes a report in Markdown', async () => {
    const path = join(folder, 'report.md');
    const { stdout } = await bspkit('compare', ...ARENAS, ...MORE, '--markdown', path);
    expect(stdout).toContain('60 queries');
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(
      /^# Comparison\n\n60 queries .*\n\n60 queries, hits and misses\. Answers are the same/,
    );
    expect(text).toContain('| quake3 ray | ');
    expect(text).toContain('**quake1 hull0** differs in ');
  });

  // Windows takes no such names.
  it.skipIf(WINDOWS)('has names in it as they are, not as markup or as commands for a terminal', async () => {
    const map = join(folder, '<img src=x>\x1b[2J|.bsp');
    writeFileSync(map, readFileSync(arena));
    for (const command of ['compare', 'bench']) {
      const path = join(folder, `${command}.md`);
      await bspkit(command, map, '--count', '10', '--rounds', '1', '--markdown', path);
      const text = readFileSync(path, 'utf8');
      expect(text).toContain(String.raw`\<img src=x>\u001b\[2J\|.bsp`);
      expect(text).not.toContain('\x1b');
    }
  });

  it('exits with 1 when one agrees in less than the required share, and says so', async () => {
    const flat = [arena, '--tracers', 'ray,flat', ...MORE];
    const differ = await bspkit('compare', ...flat);
    expect(differ.status).toBe(1);
    expect(differ.stdout).toMatch(/^exit code 1: not all answers are the same \(--least\)\n$/m);
    const few = await bspkit('compare', ...flat, '--least', '0.9999');
    expect(few.stdout).toMatch(/^exit code 1: less than 99\.99 % of the answers is the same \(--least\)$/m);
    const enough = await bspkit('compare', ...flat, '--least', '0.9');
    expect(enough.status).toBe(0);
    expect(enough.stdout).not.toContain('exit code');
    for (const least of ['2', '-0.1']) {
      expect(await bspkit('compare', ...flat, `--least=${least}`)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(`argument '${least}' is invalid. It must be a number from 0 to 1.`),
      });
    }
    expect((await bspkit('compare', 'demo:torture', '--tracers', 'ray,flat', ...MORE)).status).toBe(0);
  });
});

describe('compare refuses', () => {
  const outdoors = join(folder, 'outdoors.bsp');
  writeFileSync(outdoors, compileMap([boxBrush([0, 0, 0], [64, 64, 64])], { format: 'quake3' }).bytes);

  it.each<[string, string[], number, string]>([
    [
      'a tracer that there is not, naming those of the map',
      ['demo:arena@quake2', '--tracers', 'ray,laser'],
      2,
      "--tracers has 'laser', but demo:arena@quake2 (quake2) has ray, box, ellipsoid and ellipsoid-tutorial; " +
        'rays, shapes and all stand for several\n',
    ],
    [
      "a tracer of another game, beside one of the map's own",
      ['demo:arena@quake2', '--tracers', 'ray,box,line'],
      2,
      "--tracers has 'line', but demo:arena@quake2 (quake2) has ray, ",
    ],
    [
      'a hull that the map is not compiled for',
      ['demo:arena@quake1', '--tracers', 'hull0,hull3'],
      2,
      "--tracers has 'hull3', but demo:arena@quake1 (quake1) has hull0, precise, hull1, precise1, hull2, ellipsoid",
    ],
    ['one tracer twice', [arena, '--tracers', 'ray,ray'], 2, '--tracers ray,ray matches only one tracer'],
    [
      'the only ray of a game',
      ['demo:arena@quake2'],
      2,
      '--tracers rays, the default, matches only one tracer, but',
    ],
    ['a single tracer', [arena, '--tracers', 'ray'], 2, '--tracers ray matches only one tracer'],
    [
      'a tracer that none of several maps has',
      [arena, 'demo:arena@quake2', '--tracers', 'tutorial,line'],
      2,
      'ellipsoid and ellipsoid-tutorial; demo:arena@quake2 (quake2) has ray, box, ellipsoid and ellipsoid-tutorial; rays',
    ],
    ['a map twice', [arena, arena], 2, 'each map can be named only once'],
    ['no queries', [arena, '--count', '0'], 2, "'0' is invalid. It must be a whole number from 1 to"],
    ['a negative distance', [arena, '--distance', '-1'], 2, 'distance must be'],
    ['a kind that there is not', [arena, '--queries', 'odd'], 2, 'Allowed choices are open, uniform'],
    ['a map with no place to begin', [outdoors], 2, 'no entity is in the open'],
    [
      'a report in no folder, before queries are made',
      [outdoors, '--markdown', join(folder, 'no/x.md')],
      2,
      'there is no such folder',
    ],
    ['a map that is not there', ['nowhere.bsp'], 3, 'nowhere.bsp: no such file'],
    ['a place that cannot be written to', [arena, ...FEW, '--markdown', '/'], 2, '/: cannot be written'],
  ])('%s', async (_, args, code, message) => {
    const { status, stdout, stderr } = await bspkit('compare', ...args);
    expect(stderr).toContain(message);
    expect([status, stdout]).toEqual([code, '']);
    expect(existsSync('report.md')).toBe(false);
  });

  it('but compares open maps with other queries', async () => {
    expect((await report(outdoors, '--queries', 'uniform', ...FEW)).tracers[0]!.hits).toBeGreaterThan(0);
  });
});
