export { finite } from '../../brushes/assembly/batch';
// Not for JavaScript: see there.
export {
  countLeafs as a,
  writeBrushes as b,
  writeLeaf as c,
  writeNode as d,
} from '../../brushes/assembly/build';
export { placeMoves, testMoves, touchMoves, traceMoves } from './batch';
export { traceTiles, traceTree } from './boxes';
export { build } from './build';
export { placeLine, testLine } from './lines';
