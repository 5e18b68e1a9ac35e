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
  checkArrayOf(bytes, Uint8Array, 'bytes');
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

/** The sha256 of no bytes, which a job has instead of a map that it does not need. */
export const NO_BYTES = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
