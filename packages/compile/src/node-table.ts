import type { Winding } from '@bspkit/geometry';
import type { Box } from './box.ts';
import type { Side } from './brushes.ts';
import type { SourcePlace } from './error.ts';
import type { PlaneTable } from './plane-table.ts';
import type { TreeNode } from './tree.ts';

/** A piece of a face that is on a node; engines may need it in smaller pieces. */
export interface NodeFace {
  /** The plane that the face is on, with its front where the face looks. */
  readonly plane: number;
  readonly winding: Winding;
  readonly side: Side;
  /** The class of contents behind it. */
  readonly kind: number;
  /** Whether the game lights it sample by sample; liquids and sky are drawn in other ways. */
  readonly isLit: boolean;
  /** The place of its brush. */
  readonly place: SourcePlace;
}

/** What belongs to a node that is written. */
interface NodeParts {
  /** Its bounds in the file. */
  readonly box: Box;
  /** Writes the faces that are on it. */
  faces(): void;
  /** Writes a part below it, and returns its number as a child. */
  child(part: TreeNode['front']): number;
}

/** Nodes as records of numbers: plane, front, back, mins, maxs, first face, number of faces. */
export class NodeTable {
  readonly records: (readonly number[])[] = [];
  private readonly _planeTable: PlaneTable;
  private readonly _countFaces: () => number;

  constructor(planeTable: PlaneTable, countFaces: () => number) {
    this._planeTable = planeTable;
    this._countFaces = countFaces;
  }

  /** Makes room for a record, so that nodes come before those below them. Returns its number. */
  reserve(): number {
    return this.records.push([]) - 1;
  }

  /** Writes a node, its faces and what is below it. Returns its number. */
  add({ plane, front, back }: TreeNode, { box: { mins, maxs }, faces, child }: NodeParts): number {
    const number = this.reserve();
    const first = this._countFaces();
    faces();
    const count = this._countFaces() - first;
    const planeNumber = this._planeTable.number(plane);
    this.records[number] = [planeNumber, child(front), child(back), ...mins, ...maxs, first, count];
    return number;
  }
}
