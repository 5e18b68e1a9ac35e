import { type CompareEntry, type CompareOptions, type Comparison, compare } from '@bspkit/compare';
import { chosenTracers, type NamedTracer } from './compare-tracers.ts';
import { withUserInput } from './errors.ts';
import { adapterOf, createTracer } from './formats/index.ts';
import type { OpenMap } from './open-world.ts';
import { showStages } from './progress.ts';

/** Of so many queries the work is counted: literal algorithms are slow. */
const EXPLAINED = 200;

/** Compares, with progress on a terminal. What is wrong with the settings becomes a usage error. */
export function compareEntries(
  entries: readonly CompareEntry[],
  queries: Float32Array,
  settings: CompareOptions,
): Comparison {
  const stages = showStages();
  const onProgress = stages.update;
  try {
    return withUserInput(() => compare(entries, queries, { explained: EXPLAINED, onProgress, ...settings }));
  } finally {
    stages.end();
  }
}

/**
 * The tracers of a map, as the user chose them, ready to be compared and timed. Hulls that the map was not compiled for
 * are left out.
 *
 * @param title - stands before their names.
 */
export function entriesOf(map: OpenMap, choice: string, title = ''): CompareEntry[] {
  const hulls = map.format === 'quake1' ? map.world.hulls.length : 0;
  return chosenTracers(map.format, choice)
    .filter(({ options }) => options.hull === undefined || options.hull < hulls)
    .map((tracer) => entryOf(map, tracer, title));
}

/** Whether any of the tracers that the user chose needs room around its point. */
export const isRoomy = ({ format }: OpenMap, choice: string): boolean =>
  chosenTracers(format, choice).some(({ isRay }) => !isRay);

function entryOf(map: OpenMap, { name, options, explains }: NamedTracer, title: string): CompareEntry {
  const tracer = createTracer(map, options);
  const { explain } = adapterOf(map);
  return {
    name: `${title}${name}`,
    tracer,
    explain:
      explains && explain
        ? (from, to) => explain(tracer, [from[0]!, from[1]!, from[2]!], [to[0]!, to[1]!, to[2]!])
        : undefined,
  };
}
