import type { Side } from './brushes.ts';
import { type SurfaceTable, surfaceToFile } from './flags.ts';
import { fitName, type WriterInput } from './target.ts';
import { LumpWriter } from './writer.ts';

/** The texture infos that a file needs, numbered in the order in which they are first used: axes, flags, value and name. */
export class TexInfoTable {
  readonly lump: LumpWriter = new LumpWriter();
  private readonly _input: WriterInput;
  private readonly _flags: SurfaceTable;
  private readonly _hasFrame: boolean;
  private readonly _numbers = new Map<string, number>();
  /** The numbers that sides already have. */
  private readonly _ofSides = new Map<Side, number>();

  /** With `hasFrame`, a record ends with the number of the next frame of an animation. */
  constructor(input: WriterInput, flags: SurfaceTable, hasFrame: boolean) {
    this._input = input;
    this._flags = flags;
    this._hasFrame = hasFrame;
  }

  get size(): number {
    return this._numbers.size;
  }

  number(side: Side): number {
    // PERF: asked for every bevel and every face, and a key of so many numbers takes time to write.
    const known = this._ofSides.get(side) ?? this._find(side);
    this._ofSides.set(side, known);
    return known;
  }

  private _find({ material, surface, value, texture: { s, t } }: Side): number {
    const flags = surfaceToFile(this._flags, surface);
    const key = [material.name, flags, value, ...s, ...t].join(' ');
    let number = this._numbers.get(key);
    if (number === undefined) {
      number = this.size;
      this._numbers.set(key, number);
      // The NUL that ends it takes the 32nd byte.
      const name = fitName(material.name, 31, this._input);
      this.lump
        .f32(...s, ...t)
        .i32(flags, value)
        .text(name, 32);
      if (this._hasFrame) this.lump.i32(-1);
    }
    return number;
  }
}
