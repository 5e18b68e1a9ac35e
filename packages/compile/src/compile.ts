import type { CompileWarning } from './error.ts';
import { createMaterialFinder, type Materials } from './materials.ts';
import { createModels } from './models.ts';
import type { WriterInput, WriterOutput } from './output.ts';
import { PlaneSet } from './planes.ts';
import { compileQuake1, type HullSize, QUAKE1_HULLS } from './quake1/compile.ts';
import { compileQuake3 } from './quake3/compile.ts';
import type { MapSource, SourceBrush } from './source.ts';
import type { TreeCounts } from './tree-counts.ts';
import { compileUfoai } from './ufoai/compile.ts';

/** The formats that maps can be compiled to, by their packages' names. */
export type CompileFormat = 'quake1' | 'quake3' | 'ufoai';

/** What {@link compileMap} is asked for. */
export interface CompileOptions {
  readonly format: CompileFormat;
  /** What materials mean; asked before the names that are common to all maps. */
  readonly materials?: Materials | undefined;
  /**
   * What a material is that neither `materials` nor the common names know: plain `solid`, or an `error`. Default
   * `error` when `materials` is given, else `solid`.
   */
  readonly unknownMaterial?: 'solid' | 'error' | undefined;
  /** Quake 1: boxes that clip hulls 1 and 2 are made for. Default {@link QUAKE1_HULLS}. */
  readonly hulls?: readonly HullSize[] | undefined;
  /** Quake 1: whether to write BSP2. Default `auto`, when version 29 cannot hold the map. */
  readonly bsp2?: boolean | 'auto' | undefined;
  /** Hears how far each stage is: `part` goes from 0 to 1. */
  readonly onProgress?: ((stage: string, part: number) => void) | undefined;
}

/** What became of a map. */
export interface CompileStats {
  readonly format: CompileFormat;
  /** Brushes that came in, those that only mark something included. */
  readonly sourceBrushes: number;
  /** Records in the file's lumps, by lump. */
  readonly counts: Readonly<Record<string, number>>;
  /** The world's tree. */
  readonly tree: TreeCounts;
  readonly bytes: number;
}

/** A compiled map. */
export interface CompiledMap {
  readonly bytes: Uint8Array;
  readonly stats: CompileStats;
  readonly warnings: readonly CompileWarning[];
}

/**
 * Compiles a map, or brushes alone, to the bytes of a BSP file. The same input gives the same bytes.
 *
 * @throws CompileError with the entity, the brush and, for map text, the line: a brush that is not closed or has no
 *   volume, a degenerate plane, an unknown material, a count or coordinate beyond the format's limits.
 */
export function compileMap(map: MapSource | readonly SourceBrush[], options: CompileOptions): CompiledMap {
  const { format, materials } = options;
  const source: MapSource = isBrushes(map)
    ? { entities: [{ properties: { classname: 'worldspawn' }, brushes: map }] }
    : map;
  const strict = (options.unknownMaterial ?? (materials ? 'error' : 'solid')) === 'error';
  const material = createMaterialFinder(materials, strict);
  const planes = new PlaneSet();
  const warnings: CompileWarning[] = [];
  const onProgress = options.onProgress ?? (() => {});
  const models = createModels({ planes, material, warnings }, source, (done, total) =>
    onProgress('brushes', done / total),
  );
  const { bytes, counts, tree } = write(options, { planes, models, material, warnings, onProgress });
  const sourceBrushes = source.entities.reduce((sum, entity) => sum + (entity.brushes?.length ?? 0), 0);
  return { bytes, stats: { format, sourceBrushes, counts, tree, bytes: bytes.length }, warnings };
}

function write(options: CompileOptions, input: WriterInput): WriterOutput {
  switch (options.format) {
    case 'quake1':
      return compileQuake1({ ...input, hulls: options.hulls ?? QUAKE1_HULLS, bsp2: options.bsp2 ?? 'auto' });
    case 'quake3':
      return compileQuake3(input);
    case 'ufoai':
      return compileUfoai(input);
    default:
      throw new RangeError(`format must be quake1, quake3 or ufoai, got ${options.format}`);
  }
}

const isBrushes = (map: MapSource | readonly SourceBrush[]): map is readonly SourceBrush[] =>
  Array.isArray(map);
