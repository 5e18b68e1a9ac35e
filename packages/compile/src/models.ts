import { entityModel, entityVector } from '@bspkit/core';
import type { Vec } from '@bspkit/geometry';
import { REACH } from './box.ts';
import { type Brush, type BrushContext, createBrush } from './brushes.ts';
import {
  CompileError,
  type CompileWarning,
  createWarning,
  quoted,
  type SourcePlace,
  shortened,
} from './error.ts';
import { CONTENTS, contentsNames, kindsOf } from './flags.ts';
import { checkPatch } from './patches.ts';
import {
  type MapSource,
  propertiesOf,
  type SourceBrush,
  type SourceEntity,
  type SourcePatch,
} from './source.ts';

/** A patch as the compiler works on it. */
export interface Patch extends SourcePatch {
  readonly place: SourcePlace;
}

/** A model of the file: 0 is the world, k the inline model `*k`. */
export interface Model {
  readonly brushes: readonly Brush[];
  readonly patches: readonly Patch[];
  /** Where the model is: its brushes are relative to it. */
  readonly origin: Vec;
}

/** A checked map. */
export interface Models {
  readonly models: readonly Model[];
  /** Keys and values of every entity that remains, the world first, with `model` and `origin` filled in. */
  readonly entities: readonly Readonly<Record<string, string>>[];
  /** Where each of those is in the source; empty for a world that the source lacks. */
  readonly sources: readonly SourcePlace[];
}

/** Classes of entities that remain, but whose brushes become the world's, with the contents that the brushes have there. */
export type WorldClasses = Readonly<Record<string, keyof typeof CONTENTS>>;

/** What a game makes of a map. */
export interface ModelRules {
  /** The game's name. */
  readonly game: string;
  readonly worldClasses: WorldClasses;
  /** Whether a brush's contents mean anything to the game. */
  readonly isKnown: (brush: Brush) => boolean;
  /** Whether other brushes are in its files too. */
  readonly keepsUnknown: boolean;
  /** Whether the game has curved patches. */
  readonly hasPatches: boolean;
}

/** Classes of entities whose brushes become the world's; those of all but the first are detail. */
const WORLD_CLASSES = ['func_group', 'func_detail', 'func_detail_wall', 'func_detail_fence'];

/** A class whose brushes would become the world's if they stopped anything. */
const OPEN_CLASS = 'func_detail_illusionary';

const asDetail = (contents: number): number => contents | CONTENTS.detail;

/** Whether an entity is the world: by its class, or if it has none, by being the first. */
export function isWorldspawn({ properties: { classname } }: SourceEntity, index: number): boolean {
  return classname === 'worldspawn' || (index === 0 && !classname);
}

/**
 * Checks all brushes of a map and sorts those that the game knows into models. Throws `CompileError` as {@link createBrush} does.
 */
export function createModels(
  context: BrushContext,
  source: MapSource,
  rules: ModelRules,
  onBrush?: (done: number, total: number) => void,
): Models {
  const sorter = new ModelSorter(context, source, rules, onBrush);
  for (const [index, entity] of source.entities.entries()) sorter.add(entity, index);
  return sorter.finish();
}

/** Takes the entities of a map one by one. */
class ModelSorter {
  private readonly _context: BrushContext;
  private readonly _rules: ModelRules;
  private readonly _onBrush: (() => void) | undefined;
  private readonly _world = { brushes: [] as Brush[], patches: [] as Patch[], origin: [0, 0, 0] as Vec };
  private readonly _inline: Model[] = [];
  private readonly _entities: Record<string, string>[] = [];
  private readonly _sources: SourcePlace[] = [];
  /** Contents that the game does not know, once they were met. */
  private readonly _unknown = new Set<number>();

  constructor(
    context: BrushContext,
    source: MapSource,
    rules: ModelRules,
    onBrush?: (done: number, total: number) => void,
  ) {
    this._context = context;
    this._rules = rules;
    const total = source.entities.reduce((sum, entity) => sum + (entity.brushes?.length ?? 0), 0);
    let done = 0;
    this._onBrush = onBrush && (() => onBrush(++done, total));
  }

  add(entity: SourceEntity, index: number): void {
    const name = entity.properties.classname ?? '';
    if (WORLD_CLASSES.includes(name)) {
      this._addToWorld(entity, index, name === 'func_group' ? undefined : asDetail);
    } else if (name === OPEN_CLASS) {
      // Made all the same, so that mistakes in them are reported, but as solid: warnings of contents are about brushes that stay.
      this._make(entity, index, this._world.origin, () => CONTENTS.solid);
      this._warn('brush-left-out', entity, index, `${name} stops nothing; its brushes are left out`);
    } else if (isWorldspawn(entity, index)) this._addWorldspawn(entity, index);
    else this._addEntity(entity, index);
  }

  /** The models, with a world even if the source has none. */
  finish(): Models {
    for (const [k, entity] of this._entities.entries()) {
      if (!entity.model?.startsWith('*')) continue;
      const number = entityModel(entity) ?? Number.NaN;
      if (number >= 1 && number <= this._inline.length) continue;
      const what = number === 0 ? 'is the world' : 'the map does not have';
      const problem = `names the model ${shortened(entity.model)}, which ${what}`;
      this._context.warnings.push(createWarning('no-model', this._sources[k]!, problem));
    }
    if (!this._hasWorldspawn()) {
      this._entities.unshift({ classname: 'worldspawn' });
      this._sources.unshift({});
    }
    return { models: [this._world, ...this._inline], entities: this._entities, sources: this._sources };
  }

  private _hasWorldspawn(): boolean {
    return this._entities[0]?.classname === 'worldspawn';
  }

  private _addWorldspawn(entity: SourceEntity, index: number): void {
    this._addToWorld(entity, index);
    if (this._hasWorldspawn()) {
      const problem = `a second worldspawn, after entity ${this._sources[0]!.entity}`;
      const outcome = 'its brushes are added to the world, its keys are left out';
      this._warn('second-world', entity, index, `${problem}; ${outcome}`);
      return;
    }
    const properties = this._properties(entity, index);
    // About the form of the text, not the map.
    delete properties.mapversion;
    this._entities.unshift({ ...properties, classname: 'worldspawn' });
    this._sources.unshift(placeOf(entity, index));
  }

  /** An entity that remains one, whoever gets its brushes. */
  private _addEntity(entity: SourceEntity, index: number): void {
    const name = entity.properties.classname ?? '';
    const { worldClasses } = this._rules;
    const properties = this._properties(entity, index);
    if (!name) this._warn('no-classname', entity, index, 'has no classname, so games ignore it');
    if (properties.origin?.trim() && !entityVector(properties, 'origin')) {
      const origin = quoted(properties.origin);
      const problem = `the origin ${origin} is not three numbers that games can hold, and counts as none`;
      this._warn('no-origin', entity, index, problem);
    }
    if (Object.hasOwn(worldClasses, name)) {
      if (!this._addToWorld(entity, index, () => CONTENTS[worldClasses[name]!])) {
        this._warn('area-portal', entity, index, `${name} has no brush that stays, and divides nothing`);
      }
    } else if (entity.brushes?.length || entity.patches?.length) this._addInline(entity, index, properties);
    this._entities.push(properties);
    this._sources.push(placeOf(entity, index));
  }

  /** Makes an inline model of an entity's brushes, and tells the entity which and where. */
  private _addInline(entity: SourceEntity, index: number, properties: Record<string, string>): void {
    const origin = findOrigin(this._context, entity, index);
    const model = this._make(entity, index, origin);
    if (model.brushes.length === 0 && model.patches.length === 0) {
      const problem = 'leaves nothing in the file, so it has no model';
      this._warn('no-model', entity, index, problem);
      return;
    }
    this._inline.push(model);
    properties.model = `*${this._inline.length}`;
    // An origin brush outweighs a key, even in the middle of the map.
    const told = [...origin, ...(entityVector(properties, 'origin') ?? [])];
    if (told.some((x) => x !== 0)) properties.origin = origin.join(' ');
  }

  /** Returns whether anything was added. */
  private _addToWorld(entity: SourceEntity, index: number, contentsOf?: (own: number) => number): boolean {
    const { brushes, patches } = this._make(entity, index, this._world.origin, contentsOf);
    for (const brush of brushes) this._world.brushes.push(brush);
    for (const patch of patches) this._world.patches.push(patch);
    return brushes.length > 0 || patches.length > 0;
  }

  private _make(
    entity: SourceEntity,
    index: number,
    origin: Vec,
    contentsOf: (own: number) => number = (own) => own,
  ): Model {
    const isInWorld = origin === this._world.origin;
    const brushes: Brush[] = [];
    for (const [number, source] of (entity.brushes ?? []).entries()) {
      const made = makeBrush(this._context, source, brushPlaceOf(index, number, source), origin);
      this._onBrush?.();
      if (!made) continue;
      const contents = contentsOf(made.contents);
      // Origin brushes only mark where a model turns, and hints have no contents.
      if (!(contents & ~CONTENTS.detail) || made.contents & CONTENTS.origin) continue;
      const brush = { ...made, contents };
      if (this._isKept(brush, isInWorld)) brushes.push(brush);
    }
    const patches = (entity.patches ?? []).flatMap((patch, number): Patch | readonly [] => {
      const place = { entity: index, patch: number, line: patch.line };
      checkPatch(patch, place, origin);
      const { game, hasPatches } = this._rules;
      if (!hasPatches) {
        const problem = `${game} has no curves; left out`;
        this._context.warnings.push(createWarning('patch-left-out', place, problem));
        return [];
      }
      // No -0, which text does not keep.
      const points = patch.points.map(
        ([x, y, z, s, t]) => [x - origin[0] + 0, y - origin[1] + 0, z - origin[2] + 0, s + 0, t + 0] as const,
      );
      return { ...patch, points, place };
    });
    return { brushes, patches, origin };
  }

  /** Whether a brush is in the file. Of contents that the game does not know, the first brush is warned of. */
  private _isKept(brush: Brush, isInWorld: boolean): boolean {
    // In models, triggers are what the game's own compilers take for their shape, whatever the game calls them.
    const { game, isKnown, keepsUnknown } = this._rules;
    if (isKnown(brush) || (!isInWorld && brush.contents & CONTENTS.trigger)) return true;
    // Brushes of no kind are meant to do nothing: those of shaders with `nonsolid` and `trans`, say.
    const kinds = kindsOf(brush.contents);
    if (kinds !== 0 && !this._unknown.has(kinds)) {
      this._unknown.add(kinds);
      const names = contentsNames.names(kinds).join(', ');
      const problem = `contents ${names} mean nothing to ${game}: such brushes do nothing`;
      this._context.warnings.push(createWarning('unknown-contents', brush.place, problem));
    }
    return keepsUnknown;
  }

  /** An entity's keys and values, as files can hold them. */
  private _properties(entity: SourceEntity, index: number): Record<string, string> {
    return writable(propertiesOf(entity), (problem) => this._warn('characters', entity, index, problem));
  }

  private _warn(code: CompileWarning['code'], entity: SourceEntity, index: number, problem: string): void {
    this._context.warnings.push(createWarning(code, placeOf(entity, index), problem));
  }
}

/** Makes a brush; `undefined`, with a warning, for one that contains nothing and is to be left out. */
function makeBrush(
  context: BrushContext,
  source: SourceBrush,
  place: SourcePlace,
  origin?: Vec,
): Brush | undefined {
  try {
    return createBrush(context, source, place, origin);
  } catch (error) {
    const isEmpty = error instanceof CompileError && error.code === 'zero-volume';
    if (!isEmpty || context.emptyBrush !== 'leave-out') throw error;
    context.warnings.push({ ...place, code: 'brush-left-out', message: `${error.message}; left out` });
    return undefined;
  }
}

/** Brushes of an inline model for a game that has no contents for triggers, and expects solid there. */
export const withSolidTriggers = (brushes: readonly Brush[]): Brush[] =>
  brushes.map((brush) =>
    brush.contents & CONTENTS.trigger ? { ...brush, contents: CONTENTS.solid } : brush,
  );

/** Keys and values as files hold them, with one byte per character; warns of those that change. */
function writable(
  properties: Readonly<Record<string, string>>,
  onProblem: (problem: string) => void,
): Record<string, string> {
  const fit = (text: string, what: string): string => {
    const bad = /[\u0100-\u{10ffff}]/u.exec(text)?.[0];
    if (bad === undefined) return text;
    const problem = `the ${what} has characters such as ${bad}, which files cannot hold; they become '?'`;
    onProblem(problem);
    return text.replace(/[\u0100-\u{10ffff}]/gu, '?');
  };
  // Without a prototype, so that any key is a key.
  const fitting: Record<string, string> = Object.create(null);
  for (const [key, value] of Object.entries(properties)) {
    fitting[fit(key, 'key')] = fit(value, `value of ${quoted(key)}`);
  }
  return fitting;
}

const placeOf = ({ line }: SourceEntity, entity: number): SourcePlace => ({ entity, line });

const brushPlaceOf = (entity: number, brush: number, { line }: SourceBrush): SourcePlace => ({
  entity,
  brush,
  line,
});

/** Where an inline model is: the middle of its origin brush, or its `origin` key, or the map's origin. */
function findOrigin(context: BrushContext, entity: SourceEntity, index: number): Vec {
  for (const [number, source] of (entity.brushes ?? []).entries()) {
    // Its warnings are dropped: it is created again later.
    const brush = makeBrush({ ...context, warnings: [] }, source, brushPlaceOf(index, number, source));
    if (!brush || !(brush.contents & CONTENTS.origin)) continue;
    const { mins, maxs } = brush.box;
    return [(mins[0] + maxs[0]) / 2, (mins[1] + maxs[1]) / 2, (mins[2] + maxs[2]) / 2];
  }
  const origin = entityVector(propertiesOf(entity), 'origin') ?? [0, 0, 0];
  if (!origin.every((x) => Math.abs(x) <= REACH)) {
    const place = placeOf(entity, index);
    throw new CompileError('limit', place, `the origin ${origin.join(' ')} lies beyond ${REACH} units`);
  }
  return origin;
}

/** The entities lump's text. */
export function entitiesText(entities: Models['entities']): string {
  let text = '';
  for (const entity of entities) {
    text += '{\n';
    for (const [key, value] of Object.entries(entity)) text += `"${key}" "${value}"\n`;
    text += '}\n';
  }
  return `${text}\0`;
}
