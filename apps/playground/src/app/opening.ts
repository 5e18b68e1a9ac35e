import type { FixtureName } from '@bspkit/fixtures/list';
import { preloadWalker } from '../games/index.ts';
import type { Compiler } from '../loading/compiler.ts';
import { openBytes, preloadFormat } from '../loading/open.ts';
import { COMPILED_FORMATS } from '../loading/own-maps.ts';
import type { MapProblem } from '../tools/tool.ts';
import type { Changes } from './edits.ts';
import { chooseMap } from './map-menu.ts';
import { reasonOf } from './notice.ts';
import type { OpenMap } from './open-map.ts';

/** A file's content, and what it is called. */
interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What came of opening something. */
export interface Opened {
  /** Not there where it was no map, or none was chosen. */
  readonly map: OpenMap | undefined;
  /** What a visitor should know of the map, though it is open. */
  readonly remark?: { readonly title: string; readonly text: string; readonly kind: 'note' | 'error' };
  /** It was no map, but something that a tool takes. */
  readonly forTool?: NamedBytes;
}

/** A file that says something about maps. */
export const isShaderScript = ({ name }: File): boolean => /\.shader$/i.test(name);

/** What shader scripts are for. */
const SCRIPTS_ALONE = 'A shader script says what materials of a .map are. Drop it together with the .map.';

/** Most warnings of the compiler that are shown. */
const MOST_WARNINGS = 3;

/** One of our own maps, compiled for a game, with changes of a link. Throws what the compiler says. */
export async function openOwnMap(
  compiler: Compiler,
  name: FixtureName,
  format: string,
  changes: Changes | undefined,
): Promise<Opened> {
  // Fetched while the worker compiles. Whatever cannot be fetched says so when it is needed.
  Promise.all([preloadFormat(format), preloadWalker(format)]).catch(() => {});
  const made = await compiler.ask({ kind: 'own', name, format: format as never, changes });
  const { bytes, text, original, problem } = made;
  const map = await openBytes(bytes, { name, isOwn: true, text, original });
  if (!problem) return { map };
  return { map, remark: { title: 'The changes in this link do not compile', text: problem, kind: 'error' } };
}

/**
 * A file of the user's, the one that is chosen where there are several: a map, one of those in an archive, text that is
 * compiled for `format`, with shader scripts if some are beside it, or what a tool takes. Throws what is wrong with it.
 * `signal` is aborted when something else is wanted.
 */
export async function openUserFile(
  compiler: Compiler,
  all: readonly File[],
  format: string | undefined,
  isForTool: (bytes: Uint8Array) => boolean,
  signal: AbortSignal,
): Promise<Opened> {
  const scripts = all.filter(isShaderScript);
  const files = all.filter((file) => !scripts.includes(file));
  if (files.length === 0) throw new Error(SCRIPTS_ALONE);
  const file = files.length === 1 ? files[0]! : await chooseFile(files, signal);
  if (!file || signal.aborted) return { map: undefined };
  let found = await compiler.ask({ kind: 'unpack', file, inner: undefined });
  if (found.kind === 'choice') {
    const inner = await chooseMap(`${found.maps.length} maps in ${file.name}`, found.maps, signal);
    if (inner === undefined || signal.aborted) return { map: undefined };
    found = await compiler.ask({ kind: 'unpack', file, inner });
  }
  if (found.kind === 'choice') return { map: undefined };
  const { name } = found;
  if (found.kind === 'bsp') {
    if (isForTool(found.bytes)) return { map: undefined, forTool: found };
    return { map: await openBytes(found.bytes, { name, isOwn: false, text: undefined }) };
  }
  const target = (format ?? COMPILED_FORMATS[0]!.id) as never;
  const given = scripts.length > 0 ? await compiler.ask({ kind: 'shaders', files: scripts }) : undefined;
  const materials = given ? { ...found.materials, ...given.materials } : found.materials;
  const { text } = found;
  const compiled = await compiler.ask({ kind: 'compile', text, format: target, materials });
  if (!compiled.ok) throw new Error(compiled.problem.message);
  const map = await openBytes(compiled.bytes, { name, isOwn: false, text, materials });
  const { warnings } = compiled;
  if (warnings.length === 0) return { map };
  const title = `${file.name} was compiled, with warnings`;
  return { map, remark: { title, text: textOf(warnings), kind: 'note' } };
}

/** Asks which of several files is meant: one map is open at a time. */
async function chooseFile(files: readonly File[], signal: AbortSignal): Promise<File | undefined> {
  const entries = files.map(({ name, size }) => ({ path: name, size }));
  const chosen = await chooseMap(`Which of these ${files.length} files?`, entries, signal);
  return files.find(({ name }) => name === chosen);
}

/** Warnings of the compiler, as sentences. */
function textOf(warnings: readonly MapProblem[]): string {
  const shown = warnings.slice(0, MOST_WARNINGS).map((warning) => reasonOf(new Error(warning.message)));
  const more = warnings.length - shown.length;
  return [...shown, ...(more > 0 ? [`There are ${more.toLocaleString('en')} more.`] : [])].join(' ');
}
