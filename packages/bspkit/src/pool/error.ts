/** Why a pool could not answer. */
export type TracePoolErrorCode =
  /** The pool has been closed. */
  | 'closed'
  /** A worker could not be started, or ended before it had answered. */
  | 'worker'
  /** Memory was to be shared where the platform does not allow it. */
  | 'isolation';

/** What went wrong with a pool itself. Errors of tracing and opening are carried over from the workers as they are. */
export class TracePoolError extends Error {
  readonly code: TracePoolErrorCode;

  constructor(code: TracePoolErrorCode, problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = 'TracePoolError';
    this.code = code;
  }
}
