import { checkObject, plainOf } from '@bspkit/core/format';
import { findTarget } from './find-target.ts';
import type { MapSource, SourceBrush } from './source.ts';
import type { CompiledMap } from './target.ts';
import type { CompileOptions } from './targets.ts';

/**
 * Compiles a map, or brushes alone, to the bytes of a BSP file. The same input gives the same bytes.
 *
 * @throws CompileError with the entity, the brush and, for map text, the line: a brush that is not closed or has no volume, a
 *   degenerate plane, an unknown material, a count or coordinate beyond the format's limits. `RangeError` for an unknown format,
 *   and for an option's value out of range, such as four `hulls` for Quake; `TypeError` for an option that the format does not
 *   have, and for a value of the wrong kind.
 */
export function compileMap(map: MapSource | readonly SourceBrush[], options: CompileOptions): CompiledMap {
  checkObject(options, 'options');
  const { format, ...rest } = plainOf(options);
  return findTarget(format).compile(map, rest);
}
