import { checkKind } from '@bspkit/core/format';

/** What stops something: an `AbortSignal`. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Resolves when a signal aborts; never without one. */
export const aborted = (signal: StopSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve();
    else signal?.addEventListener('abort', () => resolve());
  });

/** Throws `TypeError` unless it is a signal, or left out. */
export function checkSignal(signal: StopSignal | undefined, name = 'signal'): void {
  const hasBoth =
    typeof signal?.addEventListener === 'function' && typeof signal.removeEventListener === 'function';
  checkKind(signal === undefined || hasBoth, signal, name, 'an AbortSignal');
}
