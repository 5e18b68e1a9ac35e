import { compileAll } from './compiled.ts';
import { type DeterminismMap, determine } from './runs.ts';

/** What the program works on. */
export interface Given {
  /** Files to trace in. */
  readonly maps: readonly DeterminismMap[];
  /** Texts to compile. */
  readonly sources: readonly string[];
}

/** Everything that must come out the same in every engine: hashes by name, after this many traces per shape. */
export const answers = async ({ maps, sources }: Given, count: number): Promise<Record<string, string>> => ({
  ...(await determine(maps, count)),
  ...compileAll(sources),
});
