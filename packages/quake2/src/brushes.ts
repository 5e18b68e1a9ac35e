import { brushModels, brushSources, fileBrushes } from '@bspkit/brushes';
import type { BrushSource, FileBrush } from '@bspkit/core/format';
import type { Quake2File } from './file.ts';

/** Model of each brush. */
export function modelsOf(file: Quake2File): Int32Array {
  return brushModels(
    file,
    file.models.slice(1).map(({ headNode }) => headNode),
  );
}

/** All brushes of a file, with their planes. */
export const brushes = (file: Quake2File): Generator<FileBrush> => fileBrushes(file, modelsOf(file));

/** The brushes of a file that `mask` has, all of them where it is left out, to be cut to faces. */
export const listBrushes = (file: Quake2File, mask: number | undefined): Generator<BrushSource> =>
  brushSources(file, modelsOf(file), mask);
