import {
  boxEntity,
  createHullTrace,
  createQuake1World,
  type HullTrace,
  type HullTracer,
  type Quake1World,
  readQuake1,
} from '@bspkit/quake1';
import type { Answerer, Answering, MapSource } from './answer.ts';
import { columnPlaces, float, type Header, type Row } from './table.ts';
import { HIT_CELLS, STOP_CELLS, writeHit, writeStop } from './trace-cells.ts';

const MOVE = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez'] as const;
const ORIGIN = ['ox', 'oy', 'oz'] as const;
const ENTITY = ['bminx', 'bminy', 'bminz', 'bmaxx', 'bmaxy', 'bmaxz'] as const;
const MOVER = ['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz'] as const;
const POINT = ['x', 'y', 'z'] as const;
const TRACE = [...STOP_CELLS, ...HIT_CELLS, 'inopen', 'inwater'] as const;
const POINTS = ['leaf', 'leafContents', 'hull0', 'hull1', 'hull2'] as const;
const VIS = ['visible'] as const;
const SPHERE = ['leaf', 'conservative', 'exact', 'exactDistance'] as const;
const RAY = ['hit', 't', 'planeIndex', 'startsSolid'] as const;

/** Answers the kinds of rows recorded from Quake. Throws `RangeError` for a kind that it does not know. */
export const answerQuake1: Answerer = (header: Header, maps: MapSource): Answering => {
  if (header.kind === 'box') return answerBoxEntities(header);
  const answer = ANSWERS[header.kind];
  if (!answer) throw new RangeError(`no such kind of Quake 1 rows: '${header.kind}'`);
  return answer(header, createQuake1World(readQuake1(maps.load('quake1', header.map, header.sha256))));
};

const ANSWERS: Readonly<Record<string, (header: Header, world: Quake1World) => Answering>> = {
  trace: answerTraces,
  points: answerPoints,
  vis: answerVisibility,
  sphere: answerSpheres,
  ray: answerRays,
};

/** A reader of three cells as a point. */
function vector(places: readonly number[]): (row: Row) => Float32Array {
  return (row) => Float32Array.from(places, (place) => float(row, place));
}

/** Traces a row's move and writes the answer. */
function moveAnswerer(header: Header): (row: Row, tracer: HullTracer) => void {
  const at = columnPlaces(header, [...MOVE, ...TRACE]);
  const start = vector([at.sx, at.sy, at.sz]);
  const end = vector([at.ex, at.ey, at.ez]);
  const trace = createHullTrace();
  return (row, tracer) => writeTrace(row, at, tracer.trace(start(row), end(row), trace));
}

function answerTraces(header: Header, world: Quake1World): Answering {
  const at = columnPlaces(header, ['model', 'hull', ...ORIGIN]);
  const origin = vector([at.ox, at.oy, at.oz]);
  const tracers = new Map<string, HullTracer>();
  const move = moveAnswerer(header);
  return {
    results: TRACE,
    answer(row) {
      const cells = row as Row;
      const [model, hull] = [cells[at.model] as number, cells[at.hull] as number];
      const key = `${model} ${hull}`;
      const tracer = tracers.get(key) ?? world.model(model).hull(hull);
      tracers.set(key, tracer);
      move(cells, tracer.set({ origin: origin(cells) }));
    },
  };
}

function answerBoxEntities(header: Header): Answering {
  const at = columnPlaces(header, [...ENTITY, ...MOVER, ...ORIGIN]);
  const entityMins = vector([at.bminx, at.bminy, at.bminz]);
  const entityMaxs = vector([at.bmaxx, at.bmaxy, at.bmaxz]);
  const mins = vector([at.minx, at.miny, at.minz]);
  const maxs = vector([at.maxx, at.maxy, at.maxz]);
  const origin = vector([at.ox, at.oy, at.oz]);
  const entity = boxEntity([0, 0, 0], [0, 0, 0]);
  const tracer = entity.ray();
  const move = moveAnswerer(header);
  return {
    results: TRACE,
    answer(row) {
      const cells = row as Row;
      entity.resize(entityMins(cells), entityMaxs(cells));
      move(cells, tracer.set({ mins: mins(cells), maxs: maxs(cells), origin: origin(cells) }));
    },
  };
}

function answerPoints(header: Header, world: Quake1World): Answering {
  const at = columnPlaces(header, [...POINT, ...POINTS]);
  const position = vector([at.x, at.y, at.z]);
  return {
    results: POINTS,
    answer(row) {
      const cells = row as Row;
      const point = position(cells);
      cells[at.leaf] = world.leaf(point);
      cells[at.leafContents] = world.leafContents(point);
      for (const [hull, place] of [at.hull0, at.hull1, at.hull2].entries()) {
        cells[place] = world.hullContents(hull, point);
      }
    },
  };
}

function answerVisibility(header: Header, world: Quake1World): Answering {
  const at = columnPlaces(header, ['a', 'b', ...VIS]);
  return {
    results: VIS,
    answer(row) {
      const cells = row as Row;
      cells[at.visible] = world.visible(cells[at.a] as number, cells[at.b] as number) ? 1 : 0;
    },
  };
}

function answerSpheres(header: Header, world: Quake1World): Answering {
  const at = columnPlaces(header, [...POINT, 'r', ...SPHERE]);
  const position = vector([at.x, at.y, at.z]);
  return {
    results: SPHERE,
    answer(row) {
      const cells = row as Row;
      const center = position(cells);
      const radius = float(cells, at.r);
      cells[at.leaf] = world.leaf(center);
      cells[at.conservative] = world.sphereInside(center, radius) ? 1 : 0;
      cells[at.exact] = world.sphereInsideExact(center, radius) ? 1 : 0;
      const distance = world.distanceToSolid(center);
      cells[at.exactDistance] = Number.isFinite(distance) ? distance : null;
    },
  };
}

function answerRays(header: Header, world: Quake1World): Answering {
  const at = columnPlaces(header, [...MOVE, ...RAY]);
  const start = vector([at.sx, at.sy, at.sz]);
  const end = vector([at.ex, at.ey, at.ez]);
  const tracer = world.ray({ precise: true });
  return {
    results: RAY,
    answer(row) {
      const cells = row as Row;
      const { fraction, plane, startSolid } = tracer.trace(start(cells), end(cells));
      cells[at.hit] = startSolid || fraction < 1 ? 1 : 0;
      cells[at.t] = fraction;
      cells[at.planeIndex] = plane;
      cells[at.startsSolid] = startSolid ? 1 : 0;
    },
  };
}

function writeTrace(row: Row, at: Record<(typeof TRACE)[number], number>, trace: HullTrace): void {
  writeStop(row, at, trace);
  writeHit(row, at, trace);
  row[at.inopen] = trace.inOpen ? 1 : 0;
  row[at.inwater] = trace.inWater ? 1 : 0;
}
