import { brushModels, brushSources, fileBrushes } from '@bspkit/brushes';
import type { BrushSource, FileBrush } from '@bspkit/core/format';
import { REGULAR_MODELS } from './constants.ts';
import type { UfoaiFile } from './file.ts';

/** Model of each brush: 0 for brushes of the world's levels and clips, k if the tree of inline model k lists it. */
export function modelsOf(file: UfoaiFile): Int32Array {
  const inline = file.models.slice(REGULAR_MODELS);
  return brushModels(
    file,
    inline.map(({ headNode }) => (headNode < 0 ? undefined : headNode)),
  );
}

/** All brushes of a file, with their planes. */
export const brushes = (file: UfoaiFile): Generator<FileBrush> => fileBrushes(file, modelsOf(file));

/** The brushes of a file that match `mask`, or all of them without one, to be cut to faces. */
export const listBrushes = (file: UfoaiFile, mask: number | undefined): Generator<BrushSource> =>
  brushSources(file, modelsOf(file), mask);
