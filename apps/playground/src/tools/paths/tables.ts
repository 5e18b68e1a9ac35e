import type { WalkCells } from '@bspkit/core/format';
import type { OpenMap } from '../../app/open-map.ts';
import { askWorker } from '../run.ts';
import type { WorkQuestion } from '../serve.ts';

/** A map's table of where walkers can go. */
export class Table {
  /** Whether it lies in the file; it was worked out here otherwise. */
  readonly isStored: boolean;
  private readonly _map: OpenMap;
  private readonly _packed: Uint8Array;
  private readonly _cells = new Map<number, WalkCells>();

  constructor(map: OpenMap, packed: Uint8Array, isStored: boolean) {
    this._map = map;
    this._packed = packed;
    this.isStored = isStored;
  }

  /** The cells that walkers of a size can stand in, found once. Throws `BspError` for a broken table. */
  cells(size: number): WalkCells {
    const cells = this._cells.get(size) ?? this._map.format.routing!.cells(this._packed, size);
    this._cells.set(size, cells);
    return cells;
  }
}

/** Tables that were opened or worked out, for as long as their maps are open. */
const tables = new WeakMap<OpenMap['file'], Table>();

/**
 * The table that lies in a map's file, or was worked out before; `undefined` where there is none yet. Throws `BspError`
 * for a broken one.
 */
export function knownTable(map: OpenMap): Table | undefined {
  const { format, file } = map;
  const known = tables.get(file);
  if (known) return known;
  const { stored, sizes } = format.routing!;
  const packed = stored(file);
  if (packed.length === 0) return undefined;
  const table = new Table(map, packed, true);
  // Some compilers leave a table in which nobody can stand anywhere.
  if (table.cells(sizes[0]!).ways.length === 0) return undefined;
  tables.set(file, table);
  return table;
}

/**
 * Has a map's table worked out by a worker.
 * @returns the table to come, which rejects with what is wrong, and what ends the work: then it never settles.
 */
export function computeTable(
  map: OpenMap,
  onProgress: (part: number) => void,
): { readonly table: Promise<Table>; stop(): void } {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'paths' });
  let stop = (): void => {};
  const table = new Promise<Table>((resolve, reject) => {
    const question = { format: map.format.id, bytes: map.bytes };
    stop = askWorker<WorkQuestion, Uint8Array>(worker, 'the computation', question, (message) => {
      if ('part' in message) onProgress(message.part);
      else if ('error' in message) reject(new Error(message.error));
      else {
        const made = new Table(map, message.result, false);
        tables.set(map.file, made);
        resolve(made);
      }
    });
  });
  return { table, stop };
}
