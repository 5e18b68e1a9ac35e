import type { Trace, Tracer, Vec3 } from '@bspkit/core';
import { type BspFormat, defineFormat, type Fields, float32Cell, type Verdict } from '@bspkit/core/format';
import { boxEntity } from './box-entity.ts';
import { distanceToSolid, sphereInsideExact } from './classify.ts';
import { contentsNames, surfaceNames } from './constants.ts';
import { explain } from './explain.ts';
import type { Quake1File } from './file.ts';
import { identity } from './identity.ts';
import { info } from './info.ts';
import { isSolid, leafWalk } from './leafs.ts';
import { createLightSampler } from './light.ts';
import { lightmaps } from './lightmaps.ts';
import { brushPolygons, mesh } from './mesh.ts';
import { leafPolygons, polygons } from './polygons.ts';
import { reader } from './reader.ts';
import { rows } from './rows.ts';
import { surfaceAt } from './surface.ts';
import { embeddedTextures } from './textures.ts';
import type { HullTrace } from './trace.ts';
import type { HullTracer } from './tracer.ts';
import { tracers } from './tracers.ts';
import type { Quake1World } from './world.ts';

/** The descriptor of Quake 1 and Half-Life maps. */
export type Quake1Format = BspFormat<Quake1File, Quake1World>;

/** Quake 1 and Half-Life maps, for code that does not know the game. */
export const quake1: Quake1Format = /* @__PURE__ */ defineFormat({
  ...identity,
  ...reader,
  contents: contentsNames,
  surfaceFlags: surfaceNames,
  kernels: ['wasm', 'js'],
  tracers,
  rows,
  info,
  polygons: (world) => ({
    polygons: () => polygons(world),
    leafPolygons: (leaf) => leafPolygons(world, leaf),
    numLeafs: world.numLeafs,
    boxLeafs: leafWalk(world),
    isSolid,
  }),
  surfaceAt,
  mesh,
  brushPolygons,
  lightmaps,
  createLightSampler,
  embeddedTextures,
  boxEntity,
  traceFields,
  // Its overloads distinguish a hull tracer from a precise ray, which makes no difference here.
  explain: (tracer: Tracer, start: Vec3, end: Vec3) => explain(tracer as HullTracer, start, end),
  point,
  sphere,
  sight,
});

function traceFields(trace: Trace): Fields {
  const { inOpen, inWater } = trace as Partial<HullTrace>;
  return inOpen === undefined || inWater === undefined ? {} : { inOpen, inWater };
}

function point(world: Quake1World, at: Vec3): Fields {
  const contents = world.leafContents(at);
  const hulls = world.hulls.flatMap((_, hull) => contentsNames.names(world.hullContents(hull, at)));
  return {
    point: [at[0]!, at[1]!, at[2]!],
    leaf: world.leaf(at),
    contents,
    contentsNames: contentsNames.names(contents),
    hullContents: hulls,
    inside: world.isInside(at),
    distanceToSolid: distance(world, at),
  };
}

/** The distance; null for infinity, which JSON does not have: in a map without solid. */
function distance(world: Quake1World, at: Vec3): number | null {
  const units = distanceToSolid(world, at);
  return Number.isFinite(units) ? units : null;
}

function sphere(world: Quake1World, center: Vec3, radius: number): Verdict {
  const inside = sphereInsideExact(world, center, radius);
  const fields = {
    center: Array.from(center),
    radius,
    leaf: world.leaf(center),
    inside,
    insideByQuickTest: world.sphereInside(center, radius),
    distanceToSolid: distance(world, center),
  };
  return { yes: inside, fields };
}

function sight(world: Quake1World, from: Vec3, to: Vec3): Verdict {
  const visible = world.sight(from, to);
  const [fromLeaf, toLeaf] = [world.leaf(from), world.leaf(to)];
  const { fraction, endPos } = world.preciseRay().trace(from, to);
  const namesAt = (at: Vec3): string[] => contentsNames.names(world.leafContents(at));
  // The others have no row, nor are they in one, so only the ray decides.
  const isKnown = [fromLeaf, toLeaf].every((leaf) => leaf > 0 && leaf <= world.numVisLeafs);
  const fields = {
    from: Array.from(from),
    to: Array.from(to),
    visible,
    fromLeaf,
    toLeaf,
    // All of solid is one leaf, so its number says little.
    fromContents: namesAt(from),
    toContents: namesAt(to),
    potentiallyVisible: isKnown ? world.visible(fromLeaf, toLeaf) : null,
    rayFraction: float32Cell(fraction),
    rayEnd: Array.from(endPos, float32Cell),
  };
  return { yes: visible, fields };
}
