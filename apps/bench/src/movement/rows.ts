import type { RowFile } from '@bspkit/fixtures/recorded';

/** Recorded rows: the header, and each row's cells by the names of their columns. */
export interface Rows {
  readonly header: Readonly<Record<string, unknown>>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Reads rows of a file: a header line with `columns`, then one array per row. */
export function readRows(file: RowFile): Rows {
  const [first, ...lines] = file.read().trim().split('\n');
  const header = JSON.parse(first!) as Rows['header'];
  const columns = header.columns as readonly string[];
  const rows = lines.map((line) => {
    const cells = JSON.parse(line) as unknown[];
    return Object.fromEntries(columns.map((name, k) => [name, cells[k]]));
  });
  return { header, rows };
}
