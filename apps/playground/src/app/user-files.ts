import type { InnerMap } from '../loading/messages.ts';
import { isMapFile, openBytes } from '../loading/open.ts';
import { COMPILED_FORMATS } from '../loading/own-maps.ts';
import { bytesOf } from '../loading/unpack.ts';
import type { MapProblem } from '../tools/tool.ts';
import { h, icon } from './dom.ts';
import { ICONS } from './icons.ts';
import { type Remark, reasonOf } from './notice.ts';
import { type OpenMap, versionOf } from './open-map.ts';
import type { NamedBytes, Opened, Opener, Source } from './opening.ts';

// Loaded when there are any: the page opens without.

/** Files by what they are good for. */
interface Sorted {
  readonly maps: readonly File[];
  readonly scripts: readonly File[];
  readonly lights: readonly File[];
  readonly forTools: readonly File[];
  /** Those that are nothing that the page knows, or cannot be read. */
  readonly others: readonly File[];
}

/** What shader scripts are for. */
const SCRIPTS_ALONE =
  'A shader script says what the materials of a .map are. Drop it together with the .map.';

/** What files with light are for. */
const LIGHT_ALONE = 'A .lit file has the light of a .bsp in colour. Drop it together with the .bsp.';
const LIGHT_OF = 'A .lit file is for the .bsp of the same name.';

/** Most warnings of the compiler that are shown. */
const MOST_WARNINGS = 3;

/** Who opens files, and what they need to know meanwhile. */
interface FileOpener extends Opener {
  /** What text is compiled for that does not show what it is made for. */
  readonly format: string | undefined;
  /** Name of a text that is compiled for the same in any case, as when it is dropped again after some editing. */
  readonly known: string | undefined;
  /** Opens a text again, for a game that the user chose. */
  compileFor(source: Source, format: string): void;
  /** Whether the text is that of the map that is open, if only text is opened. */
  readonly isOpen?: boolean;
  /** Whether some tool takes a file that begins so. */
  isForTool(beginning: Uint8Array): boolean;
  /** Which of several files it is. */
  chosen(name: string): void;
}

/**
 * What a user picked or dropped: a map, the one that is chosen where there are several; one of those in an archive; text that
 * is compiled, with the shader scripts beside it; what a tool takes, alone or with a map. Throws what is wrong with it.
 */
export async function openUserFiles(opener: FileOpener, all: readonly File[]): Promise<Opened> {
  const { maps, scripts, lights, forTools, others } = await sortFiles(opener, all);
  opener.signal.throwIfAborted();
  if (scripts.length === all.length) throw new Error(SCRIPTS_ALONE);
  if (lights.length === all.length) throw new Error(LIGHT_ALONE);
  // A file that is alone may have any name: whoever reads it says what it is.
  const alone = maps.length + forTools.length === 0 && others.length === 1;
  const remarks = alone ? [] : leftOut(others, forTools.slice(1));
  if (maps.length > 0 || alone) {
    const opened = await openOneOf(opener, alone ? others : maps, scripts, lights);
    const besides = opened.map && forTools[0] && (await namedBytes(forTools[0]));
    return { forTool: besides, ...opened, remarks: [...(opened.remarks ?? []), ...remarks] };
  }
  if (forTools.length === 0) throw new Error(`none of them is ${OPENABLE}`);
  return { map: undefined, remarks, forTool: await namedBytes(forTools[0]!) };
}

/** What can be opened, as a list for people. */
const OPENABLE = 'a map, an archive with maps, a shader script or a bake';

/** What is said of files beside those that are opened. */
const leftOut = (unknown: readonly File[], bakes: readonly File[]): Remark[] => [
  ...leftOutFor(unknown, `${unknown.length === 1 ? 'It is not' : 'None of them is'} ${OPENABLE}.`),
  ...leftOutFor(bakes, 'One bake is shown at a time.'),
];

/** Says of files, if there are any, that they are not used, and why. */
const leftOutFor = (files: readonly File[], text: string): Remark[] =>
  files.length === 0
    ? []
    : [{ title: `Left out: ${files.map(({ name }) => name).join(', ')}`, text, kind: 'note' }];

const namedBytes = async (file: File): Promise<NamedBytes> => ({
  name: file.name,
  bytes: await bytesOf(file),
});

/** How much of a file tells what it is, in bytes. */
const BEGINNING = 64;

async function sortFiles({ isForTool }: FileOpener, all: readonly File[]): Promise<Sorted> {
  const sorted: Record<keyof Sorted, File[]> = {
    maps: [],
    scripts: [],
    lights: [],
    forTools: [],
    others: [],
  };
  const kindOf = async (file: File): Promise<keyof Sorted> => {
    if (/\.shader$/i.test(file.name)) return 'scripts';
    if (/\.lit$/i.test(file.name)) return 'lights';
    const beginning = new Uint8Array(await file.slice(0, BEGINNING).arrayBuffer());
    if (isForTool(beginning)) return 'forTools';
    return isMapFile(file.name, beginning) ? 'maps' : 'others';
  };
  // What cannot be read may be a folder.
  const kinds = await Promise.all(all.map((file) => kindOf(file).catch(() => 'others' as const)));
  for (const [k, file] of all.entries()) sorted[kinds[k]!].push(file);
  return sorted;
}

async function openOneOf(
  opener: FileOpener,
  files: readonly File[],
  scripts: readonly File[],
  lights: readonly File[],
): Promise<Opened> {
  const { compiler, format, known, isForTool, chosen, signal } = opener;
  const file = files.length === 1 ? files[0]! : await chooseFile(files, signal);
  signal.throwIfAborted();
  if (!file) return { map: undefined };
  chosen(file.name);
  let found = await compiler.ask({ kind: 'unpack', file, inner: undefined }, signal);
  if (found.kind === 'choice') {
    const { maps } = found;
    const at = await chooseMap(`${maps.length} maps in ${file.name}`, maps, signal);
    if (at === undefined) return { map: undefined };
    found = await compiler.ask({ kind: 'unpack', file, inner: maps[at]!.path }, signal);
  }
  if (found.kind === 'choice') return { map: undefined };
  const { name } = found;
  if (found.kind === 'bsp') {
    if (isForTool(found.bytes)) return { map: undefined, forTool: found };
    const given = lightFor(name, lights);
    const beside = given ? await namedBytes(given) : found.light;
    const map = await openBytes(found.bytes, { name, isOwn: false, text: undefined, lit: beside?.bytes });
    const others = lights.filter((file) => file !== given);
    return { map, remarks: [...lightRemarks(map, beside), ...leftOutFor(others, LIGHT_OF)] };
  }
  const given =
    scripts.length > 0 ? await compiler.ask({ kind: 'shaders', files: scripts }, signal) : undefined;
  const materials = given ? { ...found.materials, ...given.materials } : found.materials;
  const { text, madeFor } = found;
  const source = { name, text, original: text, materials };
  const game = (name === known ? undefined : madeFor) ?? format ?? COMPILED_FORMATS[0]!.id;
  let why = 'A .map does not say which game it is for.';
  // A format may be that of several games: the title says which.
  if (madeFor)
    why = `Its text looks made for ${madeFor === game ? 'that' : `the format of ${nameOf(madeFor)}`}.`;
  const opened = await openSource(opener, source, game, why);
  return { ...opened, remarks: [...(opened.remarks ?? []), ...leftOutFor(lights, LIGHT_OF)] };
}

/** The light beside a map: the file that is named like it, or the only one. */
function lightFor(name: string, lights: readonly File[]): File | undefined {
  const like = name.replace(/\.bsp(\.gz)?$/i, '').toLowerCase();
  return (
    lights.find((one) => one.name.toLowerCase() === `${like}.lit`) ??
    (lights.length === 1 ? lights[0] : undefined)
  );
}

/** Why the light of a map, or of the file beside it, is not shown. */
function lightRemarks({ lightError: error, format }: OpenMap, beside: NamedBytes | undefined): Remark[] {
  if (!error) return [];
  // A format that has no such files does not know the option for one.
  const text = error instanceof TypeError ? `Maps of ${format.name} have no such file.` : reasonOf(error);
  return [{ title: `Left out: ${beside?.name ?? 'the light of the map'}`, text, kind: 'note' }];
}

const nameOf = (format: string): string => COMPILED_FORMATS.find(({ id }) => id === format)?.name ?? format;

/**
 * Compiles a user's text for a game, and offers the others. Throws what is wrong with it for all of them.
 *
 * @param why - what there is to say of the choice of the game, unless it is the user's.
 */
export async function openSource(
  { compiler, signal, compileFor, isOpen = false }: Opener & Pick<FileOpener, 'compileFor' | 'isOpen'>,
  source: Source,
  format: string,
  why?: string,
): Promise<Opened> {
  const { name, text, materials } = source;
  const compiled = await compiler.ask({ kind: 'compile', text, format: format as never, materials }, signal);
  const others = COMPILED_FORMATS.filter(({ id }) => id !== format);
  // What is said of a text that stays, or comes to be, open is outdated once that is edited.
  const about = compiled.ok || isOpen ? ({ about: 'text' } as const) : {};
  const remark = (title: string, reason: string, kind: Remark['kind']): Remark => ({
    title,
    text: `${reason} Compile it for another game:`,
    kind,
    ...about,
    offers: others.map(({ id, name: other }) => ({ name: other, take: () => compileFor(source, id) })),
  });
  if (!compiled.ok) {
    const problem = new Error(compiled.problem.message);
    if (!compiled.isMapText) throw problem;
    return {
      map: undefined,
      remarks: [remark(`${name} could not be compiled for ${nameOf(format)}`, reasonOf(problem), 'error')],
    };
  }
  const map = await openBytes(compiled.bytes, { ...source, isOwn: false });
  const { warnings } = compiled;
  const title = `${name} was compiled for ${versionOf(map)}`;
  if (warnings.length > 0)
    return { map, remarks: [remark(`${title}, with warnings`, textOf(warnings), 'note')] };
  return { map, remarks: why ? [remark(title, why, 'note')] : [] };
}

/** Asks which of several files is meant: one map is open at a time. */
async function chooseFile(files: readonly File[], signal: AbortSignal): Promise<File | undefined> {
  const entries = files.map(({ name, size }) => ({ path: name, size }));
  const at = await chooseMap(`Which of these ${files.length} files?`, entries, signal);
  return at === undefined ? undefined : files[at];
}

/** Warnings of the compiler, as sentences. */
function textOf(warnings: readonly MapProblem[]): string {
  const shown = warnings.slice(0, MOST_WARNINGS).map((warning) => reasonOf(new Error(warning.message)));
  const more = warnings.length - shown.length;
  return [...shown, ...(more > 0 ? [`And ${more.toLocaleString('en')} more.`] : [])].join(' ');
}

/**
 * Asks which of several maps is meant, by its place, as files of different folders may have the same name. `undefined` for none,
 * or once `signal` says that nobody wants one any more.
 */
function chooseMap(
  title: string,
  maps: readonly InnerMap[],
  signal: AbortSignal,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const close = h(
      'button',
      { class: 'icon-button', type: 'button', 'aria-label': 'Cancel' },
      icon(ICONS.close),
    );
    const list = h(
      'ul',
      {},
      ...maps.map(({ path, size }, k) =>
        h(
          'li',
          {},
          h(
            'button',
            { class: 'wide-button', type: 'button', autofocus: k === 0, onclick: () => finish(k) },
            h('span', {}, path.replace(/^maps\//, '')),
            h('span', { class: 'muted' }, `${Math.max(1, Math.round(size / 1000)).toLocaleString('en')} kB`),
          ),
        ),
      ),
    );
    const dialog = h(
      'dialog',
      { class: 'chooser', 'aria-labelledby': 'chooser-title' },
      h('header', {}, h('h2', { id: 'chooser-title' }, title), close),
      list,
    );
    const finish = (at: number | undefined): void => {
      // Closed first: then the focus goes back to where it was.
      dialog.close();
      dialog.remove();
      resolve(at);
    };
    close.addEventListener('click', () => finish(undefined));
    dialog.addEventListener('cancel', () => finish(undefined));
    signal.addEventListener('abort', () => finish(undefined));
    document.body.append(dialog);
    dialog.showModal();
  });
}
