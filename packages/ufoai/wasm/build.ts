import { findWorld, first, world } from '../../core/assembly/world';
import { buildBoxes } from './build-boxes';
import { buildLines } from './build-lines';
import { NODES } from './world';

/**
 * Makes what moves are traced through from the part of the world's buffer that has been put at the end of memory and takes `size`
 * bytes. If that ends before the nodes, which lines do not need, it is for lines; otherwise it is for boxes. Returns the
 * bytes of what has been made, or what `shortage` says.
 */
export function build(size: usize): i32 {
  findWorld(size);
  return world + size > first(NODES) ? buildBoxes() : buildLines();
}
