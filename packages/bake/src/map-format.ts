import type { FormatIdentity } from '@bspkit/core/format';
import { detectBsp } from 'bspkit';
import { BakeError } from './error.ts';

/** The id of a map's format. Throws `BakeError` (`format`) where none of these takes the file for its own. */
export function formatIdOf(map: Uint8Array, formats: readonly FormatIdentity[]): string {
  const found = detectBsp(map, formats);
  if (found.format !== undefined) return found.format;
  throw new BakeError('format', `the map is ${found.name}; ${found.advice}`);
}

/** Throws `BakeError` (`format`) for the id of a format that is not among these. */
export function checkFormatId(id: string, formats: readonly FormatIdentity[]): void {
  if (formats.some((format) => format.id === id)) return;
  const known = formats.map((format) => format.id).join(', ');
  throw new BakeError('format', `no such format: '${id}'; known are ${known}`);
}
