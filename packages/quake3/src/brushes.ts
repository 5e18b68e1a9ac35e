import { type BrushRecords, brushSources, fileBrushes } from '@bspkit/brushes';
import type { BrushSource, FileBrush } from '@bspkit/core/format';
import type { Quake3File } from './file.ts';

/** The model of each brush. */
function modelsOf({ brushes, models }: Quake3File): Int32Array {
  const owners = new Int32Array(brushes.count);
  for (const [model, { firstBrush, numBrushes }] of models.entries()) {
    owners.fill(model, firstBrush, firstBrush + numBrushes);
  }
  return owners;
}

/** The file's brushes with contents of their own, as in other formats; here their shaders have them. */
export function brushRecords({ planes, brushes, sides, shaders }: Quake3File): BrushRecords {
  const contents = Int32Array.from(brushes.shaders, (shader) => shaders[shader]!.contents);
  return {
    planes,
    brushes: { ...brushes, contents },
    sides: { planes: sides.planes, textures: sides.shaders },
  };
}

/** All brushes of a file, with their planes. */
export const brushes = (file: Quake3File): Generator<FileBrush> =>
  fileBrushes(brushRecords(file), modelsOf(file));

/** The brushes of a file that match `mask`, or all of them if it is left out, ready to be cut into faces. */
export const listBrushes = (file: Quake3File, mask: number | undefined): Generator<BrushSource> =>
  brushSources(brushRecords(file), modelsOf(file), mask);
