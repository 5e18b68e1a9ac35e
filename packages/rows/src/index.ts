export { sameCell } from './compare.ts';
export { type CellCheck, type Differences, findDifferences } from './differences.ts';
export { checkHeader } from './header.ts';
export { joinKinds, type LineSequences, type OpenOptions, type OpenTable, openTable } from './open.ts';
export { formatRow, parseHeader, parseRow, parseTable, type RowLine, type Table } from './table.ts';
