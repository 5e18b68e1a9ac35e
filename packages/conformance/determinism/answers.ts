import { compileAll } from './compiled.ts';
import { type DeterminismMap, determine } from './runs.ts';

/** What the program works on. */
export interface Given {
  /** Files to trace in. */
  readonly maps: readonly DeterminismMap[];
  /** Texts to compile. */
  readonly sources: readonly string[];
}

/**
 * Everything that must come out the same in every engine: hashes by name, after each of these numbers of traces per shape.
 *
 * @param counts - in ascending order.
 */
export async function answers(
  { maps, sources }: Given,
  counts: readonly number[],
): Promise<Record<string, string>[]> {
  const determined = await determine(maps, counts);
  const compiled = compileAll(sources);
  return determined.map((hashes) => ({ ...hashes, ...compiled }));
}
