import type { Bytes } from '@bspkit/core';
import { type FormatIdentity, toBytes } from '@bspkit/core/detect';
import { describeForeign } from './describe.ts';
import { checkFormats, findFormat } from './find.ts';
import { FORMATS, type FormatId } from './formats.ts';

/** A map that can be opened, by its first bytes. */
export interface DetectedMap<I extends string = FormatId> {
  readonly format: I;
  /** For people, such as `IBSP 46`. */
  readonly version: string;
  /** What it is, to follow "the file is". */
  readonly name: string;
}

/** Anything else. */
export interface DetectedForeign {
  readonly format: undefined;
  readonly version: undefined;
  /** What it is, to follow "the file is": `a zip archive (pk3)`, `empty`. */
  readonly name: string;
  /** What to do about it. */
  readonly advice: string;
}

/** What a file is. `format` shows whether it can be opened. */
export type Detected<I extends string = FormatId> = DetectedMap<I> | DetectedForeign;

/**
 * Finds out what a file is, by a list of formats.
 *
 * @param formats - the formats to look for, {@link FORMATS} by default.
 * @throws TypeError for anything but a buffer or a `Uint8Array`, and for anything but such a list.
 */
export function detectBsp(bytes: Bytes, formats: readonly FormatIdentity[]): Detected<string>;
/**
 * Finds out what a file is by its first bytes: format and version of a map that can be opened, or what else it is and what to do
 * about it. Loads nothing; the first 64 bytes are enough.
 *
 * @throws TypeError for anything but a buffer or a `Uint8Array`.
 */
export function detectBsp(bytes: Bytes): Detected;
export function detectBsp(bytes: Bytes, formats: readonly FormatIdentity[] = FORMATS): Detected<string> {
  const file = toBytes(bytes);
  checkFormats(formats);
  const found = findFormat(file, formats);
  if (found) return { format: found.entry.id, version: found.version, name: found.name };
  return { format: undefined, version: undefined, ...describeForeign(file, formats) };
}
