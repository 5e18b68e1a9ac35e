import type { UnsharedBytes } from '@bspkit/core';
import { checkCallback, checkChoice, checkFlag, checkKind, checkObject } from '@bspkit/core/format';
import type { Brush } from './brushes.ts';
import { checkBrush, checkSource } from './check-source.ts';
import { CompileError, type CompileWarning, createWarning, quoted, type SourcePlace } from './error.ts';
import type { ContentsTable, SurfaceTable } from './flags.ts';
import {
  checkMaterials,
  createMaterialFinder,
  type Materials,
  type ResolvedMaterial,
  refusesUnknown,
  type ToolMaterial,
} from './materials.ts';
import { createModels, type ModelRules, type Models, type Patch } from './models.ts';
import { PlaneSet } from './planes.ts';
import { type MapSource, MOST_ENTITIES, type SourceBrush, type SourceEntity } from './source.ts';
import { countSides, WorkCounts } from './work.ts';

/** Settings that every target takes when it compiles a map. */
export interface CompileSettings {
  /** What materials mean; these come before the names that are common to all maps. */
  readonly materials?: Materials | undefined;
  /**
   * What to do with a material that is neither in `materials` nor a common name: take it as plain solid, or throw. By default
   * `error` if `materials` is given, else `solid`.
   */
  readonly unknownMaterial?: 'solid' | 'error' | undefined;
  /**
   * What to do with a brush that contains nothing, since its planes miss each other or face inwards: throw, which is the default,
   * or leave it out with a warning, as the games' own compilers do. Editors sometimes leave such brushes behind.
   */
  readonly emptyBrush?: 'leave-out' | 'error' | undefined;
  /**
   * Whether to put corners into edges of faces where other faces end on them (T-junctions), so that no pixels of the background show
   * there. True by default, as in the games' own compilers.
   */
  readonly tjunc?: boolean | undefined;
  /** Called as the work goes on: `part` of a stage is done, from 0 to 1. */
  readonly onProgress?: ((stage: string, part: number) => void) | undefined;
}

/** A compiled map. */
export interface CompiledMap {
  /** The BSP file. */
  readonly bytes: UnsharedBytes;
  readonly stats: CompileStats;
  readonly warnings: readonly CompileWarning[];
  /**
   * Where in the source each brush of the file is: its entity, its number there, and the line if the source was map text. The number
   * is that of meshes by brush, and of traces in formats whose traces name brushes. Empty for formats that do not store brushes,
   * unless an option adds them.
   */
  readonly brushes: readonly SourcePlace[];
  /** Likewise where each curve is in the source, by the number that traces give as `patch`. Empty for formats without curves. */
  readonly patches: ReadonlyMap<number, SourcePlace>;
}

/** What a compiled map consists of. */
export interface CompileStats {
  /** Id of the target. */
  readonly format: string;
  /** Brushes in the source, including those that are only markers. */
  readonly sourceBrushes: number;
  /** Records in the file's lumps, by lump. */
  readonly counts: Readonly<Record<string, number>>;
  /** The world's tree. */
  readonly tree: {
    readonly nodes: number;
    readonly leafs: number;
    /** Nodes on the longest way from the root to a leaf, and on average. */
    readonly depth: number;
    readonly meanDepth: number;
    /** The most brushes in a leaf, and brushes per leaf on average: those it lists, or else those at its middle. */
    readonly maxBrushes: number;
    readonly meanBrushes: number;
  };
  readonly bytes: number;
}

/** An option of one target in addition to {@link CompileSettings}, described for command lines and forms. */
export interface CompileOption {
  /** Its key among the options. */
  readonly name: string;
  /**
   * What it takes: `true`, a list of boxes (`{ mins, maxs }`), a string, one of `choices`, or a function, for which `help` says
   * what happens without it.
   */
  readonly type: 'on' | 'boxes' | 'text' | 'choice' | 'function';
  readonly choices?: readonly (number | string)[] | undefined;
  /** The placeholder for the value in help texts. */
  readonly placeholder?: string | undefined;
  /** One line, without a full stop. */
  readonly help: string;
}

/** What a game's `.map` text can hold besides brushes, entities and plain textures. */
export interface MapText {
  /** Whether sides may have Valve 220 texture axes; otherwise they have offsets, a rotation and scales. */
  readonly valve: boolean;
  /** Whether there are curved patches. */
  readonly patches: boolean;
  /**
   * Matches text that is made for this game rather than another: entities, keys, textures or forms of brushes that only its maps
   * have, or a comment in which an editor says so, which a byte order mark may precede. Many texts have nothing of the kind.
   */
  readonly signs?: RegExp | undefined;
  /**
   * The options that suit a text where none are given: of a target for several games, the version of the one that the text is
   * made for.
   */
  readonly options?: ((text: string) => object) | undefined;
  /** What the numbers after a side mean; absent if there are none. */
  readonly sideNumbers?: SideNumbers | undefined;
}

/** What the three numbers that may follow a side in `.map` text mean: contents, surface flags and value. */
export interface SideNumbers {
  /** The bit of the first number that makes a brush detail. */
  readonly detail: number;
  /**
   * Position of the lowest of the eight level bits in the first number, if there are any. Text in which most sides have a level
   * bit is recognised as this target's.
   */
  readonly levels?: number | undefined;
  /** Position of the lowest of the six bits of currents in the first number, if there are any. */
  readonly currents?: number | undefined;
  /** Whether the numbers say everything about a side; otherwise its material does, and only `detail` counts. */
  readonly complete: boolean;
}

/** A game that maps can be compiled for. */
export interface CompileTarget<Id extends string = string, Options extends object = object> {
  /** The format's id, as in its package's name. */
  readonly id: Id;
  /** The game's name. */
  readonly name: string;
  /** The options that it takes in addition to {@link CompileSettings}. */
  readonly options: readonly CompileOption[];
  /** What contents become in its files. */
  readonly contents: ContentsTable;
  /** What surface flags become in its files. */
  readonly surface: SurfaceTable;
  /** What its tools can read in `.map` text. */
  readonly text: MapText;
  /**
   * Compiles a map, or brushes alone, to the bytes of a BSP file. The same input gives the same bytes.
   *
   * @throws CompileError for what is wrong with the map, `TypeError` and `RangeError` for wrong options.
   */
  compile(map: MapSource | readonly SourceBrush[], options?: CompileSettings & Options): CompiledMap;
}

/** What a target's writer gets: the map, checked and sorted into models. */
export interface WriterInput {
  /** The name of the game that the map is compiled for. */
  readonly game: string;
  readonly planes: PlaneSet;
  readonly models: Models;
  /** Counts the work done on the map for one purpose. */
  readonly countWork: () => WorkCounts;
  readonly material: (name: string) => ResolvedMaterial | undefined;
  /** Whether edges of faces get the corners of others on them. */
  readonly tjunc: boolean;
  readonly warnings: CompileWarning[];
  /** Names that were cut to what the format can hold, each with a warning. */
  readonly cutNames: Set<string>;
  readonly onProgress: (stage: string, part: number) => void;
}

/** What a target's writer returns. */
export interface WriterOutput {
  /** The BSP file, not in shared memory. */
  readonly bytes: Uint8Array;
  readonly counts: Readonly<Record<string, number>>;
  readonly tree: CompileStats['tree'];
  /** The brushes that are in the file, in its order. */
  readonly brushes: readonly Brush[];
  /** The curves that are in the file, by their number there; absent where there are none. */
  readonly patches?: ReadonlyMap<number, Patch> | undefined;
}

/** A game, as far as targets with several of them differ. */
interface Game {
  readonly name: string;
  /** What its own tools make of some materials, by their names in small letters. */
  readonly tools?: Readonly<Record<string, ToolMaterial>> | undefined;
}

/** A target without the parts that all targets share. */
export interface TargetParts<Id extends string, Options extends object>
  extends Omit<CompileTarget<Id, Options>, 'compile'> {
  /** How far from the origin, in Quake units along each axis, the brushes of a map may be. */
  readonly reach: number;
  readonly worldClasses?: ModelRules['worldClasses'];
  readonly isKnown: ModelRules['isKnown'];
  readonly keepsUnknown?: boolean;
  /** The game that options ask for, whose values are not checked yet; absent for a target of one game. */
  readonly gameOf?: ((options: Options) => Game) | undefined;
  /** Writes the file. `options` holds known keys only; their values are not checked yet. */
  write(input: WriterInput, options: Options): WriterOutput;
}

const SETTINGS = ['materials', 'unknownMaterial', 'emptyBrush', 'tjunc', 'onProgress'];

/** Makes a target of its parts. */
export function defineTarget<Id extends string, Options extends object>(
  parts: TargetParts<Id, Options>,
): CompileTarget<Id, Options> {
  const {
    write,
    reach,
    worldClasses = {},
    isKnown,
    keepsUnknown = false,
    gameOf = (): Game => parts,
    ...target
  } = parts;
  const known = [...SETTINGS, ...target.options.map(({ name }) => name)];
  return {
    ...target,
    compile(map, options = {} as CompileSettings & Options) {
      const source = toSource(map);
      checkSettings(options, known, target.id);
      const { name: game, tools } = gameOf(options);
      const rules = { game, worldClasses, isKnown, keepsUnknown, hasPatches: target.text.patches };
      const input = prepare(source, options, rules, tools);
      for (const { brushes } of input.models.models) checkReach(brushes, reach, game);
      const { bytes, counts, tree, brushes, patches } = write(input, options);
      const sourceBrushes = source.entities.reduce((sum, { brushes }) => sum + (brushes?.length ?? 0), 0);
      const stats = { format: target.id, sourceBrushes, counts, tree, bytes: bytes.length };
      return {
        bytes: bytes as UnsharedBytes,
        stats,
        warnings: input.warnings,
        brushes: brushes.map(({ place }) => place),
        patches: new Map(Array.from(patches ?? [], ([number, { place }]) => [number, place])),
      };
    },
  };
}

/** What was given as a map, once checked. */
function toSource(map: MapSource | readonly SourceBrush[]): MapSource {
  if (isBrushes(map)) {
    if ((map[0] as Partial<SourceEntity> | undefined)?.properties)
      throw new TypeError('map must be { entities } or an array of brushes, got an array of entities');
    for (const [k, brush] of map.entries()) checkBrush(brush, `map[${k}]`, { entity: 0, brush: k });
    return { entities: [{ properties: { classname: 'worldspawn' }, brushes: map }] };
  }
  const isSource = (map as MapSource | null | undefined)?.entities !== undefined;
  checkKind(isSource, map, 'map', '{ entities }, as parseMap makes of .map text, or an array of brushes');
  checkSource(map);
  return map;
}

const isBrushes = (map: MapSource | readonly SourceBrush[]): map is readonly SourceBrush[] =>
  Array.isArray(map);

function checkSettings(options: CompileSettings, known: readonly string[], id: string): void {
  checkObject(options, 'options');
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || known.includes(key)) continue;
    throw new TypeError(`${id} has no option ${quoted(key)}; its options are ${known.join(', ')}`);
  }
  const { materials, unknownMaterial, emptyBrush = 'error', tjunc = true, onProgress = () => {} } = options;
  if (materials !== undefined) checkMaterials(materials);
  refusesUnknown(materials, unknownMaterial);
  checkChoice(emptyBrush, 'emptyBrush', ['leave-out', 'error']);
  checkFlag(tjunc, 'tjunc');
  checkCallback(onProgress, 'onProgress');
}

function prepare(
  source: MapSource,
  options: CompileSettings,
  rules: ModelRules,
  tools: Game['tools'],
): WriterInput {
  const { materials, unknownMaterial, emptyBrush, tjunc = true, onProgress = () => {} } = options;
  const material = createMaterialFinder(materials, refusesUnknown(materials, unknownMaterial), tools);
  const planes = new PlaneSet();
  const warnings: CompileWarning[] = [];
  const context = { planes, material, warnings, emptyBrush };
  const models = createModels(context, source, rules, (done, total) => onProgress('brushes', done / total));
  if (models.models.every(({ brushes, patches }) => brushes.length + patches.length === 0)) {
    const [first] = warnings;
    const why = first ? `: ${first.message}` : '';
    throw new CompileError('empty', {}, `the map has no brushes or patches besides markers${why}`);
  }
  checkLimits({ entities: models.entities.length }, { entities: MOST_ENTITIES }, 'a map');
  const sides = models.models.reduce((sum, { brushes }) => sum + countSides(brushes), 0);
  const countWork = (): WorkCounts => new WorkCounts(sides);
  const { game } = rules;
  return { game, planes, models, countWork, material, tjunc, warnings, cutNames: new Set(), onProgress };
}

/** A name as a format holds it: cut to `length` characters, with a warning the first time. */
export function fitName(
  name: string,
  length: number,
  { warnings, cutNames }: Pick<WriterInput, 'warnings' | 'cutNames'>,
): string {
  if (name.length <= length) return name;
  const cut = name.slice(0, length);
  if (!cutNames.has(name)) {
    cutNames.add(name);
    warnings.push(createWarning('name-cut', {}, `material ${quoted(name)} is cut to '${cut}'`));
  }
  return cut;
}

/** Throws `CompileError` (`limit`) when a count is above what the format can hold. */
export function checkLimits(
  counts: Readonly<Record<string, number>>,
  limits: Readonly<Record<string, number>>,
  format: string,
): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (counts[name]! > limit) {
      throw new CompileError(
        'limit',
        {},
        `${format} holds at most ${limit} ${name}, but the map has ${counts[name]}`,
      );
    }
  }
}

/**
 * The same while a file is made, for counts that only grow: so that no more work is done on what cannot be written. `place` is
 * that of the brush that exceeded the limit.
 */
export function checkGrowing(
  counts: Readonly<Record<string, number>>,
  limits: Readonly<Record<string, number>>,
  format: string,
  place: SourcePlace = {},
): void {
  // PERF: called for each face and each leaf.
  for (const name of Object.keys(counts)) {
    if (counts[name]! <= (limits[name] ?? Number.POSITIVE_INFINITY)) continue;
    throw new CompileError(
      'limit',
      place,
      `${format} holds at most ${limits[name]} ${name}, but the map has more`,
    );
  }
}

/**
 * Warns of more models, the world's among them, than the game's engine has numbers for: it writes past its table, or takes one
 * model for another.
 */
export function warnOfModels(
  { warnings, game }: Pick<WriterInput, 'warnings' | 'game'>,
  count: number,
  most: number,
): void {
  if (count <= most) return;
  const problem = `the map has ${count} models with the world's; ${game}'s own engine has room for ${most}, those of items and players included`;
  warnings.push(createWarning('many-models', {}, problem));
}

/** What `write` returns; `undefined` if a limit is exceeded. */
export function writeWithin<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof CompileError && error.code === 'limit') return undefined;
    throw error;
  }
}

/** Throws `CompileError` (`limit`) for a brush that reaches farther than the format allows. */
function checkReach(brushes: readonly Brush[], limit: number, format: string): void {
  for (const { box, place } of brushes) {
    const reach = Math.max(...box.maxs, ...box.mins.map((x) => -x));
    if (reach <= limit) continue;
    const problem = `${format} reaches ${limit} units from the origin, the brush ${reach}`;
    throw new CompileError('limit', place, problem);
  }
}
