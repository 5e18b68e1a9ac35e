import type { Bounds, BoxWorld, BspWorld, Vec3 } from '@bspkit/core';
import { type BoxEntity, floatCells, type Row, type RowHeader, type RowSource } from '@bspkit/core/format';
import type { Collider } from '../collider.ts';

// What rows of scenes share, whatever the game.

type Axis = 'x' | 'y' | 'z';

/** A column of a move: a coordinate of its ends, or of the box that is moved. */
export type MoveColumn = `${'s' | 'e' | 'min' | 'max'}${Axis}`;

/** The columns of a move, to which rows may add others. */
export const MOVE_COLUMNS: readonly MoveColumn[] = (['s', 'e', 'min', 'max'] as const).flatMap((corner) =>
  (['x', 'y', 'z'] as const).map((axis) => `${corner}${axis}` as const),
);

type MovePlaces = Readonly<Record<MoveColumn, number>>;

/** The move that a row is about. */
export interface RowMove extends Bounds {
  readonly start: Vec3;
  readonly end: Vec3;
}

/** Reads the cells of {@link MOVE_COLUMNS}. */
export function readMove(row: Row, at: MovePlaces): RowMove {
  return {
    start: floatCells(row, [at.sx, at.sy, at.sz]),
    end: floatCells(row, [at.ex, at.ey, at.ez]),
    mins: floatCells(row, [at.minx, at.miny, at.minz]),
    maxs: floatCells(row, [at.maxx, at.maxy, at.maxz]),
  };
}

/** The map that a header names, if its world can be traced with boxes. */
export function openWorld<W extends BspWorld & BoxWorld>(header: RowHeader, { format, load }: RowSource): W {
  const file = format.read(load(header.game, header.map, header.sha256));
  return format.createWorld([file]) as W;
}

/** A world with models that are bodies. */
export interface ModelWorld extends BspWorld {
  /** An inline model, from 1. Throws `RangeError` when there is no such model. */
  model(number: number): Collider;
}

/**
 * What entities are made from. Colliders are reused from one list of entities to the next, so that tracers need not be made for
 * each list.
 */
export class RowColliders {
  private readonly _world: ModelWorld;
  private readonly _source: RowSource;
  private readonly _models: Map<number, Collider> = new Map();
  private readonly _boxes: BoxEntity[] = [];
  private _used = 0;

  constructor(world: ModelWorld, source: RowSource) {
    this._world = world;
    this._source = source;
  }

  /** Makes the boxes of the last list available again. */
  reset(): void {
    this._used = 0;
  }

  model(number: number): Collider {
    let model = this._models.get(number);
    if (!model) {
      model = this._world.model(number);
      this._models.set(number, model);
    }
    return model;
  }

  /** Throws `RangeError` when the format has no box entities. */
  box({ mins, maxs }: Bounds): Collider {
    const { format } = this._source;
    if (!format.boxEntity) throw new RangeError(`${format.name} has no box entities`);
    let box = this._boxes[this._used++];
    if (box) box.resize(mins, maxs);
    else {
      box = format.boxEntity(mins, maxs);
      this._boxes.push(box);
    }
    return box;
  }
}

/**
 * Returns a function that makes something from one of the header's lists of entities, when that is first asked for. It throws
 * `RangeError` for a list that does not exist or is not a list.
 */
export function entityLists<S>(
  { scenes }: RowHeader,
  make: (entities: readonly unknown[]) => S,
): (number: number) => S {
  const lists: readonly unknown[] = Array.isArray(scenes) ? scenes : [];
  const made = new Map<number, S>();
  return (number) => {
    const known = made.get(number);
    if (known !== undefined) return known;
    if (number < 0 || number >= lists.length) throw new RangeError(`the header has no scene ${number}`);
    const entities = lists[number];
    if (!Array.isArray(entities)) throw new RangeError('scenes must be lists of entities');
    const scene = make(entities);
    made.set(number, scene);
    return scene;
  };
}

/** Three numbers in a list of entities, as the engine had them. Throws `RangeError` for anything else. */
export function floatList(value: unknown, name: string): number[] {
  if (Array.isArray(value) && value.length === 3) return floatCells(value as Row, [0, 1, 2]);
  throw new RangeError(`${name} must be three numbers, got ${JSON.stringify(value)}`);
}

/** A whole number in a list of entities; `otherwise` if it is left out. Throws `RangeError` for anything else. */
export function whole(value: unknown, name: string, otherwise?: number): number {
  if (value === undefined && otherwise !== undefined) return otherwise;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new RangeError(`${name} must be a whole number, got ${JSON.stringify(value)}`);
}
