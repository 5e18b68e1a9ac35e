import { ROW_KINDS } from '@bspkit/bake';
import type { BspFormat } from '@bspkit/core/format';
import { movementRows } from '@bspkit/movement/rows';
import { type OpenTable, openTable } from '@bspkit/rows';
import { createScene } from '@bspkit/scene';

/** A row of the kind `things`. */
export type ThingRow = (number | number[])[];

/** Columns of the rows of things of a game: those of the question, then of the answer, as recorders write them. */
export function thingColumns(game: 'quake1' | 'quake2' | 'quake3'): readonly string[] {
  const { question, optional = [], results } = ROW_KINDS[game]!.things!;
  return [...question, ...optional.flat(), ...results];
}

/** A table of rows about scenes of a map, as a format opens it. */
export function openThings(
  game: 'quake1' | 'quake2',
  map: Uint8Array,
  scenes: readonly object[],
  format: BspFormat,
): OpenTable {
  const header = { game, map: 'map', kind: 'things', scenes, columns: thingColumns(game) };
  return openTable(header, { formats: [format], kinds: movementRows(createScene), load: () => map });
}
