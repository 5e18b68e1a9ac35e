export { traceTiles, traceTree } from './boxes';
export { placeLine, testLine } from './lines';
