import { float32Cell } from '@bspkit/conformance';
import { parseEntities, type Tracer } from '@bspkit/core';
import {
  contentsNames,
  explain,
  type Quake3File,
  type Quake3Lump,
  type Quake3Tracer,
  SURFACE_PATCH,
  surfaceNames,
} from '@bspkit/quake3';
import type { Point } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import type { DrawnBrush } from '../explain-svg.ts';
import { cells } from '../numbers.ts';
import type { Quake3Map } from '../open-world.ts';
import { askedModel, type TracerOptions } from '../tracer-options.ts';
import {
  type Fields,
  type FormatAdapter,
  type MapInfo,
  modelName,
  planeOf,
  type Verdict,
} from './adapter.ts';

/** Lumps that a world holds what it needs of. */
const HELD: readonly Quake3Lump[] = [
  'entities',
  'shaders',
  'planes',
  'nodes',
  'leafs',
  'leafSurfaces',
  'leafBrushes',
  'models',
  'brushes',
  'sides',
  'vertexes',
  'indexes',
  'surfaces',
  'visibility',
];

export const quake3: FormatAdapter<Quake3Map> = {
  options: ['sphere', 'exact', 'capsule', 'mask', 'epsilon', 'curves', 'model', 'origin', 'angles'],
  info: describe,
  createTracer,
  contentsNames: (contents) => contentsNames.names(contents),
  surfaceNames: (flags) => surfaceNames.names(flags),
  textureName: ({ file }, texture) => file.shaders[texture]?.name,
  extras: () => ({}),
  explain: (tracer, from, to) => explain(tracer as Quake3Tracer, from, to),
  brushes,
  point,
  sphere: ({ world }, center, radius) => {
    const open = !world.sphere(radius).blocked(center, center);
    return { yes: open, fields: { center, radius, open } };
  },
  sight,
};

function createTracer({ world }: Quake3Map, options: TracerOptions): Tracer {
  const { box, sphere, exact, capsule, epsilon, curves, origin, angles } = options;
  const number = askedModel(options, world.numModels);
  const target = number === 0 ? world : world.model(number);
  const mask = options.mask === undefined ? undefined : contentsNames.bits(options.mask);
  const filter = { mask, epsilon, curves, origin, angles };
  if (exact && sphere === undefined) throw new UsageError('--exact belongs to a --sphere');
  if (box) return target.box(box.slice(0, 3), box.slice(3), filter);
  if (sphere !== undefined) return target.sphere(sphere, { ...filter, exact });
  if (capsule?.length === 2) return target.capsule({ radius: capsule[0]!, height: capsule[1]! }, filter);
  if (capsule) return target.capsule(capsule.slice(0, 3), capsule.slice(3), filter);
  return target.ray(filter);
}

function* brushes({ file }: Quake3Map): Generator<DrawnBrush> {
  const { planes, sides } = file;
  const { count, firstSides, numSides, shaders } = file.brushes;
  for (let brush = 0; brush < count; brush++) {
    const around = sides.planes.subarray(firstSides[brush]!, firstSides[brush]! + numSides[brush]!);
    yield {
      brush,
      contents: file.shaders[shaders[brush]!]!.contents,
      planes: Array.from(around, (plane) => planeOf(planes, plane)),
    };
  }
}

function point({ world }: Quake3Map, at: Point): Fields {
  const leaf = world.leaf(at);
  const contents = world.contents(at);
  return {
    point: at,
    leaf,
    cluster: world.cluster(leaf),
    area: world.area(leaf),
    contents,
    contentsNames: contentsNames.names(contents),
  };
}

function sight({ file, world }: Quake3Map, from: Point, to: Point): Verdict {
  const visible = world.sight(from, to);
  const [fromCluster, toCluster] = [from, to].map((end) => world.cluster(world.leaf(end))) as [
    number,
    number,
  ];
  const known = fromCluster >= 0 && toCluster >= 0;
  const trace = world.ray().trace(from, to);
  const fields = {
    from,
    to,
    visible,
    fromCluster,
    toCluster,
    potentiallyVisible: known ? world.visible(fromCluster, toCluster) : null,
    rayFraction: float32Cell(trace.fraction),
    rayEnd: cells(trace.endPos),
    rayStopsAt: file.shaders[trace.texture]?.name ?? null,
  };
  return { yes: visible, fields };
}

function describe({ file, world }: Quake3Map): MapInfo {
  const counts = new Map<number, number>();
  for (const shader of file.brushes.shaders) {
    const { contents } = file.shaders[shader]!;
    counts.set(contents, (counts.get(contents) ?? 0) + 1);
  }
  const records = countRecords(file);
  return {
    version: `IBSP ${file.version}`,
    bounds: world.bounds,
    facts: {
      'curved patches': file.surfaces.filter(({ type }) => type === SURFACE_PATCH).length,
      clusters: world.numClusters,
      areas: new Set(file.leafs.areas.filter((area) => area >= 0)).size,
    },
    lumps: Object.entries(file.lumpBytes).map(([name, bytes]) => ({
      name,
      bytes,
      records: records[name as Quake3Lump],
    })),
    models: file.models.map(({ mins, maxs, numBrushes, numSurfaces }, number) => ({
      name: modelName(number),
      bounds: { mins, maxs },
      figures: { brushes: numBrushes, surfaces: numSurfaces },
    })),
    entities: parseEntities(file.entities, 'quake3'),
    contents: { what: 'brushes', counts },
    memory: {
      world: world.data.byteLength,
      lumps: HELD.reduce((sum, name) => sum + file.lumpBytes[name], 0),
    },
  };
}

function countRecords(file: Quake3File): Partial<Record<Quake3Lump, number>> {
  const { planes, nodes, leafs, brushes, sides, vertexes } = file;
  const counted = { planes, nodes, leafs, brushes, sides, vertexes };
  const { shaders, leafSurfaces, leafBrushes, models, indexes, fogs, surfaces } = file;
  const listed = { shaders, leafSurfaces, leafBrushes, models, indexes, fogs, surfaces };
  const entries = [
    ...Object.entries(counted).map(([name, { count }]) => [name, count]),
    ...Object.entries(listed).map(([name, { length }]) => [name, length]),
  ];
  return Object.fromEntries(entries) as Partial<Record<Quake3Lump, number>>;
}
