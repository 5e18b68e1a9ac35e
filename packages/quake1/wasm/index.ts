import { LEAF_CONTENTS, LEAF_CONTENTS_MASK, START, TOO_FAR } from '../src/wasm/layout';
import { isFar, leafAt } from './treelet';

export { finite, walkMoves } from './batch';
export { build } from './build';
export { walk } from './walk';

/** The contents at START, as a number above 0. */
export function contents(head: i32): i32 {
  const start = v128.load(START);
  if (isFar(start, start)) return TOO_FAR;
  return (leafAt(head, start) >> LEAF_CONTENTS) & LEAF_CONTENTS_MASK;
}
