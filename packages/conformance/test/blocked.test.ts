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

const MOVE = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez'] as const;
const SIZE = ['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz'] as const;
const POSE = ['ox', 'oy', 'oz', 'pitch', 'yaw', 'roll'] as const;

/** Whether a row's move is blocked. */
type Ask = (row: Row) => boolean;

type Kernel = 'wasm' | 'js';

/** Opens the map that a header names, with one kernel. */
type Asker = (header: RowHeader, load: (map: string, sha256?: string) => Uint8Array, kernel: Kernel) => Ask;

const ASKS: Readonly<Record<string, Asker>> = {
  quake3(header, load, kernel) {
    const at = columnPlaces(header, ['model', 'capsule', 'mask', ...MOVE, ...SIZE, ...POSE]);
    const world = createQuake3World(readQuake3(load(header.map, header.sha256)), { kernel });
    const options = { curves: header.curves !== 0 };
    return (row) => {
      const [mins, maxs, origin, angles] = [
        ...[0, 3].map((k) =>
          floatCells(
            row,
            SIZE.slice(k, k + 3).map((name) => at[name]),
          ),
        ),
        ...[0, 3].map((k) =>
          floatCells(
            row,
            POSE.slice(k, k + 3).map((name) => at[name]),
          ),
        ),
      ] as [number[], number[], number[], number[]];
      const model = intCell(row, at.model);
      const target = model === 0 ? world : world.model(model);
      const posed = { ...options, mask: intCell(row, at.mask), ...(model > 0 ? { origin, angles } : {}) };
      const cells = floatCells(
        row,
        MOVE.map((name) => at[name]),
      );
      const isRay = [...mins, ...maxs].every((x) => x === 0);
      const tracer = row[at.capsule]
        ? target.capsule(mins, maxs, posed)
        : isRay
          ? target.ray(posed)
          : target.box(mins, maxs, posed);
      return tracer.blocked(cells.slice(0, 3), cells.slice(3));
    };
  },
  quake2(header, load, kernel) {
    const at = columnPlaces(header, ['model', 'mask', ...MOVE, ...SIZE, ...POSE]);
    const world = createQuake2World(readQuake2(load(header.map, header.sha256)), { kernel });
    const cells = (row: Row, names: readonly (keyof typeof at)[]): number[] =>
      floatCells(
        row,
        names.map((name) => at[name]),
      );
    return (row) => {
      const model = intCell(row, at.model);
      const [mins, maxs] = [cells(row, SIZE.slice(0, 3)), cells(row, SIZE.slice(3))];
      const pose = { origin: cells(row, POSE.slice(0, 3)), angles: cells(row, POSE.slice(3)) };
      const posed = { mask: intCell(row, at.mask), ...(model > 0 ? pose : {}) };
      const target = model === 0 ? world : world.model(model);
      const isRay = [...mins, ...maxs].every((x) => x === 0);
      const tracer = isRay ? target.ray(posed) : target.box(mins, maxs, posed);
      return tracer.blocked(cells(row, MOVE.slice(0, 3)), cells(row, MOVE.slice(3)));
    };
  },
  quake1(header, load, kernel) {
    const at = columnPlaces(header, ['model', 'hull', 'ox', 'oy', 'oz', ...MOVE]);
    const world = createQuake1World(readQuake1(load(header.map, header.sha256)), { kernel });
    return (row) => {
      const model = intCell(row, at.model);
      const hull = intCell(row, at.hull);
      const origin = floatCells(row, [at.ox, at.oy, at.oz]);
      const tracer = model === 0 ? world.hull(hull) : world.model(model).hull(hull, { origin });
      const cells = floatCells(
        row,
        MOVE.map((name) => at[name]),
      );
      return tracer.blocked(cells.slice(0, 3), cells.slice(3));
    };
  },
  ufoai(header, load, kernel) {
    const at = columnPlaces(header, [
      'mode',
      'tile',
      'head',
      'levelmask',
      'brushmask',
      'brushreject',
      ...MOVE,
      ...SIZE,
    ]);
    const tiles = header.tiles ?? [{ map: header.map, sha256: header.sha256, x: 0, y: 0, z: 0 }];
    const world = createUfoaiWorld(
      tiles.map(({ map, sha256, x, y, z }) => ({ file: readUfoai(load(map, sha256)), x, y, z })),
      { kernel },
    );
    return (row) => {
      const mode = intCell(row, at.mode);
      const cells = (names: readonly (keyof typeof at)[]): number[] =>
        floatCells(
          row,
          names.map((name) => at[name]),
        );
      const tracer = world.box(cells(SIZE.slice(0, 3)), cells(SIZE.slice(3)), {
        ...(mode === 1 ? {} : { tile: intCell(row, at.tile) }),
        ...(mode === 2 ? { head: intCell(row, at.head) } : {}),
        ...(at.levelmask < 0 ? {} : { levels: intCell(row, at.levelmask) }),
        mask: intCell(row, at.brushmask),
        reject: intCell(row, at.brushreject),
        compat: 'engine',
      });
      return tracer.blocked(cells(MOVE.slice(0, 3)), cells(MOVE.slice(3)));
    };
  },
};

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

describe.each<Kernel>(['wasm', 'js'])('blocked by the kernel %s', (kernel) => {
  it('is tested in every format that has recorded traces', () => {
    const recorded = rowFiles(ENGINE_DATA).filter(({ kind }) => KINDS.includes(kind));
    const games = FORMATS.filter(({ id }) => recorded.some(({ game }) => game === id)).map(({ id }) => id);
    expect(games.length).toBeGreaterThan(3);
    expect(new Set(files.map(([, { game }]) => game))).toEqual(new Set(games));
  });

  it.each(files)('%s: agrees with the fraction and startsolid of every row', (_, file, data) => {
    const { header, lines } = parseTable(file.read());
    const at = columnPlaces(header, ['fraction', 'startsolid', ...SIZE]);
    const load = mapLoader(data);
    const ask = ASKS[file.game]!(header, (map, sha256) => load(header.game, map, sha256), kernel);
    const sizes = SIZE.map((name) => at[name]);
    const counts = [0, 0];
    for (const [number, row] of (lines as Row[]).entries()) {
      const expected = row[at.startsolid] === 1 || (row[at.fraction] as number) < 1;
      const size = at.minx < 0 ? [] : floatCells(row, sizes);
      // Some of the engine's boxes are inside out, which tracers refuse.
      if (size.slice(0, 3).some((x, k) => x > size[k + 3]!)) continue;
      if (ask(row) !== expected) expect.fail(`row ${number}: expected ${expected}`);
      counts[Number(expected)]!++;
    }
    // Rare rows all have the same answer.
    expect(Math.max(...counts)).toBeGreaterThan(0);
    if (file.kind !== 'rare') expect(Math.min(...counts)).toBeGreaterThan(0);
  });
});
