import { boxBrush, hullBrush, roomBrushes, type SourceBrush, type SourceEntity } from '@bspkit/compile';
import type { BspFile, BspFormat, FileBrush } from '@bspkit/core/format';
import { FORMATS } from 'bspkit';

// A room to compile, and what is in a map's file.

export const start: SourceEntity = { properties: { classname: 'info_player_start', origin: '40 40 40' } };
export const room: readonly SourceBrush[] = roomBrushes([0, 0, 0], [320, 320, 192], 16);
/** Its edges are slanted, and so boxes need bevels. */
export const crystal = (x: number, material: string): SourceBrush =>
  hullBrush(
    [
      [x - 40, 160, 80],
      [x + 40, 160, 80],
      [x, 120, 80],
      [x, 200, 80],
      [x, 160, 120],
      [x, 160, 40],
    ],
    { material },
  );
export const world: SourceEntity = {
  properties: { classname: 'worldspawn' },
  brushes: [...room, crystal(160, 'test/crystal'), boxBrush([16, 240, 0], [48, 304, 64])],
};

export interface Crafted {
  readonly format: BspFormat;
  readonly file: BspFile;
  readonly brushes: readonly FileBrush[];
}

export async function opened(bytes: Uint8Array): Promise<Crafted> {
  const format = (await FORMATS.find((entry) => entry.detect(bytes))!.load()) as unknown as BspFormat;
  const file = format.read(bytes);
  return { format, file, brushes: [...format.brushes!(file)] };
}

/** Has a brush of a map end after some of its sides. The compiler puts the bevels of edges last. */
export function cutSides(bytes: Uint8Array, { file }: Crafted, brush: FileBrush, sides: number): void {
  const { lumps } = file as unknown as { lumps: { brushes: Uint8Array } };
  const view = new DataView(bytes.buffer, lumps.brushes.byteOffset + 12 * brush.brush);
  if (view.getInt32(4, true) !== brush.planes.length) throw new Error('brushes are not where they should be');
  view.setInt32(4, sides, true);
}

/** Has a side of a brush in a Quake 3 map repeat the brush's first one, so that what it was is missing. */
export function repeatSide(bytes: Uint8Array, { file }: Crafted, { brush }: FileBrush, side: number): void {
  const { lumps } = file as unknown as { lumps: Record<'brushes' | 'sides', Uint8Array> };
  const first = new DataView(bytes.buffer, lumps.brushes.byteOffset + 12 * brush).getInt32(0, true);
  const planes = new DataView(bytes.buffer, lumps.sides.byteOffset);
  planes.setInt32(8 * (first + side), planes.getInt32(8 * first, true), true);
}

/** What the check of brushes does not ask of a map. */
export const open = { name: '', parts: [], bytes: 0, readTime: 0, buildTime: 0 };
