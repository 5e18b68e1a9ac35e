// Answerers of query rows about scenes. For those who answer rows, not for users of scenes.

export { sceneRows } from './rules/rows.ts';
