import type { Trace, Vec3 } from '@bspkit/core';
import { type BspFormat, defineFormat, type Fields, float32Cell, type Verdict } from '@bspkit/core/format';
import { assemblies } from './assembly/format.ts';
import { brushes } from './brushes.ts';
import { cellSight, levelOf, worldToCell } from './cells.ts';
import { contentsNames, surfaceNames } from './constants.ts';
import { explain } from './explain.ts';
import type { UfoaiFile } from './file.ts';
import { identity } from './identity.ts';
import { info } from './info.ts';
import { isSolid, leafWalk } from './leafs.ts';
import { modelName } from './levels.ts';
import { createLightSampler } from './light.ts';
import { lightmaps } from './lightmaps.ts';
import { brushPolygons, mesh } from './mesh.ts';
import { polygonSource } from './polygons.ts';
import { reader } from './reader.ts';
import { routing } from './routing/format.ts';
import { rows } from './rows.ts';
import { surfaceAt } from './surface.ts';
import type { UfoaiLineTrace, UfoaiTrace } from './trace.ts';
import type { UfoaiTracer } from './tracer.ts';
import { tracers } from './tracers.ts';
import type { UfoaiWorld } from './world.ts';

/** What code that does not know the game can ask about UFO:AI maps. */
export type UfoaiFormat = BspFormat<UfoaiFile, UfoaiWorld>;

/** UFO: Alien Invasion, for code that does not know the game. */
export const ufoai: UfoaiFormat = /* @__PURE__ */ defineFormat({
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
  assemblies,
  routing,
  traceFields,
  explain(tracer, start, end) {
    return explain(tracer as UfoaiTracer, start, end);
  },
  point,
  sight,
});

function traceFields(trace: Trace): Fields {
  const { tile = -1, leaf = -1, level = -1 } = trace as Partial<UfoaiTrace & UfoaiLineTrace>;
  return {
    ...(tile < 0 ? {} : { tile }),
    ...(leaf < 0 ? {} : { leaf }),
    ...(level < 0 ? {} : { head: modelName(level) }),
  };
}

function point(world: UfoaiWorld, at: Vec3): Fields {
  const contents = world.contents(at);
  return {
    point: Array.from(at),
    cell: worldToCell(at),
    level: levelOf(at[2]!),
    contents,
    contentsNames: contentsNames.names(contents),
  };
}

function sight(world: UfoaiWorld, from: Vec3, to: Vec3): Verdict {
  const visible = world.sight(from, to);
  const trace = world.line().trace(from, to);
  const fields = {
    from: Array.from(from),
    to: Array.from(to),
    visible,
    rayFraction: float32Cell(trace.fraction),
    rayEnd: Array.from(trace.endPos, float32Cell),
    cellsSee: cellSight(world, worldToCell(from), worldToCell(to)),
    rayStopsAt: trace.level < 0 ? null : modelName(trace.level),
  };
  return { yes: visible, fields };
}
