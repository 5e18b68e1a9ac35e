import { BspError } from '@bspkit/core';
import { type Foreign, foreignFile, foreignIbsp } from './foreign.ts';

/** A map that can be opened, by its first bytes. */
export type DetectedMap =
  | { readonly format: 'quake1'; readonly version: 29 | 30 | 'BSP2' | '2PSB'; readonly name: string }
  | { readonly format: 'quake3'; readonly version: 46 | 47; readonly name: string }
  | { readonly format: 'ufoai'; readonly version: 78 | 79; readonly name: string };

/** Anything else. */
export interface DetectedForeign extends Foreign {
  readonly format: undefined;
  /** Set for IBSP files of a version that is not read. */
  readonly version: number | undefined;
}

/** What a file is. `format` tells whether it can be opened. */
export type Detected = DetectedMap | DetectedForeign;

/**
 * Says what a file is by its first bytes: format and version of a map that can be opened, or what else it is and what
 * to do about it. Loads nothing, and the first 64 bytes are enough.
 */
export function detectBsp(bytes: Uint8Array | ArrayBufferLike): Detected {
  const file = toBytes(bytes);
  const magic = String.fromCharCode(...file.subarray(0, 4));
  if (magic === 'BSP2' || magic === '2PSB') {
    return { format: 'quake1', version: magic, name: `a Quake map (${magic})` };
  }
  if (file.length >= 8) {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    if (magic === 'IBSP') return detectIbsp(view.getInt32(4, true));
    const number = view.getInt32(0, true);
    if (number === 29) return { format: 'quake1', version: 29, name: 'a Quake map (BSP 29)' };
    if (number === 30) return { format: 'quake1', version: 30, name: 'a Half-Life map (BSP 30)' };
  }
  return { format: undefined, version: undefined, ...foreignFile(file, magic) };
}

function detectIbsp(version: number): Detected {
  if (version === 46 || version === 47) {
    return { format: 'quake3', version, name: `a Quake 3 map (IBSP ${version})` };
  }
  if (version === 78 || version === 79) {
    return { format: 'ufoai', version, name: `a UFO:AI map (IBSP ${version})` };
  }
  return { format: undefined, version, ...foreignIbsp(version) };
}

/** A file's bytes, however they are held. Throws `TypeError` for what holds none. */
export function toBytes(bytes: Uint8Array | ArrayBufferLike): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  const kind = Object.prototype.toString.call(bytes);
  if (kind === '[object ArrayBuffer]' || kind === '[object SharedArrayBuffer]') return new Uint8Array(bytes);
  throw new TypeError(`bytes must be a Uint8Array or an ArrayBuffer, got ${typeof bytes}`);
}

/** The error for a file that is none of our maps. */
export function foreignError({ name, advice, version }: DetectedForeign): BspError {
  return new BspError(
    version === undefined ? 'magic' : 'version',
    { format: 'bsp' },
    `the file is ${name}; ${advice}`,
  );
}
