import type { Bounds, BoxWorld, BspWorld, Vec3 } from '@bspkit/core';
import {
  type BoxEntity,
  floatCells,
  HeaderFields,
  listCell,
  type Row,
  type RowHeader,
  type RowSource,
} from '@bspkit/core/format';
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
  readonly numModels: number;
  model(number: number): Collider;
}

/**
 * What entities are made from. Colliders are reused from one list of entities to the next, so that tracers need not be made for
 * each list.
 */
export class RowColliders {
  readonly world: ModelWorld;
  private readonly _source: RowSource;
  private readonly _models: Map<number, Collider> = new Map();
  private readonly _boxes: BoxEntity[] = [];
  private _used = 0;

  constructor(world: ModelWorld, source: RowSource) {
    this.world = world;
    this._source = source;
  }

  /** Makes the boxes of the last list available again. */
  reset(): void {
    this._used = 0;
  }

  model(number: number): Collider {
    let model = this._models.get(number);
    if (!model) {
      model = this.world.model(number);
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
 * Returns a function that makes something from one of the header's lists of entities, when a row first asks about it. It throws
 * `RangeError` for a row about a list that does not exist.
 */
export function entityLists<S>(
  header: RowHeader,
  make: (entities: readonly HeaderFields[]) => S,
): (row: Row, place: number) => S {
  const lists = new HeaderFields(header).list('scenes');
  const made = new Map<number, S>();
  return (row, place) => {
    const number = listCell(row, place, lists.length, 'scene');
    const scene = made.get(number) ?? make(lists.objects(number));
    made.set(number, scene);
    return scene;
  };
}

/** The number of a body that an entity names, of `count`; -1 if it names none, which is 0. */
export function ownerOf(fields: HeaderFields, count: number): number {
  return fields.whole('owner', 0, 0, count) || -1;
}
