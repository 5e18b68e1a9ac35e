import {
  type Bounds,
  type BoxWorld,
  type BrushPolygon,
  type BrushStep,
  type BspWorld,
  type Bytes,
  blockedEach,
  type Changeable,
  createTrace,
  type Entity,
  type Explanation,
  isBlocked,
  type Mesh,
  type OpenOptions,
  type Placeable,
  type PointClassifier,
  type Polygon,
  type PolygonSource,
  type Pose,
  parseEntities,
  type RayWorld,
  resetTrace,
  type Shape,
  type Surface,
  type Trace,
  type TraceBatch,
  type Tracer,
  type TracerChanges,
  type TraceStep,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import {
  askedModel,
  type BspFile,
  type BspFormat,
  type BspFormatEntry,
  checkBounds,
  checkMask,
  checkModelNumber,
  checkMove,
  checkNumber,
  checkPoint,
  checkPose,
  columnPlaces,
  countValues,
  createChecks,
  createFlagNames,
  defineFormat,
  defineReader,
  defineSections,
  float32Cell,
  floatCells,
  HIT_COLUMNS,
  ibspVersion,
  intCell,
  isNumberIn,
  MeshBuilder,
  MODEL_OPTION,
  meshOptions,
  ORIGIN_OPTION,
  onlyFile,
  openKernel,
  openLumps,
  packTexts,
  printAsString,
  type RowKind,
  type RowKinds,
  readFloats,
  readInts,
  STOP_COLUMNS,
  showShape,
  type TracerCatalog,
  type TracerKind,
  unpackTexts,
  worldOptions,
  writeHit,
  writeStop,
} from '@bspkit/core/format';

// A whole format in one file, written against @bspkit/core and @bspkit/core/format alone: a world is a list of boxes.
// Tests add it to lists of formats, to see that nothing outside a format's own package needs to know which games there
// are. It is small rather than fast.

// The file: 'TOYB', the version, three lumps as offset and length, the lumps. Little-endian throughout.

/** A box of a toy map. */
export interface ToyBox {
  /** Model that it belongs to; the world by default. */
  readonly model?: number;
  readonly mins: readonly [number, number, number];
  readonly maxs: readonly [number, number, number];
  /** Contents, solid by default, and surface flags. */
  readonly contents?: number;
  readonly flags?: number;
  /** Number of its texture, the first one by default. */
  readonly texture?: number;
}

export const TOY_SOLID = 1;
export const TOY_WATER = 2;
export const TOY_SLICK = 1;

/** Distance that moves keep from surfaces. */
const EPSILON = 1 / 32;

const MAGIC = 'TOYB';
const VERSION = 1;
/** Words of a box, in the file as in the world: model, mins, maxs, contents, flags, texture. */
const BOX_WORDS = 10;
/** Lumps in the order of the file's directory, with the bytes in a record (1: not made of records). */
const LUMPS = { entities: 1, textures: 1, boxes: 4 * BOX_WORDS } as const;
const HEADER_BYTES = 8 + 8 * Object.keys(LUMPS).length;

type Lump = keyof typeof LUMPS;

/** Writes a toy map. */
export function writeToy(
  boxes: readonly ToyBox[],
  textures: readonly string[] = ['plain'],
  entities = '{\n"classname" "worldspawn"\n}\n',
): Uint8Array {
  const words = new DataView(new ArrayBuffer(4 * BOX_WORDS * boxes.length));
  for (const [
    k,
    { model = 0, mins, maxs, contents = TOY_SOLID, flags = 0, texture = 0 },
  ] of boxes.entries()) {
    const at = 4 * BOX_WORDS * k;
    words.setInt32(at, model, true);
    for (const [i, x] of [...mins, ...maxs].entries()) words.setFloat32(at + 4 + 4 * i, x, true);
    for (const [i, x] of [contents, flags, texture].entries()) words.setInt32(at + 28 + 4 * i, x, true);
  }
  const lumps = [new TextEncoder().encode(entities), packTexts(textures), new Uint8Array(words.buffer)];
  const bytes = new Uint8Array(lumps.reduce((sum, lump) => sum + lump.length, HEADER_BYTES));
  const header = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  header.setInt32(4, VERSION, true);
  let at = HEADER_BYTES;
  for (const [k, lump] of lumps.entries()) {
    header.setInt32(8 + 8 * k, at, true);
    header.setInt32(12 + 8 * k, lump.length, true);
    bytes.set(lump, at);
    at += lump.length;
  }
  return bytes;
}

/** A room of 512 by 512 by 256 units with a pillar, a pool, a slick slab, and a lift (`*1`). */
export function toyMap(): Uint8Array {
  const walls: ToyBox[] = [
    { mins: [-272, -272, -16], maxs: [272, 272, 0] },
    { mins: [-272, -272, 256], maxs: [272, 272, 272] },
    { mins: [-272, -272, 0], maxs: [-256, 272, 256] },
    { mins: [256, -272, 0], maxs: [272, 272, 256] },
    { mins: [-256, -272, 0], maxs: [256, -256, 256] },
    { mins: [-256, 256, 0], maxs: [256, 272, 256] },
  ];
  return writeToy(
    [
      ...walls,
      { mins: [-32, -32, 0], maxs: [32, 32, 128], texture: 1 },
      { mins: [96, 96, 0], maxs: [224, 224, 24], contents: TOY_WATER, texture: 2 },
      { mins: [-224, 96, 0], maxs: [-96, 224, 16], flags: TOY_SLICK, texture: 1 },
      { model: 1, mins: [-200, -200, 0], maxs: [-120, -120, 8], texture: 1 },
    ],
    ['plain', 'marble', 'water'],
    [
      '{\n"classname" "worldspawn"\n"message" "A toy"\n}',
      '{\n"classname" "func_plat"\n"model" "*1"\n}',
      '{\n"classname" "info_player_start"\n"origin" "0 -128 32"\n}\n',
    ].join('\n'),
  );
}

export interface ToyFile extends BspFile {
  readonly format: 'toy';
  readonly version: number;
  readonly textures: readonly string[];
  /** Words of all boxes: as integers, and the same words as floats. */
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  /** Number of inline models. */
  readonly numModels: number;
  readonly lumps: Readonly<Record<Lump, Uint8Array>>;
}

const checks = createChecks<Lump>('toy');

/** Reads and checks a toy map. Throws `BspError`. */
export function readToy(bytes: Bytes): ToyFile {
  const wanted = `a toy map (${MAGIC} ${VERSION})`;
  const isRelated = (file: Uint8Array): boolean => ibspVersion(file, MAGIC) !== undefined;
  const { lumps, raw } = openLumps(bytes, 'toy', { wanted, versionOf, isRelated }, LUMPS);
  const { entities, boxes } = lumps;
  const size = LUMPS.boxes;
  const count = boxes.records(size);
  const models = readInts(boxes, size, 0);
  const corners = readFloats(boxes, size, 4, 6);
  const textures = unpackTexts(raw.textures);
  checks.filled(raw, ['textures', 'boxes']);
  checks.finite('boxes', corners, 6);
  // A model has at least a box, so there are not more of them than boxes.
  checks.indexes('boxes', 'model', models, count);
  checks.indexes('boxes', 'texture', readInts(boxes, size, 36), textures.length);
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < 3; i++) {
      if (corners[6 * k + i]! > corners[6 * k + 3 + i]!) checks.fail('value', 'boxes', k, 'is inside out');
    }
  }
  return {
    format: 'toy',
    version: VERSION,
    entities: entities.text(0, entities.bytes.length),
    textures,
    ...boxes.words(),
    numModels: models.reduce((most, model) => Math.max(most, model), 0),
    lumps: raw,
  };
}

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
class ToyModel implements RayWorld<ToyOptions>, BoxWorld<ToyOptions> {
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
interface BoxView {
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

function boxShape(mins: Vec3, maxs: Vec3): Shape {
  checkBounds(mins, maxs);
  return { kind: 'box', mins: Float32Array.from(mins), maxs: Float32Array.from(maxs) };
}

const POINT = new Float32Array(3);
const NO_BOX = { mins: POINT, maxs: POINT };

export class ToyTracer implements Tracer, Changeable {
  shape: Shape;
  readonly world: ToyWorld;
  readonly model: number;
  mask: number;
  readonly origin: Float32Array = new Float32Array(3);
  private readonly _scratch: Trace = createTrace();
  private readonly _boxes: readonly BoxView[];

  constructor(world: ToyWorld, model: number, shape: Shape, { mask = TOY_SOLID, ...pose }: ToyOptions) {
    checkMask(mask, 'mask');
    checkPose(pose);
    this.world = world;
    this.model = model;
    this.shape = shape;
    this.mask = mask;
    if (pose.origin) this.origin.set(Array.from(pose.origin).slice(0, 3));
    this._boxes = world.boxesOf(model);
    printAsString(this);
  }

  createTrace(): Trace {
    return createTrace();
  }

  set({ mask = this.mask, radius, mins, maxs }: TracerChanges): this {
    if (radius !== undefined) throw new TypeError('radius is for spheres');
    checkMask(mask, 'mask');
    if (mins !== undefined || maxs !== undefined) {
      if (this.shape.kind !== 'box') throw new TypeError('mins and maxs are for boxes');
      this.shape = boxShape(mins ?? this.shape.mins, maxs ?? this.shape.maxs);
    }
    this.mask = mask;
    return this;
  }

  trace(start: Vec3, end: Vec3, out: Trace = createTrace()): Trace {
    return this.walk(start, end, out);
  }

  blocked(start: Vec3, end: Vec3): boolean {
    return isBlocked(this.walk(start, end, this._scratch));
  }

  traceBatch(segments: Float32Array): TraceBatch;
  traceBatch<B extends TraceBatch<never>>(segments: Float32Array, out: B): B;
  traceBatch(segments: Float32Array, out?: TraceBatch<never>): TraceBatch<never> {
    return traceEach(this, segments, out, this._scratch);
  }

  blockedBatch(segments: Float32Array, out?: Uint8Array): Uint8Array {
    return blockedEach(this, segments, out);
  }

  /** The trace; `record` gets a step for every box. */
  walk(start: Vec3, end: Vec3, out: Trace, record?: (step: BrushStep) => void): Trace {
    checkMove(start, end);
    const [from, to] = [Float32Array.from(start), Float32Array.from(end)];
    resetTrace(out);
    for (const box of this._boxes) {
      if ((box.contents & this.mask) === 0) {
        const { number: brush, contents } = box;
        record?.({ kind: 'brush', brush, contents, outcome: 'masked', enter: -1, leave: 1, side: -1 });
        continue;
      }
      this._meet(box, from, to, out, record);
    }
    for (let k = 0; k < 3; k++) {
      out.endPos[k] = out.fraction === 1 ? to[k]! : from[k]! + out.fraction * (to[k]! - from[k]!);
    }
    return out;
  }

  /** Clips the move by one box, grown by the shape that is moved. */
  private _meet(box: BoxView, from: Vec3, to: Vec3, out: Trace, record?: (step: BrushStep) => void): void {
    const { mins, maxs } = this.shape.kind === 'box' ? this.shape : NO_BOX;
    let enter = -1;
    let leave = 1;
    let side = -1;
    let startsOut = false;
    let getsOut = false;
    let misses = false;
    for (let number = 0; number < 6; number++) {
      const k = number >> 1;
      const sign = number & 1 ? -1 : 1;
      const dist = sign > 0 ? box.maxs[k]! - mins[k]! : -(box.mins[k]! - maxs[k]!);
      const startDist = sign * (from[k]! - this.origin[k]!) - dist;
      const endDist = sign * (to[k]! - this.origin[k]!) - dist;
      if (startDist > 0) startsOut = true;
      if (endDist > 0) getsOut = true;
      if (startDist > 0 && (endDist >= EPSILON || endDist >= startDist)) misses = true;
      if (startDist <= 0 && endDist <= 0) continue;
      if (startDist > endDist) {
        const fraction = Math.max(0, (startDist - EPSILON) / (startDist - endDist));
        if (fraction > enter) {
          enter = fraction;
          side = number;
        }
      } else leave = Math.min(leave, (startDist + EPSILON) / (startDist - endDist));
    }
    let outcome: BrushStep['outcome'];
    if (misses) outcome = 'missed';
    else if (!startsOut) {
      out.startSolid = true;
      outcome = getsOut ? 'startSolid' : 'allSolid';
      if (!getsOut) {
        out.allSolid = true;
        this._hit(box, -1, 0, out);
      }
    } else if (enter < 0 || enter >= leave) outcome = 'missed';
    else if (Math.fround(enter) >= out.fraction) outcome = 'farther';
    else {
      outcome = 'hit';
      this._hit(box, side, Math.fround(enter), out);
    }
    // A test makes millions of moves, and few of them are recorded.
    record?.({ kind: 'brush', brush: box.number, contents: box.contents, outcome, enter, leave, side });
  }

  private _hit(box: BoxView, side: number, fraction: number, out: Trace): void {
    out.fraction = fraction;
    out.contents = box.contents;
    out.surfaceFlags = box.flags;
    out.model = this.model;
    out.brush = box.number;
    out.texture = box.texture;
    out.side = side < 0 ? -1 : 6 * box.number + side;
    out.normal.fill(0);
    out.dist = 0;
    if (side < 0) return;
    const { normal, dist } = facePlane(box, side);
    out.normal.set(normal);
    out.dist = dist;
  }

  /** @internal */
  toString(): string {
    return `ToyTracer { ${showShape(this.shape)} }`;
  }
}

export class ToyPlacedTracer extends ToyTracer implements Placeable {
  /** Boxes stay upright: angles are checked and ignored. */
  place(pose: Pose): this {
    checkPose(pose);
    if (pose.origin) for (let k = 0; k < 3; k++) this.origin[k] = pose.origin[k]!;
    return this;
  }
}

/** Plane of a box's side: 0 is its highest x, 1 its lowest, then y and z. */
function facePlane(
  { mins, maxs }: BoxView,
  side: number,
): { normal: [number, number, number]; dist: number } {
  const k = side >> 1;
  const sign = side & 1 ? -1 : 1;
  const normal: [number, number, number] = [0, 0, 0];
  normal[k] = sign;
  return { normal, dist: sign * (sign > 0 ? maxs : mins)[k]! };
}

function facePolygon(box: BoxView, side: number): Polygon {
  const { normal, dist } = facePlane(box, side);
  const k = side >> 1;
  const [i, j] = side & 1 ? [(k + 2) % 3, (k + 1) % 3] : [(k + 1) % 3, (k + 2) % 3];
  const vertices = new Float32Array(12);
  for (const [corner, [u, v]] of [
    [box.mins, box.mins],
    [box.maxs, box.mins],
    [box.maxs, box.maxs],
    [box.mins, box.maxs],
  ].entries()) {
    vertices[3 * corner + k] = normal[k]! * dist;
    vertices[3 * corner + i] = u![i]!;
    vertices[3 * corner + j] = v![j]!;
  }
  const { texture, contents, number } = box;
  return { vertices, normal: Float32Array.from(normal), dist, texture, contents, surface: 6 * number + side };
}

const NO_TEXTURE = { texture: -1, name: '', surfaceFlags: 0 };

const SIDES = [0, 1, 2, 3, 4, 5];
const facesOf = (box: BoxView): Polygon[] => SIDES.map((side) => facePolygon(box, side));

const contents = createFlagNames({ solid: TOY_SOLID, water: TOY_WATER });
const surfaceFlags = createFlagNames({ slick: TOY_SLICK });

const OPTIONS = ['mask', 'model', 'origin'];

function createTracer(shape: 'ray' | 'box'): TracerKind<ToyWorld>['create'] {
  return (world, size, { mask, ...values }) => {
    const number = askedModel(values, world.numModels);
    const target = number === 0 ? world : world.model(number);
    const options: ToyOptions = {
      mask: mask === undefined ? undefined : contents.bits(mask),
      origin: values.origin,
    };
    return shape === 'ray' ? target.ray(options) : target.box(size.slice(0, 3), size.slice(3), options);
  };
}

const tracers: TracerCatalog<ToyWorld> = {
  kinds: [
    {
      ...{ name: 'ray', help: 'a point', options: OPTIONS, mask: 'solid' },
      ...{ explains: true, create: createTracer('ray') },
    },
    {
      ...{ name: 'box', help: 'a box', size: 'box', sizeName: '<x1,y1,z1,x2,y2,z2>', options: OPTIONS },
      ...{ mask: 'solid', explains: true, create: createTracer('box') },
    },
  ],
  options: [
    { name: 'mask', type: 'text', group: 'filter', value: '<contents>', help: 'contents that stop it' },
    MODEL_OPTION,
    ORIGIN_OPTION,
  ],
  presets: [
    { name: 'ray', kind: 'ray', role: 'point', measured: true },
    { name: 'player', kind: 'box', size: [-16, -16, -24, 16, 16, 32], role: 'body', measured: true },
    { name: 'water', kind: 'ray', options: { mask: 'solid,water' }, role: 'point', measured: false },
  ],
  player: 'player',
};

const MOVE = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez', 'minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz'] as const;
const TRACE = [...STOP_COLUMNS, ...HIT_COLUMNS, 'contents'] as const;

const traceRows: RowKind = {
  question: MOVE,
  results: TRACE,
  open(header, { load }) {
    const world = createToyWorld(readToy(load(header.game, header.map, header.sha256)));
    const at = columnPlaces(header, [...MOVE, ...TRACE]);
    const tracer = world.box([0, 0, 0], [0, 0, 0]);
    const trace = tracer.createTrace();
    return {
      answer(row) {
        const cells = floatCells(
          row,
          MOVE.map((name) => at[name]),
        );
        tracer.set({ mins: cells.slice(6, 9), maxs: cells.slice(9) });
        tracer.trace(cells.slice(0, 3), cells.slice(3, 6), trace);
        writeStop(row, at, trace);
        writeHit(row, at, trace);
        row[at.contents] = trace.contents;
      },
    };
  },
};

/** Rows that are objects, about the boxes of a model that a line before them names. */
const boxRows: RowKind = {
  question: ['number'],
  results: ['width'],
  open(header, { load }) {
    const world = createToyWorld(readToy(load(header.game, header.map, header.sha256)));
    const at = columnPlaces(header, ['number', 'width']);
    let boxes = world.boxesOf(0);
    return {
      sequences: {
        begins: () => false,
        restart() {
          boxes = world.boxesOf(0);
        },
      },
      enter({ model }) {
        checkNumber(model as number, 'model', world.numModels + 1);
        boxes = world.boxesOf(model as number);
      },
      answer(row) {
        const number = intCell(row, at.number);
        checkNumber(number, 'number', boxes.length);
        const { mins, maxs } = boxes[number]!;
        row[at.width] = Array.from(maxs, (x, k) => float32Cell(x - mins[k]!));
      },
    };
  },
};

const contentsRows: RowKind = {
  question: [],
  results: ['names'],
  open(header, { load }) {
    const world = createToyWorld(readToy(load(header.game, header.map, header.sha256)));
    return {
      answer() {
        throw new RangeError('rows of contents are objects');
      },
      answerObject(row) {
        row.names = contents.names(world.contents(row.at as number[]));
      },
    };
  },
};

/** Kinds of rows: `trace`, `boxes` (with lines between the rows) and `contents` (rows are objects). */
const rows: RowKinds = { trace: traceRows, boxes: boxRows, contents: contentsRows };

function explain(tracer: Tracer, start: Vec3, end: Vec3): Explanation {
  if (!(tracer instanceof ToyTracer)) throw new TypeError('this is not a tracer of a toy world');
  const steps: TraceStep[] = [];
  const trace = tracer.walk(start, end, createTrace(), (step) => steps.push(step));
  return { trace, steps };
}

function versionOf(bytes: Uint8Array): number | undefined {
  return ibspVersion(bytes, MAGIC) === VERSION ? VERSION : undefined;
}

function detect(bytes: Uint8Array): string | undefined {
  return versionOf(bytes) === undefined ? undefined : `TOYB ${VERSION}`;
}

const identity = { id: 'toy', name: 'Toy', versions: [`TOYB ${VERSION}`], detect } as const;

export type ToyFormat = BspFormat<ToyFile, ToyWorld>;

const reader = defineReader<ToyFile, ToyWorld>('toy', {
  read: readToy,
  createWorld(files, options = {}) {
    const { shared, kernel } = options;
    return createToyWorld(onlyFile(files, options, identity), worldOptions({ shared, kernel }).shared);
  },
  open: ToyWorld.from,
});

/** The toy's descriptor. */
export const toy: ToyFormat = defineFormat<ToyFile, ToyWorld>({
  ...identity,
  ...reader,
  contents,
  surfaceFlags,
  tracers,
  rows,
  info(file, world) {
    const { entities, textures, boxes } = file.lumps;
    const models = [0, ...Array.from({ length: world.numModels }, (_, k) => k + 1)];
    return {
      version: identity.versions[0],
      bounds: world.bounds,
      facts: { textures: file.textures.length },
      lumps: [
        { name: 'entities', bytes: entities.length, records: undefined },
        { name: 'textures', bytes: textures.length, records: file.textures.length },
        { name: 'boxes', bytes: boxes.length, records: world.boxes.length },
      ],
      models: models.map((number) => ({
        name: number === 0 ? 'world' : `*${number}`,
        bounds: new ToyModel(world, number).bounds,
        figures: { boxes: world.boxesOf(number).length },
      })),
      entities: world.entities(),
      contents: { what: 'boxes', counts: countValues(world.boxes.map((box) => box.contents)) },
      memory: { world: world.data.byteLength, lumps: entities.length + textures.length + boxes.length },
    };
  },
  *brushes(file) {
    for (const box of createToyWorld(file).boxes) {
      const { number, model, contents, texture } = box;
      const planes = SIDES.map((side) => facePlane(box, side));
      yield { brush: number, model, contents, planes, textures: SIDES.map(() => texture) };
    }
  },
  polygons(world): PolygonSource {
    return {
      polygons: () => world.boxesOf(0).flatMap(facesOf),
      leafPolygons(leaf) {
        checkNumber(leaf, 'leaf', world.boxes.length + 1);
        return leaf === world.boxes.length ? world.boxesOf(0).flatMap(facesOf) : facesOf(world.boxes[leaf]!);
      },
      numLeafs: world.boxes.length + 1,
      boxLeafs(mins, maxs, out) {
        checkBounds(mins, maxs);
        // The open is never far.
        let found = 0;
        for (let leaf = 0; leaf <= world.boxes.length; leaf++) {
          const box = world.boxes[leaf];
          if (box && [0, 1, 2].some((k) => box.mins[k]! > maxs[k]! || box.maxs[k]! < mins[k]!)) continue;
          if (found < out.length) out[found] = leaf;
          found++;
        }
        return found;
      },
      isSolid: (polygon) => (polygon.contents & TOY_SOLID) !== 0,
    };
  },
  mesh(file, options = {}): Mesh {
    const { by, mask } = meshOptions(options);
    const world = createToyWorld(file);
    const builder = new MeshBuilder({ numVertices: 0, numTriangles: 0 });
    for (const { number: brush, model, contents, flags, texture } of world.boxes) {
      if (mask !== undefined && (contents & mask) === 0) continue;
      const isDrawn = by === 'texture';
      const of = isDrawn ? { texture, name: file.textures[texture]!, surfaceFlags: flags } : NO_TEXTURE;
      const group = builder.group(
        [model, contents, ...Object.values(of), by === 'brush' && brush].join(),
        () => ({
          ...{ model, contents, ...of, brush: by === 'brush' ? brush : -1 },
          ...{ isSky: false, isHidden: false, isLiquid: contents === TOY_WATER, isLightmapped: false },
        }),
      );
      for (const { vertices, normal, surface } of facesOf(world.boxes[brush]!)) {
        builder.add(group, 4, 2, isDrawn ? surface : -1, isDrawn ? -1 : brush, isDrawn ? -1 : surface);
        builder.positions.set(vertices, 3 * builder.vertex);
        for (let k = 0; k < 4; k++) builder.normals.set(normal, 3 * (builder.vertex + k));
        builder.fan(4);
      }
    }
    return builder.finish();
  },
  brushPolygons(file, { mask = -1 } = {}): BrushPolygon[] {
    const { boxes } = createToyWorld(file);
    return boxes
      .filter(({ contents }) => (contents & mask) !== 0)
      .flatMap((box) =>
        facesOf(box).map((face) => ({
          ...{ ...face, surface: -1, brush: box.number, side: face.surface, model: box.model },
        })),
      );
  },
  surfaceAt(world, { brush, side, model }): Surface | undefined {
    const box = world.boxes[brush];
    if (!box || !(side >= 0) || !isNumberIn(model, world.numModels + 1)) return undefined;
    const { texture, flags } = box;
    return { texture, name: world.textureNames()[texture]!, flags, polygon: facePolygon(box, side % 6) };
  },
  traceFields: ({ side }) => ({ face: side < 0 ? null : side % 6 }),
  explain,
  point: (world, at) => ({ leaf: world.leaf(at), contents: world.contents(at) }),
});

/** The toy's light half. */
export const toyFormat: BspFormatEntry<ToyFormat> = {
  ...identity,
  loadReader: () => Promise.resolve(reader),
  load: () => Promise.resolve(toy),
};
