/** Why a queue could not be used. */
export type QueueErrorCode =
  /** An address that is not one of a queue. */
  | 'url'
  /** Nothing answers at the address. */
  | 'unreachable'
  /** The queue wants another user or password, or allows this one too little. */
  | 'denied'
  /** Something answers, and it is not a Redis. */
  | 'not-redis'
  /** A Redis that is too old. */
  | 'version'
  /** The queue was there and has been gone for longer than the caller wants to wait. */
  | 'lost'
  /** The queue refuses what it is given: it is full, say. */
  | 'refused';

/** What went wrong with a queue itself. The message says it for people, without the password. */
export class QueueError extends Error {
  readonly code: QueueErrorCode;

  constructor(code: QueueErrorCode, problem: string, options?: { readonly cause?: unknown }) {
    super(problem, options);
    this.name = 'QueueError';
    this.code = code;
  }
}
