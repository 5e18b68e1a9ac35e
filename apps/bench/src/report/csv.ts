import { MOVES } from '../movement/measure.ts';
import { type Report, ratio } from '../result.ts';

const HEAD =
  'date,node,clock,map,shape,motion,queries,peer,median_ns,least_ns,greatest_ns,ratio,agreement,bytes';

/** Name of the file that keeps the results of one kind of processor. */
export function cpuFileName(cpu: string): string {
  const slug = cpu
    .toLowerCase()
    .replace(/\((r|tm)\)/g, ' ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${slug || 'unknown'}.csv`;
}

const cell = (value: string | number): string => {
  // Counts are whole, however many digits they have.
  const isMeasured = typeof value === 'number' && !Number.isInteger(value);
  const text = isMeasured ? String(Number(value.toPrecision(5))) : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Adds a report's rows to a file of such rows, which is started if there is none. */
export function appendCsv(existing: string | undefined, report: Report): string {
  const { date } = report;
  const rows = report.maps.flatMap(({ map, series, moves }) => [
    ...series.flatMap((one) =>
      one.peers.map((peer) =>
        [
          ...[date, report.node, report.clock, map, one.shape, one.motion, one.queries, peer.name],
          ...[peer.time!.median, peer.time!.min, peer.time!.max, ratio(one, peer)],
          ...[peer.agreement.share, peer.allocated!],
        ]
          .map(cell)
          .join(','),
      ),
    ),
    ...(moves?.peers ?? []).map((peer) =>
      [
        ...[date, report.node, report.clock, map, MOVES, moves!.motion, moves!.commands, peer.name],
        ...[peer.time.median, peer.time.min, peer.time.max, peer.time.median / moves!.peers[0]!.time.median],
        ...[peer.same, peer.allocated],
      ]
        .map(cell)
        .join(','),
    ),
  ]);
  // What an interrupted run has left in the middle of a row stays a row of its own.
  const before = (existing ?? HEAD).replace(/\n?$/, '\n');
  return [before, ...rows.map((row) => `${row}\n`)].join('');
}

/** Rows of such a file, each by the names in its heading; without those that are not whole. */
export function readCsv(text: string): Record<string, string>[] {
  const [head, ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
      ),
    );
  const whole = rows.filter((cells) => cells.length === head!.length);
  return whole.map((cells) => Object.fromEntries(head!.map((name, k) => [name, cells[k] ?? ''])));
}
