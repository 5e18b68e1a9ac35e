import {
  type Bounds,
  type BoxWorld,
  type BspWorld,
  type CapsuleWorld,
  checkNumber,
  type Entity,
  parseEntities,
  type RayWorld,
  type Shape,
  type SphereWorld,
  type Vec3,
} from '@bspkit/core';
import { buildWorldData } from './build.ts';
import type { Quake3File } from './file.ts';
import { openMemory, type WorldMemory } from './kernel.ts';
import { MODEL_WORDS, readLayout } from './layout.ts';
import { type PoseOptions, Quake3Tracer, type Target, type TraceOptions } from './tracer.ts';

/** An upright capsule by its size: `height` counts from the lowest to the highest point, both in Quake units. */
export interface CapsuleSize {
  readonly radius: number;
  readonly height: number;
}

/** Makes tracers against one thing: the world, an inline model, or a box entity. */
export abstract class Traceable<O extends TraceOptions>
  implements RayWorld<O>, SphereWorld<O>, BoxWorld<O>, CapsuleWorld<O>
{
  /** @internal */
  protected abstract readonly _target: Target;

  /** A tracer of rays: lines of fire and sight. */
  ray(options?: O): Quake3Tracer {
    return this._tracer({ kind: 'ray' }, options);
  }

  /**
   * A tracer of spheres as both tutorials have them: every plane is pushed out by the radius, so the sphere stops
   * early at sharp edges.
   * @throws RangeError when the radius is negative or not finite.
   */
  sphere(radius: number, options?: O): Quake3Tracer {
    return this._tracer({ kind: 'sphere', radius }, options);
  }

  /**
   * A tracer of axis-aligned boxes: players, items.
   * @throws RangeError when a corner is not finite or `mins` is above `maxs`.
   */
  box(mins: Vec3, maxs: Vec3, options?: O): Quake3Tracer {
    return this._tracer({ kind: 'box', mins, maxs }, options);
  }

  /**
   * A tracer of upright capsules, by the box around them as the engine takes it, or by their size around the traced
   * point. As in the engine the radius is half the width in x, and a capsule wider than high is a sphere.
   * @throws RangeError when a number is not finite, `mins` is above `maxs`, or the height is below twice the radius.
   */
  capsule(mins: Vec3, maxs: Vec3, options?: O): Quake3Tracer;
  capsule(size: CapsuleSize, options?: O): Quake3Tracer;
  capsule(first: Vec3 | CapsuleSize, second?: Vec3 | O, third?: O): Quake3Tracer {
    if (!('radius' in first))
      return this._tracer({ kind: 'capsule', mins: first, maxs: second as Vec3 }, third);
    const { radius, height } = first;
    if (!(radius >= 0)) throw new RangeError(`radius must be 0 or more, got ${radius}`);
    if (!(height >= 2 * radius))
      throw new RangeError(`height must be twice the radius or more, got ${height}`);
    const maxs = [radius, radius, height / 2];
    return this._tracer({ kind: 'capsule', mins: maxs.map((x) => -x), maxs }, second as O | undefined);
  }

  private _tracer(shape: Shape, options: O | undefined): Quake3Tracer {
    return new Quake3Tracer(this._target, shape, options);
  }
}

/** An inline model (`*1` and up): a door, a lift. Its tracers take `origin` and `angles`, and `set` moves them. */
export class Quake3Model extends Traceable<TraceOptions & PoseOptions> {
  /** k of `*k`. */
  readonly number: number;
  /** Where it was built, one unit wider than stored, as the engine keeps it. Its pose moves and turns this. */
  readonly bounds: Bounds;
  /** @internal */
  protected readonly _target: Target;

  /** @internal */
  constructor(memory: WorldMemory, number: number) {
    super();
    this.number = number;
    this.bounds = modelBounds(memory, number);
    this._target = { memory, model: number, number, moves: true, turns: true };
  }
}

function modelBounds({ floats, places }: WorldMemory, number: number): Bounds {
  const at = places.models.first + MODEL_WORDS * number;
  return { mins: floats.slice(at, at + 3), maxs: floats.slice(at + 3, at + 6) };
}

/** A Quake 3 map ready for tracing. Made by {@link createQuake3World} from a file or by `from` from another's data. */
export class Quake3World extends Traceable<TraceOptions> implements BspWorld {
  readonly format = 'quake3';
  /** Everything about the world in one buffer, laid out as `layout.ts` tells: hand it to a worker and open it there. */
  readonly data: ArrayBufferLike;
  /** Bounds of the world model, one unit wider than stored, as the engine keeps them. */
  readonly bounds: Bounds;
  /** How many inline models there are besides the world: `*1` to `*numModels`. */
  readonly numModels: number;
  /** @internal */
  protected readonly _target: Target;
  private readonly _memory: WorldMemory;

  private constructor(data: ArrayBufferLike) {
    super();
    this.data = data;
    this._memory = openMemory(data, readLayout(data));
    this._target = { memory: this._memory, model: 0, number: 0, moves: false, turns: false };
    this.bounds = modelBounds(this._memory, 0);
    this.numModels = this._memory.places.models.count - 1;
  }

  /**
   * Opens a world's `data`, here or in another thread. Costs next to nothing: the data is used as it is.
   * @throws BspError when it is not the data of a Quake 3 world of this version of the package.
   */
  static from(data: ArrayBufferLike): Quake3World {
    return new Quake3World(data);
  }

  /** Entities of the map, parsed anew at each call. Throws `BspError` when their text does not parse. */
  entities(): Entity[] {
    return parseEntities(this._texts()[0]!, 'quake3');
  }

  /** Names of the shaders, by the number that a trace gives as `texture`. */
  shaderNames(): string[] {
    return this._texts().slice(1);
  }

  private _texts(): string[] {
    const { first } = this._memory.places.text;
    const bytes = new Uint8Array(this.data, 4 * first + 4, this._memory.ints[first]!);
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return text.split('\0').slice(0, -1);
  }

  /** An inline model. Throws `RangeError` unless the number is in `1 .. numModels`. */
  model(number: number): Quake3Model {
    checkNumber(number, this.numModels + 1, 'number');
    if (number === 0) throw new RangeError('number must be 1 or more: 0 is the world itself');
    return new Quake3Model(this._memory, number);
  }
}

/** What a world can be built with. */
export interface WorldOptions {
  /** Put the world's data into a `SharedArrayBuffer`, so that workers can trace in it without a copy. */
  readonly shared?: boolean;
}

/**
 * Builds a world for tracing from a map file.
 * @throws BspError for a patch that the engine could not hold.
 */
export function createQuake3World(file: Quake3File, options: WorldOptions = {}): Quake3World {
  return Quake3World.from(buildWorldData(file, options.shared ?? false));
}
