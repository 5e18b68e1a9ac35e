import {
  columnPlaces,
  floatCell,
  HIT_COLUMNS,
  intCell,
  modelCell,
  optionalFloats,
  type Row,
  type RowAnswering,
  type RowHeader,
  type RowKind,
  type RowKinds,
  STOP_COLUMNS,
  writeHit,
  writeStop,
} from '@bspkit/core/format';
import { boxEntity } from './box-entity.ts';
import { distanceToSolid, sphereInsideExact } from './classify.ts';
import { createHullTrace, type HullTrace } from './trace.ts';
import type { HullTracer } from './tracer.ts';
import type { Quake1World } from './world.ts';

const MOVE = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez'] as const;
const ORIGIN = ['ox', 'oy', 'oz'] as const;
const ENTITY = ['bminx', 'bminy', 'bminz', 'bmaxx', 'bmaxy', 'bmaxz'] as const;
const MOVER = ['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz'] as const;
const POINT = ['x', 'y', 'z'] as const;
const TRACE = [...STOP_COLUMNS, ...HIT_COLUMNS, 'inopen', 'inwater'] as const;
const POINTS = ['leaf', 'leafContents', 'hull0', 'hull1', 'hull2'] as const;
const PAIR = ['a', 'b'] as const;
const VIS = ['visible'] as const;
const BALL = [...POINT, 'r'] as const;
const SPHERE = ['leaf', 'conservative', 'exact', 'exactDistance'] as const;
const RAY = ['hit', 't', 'planeIndex', 'startsSolid'] as const;

/** Rows about the map that the header names, opened through the given descriptor. */
function ofWorld(
  columns: Omit<RowKind, 'open'>,
  open: (header: RowHeader, world: Quake1World) => RowAnswering,
): RowKind {
  return {
    ...columns,
    open(header, source) {
      const { format, load } = source;
      const file = format.read(load(header.game, header.map, header.sha256));
      return open(header, format.createWorld([file]) as Quake1World);
    },
  };
}

/** A reader of three cells as a point. */
function vector(places: readonly number[]): (row: Row) => Float32Array {
  return (row) => Float32Array.from(places, (place) => floatCell(row, place));
}

/** Traces a row's move and writes the answer. */
function moveAnswerer(header: RowHeader): (row: Row, tracer: HullTracer) => void {
  const at = columnPlaces(header, [...MOVE, ...TRACE]);
  const start = vector([at.sx, at.sy, at.sz]);
  const end = vector([at.ex, at.ey, at.ez]);
  const trace = createHullTrace();
  return (row, tracer) => writeTrace(row, at, tracer.trace(start(row), end(row), trace));
}

const traceRows = ofWorld(
  { question: ['model', 'hull', ...MOVE], optional: [ORIGIN], results: TRACE },
  (header, world) => {
    const at = columnPlaces(header, ['model', 'hull', ...ORIGIN]);
    const origin = [at.ox, at.oy, at.oz];
    const move = moveAnswerer(header);
    const hulls = new Map<number, HullTracer>();
    const models = new Map<string, ReturnType<ReturnType<Quake1World['model']>['hull']>>();
    return {
      answer(row) {
        const [model, hull] = [modelCell(row, at.model, world.numModels, 0), intCell(row, at.hull)];
        const place = optionalFloats(row, origin);
        if (model === 0) {
          if (place.some((c) => c !== 0))
            throw new RangeError('the world does not move: ox, oy and oz must be 0');
          const tracer = hulls.get(hull) ?? world.hull(hull);
          hulls.set(hull, tracer);
          move(row, tracer);
        } else {
          const key = `${model} ${hull}`;
          const tracer = models.get(key) ?? world.model(model).hull(hull);
          models.set(key, tracer);
          move(row, tracer.place({ origin: place }));
        }
      },
    };
  },
);

const boxEntityRows: RowKind = {
  question: [...ENTITY, ...MOVER, ...ORIGIN, ...MOVE],
  results: TRACE,
  open(header) {
    const at = columnPlaces(header, [...ENTITY, ...MOVER, ...ORIGIN]);
    const entityMins = vector([at.bminx, at.bminy, at.bminz]);
    const entityMaxs = vector([at.bmaxx, at.bmaxy, at.bmaxz]);
    const mins = vector([at.minx, at.miny, at.minz]);
    const maxs = vector([at.maxx, at.maxy, at.maxz]);
    const origin = vector([at.ox, at.oy, at.oz]);
    const entity = boxEntity([0, 0, 0], [0, 0, 0]);
    const tracer = entity.box([0, 0, 0], [0, 0, 0]);
    const move = moveAnswerer(header);
    return {
      answer(row) {
        entity.resize(entityMins(row), entityMaxs(row));
        move(row, tracer.set({ mins: mins(row), maxs: maxs(row) }).place({ origin: origin(row) }));
      },
    };
  },
};

const pointRows = ofWorld({ question: POINT, results: POINTS }, (header, world) => {
  const at = columnPlaces(header, [...POINT, ...POINTS]);
  const position = vector([at.x, at.y, at.z]);
  return {
    answer(row) {
      const point = position(row);
      row[at.leaf] = world.leaf(point);
      row[at.leafContents] = world.leafContents(point);
      for (const [hull, place] of [at.hull0, at.hull1, at.hull2].entries()) {
        row[place] = world.hullContents(hull, point);
      }
    },
  };
});

const visibilityRows = ofWorld({ question: PAIR, results: VIS }, (header, world) => {
  const at = columnPlaces(header, [...PAIR, ...VIS]);
  return {
    answer(row) {
      row[at.visible] = world.visible(intCell(row, at.a), intCell(row, at.b)) ? 1 : 0;
    },
  };
});

const sphereRows = ofWorld({ question: BALL, results: SPHERE }, (header, world) => {
  const at = columnPlaces(header, [...BALL, ...SPHERE]);
  const position = vector([at.x, at.y, at.z]);
  return {
    answer(row) {
      const center = position(row);
      const radius = floatCell(row, at.r);
      row[at.leaf] = world.leaf(center);
      row[at.conservative] = world.sphereInside(center, radius) ? 1 : 0;
      row[at.exact] = sphereInsideExact(world, center, radius) ? 1 : 0;
      const distance = distanceToSolid(world, center);
      row[at.exactDistance] = Number.isFinite(distance) ? distance : null;
    },
  };
});

const rayRows = ofWorld({ question: MOVE, results: RAY }, (header, world) => {
  const at = columnPlaces(header, [...MOVE, ...RAY]);
  const start = vector([at.sx, at.sy, at.sz]);
  const end = vector([at.ex, at.ey, at.ez]);
  const tracer = world.preciseRay();
  const trace = tracer.createTrace();
  return {
    answer(row) {
      const { fraction, plane, startSolid } = tracer.trace(start(row), end(row), trace);
      row[at.hit] = startSolid || fraction < 1 ? 1 : 0;
      row[at.t] = fraction;
      row[at.planeIndex] = plane;
      row[at.startsSolid] = startSolid ? 1 : 0;
    },
  };
});

function writeTrace(row: Row, at: Record<(typeof TRACE)[number], number>, trace: HullTrace): void {
  writeStop(row, at, trace);
  writeHit(row, at, trace);
  row[at.inopen] = trace.inOpen ? 1 : 0;
  row[at.inwater] = trace.inWater ? 1 : 0;
}

/** The kinds of query rows about Quake maps. Columns `exactDistance` and `t` are doubles. */
export const rows: RowKinds = {
  trace: traceRows,
  points: pointRows,
  vis: visibilityRows,
  sphere: sphereRows,
  ray: rayRows,
  box: boxEntityRows,
};
