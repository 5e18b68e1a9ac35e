import type { CompileSettings, CompileTarget } from './target.ts';
import { quake1 } from './targets/quake1/target.ts';
import { quake2 } from './targets/quake2/target.ts';
import { quake3 } from './targets/quake3/target.ts';
import { ufoai } from './targets/ufoai/target.ts';

export type { Quake1Options } from './targets/quake1/target.ts';
export { parseShaders } from './targets/quake3/shaders.ts';
export type { UfoaiOptions } from './targets/ufoai/target.ts';

/** The games that maps can be compiled for: the only list of them. */
export const COMPILE_TARGETS: readonly [typeof quake1, typeof quake2, typeof quake3, typeof ufoai] = [
  quake1,
  quake2,
  quake3,
  ufoai,
];

type Targets = typeof COMPILE_TARGETS;

/** Id of a target, which is the name of the format's package. */
export type CompileFormat = Targets[number]['id'];

/** Options of a compilation: the format, what all targets take, and what that target takes. */
export type CompileOptions = OptionsOf<Targets[number]>;

type OptionsOf<T> =
  T extends CompileTarget<infer Id, infer Options>
    ? { readonly format: Id } & CompileSettings & Options
    : never;
