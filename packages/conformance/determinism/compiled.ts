import { COMPILE_TARGETS, compileMap, formatMap, parseMap } from '@bspkit/compile';
import { Hash } from './hash.ts';

/** A hash of the bytes that a map's text compiles to, for every game. */
export function compileAll(sources: readonly string[]): Record<string, string> {
  const hashes: Record<string, string> = {};
  for (const { id } of COMPILE_TARGETS) {
    const hash = new Hash();
    for (const source of sources) {
      const map = parseMap(source);
      hash.text(formatMap(map));
      hash.bytes(compileMap(map, { format: id }).bytes);
    }
    hashes[`${id} ${COMPILED}`] = hash.toString();
  }
  return hashes;
}

/** The name of hashes of compiled maps, after the format. */
export const COMPILED = 'compiled';
