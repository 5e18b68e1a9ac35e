// Answerers of query rows about players. For those who answer rows, not for users of movers.

export { movementRows, type SceneMaker } from './engines/rows.ts';
