import { isStart } from '@bspkit/bake';
import { type Entity, entityModel, entityVector, type Tracer } from '@bspkit/core';
import { bodyPreset, tracerOf } from '@bspkit/core/format';
import type { OpenMap } from './open-map.ts';

type Origin = readonly [number, number, number];

/** Something about an entity that a level's author did not mean. */
export interface Problem {
  /** Counted from 0, which is the world, as `entities` lists them. */
  readonly entity: number;
  readonly classname: string | null;
  readonly origin: Origin | null;
  readonly kind: 'no-classname' | 'origin' | 'model' | 'target' | 'stuck' | 'no-floor';
  /** For people. */
  readonly problem: string;
}

/** What was looked at, and what is wrong. */
export interface Checked {
  readonly entities: number;
  /** Places where players begin. */
  readonly starts: number;
  readonly problems: readonly Problem[];
}

/** Keys that name other entities: `target`, `killtarget`, `pathtarget`. */
const TARGET = /^[a-z]*target$/;

/** How much higher than its origin a player may begin, in Quake units: games lift them, and nudge them out of floors. */
const LIFTS = [0, 9, 18];
/** How far below a floor may be. */
const DEEP = 4096;

/** Looks for what is wrong with a map's entities. Throws `BspError` when their text does not parse. */
export function findProblems({ world, format }: OpenMap): Checked {
  const entities = world.entities();
  const names = new Set(entities.map(({ targetname }) => targetname));
  const body = bodyPreset(format, world);
  const player = body && tracerOf(format, world, body);
  const problems: Problem[] = [];
  let starts = 0;
  for (const [number, entity] of entities.entries()) {
    const origin = entityVector(entity, 'origin') ?? null;
    const { classname = null } = entity;
    const report = (kind: Problem['kind'], problem: string): void => {
      problems.push({ entity: number, classname, origin, kind, problem });
    };
    if (!classname) report('no-classname', 'has no classname, so games ignore it');
    if (entity.origin?.trim() && !origin) report('origin', `origin '${entity.origin}' is not three numbers`);
    checkModel(entity, world.numModels, report);
    for (const [key, name] of Object.entries(entity)) {
      if (TARGET.test(key) && name && !names.has(name))
        report('target', `${key}: nothing is called '${name}'`);
    }
    if (!isStart(entity)) continue;
    starts++;
    if (player && origin) checkStart(player, origin, report);
  }
  return { entities: entities.length, starts, problems };
}

type Report = (kind: Problem['kind'], problem: string) => void;

function checkModel(entity: Entity, numModels: number, report: Report): void {
  const { model } = entity;
  if (!model?.startsWith('*')) return;
  const number = entityModel(entity) ?? 0;
  if (number >= 1 && number <= numModels) return;
  const models = numModels === 0 ? 'none' : numModels === 1 ? '*1 alone' : `*1 to *${numModels}`;
  report('model', `model ${model}: the map has ${models}`);
}

/** Whether a player fits where it begins, and does not fall out of the map. */
function checkStart(player: Tracer, [x, y, z]: Origin, report: Report): void {
  const trace = player.createTrace();
  for (const lift of LIFTS) {
    player.trace([x, y, z + lift], [x, y, z - DEEP], trace);
    if (trace.startSolid) continue;
    if (trace.fraction === 1) report('no-floor', `no floor in the ${DEEP} units below`);
    return;
  }
  report('stuck', 'a player does not fit here');
}
