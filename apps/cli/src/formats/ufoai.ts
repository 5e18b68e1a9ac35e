import { float32Cell } from '@bspkit/conformance';
import { parseEntities, type Trace, type Tracer } from '@bspkit/core';
import {
  ACTORCLIP_MODEL,
  type BoxTrace,
  contentsNames,
  explain,
  type LineFilter,
  type LineTrace,
  type LineTracer,
  levelList,
  levelOf,
  levels,
  REGULAR_MODELS,
  surfaceNames,
  type UfoaiLump,
  worldToCell,
} from '@bspkit/ufoai';
import type { Point } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import type { DrawnBrush } from '../explain-svg.ts';
import { cells } from '../numbers.ts';
import type { UfoaiMap } from '../open-world.ts';
import { askedModel, type TracerOptions } from '../tracer-options.ts';
import {
  type Fields,
  type FormatAdapter,
  type MapInfo,
  planeOf,
  type Verdict,
  type Walk,
} from './adapter.ts';

/** Lumps that a world holds what it needs of. Of the routing lump, often the largest, it needs 24 bytes: left out. */
const HELD: readonly UfoaiLump[] = [
  'entities',
  'planes',
  'nodes',
  'texinfo',
  'leafs',
  'leafBrushes',
  'models',
  'brushes',
  'sides',
];

export const ufoai: FormatAdapter<UfoaiMap> = {
  options: ['levels', 'engine', 'mask', 'model', 'origin', 'angles'],
  info: describe,
  createTracer,
  contentsNames: (contents) => contentsNames.names(contents),
  surfaceNames: (flags) => surfaceNames.names(flags),
  textureName: ({ file }, texture) => file.textures[texture]?.name,
  extras,
  explain: explainWalk,
  brushes,
  point,
  sight,
};

const CLIPS = { actorclip: 'actorClip', weaponclip: 'weaponClip', lightclip: 'lightClip' } as const;

/** `1,3,actorClip` as a line's filter. A number in `0x…` form is the game's own mask. */
function parseLevels(text: string): LineFilter {
  const list: number[] = [];
  const filter: { -readonly [K in keyof LineFilter]: LineFilter[K] } = {};
  for (const part of text.toLowerCase().split(',')) {
    const name = part.trim();
    if (/^0x[0-9a-f]+$/.test(name)) filter.levels = (filter.levels ?? 0) | Number(name);
    else if (/^\d+$/.test(name)) list.push(Number(name));
    else if (Object.hasOwn(CLIPS, name)) filter[CLIPS[name as keyof typeof CLIPS]] = true;
    else if (name !== 'all') {
      throw new UsageError(
        `--levels has '${part}': it takes 1 to 8, all, actorClip, weaponClip, lightClip, or 0x…`,
      );
    }
  }
  if (list.length > 0) filter.levels = (filter.levels ?? 0) | levels(...list);
  return filter;
}

function createTracer({ world }: UfoaiMap, options: TracerOptions): Tracer {
  const { box, engine, origin, angles } = options;
  const number = askedModel(options, world.numModels);
  const filter = options.levels === undefined ? {} : parseLevels(options.levels);
  const mask = options.mask === undefined ? undefined : contentsNames.bits(options.mask);
  const compat = engine ? 'engine' : undefined;
  if (!box && number === 0) {
    if (mask !== undefined)
      throw new UsageError('--mask belongs to a --box or a --model: lines have --levels');
    return world.line({ ...filter, compat });
  }
  if (filter.actorClip || filter.weaponClip || filter.lightClip) {
    throw new UsageError('clips in --levels belong to lines: a --box or --model has --mask for them');
  }
  const settings = { levels: filter.levels, mask, compat } as const;
  const [mins, maxs] = [box?.slice(0, 3) ?? [0, 0, 0], box?.slice(3) ?? [0, 0, 0]];
  if (number > 0) return world.model(number).set({ origin, angles }).box(mins, maxs, settings);
  return world.box(mins, maxs, settings);
}

function extras(trace: Trace): Fields {
  const { tile, leaf, level } = trace as Partial<BoxTrace & LineTrace>;
  return {
    ...(tile === undefined || tile < 0 ? {} : { tile }),
    ...(leaf === undefined || leaf < 0 ? {} : { leaf }),
    ...(level === undefined || level < 0 ? {} : { head: modelName(level) }),
  };
}

/** The steps of all trees that were walked, each named. */
function explainWalk(tracer: Tracer, from: Point, to: Point): Walk {
  // Its overloads tell lines from boxes, which only matters for what is not used here.
  const { heads, ...explanation } = explain(tracer as LineTracer, from, to);
  return { ...explanation, trees: heads.map(({ level, step }) => ({ name: modelName(level), step })) };
}

function* brushes({ file }: UfoaiMap): Generator<DrawnBrush> {
  const { planes, sides } = file;
  const { count, firstSides, numSides, contents } = file.brushes;
  for (let brush = 0; brush < count; brush++) {
    const around = sides.planes.subarray(firstSides[brush]!, firstSides[brush]! + numSides[brush]!);
    yield {
      brush,
      contents: contents[brush]!,
      planes: Array.from(around, (plane) => planeOf(planes, plane)),
    };
  }
}

function point({ world }: UfoaiMap, at: Point): Fields {
  const contents = world.contents(at);
  return {
    point: at,
    cell: worldToCell(at),
    level: levelOf(at[2]),
    contents,
    contentsNames: contentsNames.names(contents),
  };
}

function sight({ world }: UfoaiMap, from: Point, to: Point): Verdict {
  const visible = world.sight(from, to);
  const trace = world.line().trace(from, to);
  const fields = {
    from,
    to,
    visible,
    rayFraction: float32Cell(trace.fraction),
    rayEnd: cells(trace.endPos),
    cellsSee: world.cellSight(worldToCell(from), worldToCell(to)),
    rayStopsAt: trace.level < 0 ? null : modelName(trace.level),
  };
  return { yes: visible, fields };
}

/** A model by what it holds: the brushes of a set of levels, a clip, or an inline model. */
function modelName(number: number): string {
  if (number >= REGULAR_MODELS) return `*${number - REGULAR_MODELS + 1}`;
  if (number <= 255) return number === 0 ? 'no level' : `level ${levelList(number).join(' ')}`;
  return ['light clip', 'weapon clip', 'actor clip'][number + 2 - ACTORCLIP_MODEL]!;
}

function describe({ file, world }: UfoaiMap): MapInfo {
  const counts = new Map<number, number>();
  for (const contents of file.brushes.contents) counts.set(contents, (counts.get(contents) ?? 0) + 1);
  const entities = parseEntities(file.entities, 'ufoai');
  const used = file.models.flatMap(({ headNode }, number) =>
    headNode >= 0 && number <= 255 ? [number] : [],
  );
  const { mins, maxs } = file.routing;
  return {
    version: `IBSP ${file.version}`,
    bounds: world.bounds,
    facts: {
      levels: levelList(used.reduce((mask, set) => mask | set, 0)).join(' ') || 'none',
      cells: `${mins.join(' ')} to ${maxs.join(' ')}`,
      tiles: world.tiles.length,
      'line heads': world.heads().filter(({ kind }) => kind !== 'phantom').length,
      stumps: world.heads().reduce((sum, { stumps }) => sum + stumps, 0),
      doors: entities.filter(({ classname = '' }) => classname.startsWith('func_door')).length,
    },
    lumps: lumpInfos(file),
    models: file.models.flatMap((model, number) =>
      model.headNode < 0
        ? []
        : [{ name: modelName(number), bounds: model, figures: { faces: model.numFaces } }],
    ),
    entities,
    contents: { what: 'brushes', counts },
    memory: {
      world: world.data.byteLength,
      lumps: HELD.reduce((sum, name) => sum + file.lumps[name].length, 0),
    },
  };
}

function lumpInfos({ lumps, ...file }: UfoaiMap['file']): MapInfo['lumps'] {
  const { planes, nodes, leafs, brushes, sides } = file;
  const counted: Readonly<Record<string, { count: number }>> = { planes, nodes, leafs, brushes, sides };
  const { leafBrushes, models, textures: texinfo } = file;
  const listed: Readonly<Record<string, ArrayLike<unknown>>> = { leafBrushes, models, texinfo };
  return Object.entries(lumps).map(([name, { length: bytes }]) => ({
    name,
    bytes,
    records: counted[name]?.count ?? listed[name]?.length,
  }));
}
