import { beginAt, isStart } from '@bspkit/bake';
import { copyTrace, defineTracer, type Entity, entityModel, entityVector, type Tracer } from '@bspkit/core';
import { bodyPreset, tracerKind, tracerOf } from '@bspkit/core/format';
import type { OpenMap } from './open-map.ts';

type Origin = readonly [number, number, number];

/** Something about an entity that a level's author cannot have meant. */
export interface Problem {
  /** Counted from 0, the world, as in `entities`. */
  readonly entity: number;
  readonly classname: string | null;
  readonly origin: Origin | null;
  readonly kind:
    | 'no-classname'
    | 'origin'
    | 'model'
    | 'target'
    | 'stuck'
    | 'no-floor'
    | 'no-start'
    | 'no-hull';
  /** For people. */
  readonly problem: string;
}

/** What was checked, and what is wrong. */
export interface Checked {
  readonly entities: number;
  /** Places where players start. */
  readonly starts: number;
  readonly problems: readonly Problem[];
}

/** Keys that name other entities: `target`, `killtarget`, `pathtarget`. */
const TARGET = /^[a-z]*target$/;
/** Keys that name the entity itself; mods have more than one. */
const NAME = /^targetname\d*$/;
/** Targets by which entities of a class find those that have them: they name nothing else. */
const MARKS: Readonly<Record<string, string>> = { event_lightning: 'lightning' };

/** Classes that move, open or notice players by means of their brushes, in all games that have them. */
const BRUSH_CLASS =
  /^(func_(bobbing|button|door(_rotating|_secret)?|pendulum|plat|rotating|static|train|wall|water)|trigger_(hurt|multiple|once|push|teleport))$/;

/** Classes of walls that neither move nor open. Those with `spawnflags` may be missing in some games, or at first. */
const FIXED_CLASS = /^func_(wall|static)$/;
/** Of a crafted file's many, more would take minutes; engines have no room for more. */
const MOST_WALLS = 1024;

const NO_HULL = 'players start here, but the map has no hull in which they could move';
const NO_START = 'the map has no place where players begin, such as an info_player_start';

/** How far below a floor may be. */
const DEEP = 4096;
/** Where games put an entity without an origin. */
const MIDDLE: Origin = [0, 0, 0];

/** Looks for what is wrong with a map's entities. Throws `BspError` when their text does not parse. */
export function findProblems({ world, format, file }: OpenMap): Checked {
  const entities = world.entities();
  const names = namesIn(entities);
  const player = playerAmong(fixedWalls(entities, world.numModels), { world, format });
  const problems: Problem[] = [];
  let starts = 0;
  for (const [number, entity] of entities.entries()) {
    const begins = isStart(entity);
    const given = entity.origin?.trim();
    // A start without an origin is where games put it; inline models seldom have one.
    const origin = entityVector(entity, 'origin') ?? (begins && !given ? MIDDLE : null);
    const { classname = null } = entity;
    const report = (kind: Problem['kind'], problem: string): void => {
      problems.push({ entity: number, classname, origin, kind, problem });
    };
    if (!classname) report('no-classname', 'has no classname, so games ignore it');
    if (given && !origin)
      report('origin', `origin '${entity.origin}' is not three numbers that games can hold`);
    checkModel(entity, world.numModels, report);
    for (const [key, name] of Object.entries(entity)) {
      if (TARGET.test(key) && name && !names.has(name.toLowerCase())) {
        report('target', `${key}: nothing is called '${name}'`);
      }
    }
    if (!begins) continue;
    starts++;
    if (player && origin) checkStart(player, origin, report);
  }
  const { classname = null } = entities[0] ?? {};
  const reportMap = (kind: Problem['kind'], problem: string): void => {
    problems.unshift({ entity: 0, classname, origin: null, kind, problem });
  };
  // Else it would seem that all of them had been tried.
  if (starts > 0 && !player) reportMap('no-hull', NO_HULL);
  // Tiles of assemblies seldom have any: players start in one of the tiles.
  const isTile = file !== undefined && format.assemblies !== undefined;
  if (starts === 0 && !isTile) reportMap('no-start', NO_START);
  return { entities: entities.length, starts, problems };
}

/** What targets may name, in lower case: some games ignore case. */
function namesIn(entities: readonly Entity[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const entity of entities) {
    for (const [key, name] of Object.entries(entity)) {
      if (name && NAME.test(key)) names.add(name.toLowerCase());
    }
    const { classname = '' } = entity;
    if (Object.hasOwn(MARKS, classname)) names.add(MARKS[classname]!);
  }
  return names;
}

/** Inline models that are walls, where they stand. */
interface FixedWall {
  readonly model: number;
  readonly origin: Origin;
}

function fixedWalls(entities: readonly Entity[], numModels: number): FixedWall[] {
  const walls = entities.flatMap((entity) => {
    const model = entityModel(entity) ?? 0;
    const isFixed = FIXED_CLASS.test(entity.classname ?? '') && !Number(entity.spawnflags ?? 0);
    if (!isFixed || model < 1 || model > numModels) return [];
    return [{ model, origin: entityVector(entity, 'origin') ?? MIDDLE }];
  });
  return walls.slice(0, MOST_WALLS);
}

/** What players are to the map and its fixed walls; `undefined` in a map without room for any. */
function playerAmong(
  walls: readonly FixedWall[],
  { format, world }: Pick<OpenMap, 'format' | 'world'>,
): Tracer | undefined {
  const body = bodyPreset(format, world);
  if (!body) return undefined;
  const inWorld = tracerOf(format, world, body);
  if (walls.length === 0 || !tracerKind(format, body.kind).options.includes('model')) return inWorld;
  const tracers = walls.map((place) =>
    tracerOf(format, world, { ...body, options: { ...body.options, ...place } }),
  );
  const trace = inWorld.createTrace();
  return defineTracer({
    shape: inWorld.shape,
    createTrace: () => inWorld.createTrace(),
    trace(start, end, out) {
      inWorld.trace(start, end, out);
      for (const tracer of tracers) {
        tracer.trace(start, end, trace);
        const startSolid = out.startSolid || trace.startSolid;
        if (trace.fraction < out.fraction) copyTrace(trace, out);
        out.startSolid = startSolid;
      }
      return out;
    },
  });
}

type Report = (kind: Problem['kind'], problem: string) => void;

function checkModel(entity: Entity, numModels: number, report: Report): void {
  const { model, classname = '' } = entity;
  if (!model && BRUSH_CLASS.test(classname)) report('model', 'needs brushes, and has none');
  if (!model?.startsWith('*')) return;
  const number = entityModel(entity) ?? 0;
  if (number >= 1 && number <= numModels) return;
  const models = numModels === 0 ? 'none' : numModels === 1 ? 'only *1' : `*1 to *${numModels}`;
  report('model', `model ${model}: the map has ${models}`);
}

/** Checks whether a player fits where it starts, and does not fall out of the map. */
function checkStart(player: Tracer, origin: Origin, report: Report): void {
  const begin = beginAt(player, origin);
  if (!begin) {
    report('stuck', 'a player does not fit here');
    return;
  }
  const { startSolid, fraction } = player.trace(begin, [begin[0]!, begin[1]!, origin[2] - DEEP]);
  if (!startSolid && fraction === 1) report('no-floor', `no floor in the ${DEEP} units below`);
}
