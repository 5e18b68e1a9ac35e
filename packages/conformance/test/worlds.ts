import type { KernelChoice } from '@bspkit/core/format';
import { arenaQuake1, arenaQuake2, arenaQuake3, houseUfoai } from '@bspkit/fixtures';
import { createQuake1World, readQuake1 } from '@bspkit/quake1';
import { createQuake2World, readQuake2 } from '@bspkit/quake2';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { createUfoaiWorld, readUfoai } from '@bspkit/ufoai';

// A new world of our own map for each format.

type Options = { readonly kernel?: KernelChoice };

export const quake1Arena = (options?: Options) => createQuake1World(readQuake1(arenaQuake1()), options);
export const quake2Arena = (options?: Options) => createQuake2World(readQuake2(arenaQuake2()), options);
export const quake3Arena = (options?: Options) => createQuake3World(readQuake3(arenaQuake3()), options);
export const ufoaiHouse = (options?: Options) => createUfoaiWorld(readUfoai(houseUfoai()), options);
export const worlds = () => ({
  quake1: quake1Arena(),
  quake2: quake2Arena(),
  quake3: quake3Arena(),
  ufoai: ufoaiHouse(),
});
