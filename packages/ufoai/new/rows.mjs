import {
  HIT_COLUMNS,
  STOP_COLUMNS,
  columnPlaces,
  createBoxTrace,
  createLineTrace,
  float32Cell,
  floatCell,
  floatCells,
  intCell,
  readUfoai,
  writeHit,
  writeStop
} from "./chunk-ABOYNM2O.mjs";

// src/rows.ts
const START = ["sx", "sy", "sz"];
const END = ["ex", "ey", "ez"];
const MINS = ["minx", "miny", "minz"];
const MAXS = ["maxx", "maxy", "maxz"];
const ORIGIN = ["ox", "oy", "oz"];
const ANGLES = ["ax", "ay", "az"];
const LINE_RESULTS = [
  "blocked",
  "dmBlocked",
  "dmx",
  "dmy",
  "dmz",
  "cblocked",
  "cdmBlocked",
  "cdmx",
  "cdmy",
  "cdmz"
];
const BOX_RESULTS = [
  ...STOP_COLUMNS,
  ...HIT_COLUMNS,
  "contentFlags",
  "texinfo",
  "surfaceFlags",
  "leafnum",
  "mapTile"
];
const ENT_BOX_RESULTS = [...STOP_COLUMNS, "contentFlags", "mapTile"];
function openTiles({ map, sha256, tiles }, { format, load }) {
  const list = tiles ?? [{ map, sha256, x: 0, y: 0, z: 0 }];
  const files = list.map((tile) => readUfoai(load("ufoai", tile.map, tile.sha256)));
  return format.createWorld(files, { offsets: list.map(({ x, y, z }) => [x, y, z]) });
}
function pointReader(header, names) {
  const at = columnPlaces(header, names);
  const places = names.map((name) => at[name]);
  return (row) => floatCells(row, places);
}
function poseModels({ models }, world) {
  const poses = models;
  if (!poses) return world.models();
  return poses.map(
    ({ name, origin, angles }) => world.model(Number(name.slice(1))).place({ origin, angles })
  );
}
function answerLines(header, world, models) {
  const at = columnPlaces(header, ["levelmask", ...LINE_RESULTS]);
  const [start, end] = [pointReader(header, START), pointReader(header, END)];
  const withoutPhantoms = { maskBits: true, maskIgnored: true, entities: true };
  const engine = world.line({ models, compat: "engine" });
  const clean = world.line({ models, compat: withoutPhantoms });
  const trace = createLineTrace();
  const write = (row, tracer, prefix) => {
    const move = [start(row), end(row)];
    tracer.set({ levels: intCell(row, at.levelmask) });
    row[at[`${prefix}blocked`]] = tracer.blocked(...move) ? 1 : 0;
    tracer.trace(...move, trace);
    row[at[`${prefix}dmBlocked`]] = trace.blocked ? 1 : 0;
    row[at[`${prefix}dmx`]] = float32Cell(trace.endPos[0]);
    row[at[`${prefix}dmy`]] = float32Cell(trace.endPos[1]);
    row[at[`${prefix}dmz`]] = float32Cell(trace.endPos[2]);
  };
  return {
    results: LINE_RESULTS,
    answer(row) {
      write(row, engine, "");
      write(row, clean, "c");
    }
  };
}
function boxMover(header) {
  const at = columnPlaces(header, ["levelmask", "brushmask", "brushreject"]);
  const [start, end] = [pointReader(header, START), pointReader(header, END)];
  const [mins, maxs] = [pointReader(header, MINS), pointReader(header, MAXS)];
  const trace = createBoxTrace();
  return (row, tracer) => {
    tracer.set({
      levels: at.levelmask < 0 ? void 0 : intCell(row, at.levelmask),
      mask: intCell(row, at.brushmask),
      reject: intCell(row, at.brushreject),
      mins: mins(row),
      maxs: maxs(row)
    });
    return tracer.trace(start(row), end(row), trace);
  };
}
function writeEntBox(row, at, trace) {
  writeStop(row, at, trace);
  row[at.contentFlags] = trace.contents;
  row[at.mapTile] = Math.max(0, trace.tile);
}
function writeTrace(row, at, trace) {
  writeEntBox(row, at, trace);
  writeHit(row, at, trace);
  row[at.texinfo] = trace.texture;
  row[at.surfaceFlags] = trace.surfaceFlags;
  row[at.leafnum] = Math.max(0, trace.leaf);
}
const NO_SIZE = [0, 0, 0];
var answerBoxes = (header, source) => {
  const world = openTiles(header, source);
  const at = columnPlaces(header, ["mode", "tile", "head", ...BOX_RESULTS]);
  const move = boxMover(header);
  const tracers = /* @__PURE__ */ new Map();
  const tracerOf = (mode, tile, head) => {
    const key = mode === 1 ? "all" : mode === 0 ? `${tile}` : `${tile} ${head}`;
    let tracer = tracers.get(key);
    if (!tracer) {
      const where = mode === 1 ? {} : mode === 0 ? { tile } : { tile, head };
      tracer = world.box(NO_SIZE, NO_SIZE, { ...where, compat: "engine" });
      tracers.set(key, tracer);
    }
    return tracer;
  };
  return {
    results: BOX_RESULTS,
    answer(row) {
      const mode = intCell(row, at.mode);
      const tracer = tracerOf(mode, intCell(row, at.tile), intCell(row, at.head));
      writeTrace(row, at, move(row, tracer));
      if (mode !== 1) row[at.mapTile] = 0;
    }
  };
};
var answerModels = (header, source) => {
  const world = openTiles(header, source);
  const at = columnPlaces(header, ["model", "useShift", "fractionIn", ...BOX_RESULTS]);
  const [origin, angles] = [pointReader(header, ORIGIN), pointReader(header, ANGLES)];
  const move = boxMover(header);
  const opened = world.models().map((model) => ({
    model,
    shifted: model.box(NO_SIZE, NO_SIZE, { compat: "engine" }),
    unshifted: model.box(NO_SIZE, NO_SIZE, { compat: "engine", shift: false })
  }));
  return {
    results: BOX_RESULTS,
    answer(row) {
      const number = intCell(row, at.model);
      const target = opened[number - 1];
      if (!target) throw new RangeError(`there is no model *${number}`);
      target.model.place({ origin: origin(row), angles: angles(row) });
      const tracer = intCell(row, at.useShift) ? target.shifted : target.unshifted;
      tracer.set({ limit: floatCell(row, at.fractionIn) });
      writeTrace(row, at, move(row, tracer));
    }
  };
};
var answerEntities = (header, source) => {
  const world = openTiles(header, source);
  const at = columnPlaces(header, ENT_BOX_RESULTS);
  const models = poseModels(header, world);
  const lines = answerLines(header, world, models);
  const tracer = world.box(NO_SIZE, NO_SIZE, { models, compat: "engine" });
  const move = boxMover(header);
  return {
    results: [...LINE_RESULTS, ...ENT_BOX_RESULTS],
    answer(row) {
      lines.answer(row);
      writeEntBox(row, at, move(row, tracer));
    }
  };
};
var rows = {
  line: (header, source) => answerLines(header, openTiles(header, source), []),
  box: answerBoxes,
  model: answerModels,
  ent: answerEntities
};
export {
  rows
};
