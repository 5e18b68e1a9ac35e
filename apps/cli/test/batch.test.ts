import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ROW_KINDS } from '@bspkit/bake';
import type { Row, RowObject } from '@bspkit/core/format';
import { arenaQuake3 } from '@bspkit/fixtures';
import { ENGINE_DATA, engineFiles } from '@bspkit/fixtures/engine';
import { findRealData } from '@bspkit/fixtures/real';
import { mapLoader, rowFiles } from '@bspkit/fixtures/recorded';
import {
  formatRow,
  openTable,
  parseHeader,
  parseTable,
  type RowLine,
  sameCell,
  type Table,
} from '@bspkit/rows';
import { FORMATS, openBsp } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { bspkit, bspkitIn, type Run, temporaryFolder, WINDOWS } from './bspkit.ts';
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

/** Compiled once: with `demo:arena`, every run would compile it. */
const arena = join(temporaryFolder(), 'arena.bsp');
writeFileSync(arena, arenaQuake3());

let files = 0;

/** Writes a file of questions and returns its path. */
function write(header: object, rows: unknown[], ending = '.ndjson'): string {
  const path = join(folder, `questions${files++}${ending}`);
  const text = [header, ...rows].map((line) => formatRow(line as Row)).join('\n');
  writeFileSync(path, ending.endsWith('.gz') ? gzipSync(`${text}\n`) : `${text}\n`);
  return path;
}

/** Answers a file of questions and reads the result. */
async function answer(queries: string, ...args: string[]): Promise<Table> {
  const out = join(folder, `answers${files++}.ndjson`);
  const { status, stdout, stderr } = await bspkit('batch', ...args, '--queries', queries, '--out', out);
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  return parseTable(readFileSync(out, 'utf8'));
}

const columns = [...QUESTION, ...ANSWER];
const unknown = ANSWER.map(() => null);
const full = { ...HEADER, columns };

describe('answers', async () => {
  const answers = await answer(
    write(
      full,
      questions.map((row) => [...row, ...unknown]),
    ),
    arena,
  );
  const expected = answers.lines as Row[];

  it('match those of the library', async () => {
    const ray = (await openBsp(arenaQuake3())).ray();
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
  ])('are computed where they were %s', async (_, header, rows) => {
    const table = await answer(write(header, rows), arena);
    expect(table.header).toEqual(full);
    expect(table.lines).toEqual(expected);
  });

  it('are in their columns, and other columns stay', async () => {
    const mixed = ['note', ...ANSWER, ...QUESTION, 'cat'];
    const rows = questions.map((row, k) => [`row ${k}`, ...unknown, ...row, k]);
    const table = await answer(write({ ...HEADER, columns: mixed }, rows), arena);
    expect(table.header.columns).toEqual(mixed);
    expect(table.lines).toEqual(
      expected.map((row, k) => [
        `row ${k}`,
        ...row.slice(QUESTION.length),
        ...row.slice(0, QUESTION.length),
        k,
      ]),
    );
  });

  it('may be limited to some columns', async () => {
    const some = [...QUESTION, 'endx', 'endy', 'endz'];
    const table = await answer(write({ ...HEADER, columns: some }, questions), arena);
    expect(table.header.columns).toEqual(some);
    expect((table.lines[0] as Row).slice(-3)).toEqual([0, 511.875, 32]);
  });

  it('come gzipped, from gzipped questions, or on stdout', async () => {
    const queries = write(full, questions, '.ndjson.gz');
    const out = join(folder, 'answers.ndjson.gz');
    expect((await bspkit('batch', arena, '--queries', queries, '--out', out)).status).toBe(0);
    expect(parseTable(gunzipSync(readFileSync(out)).toString()).lines).toEqual(expected);
    const { stdout } = await bspkit('batch', arena, '--queries', queries, '--out', '-');
    expect(parseTable(stdout).lines).toEqual(expected);
  });

  it('keep the sign of zero', async () => {
    const queries = write(full, [questions[1]]);
    const { stdout } = await bspkit('batch', arena, '--queries', queries, '--out', '-');
    expect(stdout.split('\n')[1]).toMatch(/^\[0,0,0,0,0,0,0,-0,-256,/);
  });
});

describe('maps in a folder', () => {
  const bytes = arenaQuake3();
  const queries = write(full, questions);

  it.each(['quake3/arena.bsp', 'quake3/arena.bsp.gz', 'arena.bsp', 'arena.bsp.gz'])(
    'are found as %s',
    async (name) => {
      const maps = join(folder, `maps-${files++}`);
      mkdirSync(join(maps, 'quake3'), { recursive: true });
      writeFileSync(join(maps, name), name.endsWith('.gz') ? gzipSync(bytes) : bytes);
      expect((await answer(queries, '--maps', maps)).lines).toHaveLength(3);
    },
  );

  it('are found by the checksum of the original in INDEX.json', async () => {
    const maps = join(folder, 'indexed');
    mkdirSync(maps);
    writeFileSync(join(maps, 'other.bsp'), bytes);
    const index = { 'quake3/another.bsp': { file: 'other.bsp', sha256: 'a', originalSha256: 'b' } };
    writeFileSync(join(maps, 'INDEX.json'), JSON.stringify(index));
    expect((await answer(write({ ...full, sha256: 'b' }, questions), '--maps', maps)).lines).toHaveLength(3);
  });

  it.each([
    ['b', /^bspkit: note: \S+other\.bsp is not the file that the questions name \(sha256 differs\)\n$/],
    [createHash('sha256').update(bytes).digest('hex'), /^$/],
  ])(
    'are noted where they are not the one that is named, also if there is only one: %s',
    async (sha256, note) => {
      const map = join(folder, 'other.bsp');
      writeFileSync(map, bytes);
      const { status, stderr } = await bspkit(
        'batch',
        map,
        '--queries',
        write({ ...full, sha256 }, questions),
        '--out',
        '-',
      );
      expect(status).toBe(0);
      expect(stderr).toMatch(note);
    },
  );

  it('make an assembly of tiles', async () => {
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
    const { lines: answers } = await answer(write(header, rows), '--maps', maps);
    expect(answers.map((row) => (row as Row).at(-1))).toEqual([1, 1]);
    const refused = await bspkit('batch', 'demo:house', '--queries', write(header, rows), '--out', '-');
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('an assembly of 2 maps') });
  });

  it('that are not there are reported', async () => {
    const { status, stderr } = await bspkit('batch', '--maps', folder, '--queries', queries, '--out', '-');
    expect(status).toBe(3);
    expect(stderr).toMatch(/has no map arena; looked for .*quake3[\\/]arena\.bsp/);
  });
});

describe('maps that a folder has or lacks', () => {
  const maps = join(folder, 'fenced');
  mkdirSync(join(maps, 'quake3'), { recursive: true });
  mkdirSync(join(maps, 'inside'));
  writeFileSync(join(folder, 'outside.bsp'), arenaQuake3());
  writeFileSync(join(maps, 'inside/real.bsp'), arenaQuake3());
  if (!WINDOWS) {
    symlinkSync('../inside/real.bsp', join(maps, 'quake3/linked.bsp'));
    symlinkSync('../../outside.bsp', join(maps, 'quake3/escaped.bsp'));
  }
  const ask = (map: string, from = maps): Promise<Run> =>
    bspkit('batch', '--maps', from, '--queries', write({ ...full, map }, questions), '--out', '-');

  it.skipIf(WINDOWS)('are read through links within it', async () => {
    expect((await ask('linked')).status).toBe(0);
  });

  it.each([
    '../outside',
    '..\\outside',
    'inside/../../outside',
    join(folder, 'outside'),
    'C:/outside',
    ...(WINDOWS ? [] : ['escaped']),
    'a\0b',
  ])('are not read from outside of it: %j', async (map) => {
    const { status, stdout, stderr } = await ask(map);
    expect(stderr).toMatch(/^bspkit: \S+: line 1: map '.*' lies outside \S+fenced\n$/);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  it.each<[string, string]>([
    ['null', 'is not an object with an entry for each map'],
    ['[]', 'is not an object with an entry for each map'],
    ['{"quake3/arena.bsp":null}', "the entry of 'quake3/arena.bsp' is not an object"],
    ['{"quake3/arena.bsp":{}}', "file of 'quake3/arena.bsp' is missing; it must be text"],
    ['{"quake3/arena.bsp":{"file":5}}', "file of 'quake3/arena.bsp' is 5; it must be text"],
    ['{"a":{"file":"a","sha256":[]}}', "sha256 of 'a' is []; it must be text"],
    ['{"quake3/arena.bsp":{"file":"../outside.bsp"}}', "file '../outside.bsp' lies outside"],
    ['{', 'JSON'],
  ])('an INDEX.json that is none is told: %s', async (index, problem) => {
    const other = join(folder, `index-${files++}`);
    mkdirSync(other);
    writeFileSync(join(other, 'INDEX.json'), index);
    const { status, stdout, stderr } = await ask('arena', other);
    expect(stderr).toMatch(/^bspkit: \S+INDEX\.json: [^\n]+\n$/);
    expect(stderr).toContain(problem);
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  });
});

describe('a stream', () => {
  const head = `${JSON.stringify({ ...full, kind: 'points', columns: ['x', 'y', 'z', 'note'] })}\n`;
  /** Sends questions in pieces, and counts the pieces that were read. */
  async function stream(
    pieces: Iterable<string | Uint8Array>,
    ...args: string[]
  ): Promise<Run & { taken: number }> {
    let taken = 0;
    async function* stdin(): AsyncGenerator<Uint8Array> {
      for (const piece of pieces) {
        taken++;
        yield typeof piece === 'string' ? Buffer.from(piece) : piece;
      }
    }
    const asked = ['batch', arena, '--queries', '-', '--out', '-', ...args];
    return { ...(await bspkitIn({ stdin: stdin() }, ...asked)), taken };
  }
  function* endless(first: string, piece: string | Uint8Array): Generator<string | Uint8Array> {
    yield first;
    for (;;) yield piece;
  }
  const zeros = new Uint8Array(1 << 16);

  it('is read from stdin, wherever it is split', async () => {
    const text = Buffer.from(`\ufeff${head}[1,2,3,"naïve"]\r\n\n \n[4,5,6,"次"]`);
    const { status, stdout } = await stream([...text].map((byte) => Uint8Array.of(byte)));
    expect(status).toBe(0);
    expect(stdout.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^\[1,2,3,"naïve",/),
      expect.stringMatching(/^\[4,5,6,"次",/),
      '',
    ]);
    const zipped = gzipSync(text);
    expect(await stream([zipped.subarray(0, 1), zipped.subarray(1)])).toMatchObject({ status: 0, stdout });
  });

  it.each<[string, () => Iterable<string | Uint8Array>, string]>([
    ['zeros', () => endless('', zeros), 'stdin: line 1 has more than 4 MB\n'],
    ['zeros after the header', () => endless(head, zeros), 'stdin: line 2 has more than 4 MB\n'],
    ['a line', () => endless(`${head}[1,2,3,"`, 'x'.repeat(1 << 16)), 'stdin: line 2 has more than 4 MB\n'],
    ['words', () => endless('', 'y\n'), 'stdin: line 1 is not JSON: y\n'],
    ['nothing', () => endless(head, `${' '.repeat(2 ** 16)}\n`), ' ends more than 4 MB of blank lines\n'],
  ])('that never ends is refused: %s', async (_, pieces, problem) => {
    const { status, stderr, taken } = await stream(pieces());
    expect(stderr.endsWith(problem), stderr).toBe(true);
    expect(status).toBe(2);
    expect(taken).toBeLessThan(70);
  });

  it('that unpacks to far too much is refused', async () => {
    const { status, stderr } = await stream([gzipSync(head + '\0'.repeat(1 << 25))]);
    expect({ status, stderr }).toEqual({ status: 2, stderr: 'bspkit: stdin: line 2 has more than 4 MB\n' });
  });

  it.each<[string, string | Uint8Array, string]>([
    [
      'a cell that is nested too deep',
      `[1,2,3,${'['.repeat(6000)}${']'.repeat(6000)}]`,
      'line 2 is nested more than',
    ],
    ['bytes that are no text', Uint8Array.of(0x5b, 0xff, 0x5d), 'line 2 is not UTF-8'],
    ['escapes', '[1,\x1b[31m', 'line 2 is not JSON: [1,\\u001b[31m'],
  ])('with %s is refused', async (_, row, problem) => {
    const { status, stderr } = await stream([head, row]);
    expect(stderr).toContain(`bspkit: stdin: ${problem}`);
    expect(status).toBe(2);
  });

  it('needs its header first', async () => {
    expect((await stream(['\n', head])).stderr).toContain('stdin: line 1 is not');
    expect((await stream([])).stderr).toBe('bspkit: stdin: is empty\n');
  });

  it.skipIf(WINDOWS)('says so if another run has removed its output', async () => {
    const place = join(folder, 'removed');
    mkdirSync(place);
    async function* stdin(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${head}[1,2,3,""]\n`);
      for (const left of readdirSync(place)) rmSync(join(place, left));
    }
    const out = join(place, 'out.ndjson');
    const { status, stderr } = await bspkitIn(
      { stdin: stdin() },
      ...['batch', arena, '--queries', '-', '--out', out],
    );
    const problem = 'another program has removed what was written: only one may write to it at a time';
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `bspkit: ${out}: cannot be written: ${problem}\n`,
    });
  });

  it('shows no escapes on a terminal, and is the same JSON', async () => {
    async function* stdin(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${head}[1,2,3,"\u009b31m"]`);
    }
    const asked = ['batch', arena, '--queries', '-', '--out', '-'];
    const env = { NO_COLOR: '1' };
    const { stdout } = await bspkitIn({ stdin: stdin(), terminal: true, env }, ...asked);
    expect(stdout).not.toContain('\u009b');
    expect(JSON.parse(stdout.split('\n')[1]!)[3]).toBe('\u009b31m');
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
    ['no header', write({}, []), /line 1: game is missing/],
    ['an empty file', emptyFile(), /is empty/],
    ['another game', write({ ...full, game: 'chess' }, []), /no such game: 'chess'/],
    ['another kind', write({ ...full, kind: 'smell' }, []), /'smell'/],
    [
      'no columns',
      write({ ...full, columns: undefined }, questions),
      /: line 1: columns is missing; rows of this kind are arrays with a cell for each\n/,
    ],
    [
      'columns that are not a list',
      write({ ...full, columns: 'x' }, []),
      /line 1: columns must be a list of names/,
    ],
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
  ])('%s: exit code 2 with the place, and no file of answers', async (_, queries, says) => {
    const out = join(folder, 'never.ndjson');
    const { status, stdout, stderr } = await bspkit('batch', arena, '--queries', queries, '--out', out);
    expect(stderr).toMatch(/^bspkit: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(existsSync(out)).toBe(false);
  });

  it('a map of another game, by its name and without advice for programmers', async () => {
    const { status, stderr } = await bspkit('batch', 'demo:arena@quake1', '--queries', good, '--out', '-');
    const says = 'is a map of Quake 1 (BSP 29), but the questions are about a map of Quake 3';
    expect({ status, stderr }).toEqual({ status: 2, stderr: `bspkit: demo:arena@quake1: ${says}\n` });
  });

  it('a map that is damaged, by its name', async () => {
    const maps = join(folder, 'damaged');
    mkdirSync(maps);
    writeFileSync(join(maps, 'arena.bsp'), readFileSync(arena).subarray(0, 1000));
    const { status, stderr } = await bspkit('batch', '--maps', maps, '--queries', good, '--out', '-');
    expect(stderr).toMatch(/[\\/]damaged[\\/]arena\.bsp: quake3: \w+: lies at bytes/);
    expect(status).toBe(3);
  });

  it('an invalid entity in a header, by its name', async () => {
    const map = join(folder, 'quake1.bsp');
    writeFileSync(map, rooms('quake1'));
    const header = { game: 'quake1', map: 'rooms', kind: 'flymove', columns: ['ents'], entities: [null] };
    const { status, stderr } = await bspkit('batch', map, '--queries', write(header, []), '--out', '-');
    expect(stderr).toMatch(/: header\.entities\[0\] must be an object, got null\n$/);
    expect(status).toBe(2);
  });

  it('a folder of maps that is not there', async () => {
    const maps = join(folder, 'absent');
    const { status, stderr } = await bspkit('batch', '--maps', maps, '--queries', good, '--out', '-');
    expect({ status, stderr }).toEqual({ status: 3, stderr: `bspkit: ${maps}: there is no such folder\n` });
    const file = await bspkit('batch', '--maps', arena, '--queries', good, '--out', '-');
    expect(file).toMatchObject({ status: 3, stderr: `bspkit: ${arena}: is not a folder\n` });
    const below = await bspkit('batch', '--maps', join(arena, 'x'), '--queries', good, '--out', '-');
    expect(below).toMatchObject({ status: 3, stderr: expect.stringContaining('no such f') });
  });

  it('a map that was not named', async () => {
    const refused = await bspkit('batch', '--queries', good, '--out', '-');
    expect(refused).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('name a map, or a folder'),
    });
  });
});

const real = findRealData();

/** Rows recorded from the engines, on our own maps; with BSPKIT_ALL_ROWS also on real ones, if there are any. */
const recorded = [
  { maps: ENGINE_DATA.maps, files: engineFiles() },
  ...(process.env.BSPKIT_ALL_ROWS && real ? [{ maps: real.maps, files: rowFiles(real) }] : []),
].flatMap(({ maps, files }) => files.map((file) => ({ ...file, maps })));

describe('rows recorded from the engines', async () => {
  const loaded = await Promise.all(FORMATS.map((format) => format.load()));
  const answered = recorded.filter(({ game, readHeader }) => {
    const format = loaded.find(({ id }) => id === game);
    return format && parseHeader(readHeader()).kind in { ...format.rows, ...ROW_KINDS[game] };
  });
  /** A file of each kind of each game. */
  const oneOfEach = [...new Map(answered.map((file) => [`${file.game} ${file.kind}`, file])).values()];

  it('are of many kinds', () => expect(oneOfEach.length).toBeGreaterThan(10));

  it.each((process.env.BSPKIT_ALL_ROWS ? answered : oneOfEach).map((file) => [file.name, file] as const))(
    '%s',
    async (_, file) => {
      const { header, lines: all } = parseTable(file.read());
      // The formats' tests cover the rest.
      const lines = process.env.BSPKIT_ALL_ROWS ? all : all.slice(0, 300);
      const data = { maps: file.maps, golden: undefined };
      const table = openTable(header, { formats: loaded, load: mapLoader(data), kinds: ROW_KINDS });
      const { columns = [] } = header;
      const places = table.results.map((name) => columns.indexOf(name)).filter((place) => place >= 0);
      const empty = (line: RowLine): RowLine => {
        if (table.isGiven(line)) return line;
        if (Array.isArray(line)) return line.map((cell, place) => (places.includes(place) ? null : cell));
        return Object.fromEntries(Object.entries(line).filter(([name]) => !table.results.includes(name)));
      };
      const actual = await answer(write(header, lines.map(empty)), '--maps', file.maps);
      expect(actual.header).toEqual(header);
      expect(actual.lines).toHaveLength(lines.length);
      const differing = lines.filter((line, k) => {
        const other = actual.lines[k]!;
        if (Array.isArray(line)) return places.some((place) => !sameCell(line[place], (other as Row)[place]));
        return table.results.some((name) => !sameCell(line[name], (other as RowObject)[name]));
      });
      // The recorder's sine rounds the angles of one row differently, which may change the last bit of a normal.
      const allowed = file.name.endsWith('mansion_mansion_main.models') ? 1 : 0;
      if (differing.length > allowed) expect(differing[0]).toBe('equal');
    },
  );
});
