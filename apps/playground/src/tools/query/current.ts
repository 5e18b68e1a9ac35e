import { entityVector } from '@bspkit/core';
import type { OpenMap } from '../../app/open-map.ts';
import { stateField } from '../state.ts';
import type { ToolContext } from '../tool.ts';
import { formatOf } from './format.ts';
import { createTracer, firstSize, type Query, readQuery, roundPoint } from './query.ts';

// The move that all tools are about: shot in one, it is taken apart or repeated in another.

let current: { readonly place: string; readonly query: Query } | undefined;

/** An edited map is the same place, and so is one of our own in another game; another map is somewhere else. */
const placeOf = ({ name, isOwn }: OpenMap): string => `${isOwn ? 'map' : 'file'} ${name}`;

/** The move as it was last set by any tool in this place, or a first one where the map cannot be asked that. */
export function currentQuery(map: OpenMap): Query {
  if (current?.place !== placeOf(map) || !suits(map, current.query)) setCurrentQuery(map, firstQuery(map));
  return current!.query;
}

export function setCurrentQuery(map: OpenMap, query: Query): void {
  current = { place: placeOf(map), query };
}

/** Makes the move in a tool's link state the current one. Returns what there is to say if this map cannot be asked that. */
export function readCurrentQuery({ map, state }: Pick<ToolContext, 'map' | 'state'>): string | undefined {
  const text = stateField(state.get(), 'q');
  if (text === undefined) return undefined;
  const query = typeof text === 'string' ? readQuery(text, formatOf(map)) : undefined;
  if (!query || !suits(map, query))
    return 'The move in the link cannot be used on this map. Here is another one.';
  setCurrentQuery(map, query);
  return undefined;
}

/** Whether a map can be asked this. */
function suits(map: OpenMap, query: Query): boolean {
  try {
    createTracer(formatOf(map), map.world, query).trace(query.start, query.end);
    return true;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return false;
    throw error;
  }
}

/** Quake units above what stands somewhere where its eyes are, or nearly so. */
const EYES = 24;
/** Length of a first move, in Quake units. */
const FAR = 640;
/** Ways that a first move may go, by how far they turn from the one towards the middle, in eighths of a circle. */
const TURNS = [0, 1, -1, 2, -2, 3, -3, 4];

/** A move across the map from where a player would stand, or from anything that stands there. */
export function firstQuery(map: OpenMap): Query {
  const { world } = map;
  const format = formatOf(map);
  const kind = format.tracers.kinds[0]!;
  const mover = { kind: kind.name, size: firstSize(format, kind), options: {} };
  const tracer = createTracer(format, world, mover);
  const { mins, maxs } = world.bounds;
  const middle = [0, 1, 2].map((k) => (mins[k]! + maxs[k]!) / 2);
  const stands = world.entities().flatMap((entity) => {
    const origin = entityVector(entity, 'origin');
    if (!origin) return [];
    const eye = [origin[0], origin[1], origin[2] + EYES];
    const isPlayer = /^info_player|_spawn|start/.test(entity.classname ?? '');
    return tracer.blocked(eye, eye) ? [] : [{ eye, isPlayer }];
  });
  const start = (stands.find(({ isPlayer }) => isPlayer) ?? stands[0])?.eye ?? middle;
  const toMiddle = Math.atan2(middle[1]! - start[1]!, middle[0]! - start[0]!);
  const ends = TURNS.map((turn) => {
    const angle = toMiddle + (turn * Math.PI) / 4;
    return [start[0]! + FAR * Math.cos(angle), start[1]! + FAR * Math.sin(angle), start[2]! - EYES / 2];
  });
  // One that is stopped some way off, so that there is something to see.
  const end =
    ends.find((to) => {
      const { fraction } = tracer.trace(start, to);
      return fraction > 0.2 && fraction < 0.9;
    }) ?? ends[0]!;
  return { ...mover, start: roundPoint(start), end: roundPoint(end) };
}
