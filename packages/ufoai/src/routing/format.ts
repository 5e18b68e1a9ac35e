import type { FormatRouting, WalkCells } from '@bspkit/core/format';
import { cellToWorld } from '../cells.ts';
import { CELL_SIZE, LEVEL_HEIGHT } from '../constants.ts';
import type { UfoaiFile } from '../file.ts';
import type { UfoaiWorld } from '../world.ts';
import { computeRouting, createRoutingWork, joinRoutingParts } from './compute.ts';
import { joinRouting } from './join.ts';
import { decodeRouting, encodeRouting } from './lump.ts';
import { createPathfinder, createStepper, MAX_PATH_TIME, NOT_REACHED } from './pathfinder.ts';
import {
  ACTOR_BYTES,
  CEILINGS,
  CELLS,
  CONNECTIONS,
  cellIndex,
  DIRECTIONS,
  FLOORS,
  QUANT,
  type UfoaiRouting,
} from './table.ts';

// What code that does not know the game can ask about its table.

/** Parts of an actor's table: their names, where they begin, and how many bytes they have per cell. */
const PARTS: readonly (readonly [name: string, begin: number, width: number])[] = [
  ['step', 0, DIRECTIONS],
  ['connection', CONNECTIONS, DIRECTIONS],
  ['floor', FLOORS, 1],
  ['ceiling', CEILINGS, 1],
];

const show = (cell: ArrayLike<number>): string => Array.from(cell).join(' ');

function difference(one: Uint8Array, other: Uint8Array): string | undefined {
  if (sameBytes(one, other)) return undefined;
  const [a, b] = [decodeRouting(one), decodeRouting(other)];
  for (const corner of ['mins', 'maxs'] as const) {
    const [own, their] = [show(a[corner]), show(b[corner])];
    if (own !== their) return `${corner} of the cells: ${own} against ${their}`;
  }
  const at = a.bytes.findIndex((byte, k) => byte !== b.bytes[k]);
  return at < 0 ? 'packed differently, with the same values' : placeOf(a, b, at);
}

/** Describes a place in the table, with both of its values. */
function placeOf(a: UfoaiRouting, b: UfoaiRouting, at: number): string {
  const actor = at < ACTOR_BYTES ? 1 : 2;
  const within = at % ACTOR_BYTES;
  const [name, begin, width] = [...PARTS].reverse().find(([, first]) => within >= first)!;
  const cell = Math.floor((within - begin) / width);
  const direction = width === 1 ? '' : `, direction ${(within - begin) % width}`;
  const place = `${cell & 255} ${(cell >> 8) & 255} ${cell >> 16}`;
  const size = actor === 1 ? '1 cell' : '2 by 2 cells';
  return `cell ${place}${direction}: ${name} ${a.bytes[at]} against ${b.bytes[at]}, for actors of ${size}`;
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, k) => byte === b[k]);

/** Cells in which an actor can stand, in how many directions it can leave them, and where to. */
function cells(packed: Uint8Array, size = 1): WalkCells {
  const actor = size === 2 ? 2 : 1;
  const routing = decodeRouting(packed);
  const table = routing.actors[actor - 1]!;
  const step = createStepper(routing, actor);
  const finder = createPathfinder(routing, actor);
  const numbers = new Int32Array(CELLS).fill(-1);
  const standing = finder.standing();
  const standable = standing.map(([x, y, z]) => cellIndex(x!, y!, z!));
  const positions: number[] = [];
  const ways: number[] = [];
  // A larger actor's cell is the one with the lowest x and y.
  const toMiddle = ((actor - 1) * CELL_SIZE) / 2;
  for (const [k, cell] of standable.entries()) {
    numbers[cell] = k;
    const [x, y, middle] = cellToWorld(standing[k]!);
    positions.push(x + toMiddle, y + toMiddle, middle - LEVEL_HEIGHT / 2 + QUANT * table.floors[cell]!);
    let count = 0;
    for (let direction = 0; direction < DIRECTIONS; direction++) if (step(cell, direction) >= 0) count++;
    ways.push(count);
  }
  return {
    positions: Float32Array.from(positions),
    ways: Uint8Array.from(ways),
    size: CELL_SIZE,
    levelHeight: LEVEL_HEIGHT,
    mostTime: MAX_PATH_TIME,
    reach(from, { limit = MAX_PATH_TIME, crouched = false } = {}) {
      const reach = finder.reach(standing[from]!, { limit });
      const stance = crouched ? 1 : 0;
      const costs = new Int16Array(standable.length).fill(-1);
      const previous = new Int32Array(standable.length).fill(-1);
      for (const [k, cell] of standable.entries()) {
        const cost = reach.costs[stance][cell]!;
        // The last step of a search may lead beyond the limit.
        if (cost === NOT_REACHED || cost > limit) continue;
        costs[k] = cost;
        // Cells that are only fallen through are left out.
        let before = reach._before(cell, stance);
        while (before >= 0 && numbers[before]! < 0) before = reach._before(before, stance);
        if (before >= 0) previous[k] = numbers[before]!;
      }
      return { costs, previous };
    },
  };
}

/** The routing table, for code that does not know the game. */
export const routing: FormatRouting<UfoaiFile> = {
  stored: ({ lumps }) => lumps.routing,
  compute: (file, onProgress) => encodeRouting(computeRouting(file, { onProgress })),
  assemble: (files, world, onProgress) =>
    encodeRouting(joinRouting(world as UfoaiWorld, files, { onProgress })),
  work: createRoutingWork,
  join: (parts) => encodeRouting(joinRoutingParts(parts)),
  difference,
  cell: CELL_SIZE,
  sizes: [1, 2],
  cells,
};
