import { checkFinite, checkKind, checkWholeFrom } from '../check.ts';
import type { FlagNames } from '../contents.ts';
import type { Entity } from '../entities.ts';
import type { Explanation, MoveExplanation } from '../explain.ts';
import type { LightOptions, LightSampler } from '../light.ts';
import type {
  BrushPolygon,
  BrushPolygonOptions,
  EmbeddedTexture,
  EmbeddedTextureOptions,
  LightmapAtlas,
  LightmapOptions,
  Mesh,
  MeshOptions,
} from '../mesh.ts';
import type { Trace } from '../trace.ts';
import type { Tracer } from '../tracer.ts';
import type { Bounds, Bytes, Plane, Pose, Vec3 } from '../vec.ts';
import type {
  BoxWorld,
  BspWorld,
  CapsuleWorld,
  KernelName,
  OpenOptions,
  PolygonSource,
  RayWorld,
  SphereWorld,
  Surface,
  WorldOptions,
} from '../worlds.ts';
import type { RowKinds } from './rows.ts';

// A format is one folder, and the rest of the repository knows it only through its descriptor. To add a format, write a
// descriptor and put its light half on a list.

/** What a format is called, and how its files are recognised. */
export interface FormatIdentity {
  /** Name of its package, without the scope. */
  readonly id: string;
  /** Display name: that of the game. */
  readonly name: string;
  /** Versions that are read, as {@link FormatIdentity.detect} names them. */
  readonly versions: readonly string[];
  /** The version of a file of this format; `undefined` for any other file. The first 64 bytes are enough. */
  detect(bytes: Uint8Array): string | undefined;
}

/** The light half of a descriptor, without parsers: it costs few bytes. Lists of formats hold these. */
export interface BspFormatEntry<T extends BspFormat = BspFormat> extends FormatIdentity {
  /** Loads only what opens maps and traces; the same functions as {@link BspFormatEntry.load}. */
  loadReader(): Promise<Pick<T, keyof FormatReader>>;
  /** Loads all of the descriptor: the same object each time. */
  load(): Promise<T>;
}

/** What every format's file has. */
export interface BspFile {
  /** Format, by the name of its package. */
  readonly format: string;
  readonly version: number | string;
  /** Entities text. */
  readonly entities: string;
}

/** How a world is made from files. Formats whose only kernel is `js` refuse `wasm`, as `worldOptions` and `openKernel` do. */
export interface CreateOptions extends WorldOptions {
  /** Position of each file, in the format's cells; for formats whose worlds are assemblies of files. */
  readonly offsets?: readonly Vec3[] | undefined;
}

/** The way from bytes to a world that can be traced. */
export interface FormatReader<F extends BspFile = BspFile, W extends BspWorld = BspWorld> {
  /** Reads and checks a file. Throws `BspError`. */
  read(bytes: Bytes): F;
  /** Builds a world. Throws `BspError`, and `RangeError` for more files than the format can join. */
  createWorld(files: readonly F[], options?: CreateOptions): W;
  /** Opens a world's `data`, here or in another thread. Throws `BspError`, and `Error` where a kernel is not available. */
  open(data: ArrayBufferLike, options?: OpenOptions): W;
}

/** A format: everything that code without knowledge of the game can use. */
export interface BspFormat<F extends BspFile = BspFile, W extends BspWorld = BspWorld>
  extends FormatIdentity,
    FormatReader<F, W> {
  /** Names of the bits of contents and surface flags, in both directions. */
  readonly contents: FlagNames;
  readonly surfaceFlags: FlagNames;
  /** The kernels to choose from, for formats that have several. */
  readonly kernels?: readonly KernelName[] | undefined;
  /** What a world can trace, by name, with a schema of the options. */
  readonly tracers: TracerCatalog<W>;
  /** The kinds of query rows that it answers. */
  readonly rows: RowKinds;
  /** What is in a map. */
  info(file: F, world: W): MapInfo;
  /** All brushes of a file, to be drawn; missing for formats that keep none. */
  brushes?(file: F): Iterable<FileBrush>;
  /** The map's surfaces, drawn ones or those of brushes, without clip brushes and inline models. */
  polygons(world: W): PolygonSource;
  /**
   * The surface that a trace of one of its tracers hit. `pose` is where the model that was hit was, by default where it was built;
   * formats whose traces tell enough do without it.
   */
  surfaceAt(world: W, trace: Trace, pose?: Pose | undefined): Surface | undefined;
  /** The map's surfaces as triangles, to be drawn or to show what moves collide with; missing for formats without. */
  mesh?(file: F, options?: MeshOptions): Mesh;
  /** Faces of the map's brushes. Throws `BspError` (`empty`) for a file that keeps none. */
  brushPolygons?(file: F, options?: BrushPolygonOptions): BrushPolygon[];
  /** All lightmaps in one picture; `undefined` for a file without. */
  lightmaps?(file: F, options?: LightmapOptions): LightmapAtlas | undefined;
  /** How light it is at points of a file's world; missing for formats without light. */
  createLightSampler?(file: F, options?: LightOptions): LightSampler;
  /** Textures whose pictures are in the file. */
  embeddedTextures?(file: F, options?: EmbeddedTextureOptions): EmbeddedTexture[];
  /** How its game puts maps together from others, for formats whose worlds are assemblies of files. */
  readonly assemblies?: FormatAssemblies | undefined;
  /** The routing table (where walkers can go), for formats whose files hold one. */
  readonly routing?: FormatRouting<F> | undefined;
  /** A box that is not part of any map, as the engine traces entities without a model. */
  readonly boxEntity?: ((mins: Vec3, maxs: Vec3) => BoxEntity) | undefined;
  /** Fields of an answer that only this format has. */
  traceFields(trace: Trace): Fields;
  /**
   * How a tracer of {@link BspFormat.tracers} comes to its answer.
   * @throws TypeError for a tracer of another format, or of a kind that it cannot explain.
   */
  explain(tracer: Tracer, start: Vec3, end: Vec3): Explanation;
  /**
   * How a tracer whose kind {@link TracerKind.slides} makes a whole move, sliding along what it hits.
   * @throws TypeError for any other tracer, RangeError for options that it does not take, or whose values are invalid.
   */
  readonly explainMove?:
    | ((tracer: Tracer, start: Vec3, end: Vec3, options?: MoveOptions) => MoveExplanation)
    | undefined;
  /** What is at a point. */
  point(world: W, at: Vec3): Fields;
  /** Whether a sphere touches nothing solid. */
  sphere?(world: W, center: Vec3, radius: number): Verdict;
  /** Whether there is a line of sight between two points. */
  sight?(world: W, from: Vec3, to: Vec3): Verdict;
}

/** Maps that a game puts together from others, as a text says. */
export interface FormatAssemblies {
  /** The ending of such texts' names, with the dot. */
  readonly ending: string;
  /**
   * Which maps an assembly is made of, and where they go.
   * @throws BspError for a text that does not describe assemblies, or asks for what cannot be done; RangeError when there is no
   *   such assembly, and for a seed out of range.
   */
  plan(text: string, options?: AssemblyOptions): AssemblyPlan;
}

/** Which of a text's assemblies to use. */
export interface AssemblyOptions {
  /** Its name; drawn at random by default. */
  readonly assembly?: string | undefined;
  /** The seed for everything that is drawn at random; the format's own by default. */
  readonly seed?: number | undefined;
  /** Returns another text that this one builds on, by its name without the ending. */
  readonly extend?: ((name: string) => string) | undefined;
}

/** The maps of an assembly. */
export interface AssemblyPlan {
  readonly name: string;
  /** Names of maps, folder and file without an ending, with the offsets that `createWorld` takes. */
  readonly parts: readonly { readonly name: string; readonly offset: Vec3 }[];
}

/** What can be asked about a format's table of where walkers can go. A packed table is as it is in a file. */
export interface FormatRouting<F extends BspFile = BspFile> {
  /** The file's own table, packed; empty if it has none. */
  stored(file: F): Uint8Array;
  /**
   * Computes the table from the file's trees, and packs it.
   * @param onProgress - called with the part that is done, 0 to 1. The work ends when it throws.
   */
  compute(file: F, onProgress?: (part: number) => void): Uint8Array;
  /**
   * The table of an assembly, made from those of its files, packed. Throws `BspError` for a file whose table is broken.
   * @param onProgress - as for `compute`.
   */
  assemble?(files: readonly F[], world: BspWorld, onProgress?: (part: number) => void): Uint8Array;
  /** Prepares to compute the table row by row: later, elsewhere, in any order. */
  work(file: F): FormatRoutingWork;
  /** Joins the parts, with each row once, and packs the table. Throws `BspError` for anything but such parts. */
  join(parts: readonly Uint8Array[]): Uint8Array;
  /**
   * The first difference between two packed tables, in words; `undefined` where they are equal. Throws `BspError` for a broken
   * one.
   */
  difference(one: Uint8Array, other: Uint8Array): string | undefined;
  /**
   * Side of a cell, in Quake units: cells begin at its multiples. Left out where maps of the game do not share a grid of cells.
   */
  readonly cell?: number | undefined;
  /** Sizes of walkers that there are tables for, as cells on a side, the usual one first. */
  readonly sizes: readonly number[];
  /**
   * What the table says about each cell that a walker can stand in, and how to get from cell to cell.
   * @param size - one of {@link FormatRouting.sizes}, the first one by default.
   * @throws BspError for a broken table.
   */
  cells(packed: Uint8Array, size?: number): WalkCells;
}

/** A file's table of where walkers can go, row by row. */
export interface FormatRoutingWork {
  readonly rows: number;
  /** Computes some rows, independently of the others. Throws `RangeError` unless there are such rows. */
  part(first: number, count: number): Uint8Array;
}

/** Cells that a walker can stand in. They are numbered in the order of `positions`. */
export interface WalkCells {
  /** For each cell, the middle of the floor below a walker there: x, y and z, in Quake units. */
  readonly positions: Float32Array;
  /** For each cell, in how many of the eight directions a standing walker can leave it. */
  readonly ways: Uint8Array;
  /** Side of a cell, and height of a storey, in Quake units. */
  readonly size: number;
  readonly levelHeight: number;
  /** The most time units that walkers of the game have. */
  readonly mostTime: number;
  /**
   * Where a walker can go from one of the cells.
   * @param from - number of the cell.
   * @throws RangeError for a number that no cell has, and options out of range.
   */
  reach(from: number, options?: ReachOptions): WalkReach;
}

/** How a walker goes. */
export interface ReachOptions {
  /** Time units that it has, {@link WalkCells.mostTime} by default and at most. */
  readonly limit?: number | undefined;
  /** Whether it goes crouched, which takes longer and leads through lower places; false by default. */
  readonly crouched?: boolean | undefined;
}

/** Where a walker can go, cell by cell, by their numbers. */
export interface WalkReach {
  /** Time units that it takes to get there; -1 where no way leads. */
  readonly costs: Int16Array;
  /** The previous cell on the way from the start; -1 for the start, and where no way leads. */
  readonly previous: Int32Array;
}

/** A box that can be resized and traced. */
export interface BoxEntity extends Partial<RayWorld & SphereWorld & BoxWorld & CapsuleWorld> {
  readonly bounds: Bounds;
  resize(mins: Vec3, maxs: Vec3): void;
}

/** What an answer consists of, by name: `leafContents`. Programs get it as it is; people see the name as words. */
export type Fields = Readonly<
  Record<string, number | string | boolean | null | readonly (number | string)[]>
>;

/** The answer to a yes-or-no question. */
export interface Verdict {
  readonly yes: boolean;
  readonly fields: Fields;
}

/** Tracers by name: what a command line, a comparison or a form can ask of a world. */
export interface TracerCatalog<W> {
  /** What can be moved; by default the first one, which has no size: a ray, a line of sight. */
  readonly kinds: readonly TracerKind<W>[];
  /** Options of tracers. Each kind lists those that it takes. */
  readonly options: readonly TracerOption[];
  /** Tracers worth comparing and measuring. */
  readonly presets: readonly TracerPreset<W>[];
  /** Name of the preset that has the player's shape. */
  readonly player: string;
  /** Names of the contents that stop players, where a preset without a mask would let players pass through some: clip. */
  readonly playerMask?: string | undefined;
}

/** What is moved: a ray, a box, a hull. */
export interface TracerKind<W> {
  /** Also the name of the option that asks for it. */
  readonly name: string;
  /** What it is, in parts between semicolons: a part that several formats have is said once, with their names. */
  readonly help: string;
  /**
   * What its size is: a number, six numbers (two corners), two or six (radius and height, or two corners), or three radii.
   */
  readonly size?: 'number' | 'box' | 'capsule' | 'radii' | undefined;
  /** Placeholder for the size in help: `<radius>`. */
  readonly sizeName?: string | undefined;
  /** Names of the {@link TracerCatalog.options} that it takes. */
  readonly options: readonly string[];
  /** Contents that stop it by default, as its option `mask` takes them; for kinds without that option, left out. */
  readonly mask?: string | undefined;
  /** Whether there is a literal algorithm whose steps can be shown. */
  readonly explains: boolean;
  /** Whether there are whole moves of it, which slide along what they hit: those that {@link BspFormat.explainMove} explains. */
  readonly slides?: boolean | undefined;
  /** Throws `RangeError` or `TypeError` for invalid values, which it calls by the names of the options. */
  create(world: W, size: readonly number[], options: TracerValues): Tracer;
}

/** An option of tracers. Formats that have options or kinds with the same name take the same kind of value for it. */
export interface TracerOption {
  readonly name: string;
  /** What forms call it, for people who know the game but not the name: `Gap to surfaces`. By default, they show the name. */
  readonly label?: string | undefined;
  /**
   * `on`: a switch; `off`: a switch for what is on by default; `count`: a whole number; `points`: three numbers, or three
   * for each of several models.
   */
  readonly type: 'on' | 'off' | 'number' | 'count' | 'points' | 'text';
  /** Whether it belongs to the shape, to what blocks it, or to where the target is. */
  readonly group: 'shape' | 'filter' | 'place';
  /** Placeholder for the value in help: `<units>`. */
  readonly value?: string | undefined;
  /** What it is, in parts between semicolons: a part that several formats have is said once, with their names. */
  readonly help: string;
  /** Whether tracers made with it have steps to show; true if left out. */
  readonly explains?: boolean | undefined;
}

/** How moves slide that {@link BspFormat.explainMove} explains. */
export interface MoveOptions {
  /** Distance to keep from what a move slides along, in Quake units. */
  readonly gap?: number | undefined;
  /** Contacts that a move may have. */
  readonly maxContacts?: number | undefined;
}

/** Values of options, by name. A switch of type `off` is `false` when it is used. */
export interface TracerValues {
  /** Inline model; the world by default. */
  readonly model?: number | undefined;
  /** Where the model stands, and how it is turned; three numbers for each where several are asked for. */
  readonly origin?: readonly number[] | undefined;
  readonly angles?: readonly number[] | undefined;
  /** Contents that stop the trace: names with commas, or a number such as `MASK_SHOT`. */
  readonly mask?: string | number | undefined;
  readonly epsilon?: number | undefined;
  readonly [name: string]: number | string | boolean | readonly number[] | undefined;
}

/** A named combination of kind, size and options. */
export interface TracerPreset<W> {
  readonly name: string;
  readonly kind: string;
  readonly size?: readonly number[] | undefined;
  readonly options?: TracerValues | undefined;
  /** Its role when formats are compared: a point, a player's body, a sphere. */
  readonly role: 'point' | 'body' | 'ball';
  /** Whether it is one of the shapes that are measured by default, each once. */
  readonly measured: boolean;
  /** Whether the world can be traced like this: it may lack a hull. */
  suits?(world: W): boolean;
}

/** What is in a map. */
export interface MapInfo {
  readonly version: string;
  readonly bounds: Bounds;
  /** Figures that only this format has, by name. */
  readonly facts: Readonly<Record<string, number | string>>;
  readonly lumps: readonly LumpInfo[];
  readonly models: readonly ModelInfo[];
  readonly entities: readonly Entity[];
  /** The combinations of contents that occur, and how many of `what` have each. */
  readonly contents: { readonly what: string; readonly counts: ReadonlyMap<number, number> };
  /** Size of the world made for tracing, and of the lumps it was made from, in bytes. */
  readonly memory: { readonly world: number; readonly lumps: number };
}

/** A lump of a file. */
export interface LumpInfo {
  readonly name: string;
  /** Its size. */
  readonly bytes: number;
  /** Number of records; `undefined` where the lump is not a list. */
  readonly records: number | undefined;
}

/** The world, a part of it, or an inline model. Figures by name. */
export interface ModelInfo {
  readonly name: string;
  readonly bounds: Bounds;
  readonly figures: Readonly<Record<string, number>>;
}

/** A brush as its file has it. */
export interface FileBrush {
  readonly brush: number;
  /** Model that it belongs to: 0 for the world, k for the inline model `*k`. */
  readonly model: number;
  readonly contents: number;
  readonly planes: readonly Plane[];
  /** By plane, the number of its side's texture in the file; -1 for none. */
  readonly textures: ArrayLike<number>;
}

/** The lumps of a file; `recordBytes` has the size of each lump's records: 1 where a lump is not a list. */
export function listLumps<L extends string>(
  lumps: Readonly<Record<L, Uint8Array>>,
  recordBytes: Readonly<Record<L, number>>,
): LumpInfo[] {
  return (Object.keys(lumps) as L[]).map((name) => {
    const bytes = lumps[name].length;
    const size = recordBytes[name];
    return { name, bytes, records: size === 1 ? undefined : bytes / size };
  });
}

/** Counts how often each value occurs. */
export function countValues(values: Iterable<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/**
 * The model that options ask for: 0 for the world.
 * @throws RangeError for a pose without a model, or no such model; as {@link checkPlaces}.
 */
export function askedModel({ model = 0, origin, angles }: TracerValues, numModels: number): number {
  checkWholeFrom(model, 'model', 0);
  if (model === 0 && (origin || angles)) {
    throw new RangeError('origin and angles are for models: the world does not move');
  }
  if (model > numModels) {
    const range = numModels === 0 ? 'none' : numModels === 1 ? 'only *1' : `*1 to *${numModels}`;
    throw new RangeError(`there is no model *${model}: the map has ${range}`);
  }
  checkPlaces({ origin, angles }, 1);
  return model;
}

/**
 * Checks where options put `count` models: `origin` and `angles` have three numbers for each, or are left out.
 * @throws RangeError for another count, and numbers that are not finite as float32; TypeError for anything but a list.
 */
export function checkPlaces({ origin, angles }: TracerValues, count: number): void {
  for (const [name, numbers] of Object.entries({ origin, angles })) {
    if (numbers === undefined) continue;
    checkKind(Array.isArray(numbers) || ArrayBuffer.isView(numbers), numbers, name, 'an array of numbers');
    if (numbers.length !== 3 * count) {
      const needed = `three numbers for each model, ${3 * count} in all`;
      throw new RangeError(`${name} must have ${needed}, got ${numbers.length}`);
    }
    for (let k = 0; k < numbers.length; k++) checkFinite(numbers[k]!, `${name}[${k}]`);
  }
}

/** The options of models and their poses, which formats share. */
export const MODEL_OPTION: TracerOption = {
  name: 'model',
  label: 'Model instead of the world',
  type: 'count',
  group: 'place',
  value: '<number>',
  help: 'which inline model, such as a door: 1 for *1',
};
export const ORIGIN_OPTION: TracerOption = {
  name: 'origin',
  label: 'Position of the model',
  type: 'points',
  group: 'place',
  value: '<x,y,z>',
  help: 'where the model stands; for several models, three numbers for each',
};
export const ANGLES_OPTION: TracerOption = {
  name: 'angles',
  label: 'Rotation of the model',
  type: 'points',
  group: 'place',
  value: '<pitch,yaw,roll>',
  help: 'how the model is turned, in degrees; for several models, three numbers for each',
};
