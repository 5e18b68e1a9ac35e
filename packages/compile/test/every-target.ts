import { boxBrush, type CompileFormat, compileMap } from '../src/index.ts';

// What tests of all targets need to know about each, so that a new target needs no entry in them.

/** How far from the origin maps of a target reach, in Quake units: taken from its message about a brush farther out than any. */
export function reachOf(format: CompileFormat): number {
  try {
    compileMap([boxBrush([0, 0, 0], [64, 65_537, 16])], { format });
  } catch (error) {
    const said = / reaches (\d+) units from the origin/.exec((error as Error).message);
    if (said) return Number(said[1]);
    throw error;
  }
  throw new Error(`${format} takes brushes of any size: its target must have a reach`);
}

/** A choice as messages put it: `'one', 'two' or 'three'`. */
export const choices = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names.map((name) => `'${name}'`));

/** A target's entry in a table of a test; whoever adds a target adds one there. */
export function entryOf<T>(table: Readonly<Record<string, T>>, format: string, where: string): T {
  if (!Object.hasOwn(table, format)) throw new Error(`${where} has no entry for ${format}: add one`);
  return table[format]!;
}
