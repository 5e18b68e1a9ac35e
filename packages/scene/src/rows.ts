// Query rows about scenes: for code that answers rows, not for users of scenes.

export { sceneRows } from './rules/rows.ts';
