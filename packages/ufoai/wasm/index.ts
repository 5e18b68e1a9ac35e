export { placeMoves, testMoves, touchMoves, traceMoves } from './batch';
export { traceTiles, traceTree } from './boxes';
export { placeLine, testLine } from './lines';
