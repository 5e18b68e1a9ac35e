import { first } from '../../core/assembly/world';
import { buildBoxes } from './build-boxes';
import { buildLines } from './build-lines';
import { NODES } from './world';

/**
 * Makes what moves are traced through from so much of the world's buffer as has been put at the beginning of the memory,
 * which takes so many bytes: for lines, where it ends before the nodes, which they do not ask for; else for boxes.
 * Returns the bytes of what has been made, or what `shortage` says.
 */
export function build(size: usize): i32 {
  return size > first(NODES) ? buildBoxes(size) : buildLines(size);
}
