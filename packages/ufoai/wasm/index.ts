export { finite } from '../../brushes/assembly/batch';
export { placeMoves, testMoves, touchMoves, traceMoves } from './batch';
export { traceTiles, traceTree } from './boxes';
export { build } from './build';
export { placeLine, testLine } from './lines';
