import { createTrace, type Placed, type Trace } from '@bspkit/core';
import {
  columnPlaces,
  failCell,
  floatCells,
  HIT_COLUMNS,
  intCell,
  leafRows,
  modelCell,
  optionalFloats,
  type Row,
  type RowHeader,
  type RowKind,
  type RowKinds,
  type RowSource,
  STOP_COLUMNS,
  writeHit,
  writeStop,
} from '@bspkit/core/format';
import { boxEntity } from './box-entity.ts';
import type { Quake2Tracer } from './tracer.ts';
import type { Quake2World } from './world.ts';

// The engine's query rows, answered through the public API.

const MOVE = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez'] as const;
const SHAPE = ['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz', 'mask'] as const;
const ORIGIN = ['ox', 'oy', 'oz'] as const;
const ANGLES = ['pitch', 'yaw', 'roll'] as const;
const POSE = [...ORIGIN, ...ANGLES] as const;
const ANSWER = [...STOP_COLUMNS, ...HIT_COLUMNS, 'contents', 'surfaceFlags', 'texinfo'] as const;
const TEMP_BOX = ['tminx', 'tminy', 'tminz', 'tmaxx', 'tmaxy', 'tmaxz'] as const;
const BOX = ['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz'] as const;
const BOX_ANSWER = ['count', 'topnode', 'leafs'] as const;
const SETS = ['pvs', 'phs'] as const;
const PORTAL = ['portal', 'open', 'a', 'b', 'area'] as const;
const AREAS = ['connected', 'bits'] as const;

const NONE = [0, 0, 0];

/** With the descriptor that is asked, which may choose how worlds are made. */
function openWorld({ game, map, sha256 }: RowHeader, { format, load }: RowSource): Quake2World {
  return format.createWorld([format.read(load(game, map, sha256))]) as Quake2World;
}

/** What a row asks. */
interface RowMove {
  readonly start: number[];
  readonly end: number[];
  readonly mins: number[];
  readonly maxs: number[];
  readonly mask: number;
}

function moveReader(header: RowHeader): (row: Row) => RowMove {
  const at = columnPlaces(header, [...MOVE, ...SHAPE]);
  const [start, end] = [
    [at.sx, at.sy, at.sz],
    [at.ex, at.ey, at.ez],
  ];
  const [mins, maxs] = [
    [at.minx, at.miny, at.minz],
    [at.maxx, at.maxy, at.maxz],
  ];
  return (row) => ({
    start: floatCells(row, start),
    end: floatCells(row, end),
    mins: floatCells(row, mins),
    maxs: floatCells(row, maxs),
    mask: intCell(row, at.mask),
  });
}

/** Traces a move with a tracer that is given its size. Some of the engine's boxes are inside out. */
function traceMove(tracer: Quake2Tracer, { start, end, mins, maxs, mask }: RowMove, out: Trace): Trace {
  tracer.set({ mask });
  tracer._resize(mins, maxs);
  return tracer.trace(start, end, out);
}

function answerWriter(header: RowHeader): (row: Row, trace: Trace) => void {
  const at = columnPlaces(header, ANSWER);
  return (row, trace) => {
    writeStop(row, at, trace);
    writeHit(row, at, trace);
    row[at.contents] = trace.contents;
    row[at.surfaceFlags] = trace.surfaceFlags;
    row[at.texinfo] = trace.texture;
  };
}

/** Makes the function that returns a model's tracer, which is made when it is first asked for. */
function modelTracers(world: Quake2World): (number: number) => Placed<Quake2Tracer> {
  const tracers = new Map<number, Placed<Quake2Tracer>>();
  return (number) => {
    const tracer = tracers.get(number) ?? world.model(number).box(NONE, NONE);
    tracers.set(number, tracer);
    return tracer;
  };
}

/** Traces against the world (model 0) and against inline models. */
const traceRows: RowKind = {
  question: ['model', ...MOVE, ...SHAPE],
  optional: [ORIGIN, ANGLES],
  results: ANSWER,
  open(header, source) {
    const at = columnPlaces(header, ['model', ...POSE]);
    const [origin, angles] = [
      [at.ox, at.oy, at.oz],
      [at.pitch, at.yaw, at.roll],
    ];
    const world = openWorld(header, source);
    const inWorld = world.box(NONE, NONE);
    const tracerOf = modelTracers(world);
    const [read, write, trace] = [moveReader(header), answerWriter(header), createTrace()];
    return {
      answer(row) {
        const model = modelCell(row, at.model, world.numModels, 0);
        const pose = { origin: optionalFloats(row, origin), angles: optionalFloats(row, angles) };
        const tracer = model === 0 ? inWorld : tracerOf(model).place(pose);
        write(row, traceMove(tracer, read(row), trace));
      },
    };
  },
};

/** Traces against a box that is not part of the map. It never turns, whatever the row's angles. */
const boxEntityRows: RowKind = {
  question: [...TEMP_BOX, ...ORIGIN, ...MOVE, ...SHAPE],
  optional: [ANGLES],
  results: [...ANSWER, 'pointContents'],
  open(header) {
    const at = columnPlaces(header, [...TEMP_BOX, ...POSE, 'pointContents']);
    const entity = boxEntity(NONE, NONE);
    const tracer = entity.box(NONE, NONE);
    const [read, write, trace] = [moveReader(header), answerWriter(header), createTrace()];
    return {
      answer(row) {
        const mins = floatCells(row, [at.tminx, at.tminy, at.tminz]);
        entity.resize(mins, floatCells(row, [at.tmaxx, at.tmaxy, at.tmaxz]));
        const origin = floatCells(row, [at.ox, at.oy, at.oz]);
        const move = read(row);
        tracer.place({ origin, angles: optionalFloats(row, [at.pitch, at.yaw, at.roll]) });
        write(row, traceMove(tracer, move, trace));
        row[at.pointContents] = entity.contents(move.start, { origin });
      },
    };
  },
};

/** What an inline model is at a point. */
const modelPointRows: RowKind = {
  question: ['model', 'x', 'y', 'z'],
  optional: [ORIGIN, ANGLES],
  results: ['contents'],
  open(header, source) {
    const at = columnPlaces(header, ['model', ...POSE, 'x', 'y', 'z', 'contents']);
    const world = openWorld(header, source);
    return {
      answer(row) {
        const origin = optionalFloats(row, [at.ox, at.oy, at.oz]);
        const angles = optionalFloats(row, [at.pitch, at.yaw, at.roll]);
        const point = floatCells(row, [at.x, at.y, at.z]);
        const model = world.model(modelCell(row, at.model, world.numModels, 1));
        row[at.contents] = model.contents(point, { origin, angles });
      },
    };
  },
};

/** Leafs that a box touches: the engine has room for a certain number, and drops the rest. */
const boxLeafRows: RowKind = {
  question: [...BOX, 'capacity'],
  results: BOX_ANSWER,
  open(header, source) {
    const at = columnPlaces(header, [...BOX, 'capacity', ...BOX_ANSWER]);
    const world = openWorld(header, source);
    return {
      answer(row) {
        const mins = floatCells(row, [at.minx, at.miny, at.minz]);
        const maxs = floatCells(row, [at.maxx, at.maxy, at.maxz]);
        const capacity = intCell(row, at.capacity);
        if (capacity < 0) failCell(row, at.capacity, '0 or more');
        const leafs = world.boxLeafs(mins, maxs).slice(0, capacity);
        row[at.count] = leafs.length;
        row[at.topnode] = world.headNode(mins, maxs);
        row[at.leafs] = leafs;
      },
    };
  },
};

/** Whether a cluster sees and hears another. */
const setRows: RowKind = {
  question: ['a', 'b'],
  results: SETS,
  open(header, source) {
    const at = columnPlaces(header, ['a', 'b', ...SETS]);
    const world = openWorld(header, source);
    return {
      answer(row) {
        const [a, b] = [intCell(row, at.a), intCell(row, at.b)];
        row[at.pvs] = Number(world.clusterVisible(a, b));
        row[at.phs] = Number(world.clusterHearable(a, b));
      },
    };
  },
};

/** Whether a cluster sees and hears anything below a node. */
const headSetRows: RowKind = {
  question: ['node', 'cluster'],
  results: SETS,
  open(header, source) {
    const at = columnPlaces(header, ['node', 'cluster', ...SETS]);
    const world = openWorld(header, source);
    return {
      answer(row) {
        const [node, cluster] = [intCell(row, at.node), intCell(row, at.cluster)];
        row[at.pvs] = Number(world.headVisible(node, cluster));
        row[at.phs] = Number(world.headHearable(node, cluster));
      },
    };
  },
};

/** Areas, while portals open and close from row to row. */
const areaRows: RowKind = {
  question: PORTAL,
  results: AREAS,
  open(header, source) {
    const at = columnPlaces(header, [...PORTAL, ...AREAS]);
    const world = openWorld(header, source);
    const portals = new Set<number>();
    return {
      sequences: {
        begins: () => false,
        restart() {
          for (const portal of portals) world.setAreaPortal(portal, false);
        },
      },
      answer(row) {
        const portal = intCell(row, at.portal);
        if (portal >= 0) {
          world.setAreaPortal(portal, intCell(row, at.open) !== 0);
          portals.add(portal);
        }
        row[at.connected] = Number(world.areasConnected(intCell(row, at.a), intCell(row, at.b)));
        const bits = world.areaBits(intCell(row, at.area));
        row[at.bits] = Array.from(bits, (byte) => byte.toString(16).padStart(2, '0')).join('');
      },
    };
  },
};

/** The kinds of rows that are answered. */
export const rows: RowKinds = {
  trace: traceRows,
  tempbox: boxEntityRows,
  points: leafRows(openWorld),
  modelpoints: modelPointRows,
  boxleafs: boxLeafRows,
  vis: setRows,
  nodevis: headSetRows,
  areas: areaRows,
};
