/** Why a pool could not answer. */
export type TracePoolErrorCode =
  /** The pool has been closed. */
  | 'closed'
  /** A worker could not be started, or ended before it had answered. */
  | 'worker'
  /** Memory was to be shared, but the platform does not allow it. */
  | 'isolation';

/** An error of the pool itself. Errors of tracing and opening are passed on from the workers unchanged. */
export class TracePoolError extends Error {
  override name: string = 'TracePoolError';
  readonly code: TracePoolErrorCode;

  constructor(code: TracePoolErrorCode, problem: string, options?: { readonly cause?: unknown }) {
    super(problem, options);
    this.code = code;
  }
}
