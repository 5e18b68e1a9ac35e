import { float32Cell } from '@bspkit/conformance';
import { parseEntities, type Trace, type Tracer } from '@bspkit/core';
import {
  contentsName,
  explain,
  type HullTrace,
  type HullTracer,
  type Quake1File,
  type Quake1Lump,
} from '@bspkit/quake1';
import type { Point } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import { cells } from '../numbers.ts';
import type { Quake1Map } from '../open-world.ts';
import { askedModel, type TracerOptions } from '../tracer-options.ts';
import { type Fields, type FormatAdapter, type MapInfo, modelName, type Verdict } from './adapter.ts';

/** Lumps that a world holds what it needs of. */
const HELD: readonly Quake1Lump[] = [
  'entities',
  'planes',
  'visibility',
  'nodes',
  'clipNodes',
  'leafs',
  'models',
  'vertexes',
  'faces',
  'edges',
  'surfEdges',
  'markSurfaces',
];

export const quake1: FormatAdapter<Quake1Map> = {
  options: ['hull', 'precise', 'model', 'origin'],
  info: describe,
  createTracer,
  contentsNames: (contents) => [contentsName(contents)],
  surfaceNames: () => [],
  textureName: ({ file }, texture) => file.textures[texture]?.name,
  extras,
  // Its overloads tell a hull tracer from a precise ray, which only matters for what is not used here.
  explain: (tracer, from, to) => explain(tracer as HullTracer, from, to),
  point,
  sphere,
  sight,
};

function createTracer({ world }: Quake1Map, options: TracerOptions): Tracer {
  const { box, hull, precise, origin = [0, 0, 0] } = options;
  const number = askedModel(options, world.numModels);
  const target = number === 0 ? world : world.model(number);
  if (precise) {
    if (box || hull !== undefined)
      throw new UsageError('--precise is a ray: it goes with no --box or --hull');
    return target.ray({ precise, origin });
  }
  if (box) return target.box(box.slice(0, 3), box.slice(3), { origin });
  return target.hull(hull ?? 0, { origin });
}

function extras(trace: Trace): Fields {
  const { inOpen, inWater } = trace as Partial<HullTrace>;
  return inOpen === undefined || inWater === undefined ? {} : { inOpen, inWater };
}

function point({ world }: Quake1Map, at: Point): Fields {
  const leaf = world.leaf(at);
  const contents = world.leafContents(at);
  const hulls = world.hulls.map((_, hull) => contentsName(world.hullContents(hull, at)));
  return {
    point: at,
    leaf,
    contents,
    contentsNames: [contentsName(contents)],
    hullContents: hulls,
    inside: world.isInside(at),
    distanceToSolid: distance(world.distanceToSolid(at)),
  };
}

/** Infinity, which JSON does not have, stands for a map without solid. */
const distance = (units: number): number | null => (Number.isFinite(units) ? units : null);

function sphere({ world }: Quake1Map, center: Point, radius: number): Verdict {
  const inside = world.sphereInsideExact(center, radius);
  const fields = {
    center,
    radius,
    leaf: world.leaf(center),
    inside,
    insideByQuickTest: world.sphereInside(center, radius),
    distanceToSolid: distance(world.distanceToSolid(center)),
  };
  return { yes: inside, fields };
}

function sight({ world }: Quake1Map, from: Point, to: Point): Verdict {
  const visible = world.sight(from, to);
  const [fromLeaf, toLeaf] = [world.leaf(from), world.leaf(to)];
  const trace = world.ray({ precise: true }).trace(from, to);
  const fields = {
    from,
    to,
    visible,
    fromLeaf,
    toLeaf,
    potentiallyVisible: world.visible(fromLeaf, toLeaf),
    rayFraction: float32Cell(trace.fraction),
    rayEnd: cells(trace.endPos),
  };
  return { yes: visible, fields };
}

function describe({ file, world }: Quake1Map): MapInfo {
  const counts = new Map<number, number>();
  for (const contents of file.leafs.contents) counts.set(contents, (counts.get(contents) ?? 0) + 1);
  const records = countRecords(file);
  const { version } = file;
  return {
    version: version === 30 ? 'Half-Life BSP 30' : typeof version === 'number' ? `BSP ${version}` : version,
    bounds: world.bounds,
    facts: {
      hulls: world.hulls.length,
      'leafs with visibility': world.numVisLeafs,
      ...(file.extensions.length > 0
        ? { extensions: file.extensions.map(({ name }) => name).join(', ') }
        : {}),
    },
    lumps: Object.entries(file.lumpBytes).map(([name, bytes]) => ({
      name,
      bytes,
      records: records[name as Quake1Lump],
    })),
    models: file.models.map(({ mins, maxs, numFaces, numVisLeafs }, number) => ({
      name: modelName(number),
      bounds: { mins, maxs },
      figures: { leafs: numVisLeafs, faces: numFaces },
    })),
    entities: parseEntities(file.entities, 'quake1'),
    contents: { what: 'leafs', counts },
    memory: {
      world: world.data.byteLength,
      lumps: HELD.reduce((sum, name) => sum + file.lumpBytes[name], 0),
    },
  };
}

function countRecords(file: Quake1File): Partial<Record<Quake1Lump, number>> {
  const { planes, vertexes, nodes, texInfos, faces, clipNodes, leafs } = file;
  const counted = { planes, vertexes, nodes, texInfos, faces, clipNodes, leafs };
  const { textures, markSurfaces, surfEdges, models } = file;
  const entries = [
    ...Object.entries(counted).map(([name, { count }]) => [name, count]),
    ...Object.entries({ textures, markSurfaces, surfEdges, models }).map(([name, { length }]) => [
      name,
      length,
    ]),
    ['edges', file.edges.length / 2],
  ];
  return Object.fromEntries(entries) as Partial<Record<Quake1Lump, number>>;
}
