import { brushModels, brushSources, fileBrushes } from '@bspkit/brushes';
import type { BrushSource, FileBrush } from '@bspkit/core/format';
import type { Quake2File } from './file.ts';

/** The model of each brush. */
export function modelsOf(file: Quake2File): Int32Array {
  return brushModels(
    file,
    file.models.slice(1).map(({ headNode }) => headNode),
  );
}

/** All brushes of a file, with their planes. */
export const brushes = (file: Quake2File): Generator<FileBrush> => fileBrushes(file, modelsOf(file));

/** The brushes of a file that match `mask`, or all of them if it is left out, ready to be cut into faces. */
export const listBrushes = (file: Quake2File, mask: number | undefined): Generator<BrushSource> =>
  brushSources(file, modelsOf(file), mask);
