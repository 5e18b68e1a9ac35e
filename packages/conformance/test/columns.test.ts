import { ROW_KINDS } from '@bspkit/bake/rows';
import { COMPILE_TARGETS, type CompileFormat } from '@bspkit/compile';
import type { BspFormat, Row, RowHeader } from '@bspkit/core/format';
import { compileFixture } from '@bspkit/fixtures';
import { engineFiles, readEngineMap } from '@bspkit/fixtures/engine';
import { openTable } from '@bspkit/rows';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { thingColumns } from '../scripts/things.ts';

// Kinds of rows say which columns they have. If one read a column that it does not list, a table without it would be accepted,
// and answered with anything.

/** Columns of which each is there; records which are looked up. */
class Recorded extends Array<string> {
  readonly names: Set<string> = new Set();

  override includes(): boolean {
    return true;
  }

  override indexOf(name: string): number {
    this.names.add(name);
    return 0;
  }
}

/** Columns that stand for a model where the map has it if they are missing. */
const POSE = ['ox', 'oy', 'oz', 'pitch', 'yaw', 'roll'];

/** Questions that mean something with 0 in all other columns. */
const ASKED: Readonly<Record<string, number>> = { model: 1, mask: 1, ex: 500, x: 10, maxz: 8 };

describe.each(FORMATS.map((entry) => [entry.id, entry] as const))('rows of %s', async (id, entry) => {
  const format = (await entry.load()) as never as BspFormat;
  const bytes = COMPILE_TARGETS.some((target) => target.id === id)
    ? compileFixture('arena', id as CompileFormat).bytes
    : readEngineMap(`${id}/arena.bsp`);
  const source = { format, load: () => bytes };

  it.each(Object.entries({ ...format.rows, ...ROW_KINDS[id] }))(
    'of kind %s list their columns',
    (kind, { question, results, open, ...rest }) => {
      const columns = new Recorded();
      const lists = { scenes: [], sequences: [], models: [] };
      const header: RowHeader = { game: id, map: 'arena', kind, columns, ...lists };
      const { answerObject } = open(header, source);
      const optional = (rest.optional ?? []).flat();
      const listed = answerObject ? [] : [...question, ...optional, ...results];
      expect(answerObject !== undefined).toBe(question.length === 0);
      expect([...columns.names].sort()).toEqual(listed.sort());
      expect(optional.filter((name) => question.includes(name))).toEqual([]);

      if (!optional.some((name) => POSE.includes(name))) return;
      const answer = (names: readonly string[]): Row => {
        const table = openTable({ ...header, columns: names }, { formats: [format], load: source.load });
        return table.answer(names.map((name) => ASKED[name] ?? 0)).slice(names.length);
      };
      expect(answer(question)).toEqual(answer([...question, ...optional]));
    },
  );
});

describe('rows of things', () => {
  it.each([
    ['quake1', 'things'],
    ['quake1', 'pushes'],
    ['quake2', 'things'],
    ['quake2', 'pushes'],
    ['quake3', 'things'],
    ['quake3', 'pushes'],
  ] as const)('were recorded with the columns that recorders take from there: %s %s', (game, kind) => {
    const file = engineFiles(game).find((one) => one.kind === kind)!;
    const [header] = file.read().split('\n', 1);
    expect(JSON.parse(header!).columns).toEqual(thingColumns(game, kind));
  });
});
