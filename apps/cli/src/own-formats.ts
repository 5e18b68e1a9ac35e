import { delimiter, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BspFormatEntry } from '@bspkit/core/format';
import { FORMATS, formatOf } from 'bspkit';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';

// Formats that users add. The environment names them, and no option does: what options there are depends on them, and
// threads and workers need them too.

/** The variable with the files of formats, separated as in `PATH`. */
const VARIABLE = 'BSPKIT_FORMATS';

/** Whether somebody has added formats. */
export const hasOwnFormats = ({ env }: Pick<Io, 'env'>): boolean => !!env[VARIABLE];

/** All formats whose maps can be opened: bspkit's, and those of the environment. Throws `UsageError` for what is none. */
export async function knownFormats({
  env,
  cwd,
}: Pick<Io, 'env' | 'cwd'>): Promise<readonly BspFormatEntry[]> {
  const paths = (env[VARIABLE] ?? '').split(delimiter).filter((path) => path !== '');
  let formats: readonly BspFormatEntry[] = FORMATS;
  for (const path of paths) {
    try {
      const { default: exported } = (await import(pathToFileURL(resolve(cwd, path)).href)) as {
        readonly default?: BspFormatEntry | readonly BspFormatEntry[];
      };
      if (exported === undefined)
        throw new TypeError('it must export a format, or a list of them, as default');
      const own = [exported].flat();
      formats = [...formats, ...own];
      for (const entry of own) await formatOf(entry.id, formats);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new UsageError(`${VARIABLE}: ${path}: ${why}`, { cause });
    }
  }
  return formats;
}
