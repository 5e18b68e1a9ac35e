import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ROW_KINDS } from '@bspkit/bake/rows';
import type { Row } from '@bspkit/core/format';
import { arenaQuake3 } from '@bspkit/fixtures';
import { parseTable, sameCell } from '@bspkit/rows';
import { openBsp } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { ANSWER, batchFiles, columns, full, HEADER, QUESTION, questions, unknown } from './batch-files.ts';
import { bspkit } from './bspkit.ts';
import { rooms } from './rooms.ts';

const { folder, arena, fresh, write, answer } = batchFiles();

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

  it('say which map they are about, if the questions leave that to the command line', async () => {
    const { map: _, ...header } = full;
    const named = { ...header, map: 'map-arena' };
    expect(await answer(write(header, questions), arena)).toEqual({ header: named, lines: expected });
    const demo = await answer(write(header, []), 'demo:house@quake3');
    expect(demo.header.map).toBe('house@quake3');
    // What the questions say of the map is kept, whatever map is given.
    const other = await answer(write({ ...full, map: 'q3dm1' }, questions), arena);
    expect(other).toEqual({ header: { ...full, map: 'q3dm1' }, lines: expected });
    const none = await bspkit('batch', '--queries', write(header, []), '--out', '-');
    const says = 'line 1: map is missing: name one before --queries, as in bspkit batch demo:arena\n';
    expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining(says) });
    const empty = await bspkit('batch', '', '--queries', write(header, []), '--out', '-');
    expect(empty).toMatchObject({ status: 2, stderr: expect.stringContaining(says) });
    // Without folders and endings, nothing of these is left.
    const hidden = join(fresh('hidden'), '.bsp');
    mkdirSync(dirname(hidden));
    writeFileSync(hidden, arenaQuake3());
    expect((await answer(write(header, questions), hidden)).header.map).toBe(hidden);
    const slash = await bspkit('batch', `${folder}/`, '--queries', write(header, []), '--out', '-');
    expect(slash).toMatchObject({ status: 3, stderr: expect.stringContaining('/: is a folder; name a ') });
  });

  it('keep the sign of zero', async () => {
    const queries = write(full, [questions[1]]);
    const { stdout } = await bspkit('batch', arena, '--queries', queries, '--out', '-');
    expect(stdout.split('\n')[1]).toMatch(/^\[0,0,0,0,0,0,0,-0,-256,/);
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
    ['a folder', folder, /is a folder$/m],
    ['no header', write({}, []), /line 1: game is missing/],
    ['an empty file', emptyFile(), /is empty/],
    ['another game', write({ ...full, game: 'chess' }, []), /no such game: 'chess'/],
    ['another kind', write({ ...full, kind: 'smell' }, []), /'smell'/],
    [
      'no columns',
      write({ ...full, columns: undefined }, questions),
      /: line 1: columns is missing; questions of this kind have model, sx, sy, .*, mask\n/,
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
      /line 2: cell 9 \(\w+\) is not a number: null\n/,
    ],
    [
      'columns that are missing, all of them',
      write({ ...HEADER, columns: QUESTION.slice(0, -9) }, [questions[0]!.slice(0, -9)]),
      /: missing columns: ez, minx, miny, minz, maxx, maxy, maxz, capsule, mask\n/,
    ],
    [
      'columns that are missing, before a model that is not there',
      write({ ...HEADER, columns: QUESTION.slice(0, -9) }, [[99, ...questions[0]!.slice(1, -9)]]),
      /: missing columns: ez, minx, /,
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

  /** Columns of a line and a box among models. */
  const ENTITY_BOX = 'levelmask brushmask brushreject sx sy sz ex ey ez minx miny minz maxx maxy maxz'.split(
    ' ',
  );

  it('an invalid entity in a header, by its name', async () => {
    const map = join(folder, 'quake1.bsp');
    writeFileSync(map, rooms('quake1'));
    const kind = 'flymove';
    const columns = ROW_KINDS.quake1![kind]!.question;
    const header = { game: 'quake1', map: 'rooms', kind, columns, entities: [null] };
    const { status, stderr } = await bspkit('batch', map, '--queries', write(header, []), '--out', '-');
    expect(stderr).toMatch(/: line 1: entities\[0\] must be an object, got null\n$/);
    expect(status).toBe(2);
  });

  it.each([
    [
      'quake3',
      'a model',
      [9, ...questions[0]!.slice(1)],
      'line 2: cell 1 (model) is not the number of a model, 0 (the world) to 3: 9',
    ],
    [
      'quake1',
      'a model by its name',
      ['*1', 0, 0, 0, 0, 0, 0, 9],
      'line 2: cell 1 (model) is not the number of a model, 0 (the world) to 3: "*1"',
    ],
    [
      'quake2',
      'the world among models',
      [0, 0, 0, 0],
      'line 2: cell 1 (model) is not the number of a model, 1 to 3: 0',
    ],
    [
      'ufoai',
      'a model of the header',
      '*9',
      'line 1: models[0].name must be the name of a model, *1 to *3, got "*9"',
    ],
    ['ufoai', 'the place of a model', '*1', 'line 1: models[0].origin is missing; it must be three numbers'],
  ])('in %s, %s', async (game, _, asked, problem) => {
    const header: Readonly<Record<string, object>> = {
      quake3: { kind: 'trace', columns: QUESTION },
      quake1: { kind: 'trace', columns: ['model', 'hull', 'sx', 'sy', 'sz', 'ex', 'ey', 'ez'] },
      quake2: { kind: 'modelpoints', columns: ['model', 'x', 'y', 'z'] },
      ufoai: { kind: 'ent', columns: ENTITY_BOX, models: [{ name: asked }] },
    };
    const queries = write({ game, map: 'arena', ...header[game] }, [asked]);
    const { status, stderr } = await bspkit(
      'batch',
      `demo:arena@${game}`,
      '--queries',
      queries,
      '--out',
      '-',
    );
    expect({ status, stderr }).toEqual({ status: 2, stderr: `bspkit: ${queries}: ${problem}\n` });
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
