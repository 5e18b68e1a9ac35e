export { type CheckOptions, checkFormat, type FormatSample } from './check-format.ts';
export { meshFlaws } from './mesh-flaws.ts';
