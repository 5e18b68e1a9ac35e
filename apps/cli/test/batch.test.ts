import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { firstDifference, formatRow, parseTable, type Row, sameCell, type Table } from '@bspkit/conformance';
import { arenaQuake3 } from '@bspkit/fixtures';
import { findRealData, goldenFiles, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { describe, expect, it } from 'vitest';
import { bspkit, temporaryFolder } from './bspkit.ts';
import { rooms } from './rooms.ts';

const folder = temporaryFolder();

const QUESTION = [
  ...['model', 'ox', 'oy', 'oz', 'pitch', 'yaw', 'roll', 'sx', 'sy', 'sz', 'ex', 'ey', 'ez'],
  ...['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz', 'capsule', 'mask'],
];
const ANSWER = [
  ...['fraction', 'endx', 'endy', 'endz', 'nx', 'ny', 'nz', 'dist'],
  ...['startsolid', 'allsolid', 'contents', 'surfaceFlags'],
];
const HEADER = { game: 'quake3', map: 'arena', kind: 'trace', n: 3 };
const POSE = [0, 0, 0, 0, 0, 0, 0];
const NO_SIZE = [0, 0, 0, 0, 0, 0, 0];
const questions: number[][] = [
  [...POSE, 0, -256, 32, 0, 512, 32, ...NO_SIZE, 1],
  [...POSE, -0, -256, 32, 512, -256, 32, -15, -15, -24, 15, 15, 32, 0, 1],
  [...POSE, 0, -256, 32, 0, -256, 32, ...NO_SIZE, 1],
];

/** Compiled once: `demo:arena` is compiled by every run. */
const arena = join(temporaryFolder(), 'arena.bsp');
writeFileSync(arena, arenaQuake3());

let files = 0;

/** Writes a file of questions and gives its path. */
function write(header: object, rows: unknown[], ending = '.ndjson'): string {
  const path = join(folder, `questions${files++}${ending}`);
  const text = [header, ...rows].map((line) => formatRow(line as Row)).join('\n');
  writeFileSync(path, ending.endsWith('.gz') ? gzipSync(`${text}\n`) : `${text}\n`);
  return path;
}

/** Answers a file of questions and reads what came out. */
function answer(queries: string, ...args: string[]): Table {
  const out = join(folder, 'answers.ndjson');
  const { status, stdout, stderr } = bspkit('batch', ...args, '--queries', queries, '--out', out);
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  return parseTable(readFileSync(out, 'utf8'));
}

const columns = [...QUESTION, ...ANSWER];
const unknown = ANSWER.map(() => null);
const full = { ...HEADER, columns };

describe('answers', () => {
  const expected = answer(
    write(
      full,
      questions.map((row) => [...row, ...unknown]),
    ),
    arena,
  ).rows as Row[];

  it('are those of the library', () => {
    const ray = createQuake3World(readQuake3(arenaQuake3())).ray();
    const trace = ray.trace([0, -256, 32], [0, 512, 32]);
    const place = columns.indexOf('fraction');
    expect(sameCell(expected[0]![place]!, trace.fraction)).toBe(true);
    expect(expected[0]!.slice(place + 1, place + 7)).toEqual([0, 511.875, 32, 0, -1, 0]);
    expect(expected[1]!.slice(0, QUESTION.length)).toEqual(questions[1]);
    expect(expected[2]![place]).toBe(1);
  });

  it.each([
    ['stale', full, questions.map((row) => [...row, ...ANSWER.map((_, k) => k)])],
    ['absent from the rows', full, questions],
    ['absent from header and rows', { ...HEADER, columns: QUESTION }, questions],
  ])('are computed where they were %s', (_, header, rows) => {
    const table = answer(write(header, rows), arena);
    expect(table.header).toEqual(full);
    expect(table.rows).toEqual(expected);
  });

  it('stand where the columns are, and other columns stay', () => {
    const mixed = ['note', ...ANSWER, ...QUESTION, 'cat'];
    const rows = questions.map((row, k) => [`row ${k}`, ...unknown, ...row, k]);
    const table = answer(write({ ...HEADER, columns: mixed }, rows), arena);
    expect(table.header.columns).toEqual(mixed);
    expect(table.rows).toEqual(
      expected.map((row, k) => [
        `row ${k}`,
        ...row.slice(QUESTION.length),
        ...row.slice(0, QUESTION.length),
        k,
      ]),
    );
  });

  it('may be some columns only', () => {
    const some = [...QUESTION, 'endx', 'endy', 'endz'];
    const table = answer(write({ ...HEADER, columns: some }, questions), arena);
    expect(table.header.columns).toEqual(some);
    expect((table.rows[0] as Row).slice(-3)).toEqual([0, 511.875, 32]);
  });

  it('come gzipped, from gzipped questions, or on stdout', () => {
    const queries = write(full, questions, '.ndjson.gz');
    const out = join(folder, 'answers.ndjson.gz');
    expect(bspkit('batch', arena, '--queries', queries, '--out', out).status).toBe(0);
    expect(parseTable(gunzipSync(readFileSync(out)).toString()).rows).toEqual(expected);
    const { stdout } = bspkit('batch', arena, '--queries', queries, '--out', '-');
    expect(parseTable(stdout).rows).toEqual(expected);
  });

  it('keep the sign of zero', () => {
    const queries = write(full, [questions[1]]);
    const { stdout } = bspkit('batch', arena, '--queries', queries, '--out', '-');
    expect(stdout.split('\n')[1]).toMatch(/^\[0,0,0,0,0,0,0,-0,-256,/);
  });
});

describe('maps in a folder', () => {
  const bytes = arenaQuake3();
  const queries = write(full, questions);

  it.each(['quake3/arena.bsp', 'quake3/arena.bsp.gz', 'arena.bsp', 'arena.bsp.gz'])(
    'are found as %s',
    (name) => {
      const maps = join(folder, `maps-${files++}`);
      mkdirSync(join(maps, 'quake3'), { recursive: true });
      writeFileSync(join(maps, name), name.endsWith('.gz') ? gzipSync(bytes) : bytes);
      expect(answer(queries, '--maps', maps).rows).toHaveLength(3);
    },
  );

  it('are found by the sum of the original in INDEX.json', () => {
    const maps = join(folder, 'indexed');
    mkdirSync(maps);
    writeFileSync(join(maps, 'other.bsp'), bytes);
    const index = { 'quake3/another.bsp': { file: 'other.bsp', sha256: 'a', originalSha256: 'b' } };
    writeFileSync(join(maps, 'INDEX.json'), JSON.stringify(index));
    expect(answer(write({ ...full, sha256: 'b' }, questions), '--maps', maps).rows).toHaveLength(3);
  });

  it('make an assembly of tiles', () => {
    const maps = join(folder, 'tiles');
    mkdirSync(join(maps, 'maps/test'), { recursive: true });
    writeFileSync(join(maps, 'maps/test/rooms.bsp'), rooms('ufoai'));
    const tile = { map: 'maps/test/rooms.bsp', x: 0, y: 0, z: 0 };
    const header = {
      game: 'ufoai',
      map: 'assembly',
      kind: 'line',
      tiles: [tile, { ...tile, x: 20 }],
      columns: ['levelmask', 'sx', 'sy', 'sz', 'ex', 'ey', 'ez', 'blocked'],
    };
    // Through the doorways of both tiles, and into the middle wall of the second.
    const rows = [
      [255, 32, 128, 64, 800, 128, 64],
      [255, 700, 192, 64, 860, 192, 64],
    ];
    const { rows: answers } = answer(write(header, rows), '--maps', maps);
    expect(answers.map((row) => (row as Row).at(-1))).toEqual([1, 1]);
    const refused = bspkit('batch', 'demo:house', '--queries', write(header, rows), '--out', '-');
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('an assembly of 2 maps') });
  });

  it('that are not there are told', () => {
    const { status, stderr } = bspkit('batch', '--maps', folder, '--queries', queries, '--out', '-');
    expect(status).toBe(3);
    expect(stderr).toMatch(/has no map arena; looked for .*quake3\/arena\.bsp/);
  });
});

function emptyFile(): string {
  const path = join(folder, 'empty.ndjson');
  writeFileSync(path, '');
  return path;
}

describe('what cannot be answered', () => {
  const good = write(full, questions);

  it.each([
    ['no such file', join(folder, 'none.ndjson'), /none\.ndjson: no such file/],
    ['a folder', folder, /is a directory/],
    ['no header', write({}, []), /line 1 is not a header/],
    ['an empty file', emptyFile(), /is empty/],
    ['another game', write({ ...full, game: 'chess' }, []), /no such game: 'chess'/],
    ['another kind', write({ ...full, kind: 'smell' }, []), /'smell'/],
    ['columns that are no list', write({ ...full, columns: 'x' }, []), /columns is not a list/],
    [
      'a cell too few',
      write(full, [questions[0], questions[1]!.slice(1)]),
      /line 3: has 20 cells, but there are 33/,
    ],
    ['a word in place of a number', write(full, [['zero', ...questions[0]!.slice(1)]]), /line 2: /],
    [
      'a cell that is null',
      write(full, [questions[0]!.map((x, k) => (k === 8 ? null : x))]),
      /line 2: cell 9 is not a number/,
    ],
    ['a model that is not there', write(full, [[99, ...questions[0]!.slice(1)]]), /line 2: .*99/],
    [
      'a gzip that is cut',
      (() => {
        const path = join(folder, 'cut.ndjson.gz');
        writeFileSync(path, gzipSync(readFileSync(good)).subarray(0, 60));
        return path;
      })(),
      /cut\.ndjson\.gz: /,
    ],
  ])('%s: exit code 2 with the place, and no file of answers', (_, queries, says) => {
    const out = join(folder, 'never.ndjson');
    const { status, stdout, stderr } = bspkit('batch', arena, '--queries', queries, '--out', out);
    expect(stderr).toMatch(/^bspkit: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(() => readFileSync(out)).toThrow('ENOENT');
    expect(() => readFileSync(`${out}.partial`)).toThrow('ENOENT');
  });

  it('a map that was not named', () => {
    const refused = bspkit('batch', '--queries', good, '--out', '-');
    expect(refused).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('name a map, or a folder'),
    });
  });
});

/** One file of each kind of each game. */
const ONE_OF_EACH = [
  ...['oa_dm1.nocurves', 'oa_dm1.trace', 'oa_dm1.points', 'oa_minia.patches', 'tempbox'],
  ...['dm4.trace', 'dm4.rare', 'dm4.points', 'dm4.vis', 'dm4.sphere', 'dm4.ray', 'box'],
  ...['training_a.lines', 'training_a.boxes', 'training_a.models', 'asm_farm.ents', 'asm_farm.lines'],
].map((name) => `${name}.ndjson.gz`);

describe.skipIf(skippedWithoutMaps !== '')(`rows recorded from the engines${skippedWithoutMaps}`, () => {
  const golden = ['quake3', 'quake1', 'ufoai'].flatMap((game) => goldenFiles(game));
  const chosen = process.env.BSPKIT_ALL_ROWS
    ? golden
    : golden.filter((path) => ONE_OF_EACH.includes(basename(path)));

  it('are found', () => expect(chosen.length).toBeGreaterThanOrEqual(ONE_OF_EACH.length));

  it.each(chosen.map((path) => [basename(path), path]))('%s', (name, path) => {
    const expected = parseTable(gunzipSync(readFileSync(path)).toString());
    const actual = answer(
      write(
        expected.header,
        expected.rows.map((row) => emptied(row, expected)),
      ),
      '--maps',
      maps(),
    );
    expect(actual.header).toEqual(expected.header);
    expect(actual.rows.length).toBe(expected.rows.length);
    const places = resultPlaces(expected);
    const differing = expected.rows.filter((row, k) => {
      if (!Array.isArray(row))
        return JSON.stringify(row, rounded) !== JSON.stringify(actual.rows[k], rounded);
      return firstDifference(row, actual.rows[k] as Row, places) >= 0;
    });
    // One row's angles are rounded otherwise by the recorder's sine, which may change the last bit of a normal.
    const allowed = name.startsWith('mansion_mansion_main.models') ? 1 : 0;
    if (differing.length > allowed) expect(differing[0]).toBe('equal');
  });
});

const maps = (): string => findRealData()!.maps;

const RESULTS =
  /^(fraction|end[xyz]|n[xyz]|dist|startsolid|allsolid|contents|surfaceFlags|leaf|cluster|area|inopen|inwater|leafContents|hull\d|visible|conservative|exact|exactDistance|hit|t|planeIndex|startsSolid|c?(blocked|dmBlocked|dm[xyz])|contentFlags|texinfo|leafnum|mapTile)$/;

/** Places of the columns that the engines answered. */
const resultPlaces = ({ header }: Table): number[] =>
  [...(header.columns ?? []).entries()].flatMap(([place, name]) => (RESULTS.test(name) ? [place] : []));

/** A row without its answers: null in their cells, or an object that only names its surface. */
function emptied(row: Table['rows'][number], table: Table): Table['rows'][number] {
  if (!Array.isArray(row)) return { surface: row.surface };
  const places = resultPlaces(table);
  return row.map((cell, place) => (places.includes(place) ? null : cell));
}

/** Numbers as the float32 that they stand for, signs of zero kept. */
function rounded(_: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  return Object.is(value, -0) ? '-0' : Math.fround(value);
}
