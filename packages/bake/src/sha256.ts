import { checkArrayOf } from '@bspkit/core/format';
import { BakeError } from './error.ts';

/** The parts of the platform's cryptography that are needed here. */
interface Cryptography {
  readonly subtle?: { digest(algorithm: 'SHA-256', bytes: Uint8Array): Promise<ArrayBuffer> };
}

/**
 * The sha256 of some bytes, in hex.
 * @throws (rejects with) BakeError (`hash`) where there is no `crypto.subtle`, as in pages that are not secure contexts; TypeError
 *   for anything but bytes, and for those that were transferred or cut off.
 */
export async function sha256(bytes: Uint8Array): Promise<string> {
  checkBytes(bytes, 'bytes');
  const { subtle } = (globalThis as { crypto?: Cryptography }).crypto ?? {};
  if (!subtle)
    throw new BakeError(
      'hash',
      'bakes need crypto.subtle, which is missing here: pages have it if they are served by https, or from localhost',
    );
  // It does not accept shared memory.
  const own = bytes.buffer instanceof ArrayBuffer ? bytes : new Uint8Array(bytes);
  const digest = new Uint8Array(await subtle.digest('SHA-256', own));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Throws `TypeError` for anything but an array of bytes, and as {@link checkPresent}. */
export function checkBytes(bytes: unknown, name: string): asserts bytes is Uint8Array {
  checkArrayOf(bytes, Uint8Array, name);
  checkPresent(bytes, name);
}

/** Throws `TypeError` for an array that looks empty because it was transferred, or its buffer made too small for it. */
export function checkPresent(array: Uint8Array | Uint32Array | Float32Array, name: string): void {
  try {
    // As V8 may take an array that was transferred for one with its length still, its buffer is asked, too.
    new Uint8Array((array.length ? array.buffer : array) as ArrayBuffer);
  } catch {
    throw new TypeError(`${name} must not have been transferred or cut off`);
  }
}

/** The sha256 of no bytes, which a job has instead of a map that it does not need. */
export const NO_BYTES = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
