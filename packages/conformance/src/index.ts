export type { Answerer, Answering, MapSource } from './answer.ts';
export { firstDifference, sameCell } from './compare.ts';
export { type OpenTable, openTable } from './open.ts';
export { type Differences, findDifferences } from './run.ts';
export {
  type Cell,
  columnPlaces,
  float,
  float32Cell,
  formatRow,
  type Header,
  parseHeader,
  parseRow,
  parseTable,
  type Row,
  type Table,
  type TileHeader,
} from './table.ts';
