import { hullPolygons, type Quake1World } from '@bspkit/quake1';
import type { HullFaces } from './solids.ts';

export const hullFaces: HullFaces = (world, hull) => hullPolygons(world as Quake1World, hull);
