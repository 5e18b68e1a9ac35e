import type { Bounds, KernelChoice, OpenOptions, Placed, Pose, Vec3 } from '@bspkit/core';
import {
  type BoxEntity,
  checkPoint,
  copyBounds,
  openKernel,
  printAsString,
  showShape,
} from '@bspkit/core/format';
import { modelContents } from './classify.ts';
import { CONTENTS_BODY } from './constants.ts';
import { type OpenedMemory, openMemory, Target } from './kernel/memory.ts';
import {
  LIST_BRUSHES,
  MODEL_LIST,
  MODEL_WORDS,
  REF_CONTENTS,
  SHADER_CONTENTS,
  SIDE_DIST,
  SIDE_WORDS,
} from './layout.ts';
import { intoModel } from './model.ts';
import { layout } from './sections.ts';
import { Traceable } from './traceable.ts';
import { PLACED_OPTIONS, type PlacedOptions, type Quake3Tracer } from './tracer.ts';
import { wasm } from './wasm/kernel.ts';

/**
 * Number that a trace reports as `model` when it hits a box entity. A file may have a model with that number; a hit on a box has
 * plane -1.
 */
export const BOX_MODEL = 255;

/**
 * A box that is not part of any map: a player, an item. It is traced as the engine traces entities without a brush
 * model: as a brush of six sides (+X, -X, +Y, -Y, +Z, -Z) with contents `CONTENTS_BODY`, moved by `origin`, never
 * turned. The default mask goes through these contents: use `MASK_SHOT`, or -1 for any.
 */
export class Quake3BoxEntity
  extends Traceable<Omit<PlacedOptions, 'angles'>, Placed<Quake3Tracer>>
  implements BoxEntity
{
  /** The box around its origin, in Quake units; change it with `resize`. */
  readonly bounds: Bounds = { mins: new Float32Array(3), maxs: new Float32Array(3) };
  /** Names of the options that its tracers take: those that scenes pass on. */
  readonly traceOptions: readonly string[] = PLACED_OPTIONS;
  /** @internal */
  readonly _target: Target;

  /** @internal */
  constructor(mins: Vec3, maxs: Vec3, options: OpenOptions) {
    super();
    const memory = boxMemory(openKernel(options, wasm));
    this._target = new Target(memory, {
      model: 1,
      number: BOX_MODEL,
      moves: true,
      turns: false,
      inFile: false,
    });
    this.resize(mins, maxs);
    printAsString(this);
  }

  /**
   * Changes the box for all its tracers, without allocation (except for exact spheres, which round it again). Corners in Quake
   * units, relative to the entity's origin.
   * @throws RangeError when a corner is not finite or `mins` is above `maxs`.
   */
  resize(mins: Vec3, maxs: Vec3): void {
    copyBounds(mins, maxs, this.bounds);
    // From the copy: the arguments may have been this box's own corners.
    const { mins: low, maxs: high } = this.bounds;
    const { floats, places, shapes, hot } = this._target.memory;
    shapes.clear();
    // The WebAssembly kernel still has the box that was traced last.
    if (hot) hot.current = undefined;
    const bounds = places.brushRefs.first;
    for (let k = 0; k < 3; k++) {
      const side = places.sides.first + 2 * k * SIDE_WORDS;
      floats[side + SIDE_DIST] = high[k]!;
      floats[side + SIDE_WORDS + SIDE_DIST] = -low[k]!;
      floats[bounds + 2 * k] = -low[k]!;
      floats[bounds + 2 * k + 1] = high[k]!;
    }
  }

  /**
   * `CONTENTS_BODY` if the box at `origin` contains a point, or has it on a face, else 0. Throws `RangeError` when a number is
   * not finite.
   */
  contents(point: Vec3, pose: Pick<Pose, 'origin'> = {}): number {
    checkPoint(point, 'point');
    return modelContents(this._target.memory, 1, intoModel(point, pose, false));
  }

  /** @internal */
  override toString(): string {
    return `Quake3BoxEntity { ${showShape({ kind: 'box', ...this.bounds }).slice(4)} }`;
  }
}

/**
 * A box entity with corners in Quake units, relative to its origin. See {@link Quake3BoxEntity}.
 *
 * @throws RangeError when a corner is not finite, `mins` is above `maxs`, or for an unknown `kernel`; TypeError for corners
 *   that are not three numbers, and for an unknown option; Error where the kernel `wasm` is not available.
 */
export function boxEntity(mins: Vec3, maxs: Vec3, options: OpenOptions = {}): Quake3BoxEntity {
  return new Quake3BoxEntity(mins, maxs, options);
}

/** A world of one brush, laid out like any other, so that the same kernels trace it. */
function boxMemory(kernel: KernelChoice): OpenedMemory {
  const { places, words } = layout.plan({
    nodes: 0,
    leafs: 0,
    brushRefs: 1,
    brushes: 1,
    sides: 6,
    shaders: 1,
    models: 2,
    patchRefs: 0,
    patches: 0,
    patchPlanes: 0,
    facets: 0,
    facetSides: 0,
    leafSurfaces: 0,
    surfaces: 0,
    vertexes: 0,
    indexes: 0,
    visibility: 0,
    texts: 0,
  });
  const memory = openMemory(new ArrayBuffer(4 * words), places, kernel);
  const { ints, floats } = memory;
  layout.write(ints, places);
  ints.set([places.sides.first, 6, CONTENTS_BODY, 0], places.brushes.first);
  ints[places.shaders.first + SHADER_CONTENTS] = CONTENTS_BODY;
  ints[places.brushRefs.first + REF_CONTENTS] = CONTENTS_BODY;
  ints.set([places.brushRefs.first, 1], places.models.first + MODEL_WORDS + MODEL_LIST + LIST_BRUSHES);
  for (let k = 0; k < 6; k++) {
    const side = places.sides.first + k * SIDE_WORDS;
    floats[side + (k >> 1)] = k % 2 === 0 ? 1 : -1;
  }
  return memory;
}
