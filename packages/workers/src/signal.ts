import { checkKind } from '@bspkit/core/format';

/** What stops something: an `AbortSignal`. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A signal of ours: the platform's own `AbortSignal`, as its types have it, or what we need of one where they have none. */
export type OwnSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : StopSignal;

/** Our listener on a signal, and the functions it calls. */
interface Listener {
  readonly calls: Set<() => void>;
  readonly abort: () => void;
}

const listeners: WeakMap<StopSignal, Listener> = /* @__PURE__ */ new WeakMap();

/**
 * Calls `stop` when a signal aborts, until the function that it returns is called. However many wait, a signal has only one
 * listener of ours: one signal may stop everything that a server does, and Node warns of a leak if it has more than ten.
 */
export function onAbort(signal: StopSignal | undefined, stop: () => void): () => void {
  if (!signal) return () => {};
  const { calls, abort } = listeners.get(signal) ?? listen(signal);
  // A function of its own, since the same `stop` may be waiting twice.
  const call = (): void => stop();
  calls.add(call);
  return () => {
    if (!calls.delete(call) || calls.size > 0) return;
    listeners.delete(signal);
    signal.removeEventListener('abort', abort);
  };
}

function listen(signal: StopSignal): Listener {
  const calls = new Set<() => void>();
  const abort = (): void => {
    for (const call of calls) call();
  };
  signal.addEventListener('abort', abort);
  const listener = { calls, abort };
  listeners.set(signal, listener);
  return listener;
}

/** Waits for a promise until one of some signals aborts, and leaves no listeners on them. */
export async function unlessAborted(
  promise: Promise<unknown>,
  ...signals: readonly (StopSignal | undefined)[]
): Promise<void> {
  let leave: (() => void)[] = [];
  const aborted = new Promise<void>((resolve) => {
    leave = signals.map((signal) => onAbort(signal, resolve));
    if (signals.some((signal) => signal?.aborted)) resolve();
  });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    for (const off of leave) off();
  }
}

/** Throws `TypeError` unless it is a signal, or left out. */
export function checkSignal(signal: StopSignal | undefined, name = 'signal'): void {
  const hasBoth =
    typeof signal?.addEventListener === 'function' && typeof signal.removeEventListener === 'function';
  checkKind(signal === undefined || hasBoth, signal, name, 'an AbortSignal');
}
