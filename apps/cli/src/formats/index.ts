import type { Tracer } from '@bspkit/core';
import { UsageError, withUserInput } from '../errors.ts';
import { FORMAT_NAMES } from '../format-names.ts';
import type { OpenMap } from '../open-world.ts';
import type { FormatOption, TracerOptions } from '../tracer-options.ts';
import type { FormatAdapter } from './adapter.ts';
import { quake1 } from './quake1.ts';
import { quake3 } from './quake3.ts';
import { ufoai } from './ufoai.ts';

type Adapters = { readonly [M in OpenMap as M['format']]: FormatAdapter<M> };

const ADAPTERS: Adapters = { quake1, quake3, ufoai };

/** How to talk to a map's format. */
export function adapterOf(map: OpenMap): FormatAdapter<OpenMap> {
  return ADAPTERS[map.format] as FormatAdapter<OpenMap>;
}

/** The tracer that a user asked for. Throws `UsageError` for options that the map's format does not have. */
export function createTracer(map: OpenMap, options: TracerOptions): Tracer {
  const adapter = adapterOf(map);
  for (const [option, value] of Object.entries(options)) {
    // Commander turns `--no-curves` around: it is there, and true, where nobody said a word.
    const given = value !== undefined && !(option === 'curves' && value === true);
    const foreign = ALL_OPTIONS.has(option) && !adapter.options.includes(option as FormatOption);
    if (given && foreign) {
      const flag = option === 'curves' ? '--no-curves' : `--${option}`;
      throw new UsageError(
        `${map.name} is a ${FORMAT_NAMES[map.format]} map, to which ${flag} does not apply`,
      );
    }
  }
  return withUserInput(() => adapter.createTracer(map, options));
}

const ALL_OPTIONS: ReadonlySet<string> = new Set(Object.values(ADAPTERS).flatMap(({ options }) => options));

/** Asks a question that not every format answers. Throws `UsageError` with a sentence where it does not. */
export function askFormat<K extends 'point' | 'sphere' | 'sight' | 'explain'>(
  map: OpenMap,
  question: K,
): NonNullable<FormatAdapter<OpenMap>[K]> {
  const ask = adapterOf(map)[question];
  if (ask) return ask as NonNullable<FormatAdapter<OpenMap>[K]>;
  throw new UsageError(
    `${map.name} is a ${FORMAT_NAMES[map.format]} map, about which \`bspkit ${question}\` cannot be asked`,
  );
}
