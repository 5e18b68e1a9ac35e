import { checkFinite, checkKind, checkWholeFrom } from '../check.ts';
import type { Tracer } from '../tracer.ts';
import type { BspFormat } from './format.ts';

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
