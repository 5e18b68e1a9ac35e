import { checkText } from '@bspkit/core/format';
import { checkNames } from '../check.ts';
import { BakeError } from '../error.ts';
import type { BakeKind } from '../kind.ts';
import { decodeText } from '../text.ts';

/** Options of a job of questions. */
export interface BatchParameters {
  /** The first line of the questions' file. */
  readonly header: string;
}

/** The name of a map among a job's inputs, made from the name and hash that a file of questions has for it. */
export function mapInput(name: string, hash = ''): string {
  checkText(name, 'name');
  checkText(hash, 'hash');
  return `map:${name}:${hash}`;
}

/**
 * Rows of questions, of any kind that the formats, movement and scenes know: a chunk's `input` is some lines of the file, its
 * `first` is the number of the first of these, from 1, and its answer is the same lines answered. Maps are inputs, named by
 * {@link mapInput}. Rows that continue from those before them must be in the same chunk: the `sequences` of their kind tell
 * where one may begin.
 */
export const batch: BakeKind<BatchParameters, string> = {
  name: 'batch',
  needsWorld: false,
  inputs: [],
  check(parameters) {
    checkNames(parameters, ['header']);
    if (typeof parameters.header !== 'string')
      throw new TypeError('header must be the first line of the questions');
    return { header: parameters.header };
  },
  // Players and scenes of all games are only loaded by whoever answers rows.
  open: async (context) => (await import('./open-rows.ts')).openRows(context),
  merge: (chunks) => chunks.map(answerText).join(''),
};

/** A chunk's answer as text. Throws `BakeError` (`file`) if it is not text. */
function answerText(answer: Uint8Array, chunk: number): string {
  try {
    return decodeText(answer);
  } catch (cause) {
    throw new BakeError('file', `chunk ${chunk} is not UTF-8`, { chunk, cause });
  }
}
