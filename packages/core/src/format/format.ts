import type { FlagNames } from '../contents.ts';
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
import type { MapInfo } from './info.ts';
import type { RowKinds } from './rows.ts';
import type { TracerCatalog } from './tracers.ts';

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

/** A box that can be resized and traced. Where tracers take masks, the default one may go through it; -1 stops at any. */
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

/** How moves slide that {@link BspFormat.explainMove} explains. */
export interface MoveOptions {
  /** Distance to keep from what a move slides along, in Quake units. */
  readonly gap?: number | undefined;
  /** Contacts that a move may have. */
  readonly maxContacts?: number | undefined;
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
