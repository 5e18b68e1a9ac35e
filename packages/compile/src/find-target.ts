import { checkChoice } from '@bspkit/core/format';
import type { CompileTarget } from './target.ts';
import { COMPILE_TARGETS } from './targets.ts';

/** The target of a format. Throws `RangeError` for an unknown one, `TypeError` for anything but a string. */
export function findTarget(format: string, name = 'format'): CompileTarget {
  const ids = COMPILE_TARGETS.map(({ id }) => id);
  checkChoice(format, name, ids);
  return COMPILE_TARGETS.find(({ id }) => id === format)!;
}
