import { statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BspFormatEntry, checkText, defineFormat, reasonOf } from '@bspkit/core/format';
import { withEllipsoids } from '@bspkit/ellipsoid';
import { detectBsp, FORMATS, formatOf } from 'bspkit';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';

// Formats that users add. They are named in the environment, not by an option: which options exist depends on them, and threads
// and workers need them too.

/** The variable that lists the files of formats, separated as in `PATH`. */
const VARIABLE = 'BSPKIT_FORMATS';

/** Whether the user has added formats. */
export const hasOwnFormats = ({ env }: Pick<Io, 'env'>): boolean => !!env[VARIABLE];

/** All formats whose maps can be opened: bspkit's, and those in the environment. Throws `UsageError` for anything else there. */
export async function knownFormats(io: Pick<Io, 'env' | 'cwd'>): Promise<readonly BspFormatEntry[]> {
  const paths = (io.env[VARIABLE] ?? '').split(delimiter).filter((path) => path !== '');
  let formats: readonly BspFormatEntry[] = FORMATS;
  for (const path of paths) {
    try {
      const file = resolve(io.cwd, path);
      // Node's own message would name our file that imports it.
      const stats = statSync(file, { throwIfNoEntry: false });
      if (!stats) throw new Error('no such file');
      if (stats.isDirectory()) throw new Error('is a folder');
      const { default: exported } = (await import(pathToFileURL(file).href)) as {
        readonly default?: BspFormatEntry | readonly BspFormatEntry[];
      };
      if (exported === undefined)
        throw new TypeError('it must export a format, or a list of them, as default');
      const own = [exported].flat();
      // What is wrong with them is reported before any command needs them, by their places in this list.
      detectBsp(new Uint8Array(), own);
      for (const [k, { id, name }] of own.entries()) {
        checkText(id, `formats[${k}].id`);
        checkText(name, `formats[${k}].name`);
        withEllipsoids(defineFormat(await formatOf(id, own)));
      }
      formats = [...formats, ...own];
      // Of several lists, each may be right by itself.
      detectBsp(new Uint8Array(), formats);
    } catch (cause) {
      throw new UsageError(`${VARIABLE}: ${path}: ${explained(cause, path)}`, { cause });
    }
  }
  return formats;
}

function explained(cause: unknown, path: string): string {
  // Node gives programs no line number.
  if (cause instanceof SyntaxError) return `${cause.message}; node --check ${path} shows where`;
  return reasonOf(cause);
}
