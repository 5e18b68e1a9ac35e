import { ROW_KINDS } from '@bspkit/bake/rows';
import type { BspFormat } from '@bspkit/core/format';
import { movementRows } from '@bspkit/movement/rows';
import { type OpenTable, openTable } from '@bspkit/rows';
import { createScene } from '@bspkit/scene';

/** A row of the kind `things`. */
export type ThingRow = (number | number[])[];

/** Kinds of rows of things: alone, and with what pushes them. */
export type ThingKind = 'things' | 'pushes';

/** Columns of the rows of things of a game: those of the question, then of the answer, as recorders write them. */
export function thingColumns(
  game: 'quake1' | 'quake2' | 'quake3',
  kind: ThingKind = 'things',
): readonly string[] {
  const { question, optional = [], results } = ROW_KINDS[game]![kind]!;
  return [...question, ...optional.flat(), ...results];
}

/** A table of rows about scenes of a map, as a format opens it. */
export function openThings(
  game: 'quake1' | 'quake2' | 'quake3',
  map: Uint8Array,
  scenes: readonly object[],
  format: BspFormat,
  kind: ThingKind = 'things',
): OpenTable {
  const header = { game, map: 'map', kind, scenes, columns: thingColumns(game, kind) };
  return openTable(header, { formats: [format], kinds: movementRows(createScene), load: () => map });
}
