import {
  type Bounds,
  type BoxWorld,
  type BspWorld,
  type Entity,
  type OpenOptions,
  type PointClassifier,
  type Pose,
  parseEntities,
  type RayWorld,
  type Vec3,
} from '@bspkit/core';
import {
  checkModelNumber,
  checkPoint,
  defineSections,
  openKernel,
  packTexts,
  printAsString,
  unpackTexts,
} from '@bspkit/core/format';
import { BOX_WORDS, type ToyFile } from './file.ts';
import { boxShape, ToyPlacedTracer, ToyTracer } from './tracer.ts';

const layout = defineSections({
  format: 'toy',
  magic: 0x594f_5453,
  version: 1,
  headerWords: 6,
  sections: { boxes: BOX_WORDS, entities: 1, textures: 1 },
});
/** Words of the header after the kit's own: lengths of the two texts in bytes, number of models. */
const ENTITIES_BYTES = 3;
const TEXTURES_BYTES = 4;
const NUM_MODELS = 5;

/** Builds a world of one file. */
export function createToyWorld(file: ToyFile, shared = false): ToyWorld {
  const entities = packTexts([file.entities]);
  const textures = packTexts(file.textures);
  const { places, words } = layout.plan({
    boxes: file.ints.length / BOX_WORDS,
    entities: Math.ceil(entities.length / 4),
    textures: Math.ceil(textures.length / 4),
  });
  const data = shared ? new SharedArrayBuffer(4 * words) : new ArrayBuffer(4 * words);
  const ints = new Int32Array(data);
  layout.write(ints, places);
  ints.set([entities.length, textures.length, file.numModels], ENTITIES_BYTES);
  ints.set(file.ints, places.boxes.first);
  new Uint8Array(data).set(entities, 4 * places.entities.first);
  new Uint8Array(data).set(textures, 4 * places.textures.first);
  return ToyWorld.from(data);
}

/** Options of toy tracers; a pose for models only. */
export interface ToyOptions extends Pose {
  readonly mask?: number | undefined;
}

/** The world, or a model: what its boxes are and how they are traced. */
export class ToyModel implements RayWorld<ToyOptions>, BoxWorld<ToyOptions> {
  readonly world: ToyWorld;
  readonly number: number;
  readonly bounds: Bounds;

  constructor(world: ToyWorld, number: number) {
    const [mins, maxs] = [new Float32Array(3).fill(Infinity), new Float32Array(3).fill(-Infinity)];
    for (const box of world.boxesOf(number)) {
      for (let k = 0; k < 3; k++) {
        mins[k] = Math.min(mins[k]!, box.mins[k]!);
        maxs[k] = Math.max(maxs[k]!, box.maxs[k]!);
      }
    }
    this.world = world;
    this.number = number;
    this.bounds = { mins, maxs };
    printAsString(this);
  }

  ray(options: ToyOptions = {}): ToyPlacedTracer {
    return new ToyPlacedTracer(this.world, this.number, { kind: 'ray' }, options);
  }

  box(mins: Vec3, maxs: Vec3, options: ToyOptions = {}): ToyPlacedTracer {
    return new ToyPlacedTracer(this.world, this.number, boxShape(mins, maxs), options);
  }

  /** @internal */
  toString(): string {
    return `ToyModel { *${this.number} }`;
  }
}

/** A box of a world: views of its words. */
export interface BoxView {
  readonly number: number;
  readonly model: number;
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  readonly contents: number;
  readonly flags: number;
  readonly texture: number;
}

export class ToyWorld implements BspWorld, PointClassifier, RayWorld<ToyOptions>, BoxWorld<ToyOptions> {
  readonly format = 'toy';
  readonly kernel = 'js';
  readonly data: ArrayBufferLike;
  readonly bounds: Bounds;
  readonly numModels: number;
  readonly boxes: readonly BoxView[];
  private _entities: readonly Entity[] | undefined;
  private _textureNames: readonly string[] | undefined;

  private constructor(data: ArrayBufferLike) {
    const { boxes } = layout.read(data);
    const [ints, floats] = [new Int32Array(data), new Float32Array(data)];
    this.data = data;
    this.numModels = ints[NUM_MODELS]!;
    this.boxes = Array.from({ length: boxes.count }, (_, number) => {
      const at = boxes.first + BOX_WORDS * number;
      const [contents, flags, texture] = ints.subarray(at + 7, at + 10) as unknown as [
        number,
        number,
        number,
      ];
      return {
        ...{ number, contents, flags, texture, model: ints[at]! },
        mins: floats.subarray(at + 1, at + 4),
        maxs: floats.subarray(at + 4, at + 7),
      };
    });
    this.bounds = new ToyModel(this, 0).bounds;
    printAsString(this);
  }

  /** Opens a world's `data`. Throws `BspError`. */
  static from(data: ArrayBufferLike, options: OpenOptions = {}): ToyWorld {
    openKernel(options);
    return new ToyWorld(data);
  }

  boxesOf(model: number): BoxView[] {
    return this.boxes.filter((box) => box.model === model);
  }

  entities(): readonly Entity[] {
    this._entities ??= parseEntities(this._texts('entities', ENTITIES_BYTES)[0]!, 'toy');
    return this._entities;
  }

  textureNames(): readonly string[] {
    this._textureNames ??= this._texts('textures', TEXTURES_BYTES);
    return this._textureNames;
  }

  model(number: number): ToyModel {
    checkModelNumber(number, this.numModels);
    return new ToyModel(this, number);
  }

  ray(options: ToyOptions = {}): ToyTracer {
    return new ToyTracer(this, 0, { kind: 'ray' }, options);
  }

  box(mins: Vec3, maxs: Vec3, options: ToyOptions = {}): ToyTracer {
    return new ToyTracer(this, 0, boxShape(mins, maxs), options);
  }

  /** The leaf of a point is the box that it is in, or one more than there are for the open. */
  leaf(point: Vec3): number {
    checkPoint(point, 'point');
    const inside = this.boxesOf(0).find(({ mins, maxs }) =>
      [0, 1, 2].every((k) => point[k]! >= mins[k]! && point[k]! <= maxs[k]!),
    );
    return inside ? inside.number : this.boxes.length;
  }

  contents(point: Vec3): number {
    return this.boxes[this.leaf(point)]?.contents ?? 0;
  }

  /** @internal */
  toString(): string {
    return `ToyWorld { ${this.boxes.length} boxes, ${this.numModels} models }`;
  }

  private _texts(section: 'entities' | 'textures', lengthWord: number): string[] {
    const { first } = layout.read(this.data)[section];
    const length = new Int32Array(this.data)[lengthWord]!;
    return unpackTexts(new Uint8Array(this.data).slice(4 * first, 4 * first + length));
  }
}
