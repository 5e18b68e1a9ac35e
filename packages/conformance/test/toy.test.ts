import { compare, playerQueries, uniformQueries } from '@bspkit/compare';
import { BspError, type Vec3 } from '@bspkit/core';
import { type BspFormat, defineFormat, type Row, type RowSource } from '@bspkit/core/format';
import { arenaQuake3, compileFixture } from '@bspkit/fixtures';
import { findDifferences, openTable, parseTable } from '@bspkit/rows';
import { createBody, createScene } from '@bspkit/scene';
import { type ToyFormat, type ToyWorld, toy, toyFormat, toyMap } from '@bspkit/testkit/toy';
import { createWorld, detectBsp, FORMATS, formatOf, openBsp, readBsp } from 'bspkit';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { createRuns } from '../determinism/runs.ts';
import { lackingOf } from '../src/lacking.ts';
import { subjectsOf } from './subjects.ts';

// A format that nothing here knows joins by being on a list, and everything that accepts maps of any format accepts its maps too.
// The command line has a test of its own with the same toy, and formats.test.ts, batches.test.ts and aliasing.test.ts include it
// as well.

const formats = [...FORMATS, toyFormat];

describe('a format of your own', () => {
  it('is detected, with those of the umbrella around it', () => {
    const found = { format: 'toy', version: 'TOYB 1', name: 'a map of Toy (TOYB 1)' };
    expect(detectBsp(toyMap(), formats)).toEqual(found);
    expect(detectBsp(toyMap(), [toyFormat])).toEqual(found);
    expect(detectBsp(toyMap()).format).toBeUndefined();
    expect(detectBsp(arenaQuake3(), formats).format).toBe('quake3');
    const foreign = detectBsp(arenaQuake3(), [toyFormat]);
    expect(foreign).toMatchObject({ format: undefined, advice: 'bspkit reads Toy (TOYB 1)' });
  });

  it('is opened', async () => {
    const world = await openBsp(toyMap(), { formats: [toyFormat], shared: true });
    expectTypeOf(world).toEqualTypeOf<ToyWorld>();
    expect(world.data).toBeInstanceOf(SharedArrayBuffer);
    expect(world.ray().trace([0, -128, 32], [0, 0, 32]).endPos[1]).toBe(-32.03125);
    const file = await readBsp(toyMap(), { formats });
    expect(file.format).toBe('toy');
    expect((await createWorld(file, { formats })).format).toBe('toy');
    expect((await openBsp(toyMap(), { formats, format: 'toy' })).format).toBe('toy');
    expect((await openBsp(arenaQuake3(), { formats })).format).toBe('quake3');
    await expect(openBsp(toyMap())).rejects.toThrow(BspError);
    await expect(openBsp(toyMap(), { formats, format: 'quake3' })).rejects.toThrow(
      'the file is a map of Toy (TOYB 1), not of Quake 3 (IBSP 46, IBSP 47)',
    );
  });

  it('returns its descriptor, with everything that tools ask for', async () => {
    expect(await formatOf('toy', formats)).toBe(toy);
    const world = await openBsp(toyMap(), { formats: [toyFormat] });
    const format = await formatOf(world, formats);
    expect(format.info(format.read(toyMap()) as never, world as never).facts).toEqual({ textures: 3 });
    await expect(formatOf('toy' as never)).rejects.toThrow(RangeError);
  });

  it('may pass on what another format has or lacks', () => {
    const { boxEntity, explainMove } = toy;
    // Types say so with exactOptionalPropertyTypes, too.
    const passed: ToyFormat = { ...toy, boxEntity, explainMove };
    expect(defineFormat(passed).boxEntity).toBeUndefined();
  });

  it('is compared, timed and explained', async () => {
    const world = toy.createWorld([toy.read(toyMap())]);
    const { kinds, presets } = toy.tracers;
    const entries = presets
      .filter(({ measured }) => measured)
      .map(({ name, kind, size = [], options = {} }) => {
        const tracer = kinds.find((known) => known.name === kind)!.create(world, size, options);
        return { name, tracer, explain: (start: Vec3, end: Vec3) => toy.explain(tracer, start, end) };
      });
    const player = entries.find(({ name }) => name === toy.tracers.player)!;
    const queries = uniformQueries(200, { bounds: world.bounds });
    const { tracers } = compare([player, ...entries.filter((entry) => entry !== player)], queries, {
      rounds: 1,
      roundTime: 1,
      explained: 20,
    });
    expect(tracers.map(({ name }) => name)).toEqual(['player', 'ray']);
    for (const { work } of tracers) expect(work?.brushes).toBe(9);
    expect(playerQueries(50, { tracer: player.tracer, bounds: world.bounds })).toHaveLength(300);
  });

  it('answers query rows', () => {
    const columns = 'sx,sy,sz,ex,ey,ez,minx,miny,minz,maxx,maxy,maxz'.split(',');
    const header = { game: 'toy', map: 'room', kind: 'trace', columns };
    const table = openTable(header, { formats: [toy], load: toyMap });
    const asked: Row[] = [
      [0, -128, 32, 0, 0, 32, 0, 0, 0, 0, 0, 0],
      [0, -128, 32, 0, 0, 32, -16, -16, -24, 16, 16, 32],
    ];
    const answers = asked.map((row) => table.answer(row));
    expect(answers.map((row) => row[table.header.columns!.indexOf('endy')])).toEqual([-32.03125, -48.03125]);
    const { header: full, lines } = parseTable(
      [table.header, ...answers].map((line) => JSON.stringify(line)).join('\n'),
    );
    const again = openTable(full, { formats: [toy], load: toyMap });
    expect(findDifferences(again, lines)).toEqual({ compared: 2, differing: 0, row: -1, first: '' });
  });

  it('has bodies moving in it', () => {
    const world = toy.createWorld([toy.read(toyMap())]);
    const scene = createScene(world);
    const lift = scene.add(world.model(1), { origin: [160, 0, 100] });
    const ball = scene.add(createBody({ kind: 'sphere', radius: 16 }), { origin: [160, 160, 60] });
    const ray = scene.ray();
    expect(ray.trace([0, 160, 64], [0, 160, 300])).toMatchObject({ entity: 0 });
    expect(ray.trace([0, -160, 200], [0, -160, 90])).toMatchObject({ entity: lift });
    expect(ray.trace([160, 160, 200], [160, 160, 30])).toMatchObject({ entity: ball });
  });
});

describe('rows of a format', () => {
  const LINE = 'levelmask sx sy sz ex ey ez'.split(' ');
  it.each([
    ['quake1', 'points', ['x', 'y', 'z'], 'contents'],
    ['quake2', 'points', ['x', 'y', 'z'], 'contents'],
    ['quake3', 'points', ['x', 'y', 'z'], 'contents'],
    ['ufoai', 'line', LINE, 'endx'],
  ] as const)(
    'can be those of a variant, whose maps are rewritten: %s',
    async (id, kind, columns, answer) => {
      const format: BspFormat = await formatOf(id);
      const arena = compileFixture('arena', id).bytes;
      const loaded: string[] = [];
      const rewritten: RowSource = {
        format,
        load(game) {
          loaded.push(game);
          return arena;
        },
      };
      const all = [...columns, answer];
      const variant = format.rows[kind]!.open({ game: 'mine', map: 'arena', kind, columns: all }, rewritten);
      const own = format.rows[kind]!.open(
        { game: id, map: 'arena', kind, columns: all },
        { format, load: () => arena },
      );
      const [row, expected] = [variant, own].map((answering) => {
        const cells: Row = [...columns.map((_, k) => 16 * k), null];
        answering.answer(cells);
        return cells;
      });
      expect(row).toEqual(expected);
      expect(loaded).toEqual(['mine']);
    },
  );
});

describe('a descriptor with a mistake', () => {
  const { tracers } = toy;
  const { kinds, options, presets } = tracers;
  const catalog = (changed: object): object => ({ tracers: { ...tracers, ...changed } });
  const first = (list: readonly object[], changed: object): object[] => [
    { ...list[0], ...changed },
    ...list.slice(1),
  ];
  it.each<[changed: object, says: string]>([
    [{ contents: { solid: 1 } }, 'format.contents.names must be a function, got undefined'],
    [
      { surfaceFlags: undefined },
      'format.surfaceFlags must be names of bits, as createFlagNames makes them, got undefined',
    ],
    [{ tracers: undefined }, 'format.tracers must be an object, got undefined'],
    [catalog({ kinds: undefined }), 'format.tracers.kinds must be an array, got undefined'],
    [catalog({ options: undefined }), 'format.tracers.options must be an array, got undefined'],
    [catalog({ presets: {} }), 'format.tracers.presets must be an array, got an object'],
    [catalog({ kinds: [] }), 'format.tracers.kinds must begin with a kind that has no size, such as a ray'],
    [catalog({ kinds: [...kinds].reverse() }), 'must begin with a kind that has no size, such as a ray'],
    [catalog({ kinds: [null] }), 'format.tracers.kinds[0] must be an object, got null'],
    [catalog({ kinds: first(kinds, { name: 5 }) }), 'format.tracers.kinds[0].name must be a string, got 5'],
    [catalog({ kinds: [...kinds, kinds[1]] }), "format.tracers.kinds has two entries with the name 'box'"],
    [
      catalog({ kinds: first(kinds, { help: undefined }) }),
      'format.tracers.kinds[0].help must be a string, got undefined',
    ],
    [
      catalog({ kinds: first(kinds, { create: undefined }) }),
      'format.tracers.kinds[0].create must be a function, got undefined',
    ],
    [
      catalog({ kinds: [kinds[0], { ...kinds[1], size: 'bocks' }] }),
      "format.tracers.kinds[1].size must be 'number', 'box', 'capsule' or 'radii', got 'bocks'",
    ],
    [
      catalog({ kinds: first(kinds, { options: ['mask', 'masc'] }) }),
      "format.tracers.kinds[0].options[1] must be 'mask', 'model' or 'origin', got 'masc'",
    ],
    [
      catalog({ options: first(options, { type: 'string' }) }),
      "format.tracers.options[0].type must be 'on', 'off', 'number', 'count', 'points' or 'text', got 'string'",
    ],
    [
      catalog({ options: first(options, { label: 7 }) }),
      'format.tracers.options[0].label must be a string, got 7',
    ],
    [
      catalog({ options: first(options, { group: 'filters' }) }),
      "format.tracers.options[0].group must be 'shape', 'filter' or 'place', got 'filters'",
    ],
    [
      catalog({ presets: first(presets, { kind: 'tube' }) }),
      "format.tracers.presets[0].kind must be 'ray' or 'box', got 'tube'",
    ],
    [
      catalog({ presets: first(presets, { role: 'player' }) }),
      "format.tracers.presets[0].role must be 'point', 'body' or 'ball', got 'player'",
    ],
    [catalog({ player: 'nobody' }), "format.tracers.player must be 'ray', 'player' or 'water', got 'nobody'"],
  ])('is refused: %o', (changed, says) => {
    expect(() => defineFormat({ ...toy, ...changed } as never)).toThrow(says);
  });
});

describe('a format on the list', () => {
  it('answers all questions of the hashes, the same each time', async () => {
    const asked = async () => {
      const runs = await createRuns([{ format: 'toy', bytes: toyMap() }], undefined, [toyFormat]);
      for (const run of runs) for (let k = 0; k < 20; k++) run.step();
      return runs.map((run) => `${run.name} ${run.hash()}`);
    };
    const hashes = await asked();
    expect(hashes.length).toBeGreaterThan(15);
    expect(hashes.every((line) => line.startsWith('toy '))).toBe(true);
    expect(await asked()).toEqual(hashes);
  });

  it('is among the tracers that are tested with batches, and with their own answers as arguments', () => {
    const names = [...subjectsOf('auto')].map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['toy: preset ray', 'toy: preset player, model']));
  });

  it.each(FORMATS)('$id has what it needs outside its folder', (entry) => {
    expect(lackingOf(entry), `what the repository lacks of ${entry.id}`).toEqual([]);
  });

  it('is told what it lacks', () => {
    const lacking = lackingOf(toyFormat);
    expect(lacking.map((line) => line.split(/: | /)[0])).toEqual([
      'packages/toy/package.json',
      'packages/toy/README.md',
      'packages/toy/LICENSE',
      'packages/toy/.size-limit.json',
      'packages/toy/test/maps',
      'packages/bspkit/package.json',
      'package-lock.json',
      'README.md',
      'packages/bspkit/README.md',
      'apps/docs/guides/batch.md',
      'packages/conformance/api/toy.md',
      'packages/conformance/determinism/hashes-2000.json',
    ]);
  });
});
