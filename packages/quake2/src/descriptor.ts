import type { Explanation, Tracer, Vec3 } from '@bspkit/core';
import { type BspFormat, defineFormat, type Fields, float32Cell, type Verdict } from '@bspkit/core/format';
import { boxEntity } from './box-entity.ts';
import { brushes } from './brushes.ts';
import { contentsNames, surfaceNames } from './constants.ts';
import { explain } from './explain.ts';
import type { Quake2File } from './file.ts';
import { identity } from './identity.ts';
import { info } from './info.ts';
import { isSolid, leafWalk } from './leafs.ts';
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
export const quake2: Quake2Format = /* @__PURE__ */ defineFormat({
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
  boxEntity,
  traceFields: () => ({}),
  explain: (tracer: Tracer, start: Vec3, end: Vec3): Explanation =>
    explain(tracer as Quake2Tracer, start, end),
  point,
  sight,
});

function point(world: Quake2World, at: Vec3): Fields {
  const leaf = world.leaf(at);
  const contents = world.contents(at);
  return {
    point: Array.from(at),
    leaf,
    cluster: world.cluster(leaf),
    area: world.area(leaf),
    contents,
    contentsNames: contentsNames.names(contents),
  };
}

function sight(world: Quake2World, from: Vec3, to: Vec3): Verdict {
  const visible = world.sight(from, to);
  const fromCluster = world.cluster(world.leaf(from));
  const toCluster = world.cluster(world.leaf(to));
  const known = fromCluster >= 0 && toCluster >= 0;
  const trace = world.ray().trace(from, to);
  const fields = {
    from: Array.from(from),
    to: Array.from(to),
    visible,
    fromCluster,
    toCluster,
    potentiallyVisible: known ? world.clusterVisible(fromCluster, toCluster) : null,
    rayFraction: float32Cell(trace.fraction),
    rayEnd: Array.from(trace.endPos, float32Cell),
    rayStopsAt: world.textureNames()[trace.texture] ?? null,
  };
  return { yes: visible, fields };
}
