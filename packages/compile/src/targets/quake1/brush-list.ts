import type { Brush } from '../../brushes.ts';
import type { PlaneSet } from '../../planes.ts';
import { SideSquares } from '../../side-squares.ts';
import { checkLimits } from '../../target.ts';
import { LumpWriter } from '../../writer.ts';
import { CONTENTS_OF, clipClass, drawnClass, EMPTY } from './flags.ts';

/** Contents of brushes that only stop movers, which no leaf has. */
const CLIP = -8;
const LUMP = 'BRUSHLIST';
const LIST_VERSION = 1;
/** The most sides of all brushes, and squares of their numbers; our readers accept no more. */
const MOST_SIDES = 0x80000;
const MOST_SQUARES = 6_000_000;
/** Sides of a brush that are given by its bounds. */
const BOX_SIDES = 6;
/** Bytes of the BSPX directory with its one entry. */
const DIRECTORY_BYTES = 40;

/** The brushes of a model that are in the list: the list is for boxes of any size, so those that no box meets are left out. */
export const listedBrushes = (brushes: readonly Brush[]): readonly Brush[] =>
  brushes.filter((brush) => contentsOf(brush) !== CONTENTS_OF[EMPTY]);

/**
 * Adds a BSPX directory with the lump `BRUSHLIST` to a file that ends with its last lump: the brushes of all models, as other
 * compilers write them. A brush has contents, bounds, which stand for six sides, and the sides that are not axial.
 *
 * @param models - the listed brushes of each.
 */
export function withBrushList(
  bytes: Uint8Array,
  planes: PlaneSet,
  models: readonly (readonly Brush[])[],
  game: string,
): Uint8Array {
  const list = new LumpWriter();
  const squares = new SideSquares(MOST_SQUARES, `${LUMP} of ${game}`);
  let sides = 0;
  models.forEach((kept, model) => {
    const slanted = kept.map(({ solid }) => solid.planes.filter((plane) => planes.type(plane) > 2));
    list.i32(LIST_VERSION, model, kept.length, slanted.flat().length);
    kept.forEach((brush, k) => {
      squares.add(BOX_SIDES + slanted[k]!.length, brush.place);
      sides += BOX_SIDES + slanted[k]!.length;
      list.f32(...brush.box.mins, ...brush.box.maxs).i16(contentsOf(brush), slanted[k]!.length);
      for (const plane of slanted[k]!) {
        list.f32(planes.nx[plane]!, planes.ny[plane]!, planes.nz[plane]!, planes.dist[plane]!);
      }
    });
  });
  checkLimits({ sides }, { sides: MOST_SIDES }, `${LUMP} of ${game}`);
  const start = bytes.length;
  return new LumpWriter()
    .append(bytes)
    .text('BSPX')
    .i32(1)
    .text(LUMP, 24)
    .i32(start + DIRECTORY_BYTES, list.length)
    .append(list.bytes).bytes;
}

function contentsOf({ contents, tool }: Brush): number {
  // Only points meet what is in no hull but the first.
  if (tool?.hulls?.every((hull) => hull === 0)) return CONTENTS_OF[EMPTY]!;
  const drawn = drawnClass(contents);
  return drawn === EMPTY && clipClass(contents) !== EMPTY ? CLIP : CONTENTS_OF[drawn]!;
}
