/** Why a bake could not be made or read. */
export type BakeErrorCode =
  /** An invalid job: a field is missing or wrong. */
  | 'job'
  /** A kind that is not known here. */
  | 'kind'
  /** A format of maps that is not known here. */
  | 'format'
  /** Bytes that are not those of the job: their sha256 differs. */
  | 'hash'
  /** Bytes that a job names are not available. */
  | 'absent'
  /** Bytes that a job names are too large for a queue, and the worker does not have them. */
  | 'too-large'
  /** A worker at a queue has another version of this package. */
  | 'version'
  /** A file that is not a bake, or contains what no bake has. */
  | 'file'
  /** A file of a bake whose job or inputs are damaged. */
  | 'damaged'
  /** A file that contains another job than the one to be resumed. */
  | 'other-job'
  /** A file that is not finished. */
  | 'unfinished'
  /** A chunk that failed however often it was tried, or whose answer is not as long as its kind says. */
  | 'chunk'
  /** A worker ended before it had answered. */
  | 'worker'
  /**
   * The pool, or whatever else runs chunks, answers no more: it has been closed, its worker is another script, or none of its
   * workers could start. Or a file's store has been closed.
   */
  | 'closed';

/** What went wrong with a bake. The message explains it for people. */
export class BakeError extends Error {
  override name: string = 'BakeError';
  readonly code: BakeErrorCode;
  /** The chunk that it is about, if it is about one. */
  readonly chunk: number | undefined;

  constructor(
    code: BakeErrorCode,
    problem: string,
    { chunk, ...options }: { readonly chunk?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(problem, options);
    this.code = code;
    this.chunk = chunk;
  }
}

const LACKS: readonly BakeErrorCode[] = ['kind', 'format', 'too-large', 'version'];

/**
 * Whether an error says that whoever was asked lacks something that a job needs: it does not know the job's kind or its map's
 * format, say. Others may answer it; asking the same ones again is of no use.
 */
export const isLacking = (error: unknown): error is BakeError =>
  error instanceof BakeError && LACKS.includes(error.code);
