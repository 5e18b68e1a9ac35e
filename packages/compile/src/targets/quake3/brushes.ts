import { sidePlanes } from '../../bevels.ts';
import type { Brush, Side } from '../../brushes.ts';
import { contentsToFile, surfaceToFile } from '../../flags.ts';
import { plainName } from '../../materials.ts';
import { nearestSide, type PlaneTable } from '../../plane-table.ts';
import type { PlaneSet } from '../../planes.ts';
import { SideSquares } from '../../side-squares.ts';
import { fitName, type WriterInput } from '../../target.ts';
import { LumpWriter } from '../../writer.ts';
import { FILE_CONTENTS, FILE_SURFACE } from './flags.ts';

/** The shaders that a file needs: a name is listed once for each pair of surface flags and contents it is used with. */
export class ShaderTable {
  readonly lump: LumpWriter = new LumpWriter();
  private readonly _input: WriterInput;
  private readonly _numbers = new Map<string, number>();

  constructor(input: WriterInput) {
    this._input = input;
  }

  get size(): number {
    return this._numbers.size;
  }

  number(name: string, surface: number, contents: number): number {
    const surfaceFlags = surfaceToFile(FILE_SURFACE, surface);
    const contentFlags = contentsToFile(FILE_CONTENTS, contents);
    const full = `textures/${plainName(name)}`;
    const key = `${full} ${surfaceFlags} ${contentFlags}`;
    let number = this._numbers.get(key);
    if (number === undefined) {
      number = this.size;
      this._numbers.set(key, number);
      // The NUL that ends it takes the 64th byte.
      this.lump.text(fitName(full, 63, this._input), 64).i32(surfaceFlags, contentFlags);
    }
    return number;
  }
}

/** The most squares of brushes' numbers of sides, in all or per side of a larger map; our readers accept no more. */
export const MOST_SQUARES = 6_000_000;
export const SQUARES_OF_SIDE = 24;

/** Writes brushes and their sides. */
export class BrushTable {
  readonly brushes: LumpWriter = new LumpWriter(12);
  readonly sides: LumpWriter = new LumpWriter(8);
  private readonly _planes: PlaneSet;
  private readonly _planeTable: PlaneTable;
  private readonly _shaders: ShaderTable;
  private readonly _squares = new SideSquares(MOST_SQUARES, 'Quake 3', SQUARES_OF_SIDE);

  constructor(planes: PlaneSet, planeTable: PlaneTable, shaders: ShaderTable) {
    this._planes = planes;
    this._planeTable = planeTable;
    this._shaders = shaders;
  }

  add(brush: Brush): void {
    const planes = this._planes;
    const all = sidePlanes(planes, brush);
    this._squares.add(all.length, brush.place);
    const shader = (side: Side): number =>
      this._shaders.number(side.material.name, side.surface, brush.contents);
    this.brushes.i32(this.sides.count, all.length, shader(brush.sides[0]!));
    for (const plane of all) {
      this.sides.i32(this._planeTable.number(plane), shader(nearestSide(planes, brush, plane)));
    }
  }
}
