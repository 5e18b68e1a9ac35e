import { pointFields, sightVerdict } from '@bspkit/brushes';
import type { Explanation, Tracer, Vec3 } from '@bspkit/core';
import { type BspFormat, defineFormat } from '@bspkit/core/format';
import { boxEntity } from './box-entity.ts';
import { brushes } from './brushes.ts';
import { contentsNames, surfaceNames } from './constants.ts';
import { explain } from './explain.ts';
import type { Quake2File } from './file.ts';
import { identity } from './identity.ts';
import { info } from './info.ts';
import { isSolid, leafWalk } from './leafs.ts';
import { createLightSampler } from './light.ts';
import { lightmaps } from './lightmaps.ts';
import { brushPolygons, mesh } from './mesh.ts';
import { polygonSource } from './polygons.ts';
import { reader } from './reader.ts';
import { rows } from './rows.ts';
import { surfaceAt } from './surface.ts';
import type { Quake2Tracer } from './tracer.ts';
import { tracers } from './tracers.ts';
import type { Quake2World } from './world.ts';

/** What code that does not know the game can ask about Quake 2 maps. */
export type Quake2Format = BspFormat<Quake2File, Quake2World>;

/** The heavy half of the format's descriptor. */
export const quake2: Quake2Format = /* @__PURE__ */ defineFormat<Quake2File, Quake2World>({
  ...identity,
  ...reader,
  contents: contentsNames,
  surfaceFlags: surfaceNames,
  kernels: ['wasm', 'js'],
  tracers,
  rows,
  info,
  brushes,
  polygons: (world) => ({
    ...polygonSource(world),
    numLeafs: world.numLeafs,
    boxLeafs: leafWalk(world),
    isSolid,
  }),
  surfaceAt,
  mesh,
  brushPolygons,
  lightmaps,
  createLightSampler,
  boxEntity,
  traceFields: () => ({}),
  explain: (tracer: Tracer, start: Vec3, end: Vec3): Explanation =>
    explain(tracer as Quake2Tracer, start, end),
  point: (world, at) => pointFields(world, at, contentsNames),
  sight: sightVerdict,
});
