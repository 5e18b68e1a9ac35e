import { ROW_KINDS } from '@bspkit/bake';

/** Columns of the rows of things of a game: those of the question, then of the answer, as recorders write them. */
export function thingColumns(game: 'quake1' | 'quake3'): readonly string[] {
  const { question, optional = [], results } = ROW_KINDS[game]!.things!;
  return [...question, ...optional.flat(), ...results];
}
