/** What is wrong with a map source, for programs; the message is for people. */
export type CompileErrorCode =
  /** Map text that does not parse. */
  | 'syntax'
  /** A brush with fewer than four different planes. */
  | 'few-planes'
  /** A plane whose three points lie on a line, or whose normal has no direction. */
  | 'degenerate-plane'
  /** Planes that leave a brush open on some side. */
  | 'not-closed'
  /** Planes that leave nothing between them, or points that lie in one plane. */
  | 'zero-volume'
  /** A material that is not in the given table. */
  | 'unknown-material'
  /** A curved patch with an impossible grid. */
  | 'patch'
  /** A map in which nothing is left to build. */
  | 'empty'
  /** Text that BSP files, or contents that `.map` text, cannot hold. */
  | 'unwritable'
  /** A coordinate or count above what the format can hold. */
  | 'limit';

/** Where in a map source something is. Entities and brushes count from 0, lines from 1. */
export interface SourcePlace {
  /** Number of the entity, from 0. */
  readonly entity?: number | undefined;
  /** Number of the brush in its entity, from 0. */
  readonly brush?: number | undefined;
  /** Number of the patch in its entity, from 0. */
  readonly patch?: number | undefined;
  /** Side of the brush, from 0. */
  readonly side?: number | undefined;
  /** Line of the map text, from 1. */
  readonly line?: number | undefined;
}

/** A map source that cannot be compiled. The message says what was found, what was expected, and where. */
export class CompileError extends Error {
  override name: string = 'CompileError';
  /** What is wrong, for programs. */
  readonly code: CompileErrorCode;
  /** Number of the entity, from 0; `undefined` if that is not known, as for all places below. */
  readonly entity: number | undefined;
  /** Number of the brush in its entity, from 0. */
  readonly brush: number | undefined;
  /** Number of the patch in its entity, from 0. */
  readonly patch: number | undefined;
  /** Side of the brush, from 0. */
  readonly side: number | undefined;
  /** Line of the map text, from 1. */
  readonly line: number | undefined;

  constructor(
    code: CompileErrorCode,
    place: SourcePlace,
    problem: string,
    options?: { readonly cause?: unknown },
  ) {
    super(`${placeText(place)}${problem}`, options);
    this.code = code;
    this.entity = place.entity;
    this.brush = place.brush;
    this.patch = place.patch;
    this.side = place.side;
    this.line = place.line;
  }
}

/** Something odd that did not stop the compiler. */
export interface CompileWarning extends SourcePlace {
  readonly code: /** Sides of a brush differ in contents; the first one's count. */
    | 'mixed-contents'
    /** Contents that the game does not have; the brush is the first of them. */
    | 'unknown-contents'
    /** A plane does not touch its brush, or occurs in it twice. */
    | 'redundant-plane'
    /** A curved patch in a format without curves. */
    | 'patch-left-out'
    /** A curved patch that needs more planes than some builds of the engine hold, which refuse the map. */
    | 'patch-planes'
    /** More models than the game's own engine has room for; some later engines have more. */
    | 'many-models'
    /** The map is open to the outside, which is therefore not filled. */
    | 'leak'
    /** An area portal that is not between two areas, or where it could not divide any. */
    | 'area-portal'
    /** No entity is in the map, so inside and outside cannot be distinguished and nothing is filled. */
    | 'no-occupants'
    /** The map reaches below or above the heights that the game's traces look at. */
    | 'height'
    /** A material's name is longer than the format can hold. */
    | 'name-cut'
    /** A key or value with characters that files cannot hold. */
    | 'characters'
    /** A brush of an entity that stops nothing, or a brush without volume. */
    | 'brush-left-out'
    /** A model from a file that the game's own compilers would make solid. */
    | 'model-left-out'
    /** A second `worldspawn`: its brushes become the world's, its keys are left out. */
    | 'second-world'
    /** An entity without `classname`, which games ignore. */
    | 'no-classname'
    /** An `origin` that is not three numbers that games can hold, and is ignored. */
    | 'no-origin'
    /** An entity none of whose brushes remain, or that names an inline model that does not exist. */
    | 'no-model';
  /** For people; includes the place. */
  readonly message: string;
  /** For a leak, points on a path from an entity to the outside, in Quake units. */
  readonly path?: readonly (readonly [number, number, number])[] | undefined;
}

/** The most characters of a name or a word that a message repeats: a file that is not map text may be a single word. */
const LONG = /^(.{40}).+/su;

/** What the map says, as messages repeat it. */
export const shortened = (text: string): string => text.replace(LONG, '$1…');

/** The same between quotes. */
export const quoted = (text: string): string => `'${shortened(text)}'`;

/** Makes a warning whose message includes its place. */
export function createWarning(
  code: CompileWarning['code'],
  place: SourcePlace,
  problem: string,
): CompileWarning {
  return { ...place, code, message: `${placeText(place)}${problem}` };
}

/** What messages about a place begin with. */
export function placeText(place: SourcePlace): string {
  const parts: string[] = [];
  for (const name of ['line', 'entity', 'brush', 'patch', 'side'] as const) {
    const number = place[name];
    if (number !== undefined) parts.push(`${name} ${number}`);
  }
  return parts.length > 0 ? `${parts.join(', ')}: ` : '';
}
