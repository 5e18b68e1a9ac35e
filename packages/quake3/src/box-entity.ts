import { type Bounds, checkBounds, type Vec3 } from '@bspkit/core';
import { CONTENTS_BODY } from './constants.ts';
import { openMemory, type WorldMemory } from './kernel.ts';
import { layout, MODEL_WORDS, SIDE_WORDS } from './layout.ts';
import { Traceable } from './traceable.ts';
import type { PoseOptions, Target, TraceOptions } from './tracer.ts';

/** Number that a trace reports as `model` when it hits a box entity. */
export const BOX_MODEL = 255;

/**
 * A box that is not part of any map: a player, an item. It is traced as the engine traces entities without a brush
 * model: as a brush of six sides (+X, -X, +Y, -Y, +Z, -Z) with contents `CONTENTS_BODY`, moved by `origin`, never
 * turned.
 */
export class Quake3BoxEntity extends Traceable<TraceOptions & Omit<PoseOptions, 'angles'>> {
  /** The box around its origin, in Quake units; change it with `resize`. */
  readonly bounds: Bounds = { mins: new Float32Array(3), maxs: new Float32Array(3) };
  /** @internal */
  protected readonly _target: Target;
  private readonly _memory: WorldMemory;

  constructor(mins: Vec3, maxs: Vec3) {
    super();
    this._memory = boxMemory();
    this._target = {
      memory: this._memory,
      model: 1,
      number: BOX_MODEL,
      moves: true,
      turns: false,
      inFile: false,
    };
    this.resize(mins, maxs);
  }

  /**
   * Changes the box for all its tracers, without allocation (but for exact spheres, which round it anew). Corners in
   * Quake units, relative to the entity's origin.
   * @throws RangeError when a corner is not finite or `mins` is above `maxs`.
   */
  resize(mins: Vec3, maxs: Vec3): void {
    checkBounds(mins, maxs);
    const { floats, places, shapes } = this._memory;
    shapes.clear();
    const bounds = places.brushRefs.first;
    for (let k = 0; k < 3; k++) {
      (this.bounds.mins as Float32Array)[k] = mins[k]!;
      (this.bounds.maxs as Float32Array)[k] = maxs[k]!;
      const side = places.sides.first + 2 * k * SIDE_WORDS;
      floats[side + 3] = maxs[k]!;
      floats[side + SIDE_WORDS + 3] = -Math.fround(mins[k]!);
      floats[bounds + 2 * k] = -mins[k]!;
      floats[bounds + 2 * k + 1] = maxs[k]!;
    }
  }
}

/** A box entity with corners in Quake units, relative to its origin. See {@link Quake3BoxEntity}. */
export function boxEntity(mins: Vec3, maxs: Vec3): Quake3BoxEntity {
  return new Quake3BoxEntity(mins, maxs);
}

/** A world of one brush, laid out as any other, so that the same kernels trace it. */
function boxMemory(): WorldMemory {
  const none = {
    nodes: 0,
    leafs: 0,
    patchRefs: 0,
    patches: 0,
    patchPlanes: 0,
    facets: 0,
    borders: 0,
    leafSurfaces: 0,
    surfaces: 0,
    vertexes: 0,
    indexes: 0,
    visibility: 0,
    text: 0,
  };
  const { places, words } = layout.plan({
    ...none,
    brushRefs: 1,
    brushes: 1,
    sides: 6,
    shaders: 1,
    models: 2,
  });
  const memory = openMemory(new ArrayBuffer(4 * words), places);
  const { ints, floats } = memory;
  ints.set([places.sides.first, 6, CONTENTS_BODY, 0], places.brushes.first);
  ints[places.shaders.first + 1] = CONTENTS_BODY;
  ints[places.brushRefs.first + 6] = CONTENTS_BODY;
  ints.set([places.brushRefs.first, 1], places.models.first + MODEL_WORDS + 6);
  for (let k = 0; k < 6; k++) {
    const side = places.sides.first + k * SIDE_WORDS;
    floats[side + (k >> 1)] = k % 2 === 0 ? 1 : -1;
    ints[side + 4] = -1;
  }
  return memory;
}
