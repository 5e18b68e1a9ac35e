// Query rows about players: for code that answers rows, not for users of movers.

export { movementRows, type SceneMaker } from './engines/rows.ts';
