import { brushModels, brushSources, fileBrushes } from '@bspkit/brushes';
import type { BrushSource, FileBrush } from '@bspkit/core/format';
import { REGULAR_MODELS } from './constants.ts';
import type { UfoaiFile } from './file.ts';

/** Model of each brush: 0 for the world's levels and clips, k for the inline model whose tree lists it. */
export function modelsOf(file: UfoaiFile): Int32Array {
  const inline = file.models.slice(REGULAR_MODELS);
  return brushModels(
    file,
    inline.map(({ headNode }) => (headNode < 0 ? undefined : headNode)),
  );
}

/** All brushes of a file, with their planes. */
export const brushes = (file: UfoaiFile): Generator<FileBrush> => fileBrushes(file, modelsOf(file));

/** The brushes of a file that `mask` has, all of them where it is left out, to be cut to faces. */
export const listBrushes = (file: UfoaiFile, mask: number | undefined): Generator<BrushSource> =>
  brushSources(file, modelsOf(file), mask);
