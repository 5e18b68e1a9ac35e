import type { MoveGame } from './game.ts';
import { quake1 } from './quake1.ts';
import { quake2 } from './quake2.ts';
import { quake3 } from './quake3.ts';

/** The list of games whose players are measured: each has a yardstick in C in the package for movement. */
export const MOVE_GAMES: readonly MoveGame[] = [quake3, quake2, quake1];
