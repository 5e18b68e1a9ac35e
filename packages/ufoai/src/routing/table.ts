import { checkKind, printAsString } from '@bspkit/core/format';
import { LEVEL_COUNT, WORLD_CELLS } from '../constants.ts';

/** Cells of the whole grid. */
export const CELLS: number = WORLD_CELLS * WORLD_CELLS * LEVEL_COUNT;
/** How many directions the table has. */
export const DIRECTIONS = 8;
/** Bytes of the table for one size of actor: steps, connections, floors, ceilings. */
export const ACTOR_BYTES: number = CELLS * (2 * DIRECTIONS + 2);
/** Bytes of the table for both sizes. */
export const TABLE_BYTES: number = 2 * ACTOR_BYTES;

/** Where the parts of an actor's table begin. */
export const CONNECTIONS: number = CELLS * DIRECTIONS;
export const FLOORS: number = 2 * CONNECTIONS;
export const CEILINGS: number = FLOORS + CELLS;

/** Quake units per quant, the table's unit of height. */
export const QUANT = 4;
/** Height of a cell in quants. */
export const LEVEL_QUANTS = 16;
/**
 * The level of the lowest floors. Levels below 0 have no place in the tables: as the game's compiler writes them, their floors
 * overwrite connections of the highest levels, and their ceilings overwrite floors there.
 */
export const LOWEST = -2;

/** Where each direction leads, in x and y: the straight ones, then the diagonal ones. The opposite of d is d ^ 1. */
export const DX: Int8Array = Int8Array.of(1, -1, 0, 0, 1, -1, -1, 1);
export const DY: Int8Array = Int8Array.of(0, 0, 1, -1, 1, -1, 1, -1);

/** The rise of a step that no actor can make. */
export const NO_STEP = 32;
/** Flags of a step: it leads one level up, or down. */
export const STEP_UP = 0x80;
export const STEP_DOWN = 0x40;

/** Number of a cell in the tables. */
export const cellIndex = (x: number, y: number, z: number): number => ((z * WORLD_CELLS + y) << 8) + x;

/**
 * The table for actors of one size. Heights are in units of 4 Quake units from the bottom of a cell. A cell's index is `(z * 256
 * + y) * 256 + x`; arrays with a value per direction have it at 8 times that, plus the direction.
 */
export interface ActorRouting {
  /** Rise of a step, or 32 if there is no step, with flags 0x80 (a level up) and 0x40 (a level down). */
  readonly stepUps: Uint8Array;
  /** Height of the passage to the neighbouring cell; 0 if it is closed. */
  readonly connections: Uint8Array;
  /** Height of the floor; below 0 if it is in a cell further down. */
  readonly floors: Int8Array;
  /** Height of the ceiling; 0 if the cell is filled. */
  readonly ceilings: Uint8Array;
}

/** Whether one can stand in a cell: of all cells that share a floor, this is the one that contains it. */
export function isStandingCell({ floors, ceilings }: ActorRouting, cell: number): boolean {
  return ceilings[cell] !== 0 && floors[cell]! >= 0 && floors[cell]! < LEVEL_QUANTS;
}

/** The routing table (where soldiers can go) of a map. Made by `readRouting`, `computeRouting` and `joinRouting`. */
export class UfoaiRouting {
  /** Cells that the map covers, as the game's compiler stores them. */
  readonly mins: Int32Array;
  /** One beyond the last cell in x and y, the last one in z. */
  readonly maxs: Int32Array;
  /** Both tables as they are in the file, unpacked: 18,874,368 bytes. */
  readonly bytes: Uint8Array;
  /** The tables of actors of one cell, and of two by two cells. */
  readonly actors: readonly [ActorRouting, ActorRouting];
  /** @internal Which map it is of; `undefined` for a table out of bytes that do not say so. */
  readonly _origin: string | undefined;

  /** @internal */
  constructor(mins: Int32Array, maxs: Int32Array, bytes: Uint8Array, origin?: string) {
    this.mins = mins;
    this.maxs = maxs;
    this.bytes = bytes;
    this.actors = [actorTable(bytes, 0), actorTable(bytes, ACTOR_BYTES)];
    this._origin = origin;
    printAsString(this);
  }

  /** @internal */
  toString(): string {
    return `UfoaiRouting { cells ${this.mins.join(' ')} to ${this.maxs.join(' ')} }`;
  }
}

function actorTable({ buffer, byteOffset }: Uint8Array, at: number): ActorRouting {
  const from = byteOffset + at;
  return {
    stepUps: new Uint8Array(buffer, from, CONNECTIONS),
    connections: new Uint8Array(buffer, from + CONNECTIONS, CONNECTIONS),
    floors: new Int8Array(buffer, from + FLOORS, CELLS),
    ceilings: new Uint8Array(buffer, from + CEILINGS, CELLS),
  };
}

/** Throws `TypeError` for anything but a routing, and for one whose bytes were transferred. */
export function checkRouting(routing: UfoaiRouting): void {
  checkKind(
    routing instanceof UfoaiRouting,
    routing,
    'routing',
    'what readRouting or computeRouting has made',
  );
  checkThere(routing.bytes, 'bytes of the routing');
}

/**
 * Throws `TypeError` for a table whose buffer was transferred to another thread: it has no numbers any more, and whoever read them
 * would answer whatever comes out.
 */
export function checkThere({ length }: { readonly length: number }, what: string): void {
  if (length === 0) throw new TypeError(`the ${what} were transferred: use them where they are now`);
}
