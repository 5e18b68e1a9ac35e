import {
  ACTORCLIP_MODEL,
  ALL_LEVELS,
  BOX_ALL,
  BspError,
  CELL_SIZE,
  CONTENTS_ACTOR,
  CONTENTS_ACTORCLIP,
  CONTENTS_DEADACTOR,
  CONTENTS_DETAIL,
  CONTENTS_LADDER,
  CONTENTS_LEVEL_ALL,
  CONTENTS_LIGHTCLIP,
  CONTENTS_ORIGIN,
  CONTENTS_PASSABLE,
  CONTENTS_SOLID,
  CONTENTS_TERRAIN,
  CONTENTS_TRANSLUCENT,
  CONTENTS_WATER,
  CONTENTS_WEAPONCLIP,
  CONTENTS_WINDOW,
  LEVEL_COUNT,
  LEVEL_HEIGHT,
  LIGHTCLIP_MODEL,
  MASK_ALL,
  MASK_CLIP,
  MASK_IMPASSABLE,
  MASK_NO_LIGHTCLIP,
  MASK_PASSABLE,
  MASK_SHOT,
  MASK_SMOKE_AND_FIRE,
  MASK_SOLID,
  MASK_VISIBILITY,
  REGULAR_MODELS,
  SURFACE_EPSILON,
  WEAPONCLIP_MODEL,
  WITH_ACTORCLIP,
  WITH_WEAPONCLIP,
  WORLD_CELLS,
  checkBounds,
  checkChoice,
  checkFileOf,
  checkFinite,
  checkFlag,
  checkKind,
  checkList,
  checkMask,
  checkMove,
  checkNumber,
  checkOptions,
  checkPoint,
  checkPose,
  checkTrace,
  checkWhole,
  contentsNames,
  copyTrace,
  cos,
  createBoxTrace,
  createBuffer,
  createLineTrace,
  createRecorder,
  createTrace,
  createTraceBatch,
  defineSections,
  defineWasm,
  entityModel,
  entityVector,
  failArgument,
  inspect,
  isBlocked,
  packTexts,
  parseEntities,
  readUfoai,
  resetTrace,
  showShape,
  sin,
  sinCos,
  surfaceNames,
  traceEach,
  unpackTexts
} from "./chunk-ABOYNM2O.mjs";

// src/given.ts
function insideOf(given) {
  const inside = given;
  return inside?._memory?.boxState ? inside : void 0;
}
function checkWorld(world) {
  checkKind(insideOf(world) !== void 0 && "tiles" in world, world, "world", "a UfoaiWorld");
}
function checkTarget(target) {
  const inside = insideOf(target);
  const isRight = inside !== void 0 && ("tiles" in target || inside._body !== void 0);
  checkKind(isRight, target, "target", "a UfoaiWorld or a UfoaiModel");
}
function checkModels(models, { ints }) {
  checkList(models, "models");
  for (const [k, model] of models.entries()) {
    const inside = insideOf(model);
    const isRight = inside?._body !== void 0 && inside._memory?.ints === ints;
    checkKind(isRight, model, `models[${k}]`, "a model of this world");
  }
}

// src/cells.ts
var actorBox = (height) => ({ mins: [-9, -9, -24], maxs: [9, 9, height] });
const ACTOR_STANDING = /* @__PURE__ */ actorBox(20);
const ACTOR_CROUCHING = /* @__PURE__ */ actorBox(5);
const EYE_STANDING = 15;
const EYE_CROUCHING = 3;
const TORSO_HALF_WIDTH = 16 - 5 - 1 / 32;
const BIG_TORSO_HALF_WIDTH = 32 - 5 - 1 / 32;
const FEET_HALF_WIDTH = 2 - 1 / 32;
function cellToWorld(cell) {
  checkCell(cell, "cell");
  const half = WORLD_CELLS / 2;
  return [
    (cell[0] - half) * CELL_SIZE + CELL_SIZE / 2,
    (cell[1] - half) * CELL_SIZE + CELL_SIZE / 2,
    cell[2] * LEVEL_HEIGHT + LEVEL_HEIGHT / 2
  ];
}
function worldToCell(point2) {
  checkPoint(point2, "point");
  const within = (value, count) => Math.max(0, Math.min(count - 1, Math.floor(value)));
  const half = WORLD_CELLS / 2;
  return [
    within(point2[0] / CELL_SIZE + half, WORLD_CELLS),
    within(point2[1] / CELL_SIZE + half, WORLD_CELLS),
    within(point2[2] / LEVEL_HEIGHT, LEVEL_COUNT)
  ];
}
function levelOf(z) {
  checkFinite(z, "z");
  return Math.max(1, Math.min(LEVEL_COUNT, Math.floor(z / LEVEL_HEIGHT) + 1));
}
function levelsBetween(z0, z1) {
  checkFinite(z0, "z0");
  checkFinite(z1, "z1");
  const [low, high] = [levelOf(Math.min(z0, z1)), levelOf(Math.max(z0, z1))];
  return (1 << high) - 1 & ~((1 << low - 1) - 1) & ALL_LEVELS;
}
const SIGHT_OPTIONS = [
  "eye",
  "heights",
  "levels",
  "actorClip",
  "weaponClip",
  "lightClip"
];
const TARGET_HEIGHTS = [EYE_STANDING, -2, -20];
var tracers = /* @__PURE__ */ new WeakMap();
function cellSight(world, from, to, options = {}) {
  checkWorld(world);
  checkOptions(options, SIGHT_OPTIONS);
  const { eye = EYE_STANDING, heights = TARGET_HEIGHTS, levels: levels2 = ALL_LEVELS } = options;
  const { actorClip = false, weaponClip = false, lightClip = false } = options;
  checkFinite(eye, "eye");
  checkList(heights, "heights");
  for (const [k, height] of heights.entries()) checkFinite(height, `heights[${k}]`);
  if (heights.length === 0) throw new RangeError("heights must be one or more");
  checkCell(from, "from");
  checkCell(to, "to");
  let tracer = tracers.get(world);
  if (!tracer) {
    tracer = world.line();
    tracers.set(world, tracer);
  }
  tracer.set({ levels: levels2, actorClip, weaponClip, lightClip });
  const start = cellToWorld(from);
  start[2] += eye;
  const end = cellToWorld(to);
  const middle = end[2];
  let seen = 0;
  for (const height of heights) {
    end[2] = middle + height;
    if (!tracer.blocked(start, end)) seen++;
  }
  return seen / heights.length;
}
function checkCell(cell, name) {
  checkKind(typeof cell === "object" && cell !== null, cell, name, "three numbers");
  for (let k = 0; k < 3; k++) checkNumber(cell[k], k === 2 ? LEVEL_COUNT : WORLD_CELLS, `${name}[${k}]`);
}

// src/levels.ts
function levels(...list) {
  if (list.length === 0) throw new RangeError("levels must be one or more of 1 to 8");
  let mask = 0;
  for (const level of list) {
    if (!Number.isInteger(level) || level < 1 || level > LEVEL_COUNT) {
      failArgument("level", `a whole number in 1..${LEVEL_COUNT}`, level);
    }
    mask |= 1 << level - 1;
  }
  return mask;
}
function levelList(mask) {
  checkMask(mask, "mask");
  const list = [];
  for (let level = 1; level <= LEVEL_COUNT; level++) if (mask & 1 << level - 1) list.push(level);
  return list;
}
const CLIPS = ["light clip", "weapon clip", "actor clip"];
function modelName(model) {
  if (model >= REGULAR_MODELS) return `*${model - REGULAR_MODELS + 1}`;
  if (model > ALL_LEVELS) return CLIPS[model - LIGHTCLIP_MODEL];
  return model === 0 ? "no level" : `level ${levelList(model).join(" ")}`;
}

// src/layout.ts
const MAGIC = 1464227138;
const VERSION = 2;
const SECTIONS = {
  /** As TILE_… below. */
  tiles: 34,
  /** As LINE_HEAD_… below. */
  lineHeads: 13,
  /** root (number of a node), level, brush mins xyz, brush maxs xyz: what the head's brushes reach; what selects it */
  boxHeads: 9,
  /** brush mins xyz, brush maxs xyz, first box head, how many: runs of neighbouring heads of one tile; what selects any */
  boxGroups: 9,
  /** As MODEL_… below: the inline models of all tiles, in order. */
  models: 16,
  /** The pruned trees that lines walk, as LINE_… below say. */
  lines: 1,
  /** kind + 16 * plane, distance, front child, back child: c >= 0 is node c, c < 0 is leaf -1 - c.
   *  Kinds: 0 to 2 axial, 3 other; union nodes: 4 and 5 split along x and y by the distance, 6 not at all. */
  nodes: 4,
  /** normal xyz, dist: moved with the tile */
  planes: 4,
  /** contents, first leaf brush (its place), how many */
  leafs: 3,
  /** place of a brush */
  leafBrushes: 1,
  /** As BRUSH_… below. */
  brushes: 10,
  /** normal xyz, dist, plane (in the tile), texture (in the tile; below 0: none) */
  sides: 6,
  /** surface flags */
  textures: 1,
  /** Texts of each tile: its entities, then the names of its textures. */
  text: 1
};
const NODE_WORDS = 4;
const PLANE_WORDS = 4;
const LEAF_WORDS = 3;
const BRUSH_WORDS = 10;
const SIDE_WORDS = 6;
const TILE_CELL = 0;
const TILE_SHIFT = 3;
const TILE_MINS = 6;
const TILE_MAXS = 9;
const TILE_LINE_MINS = 12;
const TILE_LINE_HEADS = 18;
const TILE_BOX_HEADS = 20;
const TILE_BOX_GROUPS = 22;
const TILE_MODELS = 24;
const TILE_NODES = 26;
const TILE_LEAFS = 27;
const TILE_BRUSHES = 28;
const TILE_SIDES = 29;
const TILE_TEXTURES = 30;
const TILE_PLANES = 31;
const TILE_TEXT = 32;
const LINE_HEAD_MODEL = 0;
const LINE_HEAD_TILE = 1;
const LINE_HEAD_TREE = 2;
const LINE_HEAD_NODES = 3;
const LINE_HEAD_STUMPS = 4;
const LINE_HEAD_MINS = 5;
const LINE_HEAD_MAXS = 8;
const LINE_HEAD_ROOT = 11;
const LINE_HEAD_KEY = 12;
const BOX_HEAD_BOUNDS = 2;
const BOX_HEAD_KEY = 8;
const BOX_GROUP_HEADS = 6;
const BOX_GROUP_KEY = 8;
const MODEL_TILE = 0;
const MODEL_ROOT = 1;
const MODEL_OWN_FRAME = 2;
const MODEL_ORIGIN = 3;
const MODEL_MINS = 6;
const MODEL_MAXS = 9;
const MODEL_ENTITY = 12;
const BRUSH_SIDES = 1;
const BRUSH_BOUNDS = 3;
const BRUSH_NUMBER = 9;
const LINE_OBLIQUE = 3;
const LINE_UNION = 6;
const LINE_BOX = 7;
const LINE_NODE_WORDS = 4;
const LINE_OBLIQUE_WORDS = 7;
const LINE_BOX_WORDS = 7;
const LINE_OPEN = 0;
const LINE_BLOCKED = -1;
const LINE_CULL_LIMIT = 8192;
const HEADER_WORDS = 8;
const LINE_STACK_WORD = 3;
const BOX_STACK_WORD = 4;
var layout = /* @__PURE__ */ defineSections({
  format: "ufoai",
  magic: MAGIC,
  version: VERSION,
  headerWords: HEADER_WORDS,
  sections: SECTIONS
});

// src/kernel/block.ts
const B_START = 0;
const B_END = 4;
const SETTINGS = 8;
const B_MINS = 8;
const B_MAXS = 12;
const B_EXTENTS = 16;
const B_CENTER = 20;
const B_GIVEN_MINS = 24;
const B_GIVEN_MAXS = 28;
const S_MASK = 32;
const S_REJECT = 33;
const S_POINT = 34;
const S_LEVELS = 35;
const S_SELECTION = 36;
const B_LIMIT = 37;
const SETTINGS_WORDS = 32;
const B_LOW = 40;
const B_HIGH = 44;
const B_GIVEN_START = 48;
const B_GIVEN_END = 52;
const B_NUMBER = 56;
const S_STILL = 57;
const S_CULL = 58;
const S_WORLD_STILL = 59;
const S_ANY_START_SOLID = 60;
const S_ANY_ALL_SOLID = 61;
const B_HEAD = 64;
const B_FIRST = 80;
const B_SECOND = 96;
const BLOCK_WORDS = 112;
const R_NORMAL = 1;
const R_DIST = 4;
const R_START_SOLID = 5;
const R_ALL_SOLID = 6;
const R_CONTENTS = 7;
const R_SIDE = 8;
const R_BRUSH = 9;
const R_LEAF = 10;
const R_TILE = 11;
const R_MODEL = 12;

// src/kernel/brush.ts
const f = Math.fround;
function isOutOfWay(floats, at, box) {
  return box[B_LOW] > floats[at + 3] || box[B_HIGH] < floats[at] || box[B_LOW + 1] > floats[at + 4] || box[B_HIGH + 1] < floats[at + 1] || box[B_LOW + 2] > floats[at + 5] || box[B_HIGH + 2] < floats[at + 2];
}
function sweepLeaf(memory, leaf, stamp) {
  const { ints, floats, places, box, boxState, brushStamps } = memory;
  const at = places.leafs.first + LEAF_WORDS * leaf;
  const mask = boxState[S_MASK];
  const reject = boxState[S_REJECT];
  const cull = boxState[S_CULL] !== 0;
  const leafContents = ints[at];
  if (mask !== -1 && ((leafContents & mask) === 0 || (leafContents & reject) !== 0)) return;
  const first = ints[at + 1];
  const end = first + ints[at + 2];
  for (let ref = first; ref < end; ref++) {
    const brush = ints[ref];
    if (cull && isOutOfWay(floats, brush + BRUSH_BOUNDS, box)) continue;
    const number = ints[brush + BRUSH_NUMBER];
    if (brushStamps[number] === stamp) continue;
    brushStamps[number] = stamp;
    const contents = ints[brush];
    if (mask !== -1 && ((contents & mask) === 0 || (contents & reject) !== 0)) continue;
    clipBrush(memory, brush, leaf);
    if (box[B_HEAD] === 0) return;
  }
}
function clipBrush(memory, brush, leaf) {
  const { ints, floats, box, boxState } = memory;
  const isPoint = boxState[S_POINT] !== 0;
  const best = box[B_HEAD];
  const first = ints[brush + BRUSH_SIDES];
  const last = first + SIDE_WORDS * ints[brush + BRUSH_SIDES + 1];
  let enter = -1;
  let leave = 1;
  let entered = 0;
  let startsOut = false;
  let endsOut = false;
  if (first === last) return;
  for (let side = first; side < last; side += SIDE_WORDS) {
    const x = floats[side];
    const y = floats[side + 1];
    const z = floats[side + 2];
    let dist = floats[side + 3];
    if (!isPoint) {
      measureCorner(floats, side, box);
      dist = f(dist - box[B_NUMBER]);
    }
    const d1 = f(f(f(f(box[B_START] * x) + f(box[B_START + 1] * y)) + f(box[B_START + 2] * z)) - dist);
    const d2 = f(f(f(f(box[B_END] * x) + f(box[B_END + 1] * y)) + f(box[B_END + 2] * z)) - dist);
    if (d2 > 0) endsOut = true;
    if (d1 > 0) {
      startsOut = true;
      if (d2 >= d1) return;
    } else if (d2 <= 0) continue;
    if (d1 > d2) {
      const fraction = f((d1 - SURFACE_EPSILON) / f(d1 - d2));
      if (fraction > enter) {
        enter = fraction;
        entered = side;
        if (enter >= best || enter >= leave) return;
      }
    } else {
      const fraction = f((d1 + SURFACE_EPSILON) / f(d1 - d2));
      if (fraction < leave) {
        leave = fraction;
        if (startsOut && enter >= leave) return;
      }
    }
  }
  if (!startsOut) {
    boxState[B_HEAD + R_START_SOLID] = 1;
    if (!endsOut) boxState[B_HEAD + R_ALL_SOLID] = 1;
    boxState[B_HEAD + R_LEAF] = leaf;
  } else if (enter < leave && enter > -1 && enter < best) {
    box[B_HEAD] = enter < 0 ? 0 : enter;
    box[B_HEAD + 1] = floats[entered];
    box[B_HEAD + 2] = floats[entered + 1];
    box[B_HEAD + 3] = floats[entered + 2];
    box[B_HEAD + 4] = floats[entered + 3];
    boxState[B_HEAD + R_SIDE] = entered;
    boxState[B_HEAD + R_BRUSH] = brush;
    boxState[B_HEAD + R_CONTENTS] = ints[brush];
    boxState[B_HEAD + R_LEAF] = leaf;
  }
}
function measureCorner(floats, side, box) {
  const x = floats[side];
  const y = floats[side + 1];
  const z = floats[side + 2];
  const cx = x < 0 ? box[B_MAXS] : box[B_MINS];
  const cy = y < 0 ? box[B_MAXS + 1] : box[B_MINS + 1];
  const cz = z < 0 ? box[B_MAXS + 2] : box[B_MINS + 2];
  box[B_NUMBER] = f(f(cx * x) + f(cy * y)) + f(cz * z);
}
function touchLeaf(memory, leaf, stamp) {
  const { ints, floats, places, box, boxState, brushStamps } = memory;
  const at = places.leafs.first + LEAF_WORDS * leaf;
  const mask = boxState[S_MASK];
  const reject = boxState[S_REJECT];
  const cull = boxState[S_CULL] !== 0;
  if ((ints[at] & mask) === 0) return false;
  const first = ints[at + 1];
  const end = first + ints[at + 2];
  for (let ref = first; ref < end; ref++) {
    const brush = ints[ref];
    if (cull && isOutOfWay(floats, brush + BRUSH_BOUNDS, box)) continue;
    const number = ints[brush + BRUSH_NUMBER];
    if (brushStamps[number] === stamp) continue;
    brushStamps[number] = stamp;
    const contents = ints[brush];
    if ((contents & mask) === 0 || (contents & reject) !== 0) continue;
    if (!isInside(memory, brush)) continue;
    box[B_HEAD] = 0;
    boxState[B_HEAD + R_START_SOLID] = 1;
    boxState[B_HEAD + R_ALL_SOLID] = 1;
    boxState[B_HEAD + R_CONTENTS] = contents;
    boxState[B_HEAD + R_BRUSH] = brush;
    return true;
  }
  return false;
}
function isInside({ ints, floats, box }, brush) {
  const first = ints[brush + BRUSH_SIDES];
  const last = first + SIDE_WORDS * ints[brush + BRUSH_SIDES + 1];
  if (first === last) return false;
  for (let side = first; side < last; side += SIDE_WORDS) {
    const x = floats[side];
    const y = floats[side + 1];
    const z = floats[side + 2];
    measureCorner(floats, side, box);
    const dist = f(floats[side + 3] - box[B_NUMBER]);
    const d = f(f(f(f(box[B_START] * x) + f(box[B_START + 1] * y)) + f(box[B_START + 2] * z)) - dist);
    if (d > 0) return false;
  }
  return true;
}

// src/wasm/layout.ts
const LINE_START = 448;
const LINE_END = 464;
const LINE_HIT = 480;
const LINE_HEAD = 496;
const LINE_CROSSING = 500;
const LANES = 544;
const TILES = 608;
const TILES_END = 612;
const LINE_ROOM = 616;
const BRUSHES = 624;
const BRUSHES_END = 628;
const STACK = 768;
const TILE_BYTES = 80;
const TILE_LINE_BOUNDS = 32;
const TILE_LINE_HEADS2 = 64;
const TILE_GROUPS = 72;
const ENTRY_BYTES = 48;
const ENTRY_KEY = 32;
const ENTRY_FIRST = 36;
const ENTRY_END = 40;
const LINK_OPEN = 0;
const LINK_BLOCKED = 32;
const LINK_BRANCH = 16;
const BRANCH_BYTES = 48;
const BRANCH_FIRST = 32;
const BRANCH_SECOND = 36;
const TREELET_BYTES = 160;
const TREELET_LINKS = 64;
const TREELET_LEAFS = 128;
const TREELET_PLACES = 144;
const LEAFS_BACK = 4;
const LEAFS_BLOCKED = 8;
const LINE_FRAME_BYTES = 48;
const CHILD_LEAF = 1;
const CHILD_EMPTY = 2;
const NODE_BYTES = 32;
const NODE_TYPE = 16;
const NODE_FRONT = 20;
const NODE_BACK = 24;
const LEAF_BYTES = 16;
const LEAF_NUMBER = 4;
const LEAF_END = 8;
const REF_BYTES = 16;
const REF_BRUSH = 12;
const GRID = 4;
const BRUSH_BYTES = 32;
const BRUSH_PLACE = 8;
const BRUSH_SIDE = 12;
const BRUSH_END = 16;
const BLOCK_BYTES = 64;
const BOX_FRAME_BYTES = 48;

// src/wasm/writer.ts
var Writer = class {
  /** Bytes used. */
  length;
  ints = new Int32Array(1 << 14);
  floats = new Float32Array(this.ints.buffer);
  constructor(length2) {
    this.length = length2;
  }
  /** Room for so many bytes more, all 0; their address, a multiple of 32. */
  take(bytes) {
    const address = this.length + 31 & ~31;
    this.length = address + bytes;
    if (this.length > 4 * this.ints.length) {
      const grown = new Int32Array(2 * Math.max(this.length >> 2, this.ints.length));
      grown.set(this.ints);
      this.ints = grown;
      this.floats = new Float32Array(grown.buffer);
    }
    return address;
  }
  /** Writes two vectors of bounds, of six numbers at a place in `from`. */
  bounds(address, from, at) {
    const word = address >> 2;
    for (let k = 0; k < 3; k++) {
      this.floats[word + k] = from[at + k];
      this.floats[word + 4 + k] = from[at + 3 + k];
    }
  }
};

// src/wasm/build-boxes.ts
const LANE_COUNT = 4;
function buildBoxes(memory) {
  const { ints, floats, places } = memory;
  const out = new Writer(STACK + BOX_FRAME_BYTES * ints[BOX_STACK_WORD]);
  const tiles = out.take(TILE_BYTES * places.tiles.count);
  out.ints[TILES >> 2] = tiles;
  out.ints[TILES_END >> 2] = tiles + TILE_BYTES * places.tiles.count;
  const builder = new TreeBuilder(memory, out, writeBrushes(memory, out));
  const trees = /* @__PURE__ */ new Map();
  const treeOf2 = (root) => {
    const tree = builder.child(root);
    trees.set(root, tree);
    return tree;
  };
  for (let tile = 0; tile < places.tiles.count; tile++) {
    const record = places.tiles.first + SECTIONS.tiles * tile;
    const at = tiles + TILE_BYTES * tile;
    out.bounds(at, floats, record + TILE_MINS);
    const firstGroup = ints[record + TILE_BOX_GROUPS];
    const numGroups = ints[record + TILE_BOX_GROUPS + 1];
    const groups = out.take(ENTRY_BYTES * numGroups);
    out.ints[at + TILE_GROUPS >> 2] = groups;
    out.ints[at + TILE_GROUPS + 4 >> 2] = groups + ENTRY_BYTES * numGroups;
    for (let k = 0; k < numGroups; k++) {
      const group = places.boxGroups.first + SECTIONS.boxGroups * (firstGroup + k);
      const entry = groups + ENTRY_BYTES * k;
      const numHeads = ints[group + BOX_GROUP_HEADS + 1];
      const heads2 = out.take(ENTRY_BYTES * numHeads);
      out.bounds(entry, floats, group);
      out.ints[entry + ENTRY_KEY >> 2] = ints[group + BOX_GROUP_KEY];
      out.ints[entry + ENTRY_FIRST >> 2] = heads2;
      out.ints[entry + ENTRY_END >> 2] = heads2 + ENTRY_BYTES * numHeads;
      for (let j = 0; j < numHeads; j++) {
        const head = places.boxHeads.first + SECTIONS.boxHeads * (ints[group + BOX_GROUP_HEADS] + j);
        const headEntry = heads2 + ENTRY_BYTES * j;
        out.bounds(headEntry, floats, head + BOX_HEAD_BOUNDS);
        out.ints[headEntry + ENTRY_KEY >> 2] = ints[head + BOX_HEAD_KEY];
        const tree = treeOf2(ints[head]);
        out.ints[headEntry + ENTRY_FIRST >> 2] = tree;
      }
    }
  }
  for (let model = 0; model < places.models.count; model++) {
    const root = ints[places.models.first + SECTIONS.models * model + MODEL_ROOT];
    if (root >= 0) treeOf2(root);
  }
  return { out, trees };
}
function writeBrushes({ ints, floats, places }, out) {
  const addresses = new Int32Array(places.brushes.count);
  out.ints[BRUSHES >> 2] = out.length + 31 & ~31;
  for (let brush = 0; brush < addresses.length; brush++) {
    const place = places.brushes.first + BRUSH_WORDS * brush;
    const firstSide = ints[place + BRUSH_SIDES];
    const numSides = ints[place + BRUSH_SIDES + 1];
    const bytes = BRUSH_BYTES + BLOCK_BYTES * Math.ceil(numSides / LANE_COUNT);
    const at = out.take(bytes);
    addresses[brush] = at;
    out.ints[at >> 2] = ints[place];
    out.ints[at + BRUSH_PLACE >> 2] = place;
    out.ints[at + BRUSH_SIDE >> 2] = firstSide;
    out.ints[at + BRUSH_END >> 2] = at + bytes;
    for (let lane = numSides; lane % LANE_COUNT !== 0; lane++) {
      out.floats[blockWord(at, lane) + 3 * LANE_COUNT] = Infinity;
    }
    for (let side = 0; side < numSides; side++) {
      const word = blockWord(at, side);
      for (let k = 0; k < 4; k++) {
        out.floats[word + LANE_COUNT * k] = floats[firstSide + SIDE_WORDS * side + k];
      }
    }
  }
  out.ints[BRUSHES_END >> 2] = out.length;
  return addresses;
}
function blockWord(brush, side) {
  return (brush + BRUSH_BYTES + BLOCK_BYTES * Math.floor(side / LANE_COUNT)) / 4 + side % LANE_COUNT;
}
var TreeBuilder = class {
  _memory;
  _out;
  _brushes;
  /** Leafs below a node; below 0 where there are brushes too. */
  _leafs;
  /** Children made so far. */
  _children = /* @__PURE__ */ new Map();
  constructor(memory, out, brushes) {
    this._memory = memory;
    this._out = out;
    this._brushes = brushes;
    this._leafs = new Int32Array(memory.places.nodes.count);
  }
  /** The child that stands for a node, or for a leaf: -1 - its number. */
  child(number) {
    const leafs = this._survey(number);
    if (leafs > 0) return CHILD_EMPTY | leafs << 2;
    let child = this._children.get(number);
    if (child === void 0) {
      child = number >= 0 ? this._node(number) : this._leaf(-1 - number) | CHILD_LEAF;
      this._children.set(number, child);
    }
    return child;
  }
  _survey(child) {
    const { ints, places } = this._memory;
    if (child < 0) return ints[places.leafs.first + LEAF_WORDS * (-1 - child) + 2] === 0 ? 1 : -1;
    let leafs = this._leafs[child];
    if (leafs === 0) {
      const at = places.nodes.first + NODE_WORDS * child;
      const front = this._survey(ints[at + 2]);
      const back = this._survey(ints[at + 3]);
      leafs = Math.abs(front) + Math.abs(back);
      if (front < 0 || back < 0) leafs = -leafs;
      this._leafs[child] = leafs;
    }
    return leafs;
  }
  _node(number) {
    const { ints, floats, places } = this._memory;
    const out = this._out;
    const record = places.nodes.first + NODE_WORDS * number;
    const kind = ints[record] & 15;
    const at = out.take(NODE_BYTES);
    const plane = places.planes.first + PLANE_WORDS * (ints[record] >>> 4);
    for (let k = 0; k < 3; k++) out.floats[(at >> 2) + k] = floats[plane + k];
    out.floats[(at >> 2) + 3] = floats[record + 1];
    out.ints[at + NODE_TYPE >> 2] = kind;
    const front = this.child(ints[record + 2]);
    const back = this.child(ints[record + 3]);
    out.ints[at + NODE_FRONT >> 2] = front;
    out.ints[at + NODE_BACK >> 2] = back;
    return at;
  }
  _leaf(number) {
    const { ints, floats, places } = this._memory;
    const out = this._out;
    const record = places.leafs.first + LEAF_WORDS * number;
    const count = ints[record + 2];
    const at = out.take(LEAF_BYTES + REF_BYTES * count);
    out.ints[at >> 2] = ints[record];
    out.ints[at + LEAF_NUMBER >> 2] = number;
    out.ints[at + LEAF_END >> 2] = at + LEAF_BYTES + REF_BYTES * count;
    const shorts = new Int16Array(out.ints.buffer);
    for (let k = 0; k < count; k++) {
      const brush = ints[ints[record + 1] + k];
      const ref = at + LEAF_BYTES + REF_BYTES * k;
      for (let axis = 0; axis < 3; axis++) {
        shorts[ref / 2 + axis] = quarters(-floats[brush + BRUSH_BOUNDS + axis]);
        shorts[ref / 2 + 3 + axis] = quarters(floats[brush + BRUSH_BOUNDS + 3 + axis]);
      }
      out.ints[ref + REF_BRUSH >> 2] = this._brushes[(brush - places.brushes.first) / BRUSH_WORDS];
    }
    return at;
  }
};
function quarters(bound) {
  return Math.max(-32768, Math.min(32767, Math.ceil(GRID * bound)));
}

// src/wasm/build-lines.ts
const LANE_COUNT2 = 4;
const NOWHERE = -1e9;
function buildLines(memory) {
  const { ints, floats, places, line } = memory;
  const out = new Writer(STACK + LINE_FRAME_BYTES * ints[LINE_STACK_WORD]);
  const tiles = out.take(TILE_BYTES * places.tiles.count);
  out.ints[TILES >> 2] = tiles;
  out.ints[TILES_END >> 2] = tiles + TILE_BYTES * places.tiles.count;
  writeLanes(out);
  out.floats[LINE_ROOM >> 2] = line[L_SLACK];
  const trees = new TreeletBuilder(memory, out);
  for (let tile = 0; tile < places.tiles.count; tile++) {
    const record = places.tiles.first + SECTIONS.tiles * tile;
    const at = tiles + TILE_BYTES * tile;
    out.bounds(at + TILE_LINE_BOUNDS, floats, record + TILE_LINE_MINS);
    const first = ints[record + TILE_LINE_HEADS];
    const numbers = [];
    for (let head = first; head < first + ints[record + TILE_LINE_HEADS + 1]; head++) {
      if (head === first || treeOf(memory, head) !== LINE_OPEN) numbers.push(head);
    }
    const heads2 = out.take(ENTRY_BYTES * numbers.length);
    out.ints[at + TILE_LINE_HEADS2 >> 2] = heads2;
    out.ints[at + TILE_LINE_HEADS2 + 4 >> 2] = heads2 + ENTRY_BYTES * numbers.length;
    for (const [k, head] of numbers.entries()) {
      const entry = heads2 + ENTRY_BYTES * k;
      const tree = treeOf(memory, head);
      out.ints[entry + ENTRY_KEY >> 2] = ints[places.lineHeads.first + SECTIONS.lineHeads * head + LINE_HEAD_KEY];
      out.ints[entry + ENTRY_END >> 2] = head;
      if (tree === LINE_OPEN) continue;
      out.bounds(entry, floats, tree + 1);
      const link = trees.link(tree + LINE_BOX_WORDS);
      out.ints[entry + ENTRY_FIRST >> 2] = link;
    }
  }
  return out;
}
function treeOf({ ints, places }, head) {
  return ints[places.lineHeads.first + SECTIONS.lineHeads * head + LINE_HEAD_TREE];
}
function writeLanes({ ints }) {
  for (let lane = 0; lane < LANE_COUNT2; lane++) {
    ints.fill(50462976 + 67372036 * lane, (LANES >> 2) + 4 * lane, (LANES >> 2) + 4 * lane + 4);
  }
}
var TreeletBuilder = class {
  _memory;
  _out;
  /** Links made so far, by the place of the node. */
  _links = /* @__PURE__ */ new Map();
  /** Open leafs below a node, by its place. */
  _weights = /* @__PURE__ */ new Map();
  constructor(memory, out) {
    this._memory = memory;
    this._out = out;
  }
  /** The link to what lies at a place of the lines' section, and all below it. */
  link(place) {
    if (place === LINE_OPEN) return LINK_OPEN;
    if (place === LINE_BLOCKED) return LINK_BLOCKED;
    let link = this._links.get(place);
    if (link === void 0) {
      const kind = this._memory.ints[place];
      link = kind === LINE_BOX || kind === LINE_UNION ? this._branch(place) : this._treelet(place);
      this._links.set(place, link);
    }
    return link;
  }
  _branch(place) {
    const { ints, floats } = this._memory;
    const out = this._out;
    const at = out.take(BRANCH_BYTES);
    let node = place;
    out.floats.fill(-Infinity, at >> 2, (at >> 2) + 4);
    out.floats.fill(Infinity, (at >> 2) + 4, (at >> 2) + 8);
    if (ints[place] === LINE_BOX) {
      out.bounds(at, floats, place + 1);
      node += LINE_BOX_WORDS;
    }
    const isUnion = ints[node] === LINE_UNION;
    const first = this.link(isUnion ? ints[node + 2] : node);
    const second = isUnion ? this.link(ints[node + 3]) : LINK_OPEN;
    out.ints[at + BRANCH_FIRST >> 2] = first;
    out.ints[at + BRANCH_SECOND >> 2] = second;
    return at | LINK_BRANCH;
  }
  _treelet(root) {
    const { ints, floats } = this._memory;
    const out = this._out;
    const at = out.take(TREELET_BYTES);
    const nodes = this._choose(root);
    for (let k = 0; k < LANE_COUNT2; k++) {
      const node = nodes[k];
      const word = (at >> 2) + k;
      if (node === void 0) {
        out.floats[word + 12] = NOWHERE;
        continue;
      }
      const kind = ints[node];
      for (let axis = 0; axis < 3; axis++) {
        out.floats[word + 4 * axis] = kind === LINE_OBLIQUE ? floats[node + 4 + axis] : axis === kind ? 1 : 0;
      }
      out.floats[word + 12] = floats[node + 1];
      out.ints[word + (TREELET_PLACES >> 2)] = node;
      let leafs = 0;
      if (ints[node + 2] === LINE_OPEN) leafs |= 1;
      if (ints[node + 3] === LINE_OPEN) leafs |= 1 << LEAFS_BACK;
      if (ints[node + 2] === LINE_BLOCKED || ints[node + 3] === LINE_BLOCKED) leafs |= 1 << LEAFS_BLOCKED;
      out.ints[at + TREELET_LEAFS >> 2] |= leafs << k;
    }
    for (let sides = 0; sides < 16; sides++) {
      let path = 0;
      let place = root;
      for (; ; ) {
        const k = nodes.indexOf(this._skipBox(place));
        if (k < 0 || (path & 1 << k) !== 0) break;
        path |= 1 << k;
        place = ints[nodes[k] + 2 + (sides >> k & 1)];
      }
      const link = this.link(place);
      out.ints[(at + TREELET_LINKS >> 2) + sides] = link | path;
    }
    return at;
  }
  /** The node that a child is when its bounds are not asked. */
  _skipBox(place) {
    return place > LINE_OPEN && this._memory.ints[place] === LINE_BOX ? place + LINE_BOX_WORDS : place;
  }
  /** The nodes of a treelet: from the root on always the child with the most open leafs below it. */
  _choose(root) {
    const { ints } = this._memory;
    const nodes = [root];
    const edge = [];
    for (let node = root; ; ) {
      const [front, back] = [this._skipBox(ints[node + 2]), this._skipBox(ints[node + 3])];
      for (const child of front === back ? [] : [front, back]) {
        if (child > LINE_OPEN && ints[child] < LINE_UNION) edge.push(child);
      }
      if (edge.length === 0 || nodes.length === LANE_COUNT2) return nodes;
      let best = 0;
      for (let k = 1; k < edge.length; k++) if (this._weight(edge[k]) > this._weight(edge[best])) best = k;
      node = edge.splice(best, 1)[0];
      nodes.push(node);
    }
  }
  _weight(place) {
    if (place <= LINE_OPEN) return place === LINE_OPEN ? 1 : 0;
    const node = this._skipBox(place);
    let weight = this._weights.get(node);
    if (weight === void 0) {
      const { ints } = this._memory;
      weight = this._weight(ints[node + 2]) + this._weight(ints[node + 3]);
      this._weights.set(node, weight);
    }
    return weight;
  }
};

// src/wasm/module.ts
const KERNEL = "0061736d0100000001290760017f017f60037f7b7b017f60037f7f7d0060027f7f0060027f7f017f60037f7f7f017f60017f00020f0103656e76066d656d6f7279020001030e0d000001010000020300040500060633037b01fd0c000000000000000000000000000000000b7b01fd0c000000000000000000000000000000000b7d0143000000000b073a050a747261636554696c6573000909747261636554726565000809706c6163654c696e65000508746573744c696e650004066d656d6f727902000afc4a0d250041e40128020004402000100b0f0b4180022a020043000000005e04402000100c0b41010bed0603067b057d0b7f41c00341c00341c003fd5c0200fd56020401fd560208022206fde001fd0c00000046000000460000004600000046fd4341d00341d00341d003fd5c0200fd56020401fd560208022202fde001fd0c00000046000000460000004600000046fd43fd4efda401410f470440417f0f0b20062002fdea0141e8042a0200220bfd132201fde501240020062002fdeb012001fde401240120062002fde50122012001fde6012201fd1f002001fd1f01922001fd1f029291200b92430000803d92220720079424022006fd1f0022082002fd1f0022079643cdccccbd5f220c0440200720089743cdcccc3d60210c0b2002210120062002fde50122032003fde6012203fd1f002003fd1f01922003fd1f0292912209210a417f210e417f210f41e404280200211341e00428020021160340201320164b04400240201641206afd0004002301fd442016fd0004302300fd43fd50fd530d0020022103200a2107417f210d417f2110201628024421142016280240221521110340201120144904400240201128022022122000710440200c4101201241808080084e047f20152802202000710541000b1b450d012011fd0004002301fd442011fd0004102300fd43fd50fd53047f41000520112802242006200210030b04402006418004fd0004002204fde50122052005fde6012205fd1f002005fd1f01922005fd1f029291220820075d04402011280228210d419004280200211020062001200422032009200822075d1b2205fdea01200bfd132204fde501240020062005fdeb012004fde401240120062005fde50122042004fde6012204fd1f002004fd1f01922004fd1f029291200b92430000803d92220820089424020b0b201241808080084e0d010b201141306a21110c020b0b0b200d4100480d00200720095d047f20032002fde501fde001fd0c6f12833a6f12833a6f12833a6f12833afd44fd530541000b044020072109200d210e2010210f200321010b20062001fdea01200bfd132203fde501240020062001fdeb012003fde401240120062001fde50122032003fde6012203fd1f002003fd1f01922003fd1f029291200b92430000803d92220720079424020b201641d0006a21160c010b0b41e0032001fd0b040041f003200e36020041f403200f36020020012002fde501fde001fd0c6f12833a6f12833a6f12833a6f12833afd44fd534100470b920902087f0d7b20012001fd0d00010203000102030001020300010203210c20012001fd0d04050607040506070405060704050607210d20012001fd0d08090a0b08090a0b08090a0b08090a0b210e20022002fd0d00010203000102030001020300010203210f20022002fd0d04050607040506070405060704050607211020022002fd0d08090a0b08090a0b08090a0b08090a0b211120002104417f21084180062103410021004101210503402005044003402004412047410020041b044002402004416071210520044110710440200c200dfd0d00010203101112130001020310111213200efd0d000102030405060710111213101112132201200f2010fd0d000102031011121300010203101112132011fd0d000102030405060710111213101112132202fdeb012005fd000400fd4320012002fdea012005fd000410fd44fd50fd530440410021040c020b2005280224220404402003410136020020032004360204200341003602082003200836020c200341106a2204200cfd5a0200002004200dfd5a0204002004200efd5a0208002003411c6a2204200ffd5a02000020042010fd5a02040020042011fd5a020800200341306a21030b200528022021040c030b2005fd0004002214200cfde6012005fd0004102215200dfde601fde4012005fd0004202216200efde601fde4012005fd0004302217fde50121122014200ffde60120152010fde601fde40120162011fde601fde4012017fde501211303402005200020122013fdea01fd0ccdccccbdcdccccbdcdccccbdcdccccbdfd45fda40122002007417f732204717222064102746a280240220920122013fdeb01fd0ccdcccc3dcdcccc3dcdcccc3dcdcccc3dfd46fda401200071712004712200044041012000682200742104200528028001200075220941800271044041010f0b200c201220122013fde501fde7012000410474fd0004a004fd0e220b200f200cfde501fde601fde4012101200d200b2010200dfde501fde601fde4012102200e200b2011200efde501fde601fde401210b200441016b220a20047221072006200a7122062012fda401200075410171220a2000747221042006200a452000747221002009200a41027475410171044020142001220cfde60120152002220dfde601fde4012016200b220efde601fde4012017fde501211241002108052009200a4541027475410171450440200341003602002003200536020420032000200741047472360208200341106a22002001fd5a02000020002002fd5a0204002000200bfd5a0208002003411c6a2200200ffd5a02000020002010fd5a02040020002011fd5a020800200341306a21030b20142001220ffde601201520022210fde601fde4012016200b2211fde601fde4012017fde5012113200421000b0c010b0b4100210741002100200941707121040c020b0b0b20044120462206044041010f0b410021050340200545200341800647710440200341306b2203fd090210210c2003fd090214210d2003fd090218210e2003fd09021c210f2003fd09022021102003fd09022421112003280204210420032802082205410f71210020054104752107410121050c010b0b0c010b0b20060bfc0b02087f0e7b20012001fd0d00010203000102030001020300010203210d20012001fd0d04050607040506070405060704050607210e20012001fd0d08090a0b08090a0b08090a0b08090a0b210f20022002fd0d00010203000102030001020300010203211020022002fd0d04050607040506070405060704050607211120022002fd0d08090a0b08090a0b08090a0b08090a0b211220002104417f21054180062103410021004101210603402006044003402004412047410020041b044002402004416071210720044110710440200d200efd0d00010203101112130001020310111213200ffd0d00010203040506071011121310111213220220102011fd0d000102031011121300010203101112132012fd0d00010203040506071011121310111213220bfdeb012007fd000400fd432002200bfdea012007fd000410fd44fd50fd530440410021040c020b2007280224220404402003410136020020032004360204200341003602082003200536020c200341106a2204200dfd5a0200002004200efd5a0204002004200ffd5a0208002003411c6a22042010fd5a02000020042011fd5a02040020042012fd5a020800200341306a21030b200728022021040c030b2007fd0004002215200dfde6012007fd0004102216200efde601fde4012007fd0004202217200ffde601fde4012007fd0004302218fde501211320152010fde60120162011fde601fde40120172012fde601fde4012018fde501211403402007200020132014fdea01fd0ccdccccbdcdccccbdcdccccbdcdccccbdfd45fda40122002008417f732204717222064102746a280240220920132014fdeb01fd0ccdcccc3dcdcccc3dcdcccc3dcdcccc3dfd46fda401200071712004712200044041012000682209742100200d201320132014fde501fde7012009410474fd0004a004fd0e220c2010200dfde501fde601fde4012102200e200c2011200efde501fde601fde401210b200f200c2012200ffde501fde601fde401210c200041016b22042000722108200420067122002013fda401200975410171220a2009747221042000200a45200974722100200720094102746a28029001410174200a7221062007280280012009752209200a41027475410171044020152002220dfde6012016200b220efde601fde4012017200c220ffde601fde4012018fde501211320062105052009200a45410274754101714504402003410036020020032007360204200320002008410474723602082003200636020c200341106a22002002fd5a0200002000200bfd5a0204002000200cfd5a0208002003411c6a22002010fd5a02000020002011fd5a02040020002012fd5a020800200341306a21030b201520022210fde6012016200b2211fde601fde4012017200c2212fde601fde4012018fde5012114200421000b0c010b0b4100210841002100200941707121040c020b0b0b200441204622070440418004200dfd5a020000418004200efd5a020400418004200ffd5a02080041900420053602000b410021060340200645200341800647710440200341306b2203280200220941024604402003411c6a220920092009fd5c0200fd56020401fd560208022102200341106a220920092009fd5c0200fd56020401fd56020802210b2007047f200b2002fde501220c200cfde601220cfd1f00200cfd1f0192200cfd1f029291200b418004fd000400fde501220b200bfde601220bfd1f00200bfd1f0192200bfd1f0292915d0541010b04404180042002fd0b0400419004200328020c3602000b410121070c020b2009452007710d012302200341106a220920092009fd5c0200fd56020401fd560208022001fde50122022002fde6012202fd1f002002fd1f01922002fd1f02925d0d012003fd090210210d2003fd090214210e2003fd090218210f2003fd09021c21102003fd09022021112003fd09022421122003280204210420032802082205410f71210020054104752108200328020c21052007044020034102360200200341900428020036020c2003418004fd0004002202fd5a021c0020032002fd5a02200120032002fd5a022402200341306a21030b410121060c010b0b0c010b0b20070bdb0303077f037b027d027f417f41c00341c00341c003fd5c0200fd56020401fd560208022208fde001fd0c00000046000000460000004600000046fd4341d00341d00341d003fd5c0200fd56020401fd560208022209fde001fd0c00000046000000460000004600000046fd43fd4efda401410f470d001a20082009fdea01fd0c00000000000000000000000000000000fde501240020082009fdeb01fd0c00000000000000000000000000000000fde401240120082009fde501220a200afde601220afd1f00200afd1f0192200afd1f029291430000000092430000803d92220b200b9424022008fd1f00220b2009fd1f00220c9643cdccccbd5f22010440200b200c9743cdcccc3d6021010b41e404280200210541e00428020021020340200220054904402002fd0004202301fd442002fd0004302300fd43fd50fd5345044020022802442106200228024022072103034020032006490440024020032802202204200071044020014101200441808080084e047f20072802202000710541000b1b450d0141012003fd0004002301fd442003fd0004102300fd43fd50fd53047f41000520032802242008200910020b0d071a200441808080084e0d010b200341306a21030c020b0b0b0b200241d0006a21020c010b0b41000b0b0600200010010ba50602057b037f200028020c2109200041206a210803402008fd0004302008fd000400220541b005fd090200fde601200541c005fd090200fde601fdea012008fd000410220341b405fd090200fde601200341c405fd090200fde601fdea01fde4012008fd000420220641b805fd090200fde601200641c805fd090200fde601fdea01fde401fde501210720054100fd090200fde60120034100fd090204fde601fde40120064100fd090208fde601fde4012007fde501220420054110fd090200fde60120034110fd090204fde601fde40120064110fd090208fde601fde4012007fde501fde501210302402004fd0c00000000000000000000000000000000fd442004fd5ffd0c000000000000a0bf000000000000a0bffdf0012003fd5ffdf301fd5e20042004fd0d08090a0b0c0d0e0f08090a0b0c0d0e0ffd5ffd0c000000000000a0bf000000000000a0bffdf00120032003fd0d08090a0b0c0d0e0f08090a0b0c0d0e0ffd5ffdf301fd5efd0d000102030405060710111213141516172002fd13fd41fd4efda401220a450440200941186a21090c010b41800243000000002002200243000000005d1b3802004184022008200a6822084102746a220a2a0200380200418802200a2a0210380200418c02200a2a0220380200419002200a2a023038020041a0022009200841066c6a36020041a4022000280208360200419c02200028020036020041a80220013602004100fd00040022034180022a0200430000803f96fd134110fd0004002003fde501fde601fde401210420032004fdeb014130fd000400fde401fd0c0000003e0000003e0000003e0000003efde401210541a00120032004fdea014120fd000400fde401fd0c0000003e0000003e0000003e0000003efde5012203fd0b040041b0012005fd0b04004180052005fd0c00008040000080400000804000008040fde601fd67fdf801fda1012003fd0c00008040000080400000804000008040fde601fd68fdf8012203fd0d000102030405060708090a0b101112132003fd0c0080ffff0080ffff0080ffff0080fffffd0d0405060708090a0b1011121310111213fd8501fd0b04000f0b200841406b21080c000b000bfe05030a7b027f017d200041206a220c2000280210220d4604400f0bfd0c000080bf000080bf000080bf000080bf2103fd0c0000803f0000803f0000803f0000803f21020340200c200d490440200cfd000430200cfd000400220941b005fd090200fde601200941c005fd090200fde601fdea01200cfd000410220a41b405fd090200fde601200a41c405fd090200fde601fdea01fde401200cfd000420220741b805fd090200fde601200741c805fd090200fde601fdea01fde401fde501210b20094110fd090200fde601200a4110fd090204fde601fde40120074110fd090208fde601fde401200bfde5012208fd0c00000000000000000000000000000000fd44210420094100fd090200fde601200a4100fd090204fde601fde40120074100fd090208fde601fde401200bfde5012207fd0c00000000000000000000000000000000fd44220920082007fd46fd4efd5304400f0b20052009fd50210520062004fd50210620092004fd50fd53044020032007fd5ffd0c000000bd000000bd000000bd000000bdfd0c0000003d0000003d0000003d0000003d2009fd522203fd5ffdf00120072008fde5012208fd5ffdf301fd5e20072007fd0d08090a0b0c0d0e0f08090a0b0c0d0e0ffd5f20032003fd0d08090a0b0c0d0e0f08090a0b0c0d0e0ffd5ffdf00120082008fd0d08090a0b0c0d0e0f08090a0b0c0d0e0ffd5ffdf301fd5efd0d000102030405060710111213141516172207fd0c000080bf000080bf000080bf000080bf2009fd52fdeb01210320022007fd0c0000803f0000803f0000803f0000803f20042009fd4ffd52fdea0121020b200c41406b210c0c010b0b2005fd5345044041940241013602002006fd5345044041980241013602000b41a80220013602000f0b200320032003fd0d08090a0b0c0d0e0f08090a0b0c0d0e0ffdeb012203fd1f002003fd1f0197220e43000080bf5e200e200220022002fd0d08090a0b0c0d0e0f08090a0b0c0d0e0ffdea012202fd1f002002fd1f01965d71047f200e4180022a02005d0541000b044020002001200e10060b0be80202037b017f41b0054188012802004100472204047bfd0c00000000000000000000000000000000054120fd0004000bfd0b040041c0052004047bfd0c00000000000000000000000000000000054130fd0004000bfd0b04004100fd00040022024180022a0200430000803f96fd134110fd0004002002fde501fde601fde401210320022003fdeb014130fd000400fde401fd0c0000003e0000003e0000003e0000003efde401210141a00120022003fdea014120fd000400fde401fd0c0000003e0000003e0000003e0000003efde5012202fd0b040041b0012001fd0b04004180052001fd0c00008040000080400000804000008040fde601fd67fdf801fda1012002fd0c00008040000080400000804000008040fde601fd68fdf8012201fd0d000102030405060708090a0b101112132001fd0c0080ffff0080ffff0080ffff0080fffffd0d0405060708090a0b1011121310111213fd8501fd0b04004100417f200010001b0bca0503077f027d037b41f001410036020041f401410036020041c002210441800321034300000040210a41e404280200210641e00428020021080340200620084b0440024002402000200747200041004e710d002001047f41000541c00141c00141c001fd5c0200fd56020401fd56020802220c41f000fd000400220bfde40141d00141d00141d001fd5c0200fd56020401fd56020802220d200bfde401fdeb012008fd000400fd43200c41e000fd000400220bfde401200d200bfde401fdea012008fd000410fd44fd50fd530b0d002005047f41010541c00141c00141c001fd5c0200fd56020401fd5602080241d000fd000400220bfde401210c41d00141d00141d001fd5c0200fd56020401fd56020802200bfde401210b4100200cfd0b04004110200bfd0b0400200cfde001200bfde001fde4014120fd000400fde0014130fd000400fde001fde401fde401fd0c00008046000080460000804600008046fd43fda401410f47047f41000541e401200c200bfde501fde001fd0cffe6db2effe6db2effe6db2effe6db2efd43fda401410f46220236020041ec01200236020041e801410136020041b0054188012802004100472202047bfd0c00000000000000000000000000000000054120fd0004000bfd0b040041c0052002047bfd0c00000000000000000000000000000000054130fd0004000bfd0b040041010b0b450440417f0f0b41012105200820072003100a450440417f0f0b2001044020034102750f0b20032a02002209200a600d0020042003210421032009220a43000000005b0d010b200841d0006a2108200741016a21070c020b0b0b200a43000000405b04402004fd0c00000040000000000000000000000000fd0b04002004fd0c00000000000000000000000000000000fd0b04102004fd0c0000000000000000fffffffffffffffffd0b04202004fd0c00000000000000000000000000000000fd0b04300b20044102750bfd0603027d047f037b4190012802002107418002fd0c0000803f000000000000000000000000fd0b0400419002fd0c00000000000000000000000000000000fd0b040041a002fd0c0000000000000000fffffffffffffffffd0b040041b002fd0c00000000000000000000000000000000fd0b04004100fd000400220a4180022a0200430000803f96fd134110fd000400200afde501fde601fde401210b200a200bfdeb014130fd000400fde401fd0c0000003e0000003e0000003e0000003efde401210941a001200a200bfdea014120fd000400fde401fd0c0000003e0000003e0000003e0000003efde501220afd0b040041b0012009fd0b04004180052009fd0c00008040000080400000804000008040fde601fd67fdf801fda101200afd0c00008040000080400000804000008040fde601fd68fdf8012209fd0d000102030405060708090a0b101112132009fd0c0080ffff0080ffff0080ffff0080fffffd0d0405060708090a0b1011121310111213fd8501fd0b0400200028024c2105430000004021032000280248210003402000200549044002402000280220200771450d0041a001fd0004002000fd000410fd4441b001fd0004002000fd000400fd43fd50fda4014107710440200343000000405b04402002418002fd000400fd0b04002002419002fd000400fd0b0410200241a002fd000400fd0b0420200241b002fd000400fd0b0430430000803f21030b0c010b2000280228210820002802242106034020062008490440024002402006280220200771450d0041a001fd0004002006fd000410fd4441b001fd0004002006fd000400fd43fd50fda401410771047f410105200628022410000b45044041000f0b4180022a020022042003600d002002418002fd000400fd0b04002002419002fd000400fd0b0410200241a002fd000400fd0b0420200241b002fd000400fd0b04302004220343000000005b0440200521000c020b0b200641306a21060c020b0b0b0b200041306a21000c010b0b41f00141f0012802004194022802007236020041f40141f40128020041980228020072360200200343000000405b04402002fd0c00000040000000000000000000000000fd0b04002002fd0c00000000000000000000000000000000fd0b04102002fd0c0000000000000000fffffffffffffffffd0b04202002fd0c00000000000000000000000000000000fd0b04300b2002200136022c41010b8a07040b7f057b017d017c41ec0441ec04280200220141ffffffff0746047f41f404280200210141f00428020021020340200120024b044020024100360204200228021021020c010b0b41000520010b41016a3602004100fd000400220d4120fd000400fde401210c200d4130fd000400fde401210d419005200cfd0b040041a005200dfd0b04004180062101410121020340200204400340200041037145044020002a020c211120002802102202410348047f200241027422032a02a005bb2011bb221244fca9f1d24d62503fa064210220032a029005bb201244fca9f1d24d6250bfa063052000fd000400220efd0c00000000000000000000000000000000fd43210f200e200c200d200ffd52fde6012210fd1f002010fd1f01922010fd1f0292201193bb44fca9f1d24d62503f662102200e200d200c200ffd52fde601220efd1f00200efd1f0192200efd1f0292201193bb44fca9f1d24d62503f630b21032002200346044020012000280218360200200141046a21010b2000411841142002452003711b6a28020021000c010b0b20004102710440200420004102756a210405200441016a22044180084c047f4184012802002107027f410041800128020022082000410173220228020071450d001a41ec04280200210520022802082109200241106a21030340200320094904400240418005fd0004002003fd000400fd31fd530d00200328020c220b2802042005460d00200b20053602042008200b28020022067145200620077172047f410005027f4100200b41206a2202200b280210220a460d001a03402002200a49044041002002fd000400220e4100fd090200fde6012002fd000410220f4100fd090204fde601fde4012002fd00042022104100fd090208fde601fde4012002fd000430200e4120fd090200fde601200e4130fd090200fde601fdea01200f4124fd090200fde601200f4134fd090200fde601fdea01fde40120104128fd090200fde60120104138fd090200fde601fdea01fde401fde501fde501fd0c00000000000000000000000000000000fd44fd530d021a200241406b21020c010b0b41010b0b450d00418002430000000038020041940241013602004198024101360200419c02200636020041a402200b28020836020041010c030b200341106a21030c010b0b41000b0541000b044041010f0b0b20044180084a044041000f0b20014180064722020440200141046b220128020021000b0c010b0b41010b860804087f057b067d017c41ec0441ec04280200220141ffffffff0746047f41f404280200210241f004280200210103402001200249044020014100360204200128021021010c010b0b41000520010b41016a360200430000803f21124110fd000400210b41c000fd000400210c4190054100fd0004002209fd0b040041a005200bfd0b04004180062101034003402000410371450440024020002a020c211020002802102202410348047d200241027422022a029005201093210f20022a02a005201093211020022a0240052000fd000400220a2009fde601220dfd1f00200dfd1f0192200dfd1f0292201093210f200a200bfde601220dfd1f00200dfd1f0192200dfd1f02922010932110200a200cfde601fde001220afd1f00200afd1f0192200afd1f02920b221320105f200f201360710440200028021421000c030b20138c221120105e200f20115d710440200028021821000c030b41142103430000000021114300000000430000803f200f20105d047d41182103200f201392bb44000000000000a03fa0430000803f200f20109395bb2214a2b62111200f201393bb44000000000000a03fa02014a2b605200f20105e047d200f201393bb44000000000000a0bfa0430000803f200f20109395bb2214a2b62111200f201392bb44000000000000a03fa02014a2b605430000803f0b0b220f200f430000803f5e1b200f43000000005d1b21102012200e932113200b2009fde501210d200020036a28020021022000412c6a20036b2802002200410271450440200e20134300000000430000803f20112011430000803f5e1b201143000000005d1b22119492220f4180022a02005d044020092011fd13200dfde601fde401210a20024102710440200f210e419005200a2209fd0b04000c050b2001200f38020020012012380204200120003602082001200afd0b04102001200bfd0b0420200141306a21010b0b200222004102710d00200e201320109492211241a00520092010fd13200dfde601fde401220bfd0b04000c020b0b0b2000410171044002404180012802002205200041017322062802002200714520004184012802002202717241002005417f471b0d0041ec04280200210720062802082103200641106a21000340200020034904400240418005fd0004002000fd000400fd31fd530d00200028020c22082802042007460d0020082007360204200828020022042005714520022004717241002005417f471b0d002008200628020410074180022a020043000000005b0d030b200041106a21000c010b0b0b0b4180022a0200210f034020014180064604400f0b200f200141306b22012a0200220e5f0d000b20012a02042112200128020821002001fd000420210b4190052001fd0004102209fd0b040041a005200bfd0b04000c000b000b";

// src/wasm/kernel.ts
const START_WORD = LINE_START / 4;
const END_WORD = LINE_END / 4;
const HIT_WORD = LINE_HIT / 4;
const HEAD_WORD = LINE_HEAD / 4;
const CROSSING_WORD = LINE_CROSSING / 4;
var wasm = /* @__PURE__ */ defineWasm(KERNEL);
function kernelOf({ kernel, hotLines, hotBoxes }) {
  return kernel === "js" || hotLines === null || hotBoxes === null || !wasm.canRun() ? "js" : "wasm";
}
function open(memory, built) {
  let instance;
  try {
    instance = wasm.instantiate(built.length);
  } catch (error) {
    if (memory.kernel === "wasm") throw error;
    return null;
  }
  const ints = new Int32Array(instance.buffer);
  ints.set(built.ints.subarray(0, built.length >> 2));
  const { testLine, placeLine, traceTiles: traceTiles2, traceTree: traceTree3 } = instance.exports;
  const floats = new Float32Array(instance.buffer);
  return { ints, floats, testLine, placeLine, traceTiles: traceTiles2, traceTree: traceTree3 };
}
function openLines(memory) {
  memory.hotLines = kernelOf(memory) === "js" ? null : open(memory, buildLines(memory));
}
function openBoxes(memory) {
  if (kernelOf(memory) === "js") {
    memory.hotBoxes = null;
    return;
  }
  const { out, trees } = buildBoxes(memory);
  const hot = open(memory, out);
  memory.hotBoxes = hot && { ...hot, trees };
  if (!hot) return;
  memory.box = hot.floats.subarray(0, BLOCK_WORDS);
  memory.boxState = hot.ints.subarray(0, BLOCK_WORDS);
  memory.settings = void 0;
}
function testHotLine(hot, start, end, selection) {
  const { floats } = hot;
  floats[START_WORD] = start[0];
  floats[START_WORD + 1] = start[1];
  floats[START_WORD + 2] = start[2];
  floats[END_WORD] = end[0];
  floats[END_WORD + 1] = end[1];
  floats[END_WORD + 2] = end[2];
  return hot.testLine(selection);
}
function placeHotLine({ line, lineAnswer }, hot, selection) {
  const { floats, ints } = hot;
  floats[START_WORD] = line[L_START];
  floats[START_WORD + 1] = line[L_START + 1];
  floats[START_WORD + 2] = line[L_START + 2];
  floats[END_WORD] = line[L_END];
  floats[END_WORD + 1] = line[L_END + 1];
  floats[END_WORD + 2] = line[L_END + 2];
  const answer2 = hot.placeLine(selection);
  line[L_HIT] = floats[HIT_WORD];
  line[L_HIT + 1] = floats[HIT_WORD + 1];
  line[L_HIT + 2] = floats[HIT_WORD + 2];
  lineAnswer[A_HEAD] = ints[HEAD_WORD];
  lineAnswer[A_CROSSING] = ints[CROSSING_WORD];
  return answer2;
}

// src/kernel/memory.ts
const L_START = 0;
const L_END = 3;
const L_HIT = 6;
const L_TILE_HIT = 9;
const L_HEAD_HIT = 12;
const L_REACH = 15;
const L_SLACK = 16;
const L_ROOM = 17;
const L_LOW = 18;
const L_HIGH = 21;
const LINE_FLOATS = 24;
const A_HEAD = 0;
const A_CROSSING = 1;
const A_HEAD_CROSSING = 2;
const ANSWER_INTS = 3;
const LINE_FRAME_FLOATS = 6;
const LINE_FRAME_INTS = 3;
const BOX_FRAME_FLOATS = 8;
function openMemory(data, places, kernel) {
  const ints = new Int32Array(data);
  const lineDepth = ints[LINE_STACK_WORD];
  const boxDepth = ints[BOX_STACK_WORD];
  const line = new Float64Array(LINE_FLOATS);
  line[L_SLACK] = 0.05 + lineDepth / 64;
  return {
    ints,
    floats: new Float32Array(data),
    places,
    line,
    lineAnswer: new Int32Array(ANSWER_INTS),
    lineFrames: new Float64Array(LINE_FRAME_FLOATS * lineDepth),
    lineFrameInts: new Int32Array(LINE_FRAME_INTS * lineDepth),
    kernel,
    hotLines: void 0,
    hotBoxes: void 0,
    ...createBlock(BLOCK_WORDS),
    settings: void 0,
    traces: new Int32Array(1),
    brushStamps: new Int32Array(places.brushes.count),
    boxFrames: new Float32Array(BOX_FRAME_FLOATS * boxDepth),
    boxFrameNodes: new Int32Array(boxDepth)
  };
}
function createBlock(words) {
  const box = new Float32Array(words);
  return { box, boxState: new Int32Array(box.buffer) };
}
function createSettings() {
  return createBlock(SETTINGS + SETTINGS_WORDS);
}
function useSettings(memory, settings) {
  if (memory.hotBoxes === void 0) openBoxes(memory);
  if (memory.settings === settings) return;
  memory.settings = settings;
  for (let k = SETTINGS; k < SETTINGS + SETTINGS_WORDS; k++) memory.boxState[k] = settings.boxState[k];
}
function clearRecord({ box, boxState }, at, fraction) {
  box[at] = fraction;
  boxState[at + 1] = 0;
  boxState[at + 2] = 0;
  boxState[at + 3] = 0;
  boxState[at + R_DIST] = 0;
  boxState[at + R_START_SOLID] = 0;
  boxState[at + R_ALL_SOLID] = 0;
  boxState[at + R_CONTENTS] = 0;
  boxState[at + R_SIDE] = 0;
  boxState[at + R_BRUSH] = 0;
  boxState[at + R_LEAF] = -1;
  boxState[at + R_TILE] = -1;
  boxState[at + R_MODEL] = 0;
}
function copyRecord({ boxState }, from, to) {
  boxState[to] = boxState[from];
  boxState[to + 1] = boxState[from + 1];
  boxState[to + 2] = boxState[from + 2];
  boxState[to + 3] = boxState[from + 3];
  boxState[to + R_DIST] = boxState[from + R_DIST];
  boxState[to + R_START_SOLID] = boxState[from + R_START_SOLID];
  boxState[to + R_ALL_SOLID] = boxState[from + R_ALL_SOLID];
  boxState[to + R_CONTENTS] = boxState[from + R_CONTENTS];
  boxState[to + R_SIDE] = boxState[from + R_SIDE];
  boxState[to + R_BRUSH] = boxState[from + R_BRUSH];
  boxState[to + R_LEAF] = boxState[from + R_LEAF];
  boxState[to + R_TILE] = boxState[from + R_TILE];
  boxState[to + R_MODEL] = boxState[from + R_MODEL];
}
function nextStamp({ traces, brushStamps }) {
  if (traces[0] === 2147483647) {
    brushStamps.fill(0);
    traces[0] = 0;
  }
  traces[0] += 1;
  return traces[0];
}

// src/kernel/pose.ts
const f2 = Math.fround;
const EQUAL_EPSILON = f2(1e-10);
const RADIANS = Math.PI / 180;
var turns = /* @__PURE__ */ new Float64Array(6);
const P_ORIGIN = 0;
const P_ROWS = 3;
const P_BACK_ROWS = 12;
const POSE_FLOATS = 21;
function createPlacement() {
  return { floats: new Float32Array(POSE_FLOATS), rotated: false };
}
function isZero(vector, at = 0) {
  for (let k = 0; k < 3; k++) if (!(Math.abs(f2(vector[at + k])) < EQUAL_EPSILON)) return false;
  return true;
}
function setOrigin(pose, origin) {
  for (let k = 0; k < 3; k++) pose.floats[P_ORIGIN + k] = origin[k];
}
function setAngles(pose, angles) {
  pose.rotated = !isZero(angles);
  writeRows(pose.floats, P_ROWS, angles, 1);
  writeRows(pose.floats, P_BACK_ROWS, angles, -1);
}
function writeRows(rows2, at, angles, sign) {
  for (let k = 0; k < 3; k++) turns[2 * k] = f2(f2(sign * angles[k]) * RADIANS);
  sinCos(turns);
  const sp = f2(turns[0]);
  const cp = f2(turns[1]);
  const sy = f2(turns[2]);
  const cy = f2(turns[3]);
  const sr = f2(turns[4]);
  const cr = f2(turns[5]);
  rows2[at] = cp * cy;
  rows2[at + 1] = cp * sy;
  rows2[at + 2] = -sp;
  rows2[at + 3] = f2(f2(-sr * sp) * cy) + f2(cr * sy);
  rows2[at + 4] = f2(f2(-sr * sp) * sy) - f2(cr * cy);
  rows2[at + 5] = -sr * cp;
  rows2[at + 6] = f2(f2(cr * sp) * cy) + f2(sr * sy);
  rows2[at + 7] = f2(f2(cr * sp) * sy) - f2(sr * cy);
  rows2[at + 8] = cr * cp;
}
function turn(rows2, row, vectors, at) {
  const x = vectors[at];
  const y = vectors[at + 1];
  const z = vectors[at + 2];
  vectors[at] = f2(f2(rows2[row] * x) + f2(rows2[row + 1] * y)) + f2(rows2[row + 2] * z);
  vectors[at + 1] = -f2(f2(f2(rows2[row + 3] * x) + f2(rows2[row + 4] * y)) + f2(rows2[row + 5] * z));
  vectors[at + 2] = f2(f2(rows2[row + 6] * x) + f2(rows2[row + 7] * y)) + f2(rows2[row + 8] * z);
}
function turnBack(rows2, row, vectors, at) {
  const x = vectors[at];
  const y = -vectors[at + 1];
  const z = vectors[at + 2];
  for (let k = 0; k < 3; k++) {
    vectors[at + k] = f2(f2(rows2[row + k] * x) + f2(rows2[row + 3 + k] * y)) + f2(rows2[row + 6 + k] * z);
  }
}

// src/kernel/box.ts
const f3 = Math.fround;
const TOUCH_EPSILON = 1e-3;
const MAX_POSITION_LEAFS = 1024;
const CULL_ROOM = 0.0625;
const CULL_LIMIT = 16384;
function prepareShape({ box, boxState }) {
  let isPoint = 1;
  for (let k = 0; k < 3; k++) {
    const mins = box[B_GIVEN_MINS + k];
    const maxs = box[B_GIVEN_MAXS + k];
    const center = f3(f3(mins + maxs) * 0.5);
    box[B_CENTER + k] = center;
    box[B_MINS + k] = mins - center;
    box[B_MAXS + k] = maxs - center;
    if (!(Math.abs(box[B_MINS + k]) < EQUAL_EPSILON && Math.abs(box[B_MAXS + k]) < EQUAL_EPSILON))
      isPoint = 0;
  }
  for (let k = 0; k < 3; k++) box[B_EXTENTS + k] = isPoint ? 0 : box[B_MAXS + k];
  boxState[S_POINT] = isPoint;
}
function prepareMove({ box, boxState }) {
  const ax = f3(box[B_START] + box[B_CENTER]);
  const ay = f3(box[B_START + 1] + box[B_CENTER + 1]);
  const az = f3(box[B_START + 2] + box[B_CENTER + 2]);
  const bx = f3(box[B_END] + box[B_CENTER]);
  const by = f3(box[B_END + 1] + box[B_CENTER + 1]);
  const bz = f3(box[B_END + 2] + box[B_CENTER + 2]);
  box[B_START] = ax;
  box[B_START + 1] = ay;
  box[B_START + 2] = az;
  box[B_END] = bx;
  box[B_END + 1] = by;
  box[B_END + 2] = bz;
  boxState[S_STILL] = Math.abs(f3(ax - bx)) < EQUAL_EPSILON && Math.abs(f3(ay - by)) < EQUAL_EPSILON && Math.abs(f3(az - bz)) < EQUAL_EPSILON ? 1 : 0;
  boxState[S_CULL] = Math.abs(ax) + Math.abs(bx) + Math.abs(box[B_MINS]) + Math.abs(box[B_MAXS]) < CULL_LIMIT && Math.abs(ay) + Math.abs(by) + Math.abs(box[B_MINS + 1]) + Math.abs(box[B_MAXS + 1]) < CULL_LIMIT && Math.abs(az) + Math.abs(bz) + Math.abs(box[B_MINS + 2]) + Math.abs(box[B_MAXS + 2]) < CULL_LIMIT ? 1 : 0;
}
function boundMove({ box }) {
  const fraction = Math.min(box[B_HEAD], 1);
  const ax = box[B_START];
  const ay = box[B_START + 1];
  const az = box[B_START + 2];
  const bx = ax + fraction * (box[B_END] - ax);
  const by = ay + fraction * (box[B_END + 1] - ay);
  const bz = az + fraction * (box[B_END + 2] - az);
  box[B_LOW] = Math.min(ax, bx) + box[B_MINS] - CULL_ROOM;
  box[B_LOW + 1] = Math.min(ay, by) + box[B_MINS + 1] - CULL_ROOM;
  box[B_LOW + 2] = Math.min(az, bz) + box[B_MINS + 2] - CULL_ROOM;
  box[B_HIGH] = Math.max(ax, bx) + box[B_MAXS] + CULL_ROOM;
  box[B_HIGH + 1] = Math.max(ay, by) + box[B_MAXS + 1] + CULL_ROOM;
  box[B_HIGH + 2] = Math.max(az, bz) + box[B_MAXS + 2] + CULL_ROOM;
}
function traceTree(memory, node) {
  const { hotBoxes, boxState } = memory;
  if (hotBoxes && boxState[S_CULL] !== 0 && hotBoxes.traceTree(hotBoxes.trees.get(node)) === 0) return;
  boundMove(memory);
  traceHead(memory, node);
}
function traceHead(memory, node) {
  if (memory.boxState[S_STILL] !== 0) touchHead(memory, node);
  else if (memory.box[B_HEAD] > 0) sweepHead(memory, node);
}
function sweepHead(memory, root) {
  const { ints, floats, places, box, boxState, boxFrames, boxFrameNodes } = memory;
  const stamp = nextStamp(memory);
  const nodes = places.nodes.first;
  const planes = places.planes.first;
  const isPoint = boxState[S_POINT] !== 0;
  let node = root;
  let from = 0;
  let to = 1;
  let ax = box[B_START];
  let ay = box[B_START + 1];
  let az = box[B_START + 2];
  let bx = box[B_END];
  let by = box[B_END + 1];
  let bz = box[B_END + 2];
  let depth = 0;
  for (; ; ) {
    while (node >= 0) {
      const at = nodes + NODE_WORDS * node;
      const kind = ints[at] & 15;
      const dist = floats[at + 1];
      let a;
      let b;
      let offset;
      if (kind === 0) {
        a = f3(ax - dist);
        b = f3(bx - dist);
        offset = box[B_EXTENTS];
      } else if (kind === 1) {
        a = f3(ay - dist);
        b = f3(by - dist);
        offset = box[B_EXTENTS + 1];
      } else if (kind === 2) {
        a = f3(az - dist);
        b = f3(bz - dist);
        offset = box[B_EXTENTS + 2];
      } else {
        const plane = planes + PLANE_WORDS * (ints[at] >>> 4);
        const x = floats[plane];
        const y = floats[plane + 1];
        const z = floats[plane + 2];
        a = f3(f3(f3(f3(x * ax) + f3(y * ay)) + f3(z * az)) - dist);
        b = f3(f3(f3(f3(x * bx) + f3(y * by)) + f3(z * bz)) - dist);
        offset = 0;
        if (!isPoint) {
          const ex = Math.abs(f3(box[B_EXTENTS] * x));
          const ey = Math.abs(f3(box[B_EXTENTS + 1] * y));
          offset = f3(f3(ex + ey) + Math.abs(f3(box[B_EXTENTS + 2] * z)));
        }
      }
      if (a >= offset && b >= offset) {
        node = ints[at + 2];
        continue;
      }
      if (a < -offset && b < -offset) {
        node = ints[at + 3];
        continue;
      }
      let first = 0;
      let near = 1;
      let far = 0;
      if (a < b) {
        first = 1;
        const inverse = f3(1 / f3(a - b));
        far = f3((f3(a + offset) + SURFACE_EPSILON) * inverse);
        near = f3((f3(a - offset) + SURFACE_EPSILON) * inverse);
      } else if (a > b) {
        const inverse = f3(1 / f3(a - b));
        far = f3((f3(a - offset) - SURFACE_EPSILON) * inverse);
        near = f3((f3(a + offset) + SURFACE_EPSILON) * inverse);
      }
      if (near < 0) near = 0;
      else if (near > 1) near = 1;
      if (far < 0) far = 0;
      else if (far > 1) far = 1;
      const length2 = f3(to - from);
      const dx = f3(bx - ax);
      const dy = f3(by - ay);
      const dz = f3(bz - az);
      const farFrom = f3(from + f3(length2 * far));
      if (box[B_HEAD] > farFrom) {
        const frame2 = BOX_FRAME_FLOATS * depth;
        boxFrames[frame2] = farFrom;
        boxFrames[frame2 + 1] = to;
        boxFrames[frame2 + 2] = f3(ax + f3(far * dx));
        boxFrames[frame2 + 3] = f3(ay + f3(far * dy));
        boxFrames[frame2 + 4] = f3(az + f3(far * dz));
        boxFrames[frame2 + 5] = bx;
        boxFrames[frame2 + 6] = by;
        boxFrames[frame2 + 7] = bz;
        boxFrameNodes[depth++] = ints[at + 3 - first];
      }
      to = f3(from + f3(length2 * near));
      bx = f3(ax + f3(near * dx));
      by = f3(ay + f3(near * dy));
      bz = f3(az + f3(near * dz));
      node = ints[at + 2 + first];
    }
    sweepLeaf(memory, -1 - node, stamp);
    do {
      if (depth === 0) return;
      from = boxFrames[BOX_FRAME_FLOATS * --depth];
    } while (box[B_HEAD] <= from);
    const frame = BOX_FRAME_FLOATS * depth;
    node = boxFrameNodes[depth];
    to = boxFrames[frame + 1];
    ax = boxFrames[frame + 2];
    ay = boxFrames[frame + 3];
    az = boxFrames[frame + 4];
    bx = boxFrames[frame + 5];
    by = boxFrames[frame + 6];
    bz = boxFrames[frame + 7];
  }
}
function touchHead(memory, root) {
  const { ints, places, boxFrameNodes } = memory;
  const stamp = nextStamp(memory);
  let leafs = 0;
  let depth = 0;
  let node = root;
  for (; ; ) {
    while (node >= 0) {
      const at = places.nodes.first + NODE_WORDS * node;
      const sides = sidesTouched(memory, at);
      if (sides === 0) boxFrameNodes[depth++] = ints[at + 3];
      node = ints[at + (sides < 0 ? 3 : 2)];
    }
    if (++leafs > MAX_POSITION_LEAFS || touchLeaf(memory, -1 - node, stamp) || depth === 0) return;
    node = boxFrameNodes[--depth];
  }
}
function sidesTouched({ ints, floats, places, box }, node) {
  const kind = ints[node] & 15;
  const dist = floats[node + 1];
  let front;
  let back;
  if (kind < 3) {
    front = f3(box[B_START + kind] + box[B_MAXS + kind]) > dist + TOUCH_EPSILON;
    back = f3(box[B_START + kind] + box[B_MINS + kind]) < dist - TOUCH_EPSILON;
  } else {
    const plane = places.planes.first + PLANE_WORDS * (ints[node] >>> 4);
    measureHeight(floats, plane, box, B_MAXS, B_MINS);
    front = f3(box[B_NUMBER] - dist) >= TOUCH_EPSILON;
    measureHeight(floats, plane, box, B_MINS, B_MAXS);
    back = f3(box[B_NUMBER] - dist) < TOUCH_EPSILON;
  }
  return front === back ? 0 : front ? 1 : -1;
}
function measureHeight(floats, plane, box, up, down) {
  const x = floats[plane];
  const y = floats[plane + 1];
  const z = floats[plane + 2];
  const cx = f3(box[B_START] + box[x < 0 ? down : up]);
  const cy = f3(box[B_START + 1] + box[(y < 0 ? down : up) + 1]);
  const cz = f3(box[B_START + 2] + box[(z < 0 ? down : up) + 2]);
  box[B_NUMBER] = f3(f3(x * cx) + f3(y * cy)) + f3(z * cz);
}

// src/selection.ts
const ALWAYS = 256;
const LIGHT_CLIP = 512;
const WEAPON_CLIP = 1024;
const ACTOR_CLIP = 2048;
const ALL_HEADS = 4095;
const PHANTOM_LEVELS = 16;
const PHANTOM = 16777216;
var isPhantom = (key) => key >= PHANTOM;
function lineKey(model) {
  if (model >= REGULAR_MODELS) return PHANTOM | (model & ALL_LEVELS) << PHANTOM_LEVELS;
  if (model >= LIGHTCLIP_MODEL) return LIGHT_CLIP << model - LIGHTCLIP_MODEL;
  return model === 0 ? ALWAYS : model;
}
function boxKey(model) {
  return model === 0 || model > ALL_LEVELS ? ALWAYS : model;
}
function selectLineHeads({ mask, lightClip, ignoreMask, maskBits, phantoms }) {
  if (ignoreMask) return phantoms ? ALL_HEADS | PHANTOM : ALL_HEADS;
  const levels2 = mask & ALL_LEVELS || ALL_LEVELS;
  let selection = levels2 | ALWAYS;
  if (lightClip) selection |= LIGHT_CLIP;
  if ((mask & WITH_WEAPONCLIP) !== 0 && !(maskBits && (levels2 & 1) === 0)) selection |= WEAPON_CLIP;
  if ((mask & WITH_ACTORCLIP) !== 0 && !(maskBits && (levels2 & 2) === 0)) selection |= ACTOR_CLIP;
  if (phantoms) selection |= (mask & ALL_LEVELS) === 0 ? PHANTOM : levels2 << PHANTOM_LEVELS;
  return selection;
}
function selectBoxHeads(mask) {
  return mask === 0 ? -1 : mask & ALL_LEVELS | ALWAYS;
}

// src/kernel/line.ts
const f4 = Math.fround;
const SIDE = 0.09999999776482582;
const AT_END = f4(1e-3);
const FAR = 0;
const SECOND = 1;
const JOIN = 2;
function canCull({ line }) {
  for (let k = 0; k < 6; k++) if (!(Math.abs(line[L_START + k]) < LINE_CULL_LIMIT)) return false;
  return true;
}
function walkTrees(memory, selection, place) {
  const { ints, floats, places, line, lineAnswer } = memory;
  const cull = canCull(memory);
  copyPoint(line, L_END, L_HIT);
  lineAnswer[A_HEAD] = -1;
  lineAnswer[A_CROSSING] = -1;
  if (!cull) line[L_ROOM] = Infinity;
  else if (place) line[L_ROOM] = line[L_SLACK];
  else line[L_ROOM] = 0;
  boundLine(line, L_END);
  for (let tile = 0; tile < places.tiles.count; tile++) {
    const tileAt = places.tiles.first + SECTIONS.tiles * tile;
    if (isBeyond(floats, tileAt + TILE_LINE_MINS, line)) continue;
    if (place) copyPoint(line, L_END, L_TILE_HIT);
    const first = places.lineHeads.first + SECTIONS.lineHeads * ints[tileAt + TILE_LINE_HEADS];
    const end = first + SECTIONS.lineHeads * ints[tileAt + TILE_LINE_HEADS + 1];
    let tileHead = -1;
    let crossing = -1;
    for (let head = first; head < end; head += SECTIONS.lineHeads) {
      const key = ints[head + LINE_HEAD_KEY];
      const root = ints[head + LINE_HEAD_TREE];
      if ((key & selection) === 0 || root === LINE_OPEN) continue;
      const phantom = isPhantom(key);
      if (phantom && (ints[first + LINE_HEAD_KEY] & selection) !== 0 && !straddlesZero(line)) break;
      if (!isBeyond(floats, root + 1, line) && walkTree(memory, root, cull, place)) {
        if (!place) return true;
        if (isNearer(line, L_HEAD_HIT, L_TILE_HIT)) {
          copyPoint(line, L_HEAD_HIT, L_TILE_HIT);
          tileHead = head;
          crossing = lineAnswer[A_HEAD_CROSSING];
          boundLine(line, isNearer(line, L_HIT, L_TILE_HIT) ? L_HIT : L_TILE_HIT);
        }
      }
      if (phantom) break;
    }
    if (tileHead < 0) continue;
    if (!isAtEnd(line, L_TILE_HIT) && isNearer(line, L_TILE_HIT, L_HIT)) {
      copyPoint(line, L_TILE_HIT, L_HIT);
      lineAnswer[A_HEAD] = (tileHead - places.lineHeads.first) / SECTIONS.lineHeads;
      lineAnswer[A_CROSSING] = crossing;
    }
    boundLine(line, L_HIT);
  }
  return place && !isAtEnd(line, L_HIT);
}
function straddlesZero(line) {
  const a = line[L_START];
  const b = line[L_END];
  return !(a >= -SIDE && b >= -SIDE || a <= SIDE && b <= SIDE);
}
function copyPoint(line, from, to) {
  line[to] = line[from];
  line[to + 1] = line[from + 1];
  line[to + 2] = line[from + 2];
}
function isNearer(line, a, b) {
  const ax = f4(line[L_START] - line[a]);
  const ay = f4(line[L_START + 1] - line[a + 1]);
  const az = f4(line[L_START + 2] - line[a + 2]);
  const bx = f4(line[L_START] - line[b]);
  const by = f4(line[L_START + 1] - line[b + 1]);
  const bz = f4(line[L_START + 2] - line[b + 2]);
  const length2 = f4(Math.sqrt(f4(f4(f4(ax * ax) + f4(ay * ay)) + f4(az * az))));
  return length2 < f4(Math.sqrt(f4(f4(f4(bx * bx) + f4(by * by)) + f4(bz * bz))));
}
function boundLine(line, limit) {
  const room = line[L_ROOM];
  for (let k = 0; k < 3; k++) {
    const a = line[L_START + k];
    const b = line[limit + k];
    line[L_LOW + k] = Math.min(a, b) - room;
    line[L_HIGH + k] = Math.max(a, b) + room;
  }
  const x = line[limit] - line[L_START];
  const y = line[limit + 1] - line[L_START + 1];
  const z = line[limit + 2] - line[L_START + 2];
  line[L_REACH] = Math.sqrt(x * x + y * y + z * z) + room;
}
function isBeyond(floats, at, line) {
  return floats[at] > line[L_HIGH] || floats[at + 3] < line[L_LOW] || floats[at + 1] > line[L_HIGH + 1] || floats[at + 4] < line[L_LOW + 1] || floats[at + 2] > line[L_HIGH + 2] || floats[at + 5] < line[L_LOW + 2];
}
function isAtEnd(line, at) {
  return Math.abs(f4(line[at] - line[L_END])) <= AT_END && Math.abs(f4(line[at + 1] - line[L_END + 1])) <= AT_END && Math.abs(f4(line[at + 2] - line[L_END + 2])) <= AT_END;
}
function walkTree(memory, root, cull, place) {
  const { ints, floats, line, lineAnswer, lineFrames, lineFrameInts } = memory;
  const startX = line[0];
  const startY = line[1];
  const startZ = line[2];
  const reach = line[L_REACH] * line[L_REACH];
  let ax = startX;
  let ay = startY;
  let az = startZ;
  let bx = line[3];
  let by = line[4];
  let bz = line[5];
  let node = root;
  let crossing = -1;
  let depth = 0;
  for (; ; ) {
    while (node > LINE_OPEN) {
      const kind = ints[node];
      if (kind === LINE_BOX) {
        const minX = floats[node + 1];
        const maxX = floats[node + 4];
        const minY = floats[node + 2];
        const maxY = floats[node + 5];
        const minZ = floats[node + 3];
        const maxZ = floats[node + 6];
        if (cull && (ax < minX && bx < minX || ax > maxX && bx > maxX || ay < minY && by < minY || ay > maxY && by > maxY || az < minZ && bz < minZ || az > maxZ && bz > maxZ)) {
          node = LINE_OPEN;
          break;
        }
        node += LINE_BOX_WORDS;
        continue;
      }
      const dist = floats[node + 1];
      let a;
      let b;
      if (kind === 0) {
        a = ax - dist;
        b = bx - dist;
      } else if (kind === 1) {
        a = ay - dist;
        b = by - dist;
      } else if (kind === 2) {
        a = az - dist;
        b = bz - dist;
      } else if (kind === LINE_OBLIQUE) {
        const x2 = floats[node + 4];
        const y2 = floats[node + 5];
        const z2 = floats[node + 6];
        a = f4(f4(f4(ax * x2) + f4(ay * y2)) + f4(az * z2)) - dist;
        b = f4(f4(f4(bx * x2) + f4(by * y2)) + f4(bz * z2)) - dist;
      } else {
        const frame = LINE_FRAME_FLOATS * depth;
        lineFrames[frame] = ax;
        lineFrames[frame + 1] = ay;
        lineFrames[frame + 2] = az;
        lineFrames[frame + 3] = bx;
        lineFrames[frame + 4] = by;
        lineFrames[frame + 5] = bz;
        pushInts(lineFrameInts, depth++, SECOND, ints[node + 3], crossing);
        node = ints[node + 2];
        continue;
      }
      if (a >= -SIDE && b >= -SIDE) {
        node = ints[node + 2];
        continue;
      }
      if (a <= SIDE && b <= SIDE) {
        node = ints[node + 3];
        continue;
      }
      const near = a < 0 ? 1 : 0;
      const nearChild = ints[node + 2 + near];
      const farChild = ints[node + 3 - near];
      if (!place && (nearChild === LINE_BLOCKED || farChild === LINE_BLOCKED)) return true;
      const t = f4(f4(a) / f4(f4(a) - f4(b)));
      const x = f4(ax + f4(t * f4(bx - ax)));
      const y = f4(ay + f4(t * f4(by - ay)));
      const z = f4(az + f4(t * f4(bz - az)));
      if (nearChild === LINE_OPEN) {
        ax = x;
        ay = y;
        az = z;
        crossing = 2 * node + near;
        node = farChild;
        continue;
      }
      if (farChild !== LINE_OPEN) {
        const frame = LINE_FRAME_FLOATS * depth;
        lineFrames[frame] = x;
        lineFrames[frame + 1] = y;
        lineFrames[frame + 2] = z;
        lineFrames[frame + 3] = bx;
        lineFrames[frame + 4] = by;
        lineFrames[frame + 5] = bz;
        pushInts(lineFrameInts, depth++, FAR, farChild, 2 * node + near);
      }
      bx = x;
      by = y;
      bz = z;
      node = nearChild;
    }
    let hit = node === LINE_BLOCKED;
    if (hit) {
      if (!place) return true;
      line[L_HEAD_HIT] = ax;
      line[L_HEAD_HIT + 1] = ay;
      line[L_HEAD_HIT + 2] = az;
      lineAnswer[A_HEAD_CROSSING] = crossing;
    }
    for (; ; ) {
      if (depth === 0) return hit;
      const frame = LINE_FRAME_FLOATS * --depth;
      const at = LINE_FRAME_INTS * depth;
      const what = lineFrameInts[at];
      if (what === JOIN) {
        if (!hit || isFirstNearer(memory, frame)) {
          for (let k = 0; k < 3; k++) line[L_HEAD_HIT + k] = lineFrames[frame + 3 + k];
          lineAnswer[A_HEAD_CROSSING] = lineFrameInts[at + 2];
        }
        hit = true;
        continue;
      }
      if (hit && what === FAR) continue;
      ax = lineFrames[frame];
      ay = lineFrames[frame + 1];
      az = lineFrames[frame + 2];
      if (place) {
        const dx = ax - startX;
        const dy = ay - startY;
        const dz = az - startZ;
        if (dx * dx + dy * dy + dz * dz > reach) continue;
      }
      bx = lineFrames[frame + 3];
      by = lineFrames[frame + 4];
      bz = lineFrames[frame + 5];
      node = lineFrameInts[at + 1];
      crossing = lineFrameInts[at + 2];
      if (hit) {
        for (let k = 0; k < 3; k++) lineFrames[frame + 3 + k] = line[L_HEAD_HIT + k];
        pushInts(lineFrameInts, depth++, JOIN, 0, lineAnswer[A_HEAD_CROSSING]);
      }
      break;
    }
  }
}
function pushInts(frames, depth, what, node, crossing) {
  const at = LINE_FRAME_INTS * depth;
  frames[at] = what;
  frames[at + 1] = node;
  frames[at + 2] = crossing;
}
function isFirstNearer({ line, lineFrames }, frame) {
  let first = 0;
  let second = 0;
  for (let k = 0; k < 3; k++) {
    const start = lineFrames[frame + k];
    const a = f4(start - lineFrames[frame + 3 + k]);
    const b = f4(start - line[L_HEAD_HIT + k]);
    first = f4(first + f4(a * a));
    second = f4(second + f4(b * b));
  }
  return f4(Math.sqrt(first)) < f4(Math.sqrt(second));
}

// src/kernel/body.ts
const f5 = Math.fround;
const WORLD_EDGE = 4096;
function createBody({ ints, floats, places }, number) {
  const place = places.models.first + SECTIONS.models * (number - 1);
  const body = {
    number,
    tile: ints[place + MODEL_TILE],
    place,
    ownFrame: ints[place + MODEL_OWN_FRAME] !== 0,
    origin: floats.slice(place + MODEL_ORIGIN, place + MODEL_ORIGIN + 3),
    angles: new Float32Array(3),
    placement: createPlacement(),
    bounds: floats.slice(place + MODEL_MINS, place + MODEL_MINS + 6),
    reach: new Float32Array(6)
  };
  setOrigin(body.placement, body.origin);
  setAngles(body.placement, body.angles);
  boundBody(body);
  return body;
}
function moveBody(body, origin, angles) {
  for (let k = 0; k < 3; k++) {
    if (origin) body.origin[k] = origin[k];
    if (angles) body.angles[k] = angles[k];
  }
  if (origin) setOrigin(body.placement, body.origin);
  if (angles) setAngles(body.placement, body.angles);
  boundBody(body);
}
function boundBody({ bounds, origin, angles, reach }) {
  let side = 0;
  for (let k = 0; k < 3; k++) {
    reach[k] = bounds[k] + origin[k];
    reach[3 + k] = bounds[3 + k] + origin[k];
  }
  keepInWorld(reach);
  if (isZero(angles)) return;
  for (let k = 0; k < 3; k++) side = Math.max(side, f5(reach[3 + k] - reach[k]));
  for (let k = 0; k < 3; k++) {
    reach[k] -= f5(side * 0.5);
    reach[3 + k] += f5(side * 0.5);
  }
  keepInWorld(reach);
}
function keepInWorld(reach) {
  for (let k = 0; k < 6; k++) {
    if (k % 3 !== 2) reach[k] = Math.max(-WORLD_EDGE, Math.min(WORLD_EDGE, reach[k]));
  }
}
const SHIFT_NONE = 0;
const SHIFT_ENGINE = 1;
const SHIFT_OWN_FRAME = 2;
function enterBody(memory, body, shiftRule) {
  const { floats, places, box } = memory;
  const { placement } = body;
  const shift = places.tiles.first + SECTIONS.tiles * body.tile + TILE_SHIFT;
  const shifted = shiftRule === SHIFT_ENGINE ? !isZero(placement.floats, P_ORIGIN) : shiftRule === SHIFT_OWN_FRAME && body.ownFrame;
  for (let k = 0; k < 3; k++) {
    box[B_START + k] = box[B_GIVEN_START + k] - placement.floats[P_ORIGIN + k];
    box[B_END + k] = box[B_GIVEN_END + k] - placement.floats[P_ORIGIN + k];
  }
  if (placement.rotated) {
    turn(placement.floats, P_ROWS, box, B_START);
    turn(placement.floats, P_ROWS, box, B_END);
  }
  if (shifted) {
    for (let k = 0; k < 3; k++) {
      box[B_START + k] += floats[shift + k];
      box[B_END + k] += floats[shift + k];
    }
  }
  prepareMove(memory);
}
function traceBody(memory, body, shiftRule, exact) {
  const { ints, box, boxState } = memory;
  const { placement } = body;
  enterBody(memory, body, shiftRule);
  clearRecord(memory, B_HEAD, Math.min(box[B_LIMIT], 1));
  boxState[B_HEAD + R_TILE] = body.tile;
  boxState[B_HEAD + R_MODEL] = body.number;
  const root = ints[body.place + MODEL_ROOT];
  if (root >= 0) traceTree(memory, root);
  if (placement.rotated && box[B_HEAD] !== 1) {
    if (exact) turnBack(placement.floats, P_ROWS, box, B_HEAD + R_NORMAL);
    else turn(placement.floats, P_BACK_ROWS, box, B_HEAD + R_NORMAL);
  }
}
function lineMisses({ reach }, line) {
  for (let k = 0; k < 3; k++) {
    const a = line[k];
    const b = line[3 + k];
    if (a < reach[k] && b < reach[k] || a > reach[3 + k] && b > reach[3 + k]) return true;
  }
  return false;
}
function copyStop(box, record, out, at) {
  const fraction = box[record];
  for (let k = 0; k < 3; k++) {
    const start = box[B_GIVEN_START + k];
    out[at + k] = f5(start + f5(fraction * f5(box[B_GIVEN_END + k] - start)));
  }
}

// src/kernel/tiles.ts
const f6 = Math.fround;
const NOTHING = 2;
function traceOneHead(memory, head) {
  clearRecord(memory, B_HEAD, 1);
  traceTree(memory, memory.ints[memory.places.boxHeads.first + SECTIONS.boxHeads * head]);
}
function traceTile(memory, tile, into) {
  const { ints, floats, places, box, boxState } = memory;
  const selection = boxState[S_SELECTION];
  clearRecord(memory, B_HEAD, 1);
  boundMove(memory);
  const cull = boxState[S_CULL] !== 0;
  const range = places.tiles.first + SECTIONS.tiles * tile + TILE_BOX_GROUPS;
  const firstGroup = places.boxGroups.first + SECTIONS.boxGroups * ints[range];
  const endGroup = firstGroup + SECTIONS.boxGroups * ints[range + 1];
  let best = NOTHING;
  for (let group = firstGroup; group < endGroup; group += SECTIONS.boxGroups) {
    if ((ints[group + BOX_GROUP_KEY] & selection) === 0) continue;
    if (cull && isOutOfWay(floats, group, box)) {
      if (best === NOTHING) {
        copyRecord(memory, B_HEAD, into);
        best = 1;
      }
      continue;
    }
    const first = places.boxHeads.first + SECTIONS.boxHeads * ints[group + BOX_GROUP_HEADS];
    const end = first + SECTIONS.boxHeads * ints[group + BOX_GROUP_HEADS + 1];
    for (let head = first; head < end; head += SECTIONS.boxHeads) {
      if ((ints[head + BOX_HEAD_KEY] & selection) === 0) continue;
      if (!cull || !isOutOfWay(floats, head + BOX_HEAD_BOUNDS, box)) traceHead(memory, ints[head]);
      const fraction = box[B_HEAD];
      if (fraction >= best) continue;
      copyRecord(memory, B_HEAD, into);
      best = fraction;
      if (fraction === 0) {
        group = endGroup;
        break;
      }
      if (fraction < 1) boundMove(memory);
    }
  }
  rememberSolid(boxState);
  if (best === NOTHING) clearRecord(memory, into, NOTHING);
  boxState[into + R_TILE] = tile;
}
function rememberSolid(boxState) {
  boxState[S_ANY_START_SOLID] |= boxState[B_HEAD + R_START_SOLID];
  boxState[S_ANY_ALL_SOLID] |= boxState[B_HEAD + R_ALL_SOLID];
}
function isAway({ floats, places, box }, tile) {
  const at = places.tiles.first + SECTIONS.tiles * tile;
  return isAxisAway(floats, at, box, 0) || isAxisAway(floats, at, box, 1) || isAxisAway(floats, at, box, 2);
}
function isAxisAway(floats, tile, box, axis) {
  const low = floats[tile + TILE_MINS + axis];
  const high = floats[tile + TILE_MAXS + axis];
  const mins = box[B_GIVEN_MINS + axis];
  const maxs = box[B_GIVEN_MAXS + axis];
  const start = box[B_GIVEN_START + axis];
  const end = box[B_GIVEN_END + axis];
  return f6(start + maxs) < low && f6(end + maxs) < low || f6(start + mins) > high && f6(end + mins) > high;
}
function enterWorld(memory) {
  const { box, boxState } = memory;
  box[B_START] = box[B_GIVEN_START];
  box[B_START + 1] = box[B_GIVEN_START + 1];
  box[B_START + 2] = box[B_GIVEN_START + 2];
  box[B_END] = box[B_GIVEN_END];
  box[B_END + 1] = box[B_GIVEN_END + 1];
  box[B_END + 2] = box[B_GIVEN_END + 2];
  prepareMove(memory);
  boxState[S_WORLD_STILL] = boxState[S_STILL];
}
function traceWorld(memory, only, always) {
  const { hotBoxes, boxState } = memory;
  if (hotBoxes) {
    const record = hotBoxes.traceTiles(only, always ? 1 : 0);
    if (record >= 0) return record;
  }
  boxState[S_ANY_START_SOLID] = 0;
  boxState[S_ANY_ALL_SOLID] = 0;
  if (!always) return traceTiles(memory, only);
  enterWorld(memory);
  traceTile(memory, only, B_FIRST);
  return B_FIRST;
}
function traceTiles(memory, only) {
  const { box, places } = memory;
  let best = B_FIRST;
  let next = B_SECOND;
  let fraction = NOTHING;
  let entered = false;
  for (let tile = 0; tile < places.tiles.count; tile++) {
    if (only >= 0 && tile !== only || isAway(memory, tile)) continue;
    if (!entered) enterWorld(memory);
    entered = true;
    traceTile(memory, tile, next);
    if (box[next] >= fraction) continue;
    fraction = box[next];
    [best, next] = [next, best];
    if (fraction === 0) break;
  }
  if (fraction === NOTHING) clearRecord(memory, best, NOTHING);
  return best;
}

// src/kernel/bodies.ts
function boundGiven(box) {
  for (let k = 0; k < 3; k++) {
    const start = box[B_GIVEN_START + k];
    const end = box[B_GIVEN_END + k];
    box[B_LOW + k] = Math.min(start + box[B_GIVEN_MINS + k], end + box[B_GIVEN_MINS + k]);
    box[B_HIGH + k] = Math.max(start + box[B_GIVEN_MAXS + k], end + box[B_GIVEN_MAXS + k]);
  }
}
function levelsOfSweep(box, mask) {
  boundGiven(box);
  let levels2 = mask & WITH_ACTORCLIP;
  for (let k = 0; k < LEVEL_COUNT; k++) {
    if (box[B_HIGH + 2] >= LEVEL_HEIGHT * k && box[B_LOW + 2] <= LEVEL_HEIGHT * (k + 1)) levels2 |= 1 << k;
  }
  return levels2;
}
function comesNear(box, { reach }) {
  boundGiven(box);
  for (let k = 0; k < 3; k++) {
    if (box[B_HIGH + k] < reach[k] || box[B_LOW + k] > reach[3 + k]) return false;
  }
  return true;
}
function traceBodies(memory, bodies, best, engine) {
  const { box, boxState } = memory;
  for (let k = 0; k < bodies.length && box[best] !== 0; k++) {
    const body = bodies[k];
    if (!comesNear(box, body)) continue;
    box[B_LIMIT] = box[best];
    traceBody(memory, body, engine ? SHIFT_ENGINE : SHIFT_OWN_FRAME, !engine);
    rememberSolid(boxState);
    if (box[B_HEAD] < box[best]) copyRecord(memory, B_HEAD, best);
  }
}

// src/kernel/box-trace.ts
const f7 = Math.fround;
function traceBox(memory, target, out) {
  const { box, boxState } = memory;
  const { body, bodies, head, tile, engine } = target;
  let record = B_HEAD;
  if (body || head >= 0) {
    boxState[S_ANY_START_SOLID] = 0;
    boxState[S_ANY_ALL_SOLID] = 0;
    if (body) traceBody(memory, body, target.shiftRule, !engine);
    else {
      enterWorld(memory);
      traceOneHead(memory, head);
      boxState[B_HEAD + R_TILE] = tile;
    }
    rememberSolid(boxState);
  } else {
    if (bodies && engine) {
      boxState[S_SELECTION] = selectBoxHeads(levelsOfSweep(box, boxState[S_LEVELS]));
    }
    record = traceWorld(memory, tile, !bodies && tile >= 0);
    if (bodies) traceBodies(memory, bodies, record, engine);
  }
  answer(memory, record, engine, out);
}
function answer(memory, record, engine, out) {
  const { box, boxState, ints, places } = memory;
  describeHit(memory, record, out);
  out.fraction = box[record] === NOTHING && !engine ? 1 : box[record];
  if (boxState[record + R_MODEL] !== 0) copyStop(box, record, out.endPos, 0);
  else stopInWorld(memory, record, engine, out);
  out.startSolid = boxState[engine ? record + R_START_SOLID : S_ANY_START_SOLID] !== 0;
  out.allSolid = boxState[engine ? record + R_ALL_SOLID : S_ANY_ALL_SOLID] !== 0;
  const tile = boxState[record + R_TILE];
  const leaf = boxState[record + R_LEAF];
  out.tile = engine || boxState[record + R_BRUSH] !== 0 || leaf >= 0 ? tile : -1;
  out.leaf = leaf < 0 ? -1 : leaf - ints[places.tiles.first + SECTIONS.tiles * tile + TILE_LEAFS];
}
function stopInWorld({ box, boxState }, record, engine, out) {
  const { endPos } = out;
  const fraction = box[record];
  if (fraction === NOTHING) {
    endPos[0] = engine ? 0 : box[B_GIVEN_END];
    endPos[1] = engine ? 0 : box[B_GIVEN_END + 1];
    endPos[2] = engine ? 0 : box[B_GIVEN_END + 2];
  } else if (boxState[S_WORLD_STILL] !== 0) {
    endPos[0] = box[B_GIVEN_START];
    endPos[1] = box[B_GIVEN_START + 1];
    endPos[2] = box[B_GIVEN_START + 2];
  } else {
    endPos[0] = stopOnAxis(box, fraction, 0);
    endPos[1] = stopOnAxis(box, fraction, 1);
    endPos[2] = stopOnAxis(box, fraction, 2);
  }
}
function stopOnAxis(box, fraction, axis) {
  const center = box[B_CENTER + axis];
  const start = f7(box[B_GIVEN_START + axis] + center);
  const end = f7(box[B_GIVEN_END + axis] + center);
  return f7((fraction >= 1 ? end : f7(start + f7(fraction * f7(end - start)))) - center);
}
function describeHit({ ints, places, box, boxState }, record, out) {
  const { normal } = out;
  const brush = boxState[record + R_BRUSH];
  out.patch = -1;
  if (brush === 0 && boxState[record + R_MODEL] === 0) {
    normal[0] = 0;
    normal[1] = 0;
    normal[2] = 0;
    out.dist = 0;
    out.contents = 0;
    out.model = -1;
    out.brush = -1;
    out.side = -1;
    out.plane = -1;
    out.texture = -1;
    out.surfaceFlags = 0;
    return;
  }
  normal[0] = box[record + R_NORMAL];
  normal[1] = box[record + R_NORMAL + 1];
  normal[2] = box[record + R_NORMAL + 2];
  out.dist = box[record + R_DIST];
  out.contents = boxState[record + R_CONTENTS];
  const side = boxState[record + R_SIDE];
  const tile = places.tiles.first + SECTIONS.tiles * Math.max(0, boxState[record + R_TILE]);
  out.model = brush === 0 ? -1 : boxState[record + R_MODEL];
  out.brush = brush === 0 ? -1 : ints[brush + BRUSH_NUMBER] - ints[tile + TILE_BRUSHES];
  out.side = side === 0 ? -1 : (side - places.sides.first) / SIDE_WORDS - ints[tile + TILE_SIDES];
  out.plane = side === 0 ? -1 : ints[side + 4];
  out.texture = side === 0 ? -1 : Math.max(-1, ints[side + 5]);
  out.surfaceFlags = out.texture < 0 ? 0 : ints[ints[tile + TILE_TEXTURES] + out.texture];
}

// src/kernel/line-trace.ts
const f8 = Math.fround;
const BELOW_ONE = 1 - 2 ** -24;
function testBodies(memory, target) {
  const { bodies, engineBodies } = target;
  for (let k = 0; k < bodies.length; k++) {
    if (lineMisses(bodies[k], memory.line)) continue;
    aimAtBody(memory, target.point, L_END, MASK_VISIBILITY);
    traceBody(memory, bodies[k], engineBodies ? SHIFT_ENGINE : SHIFT_OWN_FRAME, true);
    if (startsInBody(memory) || memory.box[B_HEAD] < 1) return true;
  }
  return false;
}
function traceLine(memory, target, out) {
  describeWorldHit(memory, findPlace(memory, target.hitHeads), out);
  if (target.bodies.length === 0) return;
  if (target.engineBodies) traceBodiesAsEngine(memory, target, out);
  else traceBodies2(memory, target, out);
}
function findPlace(memory, selection) {
  if (memory.hotLines === void 0) openLines(memory);
  if (memory.hotLines) {
    const answer2 = placeHotLine(memory, memory.hotLines, selection);
    if (answer2 >= 0) return answer2 === 1;
  }
  return walkTrees(memory, selection, true);
}
function describeWorldHit(memory, blocked, out) {
  const { ints, floats, places, line, lineAnswer } = memory;
  const head = lineAnswer[A_HEAD];
  const crossing = lineAnswer[A_CROSSING];
  const record = places.lineHeads.first + SECTIONS.lineHeads * head;
  out.blocked = blocked;
  out.tile = blocked ? ints[record + LINE_HEAD_TILE] : -1;
  out.level = blocked ? ints[record + LINE_HEAD_MODEL] : -1;
  out.startSolid = head >= 0 && crossing < 0;
  out.allSolid = false;
  out.dist = 0;
  out.contents = 0;
  out.surfaceFlags = 0;
  out.model = blocked ? 0 : -1;
  out.brush = -1;
  out.side = -1;
  out.texture = -1;
  out.patch = -1;
  out.plane = -1;
  for (let k = 0; k < 3; k++) {
    out.endPos[k] = line[L_HIT + k];
    out.normal[k] = 0;
  }
  measureFraction(line, out);
  if (!blocked) out.fraction = 1;
  if (!blocked || crossing < 0) return;
  const node = crossing >> 1;
  const sign = crossing & 1 ? -1 : 1;
  const kind = ints[node];
  if (kind < LINE_OBLIQUE) out.normal[kind] = sign;
  else for (let k = 0; k < 3; k++) out.normal[k] = sign * floats[node + 4 + k];
  out.dist = sign * floats[node + 1];
}
function measureFraction(line, out) {
  let whole = 0;
  let made = 0;
  for (let k = 0; k < 3; k++) {
    const way = line[L_END + k] - line[L_START + k];
    const done = line[L_HIT + k] - line[L_START + k];
    whole += way * way;
    made += done * done;
  }
  out.fraction = whole > 0 ? Math.min(f8(Math.sqrt(made / whole)), BELOW_ONE) : 0;
}
function traceBodies2(memory, target, out) {
  const { bodies } = target;
  for (let k = 0; k < bodies.length; k++) {
    if (lineMisses(bodies[k], memory.line)) continue;
    aimAtBody(memory, target.point, L_HIT, MASK_VISIBILITY);
    traceBody(memory, bodies[k], SHIFT_OWN_FRAME, true);
    const startSolid = startsInBody(memory);
    if (startSolid || memory.box[B_HEAD] < 1) describeBodyHit(memory, startSolid, out);
    if (startSolid) return;
  }
}
function traceBodiesAsEngine(memory, target, out) {
  const { bodies } = target;
  let last = 2;
  for (let k = 0; k < bodies.length; k++) {
    if (lineMisses(bodies[k], memory.line)) continue;
    aimAtBody(memory, target.point, L_HIT, -1);
    memory.box[B_LIMIT] = last;
    traceBody(memory, bodies[k], SHIFT_NONE, false);
    const startSolid = startsInBody(memory);
    const fraction = memory.box[B_HEAD];
    if (startSolid || fraction < last) describeBodyHit(memory, startSolid, out);
    if (startSolid) return;
    if (fraction < last) last = fraction;
  }
}
function aimAtBody(memory, point2, target, mask) {
  useSettings(memory, point2);
  const { line, box, boxState } = memory;
  boxState[S_MASK] = mask;
  boxState[S_REJECT] = 0;
  box[B_LIMIT] = 1;
  for (let k = 0; k < 3; k++) {
    box[B_GIVEN_START + k] = line[L_START + k];
    box[B_GIVEN_END + k] = line[target + k];
  }
}
function startsInBody({ boxState }) {
  return boxState[B_HEAD + R_START_SOLID] !== 0;
}
function describeBodyHit(memory, startSolid, out) {
  const { line, box, boxState } = memory;
  describeHit(memory, B_HEAD, out);
  copyStop(box, B_HEAD, line, L_HIT);
  for (let k = 0; k < 3; k++) {
    if (startSolid) line[L_HIT + k] = line[L_START + k];
    out.endPos[k] = line[L_HIT + k];
  }
  out.blocked = true;
  out.startSolid = startSolid;
  out.model = boxState[B_HEAD + R_MODEL];
  out.tile = boxState[B_HEAD + R_TILE];
  out.level = -1;
  measureFraction(line, out);
}

// src/line-tracer.ts
const f9 = Math.fround;
const FILTER = [
  "levels",
  "actorClip",
  "weaponClip",
  "lightClip"
];
const LINE_OPTIONS = [...FILTER, "models", "compat"];
const ALL_QUIRKS = { phantomHeads: true, maskBits: true, maskIgnored: true, entities: true };
var UfoaiLineTracer = class {
  shape = { kind: "ray" };
  /** @internal */
  _memory;
  /** @internal */
  _target;
  /** @internal */
  _quirks;
  /** @internal The mask as the game's own calls have it, and whether light clip counts. */
  _filter;
  _hitFilter;
  _scratch = createLineTrace();
  /** The latest answer that was written to, which need not be checked again. */
  _checked;
  /** @internal */
  constructor(memory, options) {
    checkOptions(options, LINE_OPTIONS);
    const { models = [], compat = {}, ...filter } = options;
    checkModels(models, memory);
    const quirks = quirksOf(compat);
    this._memory = memory;
    const point2 = createSettings();
    prepareShape(point2);
    this._quirks = quirks;
    this._filter = {
      mask: ALL_LEVELS,
      lightClip: false,
      ignoreMask: false,
      maskBits: quirks.maskBits ?? false,
      phantoms: quirks.phantomHeads ?? false
    };
    this._hitFilter = { ...this._filter, ignoreMask: quirks.maskIgnored ?? false };
    this._target = {
      blockedHeads: 0,
      hitHeads: 0,
      point: point2,
      bodies: models.map((model) => model._body),
      engineBodies: quirks.entities ?? false
    };
    this.set(filter);
  }
  createTrace() {
    return createLineTrace();
  }
  /**
   * Changes the filter in place, all or nothing, without allocation.
   * @throws RangeError for levels that are not a number of 32 bits; TypeError for a mask of contents or a size.
   */
  set(settings) {
    checkOptions(settings, FILTER, "settings");
    const { levels: levels2, actorClip, weaponClip, lightClip } = settings;
    checkFlag(actorClip, "actorClip");
    checkFlag(weaponClip, "weaponClip");
    checkFlag(lightClip, "lightClip");
    if (levels2 !== void 0) checkMask(levels2, "levels");
    const filter = this._filter;
    let mask = levels2 ?? filter.mask;
    if (actorClip !== void 0) mask = actorClip ? mask | WITH_ACTORCLIP : mask & ~WITH_ACTORCLIP;
    if (weaponClip !== void 0) mask = weaponClip ? mask | WITH_WEAPONCLIP : mask & ~WITH_WEAPONCLIP;
    filter.mask = mask;
    filter.lightClip = lightClip ?? filter.lightClip;
    this._hitFilter.mask = mask;
    this._hitFilter.lightClip = filter.lightClip;
    this._target.blockedHeads = selectLineHeads(filter);
    this._target.hitHeads = selectLineHeads(this._hitFilter);
    return this;
  }
  /** Whether anything is in the way. Faster than `trace`. */
  blocked(start, end) {
    checkNumbers(start, end);
    const { _memory: memory, _target: target } = this;
    if (memory.hotLines === void 0) openLines(memory);
    let answer2 = -1;
    if (memory.hotLines) answer2 = testHotLine(memory.hotLines, start, end, target.blockedHeads);
    if (answer2 === 1) return true;
    if (answer2 === 0 && target.bodies.length === 0) return false;
    this._aim(start, end);
    return answer2 < 0 && walkTrees(memory, target.blockedHeads, false) || testBodies(memory, target);
  }
  trace(start, end, out = createLineTrace()) {
    if (out !== this._checked) this._checked = checkTrace(out, "out");
    checkNumbers(start, end);
    this._aim(start, end);
    traceLine(this._memory, this._target, out);
    return out;
  }
  traceBatch(segments, out) {
    return traceEach(this, segments, out, this._scratch);
  }
  _aim(start, end) {
    const { line } = this._memory;
    const ax = f9(start[0]);
    const ay = f9(start[1]);
    const az = f9(start[2]);
    const bx = f9(end[0]);
    const by = f9(end[1]);
    const bz = f9(end[2]);
    line[L_START] = ax;
    line[L_START + 1] = ay;
    line[L_START + 2] = az;
    line[L_END] = bx;
    line[L_END + 1] = by;
    line[L_END + 2] = bz;
    const sum = ax + ay + az + bx + by + bz;
    if (sum - sum !== 0) checkMove(start, end);
  }
  /** @internal */
  [inspect]() {
    return `UfoaiLineTracer { levels 0x${(this._filter.mask >>> 0).toString(16)} }`;
  }
};
function checkNumbers(start, end) {
  if (!(start instanceof Float32Array && end instanceof Float32Array)) checkMove(start, end);
}
function quirksOf(compat) {
  if (typeof compat === "string") {
    checkChoice(compat, ["engine"], "compat");
    return ALL_QUIRKS;
  }
  const names = Object.keys(ALL_QUIRKS);
  checkOptions(compat, names, "compat");
  for (const name of names) checkFlag(compat[name], `compat.${name}`);
  return compat;
}

// src/tracer.ts
const FILTER2 = ["levels", "mask", "reject"];
const SETTINGS2 = [...FILTER2, "mins", "maxs"];
const PLACED_SETTINGS = [...SETTINGS2, "limit"];
const TRACE_OPTIONS = [...FILTER2, "tile", "head", "models", "compat"];
const MODEL_OPTIONS = [...FILTER2, "compat", "limit", "shift"];
const ASKED_LEVELS = 0;
const ASKED_MASK = 1;
const ASKED_REJECT = 2;
const ASKED_LIMIT = 3;
var UfoaiTracer = class {
  shape;
  /** @internal */
  _memory;
  /** @internal */
  _target;
  /** @internal The numbers of a `PlacedTracerSettings` as they were given, by the `ASKED_…` places. */
  _asked = new Float64Array(4);
  /** @internal */
  _settings = createSettings();
  _scratch = createBoxTrace();
  /** The latest answer that was written to, which need not be checked again. */
  _checked;
  _mins = new Float32Array(3);
  _maxs = new Float32Array(3);
  /** @internal */
  constructor(memory, target, shape, options) {
    this._target = target;
    this._memory = memory;
    this.shape = shape.kind === "box" ? { kind: "box", mins: this._mins, maxs: this._maxs } : { kind: "ray" };
    const { levels: levels2 = BOX_ALL, mask = MASK_IMPASSABLE, reject = CONTENTS_PASSABLE, limit = 1 } = options;
    const { mins, maxs } = shape.kind === "box" ? shape : {};
    if (shape.kind === "box") checkBounds(shape.mins, shape.maxs);
    this._change({ levels: levels2, mask, reject, mins, maxs });
    this._asked[ASKED_LIMIT] = limit;
    this._settings.box[B_LIMIT] = limit;
  }
  createTrace() {
    return createBoxTrace();
  }
  /**
   * Changes size or filter in place, all or nothing, without allocation.
   * @throws RangeError naming the argument that is out of range; TypeError for one that this tracer does not have.
   */
  set(settings) {
    checkOptions(settings, SETTINGS2, "settings");
    this._change(settings);
    return this;
  }
  /** @internal */
  _change(settings) {
    const { levels: levels2, mask, reject, mins, maxs } = settings;
    if (levels2 !== void 0) checkMask(levels2, "levels");
    if (mask !== void 0) checkMask(mask, "mask");
    if (reject !== void 0) checkMask(reject, "reject");
    if (mins !== void 0 || maxs !== void 0) {
      if (this.shape.kind !== "box") throw new TypeError("mins and maxs do not belong to a ray");
      checkBounds(mins === void 0 ? this._mins : mins, maxs === void 0 ? this._maxs : maxs);
    }
    const { box, boxState } = this._settings;
    const asked = this._asked;
    if (levels2 !== void 0) asked[ASKED_LEVELS] = levels2;
    if (mask !== void 0) asked[ASKED_MASK] = mask;
    if (reject !== void 0) asked[ASKED_REJECT] = reject;
    boxState[S_LEVELS] = asked[ASKED_LEVELS];
    boxState[S_SELECTION] = selectBoxHeads(boxState[S_LEVELS]);
    boxState[S_MASK] = asked[ASKED_MASK];
    boxState[S_REJECT] = asked[ASKED_REJECT];
    for (let k = 0; k < 3; k++) {
      if (mins) this._mins[k] = mins[k];
      if (maxs) this._maxs[k] = maxs[k];
      box[B_GIVEN_MINS + k] = this._mins[k];
      box[B_GIVEN_MAXS + k] = this._maxs[k];
    }
    prepareShape(this._settings);
    this._reload();
  }
  /** @internal The next trace begins with the settings as they are now. */
  _reload() {
    if (this._memory.settings === this._settings) this._memory.settings = void 0;
  }
  trace(start, end, out = createBoxTrace()) {
    if (out !== this._checked) this._checked = checkTrace(out, "out");
    if (!(start instanceof Float32Array && end instanceof Float32Array)) checkMove(start, end);
    const ax = start[0];
    const ay = start[1];
    const az = start[2];
    const bx = end[0];
    const by = end[1];
    const bz = end[2];
    useSettings(this._memory, this._settings);
    const { box } = this._memory;
    box[B_GIVEN_START] = ax;
    box[B_GIVEN_START + 1] = ay;
    box[B_GIVEN_START + 2] = az;
    box[B_GIVEN_END] = bx;
    box[B_GIVEN_END + 1] = by;
    box[B_GIVEN_END + 2] = bz;
    const sum = box[B_GIVEN_START] + box[B_GIVEN_START + 1] + box[B_GIVEN_START + 2] + box[B_GIVEN_END] + box[B_GIVEN_END + 1] + box[B_GIVEN_END + 2];
    if (sum - sum !== 0) checkMove(start, end);
    traceBox(this._memory, this._target, out);
    return out;
  }
  blocked(start, end) {
    return isBlocked(this.trace(start, end, this._scratch));
  }
  traceBatch(segments, out) {
    return traceEach(this, segments, out, this._scratch);
  }
  /** @internal */
  [inspect]() {
    return `UfoaiTracer { ${showShape(this.shape)} }`;
  }
};
var UfoaiPlacedTracer = class extends UfoaiTracer {
  _model;
  /** @internal */
  constructor(memory, target, shape, options, model) {
    const { limit = 1 } = options;
    if (!(typeof limit === "number" && limit >= 0)) failLimit(limit);
    super(memory, target, shape, options);
    this._model = model;
  }
  /** As in {@link UfoaiTracer.set}, with a limit. */
  set(settings) {
    checkOptions(settings, PLACED_SETTINGS, "settings");
    const { limit } = settings;
    if (limit !== void 0 && !(typeof limit === "number" && limit >= 0)) failLimit(limit);
    this._change(settings);
    if (limit !== void 0) {
      this._asked[ASKED_LIMIT] = limit;
      this._settings.box[B_LIMIT] = limit;
      this._reload();
    }
    return this;
  }
  /**
   * Moves and turns the model, and with it whatever else was given that model.
   * @throws RangeError when a number is not finite.
   */
  place(pose) {
    this._model.place(pose);
    return this;
  }
  /** @internal */
  [inspect]() {
    return `UfoaiPlacedTracer { ${showShape(this.shape)} }`;
  }
};
function failLimit(limit) {
  failArgument("limit", "0 or more", limit);
}
function worldTarget(memory, options) {
  checkOptions(options, TRACE_OPTIONS);
  const { tile, head, models, compat } = options;
  const { ints, places } = memory;
  if (models !== void 0) checkModels(models, memory);
  if (tile !== void 0) checkNumber(tile, places.tiles.count, "tile");
  let number = -1;
  if (head !== void 0) {
    if (tile === void 0 || models) throw new TypeError("head needs tile, and goes without models");
    const range = places.tiles.first + SECTIONS.tiles * tile + TILE_BOX_HEADS;
    checkNumber(head, ints[range + 1], "head");
    number = ints[range] + head;
  }
  return {
    tile: tile ?? -1,
    head: number,
    bodies: models?.map((model) => model._body),
    body: void 0,
    shiftRule: SHIFT_NONE,
    engine: isEngine(compat)
  };
}
function isEngine(compat) {
  if (compat !== void 0) checkChoice(compat, ["engine"], "compat");
  return compat === "engine";
}

// src/reference/tree.ts
const f10 = Math.fround;
var point = (from, at = 0) => [
  f10(from[at]),
  f10(from[at + 1]),
  f10(from[at + 2])
];
var byAxis = (value) => [f10(value(0)), f10(value(1)), f10(value(2))];
var dot = (a, b) => f10(f10(f10(a[0] * b[0]) + f10(a[1] * b[1])) + f10(a[2] * b[2]));
var between = (a, b, t) => byAxis((k) => a[k] + f10(t * f10(b[k] - a[k])));
var tileWord = ({ ints, places }, tile, word) => ints[places.tiles.first + SECTIONS.tiles * tile + word];
function readNode(memory, tile, node) {
  const { ints, floats, places } = memory;
  const at = places.nodes.first + SECTIONS.nodes * node;
  const kind = ints[at] & 15;
  const plane = places.planes.first + SECTIONS.planes * (ints[at] >>> 4);
  const isUnion = kind > 3;
  return {
    number: node - tileWord(memory, tile, TILE_NODES),
    type: isUnion ? 6 : kind,
    normal: isUnion ? [0, 0, 0] : point(floats, plane),
    dist: floats[at + 1],
    children: [ints[at + 2], ints[at + 3]],
    union: isUnion ? kind === 6 ? -1 : kind - 4 : void 0
  };
}
function readLeaf(memory, tile, leaf) {
  const { ints, places } = memory;
  const at = places.leafs.first + SECTIONS.leafs * leaf;
  return {
    number: leaf - tileWord(memory, tile, TILE_LEAFS),
    contents: ints[at],
    brushes: Array.from({ length: ints[at + 2] }, (_, k) => ints[ints[at + 1] + k])
  };
}
function readBrush(memory, tile, place) {
  const { ints, floats, places } = memory;
  const firstSide = tileWord(memory, tile, TILE_SIDES);
  return {
    place,
    number: ints[place + BRUSH_NUMBER] - tileWord(memory, tile, TILE_BRUSHES),
    contents: ints[place],
    sides: Array.from({ length: ints[place + BRUSH_SIDES + 1] }, (_, k) => {
      const at = ints[place + BRUSH_SIDES] + SECTIONS.sides * k;
      return {
        place: at,
        number: (at - places.sides.first) / SECTIONS.sides - firstSide,
        normal: point(floats, at),
        dist: floats[at + 3],
        plane: ints[at + 4],
        texture: ints[at + 5]
      };
    })
  };
}
function tileRange(memory, tile, word) {
  const first = tileWord(memory, tile, word);
  return Array.from({ length: tileWord(memory, tile, word + 1) }, (_, k) => first + k);
}

// src/reference/prepare.ts
const f11 = Math.fround;
const EQUAL = f11(1e-10);
var isZero2 = (vector) => vector.every((x) => Math.abs(x) < EQUAL);
function prepareSize(givenMins, givenMaxs) {
  const given = { mins: point(givenMins), maxs: point(givenMaxs) };
  const center = byAxis((k) => f11(given.mins[k] + given.maxs[k]) * 0.5);
  const mins = byAxis((k) => given.mins[k] - center[k]);
  const maxs = byAxis((k) => given.maxs[k] - center[k]);
  const isPoint = isZero2(mins) && isZero2(maxs);
  return { given, center, mins, maxs, extents: isPoint ? [0, 0, 0] : maxs, isPoint };
}
function prepareMove2({ center }, givenStart, givenEnd) {
  const start = byAxis((k) => givenStart[k] + center[k]);
  const end = byAxis((k) => givenEnd[k] + center[k]);
  return { start, end, still: isZero2(byAxis((k) => start[k] - end[k])) };
}
function rows(angles) {
  const [pitch, yaw, roll] = byAxis((k) => angles[k] * (Math.PI / 180));
  const [sp, cp] = [f11(sin(pitch)), f11(cos(pitch))];
  const [sy, cy] = [f11(sin(yaw)), f11(cos(yaw))];
  const [sr, cr] = [f11(sin(roll)), f11(cos(roll))];
  return [
    [f11(cp * cy), f11(cp * sy), -sp],
    [f11(f11(f11(-sr * sp) * cy) + f11(cr * sy)), f11(f11(f11(-sr * sp) * sy) - f11(cr * cy)), f11(-sr * cp)],
    [f11(f11(f11(cr * sp) * cy) + f11(sr * sy)), f11(f11(f11(cr * sp) * sy) - f11(sr * cy)), f11(cr * cp)]
  ];
}
function turn2(angles, vector) {
  const [forward, right, up] = rows(angles);
  return [dot(vector, forward), -dot(vector, right), dot(vector, up)];
}
function enterModel({ floats, ints, places }, { origin, angles, tile, place }, shift, ends) {
  const tileShift = point(floats, places.tiles.first + SECTIONS.tiles * tile + TILE_SHIFT);
  const at = point(origin);
  const isShifted = shift === "engine" ? !isZero2(at) : shift === "own frame" && ints[place + MODEL_OWN_FRAME] === 1;
  const enter = (end) => {
    let inside = byAxis((k) => end[k] - at[k]);
    if (!isZero2(point(angles))) inside = turn2(point(angles), inside);
    return isShifted ? byAxis((k) => inside[k] + tileShift[k]) : inside;
  };
  return [enter(ends[0]), enter(ends[1])];
}
function leaveModel({ angles }, normal, exact) {
  const given = point(angles);
  if (isZero2(given)) return normal;
  if (!exact)
    return turn2(
      byAxis((k) => -given[k]),
      normal
    );
  const [forward, right, up] = rows(given);
  return byAxis((k) => dot([forward[k], right[k], up[k]], [normal[0], -normal[1], normal[2]]));
}
function reachOf({ floats }, { origin, angles, place }) {
  const at = point(origin);
  const low = point(floats, place + MODEL_MINS);
  const high = point(floats, place + MODEL_MAXS);
  const inWorld = (x, k) => k === 2 ? x : Math.max(-4096, Math.min(4096, x));
  const mins = byAxis((k) => inWorld(f11(low[k] + at[k]), k));
  const maxs = byAxis((k) => inWorld(f11(high[k] + at[k]), k));
  if (isZero2(point(angles))) return { mins, maxs };
  const side = Math.max(...[0, 1, 2].map((k) => f11(maxs[k] - mins[k])));
  const more = f11(side * 0.5);
  return {
    mins: byAxis((k) => inWorld(f11(mins[k] - more), k)),
    maxs: byAxis((k) => inWorld(f11(maxs[k] + more), k))
  };
}

// src/reference/sweep.ts
const f12 = Math.fround;
const EPSILON = 1 / 32;
const TOUCH = 1e-3;
const MOST_LEAFS = 1024;
var nothing = (fraction) => ({
  fraction,
  normal: [0, 0, 0],
  dist: 0,
  startSolid: false,
  allSolid: false,
  contents: 0,
  brush: void 0,
  side: void 0,
  leaf: -1,
  tile: -1,
  model: 0
});
function traceTree2(query, tile, root, found) {
  if (query.move.still) new Touch(query, tile, found).head(root);
  else new Sweep(query, tile, found).head(root);
}
var Sweep = class {
  _query;
  _tile;
  _found;
  _seen = /* @__PURE__ */ new Set();
  constructor(query, tile, found) {
    this._query = query;
    this._tile = tile;
    this._found = found;
  }
  head(root) {
    const { start, end } = this._query.move;
    this._visit(root, 0, 1, start, end, 0);
  }
  _visit(child, from, to, start, end, depth) {
    const { memory, size, record } = this._query;
    if (this._found.fraction <= from) return;
    if (child < 0) {
      this._leaf(-1 - child, from, to, depth);
      return;
    }
    const { number, type, normal, dist, children } = readNode(memory, this._tile, child);
    const a = f12((type < 3 ? start[type] : dot(normal, start)) - dist);
    const b = f12((type < 3 ? end[type] : dot(normal, end)) - dist);
    const reach = size.extents.map((extent, k) => Math.abs(f12(extent * normal[k])));
    const slanted = size.isPoint ? 0 : f12(f12(reach[0] + reach[1]) + reach[2]);
    const offset = type < 3 ? size.extents[type] : slanted;
    const shown = { kind: "node", node: number, depth, normal, dist, start, end };
    const measured = { startFraction: from, endFraction: to, startDist: a, endDist: b, offset };
    for (const side of [0, 1]) {
      if (side === 0 ? a < offset || b < offset : a >= -offset || b >= -offset) continue;
      record({ ...shown, ...measured, children: [side] });
      this._visit(children[side], from, to, start, end, depth + 1);
      return;
    }
    const { first, near, far } = splitFractions(a, b, offset);
    const second = first === 0 ? 1 : 0;
    record({ ...shown, ...measured, children: [first, second], split: { near, far } });
    const along = (t) => f12(from + f12(f12(to - from) * t));
    this._visit(children[first], from, along(near), start, between(start, end, near), depth + 1);
    this._visit(children[second], along(far), to, between(start, end, far), end, depth + 1);
  }
  /** A mask of all bits asks for neither contents nor reject. */
  _passes(contents) {
    const { mask, reject } = this._query;
    return (mask | 0) === -1 || (contents & mask) !== 0 && (contents & reject) === 0;
  }
  _leaf(leaf, startFraction, endFraction, depth) {
    const { memory, record } = this._query;
    const { number, contents, brushes } = readLeaf(memory, this._tile, leaf);
    record({ kind: "leaf", leaf: number, depth, contents, startFraction, endFraction });
    if (!this._passes(contents)) return;
    for (const place of brushes) {
      this._brush(readBrush(memory, this._tile, place), number);
      if (this._found.fraction === 0) return;
    }
  }
  _brush(brush, leaf) {
    const { number, contents, place } = brush;
    const clip = this._seen.has(place) || !this._passes(contents) ? void 0 : this._clip(brush);
    const outcome = this._judge(brush, clip);
    this._seen.add(place);
    const found = this._found;
    if (outcome === "startSolid" || outcome === "allSolid") {
      found.startSolid = true;
      if (outcome === "allSolid") found.allSolid = true;
      found.leaf = leaf;
    } else if (outcome === "hit") {
      const { enter: enter2, entered: entered2 } = clip;
      found.fraction = Math.max(enter2, 0);
      found.normal = entered2.normal;
      found.dist = entered2.dist;
      found.contents = contents;
      found.brush = brush;
      found.side = entered2;
      found.leaf = leaf;
    }
    const { enter, leave, entered } = clip ?? { enter: -1, leave: 1, entered: void 0 };
    const side = entered?.number ?? -1;
    this._query.record({ kind: "brush", brush: number, contents, outcome, enter, leave, side });
  }
  _judge({ place, contents }, clip) {
    if (this._seen.has(place)) return "again";
    if (!this._passes(contents)) return "masked";
    if (!clip) return "missed";
    if (!clip.startsOut) return clip.endsOut ? "startSolid" : "allSolid";
    if (clip.enter >= clip.leave || clip.enter <= -1) return "missed";
    return clip.enter < this._found.fraction ? "hit" : "farther";
  }
  _clip({ sides }) {
    const { size, move, record } = this._query;
    let enter = -1;
    let leave = 1;
    let entered;
    let startsOut = false;
    let endsOut = false;
    if (sides.length === 0) return void 0;
    for (const side of sides) {
      const { number, normal } = side;
      const dist = size.isPoint ? side.dist : widened(side, size);
      const startDist = f12(dot(move.start, normal) - dist);
      const endDist = f12(dot(move.end, normal) - dist);
      if (startDist > 0) startsOut = true;
      if (endDist > 0) endsOut = true;
      const passes = startDist > 0 && endDist >= startDist;
      if (!passes && (startDist > 0 || endDist > 0)) {
        const whole = f12(startDist - endDist);
        if (startDist > endDist) {
          const t = f12((startDist - EPSILON) / whole);
          if (t > enter) [enter, entered] = [t, side];
        } else {
          leave = Math.min(leave, f12((startDist + EPSILON) / whole));
        }
      }
      record({ kind: "side", side: number, normal, dist, startDist, endDist, enter, leave });
      if (passes) return void 0;
    }
    return { enter, leave, entered, startsOut, endsOut };
  }
};
function widened({ normal, dist }, { mins, maxs }) {
  const corner = [0, 1, 2].map((k) => (normal[k] < 0 ? maxs : mins)[k]);
  return f12(dist - dot(corner, normal));
}
function splitFractions(a, b, offset) {
  const clamp = (t) => t < 0 ? 0 : t > 1 ? 1 : t;
  const inverse = f12(1 / f12(a - b));
  const ahead = f12(a + offset);
  const behind = f12(a - offset);
  if (a < b) {
    const near = clamp(f12((behind + EPSILON) * inverse));
    return { first: 1, near, far: clamp(f12((ahead + EPSILON) * inverse)) };
  }
  if (a > b) {
    const near = clamp(f12((ahead + EPSILON) * inverse));
    return { first: 0, near, far: clamp(f12((behind - EPSILON) * inverse)) };
  }
  return { first: 0, near: 1, far: 0 };
}
var Touch = class {
  _query;
  _tile;
  _found;
  constructor(query, tile, found) {
    this._query = query;
    this._tile = tile;
    this._found = found;
  }
  head(root) {
    const { memory, mask, reject, record } = this._query;
    const seen = /* @__PURE__ */ new Set();
    const leafs = [];
    this._collect(root, 0, leafs);
    for (const { leaf, depth } of leafs.slice(0, MOST_LEAFS)) {
      const { number, contents, brushes } = readLeaf(memory, this._tile, leaf);
      record({ kind: "leaf", leaf: number, depth, contents, startFraction: 0, endFraction: 0 });
      if ((contents & mask) === 0) continue;
      for (const place of brushes) {
        const brush = readBrush(memory, this._tile, place);
        const passes = (brush.contents & mask) !== 0 && (brush.contents & reject) === 0;
        const isNew = !seen.has(place);
        seen.add(place);
        const holds = isNew && passes && this._holds(brush);
        const outcome = !isNew ? "again" : !passes ? "masked" : holds ? "allSolid" : "missed";
        const shown = { brush: brush.number, contents: brush.contents, enter: -1, leave: 1, side: -1 };
        record({ kind: "brush", ...shown, outcome });
        if (!holds) continue;
        this._found.fraction = 0;
        this._found.startSolid = true;
        this._found.allSolid = true;
        this._found.contents = brush.contents;
        this._found.brush = brush;
        return;
      }
    }
  }
  _collect(child, depth, leafs) {
    if (child < 0) {
      leafs.push({ leaf: -1 - child, depth });
      return;
    }
    const { memory, size, move, record } = this._query;
    const { number, type, normal, dist, children } = readNode(memory, this._tile, child);
    const corner = (most) => byAxis((k) => {
      const faces = type < 3 || normal[k] >= 0;
      return move.start[k] + (faces === most ? size.maxs : size.mins)[k];
    });
    const [low, high] = [corner(false), corner(true)];
    const front = type < 3 ? high[type] > dist + TOUCH : f12(dot(normal, high) - dist) >= TOUCH;
    const back = type < 3 ? low[type] < dist - TOUCH : f12(dot(normal, low) - dist) < TOUCH;
    const entered = front === back ? [0, 1] : front ? [0] : [1];
    record({
      kind: "node",
      node: number,
      depth,
      normal,
      dist,
      start: low,
      end: high,
      startFraction: 0,
      endFraction: 0,
      startDist: f12((type < 3 ? low[type] : dot(normal, low)) - dist),
      endDist: f12((type < 3 ? high[type] : dot(normal, high)) - dist),
      offset: 0,
      children: entered
    });
    for (const side of entered) this._collect(children[side], depth + 1, leafs);
  }
  /** Whether the box reaches into a brush; touching counts. */
  _holds({ sides }) {
    const { size, move, record } = this._query;
    for (const side of sides) {
      const dist = widened(side, size);
      const away = f12(dot(move.start, side.normal) - dist);
      const shown = { side: side.number, normal: side.normal, dist, enter: -1, leave: 1 };
      record({ kind: "side", ...shown, startDist: away, endDist: away });
      if (away > 0) return false;
    }
    return sides.length > 0;
  }
};

// src/reference/box.ts
const f13 = Math.fround;
const NOTHING2 = 2;
function referenceBox(tracer, start, end, record, enterTree) {
  return new BoxReference(tracer, point(start), point(end), record, enterTree).trace();
}
var BoxReference = class {
  _tracer;
  _size;
  _ends;
  _record;
  _enterTree;
  /** Of any tree; the engine may lose them. */
  _anyStartSolid = false;
  _anyAllSolid = false;
  constructor(tracer, start, end, record, enterTree) {
    const { shape } = tracer;
    const zero = [0, 0, 0];
    this._tracer = tracer;
    this._size = shape.kind === "box" ? prepareSize(shape.mins, shape.maxs) : prepareSize(zero, zero);
    this._ends = [start, end];
    this._record = record;
    this._enterTree = enterTree;
  }
  trace() {
    const { body, bodies, head, tile } = this._tracer._target;
    if (body) return this._answer(this._model(body, this._asked(ASKED_LIMIT)));
    if (head >= 0) return this._answer(this._head(head, tile));
    if (tile >= 0 && !bodies) return this._answer({ ...this._tile(tile), tile });
    return this._answer(this._models(this._tiles(tile), bodies ?? []));
  }
  _asked(place) {
    return this._tracer._asked[place];
  }
  get _engine() {
    return this._tracer._target.engine;
  }
  /** One tree, with what was found so far. */
  _tree(tile, model, root, move, found) {
    this._enterTree(tile, model);
    const { _memory: memory } = this._tracer;
    const [mask, reject] = [this._asked(ASKED_MASK), this._asked(ASKED_REJECT)];
    traceTree2({ memory, size: this._size, move, record: this._record, mask, reject }, tile, root, found);
    this._anyStartSolid ||= found.startSolid;
    this._anyAllSolid ||= found.allSolid;
  }
  _headRecord(head) {
    const { ints, places } = this._tracer._memory;
    const at = places.boxHeads.first + SECTIONS.boxHeads * head;
    return { root: ints[at], level: ints[at + 1] };
  }
  get _move() {
    return prepareMove2(this._size, ...this._ends);
  }
  _head(head, tile) {
    const found = { ...nothing(1), tile };
    const { root, level } = this._headRecord(head);
    this._tree(tile, level, root, this._move, found);
    return found;
  }
  /** The record carries on from head to head; the best of a tile is a copy of it whenever the fraction drops. */
  _tile(tile) {
    let best = nothing(NOTHING2);
    const found = nothing(1);
    const levels2 = this._levels();
    for (const head of tileRange(this._tracer._memory, tile, TILE_BOX_HEADS)) {
      const { root, level } = this._headRecord(head);
      if (level !== 0 && level <= 255 && levels2 !== 0 && (level & levels2) === 0) continue;
      this._tree(tile, level, root, this._move, found);
      if (found.fraction === 0) return found;
      if (found.fraction < best.fraction) best = { ...found };
    }
    return best;
  }
  /** As asked for; but the game's traces with entities take them from their heights, and keep only the clip bit. */
  _levels() {
    const levels2 = this._asked(ASKED_LEVELS);
    if (!this._engine || !this._tracer._target.bodies) return levels2;
    const { mins, maxs } = this._sweptBounds();
    let touched = levels2 & 256;
    for (let k = 0; k < 8; k++) if (maxs[2] >= 64 * k && mins[2] <= 64 * (k + 1)) touched |= 1 << k;
    return touched;
  }
  /** The box around the whole move, of the shape as given. */
  _sweptBounds() {
    const [start, end] = this._ends;
    const { given } = this._size;
    return {
      mins: byAxis((k) => Math.min(start[k] + given.mins[k], end[k] + given.mins[k])),
      maxs: byAxis((k) => Math.max(start[k] + given.maxs[k], end[k] + given.maxs[k]))
    };
  }
  /** Tiles in order, unless both ends are beyond the same side; or one of them. */
  _tiles(only) {
    const { floats, places } = this._tracer._memory;
    let best = nothing(NOTHING2);
    for (let tile = 0; tile < places.tiles.count; tile++) {
      const at = places.tiles.first + SECTIONS.tiles * tile;
      const [low, high] = [point(floats, at + TILE_MINS), point(floats, at + TILE_MAXS)];
      if (only >= 0 && tile !== only || this._isAway(low, high)) continue;
      const found = { ...this._tile(tile), tile };
      if (found.fraction === 0) return found;
      if (found.fraction < best.fraction) best = found;
    }
    return best;
  }
  _isAway(low, high) {
    const { mins, maxs } = this._size.given;
    return [0, 1, 2].some(
      (k) => this._ends.every((end) => f13(end[k] + maxs[k]) < low[k]) || this._ends.every((end) => f13(end[k] + mins[k]) > high[k])
    );
  }
  /** Models after the world, each up to the nearest hit so far. */
  _models(world, bodies) {
    let best = world;
    const swept = this._sweptBounds();
    for (const body of bodies) {
      if (best.fraction === 0) break;
      const { mins, maxs } = reachOf(this._tracer._memory, body);
      if ([0, 1, 2].some((k) => swept.maxs[k] < mins[k] || swept.mins[k] > maxs[k])) continue;
      const found = this._model(body, best.fraction);
      if (found.fraction < best.fraction) best = found;
    }
    return best;
  }
  _model(body, limit) {
    const { _memory: memory, _target: target } = this._tracer;
    const unshifted = target.body !== void 0 && target.shiftRule === SHIFT_NONE;
    const shift = unshifted ? "none" : this._engine ? "engine" : "own frame";
    const found = { ...nothing(Math.min(f13(limit), 1)), tile: body.tile, model: body.number };
    const move = prepareMove2(this._size, ...enterModel(memory, body, shift, this._ends));
    const root = memory.ints[body.place + MODEL_ROOT];
    if (root >= 0) this._tree(body.tile, 258 + body.number, root, move, found);
    if (found.fraction !== 1) found.normal = leaveModel(body, found.normal, !this._engine);
    return found;
  }
  _answer(found) {
    const { ints, places } = this._tracer._memory;
    const { fraction, brush, side, tile } = found;
    const engine = this._engine;
    const flags = places.tiles.first + SECTIONS.tiles * Math.max(0, tile) + TILE_TEXTURES;
    const texture = side ? Math.max(-1, side.texture) : -1;
    return {
      fraction: fraction === NOTHING2 && !engine ? 1 : fraction,
      endPos: Float32Array.from(this._stop(found)),
      normal: Float32Array.from(found.normal),
      dist: found.dist,
      startSolid: engine ? found.startSolid : this._anyStartSolid,
      allSolid: engine ? found.allSolid : this._anyAllSolid,
      contents: found.contents,
      surfaceFlags: texture < 0 ? 0 : ints[ints[flags] + texture],
      model: brush ? found.model : -1,
      brush: brush?.number ?? -1,
      side: side?.number ?? -1,
      texture,
      patch: -1,
      plane: side?.plane ?? -1,
      tile: engine || brush || found.leaf >= 0 ? tile : -1,
      leaf: found.leaf
    };
  }
  /** Where the move stopped. In the world it is the box's middle that moves, which rounding shows. */
  _stop({ fraction, model }) {
    const [start, end] = this._ends;
    if (model > 0) return between(start, end, fraction);
    if (fraction === NOTHING2) return this._engine ? [0, 0, 0] : end;
    const move = this._move;
    if (move.still) return start;
    const middle = fraction >= 1 ? move.end : between(move.start, move.end, fraction);
    return byAxis((k) => middle[k] - this._size.center[k]);
  }
};

// src/reference/line.ts
const f14 = Math.fround;
const BLOCKING = 1 | 65536 | 524288 | 33554432;
const PASSABLE = 131072;
function referenceLine(tracer, givenStart, givenEnd, record, enterTree) {
  const [start, end] = [point(givenStart), point(givenEnd)];
  return {
    blocked: isBlocked2(tracer, start, end),
    trace: traceLine2(tracer, start, end, record, enterTree)
  };
}
function isBlocked2(tracer, start, end) {
  const { _memory: memory, _target: target } = tracer;
  const whole = { start, end, from: 0, to: 1, crossing: void 0 };
  for (let tile = 0; tile < memory.places.tiles.count; tile++) {
    for (const { model, root } of tileHeads(memory, tile)) {
      if (!isSelected(tracer, model)) continue;
      const walk = new LineWalk(memory, tile, void 0);
      if (root < 0 ? walk.phantom(whole) : walk.walk(root, whole, 0)) return true;
    }
  }
  return target.bodies.some((body) => {
    if (misses(memory, body, start, end)) return false;
    const shift = target.engineBodies ? "engine" : "own frame";
    const found = traceBody2(memory, body, shift, SIGHT, 1, start, end, true);
    return found.startSolid || found.fraction < 1;
  });
}
function traceLine2(tracer, start, end, record, enterTree) {
  const { _memory: memory, _target: target, _quirks: quirks } = tracer;
  const whole = { start, end, from: 0, to: 1, crossing: void 0 };
  let best;
  for (let tile = 0; tile < memory.places.tiles.count; tile++) {
    let nearest;
    for (const { model, root } of tileHeads(memory, tile)) {
      const isPhantom2 = root < 0;
      const all = quirks.maskIgnored && (!isPhantom2 || quirks.phantomHeads);
      if (!all && !isSelected(tracer, model)) continue;
      enterTree(tile, model);
      const walk = new LineWalk(memory, tile, record);
      const hit2 = isPhantom2 ? walk.phantom(whole) : walk.walk(root, whole, 0);
      if (hit2 && length(start, hit2.at) < length(start, nearest?.at ?? end)) nearest = { ...hit2, tile, model };
    }
    if (!nearest || !differ(nearest.at, end)) continue;
    if (length(start, nearest.at) < length(start, best?.at ?? end)) best = nearest;
  }
  const blocked = best !== void 0 && differ(best.at, end);
  const hit = best?.at ?? end;
  const crossing = blocked ? best.crossing : void 0;
  const answer2 = {
    fraction: blocked ? fractionOf(start, end, hit) : 1,
    endPos: Float32Array.from(hit),
    normal: Float32Array.from(crossing?.normal ?? [0, 0, 0]),
    dist: crossing?.dist ?? 0,
    startSolid: best !== void 0 && best.crossing === void 0,
    allSolid: false,
    contents: 0,
    surfaceFlags: 0,
    model: blocked ? 0 : -1,
    brush: -1,
    side: -1,
    texture: -1,
    patch: -1,
    plane: -1,
    blocked,
    tile: blocked ? best.tile : -1,
    level: blocked ? best.model : -1
  };
  return target.engineBodies ? throughBodiesAsEngine(tracer, start, end, answer2) : throughBodies(tracer, start, end, answer2);
}
function throughBodies({ _memory: memory, _target: { bodies } }, start, end, world) {
  let answer2 = world;
  for (const body of bodies) {
    if (misses(memory, body, start, end)) continue;
    const hit = point(answer2.endPos);
    const found = traceBody2(memory, body, "own frame", SIGHT, 1, start, hit, true);
    if (found.startSolid || found.fraction < 1) answer2 = bodyAnswer(memory, found, start, hit, end);
    if (found.startSolid) break;
  }
  return answer2;
}
function throughBodiesAsEngine({ _memory: memory, _target: { bodies } }, start, end, world) {
  let answer2 = world;
  let last = 2;
  for (const body of bodies) {
    if (misses(memory, body, start, end)) continue;
    const hit = point(answer2.endPos);
    const found = traceBody2(memory, body, "none", -1, last, start, hit, false);
    if (found.startSolid || found.fraction < last) answer2 = bodyAnswer(memory, found, start, hit, end);
    if (found.startSolid) break;
    last = Math.min(last, found.fraction);
  }
  return answer2;
}
function bodyAnswer({ ints, places }, found, start, hit, end) {
  const { startSolid, side, brush, tile } = found;
  const at = startSolid ? start : between(start, hit, found.fraction);
  const texture = side ? Math.max(-1, side.texture) : -1;
  const flags = ints[places.tiles.first + SECTIONS.tiles * tile + TILE_TEXTURES];
  return {
    fraction: fractionOf(start, end, at),
    endPos: Float32Array.from(at),
    normal: Float32Array.from(found.normal),
    dist: found.dist,
    startSolid,
    allSolid: false,
    contents: found.contents,
    surfaceFlags: texture < 0 ? 0 : ints[flags + texture],
    model: found.model,
    brush: brush?.number ?? -1,
    side: side?.number ?? -1,
    texture,
    patch: -1,
    plane: side?.plane ?? -1,
    blocked: true,
    tile,
    level: -1
  };
}
const SIGHT = 33;
function traceBody2(memory, body, shift, mask, limit, start, end, exact) {
  const size = prepareSize([0, 0, 0], [0, 0, 0]);
  const move = prepareMove2(size, ...enterModel(memory, body, shift, [start, end]));
  const found = { ...nothing(Math.min(limit, 1)), tile: body.tile, model: body.number };
  const root = memory.ints[body.place + MODEL_ROOT];
  if (root >= 0) traceTree2({ memory, size, move, mask, reject: 0, record: () => {
  } }, body.tile, root, found);
  if (found.fraction !== 1) found.normal = leaveModel(body, found.normal, exact);
  return found;
}
function misses(memory, body, start, end) {
  const { mins, maxs } = reachOf(memory, body);
  return [0, 1, 2].some(
    (k) => start[k] < mins[k] && end[k] < mins[k] || start[k] > maxs[k] && end[k] > maxs[k]
  );
}
function isSelected({ _filter: { mask, lightClip }, _quirks: quirks }, model) {
  const levelMissing = model !== 0 && (mask & 255) !== 0 && (model & mask & 255) === 0;
  if (model === 256) return lightClip;
  if (model === 257 || model === 258) {
    const bit = model === 257 ? 512 : 256;
    return (mask & bit) !== 0 && !(quirks.maskBits && levelMissing);
  }
  return !levelMissing && (model < 259 || quirks.phantomHeads === true);
}
function tileHeads(memory, tile) {
  const { ints, places } = memory;
  return tileRange(memory, tile, TILE_LINE_HEADS).map((head) => {
    const at = places.lineHeads.first + SECTIONS.lineHeads * head;
    return { model: ints[at + LINE_HEAD_MODEL], root: ints[at + LINE_HEAD_ROOT] };
  });
}
var LineWalk = class {
  _memory;
  _tile;
  _record;
  constructor(memory, tile, record) {
    this._memory = memory;
    this._tile = tile;
    this._record = record;
  }
  /** The zero record that inline models leave: x = 0 splits the tile's first tree from itself. */
  phantom(piece) {
    const root = tileHeads(this._memory, this._tile).find((head) => head.root >= 0)?.root;
    if (root === void 0) return void 0;
    const node = { number: -1, type: 0, normal: [1, 0, 0], dist: 0, front: root, back: root };
    return this._visit(node, piece, 0);
  }
  /** The first place on the piece where something below a child blocks. */
  walk(child, piece, depth) {
    if (child >= 0) return this._visit(this._node(child), piece, depth);
    const { number, contents } = readLeaf(this._memory, this._tile, -1 - child);
    const { from: startFraction, to: endFraction } = piece;
    this._record?.({ kind: "leaf", leaf: number, depth, contents, startFraction, endFraction });
    const blocks = (contents & BLOCKING) !== 0 && (contents & PASSABLE) === 0;
    return blocks ? { at: piece.start, crossing: piece.crossing } : void 0;
  }
  _node(child) {
    const { number, type, normal, dist, children, union } = readNode(this._memory, this._tile, child);
    const [first, second] = children;
    if (union === void 0 || union < 0) return { number, type, normal, dist, front: first, back: second };
    const facing = union === 0 ? [1, 0, 0] : [0, 1, 0];
    return { number, type: union, normal: facing, dist, front: second, back: first };
  }
  _visit(node, piece, depth) {
    const { start, end, from, to } = piece;
    const { type, normal, dist, front, back } = node;
    const height = (end2) => f14((type < 3 ? end2[type] : dot(end2, normal)) - dist);
    const [startDist, endDist] = [height(start), height(end)];
    const show = (children, t2) => {
      this._record?.({
        kind: "node",
        node: node.number,
        depth,
        normal,
        dist,
        start,
        end,
        startFraction: from,
        endFraction: to,
        startDist,
        endDist,
        offset: 0,
        children,
        ...t2 === void 0 ? {} : { split: { near: t2, far: t2 } }
      });
    };
    if (type === 6) {
      show([0, 1]);
      const first = this.walk(front, piece, depth + 1);
      const second = this.walk(back, piece, depth + 1);
      if (first && second) return length(start, first.at) < length(start, second.at) ? first : second;
      return first ?? second;
    }
    if (startDist >= -0.1 && endDist >= -0.1) {
      show([0]);
      return this.walk(front, piece, depth + 1);
    }
    if (startDist < 0.1 && endDist < 0.1) {
      show([1]);
      return this.walk(back, piece, depth + 1);
    }
    const side = startDist < 0 ? 1 : 0;
    const t = f14(startDist / f14(startDist - endDist));
    show(side === 0 ? [0, 1] : [1, 0], t);
    const middle = between(start, end, t);
    const along = from + (to - from) * t;
    const sign = side === 0 ? 1 : -1;
    const facing = type < 3 ? byAxis((k) => k === type ? sign : 0) : byAxis((k) => sign * normal[k]);
    const crossing = { normal: facing, dist: sign * dist };
    const [nearChild, farChild] = side === 0 ? [front, back] : [back, front];
    return this.walk(nearChild, { ...piece, end: middle, to: along }, depth + 1) ?? this.walk(farChild, { start: middle, end, from: along, to, crossing }, depth + 1);
  }
};
function length(a, b) {
  const [x, y, z] = [f14(a[0] - b[0]), f14(a[1] - b[1]), f14(a[2] - b[2])];
  return f14(Math.sqrt(f14(f14(f14(x * x) + f14(y * y)) + f14(z * z))));
}
function differ(a, b) {
  return [0, 1, 2].some((k) => Math.abs(f14(a[k] - b[k])) > f14(1e-3));
}
function fractionOf(start, end, at) {
  const square = (a, b) => {
    const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    return x * x + y * y + z * z;
  };
  const whole = square(end, start);
  return whole > 0 ? Math.min(f14(Math.sqrt(square(at, start) / whole)), 1 - 2 ** -24) : 0;
}

// src/explain.ts
function explain(tracer, start, end) {
  const isOurs = tracer instanceof UfoaiTracer || tracer instanceof UfoaiLineTracer;
  checkKind(isOurs, tracer, "tracer", "a tracer of a UFO:AI world or model");
  const { steps, record } = createRecorder("ufoai");
  const trees = [];
  const isAssembly = tracer._memory.places.tiles.count > 1;
  const enterTree = (tile, model) => {
    trees.push({ name: `${isAssembly ? `tile ${tile}, ` : ""}${modelName(model)}`, step: steps.length });
  };
  const trace = tracer.trace(start, end);
  if (tracer instanceof UfoaiLineTracer) referenceLine(tracer, start, end, record, enterTree);
  else referenceBox(tracer, start, end, record, enterTree);
  return { trace, steps, trees };
}

// src/heads.ts
function heads(world) {
  checkWorld(world);
  const { ints, floats, places } = world._memory;
  return Array.from({ length: places.lineHeads.count }, (_, k) => {
    const at = places.lineHeads.first + SECTIONS.lineHeads * k;
    const level = ints[at + LINE_HEAD_MODEL];
    return {
      tile: ints[at + LINE_HEAD_TILE],
      level,
      kind: headKind(level),
      nodes: ints[at + LINE_HEAD_NODES],
      stumps: ints[at + LINE_HEAD_STUMPS],
      blocks: ints[at + LINE_HEAD_TREE] !== 0,
      bounds: {
        mins: floats.slice(at + LINE_HEAD_MINS, at + LINE_HEAD_MINS + 3),
        maxs: floats.slice(at + LINE_HEAD_MAXS, at + LINE_HEAD_MAXS + 3)
      }
    };
  });
}
function headKind(level) {
  if (level >= REGULAR_MODELS) return "phantom";
  if (level === LIGHTCLIP_MODEL) return "lightClip";
  if (level === WEAPONCLIP_MODEL) return "weaponClip";
  return level === ACTORCLIP_MODEL ? "actorClip" : "level";
}

// ../geometry/src/vec.ts
var lengthOf = (x, y, z) => Math.sqrt(x * x + y * y + z * z);

// ../geometry/src/winding.ts
const ON_EPSILON = 0.01;
const HUGE = 131072;
function planeWinding(nx, ny, nz, dist, half = HUGE) {
  const ax = Math.abs(nx);
  const ay = Math.abs(ny);
  const az = Math.abs(nz);
  const flat = az > ax && az > ay;
  const v = flat ? nx : nz;
  let ux = (flat ? 1 : 0) - v * nx;
  let uy = -v * ny;
  let uz = (flat ? 0 : 1) - v * nz;
  const scale = half / lengthOf(ux, uy, uz);
  ux *= scale;
  uy *= scale;
  uz *= scale;
  const rx = uy * nz - uz * ny;
  const ry = uz * nx - ux * nz;
  const rz = ux * ny - uy * nx;
  const ox = nx * dist;
  const oy = ny * dist;
  const oz = nz * dist;
  return [
    ox - rx + ux,
    oy - ry + uy,
    oz - rz + uz,
    ox + rx + ux,
    oy + ry + uy,
    oz + rz + uz,
    ox + rx - ux,
    oy + ry - uy,
    oz + rz - uz,
    ox - rx - ux,
    oy - ry - uy,
    oz - rz - uz
  ];
}
var cutSides = [];
function measureCorners(winding, nx, ny, nz, dist, epsilon) {
  let sides = 0;
  const length2 = winding.length;
  for (let i = 0, k = 0; i < length2; i += 3, k++) {
    const d = winding[i] * nx + winding[i + 1] * ny + winding[i + 2] * nz - dist;
    cutSides[k] = d;
    if (d > epsilon) sides |= IN_FRONT;
    else if (d < -epsilon) sides |= BEHIND;
  }
  return sides;
}
const IN_FRONT = 1;
const BEHIND = 2;
function addParts(winding, epsilon, back, front) {
  const sides = cutSides;
  const length2 = winding.length;
  for (let i = 0, k = 0; i < length2; i += 3, k++) {
    const x = winding[i];
    const y = winding[i + 1];
    const z = winding[i + 2];
    const d = sides[k];
    if (front && d >= -epsilon) front.push(x, y, z);
    if (d <= epsilon) back.push(x, y, z);
    const last = i + 3 === length2;
    const e = sides[last ? 0 : k + 1];
    if (!(d > epsilon && e < -epsilon || d < -epsilon && e > epsilon)) continue;
    const j = last ? 0 : i + 3;
    const t = d > 0 ? d / (d - e) : e / (e - d);
    const sx = d > 0 ? x : winding[j];
    const sy = d > 0 ? y : winding[j + 1];
    const sz = d > 0 ? z : winding[j + 2];
    const px = sx + t * ((d > 0 ? winding[j] : x) - sx);
    const py = sy + t * ((d > 0 ? winding[j + 1] : y) - sy);
    const pz = sz + t * ((d > 0 ? winding[j + 2] : z) - sz);
    if (front) front.push(px, py, pz);
    back.push(px, py, pz);
  }
}
function clipBehind(winding, nx, ny, nz, dist, epsilon = ON_EPSILON) {
  const sides = measureCorners(winding, nx, ny, nz, dist, epsilon);
  if (sides !== (IN_FRONT | BEHIND)) return sides === IN_FRONT ? void 0 : winding;
  const back = [];
  addParts(winding, epsilon, back);
  return back;
}
function reverseWinding(winding) {
  const out = [];
  for (let i = winding.length - 3; i >= 0; i -= 3) out.push(winding[i], winding[i + 1], winding[i + 2]);
  return out;
}
function windingArea(winding) {
  const out = [0, 0, 0];
  const [ox, oy, oz] = winding;
  for (let i = 3; i + 3 < winding.length; i += 3) {
    const ax = winding[i] - ox;
    const ay = winding[i + 1] - oy;
    const az = winding[i + 2] - oz;
    const bx = winding[i + 3] - ox;
    const by = winding[i + 4] - oy;
    const bz = winding[i + 5] - oz;
    out[0] -= 0.5 * (ay * bz - az * by);
    out[1] -= 0.5 * (az * bx - ax * bz);
    out[2] -= 0.5 * (ax * by - ay * bx);
  }
  return out;
}
function areaSize(winding) {
  const [x, y, z] = windingArea(winding);
  return lengthOf(x, y, z);
}

// src/model.ts
var UfoaiModel = class {
  /** k of `*k`, counted through all tiles. */
  number;
  /** Tile that it came with. */
  tile;
  /** Its entity's number in the tile's entities; -1 for none. */
  entity;
  /** In the model's own frame: one unit wider than stored, as the engine keeps it. */
  bounds;
  /** In Quake units; change it with `place`. */
  origin;
  /** Pitch, yaw and roll in degrees; change them with `place`. */
  angles;
  /** Names of the options that its tracers take: what scenes hand on. */
  traceOptions = MODEL_OPTIONS;
  /** @internal */
  _body;
  /** @internal */
  _memory;
  /** @internal */
  constructor(memory, number) {
    const body = createBody(memory, number);
    this._memory = memory;
    this._body = body;
    this.number = number;
    this.tile = body.tile;
    this.entity = memory.ints[body.place + MODEL_ENTITY];
    this.bounds = { mins: body.bounds.slice(0, 3), maxs: body.bounds.slice(3) };
    this.origin = body.origin;
    this.angles = body.angles;
  }
  /**
   * Moves and turns the model, without allocation. Nothing changes when it throws.
   * @throws RangeError when a number is not finite.
   */
  place(pose) {
    checkPose(pose);
    moveBody(this._body, pose.origin, pose.angles);
    return this;
  }
  /** Traces boxes against this model alone, where it stands at the time of each trace. Levels do not matter here. */
  box(mins, maxs, options = {}) {
    return this._tracer({ kind: "box", mins, maxs }, options);
  }
  /** {@link UfoaiModel.box} for a box without size. */
  ray(options = {}) {
    return this._tracer({ kind: "ray" }, options);
  }
  /** {@link UfoaiModel.ray} by what stops the game's lines at models: solid and water, passable or not. */
  line(options = {}) {
    checkOptions(options, MODEL_OPTIONS);
    const { mask = MASK_VISIBILITY, reject = 0 } = options;
    return this.ray({ ...options, mask, reject });
  }
  _tracer(shape, options) {
    checkOptions(options, MODEL_OPTIONS);
    const { compat, shift = true } = options;
    checkFlag(shift, "shift");
    const engine = isEngine(compat);
    const shiftRule = shift ? engine ? SHIFT_ENGINE : SHIFT_OWN_FRAME : SHIFT_NONE;
    const target = { tile: -1, head: -1, bodies: void 0, body: this._body, shiftRule, engine };
    return new UfoaiPlacedTracer(this._memory, target, shape, options, this);
  }
  /** @internal */
  [inspect]() {
    return `UfoaiModel { *${this.number} at ${this.origin.join(" ")}, angles ${this.angles.join(" ")} }`;
  }
};

// src/polygons.ts
const POLYGON_OPTIONS = ["levels", "clips", "tile"];
const ON_PLANE = 1 / 256;
const MIN_AREA = 1e-3;
function polygons(target, options = {}) {
  checkTarget(target);
  checkOptions(options, target instanceof UfoaiModel ? [] : POLYGON_OPTIONS);
  const { _memory: memory } = target;
  const brushes = /* @__PURE__ */ new Set();
  if (target instanceof UfoaiModel) {
    const root = memory.ints[target._body.place + MODEL_ROOT];
    if (root >= 0) collectBrushes(memory, root, brushes);
  } else {
    const { levels: levels2 = ALL_LEVELS, clips = false, tile } = options;
    checkMask(levels2, "levels");
    checkFlag(clips, "clips");
    if (tile !== void 0) checkNumber(tile, target.tiles.length, "tile");
    collectLevels(memory, levels2, clips, tile, brushes);
  }
  return Array.from(brushes).flatMap((brush) => brushPolygons(memory, brush));
}
function leafPolygons(world, leaf) {
  checkWorld(world);
  checkNumber(leaf, world.numLeafs, "leaf");
  const brushes = /* @__PURE__ */ new Set();
  collectBrushes(world._memory, -1 - leaf, brushes);
  return Array.from(brushes).flatMap((brush) => brushPolygons(world._memory, brush));
}
function collectLevels(memory, levels2, clips, tile, brushes) {
  const { ints, places } = memory;
  for (let head = 0; head < places.lineHeads.count; head++) {
    const at = places.lineHeads.first + SECTIONS.lineHeads * head;
    const level = ints[at + LINE_HEAD_MODEL];
    if (level >= REGULAR_MODELS || tile !== void 0 && ints[at + LINE_HEAD_TILE] !== tile) continue;
    if (level > ALL_LEVELS ? !clips : level !== 0 && (level & levels2) === 0) continue;
    collectBrushes(memory, ints[at + LINE_HEAD_ROOT], brushes);
  }
}
function collectBrushes({ ints, places }, root, brushes) {
  const stack = [root];
  for (let child = stack.pop(); child !== void 0; child = stack.pop()) {
    if (child >= 0) {
      const node = places.nodes.first + SECTIONS.nodes * child;
      stack.push(ints[node + 3], ints[node + 2]);
      continue;
    }
    const leaf = places.leafs.first + SECTIONS.leafs * (-1 - child);
    for (let k = 0; k < ints[leaf + 2]; k++) brushes.add(ints[ints[leaf + 1] + k]);
  }
}
function brushSides({ ints }, brush) {
  const first = ints[brush + BRUSH_SIDES];
  return Array.from({ length: ints[brush + BRUSH_SIDES + 1] }, (_, k) => first + SIDE_WORDS * k);
}
function brushPolygons(memory, brush) {
  const sides = brushSides(memory, brush);
  return sides.flatMap((side) => sidePolygon(memory, brush, side, sides) ?? []);
}
function sidePolygon({ ints, floats }, brush, side, sides) {
  const [x, y, z, dist] = floats.subarray(side, side + 4);
  let winding = planeWinding(x, y, z, dist);
  for (const other of sides) {
    if (other === side || !winding) continue;
    const [nx, ny, nz] = [floats[other], floats[other + 1], floats[other + 2]];
    winding = clipBehind(winding, nx, ny, nz, floats[other + 3], ON_PLANE);
  }
  if (!winding || areaSize(winding) < MIN_AREA) return void 0;
  return {
    // Counter-clockwise seen from the front, which windings are not.
    vertices: Float32Array.from(reverseWinding(winding)),
    normal: floats.slice(side, side + 3),
    dist,
    texture: Math.max(-1, ints[side + 5]),
    contents: ints[brush],
    surface: -1
  };
}

// src/surface.ts
const NEAR = 0.25;
const BLOCKING2 = CONTENTS_SOLID | CONTENTS_ACTORCLIP | CONTENTS_WEAPONCLIP | CONTENTS_LIGHTCLIP;
function surfaceAt(world, trace) {
  checkWorld(world);
  checkTrace(trace, "trace");
  const { _memory: memory } = world;
  const { places, ints } = memory;
  const { tile = world.tiles.length === 1 ? 0 : -1, level = -1 } = trace;
  if (tile < 0) return void 0;
  const record = places.tiles.first + SECTIONS.tiles * tile;
  let brush;
  let side;
  if (trace.brush >= 0 && trace.side >= 0) {
    brush = places.brushes.first + SECTIONS.brushes * (ints[record + TILE_BRUSHES] + trace.brush);
    side = places.sides.first + SIDE_WORDS * (ints[record + TILE_SIDES] + trace.side);
  } else if (level >= 0) [brush, side] = findFace(memory, record, level, trace);
  if (brush === void 0 || side === void 0) return void 0;
  const texture = Math.max(-1, ints[side + 5]);
  return {
    texture,
    name: world.textureNames(tile)[texture] ?? "",
    flags: texture < 0 ? 0 : ints[ints[record + TILE_TEXTURES] + texture],
    polygon: sidePolygon(memory, brush, side, brushSides(memory, brush))
  };
}
function findFace(memory, tile, level, trace) {
  const { ints, floats } = memory;
  const brushes = /* @__PURE__ */ new Set();
  for (const leaf of leafsAround(memory, findRoot(memory, tile, level), trace.endPos)) {
    collectBrushes(memory, leaf, brushes);
  }
  for (const brush of brushes) {
    if ((ints[brush] & BLOCKING2) === 0) continue;
    const sides = brushSides(memory, brush);
    const face = sides.find((side) => lies(floats, side, trace));
    if (face !== void 0 && sides.every((side) => heightOver(floats, side, trace.endPos) < NEAR)) {
      return [brush, face];
    }
  }
  return [];
}
function findRoot({ ints, places }, tile, level) {
  const first = ints[tile + TILE_LINE_HEADS];
  const heads2 = Array.from(
    { length: ints[tile + TILE_LINE_HEADS + 1] },
    (_, k) => places.lineHeads.first + SECTIONS.lineHeads * (first + k)
  );
  const head = heads2.find((at) => ints[at + LINE_HEAD_MODEL] === level && ints[at + LINE_HEAD_ROOT] >= 0);
  return ints[(head ?? heads2[0]) + LINE_HEAD_ROOT];
}
function leafsAround({ ints, floats, places }, root, point2) {
  const leafs = [];
  const stack = [root];
  for (let child = stack.pop(); child !== void 0; child = stack.pop()) {
    if (child < 0) {
      leafs.push(child);
      continue;
    }
    const node = places.nodes.first + SECTIONS.nodes * child;
    const kind = ints[node] & 15;
    const plane = places.planes.first + SECTIONS.planes * (ints[node] >>> 4);
    const height = kind <= 3 ? heightOver(floats, plane, point2) : 0;
    if (height < NEAR) stack.push(ints[node + 3]);
    if (height > -NEAR) stack.push(ints[node + 2]);
  }
  return leafs;
}
function heightOver(floats, plane, point2) {
  const [x, y, z] = [floats[plane], floats[plane + 1], floats[plane + 2]];
  return x * point2[0] + y * point2[1] + z * point2[2] - floats[plane + 3];
}
function lies(floats, side, { normal, dist }) {
  const along = heightOver(floats, side, normal) + floats[side + 3];
  return along > 0.999 && Math.abs(floats[side + 3] - dist) < NEAR;
}

// src/bounds.ts
const f15 = Math.fround;
var emptyBounds = () => [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
function widen(bounds, other) {
  for (let k = 0; k < 3; k++) {
    bounds[k] = Math.min(bounds[k], other[k]);
    bounds[3 + k] = Math.max(bounds[3 + k], other[3 + k]);
  }
}
function unionSplit({ nodes }, shift, first, second) {
  for (let axis = 0; axis < 2; axis++) {
    const high = nodes.maxs[3 * first + axis] + shift[axis];
    const low = nodes.mins[3 * second + axis] + shift[axis];
    if (high <= low) return { axis, dist: f15(f15(high + low) / 2) };
  }
  return { axis: -1, dist: 0 };
}
function brushBounds({ planes, brushes, sides }, dists, brush) {
  const bounds = [-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity];
  const first = brushes.firstSides[brush];
  for (let side = first; side < first + brushes.numSides[brush]; side++) {
    const plane = sides.planes[side];
    for (let axis = 0; axis < 3; axis++) {
      const normal = planes.normals[3 * plane + axis];
      if (Math.abs(normal) !== 1 || !isAxial(planes.normals, plane)) continue;
      if (normal > 0) bounds[3 + axis] = Math.min(bounds[3 + axis], dists[plane]);
      else bounds[axis] = Math.max(bounds[axis], -dists[plane]);
    }
  }
  return bounds;
}
function isAxial(normals, plane) {
  return Math.abs(normals[3 * plane]) + Math.abs(normals[3 * plane + 1]) + Math.abs(normals[3 * plane + 2]) === 1;
}

// src/build-boxes.ts
function collectBoxHeads(file, dists) {
  const { nodes, models } = file;
  const brushes = Array.from({ length: file.brushes.count }, (_, brush) => brushBounds(file, dists, brush));
  const boxHeads = [];
  let depth = 0;
  for (const [level, { headNode }] of models.entries()) {
    if (headNode < 0) continue;
    const regular = level < REGULAR_MODELS;
    const stack = [headNode];
    for (let node = stack.pop(); node !== void 0; node = stack.pop()) {
      if (regular && nodes.planes[node] < 0) {
        stack.push(nodes.children[2 * node + 1], nodes.children[2 * node]);
        continue;
      }
      const bounds = emptyBounds();
      depth = Math.max(depth, measureTree(file, node, brushes, bounds));
      if (regular) boxHeads.push({ node, level, bounds });
    }
  }
  return { boxHeads, depth };
}
function measureTree(file, child, brushes, bounds) {
  const { nodes, leafs, leafBrushes } = file;
  if (child >= 0) {
    const front = measureTree(file, nodes.children[2 * child], brushes, bounds);
    return 1 + Math.max(front, measureTree(file, nodes.children[2 * child + 1], brushes, bounds));
  }
  const first = leafs.firstBrushes[-1 - child];
  for (let k = first; k < first + leafs.numBrushes[-1 - child]; k++)
    widen(bounds, brushes[leafBrushes[k]]);
  return 0;
}

// src/build-lines.ts
const BLOCKING3 = CONTENTS_SOLID | CONTENTS_ACTORCLIP | CONTENTS_WEAPONCLIP | CONTENTS_LIGHTCLIP;
function blocksLines(contents) {
  return (contents & BLOCKING3) !== 0 && (contents & CONTENTS_PASSABLE) === 0;
}
const OPEN = 0;
const BLOCKED = 1;
const MIXED = 2;
const BOUNDED_NODES = 4;
const EVERYWHERE = [-1e9, -1e9, -1e9, 1e9, 1e9, 1e9];
const NOWHERE2 = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
var nodeWords = (kind) => kind === LINE_OBLIQUE ? LINE_OBLIQUE_WORDS : LINE_NODE_WORDS;
var LineWriter = class {
  /** Words used. The first is left free, so that no place is 0. */
  length = 1;
  /** Depth of the deepest tree, in nodes. */
  depth = 0;
  _ints = new Int32Array(1 << 14);
  _floats = new Float32Array(this._ints.buffer);
  /** Room for `words` more; their place. */
  take(words) {
    const place = this.length;
    this.length += words;
    if (this.length > this._ints.length) {
      const grown = new Int32Array(2 * Math.max(this.length, this._ints.length));
      grown.set(this._ints);
      this._ints = grown;
      this._floats = new Float32Array(grown.buffer);
    }
    return place;
  }
  int(place, value) {
    this._ints[place] = value;
  }
  float(place, value) {
    this._floats[place] = value;
  }
  /** Copies everything to `first` in a world's buffer, where places become those of the buffer. */
  copyTo(ints, first) {
    ints.set(this._ints.subarray(0, this.length), first);
    let at = 1;
    const move = (place) => {
      if (ints[first + place] > LINE_OPEN) ints[first + place] += first;
    };
    while (at < this.length) {
      const kind = this._ints[at];
      if (kind === LINE_BOX) {
        at += LINE_BOX_WORDS;
        continue;
      }
      move(at + 2);
      move(at + 3);
      at += nodeWords(kind);
    }
  }
};
function buildLineHeads(file, dists, shift, out) {
  const heads2 = [];
  const builder = new LineBuilder(file, dists, shift, out);
  let phantom;
  for (const [model, { headNode }] of file.models.entries()) {
    if (headNode < 0) continue;
    if (model < REGULAR_MODELS) {
      heads2.push(builder.head(model, headNode));
    } else {
      phantom ??= heads2[0] ? builder.phantom(heads2[0]) : 0;
      heads2.push({ model, root: phantom, nodes: 0, stumps: 0, blocking: heads2[0]?.blocking });
    }
  }
  return heads2;
}
var LineBuilder = class {
  _file;
  _dists;
  _shift;
  _out;
  _state;
  _bounds;
  /** Number of nodes left of a tree after pruning. */
  _sizes;
  /** The room that each node on the way down leaves: six numbers per level of depth. */
  _rooms = new Float64Array(0);
  _nodes = 0;
  _stumps = 0;
  _margin = 0;
  constructor(file, dists, shift, out) {
    this._file = file;
    this._dists = dists;
    this._shift = shift;
    this._out = out;
    this._state = new Uint8Array(file.nodes.count);
    this._bounds = new Float64Array(6 * file.nodes.count);
    this._sizes = new Int32Array(file.nodes.count);
  }
  /** Builds the tree below a regular model's head node. */
  head(model, root) {
    this._nodes = 0;
    this._stumps = 0;
    const depth = this._depth(root);
    this._out.depth = Math.max(this._out.depth, depth + 1);
    this._margin = margin(depth + 1);
    this._rooms = new Float64Array(6 * (depth + 2));
    this._rooms.set(EVERYWHERE);
    const state = this._survey(root, 0);
    if (state === OPEN) {
      return { model, root: 0, nodes: this._nodes, stumps: this._stumps, blocking: void 0 };
    }
    const blocking = [...this._bounds.subarray(6 * root, 6 * root + 6)];
    const place = this._box(blocking, 0);
    this._node(root);
    return { model, root: place, nodes: this._nodes, stumps: this._stumps, blocking };
  }
  /** The zero record of inline models: both children are the tile's first tree. */
  phantom({ root, blocking }) {
    if (!blocking) return 0;
    const place = this._box(blocking, 0);
    const node = this._out.take(LINE_NODE_WORDS);
    this._out.int(node + 2, root);
    this._out.int(node + 3, root);
    return place;
  }
  _depth(node) {
    if (node < 0) return 0;
    this._nodes++;
    const { children } = this._file.nodes;
    return 1 + Math.max(this._depth(children[2 * node]), this._depth(children[2 * node + 1]));
  }
  _split(node) {
    const { nodes, planes } = this._file;
    const plane = nodes.planes[node];
    const [first, second] = [nodes.children[2 * node], nodes.children[2 * node + 1]];
    if (plane < 0) {
      const { axis, dist } = unionSplit(this._file, this._shift, first, second);
      if (axis < 0) return { type: LINE_UNION, dist: 0, x: 0, y: 0, z: 0, front: first, back: second };
      return { type: axis, dist, x: 0, y: 0, z: 0, front: second, back: first };
    }
    return {
      type: Math.min(LINE_OBLIQUE, planes.types[plane]),
      dist: this._dists[plane],
      x: planes.normals[3 * plane],
      y: planes.normals[3 * plane + 1],
      z: planes.normals[3 * plane + 2],
      front: first,
      back: second
    };
  }
  /** What is below a child within a room of `_rooms`, and for nodes the bounds of what blocks. */
  _survey(child, room) {
    if (child < 0) {
      const { contents, numBrushes } = this._file.leafs;
      const blocks = blocksLines(contents[-1 - child]);
      if (!blocks && numBrushes[-1 - child] > 0) this._stumps++;
      return blocks ? BLOCKED : OPEN;
    }
    const split = this._split(child);
    const at = 6 * child;
    const rooms = this._rooms;
    const part = room + 6;
    this._bounds.set(NOWHERE2, at);
    let size = 1;
    let open2 = true;
    let blocked = split.type !== LINE_UNION;
    for (let side = 0; side < 2; side++) {
      const below = side === 0 ? split.front : split.back;
      rooms.copyWithin(part, room, room + 6);
      cut(rooms, part, split, side, this._margin);
      const state = this._survey(below, part);
      if (below >= 0) size += this._sizes[below];
      if (state !== BLOCKED) blocked = false;
      if (state === OPEN) continue;
      open2 = false;
      if (below < 0) widenAt(this._bounds, at, rooms, part);
      else widenAt(this._bounds, at, this._bounds, 6 * below);
    }
    this._state[child] = open2 ? OPEN : blocked ? BLOCKED : MIXED;
    this._sizes[child] = open2 || blocked ? 0 : size;
    return this._state[child];
  }
  /** Writes a node and all below it in pre-order, so that a walk reads forward in memory. */
  _node(node) {
    const { type, dist, x, y, z, front, back } = this._split(node);
    const out = this._out;
    const place = out.take(nodeWords(type));
    out.int(place, type);
    out.float(place + 1, dist);
    if (type === LINE_OBLIQUE) {
      out.float(place + 4, x);
      out.float(place + 5, y);
      out.float(place + 6, z);
    }
    const branches = this._below(front) === MIXED && this._below(back) === MIXED;
    const bounded = branches || type === LINE_UNION;
    out.int(place + 2, this._child(front, bounded));
    out.int(place + 3, this._child(back, bounded));
    return place;
  }
  _below(child) {
    if (child >= 0) return this._state[child];
    return blocksLines(this._file.leafs.contents[-1 - child]) ? BLOCKED : OPEN;
  }
  _child(child, bounded) {
    const below = this._below(child);
    if (below !== MIXED) return below === OPEN ? LINE_OPEN : LINE_BLOCKED;
    if (!bounded || this._sizes[child] < BOUNDED_NODES) return this._node(child);
    const place = this._box(this._bounds, 6 * child);
    this._node(child);
    return place;
  }
  _box(bounds, at) {
    const place = this._out.take(LINE_BOX_WORDS);
    this._out.int(place, LINE_BOX);
    for (let k = 0; k < 6; k++) this._out.float(place + 1 + k, bounds[at + k]);
    return place;
  }
};
function widenAt(bounds, at, other, from) {
  for (let k = 0; k < 3; k++) {
    bounds[at + k] = Math.min(bounds[at + k], other[from + k]);
    bounds[at + 3 + k] = Math.max(bounds[at + 3 + k], other[from + 3 + k]);
  }
}
function margin(depth) {
  return 0.1 + 2 ** -11 * (40 + 17 * depth) + 0.01;
}
function cut(rooms, at, { type, dist, x, y, z }, side, slack) {
  if (type === LINE_UNION) return;
  if (type < LINE_OBLIQUE) {
    if (side === 0) rooms[at + type] = Math.max(rooms[at + type], dist - slack);
    else rooms[at + 3 + type] = Math.min(rooms[at + 3 + type], dist + slack);
    return;
  }
  const sign = side === 0 ? 1 : -1;
  const least = sign * dist - slack;
  const mostX = Math.max(sign * x * rooms[at], sign * x * rooms[at + 3]);
  const mostY = Math.max(sign * y * rooms[at + 1], sign * y * rooms[at + 4]);
  const mostZ = Math.max(sign * z * rooms[at + 2], sign * z * rooms[at + 5]);
  trim(rooms, at, sign * x, least - mostY - mostZ);
  trim(rooms, at + 1, sign * y, least - mostX - mostZ);
  trim(rooms, at + 2, sign * z, least - mostX - mostY);
}
function trim(rooms, at, normal, least) {
  if (Math.abs(normal) < 1e-3) return;
  if (normal > 0) rooms[at] = Math.max(rooms[at], least / normal);
  else rooms[at + 3] = Math.min(rooms[at + 3], least / normal);
}

// src/build.ts
const f16 = Math.fround;
const MAX_TILES = 64;
const GROUP_HEADS = 16;
const NONE = {
  nodes: 0,
  planes: 0,
  leafs: 0,
  leafBrushes: 0,
  brushes: 0,
  sides: 0,
  textures: 0,
  lineHeads: 0,
  boxHeads: 0,
  boxGroups: 0,
  models: 0,
  text: 0
};
function buildWorldData(tiles, shared) {
  if (tiles.length < 1 || tiles.length > MAX_TILES) {
    throw new RangeError(`tiles must be 1 to ${MAX_TILES}, got ${tiles.length}`);
  }
  const lines = new LineWriter();
  const builds = [];
  let total = NONE;
  for (const tile of tiles) {
    const build = prepareTile(tile, builds.length, total, lines);
    builds.push(build);
    total = addCounts(total, build.counts);
  }
  const { places, words } = layout.plan({ ...total, tiles: builds.length, lines: lines.length });
  const data = createBuffer(4 * words, shared);
  const target = { ints: new Int32Array(data), floats: new Float32Array(data), places };
  layout.write(target.ints, places);
  target.ints[LINE_STACK_WORD] = lines.depth + 1;
  target.ints[BOX_STACK_WORD] = Math.max(...builds.map(({ boxDepth }) => boxDepth)) + 1;
  lines.copyTo(target.ints, places.lines.first);
  for (const build of builds) {
    writeTile(target, build);
    writeTree(target, build);
    writeBrushes2(target, build);
    writeLineHeads(target, build);
    writeBoxHeads(target, build);
    writeModels(target, build);
  }
  return data;
}
function addCounts(a, b) {
  const names = Object.keys(NONE);
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]]));
}
function prepareTile(tile, number, first, lines) {
  const { file } = tile;
  const cell = checkCell2(tile);
  const shift = [CELL_SIZE * cell[0], CELL_SIZE * cell[1], LEVEL_HEIGHT * cell[2]];
  const dists = shiftedDists(file, shift);
  const { boxHeads, depth: boxDepth } = collectBoxHeads(file, dists);
  const lineHeads = buildLineHeads(file, dists, shift, lines);
  const text = packTexts([file.entities, ...file.textures.map(({ name }) => name)]);
  const counts = {
    nodes: file.nodes.count,
    planes: file.planes.count,
    leafs: file.leafs.count,
    leafBrushes: file.leafBrushes.length,
    brushes: file.brushes.count,
    sides: file.sides.count,
    textures: file.textures.length,
    lineHeads: lineHeads.length,
    boxHeads: boxHeads.length,
    boxGroups: Math.ceil(boxHeads.length / GROUP_HEADS),
    models: Math.max(0, file.models.length - REGULAR_MODELS),
    text: Math.ceil(text.length / 4)
  };
  return { number, file, cell, shift, dists, lineHeads, boxHeads, boxDepth, text, first, counts };
}
function checkCell2({ x = 0, y = 0, z = 0 }) {
  checkWhole(x, "x", -127, 127);
  checkWhole(y, "y", -127, 127);
  checkWhole(z, "z", 0, 7);
  return [x, y, z];
}
function shiftedDists({ planes }, shift) {
  const dists = Float32Array.from(planes.dists);
  for (let i = 0; i < planes.count; i++) {
    for (let k = 0; k < 3; k++) dists[i] += f16(planes.normals[3 * i + k] * shift[k]);
  }
  return dists;
}
function writeTile({ ints, floats, places }, tile) {
  const { file, cell, shift, first, counts, text } = tile;
  const at = places.tiles.first + SECTIONS.tiles * tile.number;
  ints.set(cell, at + TILE_CELL);
  floats.set(shift, at + TILE_SHIFT);
  const { mins, maxs } = file.routing;
  for (let axis = 0; axis < 3; axis++) {
    const size = axis === 2 ? LEVEL_HEIGHT : CELL_SIZE;
    const zero = axis === 2 ? 0 : WORLD_CELLS / 2;
    floats[at + TILE_MINS + axis] = (mins[axis] + cell[axis] - zero) * size;
    floats[at + TILE_MAXS + axis] = (maxs[axis] + cell[axis] - zero) * size + size;
  }
  const blocking = emptyBounds();
  for (const head of tile.lineHeads) if (head.blocking) widen(blocking, head.blocking);
  floats.set(blocking, at + TILE_LINE_MINS);
  ints.set([first.lineHeads, counts.lineHeads], at + TILE_LINE_HEADS);
  ints.set([first.boxHeads, counts.boxHeads], at + TILE_BOX_HEADS);
  ints.set([first.boxGroups, counts.boxGroups], at + TILE_BOX_GROUPS);
  ints.set([first.models, counts.models], at + TILE_MODELS);
  ints[at + TILE_NODES] = first.nodes;
  ints[at + TILE_LEAFS] = first.leafs;
  ints[at + TILE_BRUSHES] = first.brushes;
  ints[at + TILE_SIDES] = first.sides;
  ints[at + TILE_TEXTURES] = places.textures.first + first.textures;
  ints[at + TILE_PLANES] = first.planes;
  const textPlace = places.text.first + first.text;
  ints.set([textPlace, text.length], at + TILE_TEXT);
  new Uint8Array(ints.buffer).set(text, 4 * textPlace);
}
function writeTree({ ints, floats, places }, { file, dists, shift, first }) {
  const { planes, nodes, leafs, leafBrushes } = file;
  let at = places.planes.first + PLANE_WORDS * first.planes;
  for (let i = 0; i < planes.count; i++, at += PLANE_WORDS) {
    floats.set(planes.normals.subarray(3 * i, 3 * i + 3), at);
    floats[at + 3] = dists[i];
  }
  at = places.nodes.first + NODE_WORDS * first.nodes;
  for (let i = 0; i < nodes.count; i++, at += NODE_WORDS) {
    const plane = nodes.planes[i];
    const [front, back] = [nodes.children[2 * i], nodes.children[2 * i + 1]];
    if (plane < 0) {
      const { axis, dist } = unionSplit(file, shift, front, back);
      ints[at] = axis < 0 ? 6 : 4 + axis;
      floats[at + 1] = dist;
    } else {
      ints[at] = Math.min(3, planes.types[plane]) + 16 * (plane + first.planes);
      floats[at + 1] = dists[plane];
    }
    ints[at + 2] = front < 0 ? front - first.leafs : front + first.nodes;
    ints[at + 3] = back < 0 ? back - first.leafs : back + first.nodes;
  }
  at = places.leafs.first + LEAF_WORDS * first.leafs;
  for (let i = 0; i < leafs.count; i++, at += LEAF_WORDS) {
    ints[at] = leafs.contents[i];
    ints[at + 1] = places.leafBrushes.first + first.leafBrushes + leafs.firstBrushes[i];
    ints[at + 2] = leafs.numBrushes[i];
  }
  at = places.leafBrushes.first + first.leafBrushes;
  for (const brush of leafBrushes) ints[at++] = places.brushes.first + BRUSH_WORDS * (first.brushes + brush);
}
function writeBrushes2({ ints, floats, places }, { file, dists, first }) {
  const { planes, brushes, sides, textures } = file;
  let at = places.brushes.first + BRUSH_WORDS * first.brushes;
  for (let i = 0; i < brushes.count; i++, at += BRUSH_WORDS) {
    ints[at] = brushes.contents[i];
    ints[at + BRUSH_SIDES] = places.sides.first + SIDE_WORDS * (first.sides + brushes.firstSides[i]);
    ints[at + BRUSH_SIDES + 1] = brushes.numSides[i];
    floats.set(brushBounds(file, dists, i), at + BRUSH_BOUNDS);
    ints[at + BRUSH_NUMBER] = first.brushes + i;
  }
  at = places.sides.first + SIDE_WORDS * first.sides;
  for (let i = 0; i < sides.count; i++, at += SIDE_WORDS) {
    const plane = sides.planes[i];
    floats.set(planes.normals.subarray(3 * plane, 3 * plane + 3), at);
    floats[at + 3] = dists[plane];
    ints[at + 4] = plane;
    ints[at + 5] = sides.textures[i];
  }
  const surfaceFlags = textures.map((texture) => texture.surfaceFlags);
  ints.set(surfaceFlags, places.textures.first + first.textures);
}
function writeLineHeads({ ints, floats, places }, tile) {
  const { file, shift, first } = tile;
  let at = places.lineHeads.first + SECTIONS.lineHeads * first.lineHeads;
  for (const { model, root, nodes, stumps } of tile.lineHeads) {
    const { mins, maxs, headNode } = file.models[model];
    ints[at + LINE_HEAD_MODEL] = model;
    ints[at + LINE_HEAD_TILE] = tile.number;
    ints[at + LINE_HEAD_TREE] = root && places.lines.first + root;
    ints[at + LINE_HEAD_NODES] = nodes;
    ints[at + LINE_HEAD_STUMPS] = stumps;
    ints[at + LINE_HEAD_KEY] = lineKey(model);
    ints[at + LINE_HEAD_ROOT] = model < REGULAR_MODELS ? first.nodes + headNode : -1;
    for (let axis = 0; axis < 3; axis++) {
      floats[at + LINE_HEAD_MINS + axis] = mins[axis] + shift[axis];
      floats[at + LINE_HEAD_MAXS + axis] = maxs[axis] + shift[axis];
    }
    at += SECTIONS.lineHeads;
  }
}
function writeBoxHeads({ ints, floats, places }, { boxHeads, first }) {
  let at = places.boxHeads.first + SECTIONS.boxHeads * first.boxHeads;
  let groupAt = places.boxGroups.first + SECTIONS.boxGroups * first.boxGroups;
  for (let i = 0; i < boxHeads.length; i += GROUP_HEADS) {
    const group = boxHeads.slice(i, i + GROUP_HEADS);
    const bounds = emptyBounds();
    let key = 0;
    for (const head of group) {
      ints.set([first.nodes + head.node, head.level], at);
      floats.set(head.bounds, at + BOX_HEAD_BOUNDS);
      ints[at + BOX_HEAD_KEY] = boxKey(head.level);
      key |= boxKey(head.level);
      widen(bounds, head.bounds);
      at += SECTIONS.boxHeads;
    }
    floats.set(bounds, groupAt);
    ints.set([first.boxHeads + i, group.length], groupAt + BOX_GROUP_HEADS);
    ints[groupAt + BOX_GROUP_KEY] = key;
    groupAt += SECTIONS.boxGroups;
  }
}
function writeModels({ ints, floats, places }, tile) {
  const { file, shift, first, counts } = tile;
  if (counts.models === 0) return;
  const entities = parseEntities(file.entities, "ufoai");
  const entityOf = /* @__PURE__ */ new Map();
  for (const [number, entity] of entities.entries()) {
    const model = entityModel(entity);
    if (model !== void 0 && !entityOf.has(model)) entityOf.set(model, number);
  }
  let at = places.models.first + SECTIONS.models * first.models;
  for (const [k, { mins, maxs, headNode }] of file.models.slice(REGULAR_MODELS).entries()) {
    const number = entityOf.get(k + 1) ?? -1;
    const entity = entities[number];
    const origin = entity && entityVector(entity, "origin");
    ints[at + MODEL_TILE] = tile.number;
    ints[at + MODEL_ROOT] = headNode < 0 ? -1 : first.nodes + headNode;
    ints[at + MODEL_OWN_FRAME] = origin ? 1 : 0;
    ints[at + MODEL_ENTITY] = number;
    const unshifted = origin !== void 0 && originFollowsModel(entity);
    for (let axis = 0; axis < 3; axis++) {
      const offset = shift[axis];
      floats[at + MODEL_ORIGIN + axis] = origin ? f16(origin[axis]) + offset : 0;
      const low = f16(f16(mins[axis] - 1) + offset);
      const high = f16(f16(maxs[axis] + 1) + offset);
      floats[at + MODEL_MINS + axis] = unshifted ? low - offset : low;
      floats[at + MODEL_MAXS + axis] = unshifted ? high - offset : high;
    }
    at += SECTIONS.models;
  }
}
function originFollowsModel(entity) {
  const keys = Object.keys(entity);
  return keys.indexOf("origin") > keys.indexOf("model");
}

// src/classify.ts
const f17 = Math.fround;
function findLeaf({ ints, floats, places }, root, point2) {
  const x = f17(point2[0]);
  const y = f17(point2[1]);
  const z = f17(point2[2]);
  let node = root;
  while (node >= 0) {
    const at = places.nodes.first + SECTIONS.nodes * node;
    const kind = ints[at] & 15;
    let height;
    if (kind < 3) height = kind === 0 ? x : kind === 1 ? y : z;
    else {
      const plane = places.planes.first + SECTIONS.planes * (ints[at] >>> 4);
      height = f17(f17(f17(floats[plane] * x) + f17(floats[plane + 1] * y)) + f17(floats[plane + 2] * z));
    }
    node = ints[at + (f17(height - floats[at + 1]) < 0 ? 3 : 2)];
  }
  return -1 - node;
}
function worldContents(memory, point2, levels2) {
  const { ints, places } = memory;
  const selection = selectBoxHeads(levels2);
  let contents = 0;
  for (let head = 0; head < places.boxHeads.count; head++) {
    const at = places.boxHeads.first + SECTIONS.boxHeads * head;
    if ((ints[at + BOX_HEAD_KEY] & selection) === 0) continue;
    contents |= ints[places.leafs.first + SECTIONS.leafs * findLeaf(memory, ints[at], point2)];
  }
  return contents;
}

// src/world.ts
var UfoaiWorld = class _UfoaiWorld {
  format = "ufoai";
  /** Everything about the world in one buffer, laid out as `layout.ts` says: hand it to a worker and open it there. */
  data;
  /** Bounds of all tiles. */
  bounds;
  tiles;
  /** Number of inline models of all tiles together: `*1` to `*numModels`. */
  numModels;
  /** Number of leafs of all tiles together. */
  numLeafs;
  /** Names of the options that its tracers take: what scenes hand on. */
  traceOptions = [...TRACE_OPTIONS, ...LINE_OPTIONS];
  /** @internal */
  _memory;
  _sight;
  _texts;
  constructor(data, kernel) {
    this.data = data;
    this._memory = openMemory(data, layout.read(data), kernel);
    const { places } = this._memory;
    this.numModels = places.models.count;
    this.numLeafs = places.leafs.count;
    this.tiles = Array.from({ length: places.tiles.count }, (_, tile) => tileInfo(this._memory, tile));
    this._texts = this.tiles.map(() => ({}));
    const mins = new Float32Array(3).fill(Infinity);
    const maxs = new Float32Array(3).fill(-Infinity);
    for (const { bounds } of this.tiles) {
      for (let k = 0; k < 3; k++) {
        mins[k] = Math.min(mins[k], bounds.mins[k]);
        maxs[k] = Math.max(maxs[k], bounds.maxs[k]);
      }
    }
    this.bounds = { mins, maxs };
  }
  /**
   * Opens a world's `data`, here or in another thread. Costs next to nothing: the data is used as it is.
   * @throws BspError when it is not the data of a UFO:AI world of this version of the package; otherwise as
   * {@link OpenOptions} says.
   */
  static from(data, options = {}) {
    checkOptions(options, ["kernel"]);
    return new _UfoaiWorld(data, kernelIn(options));
  }
  /** Which kernel traces in this world. */
  get kernel() {
    return kernelOf(this._memory);
  }
  /**
   * Lines of sight and fire: `blocked` tests, `trace` finds the place of impact.
   * @throws RangeError for levels that are not a number of 32 bits.
   */
  line(options = {}) {
    return new UfoaiLineTracer(this._memory, options);
  }
  /** Whether nothing blocks the line between two points: all levels, no clips, no models. */
  sight(start, end) {
    this._sight ??= this.line();
    return !this._sight.blocked(start, end);
  }
  /**
   * Boxes, for walking and path finding: through all tiles, or one, or one of its heads; with models if wanted.
   * Corners in Quake units, relative to the traced point.
   * @throws RangeError when a corner is not finite, `mins` is above `maxs`, or there is no such tile or head.
   */
  box(mins, maxs, options = {}) {
    return new UfoaiTracer(
      this._memory,
      worldTarget(this._memory, options),
      { kind: "box", mins, maxs },
      options
    );
  }
  /** {@link UfoaiWorld.box} for a box without size: a ray by brushes, with contents, side and texture of what it hits. */
  ray(options = {}) {
    return new UfoaiTracer(this._memory, worldTarget(this._memory, options), { kind: "ray" }, options);
  }
  /**
   * An inline model, where its entity stands. Each call makes a body of its own to move and turn.
   * @throws RangeError unless the number is in `1 .. numModels`.
   */
  model(number) {
    checkNumber(number, this.numModels + 1, "number");
    if (number === 0) throw new RangeError("number must be 1 or more: 0 is the world itself");
    return new UfoaiModel(this._memory, number);
  }
  /** All inline models, in order, each a new body. */
  models() {
    return Array.from({ length: this.numModels }, (_, k) => this.model(k + 1));
  }
  /**
   * Entities of a tile; parsed at the first call and kept. Origins are those in the file, without the tile's offset.
   * @throws RangeError when there is no such tile.
   */
  entities(tile = 0) {
    const texts = this._textsOf(tile);
    texts.entities ??= parseEntities(this._readTexts(tile)[0], "ufoai");
    return texts.entities;
  }
  /**
   * Names of a tile's textures, by the number that a trace gives; read at the first call and kept.
   * @throws RangeError when there is no such tile.
   */
  textureNames(tile = 0) {
    const texts = this._textsOf(tile);
    texts.names ??= this._readTexts(tile).slice(1);
    return texts.names;
  }
  /**
   * Contents of the leafs that hold a point, of all trees of some levels (`BOX_ALL` by default), or-ed.
   * @throws RangeError for a point that is not finite, or levels that are not a number of 32 bits.
   */
  contents(point2, levels2 = BOX_ALL) {
    checkPoint(point2, "point");
    checkMask(levels2, "levels");
    return worldContents(this._memory, point2, levels2);
  }
  _textsOf(tile) {
    checkNumber(tile, this.tiles.length, "tile");
    return this._texts[tile];
  }
  _readTexts(tile) {
    const { ints, places } = this._memory;
    const at = places.tiles.first + SECTIONS.tiles * tile + TILE_TEXT;
    return unpackTexts(new Uint8Array(this.data, 4 * ints[at], ints[at + 1]));
  }
  /** @internal */
  [inspect]() {
    const count = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
    const { tiles, numLeafs, numModels } = this;
    return `UfoaiWorld { ${count(tiles.length, "tile")}, ${count(numLeafs, "leaf")}, ${count(numModels, "model")} }`;
  }
};
function tileInfo({ ints, floats, places }, tile) {
  const at = places.tiles.first + SECTIONS.tiles * tile;
  return {
    cell: [ints[at + TILE_CELL], ints[at + TILE_CELL + 1], ints[at + TILE_CELL + 2]],
    bounds: {
      mins: floats.slice(at + TILE_MINS, at + TILE_MINS + 3),
      maxs: floats.slice(at + TILE_MAXS, at + TILE_MAXS + 3)
    },
    firstLeaf: ints[at + TILE_LEAFS],
    firstModel: ints[at + TILE_MODELS] + 1,
    numModels: ints[at + TILE_MODELS + 1]
  };
}
const TILE_OPTIONS = ["file", "x", "y", "z"];
function kernelIn({ kernel = "auto" }) {
  wasm.check(kernel);
  return kernel;
}
function createUfoaiWorld(maps, options = {}) {
  checkOptions(options, ["shared", "kernel"]);
  checkFlag(options.shared, "shared");
  const isList = Array.isArray(maps);
  checkKind(isList || typeof maps === "object", maps, "maps", "a map or an array of tiles");
  const tiles = isList ? maps : [{ file: maps }];
  for (const tile of tiles) {
    checkOptions(tile, TILE_OPTIONS, "tile");
    checkFileOf(tile.file, "ufoai", "readUfoai");
  }
  const kernel = kernelIn(options);
  return UfoaiWorld.from(buildWorldData(tiles, options.shared ?? false), { kernel });
}
export {
  ACTORCLIP_MODEL,
  ACTOR_CROUCHING,
  ACTOR_STANDING,
  ALL_LEVELS,
  BIG_TORSO_HALF_WIDTH,
  BOX_ALL,
  BspError,
  CELL_SIZE,
  CONTENTS_ACTOR,
  CONTENTS_ACTORCLIP,
  CONTENTS_DEADACTOR,
  CONTENTS_DETAIL,
  CONTENTS_LADDER,
  CONTENTS_LEVEL_ALL,
  CONTENTS_LIGHTCLIP,
  CONTENTS_ORIGIN,
  CONTENTS_PASSABLE,
  CONTENTS_SOLID,
  CONTENTS_TERRAIN,
  CONTENTS_TRANSLUCENT,
  CONTENTS_WATER,
  CONTENTS_WEAPONCLIP,
  CONTENTS_WINDOW,
  EYE_CROUCHING,
  EYE_STANDING,
  FEET_HALF_WIDTH,
  LEVEL_COUNT,
  LEVEL_HEIGHT,
  LIGHTCLIP_MODEL,
  MASK_ALL,
  MASK_CLIP,
  MASK_IMPASSABLE,
  MASK_NO_LIGHTCLIP,
  MASK_PASSABLE,
  MASK_SHOT,
  MASK_SMOKE_AND_FIRE,
  MASK_SOLID,
  MASK_VISIBILITY,
  REGULAR_MODELS,
  SURFACE_EPSILON,
  TORSO_HALF_WIDTH,
  UfoaiWorld,
  WEAPONCLIP_MODEL,
  WITH_ACTORCLIP,
  WITH_WEAPONCLIP,
  WORLD_CELLS,
  cellSight,
  cellToWorld,
  contentsNames,
  copyTrace,
  createTrace,
  createTraceBatch,
  createUfoaiWorld,
  entityModel,
  entityVector,
  explain,
  heads,
  leafPolygons,
  levelList,
  levelOf,
  levels,
  levelsBetween,
  polygons,
  readUfoai,
  resetTrace,
  surfaceAt,
  surfaceNames,
  worldToCell
};
