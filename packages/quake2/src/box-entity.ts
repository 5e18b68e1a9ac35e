import {
  BRUSH_BOUNDS,
  LEAF_WORDS,
  NODE_WORDS,
  PLANE_WORDS,
  SIDE_DIST,
  SIDE_TEXTURE,
  SIDE_WORDS,
} from '@bspkit/brushes';
import type { Bounds, Placed, Pose, Vec3 } from '@bspkit/core';
import { type BoxEntity, copyBounds, printAsString, showShape } from '@bspkit/core/format';
import { CONTENTS_MONSTER } from './constants.ts';
import { openMemory, Target, type WorldMemory } from './kernel/memory.ts';
import { DEPTH_WORD } from './layout.ts';
import { targetContents } from './model.ts';
import { layout } from './sections.ts';
import { Traceable } from './traceable.ts';
import { PLACED_OPTIONS, type PlacedOptions, type Quake2Tracer } from './tracer.ts';

/**
 * Number that a trace reports as `model` when it hits a box entity. A file may have a model with that number, though the game
 * does not load that many; a hit on a box has plane -1.
 */
export const BOX_MODEL = 1024;

/** The options of box entities' tracers: they never turn. */
type BoxEntityOptions = Omit<PlacedOptions, 'angles'>;

/**
 * A box that is not part of any map: a player, an item. It is traced as the engine traces entities without a brush
 * model: as a tree of six nodes around a brush of six sides (+X, -X, +Y, -Y, +Z, -Z) with contents
 * `CONTENTS_MONSTER`, moved by `origin`, never turned. The default mask goes through these contents: use `MASK_SHOT`, or -1 for
 * any.
 */
export class Quake2BoxEntity extends Traceable<BoxEntityOptions, Placed<Quake2Tracer>> implements BoxEntity {
  /** The box around its origin, in Quake units; change it with `resize`. */
  readonly bounds: Bounds = { mins: new Float32Array(3), maxs: new Float32Array(3) };
  /** Names of the options that its tracers take: those that scenes pass on. */
  readonly traceOptions: readonly string[] = PLACED_OPTIONS;
  /** @internal */
  readonly _target: Target;

  /** @internal */
  constructor(mins: Vec3, maxs: Vec3) {
    super();
    const memory = boxMemory();
    const model = { model: 0, root: 0, number: BOX_MODEL };
    this._target = new Target(memory, { ...model, moves: true, turns: false, inFile: false });
    this.resize(mins, maxs);
    printAsString(this);
  }

  /**
   * Changes the box for all its tracers, without allocation. Corners in Quake units, relative to the entity's origin.
   * @throws RangeError when a corner is not finite or `mins` is above `maxs`.
   */
  resize(mins: Vec3, maxs: Vec3): void {
    copyBounds(mins, maxs, this.bounds);
    // From the copy: the arguments may have been this box's own corners.
    const { mins: low, maxs: high } = this.bounds;
    const { floats, places } = this._target.memory;
    const bounds = places.brushes.first + BRUSH_BOUNDS;
    for (let k = 0; k < 3; k++) {
      const node = places.nodes.first + 2 * k * NODE_WORDS;
      const side = places.sides.first + 2 * k * SIDE_WORDS;
      floats[node + 1] = high[k]!;
      floats[node + NODE_WORDS + 1] = low[k]!;
      floats[side + SIDE_DIST] = high[k]!;
      floats[side + SIDE_WORDS + SIDE_DIST] = -low[k]!;
      floats[bounds + k] = low[k]!;
      floats[bounds + 3 + k] = high[k]!;
    }
  }

  /** `CONTENTS_MONSTER` if the box at `origin` contains a point, else 0. Throws `RangeError` when a number is not finite. */
  contents(point: Vec3, pose: Pick<Pose, 'origin'> = {}): number {
    return targetContents(this._target, point, pose);
  }

  /** @internal */
  override toString(): string {
    return `Quake2BoxEntity { ${showShape({ kind: 'box', ...this.bounds }).slice(4)} }`;
  }
}

/**
 * A box entity with corners in Quake units, relative to its origin. See {@link Quake2BoxEntity}.
 *
 * @throws RangeError when a corner is not finite, or `mins` is above `maxs`; TypeError for corners that are not three
 *   numbers.
 */
export function boxEntity(mins: Vec3, maxs: Vec3): Quake2BoxEntity {
  return new Quake2BoxEntity(mins, maxs);
}

/** A world of one brush, laid out like any other, so that the same walks trace it. Leaf 0 is empty, leaf 1 has the brush. */
function boxMemory(): WorldMemory {
  const none = { areas: 0, areaPortals: 0, visibility: 0, texts: 0, textures: 0 };
  const { places, words } = layout.plan({
    ...none,
    nodes: 6,
    planes: 3,
    leafs: 2,
    leafInfos: 2,
    leafBrushes: 1,
    brushes: 1,
    sides: 6,
    models: 1,
  });
  const data = new ArrayBuffer(4 * words);
  const ints = new Int32Array(data);
  ints[DEPTH_WORD] = 6;
  // A single brush is traced faster here than by handing it over to the kernel in WebAssembly.
  const memory = openMemory(data, places, 'js');
  const { floats } = memory;
  for (let k = 0; k < 6; k++) {
    const axis = k >> 1;
    const next = k === 5 ? -2 : k + 1;
    const node = places.nodes.first + NODE_WORDS * k;
    ints[node] = axis + 16 * axis;
    ints.set(k % 2 === 0 ? [-1, next] : [next, -1], node + 2);
    const side = places.sides.first + SIDE_WORDS * k;
    floats[side + axis] = k % 2 === 0 ? 1 : -1;
    ints[side + SIDE_TEXTURE] = -1;
    floats[places.planes.first + PLANE_WORDS * axis + axis] = 1;
  }
  ints[places.leafBrushes.first] = places.brushes.first;
  ints.set([CONTENTS_MONSTER, places.leafBrushes.first, 1], places.leafs.first + LEAF_WORDS);
  ints.set([CONTENTS_MONSTER, places.sides.first, 6], places.brushes.first);
  return memory;
}
