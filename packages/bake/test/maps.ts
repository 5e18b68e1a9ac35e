import { arenaQuake1, arenaQuake3, houseUfoai } from '@bspkit/fixtures';

/** Our own maps, one of each format that they are compiled for. */
export const MAPS: Readonly<Record<string, () => Uint8Array>> = {
  quake1: arenaQuake1,
  quake3: arenaQuake3,
  ufoai: houseUfoai,
};
