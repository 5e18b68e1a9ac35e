/** Why a bake could not be made or read. */
export type BakeErrorCode =
  /** A job that cannot be: a field is missing or wrong. */
  | 'job'
  /** A kind that nobody knows here. */
  | 'kind'
  /** A format of maps that nobody knows here. */
  | 'format'
  /** Bytes that are not those of the job: their sha256 differs. */
  | 'hash'
  /** Bytes that a job names are not available. */
  | 'absent'
  /** A file that is no bake, or holds what no bake has. */
  | 'file'
  /** A file of a bake whose job or inputs are damaged. */
  | 'damaged'
  /** A file that holds another job than the one to be resumed. */
  | 'other-job'
  /** A file that is not finished. */
  | 'unfinished'
  /** A chunk that failed however often it was tried, or whose answer is not as long as its kind says. */
  | 'chunk'
  /** A worker ended before it had answered. */
  | 'worker'
  /**
   * The pool or whatever else runs chunks answers no more: it has been closed, its worker is another script, or no worker
   * of it could start. Or a file's store has been closed.
   */
  | 'closed';

/** What went wrong with a bake. The message says it for people. */
export class BakeError extends Error {
  readonly code: BakeErrorCode;
  /** The chunk that it is about, where it is about one. */
  readonly chunk: number | undefined;

  constructor(
    code: BakeErrorCode,
    problem: string,
    { chunk, ...options }: { readonly chunk?: number; readonly cause?: unknown } = {},
  ) {
    super(problem, options);
    this.name = 'BakeError';
    this.code = code;
    this.chunk = chunk;
  }
}

/**
 * Whether an error says that whoever was asked does not know what a job is of: its kind, or its map's format. Others who know
 * more may answer it; asking the same ones again is of no use.
 */
export const isUnknown = (error: unknown): boolean =>
  error instanceof BakeError && (error.code === 'kind' || error.code === 'format');

/** The message of anything that was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
