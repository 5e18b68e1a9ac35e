import type { FixtureName } from '@bspkit/fixtures/list';
import { preloadWalker } from '../games/index.ts';
import type { Compiler } from '../loading/compiler.ts';
import { openBytes, preloadFormat } from '../loading/open.ts';
import type { Changes } from './edits.ts';
import type { Remark } from './notice.ts';
import type { OpenMap } from './open-map.ts';

/** A file's content, and what it is called. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The text of a map, and what is known of it. */
export interface Source extends Pick<OpenMap, 'name' | 'materials'> {
  readonly text: string;
  /** The text as it came. */
  readonly original: string;
}

/** What came of opening something. */
export interface Opened {
  /** Not there where there was none, or none was chosen. */
  readonly map: OpenMap | undefined;
  /** What a visitor should know of it, though it is open. */
  readonly remarks?: readonly Remark[];
  /** Something that a tool takes, alone or beside the map. */
  readonly forTool?: NamedBytes | undefined;
}

/** Who opens maps. */
export interface Opener {
  readonly compiler: Pick<Compiler, 'ask'>;
  /** Aborted when something else is wanted: a large map can take the compiler minutes. */
  readonly signal: AbortSignal;
}

/** One of our own maps as it was edited, compiled for a game. Throws what the compiler says. */
export async function openEdited(
  { compiler, signal }: Opener,
  { name, text = '', original }: Pick<OpenMap, 'name' | 'text' | 'original'>,
  format: string,
): Promise<Opened> {
  const work = { kind: 'compile', text, format: format as never, materials: undefined } as const;
  const compiled = await compiler.ask(work, signal);
  if (!compiled.ok) throw new Error(compiled.problem.message);
  return { map: await openBytes(compiled.bytes, { name, isOwn: true, text, original }) };
}

/** One of our own maps, compiled for a game, with changes of a link. Throws what the compiler says. */
export async function openOwnMap(
  { compiler, signal }: Opener,
  name: FixtureName,
  format: string,
  changes: Changes | undefined,
): Promise<Opened> {
  // Fetched while the worker compiles. Whatever cannot be fetched says so when it is needed.
  Promise.all([preloadFormat(format), preloadWalker(format)]).catch(() => {});
  const made = await compiler.ask({ kind: 'own', name, format: format as never, changes }, signal);
  const { bytes, text, original, problem } = made;
  const map = await openBytes(bytes, { name, isOwn: true, text, original });
  if (!problem) return { map };
  return {
    map,
    remarks: [
      { title: 'The changes in this link do not compile', text: problem, kind: 'error', about: 'text' },
    ],
  };
}
