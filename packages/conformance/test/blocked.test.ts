import { columnPlaces, floatCells, intCell, type Row, type RowHeader } from '@bspkit/core/format';
import { ENGINE_DATA } from '@bspkit/fixtures/engine';
import { findRealData } from '@bspkit/fixtures/real';
import { mapLoader, type RecordedData, type RowFile, rowFiles } from '@bspkit/fixtures/recorded';
import { createQuake1World, readQuake1 } from '@bspkit/quake1';
import { createQuake2World, readQuake2 } from '@bspkit/quake2';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { parseTable } from '@bspkit/rows';
import { createUfoaiWorld, readUfoai } from '@bspkit/ufoai';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';

// `blocked` has a walk of its own, which stops at the first thing in the way. Rows contain the results of the engine's full
// trace.

const START = ['sx', 'sy', 'sz'];
const END = ['ex', 'ey', 'ez'];
const MINS = ['minx', 'miny', 'minz'];
const MAXS = ['maxx', 'maxy', 'maxz'];
const ORIGIN = ['ox', 'oy', 'oz'];
const ANGLES = ['pitch', 'yaw', 'roll'];

/** The cells of a row, by their columns' names. */
const cellsOf = (row: Row, at: Readonly<Record<string, number>>) => ({
  at,
  int: (name: string) => intCell(row, at[name]!),
  floats(names: readonly string[]) {
    const places = names.map((name) => at[name]!);
    return floatCells(row, places);
  },
});
type Cells = ReturnType<typeof cellsOf>;

/** Whether a row's move is blocked. */
type Ask = (cells: Cells) => boolean;

const KERNELS = ['wasm', 'js'] as const;
type Kernel = (typeof KERNELS)[number];

/** Opens the map that a header names, for each kernel. */
type Asker = (
  header: RowHeader,
  load: (map: string, sha256?: string) => Uint8Array,
) => (kernel: Kernel) => Ask;

const ASKS: Readonly<Record<string, Asker>> = {
  quake3(header, load) {
    const file = readQuake3(load(header.map, header.sha256));
    const options = { curves: header.curves !== 0 };
    return (kernel) => {
      const world = createQuake3World(file, { kernel });
      return (cells) => {
        const [mins, maxs] = [cells.floats(MINS), cells.floats(MAXS)];
        const [target, pose] = targetOf(world, cells);
        const posed = { ...options, ...pose };
        const tracer =
          'capsule' in cells.at && cells.int('capsule')
            ? target.capsule(mins, maxs, posed)
            : isPoint(mins, maxs)
              ? target.ray(posed)
              : target.box(mins, maxs, posed);
        return tracer.blocked(cells.floats(START), cells.floats(END));
      };
    };
  },
  quake2(header, load) {
    const file = readQuake2(load(header.map, header.sha256));
    return (kernel) => {
      const world = createQuake2World(file, { kernel });
      return (cells) => {
        const [mins, maxs] = [cells.floats(MINS), cells.floats(MAXS)];
        const [target, posed] = targetOf(world, cells);
        const tracer = isPoint(mins, maxs) ? target.ray(posed) : target.box(mins, maxs, posed);
        return tracer.blocked(cells.floats(START), cells.floats(END));
      };
    };
  },
  quake1(header, load) {
    const file = readQuake1(load(header.map, header.sha256));
    return (kernel) => {
      const world = createQuake1World(file, { kernel });
      return (cells) => {
        const [model, hull] = [cells.int('model'), cells.int('hull')];
        const origin = cells.floats(ORIGIN);
        const tracer = model === 0 ? world.hull(hull) : world.model(model).hull(hull, { origin });
        return tracer.blocked(cells.floats(START), cells.floats(END));
      };
    };
  },
  ufoai(header, load) {
    const tiles = header.tiles ?? [{ map: header.map, sha256: header.sha256, x: 0, y: 0, z: 0 }];
    const files = tiles.map(({ map, sha256, x, y, z }) => ({ file: readUfoai(load(map, sha256)), x, y, z }));
    return (kernel) => {
      const world = createUfoaiWorld(files, { kernel });
      return (cells) => {
        const mode = cells.int('mode');
        const tracer = world.box(cells.floats(MINS), cells.floats(MAXS), {
          ...(mode === 1 ? {} : { tile: cells.int('tile') }),
          ...(mode === 2 ? { head: cells.int('head') } : {}),
          ...('levelmask' in cells.at ? { levels: cells.int('levelmask') } : {}),
          mask: cells.int('brushmask'),
          reject: cells.int('brushreject'),
          compat: 'engine',
        });
        return tracer.blocked(cells.floats(START), cells.floats(END));
      };
    };
  },
};

/** The world or one of its models, and the options of its tracers. */
function targetOf<World extends { model(number: number): unknown }>(world: World, cells: Cells) {
  const mask = cells.int('mask');
  const model = cells.int('model');
  if (model === 0) return [world, { mask }] as const;
  const pose = { origin: cells.floats(ORIGIN), angles: cells.floats(ANGLES) };
  return [world.model(model) as ReturnType<World['model']>, { mask, ...pose }] as const;
}

const isPoint = (...corners: number[][]): boolean => corners.flat().every((x) => x === 0);

/**
 * Kinds of files with traces. UFO:AI's lines have a column for the result of `blocked`, so they are tested with the other rows.
 */
const KINDS: readonly string[] = ['trace', 'rare', 'boxes'];

/** Files of traces, on our own maps and on real ones if there are any. */
const files: readonly [string, RowFile, RecordedData][] = [ENGINE_DATA, findRealData()].flatMap((data) =>
  (data ? rowFiles(data) : [])
    .filter(({ game, kind }) => Object.hasOwn(ASKS, game) && KINDS.includes(kind))
    .map(
      (file) =>
        [`${file.name} ${data === ENGINE_DATA ? '(ours)' : '(real)'}`, file, data!] as [
          string,
          RowFile,
          RecordedData,
        ],
    ),
);

it('blocked is tested in every format that has recorded traces', () => {
  const recorded = rowFiles(ENGINE_DATA).filter(({ kind }) => KINDS.includes(kind));
  const games = FORMATS.filter(({ id }) => recorded.some(({ game }) => game === id)).map(({ id }) => id);
  expect(games.length).toBeGreaterThan(3);
  expect(new Set(files.map(([, { game }]) => game))).toEqual(new Set(games));
});

// Both kernels at once: most of the time goes into reading maps and rows.
describe(`blocked by the kernels ${KERNELS.join(' and ')}`, () => {
  it.each(files)('%s: agrees with the fraction and startsolid of every row', (_, file, data) => {
    const { header, lines } = parseTable(file.read());
    const at = columnPlaces(header, header.columns!);
    const load = mapLoader(data);
    const open = ASKS[file.game]!(header, (map, sha256) => load(header.game, map, sha256));
    const asks = KERNELS.map(open);
    const counts = [0, 0];
    for (const [number, row] of (lines as Row[]).entries()) {
      const expected = row[at.startsolid!] === 1 || (row[at.fraction!] as number) < 1;
      const cells = cellsOf(row, at);
      // Some of the engine's boxes are inside out, which tracers refuse.
      const [mins, maxs] = 'minx' in at ? [cells.floats(MINS), cells.floats(MAXS)] : [[], []];
      if (mins.some((x, k) => x > maxs[k]!)) continue;
      for (const [k, ask] of asks.entries()) {
        if (ask(cells) !== expected) expect.fail(`row ${number}, kernel ${KERNELS[k]}: expected ${expected}`);
      }
      counts[Number(expected)]!++;
    }
    // Rare rows all have the same answer.
    expect(Math.max(...counts)).toBeGreaterThan(0);
    if (file.kind !== 'rare') expect(Math.min(...counts)).toBeGreaterThan(0);
  });
});
