/** Why a queue could not be used. */
export type QueueErrorCode =
  /** The address is not that of a queue. */
  | 'url'
  /** Nothing answers at the address. */
  | 'unreachable'
  /** The queue wants another user or password, or does not allow this one enough. */
  | 'denied'
  /** Something answers, but it is not a Redis. */
  | 'not-redis'
  /** A Redis that is too old. */
  | 'version'
  /** The queue was there and has been gone for longer than the caller wants to wait. */
  | 'lost'
  /** The queue refuses what it is given, because it is full, for example. */
  | 'refused';

/** What went wrong with a queue itself. The message explains it for people, without the password. */
export class QueueError extends Error {
  override name: string = 'QueueError';
  readonly code: QueueErrorCode;

  constructor(code: QueueErrorCode, problem: string, options?: { readonly cause?: unknown }) {
    super(problem, options);
    this.code = code;
  }
}
