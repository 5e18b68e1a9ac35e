// ../core/src/kinds.ts
function showValue(value) {
  if (typeof value === "string") return `'${value.length > 40 ? `${value.slice(0, 40)}\u2026` : value}'`;
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? "an array" : "an object";
}
function failArgument(name, wanted, value, isRange = typeof value === "number") {
  const problem = `${name} must be ${wanted}, got ${showValue(value)}`;
  throw isRange ? new RangeError(problem) : new TypeError(problem);
}
function checkKind(isRight, value, name, wanted) {
  if (!isRight) failArgument(name, wanted, value, false);
}
function checkObject(value, name, wanted = "an object") {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    failArgument(name, wanted, value, false);
  }
}
function checkOptions(options, known, name = "options") {
  checkObject(options, name);
  for (const key in options) {
    if (!known.includes(key) && options[key] !== void 0) {
      throw new TypeError(`there is no option '${key}' here; the options are ${known.join(", ")}`);
    }
  }
}
function checkFlag(value, name) {
  if (value !== void 0 && typeof value !== "boolean") failArgument(name, "true or false", value, false);
}
function checkChoice(value, choices, name) {
  if (choices.includes(value)) return;
  const all = choices.map(showValue).join(", ");
  failArgument(name, all.replace(/, (?=[^,]*$)/, " or "), value, typeof value === "string");
}
function checkText(value, name) {
  if (typeof value !== "string") failArgument(name, "a string", value, false);
}
function checkList(value, name) {
  if (!Array.isArray(value)) failArgument(name, "an array", value, false);
}

// ../core/src/check.ts
function checkTracer(tracer, name) {
  const { trace, createTrace: createTrace2 } = tracer ?? {};
  if (typeof trace !== "function" || typeof createTrace2 !== "function") {
    failArgument(name, "a tracer", tracer, false);
  }
}
function checkTrace(trace, name) {
  if (!(takesPoint(trace?.endPos) && takesPoint(trace.normal))) {
    failArgument(name, "a trace, as createTrace makes them", trace, false);
  }
  return trace;
}
function takesPoint(out) {
  return typeof out === "object" && out !== null && out.length >= 3;
}
function checkPoint(point, name) {
  if (point === void 0 || point === null) failPoint(point, name);
  const x = point[0];
  const y = point[1];
  const z = point[2];
  if (typeof x !== "number" || typeof y !== "number" || typeof z !== "number") failPoint(point, name);
  const sum = Math.fround(x) + Math.fround(y) + Math.fround(z);
  if (sum - sum !== 0) failPoint(point, name);
}
function failPoint(point, name) {
  if (typeof point !== "object" || point === null) failArgument(name, "three numbers", point, false);
  const isRight = (x2) => typeof x2 === "number" && Number.isFinite(Math.fround(x2));
  const axis = [0, 1, 2].find((k) => !isRight(point[k])) ?? 0;
  const x = point[axis];
  failArgument(`${name}[${axis}]`, "a finite float32", x, typeof x === "number" || x === void 0);
}
function checkMove(start, end) {
  checkPoint(start, "start");
  checkPoint(end, "end");
}
function checkFinite(value, name) {
  if (typeof value !== "number" || !Number.isFinite(Math.fround(value))) {
    failArgument(name, "a finite float32", value);
  }
}
function checkBounds(mins, maxs) {
  checkPoint(mins, "mins");
  checkPoint(maxs, "maxs");
  for (let k = 0; k < 3; k++) {
    if (mins[k] > maxs[k]) {
      throw new RangeError(`mins[${k}] must not be above maxs[${k}], got ${mins[k]} and ${maxs[k]}`);
    }
  }
}
function checkNumber(value, count, name) {
  if (!Number.isInteger(value) || value < 0 || value >= count) {
    failArgument(name, count > 0 ? `a whole number in 0..${count - 1}` : "absent: there are none", value);
  }
}
function checkWhole(value, name, least, most = Infinity) {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const range = most === Infinity ? `, ${least} or more` : ` from ${least} to ${most}`;
  failArgument(name, `a whole number${range}`, value);
}
function checkMask(value, name) {
  if (!Number.isInteger(value) || value < -2147483648 || value > 4294967295) {
    failArgument(name, "32 bits", value);
  }
}
const POSE_OPTIONS = ["origin", "angles"];
function checkPose(pose) {
  checkOptions(pose, POSE_OPTIONS, "pose");
  checkPlace(pose);
}
function checkPlace({ origin, angles }) {
  if (origin !== void 0) checkPoint(origin, "origin");
  if (angles !== void 0) checkPoint(angles, "angles");
}
function checkFileOf(file, format, reader) {
  const { format: given, planes } = file ?? {};
  checkKind(given === format && typeof planes === "object", file, "file", `a map that ${reader} has read`);
}

// ../core/src/batch.ts
const MOST_TRACES = 715827882;
function createTraceBatch(count) {
  checkWhole(count, "count", 0, MOST_TRACES);
  return {
    count,
    fraction: new Float32Array(count),
    endPos: new Float32Array(3 * count),
    normal: new Float32Array(3 * count),
    dist: new Float32Array(count),
    startSolid: new Uint8Array(count),
    allSolid: new Uint8Array(count),
    contents: new Int32Array(count),
    surfaceFlags: new Int32Array(count),
    model: new Int32Array(count),
    brush: new Int32Array(count),
    side: new Int32Array(count),
    texture: new Int32Array(count),
    patch: new Int32Array(count),
    plane: new Int32Array(count)
  };
}
var names = [];
function checkBatch(batch, count, name) {
  if (names.length === 0) names = Object.keys(createTraceBatch(0)).slice(1);
  const arrays = batch;
  const room = batch?.count;
  for (const array of names) {
    const least = array === "endPos" || array === "normal" ? 3 * room : room;
    if (!(Number(arrays?.[array]?.length) >= least)) {
      failArgument(name, "a batch, as createTraceBatch makes them", batch, false);
    }
  }
  if (room < count) {
    throw new RangeError(`${name} has room for ${room} traces, but there are ${count} segments`);
  }
}
function storeTrace(batch, index2, trace) {
  if (!(Number.isInteger(index2) && index2 >= 0 && index2 < batch?.count) || !batch.plane) {
    checkStore(batch, index2);
  }
  checkTrace(trace, "trace");
  batch.fraction[index2] = trace.fraction;
  batch.endPos.set(trace.endPos, 3 * index2);
  batch.normal.set(trace.normal, 3 * index2);
  batch.dist[index2] = trace.dist;
  batch.startSolid[index2] = trace.startSolid ? 1 : 0;
  batch.allSolid[index2] = trace.allSolid ? 1 : 0;
  batch.contents[index2] = trace.contents;
  batch.surfaceFlags[index2] = trace.surfaceFlags;
  batch.model[index2] = trace.model;
  batch.brush[index2] = trace.brush;
  batch.side[index2] = trace.side;
  batch.texture[index2] = trace.texture;
  batch.patch[index2] = trace.patch;
  batch.plane[index2] = trace.plane;
}
function checkStore(batch, index2) {
  checkBatch(batch, 0, "batch");
  checkNumber(index2, batch.count, "index");
}

// ../core/src/error.ts
var BspError = class extends Error {
  code;
  format;
  lump;
  index;
  offset;
  constructor(code, place, problem, options) {
    super(`${placeText(place)}: ${problem}`, options);
    this.name = "BspError";
    this.code = code;
    this.format = place.format;
    this.lump = place.lump;
    this.index = place.index;
    this.offset = place.offset;
  }
};
function placeText({ format, lump, index: index2 }) {
  const record = index2 === void 0 ? "" : ` ${index2}`;
  return lump === void 0 ? format : `${format}: ${lump}${record}`;
}

// ../core/src/entities.ts
const MAX_ENTITIES = 65536;
function parseEntities(text, format) {
  checkText(text, "text");
  checkText(format, "format");
  const fail2 = (line, problem) => {
    throw new BspError("syntax", { format, lump: "entities" }, `line ${line}: ${problem}`);
  };
  const entities = [];
  const tokens = tokenize(text, fail2);
  for (let open = tokens.next(); !open.done; open = tokens.next()) {
    const { text: brace, quoted, line } = open.value;
    if (brace !== "{" || quoted) fail2(line, `expected '{', found '${brace}'`);
    const entity = /* @__PURE__ */ Object.create(null);
    for (; ; ) {
      const key = tokens.next();
      if (key.done) return fail2(line, "'{' is never closed");
      if (key.value.text === "}" && !key.value.quoted) break;
      if (key.value.text === "{" && !key.value.quoted) fail2(line, "'{' is never closed");
      const value = tokens.next();
      if (value.done || !value.value.quoted && /^[{}]$/.test(value.value.text)) {
        fail2(key.value.line, `key '${key.value.text}' has no value`);
      } else {
        entity[key.value.text] = value.value.text;
      }
    }
    if (entities.push(entity) > MAX_ENTITIES) {
      const problem = `line ${line}: more than ${MAX_ENTITIES} entities, far more than any engine holds`;
      throw new BspError("limit", { format, lump: "entities" }, problem);
    }
  }
  return entities;
}
function* tokenize(text, fail2) {
  const nul = text.indexOf("\0");
  const source = nul < 0 ? text : text.slice(0, nul);
  const pattern = /[^!-\uffff]+|\/\/[^\n]*|\/\*[\s\S]*?(\*\/|$)|"([^"]*)("|$)|[{}]|[!#-z|~-\uffff]+/g;
  let line = 1;
  for (const match of source.matchAll(pattern)) {
    const [whole, commentEnd, inner, stringEnd] = match;
    if (commentEnd === "") fail2(line, "a comment is never closed");
    if (stringEnd === "") fail2(line, "a string is never closed");
    if (inner !== void 0) yield { text: inner, quoted: true, line };
    else if (!/^([^!-\uffff]|\/[/*])/.test(whole)) yield { text: whole, quoted: false, line };
    for (let i = whole.indexOf("\n"); i >= 0; i = whole.indexOf("\n", i + 1)) line++;
  }
}
function entityVector(entity, key) {
  checkObject(entity, "entity");
  checkText(key, "key");
  const numbers = entity[key]?.trim().split(/\s+/).map(Number);
  if (numbers?.length !== 3 || !numbers.every(Number.isFinite)) return void 0;
  return numbers;
}
function entityModel(entity) {
  checkObject(entity, "entity");
  const match = /^\*(\d+)$/.exec(entity.model ?? "");
  return match ? Number(match[1]) : void 0;
}

// ../core/src/trace.ts
function createTrace() {
  return {
    fraction: 1,
    endPos: new Float32Array(3),
    normal: new Float32Array(3),
    dist: 0,
    startSolid: false,
    allSolid: false,
    contents: 0,
    surfaceFlags: 0,
    model: -1,
    brush: -1,
    side: -1,
    texture: -1,
    patch: -1,
    plane: -1
  };
}
function resetTrace(out) {
  checkTrace(out, "out");
  out.fraction = 1;
  for (let k = 0; k < 3; k++) {
    out.endPos[k] = 0;
    out.normal[k] = 0;
  }
  out.dist = 0;
  out.startSolid = false;
  out.allSolid = false;
  out.contents = 0;
  out.surfaceFlags = 0;
  out.model = -1;
  out.brush = -1;
  out.side = -1;
  out.texture = -1;
  out.patch = -1;
  out.plane = -1;
  return out;
}
function copyTrace(from, to) {
  checkTrace(from, "from");
  checkTrace(to, "to");
  to.fraction = from.fraction;
  for (let k = 0; k < 3; k++) {
    to.endPos[k] = from.endPos[k];
    to.normal[k] = from.normal[k];
  }
  to.dist = from.dist;
  to.startSolid = from.startSolid;
  to.allSolid = from.allSolid;
  to.contents = from.contents;
  to.surfaceFlags = from.surfaceFlags;
  to.model = from.model;
  to.brush = from.brush;
  to.side = from.side;
  to.texture = from.texture;
  to.patch = from.patch;
  to.plane = from.plane;
  return to;
}

// ../core/src/contents.ts
function createFlagNames(table) {
  checkObject(table, "table");
  for (const name in table) checkMask(table[name], `table.${name}`);
  const byName = new Map(Object.entries(table).map(([name, bits]) => [name.toLowerCase(), bits | 0]));
  const byBit = /* @__PURE__ */ new Map();
  for (const [name, bits] of Object.entries(table)) {
    const single2 = bits !== 0 && (bits >>> 0 & (bits >>> 0) - 1) === 0;
    if (single2 && !byBit.has(bits | 0)) byBit.set(bits | 0, name);
  }
  return {
    table,
    names(bits) {
      checkMask(bits, "bits");
      const names2 = [];
      for (let k = 0; k < 32; k++) {
        const bit = 1 << k | 0;
        if (bits & bit) names2.push(byBit.get(bit) ?? `0x${(bit >>> 0).toString(16)}`);
      }
      return names2;
    },
    bits(names2) {
      const list = listNames(names2);
      let bits = 0;
      for (const raw of list) {
        const name = raw.trim().toLowerCase();
        const known = byName.get(name);
        if (known !== void 0) bits |= known;
        else if (/^(-?\d+|0x[0-9a-f]+)$/.test(name)) {
          const number = Number(name);
          if (number < -(2 ** 31) || number >= 2 ** 32) throw new RangeError(`${name} has more than 32 bits`);
          bits |= number;
        } else {
          throw new RangeError(`unknown name '${raw.trim()}'; known are ${Object.keys(table).join(", ")}`);
        }
      }
      return bits;
    }
  };
}
function listNames(names2) {
  if (typeof names2 === "string") return names2.split(",");
  if (!Array.isArray(names2)) failArgument("names", "a string or an array of strings", names2);
  for (const [k, name] of names2.entries()) checkText(name, `names[${k}]`);
  return names2;
}

// ../core/src/tracer.ts
function isBlocked(trace) {
  checkTrace(trace, "trace");
  return trace.startSolid || trace.fraction < 1;
}
function traceEach(tracer, segments, out, scratch = createFor(tracer), store = storeTrace) {
  const count = checkSegments(segments, out);
  const batch = out ?? createTraceBatch(count);
  const start = new Float32Array(3);
  const end = new Float32Array(3);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      start[k] = segments[6 * i + k];
      end[k] = segments[6 * i + 3 + k];
    }
    store(batch, i, tracer.trace(start, end, scratch));
  }
  return batch;
}
function createFor(tracer) {
  checkTracer(tracer, "tracer");
  return tracer.createTrace();
}
function checkSegments(segments, out) {
  if (!(segments instanceof Float32Array)) failArgument("segments", "a Float32Array", segments);
  const count = segments.length / 6;
  if (!Number.isInteger(count)) {
    throw new RangeError(`segments must hold six numbers per segment, got ${segments.length} numbers`);
  }
  if (out !== void 0) checkBatch(out, count, "out");
  return count;
}

// ../core/src/format/rows.ts
function columnPlaces(header, names2) {
  const { columns = [] } = header;
  return Object.fromEntries(names2.map((name) => [name, columns.indexOf(name)]));
}
function floatCell(row, place) {
  const cell = row[place];
  if (typeof cell === "number") return Math.fround(cell);
  throw new RangeError(
    place < 0 ? "a column is missing" : `cell ${place + 1} is not a number: ${JSON.stringify(cell)}`
  );
}
function floatCells(row, places) {
  return places.map((place) => floatCell(row, place));
}
function intCell(row, place) {
  const cell = row[place];
  if (typeof cell === "number" && Number.isInteger(cell)) return cell;
  throw new RangeError(
    place < 0 ? "a column is missing" : `cell ${place + 1} is not a whole number: ${JSON.stringify(cell)}`
  );
}
function float32Cell(value) {
  return value === 0 ? value : Number(value.toPrecision(9));
}
const STOP_COLUMNS = ["fraction", "endx", "endy", "endz"];
const HIT_COLUMNS = ["nx", "ny", "nz", "dist", "startsolid", "allsolid"];
function writeStop(row, at, { fraction, endPos }) {
  row[at.fraction] = float32Cell(fraction);
  row[at.endx] = float32Cell(endPos[0]);
  row[at.endy] = float32Cell(endPos[1]);
  row[at.endz] = float32Cell(endPos[2]);
}
function writeHit(row, at, { normal, dist, startSolid, allSolid }) {
  row[at.nx] = float32Cell(normal[0]);
  row[at.ny] = float32Cell(normal[1]);
  row[at.nz] = float32Cell(normal[2]);
  row[at.dist] = float32Cell(dist);
  row[at.startsolid] = startSolid ? 1 : 0;
  row[at.allsolid] = allSolid ? 1 : 0;
}

// ../core/src/format/bytes.ts
function isBuffer(value) {
  return /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
}
function toBytes(bytes) {
  if (bytes instanceof Uint8Array) return bytes;
  if (isBuffer(bytes)) return new Uint8Array(bytes);
  throw new TypeError(`bytes must be a Uint8Array or an ArrayBuffer, got ${showValue(bytes)}`);
}
function checkBytes(bytes) {
  if (!(bytes instanceof Uint8Array))
    throw new TypeError(`bytes must be a Uint8Array, got ${showValue(bytes)}`);
}
function checkBuffer(data) {
  if (!isBuffer(data)) throw new TypeError(`data must be the buffer of a world, got ${showValue(data)}`);
}
function createBuffer(bytes, shared) {
  if (!shared) return new ArrayBuffer(bytes);
  if (typeof SharedArrayBuffer === "undefined") {
    throw new TypeError("shared must be false: there is no SharedArrayBuffer here");
  }
  return new SharedArrayBuffer(bytes);
}

// ../core/src/format/checks.ts
const MAX_COORDINATE = 2 ** 24;
const NORMAL_TOLERANCE = 1e-6;
const OWNED_FACTOR = 4;
const OWNED_SLACK = 16384;
const UNFOLDED_FACTOR = 16;
const UNFOLDED_SLACK = 2 ** 20;
const NEW = 0;
const OPEN = -1;
const SHARED = "is reached twice: two branches share it";
function createChecks(format) {
  const fail2 = (code, lump, index2, problem) => {
    throw new BspError(code, { format, lump, index: index2 }, problem);
  };
  const checks = {
    fail: fail2,
    filled(lengths, lumps) {
      for (const lump of lumps) {
        if (lengths[lump] === 0) fail2("empty", lump, void 0, "is empty, but a map needs it");
      }
    },
    finite(lump, values, width) {
      for (let i = 0; i < values.length; i++) {
        const value = values[i];
        if (!(Math.abs(value) <= MAX_COORDINATE)) {
          const problem = Number.isFinite(value) ? `within \xB1${MAX_COORDINATE}` : "a finite number";
          fail2("value", lump, Math.floor(i / width), `holds ${value}, which is not ${problem}`);
        }
      }
    },
    normals(lump, normals2) {
      for (let i = 0; i < normals2.length; i += 3) {
        const [x, y, z] = [normals2[i], normals2[i + 1], normals2[i + 2]];
        const length = Math.sqrt(x * x + y * y + z * z);
        if (!(Math.abs(length - 1) <= NORMAL_TOLERANCE)) {
          const problem = `normal ${x} ${y} ${z} has length ${length}, which is not 1 within ${NORMAL_TOLERANCE}`;
          fail2("value", lump, i / 3, problem);
        }
      }
    },
    index(lump, record, what, value, count) {
      if (value >= 0 && value < count) return;
      const problem = count > 0 ? `is not in 0..${count - 1}` : ", but there are none";
      fail2("index", lump, record, `${what} ${value}${count > 0 ? " " : ""}${problem}`);
    },
    indexes(lump, what, values, count, width = 1) {
      for (let i = 0; i < values.length; i++) {
        if (!(values[i] >= 0 && values[i] < count)) {
          checks.index(lump, Math.floor(i / width), what, values[i], count);
        }
      }
    },
    range(lump, record, what, first, length, count) {
      if (first < 0 || length < 0 || first + length > count) {
        fail2("index", lump, record, `${what} ${first} to ${first + length} are not within 0..${count}`);
      }
    },
    ranges(lump, what, firsts, lengths, count) {
      for (let i = 0; i < firsts.length; i++) checks.range(lump, i, what, firsts[i], lengths[i], count);
      checks.owned(lump, what, lengths, count);
    },
    owned(lump, what, lengths, count) {
      let sum = 0;
      for (let i = 0; i < lengths.length; i++) sum += lengths[i];
      if (sum <= OWNED_FACTOR * count + OWNED_SLACK) return;
      const most = `at most ${OWNED_FACTOR} times as many and ${OWNED_SLACK} more are accepted`;
      fail2("limit", lump, void 0, `list ${sum} ${what} of ${count} that there are: ${most}`);
    },
    squares(lump, what, lengths, most) {
      let sum = 0;
      for (let i = 0; i < lengths.length; i++) sum += lengths[i] * lengths[i];
      if (sum <= most) return;
      const problem = `have too many ${what} each: the squares of their numbers make ${sum}, and at most ${most} is accepted`;
      fail2("limit", lump, void 0, problem);
    },
    depth(lump, children, heads, { most, shared = false }) {
      const lengths = new Int32Array(children.length / 2);
      const sizes = new Float64Array(shared ? lengths.length : 0);
      const lengthOf = (node) => node < 0 ? 0 : lengths[node];
      const sizeOf = (node) => node < 0 ? 0 : sizes[node];
      let unfolded = 0;
      const stack = [];
      let depth2 = 0;
      const meet = (node) => {
        if (node < 0) return;
        const length = lengths[node];
        if (length === OPEN) fail2("cycle", lump, node, "is below itself: the tree has a cycle");
        if (length !== NEW && !shared) fail2("cycle", lump, node, SHARED);
        if (length === NEW) stack.push(node);
      };
      for (let k = 0; k < heads.length; k++) {
        meet(heads[k]);
        while (stack.length > 0) {
          const node = stack[stack.length - 1];
          const front = children[2 * node];
          const back = children[2 * node + 1];
          if (lengths[node] === NEW) {
            lengths[node] = OPEN;
            meet(back);
            meet(front);
          } else {
            stack.pop();
            if (lengths[node] !== OPEN && !shared) fail2("cycle", lump, node, SHARED);
            if (lengths[node] === OPEN) lengths[node] = 1 + Math.max(lengthOf(front), lengthOf(back));
            if (shared) sizes[node] = 1 + sizeOf(front) + sizeOf(back);
          }
        }
        depth2 = Math.max(depth2, lengthOf(heads[k]));
        if (shared) unfolded = Math.max(unfolded, sizeOf(heads[k]));
      }
      if (depth2 > most)
        fail2("limit", lump, void 0, `is ${depth2} nodes deep; at most ${most} are accepted`);
      if (unfolded > UNFOLDED_FACTOR * lengths.length + UNFOLDED_SLACK) {
        const limit = `at most ${UNFOLDED_FACTOR} times as many and ${UNFOLDED_SLACK} more are accepted`;
        const problem = `shared branches make ${unfolded} nodes of ${lengths.length}; ${limit}`;
        fail2("limit", lump, void 0, problem);
      }
      return depth2;
    }
  };
  return checks;
}

// ../core/src/format/columns.ts
function readInts(lump, size, at, count = 1, kind2 = "i32") {
  return fill(lump, size, at, count, kind2, new Int32Array(lump.records(size) * count));
}
function readFloats(lump, size, at, count = 1, kind2 = "f32") {
  return fill(lump, size, at, count, kind2, new Float32Array(lump.records(size) * count));
}
function fill({ bytes }, size, at, count, kind2, out) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = kind2 === "i32" || kind2 === "f32" ? 4 : 2;
  for (let i = 0, record = at; i < out.length; record += size) {
    for (let k = 0; k < count; k++, i++) {
      const offset = record + k * width;
      if (kind2 === "f32") out[i] = view.getFloat32(offset, true);
      else if (kind2 === "i32") out[i] = view.getInt32(offset, true);
      else out[i] = kind2 === "i16" ? view.getInt16(offset, true) : view.getUint16(offset, true);
    }
  }
  return out;
}

// ../core/src/format/inspect.ts
var inspect = /* @__PURE__ */ Symbol.for("nodejs.util.inspect.custom");
function showShape(shape) {
  const vec = (point) => Array.from(point, (x) => Math.round(x * 1e4) / 1e4).join(" ");
  if (shape.kind === "sphere") return `sphere of radius ${shape.radius}`;
  if (shape.kind === "ellipsoid") return `ellipsoid of radii ${vec(shape.radii)}`;
  if (shape.kind === "ray") return "ray";
  return `${shape.kind} ${vec(shape.mins)} to ${vec(shape.maxs)}`;
}

// ../core/src/format/texts.ts
function packTexts(texts) {
  const length = texts.reduce((sum, text) => sum + text.length + 1, 0);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const text of texts) {
    for (let k = 0; k < text.length; k++) bytes[at++] = text.charCodeAt(k);
    at++;
  }
  return bytes;
}
function unpackTexts(bytes) {
  const texts = [];
  for (let from = 0, nul = bytes.indexOf(0); nul >= 0; from = nul + 1, nul = bytes.indexOf(0, from)) {
    texts.push(decodeLatin1(bytes.subarray(from, nul)));
  }
  return texts;
}
const PIECE = 4096;
function decodeLatin1(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return text;
}

// ../core/src/format/reader.ts
var BinaryReader = class _BinaryReader {
  format;
  /** Name of the lump, or `header` for the whole file. */
  name;
  bytes;
  /** Where `bytes` begins in the file. */
  base;
  _view;
  constructor(bytes, format, name = "header", base = 0) {
    this.format = format;
    this.name = name;
    this.bytes = bytes;
    this.base = base;
    this._view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  /** The error of this lump at byte `offset` of it (and record `index`), to be thrown. */
  error(code, problem, offset = 0, index2) {
    return new BspError(
      code,
      { format: this.format, lump: this.name, index: index2, offset: this.base + offset },
      problem
    );
  }
  /** A lump as a reader of its own. Throws `BspError` (`lump-range`) when it does not lie within the file. */
  lump({ name, offset, length }) {
    const total = this.bytes.length;
    if (offset < 0 || length < 0 || offset + length > total) {
      throw new BspError(
        "lump-range",
        { format: this.format, lump: name, offset },
        `lies at bytes ${offset} to ${offset + length}, but the file has ${total} bytes`
      );
    }
    return new _BinaryReader(this.bytes.subarray(offset, offset + length), this.format, name, offset);
  }
  /** How many records of `size` bytes the lump holds. Throws `BspError` (`lump-size`) when one is cut. */
  records(size) {
    if (this.bytes.length % size !== 0) {
      throw this.error("lump-size", `length ${this.bytes.length} is not a multiple of ${size}`);
    }
    return this.bytes.length / size;
  }
  u8(offset) {
    this._check(offset, 1);
    return this._view.getUint8(offset);
  }
  i16(offset) {
    this._check(offset, 2);
    return this._view.getInt16(offset, true);
  }
  u16(offset) {
    this._check(offset, 2);
    return this._view.getUint16(offset, true);
  }
  i32(offset) {
    this._check(offset, 4);
    return this._view.getInt32(offset, true);
  }
  u32(offset) {
    this._check(offset, 4);
    return this._view.getUint32(offset, true);
  }
  f32(offset) {
    this._check(offset, 4);
    return this._view.getFloat32(offset, true);
  }
  /** The whole lump as 32-bit words in memory of their own: integers, and the same words as floats. */
  words() {
    const copy = new Uint8Array(this.bytes.length & ~3);
    copy.set(this.bytes.subarray(0, copy.length));
    return { ints: new Int32Array(copy.buffer), floats: new Float32Array(copy.buffer) };
  }
  /** Latin-1 text of `length` bytes, ended early by a NUL. */
  text(offset, length) {
    this._check(offset, length);
    const bytes = this.bytes.subarray(offset, offset + length);
    const nul = bytes.indexOf(0);
    return decodeLatin1(nul < 0 ? bytes : bytes.subarray(0, nul));
  }
  _check(offset, length) {
    if (!(offset >= 0 && offset + length <= this.bytes.length)) {
      throw this.error(
        "truncated",
        `needs ${length} bytes at ${offset}, but has ${this.bytes.length}`,
        offset
      );
    }
  }
};

// ../core/src/format/recorder.ts
const MAX_STEPS = 2 ** 17;
function createRecorder(format) {
  const steps = [];
  const record = (step) => {
    if (steps.length === MAX_STEPS) {
      throw new BspError("limit", { format }, `the explanation has more than ${MAX_STEPS} steps`);
    }
    steps.push(step);
  };
  return { steps, record };
}

// ../core/src/format/sections.ts
function defineSections(options) {
  const { format, magic, version, headerWords, sections } = options;
  const names2 = Object.keys(sections);
  const firstSection = headerWords + 2 * names2.length;
  const fail2 = (code, problem) => {
    throw new BspError(code, { format, lump: "world data" }, problem);
  };
  return {
    plan(counts) {
      const places = {};
      let words = firstSection;
      for (const name of names2) {
        places[name] = { first: words, count: counts[name] };
        words += counts[name] * sections[name];
      }
      return { places, words };
    },
    write(ints, places) {
      ints.set([magic, version, ints.length]);
      for (const [k, name] of names2.entries()) {
        ints.set([places[name].first, places[name].count], headerWords + 2 * k);
      }
    },
    read(data) {
      checkBuffer(data);
      if (data.byteLength < 4 * firstSection || data.byteLength % 4 !== 0) {
        fail2("truncated", `${data.byteLength} bytes are not a world`);
      }
      const ints = new Int32Array(data);
      if (ints[0] !== magic) fail2("magic", `begins with ${ints[0]}, which is not a bspkit ${format} world`);
      if (ints[1] !== version)
        fail2("version", `has layout version ${ints[1]}, but this package reads ${version}`);
      if (ints[2] !== ints.length)
        fail2("truncated", `holds ${ints.length} words, but should have ${ints[2]}`);
      const places = {};
      for (const [k, name] of names2.entries()) {
        const first = ints[headerWords + 2 * k];
        const count = ints[headerWords + 2 * k + 1];
        if (first < firstSection || count < 0 || first + count * sections[name] > ints.length) {
          fail2("lump-range", `section ${name} lies outside`);
        }
        places[name] = { first, count };
      }
      return places;
    }
  };
}

// ../core/src/format/signatures.ts
const BY_MAGIC = `BSP2mQuake
2PSBmQuake
VBSPmthe Source engine
rBSPmTitanfall
RBSPmJedi Knight or Soldier of Fortune 2
FBSPmWarsow
FAKKmHeavy Metal: F.A.K.K.2
2015mMedal of Honor: Allied Assault
PKaa zip archive (pk3)
PKaan empty zip archive
PACKaa Quake pak archive
7z\xBC\xAFaa 7z archive
Rar!aa rar archive
WAD2oa texture archive (WAD2)
WAD3oa texture archive (WAD3)
IDPOoa Quake model (MDL)
IDSToa Half-Life model (MDL)
IDP2oa Quake 2 model (MD2)
IDP3oa Quake 3 model (MD3)`;
const BY_IBSP_VERSION = {
  4: "Call of Duty 2",
  38: "Quake 2",
  41: "Daikatana",
  46: "Quake 3",
  47: "Quake Live",
  59: "Call of Duty",
  78: "UFO:AI",
  79: "UFO:AI"
};
const LOOKED_AT = 64;
var kind = (name, advice = "") => ({ name, advice });
var map = (game, code) => kind(`a map of ${game} (${code})`);
function describeBytes(bytes) {
  checkBytes(bytes);
  const { length } = bytes;
  if (length === 0) return kind("empty", "read or fetch the file again");
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  const known = length < 4 ? void 0 : BY_MAGIC.split("\n").find((line) => line.startsWith(magic));
  if (known) {
    const name = known.slice(5);
    if (known[4] === "m") return map(name, magic);
    return kind(name, known[4] === "a" ? "unpack it and open the .bsp inside" : "it is not a map");
  }
  if (bytes[0] === 31 && bytes[1] === 139) {
    return kind("gzip data", "unpack it first, with zlib or a DecompressionStream");
  }
  if (length < 8) return kind(`cut short: it has ${length} bytes`, "fetch it again");
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (magic === "IBSP") {
    const version2 = view.getInt32(4, true);
    const game = BY_IBSP_VERSION[version2];
    return game ? map(game, `IBSP ${version2}`) : kind(`an IBSP map of version ${version2}`);
  }
  const head = bytes.subarray(0, LOOKED_AT);
  if (head.every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 13))
    return describeText(head);
  const version = view.getInt32(0, true);
  if (version === 29) return map("Quake", "BSP 29");
  if (version === 30) return map("Half-Life", "BSP 30");
  if (version > 0 && version < 64) return kind(`a BSP map of version ${version}`);
  const begins = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  return kind(`of no known kind: it begins with bytes ${begins}`);
}
function describeText(bytes) {
  const text = String.fromCharCode(...bytes).trimStart();
  if (text.startsWith("<"))
    return kind("a web page or XML", "the address that it was fetched from has no map");
  if (text.startsWith("version https://git-lfs")) {
    return kind("a Git LFS pointer", "run git lfs pull to get the map itself");
  }
  if (/^({|\/\/)/.test(text)) return kind("text, perhaps the source of a map", "compile it first");
  return kind("a text file");
}

// ../core/src/format/sincos.ts
const PART_1 = 1.5707963267341256;
const PART_2 = 6077100506303966e-26;
const REST = 20222662487959506e-37;
const FAR = 5e5;
const PLACES = 256n;
const QUARTER = 0x1921fb54442d18469898cc51701b839a252049c1114cf98e804177d4c76273645n;
const UNIT = 1157920892373162e62;
function sinCos(turns) {
  for (let at = 0; at < turns.length; at += 2) {
    const x = turns[at];
    const size = Math.abs(x);
    let quarters = 0;
    let high = x;
    let low = 0;
    if (size >= FAR) {
      if (!(size < 4e38)) high = Number.NaN;
      else {
        const angle = BigInt(x * 17179869184) << PLACES - 34n;
        const whole = (2n * angle + (x < 0 ? -QUARTER : QUARTER)) / (2n * QUARTER);
        high = Number(angle - whole * QUARTER) / UNIT;
        quarters = Number(whole & 3n);
      }
    } else if (size > Math.PI / 4) {
      const whole = Math.round(x * (2 / Math.PI));
      const first = x - whole * PART_1;
      const second = whole * PART_2;
      const rest = first - second;
      const lost = whole * REST - (first - rest - second);
      high = rest - lost;
      low = rest - high - lost;
      quarters = whole & 3;
    }
    const z = high * high;
    const cube = z * high;
    const past = 0.00833333333332249 + z * (-1984126982985795e-19 + z * (27557313707070068e-22 + z * (-25050760253406863e-24 + z * 158969099521155e-24)));
    const sine = high - (z * (0.5 * low - cube * past) - low - cube * -0.16666666666666632);
    const near = z * (0.0416666666666666 + z * (-0.001388888888887411 + z * 2480158728947673e-20)) + z * z * (z * z) * (-27557314351390663e-23 + z * (2087572321298175e-24 + z * -11359647557788195e-27));
    const bow = 0.5 * z;
    const flat = 1 - bow;
    const cosine = flat + (1 - flat - bow + (z * near - high * low));
    const s = quarters & 1 ? cosine : sine;
    const c = quarters & 1 ? -sine : cosine;
    turns[at] = quarters & 2 ? -s : s;
    turns[at + 1] = quarters & 2 ? -c : c;
  }
}
var single = /* @__PURE__ */ new Float64Array(2);
function sin(x) {
  single[0] = x;
  sinCos(single);
  return single[0];
}
function cos(x) {
  single[0] = x;
  sinCos(single);
  return single[1];
}

// ../core/src/format/wasm.ts
const CHOICES = ["auto", "wasm", "js"];
var engine = () => globalThis.WebAssembly;
const PAGE = 65536;
function defineWasm(hex) {
  let compiled;
  const compile = () => {
    const wasm = engine();
    if (!wasm) return null;
    try {
      return new wasm.Module(decode(hex));
    } catch {
      return null;
    }
  };
  const canRun = () => {
    if (compiled === void 0) compiled = compile();
    return compiled !== null;
  };
  return {
    canRun,
    check(choice) {
      checkChoice(choice, CHOICES, "kernel");
      if (choice === "wasm" && !canRun()) {
        throw new Error("kernel 'wasm' needs WebAssembly with SIMD, which is missing or forbidden here");
      }
    },
    instantiate(bytes) {
      const wasm = engine();
      const pages = Math.ceil(bytes / PAGE);
      const memory = new wasm.Memory({ initial: pages, maximum: pages });
      const { exports } = new wasm.Instance(compiled, { env: { memory } });
      return { exports, buffer: memory.buffer };
    }
  };
}
function decode(hex) {
  const bytes = new Uint8Array(hex.length / 2);
  for (let k = 0; k < bytes.length; k++) {
    bytes[k] = digit(hex.charCodeAt(2 * k)) << 4 | digit(hex.charCodeAt(2 * k + 1));
  }
  return bytes;
}
function digit(code) {
  return code < 58 ? code - 48 : code - 87;
}

// src/constants.ts
const CELL_SIZE = 32;
const LEVEL_HEIGHT = 64;
const WORLD_CELLS = 256;
const LEVEL_COUNT = 8;
const REGULAR_MODELS = 259;
const LIGHTCLIP_MODEL = 256;
const WEAPONCLIP_MODEL = 257;
const ACTORCLIP_MODEL = 258;
const SURFACE_EPSILON = 1 / 32;
const ALL_LEVELS = 255;
const WITH_ACTORCLIP = 256;
const WITH_WEAPONCLIP = 512;
const BOX_ALL = 511;
const CONTENTS_SOLID = 1;
const CONTENTS_WINDOW = 2;
const CONTENTS_LADDER = 4;
const CONTENTS_WATER = 32;
const CONTENTS_LEVEL_ALL = 65280;
const CONTENTS_ACTORCLIP = 65536;
const CONTENTS_PASSABLE = 131072;
const CONTENTS_TERRAIN = 262144;
const CONTENTS_LIGHTCLIP = 524288;
const CONTENTS_ACTOR = 8388608;
const CONTENTS_ORIGIN = 16777216;
const CONTENTS_WEAPONCLIP = 33554432;
const CONTENTS_DEADACTOR = 67108864;
const CONTENTS_DETAIL = 134217728;
const CONTENTS_TRANSLUCENT = 268435456;
const MASK_ALL = -1;
const MASK_SOLID = CONTENTS_SOLID | CONTENTS_WINDOW;
const MASK_IMPASSABLE = MASK_SOLID | CONTENTS_ACTORCLIP;
const MASK_PASSABLE = CONTENTS_PASSABLE | CONTENTS_WATER;
const MASK_VISIBILITY = CONTENTS_SOLID | CONTENTS_WATER;
const MASK_SHOT = MASK_SOLID | CONTENTS_ACTOR | CONTENTS_WEAPONCLIP | CONTENTS_DEADACTOR;
const MASK_SMOKE_AND_FIRE = MASK_SOLID | CONTENTS_WATER | CONTENTS_WEAPONCLIP;
const MASK_CLIP = CONTENTS_ACTORCLIP | CONTENTS_LIGHTCLIP | CONTENTS_WEAPONCLIP;
const MASK_NO_LIGHTCLIP = ~CONTENTS_LIGHTCLIP;
var contentsNames = /* @__PURE__ */ createFlagNames({
  solid: CONTENTS_SOLID,
  window: CONTENTS_WINDOW,
  ladder: CONTENTS_LADDER,
  water: CONTENTS_WATER,
  level1: 256,
  level2: 512,
  level3: 1024,
  level4: 2048,
  level5: 4096,
  level6: 8192,
  level7: 16384,
  level8: 32768,
  actorClip: CONTENTS_ACTORCLIP,
  passable: CONTENTS_PASSABLE,
  terrain: CONTENTS_TERRAIN,
  lightClip: CONTENTS_LIGHTCLIP,
  actor: CONTENTS_ACTOR,
  origin: CONTENTS_ORIGIN,
  weaponClip: CONTENTS_WEAPONCLIP,
  deadActor: CONTENTS_DEADACTOR,
  detail: CONTENTS_DETAIL,
  translucent: CONTENTS_TRANSLUCENT,
  all: MASK_ALL,
  levels: CONTENTS_LEVEL_ALL,
  solidMask: MASK_SOLID,
  impassable: MASK_IMPASSABLE,
  passableMask: MASK_PASSABLE,
  shot: MASK_SHOT,
  smokeAndFire: MASK_SMOKE_AND_FIRE,
  visibility: MASK_VISIBILITY,
  clip: MASK_CLIP,
  noLightClip: MASK_NO_LIGHTCLIP
});
var surfaceNames = /* @__PURE__ */ createFlagNames({
  light: 1,
  slick: 2,
  warp: 8,
  blend33: 16,
  blend66: 32,
  flowing: 64,
  noDraw: 128,
  hint: 256,
  skip: 512,
  phong: 1024,
  burn: 2048,
  footstep: 4096,
  origin: 8192,
  alphaTest: 33554432
});

// src/trace.ts
function createBoxTrace() {
  return Object.assign(createTrace(), { tile: -1, leaf: -1 });
}
function createLineTrace() {
  return Object.assign(createTrace(), { blocked: false, tile: -1, level: -1 });
}

// src/check.ts
const MAX_DEPTH = 1024;
const MAX_HEADS = 1024;
const MAX_SQUARES = 2 ** 20;
const MAX_DIST = 65536;
const MAX_SIDE_PLANE = 32767;
const NEEDED = ["planes", "nodes", "texinfo", "leafs", "leafBrushes", "models", "brushes", "sides"];
var { depth, fail, filled, finite, index, indexes, normals, owned, ranges, squares } = /* @__PURE__ */ createChecks("ufoai");
function checkFile(file) {
  const lengths = Object.entries(file.lumps).map(([name, { length }]) => [name, length]);
  filled(Object.fromEntries(lengths), NEEDED);
  checkPlanes(file);
  checkLeafs(file);
  checkBrushes(file);
  checkNodes(file);
  checkModels(file);
  parseEntities(file.entities, "ufoai");
}
function checkPlanes({ planes }) {
  const { dists, types } = planes;
  normals("planes", planes.normals);
  finite("planes", dists, 1);
  for (const [i, dist] of dists.entries()) {
    if (Math.abs(dist) > MAX_DIST) fail("value", "planes", i, `distance ${dist} is not within ${MAX_DIST}`);
    const type = types[i];
    if (type < 0 || type > 5) fail("value", "planes", i, `type ${type} is not in 0..5`);
  }
}
function checkLeafs({ leafs, leafBrushes, brushes }) {
  indexes("leafBrushes", "brush", leafBrushes, brushes.count);
  ranges("leafs", "leaf brushes", leafs.firstBrushes, leafs.numBrushes, leafBrushes.length);
  if (leafs.contents[0] !== CONTENTS_SOLID) {
    fail("value", "leafs", 0, `contents are ${leafs.contents[0]}, but the first leaf is the solid one (1)`);
  }
  if (leafs.contents.indexOf(0, 1) < 0) fail("value", "leafs", void 0, "none is empty, but one must be");
}
function checkBrushes({ brushes, sides, planes, textures }) {
  indexes("sides", "plane", sides.planes, Math.min(planes.count, MAX_SIDE_PLANE + 1));
  for (const [i, texture] of sides.textures.entries()) {
    if (texture >= 0) index("sides", i, "texture", texture, textures.length);
  }
  ranges("brushes", "sides", brushes.firstSides, brushes.numSides, sides.count);
  squares("brushes", "sides", brushes.numSides, MAX_SQUARES);
}
function checkNodes({ nodes, planes, leafs, leafBrushes }) {
  for (let i = 0; i < nodes.count; i++) {
    const plane = nodes.planes[i];
    if (plane !== -1) index("nodes", i, "plane", plane, planes.count);
    for (let side = 0; side < 2; side++) {
      const child = nodes.children[2 * i + side];
      if (child < 0) {
        index("nodes", i, "leaf", -1 - child, leafs.count);
        if (plane < 0) fail("index", "nodes", i, `is a union node, but child ${child} is a leaf`);
      } else {
        index("nodes", i, "child", child, nodes.count);
        if (plane >= 0 && nodes.planes[child] === -1) {
          fail("index", "nodes", i, `is a plane node, but child ${child} is a union node`);
        }
      }
    }
  }
  const lists = nodes.children.map((child) => child < 0 ? leafs.numBrushes[-1 - child] : 0);
  owned("nodes", "leaf brushes", lists, leafBrushes.length);
}
function checkModels({ models, nodes }) {
  const corners = new Float32Array(6 * models.length);
  for (const [i, { mins, maxs }] of models.entries()) {
    corners.set(mins, 6 * i);
    corners.set(maxs, 6 * i + 3);
  }
  finite("models", corners, 6);
  const heads = [];
  for (const [i, { headNode }] of models.entries()) {
    if (headNode !== -1) {
      index("models", i, "head node", headNode, nodes.count);
      heads.push(headNode);
    }
  }
  if (heads.length > MAX_HEADS) {
    const problem = `${heads.length} have trees, which lines walk one after the other; at most ${MAX_HEADS} may`;
    fail("limit", "models", void 0, problem);
  }
  depth("nodes", nodes.children, heads, { most: MAX_DEPTH });
}

// src/identity.ts
const VERSIONS = ["IBSP 78", "IBSP 79"];
function detect(bytes) {
  checkBytes(bytes);
  const isIbsp = bytes.length >= 8 && String.fromCharCode(...bytes.subarray(0, 4)) === "IBSP";
  if (!isIbsp || bytes[5] !== 0 || bytes[6] !== 0 || bytes[7] !== 0) return void 0;
  return VERSIONS[bytes[4] - 78];
}

// src/routing.ts
const BLOCK_BYTES = 12;
const MAX_CELL = 1024;
function readRouting(lump) {
  const first = decodeBlock(lump, 0);
  const second = decodeBlock(lump, first.next);
  return { mins: first.cells, maxs: second.cells };
}
function decodeBlock(lump, from) {
  const block = new Uint8Array(BLOCK_BYTES);
  let at = from;
  let length = 0;
  const put = (value) => {
    if (length === BLOCK_BYTES) {
      throw lump.error("value", `a block of bounds at ${from} holds more than ${BLOCK_BYTES} bytes`, from);
    }
    block[length++] = value;
  };
  for (let code = lump.u8(at++); code !== 0; code = lump.u8(at++)) {
    if (code & 128) {
      const value = lump.u8(at++);
      for (let k = (code & 127) + 2; k > 0; k--) put(value);
    } else {
      for (let k = code; k > 0; k--) put(lump.u8(at++));
    }
  }
  if (length < BLOCK_BYTES) {
    throw lump.error("value", `a block of bounds at ${from} holds ${length} of ${BLOCK_BYTES} bytes`, from);
  }
  const cells = new Int32Array(block.buffer);
  for (const cell of cells) {
    if (Math.abs(cell) > MAX_CELL) throw lump.error("value", `bounds reach to cell ${cell}`, from);
  }
  return { cells, next: at };
}

// src/file.ts
const HEADER_BYTES = 144;
const LUMPS = {
  entities: 1,
  planes: 20,
  vertexes: 12,
  routing: 1,
  nodes: 28,
  texinfo: 72,
  faces: 20,
  lightingNight: 1,
  lightingDay: 1,
  leafs: 24,
  leafBrushes: 2,
  edges: 4,
  surfEdges: 4,
  models: 48,
  brushes: 12,
  sides: 4,
  normals: 12
};
function readUfoai(bytes) {
  const header = new BinaryReader(toBytes(bytes), "ufoai");
  const version = readVersion(header);
  const lumps = {};
  const raw = {};
  let at = 8;
  for (const name of Object.keys(LUMPS)) {
    lumps[name] = header.lump({ name, offset: header.u32(at), length: header.u32(at + 4) });
    lumps[name].records(LUMPS[name]);
    raw[name] = lumps[name].bytes;
    at += 8;
  }
  const file = {
    format: "ufoai",
    version,
    entities: lumps.entities.text(0, raw.entities.length),
    ...readTree(lumps),
    ...readBrushes(lumps),
    textures: readTextures(lumps.texinfo),
    models: readModels(lumps.models),
    routing: readRouting(lumps.routing),
    lumps: raw
  };
  checkFile(file);
  return file;
}
function readVersion({ bytes }) {
  const version = detect(bytes);
  if (version === void 0) {
    const { name, advice } = describeBytes(bytes);
    const isIbsp = String.fromCharCode(...bytes.subarray(0, 4)) === "IBSP";
    throw new BspError(
      isIbsp && bytes.length >= 8 ? "version" : "magic",
      { format: "ufoai" },
      `the file is ${name}, not a UFO:AI map (IBSP 78 or 79); ${advice || "the bspkit package opens maps of every format"}`
    );
  }
  if (bytes.length < HEADER_BYTES) {
    throw new BspError(
      "truncated",
      { format: "ufoai", lump: "header", offset: bytes.length },
      `needs ${HEADER_BYTES} bytes, but the file has ${bytes.length}`
    );
  }
  return version === "IBSP 78" ? 78 : 79;
}
function readTree({
  planes,
  nodes,
  leafs,
  leafBrushes
}) {
  return {
    planes: {
      count: planes.records(LUMPS.planes),
      normals: readFloats(planes, LUMPS.planes, 0, 3),
      dists: readFloats(planes, LUMPS.planes, 12),
      types: readInts(planes, LUMPS.planes, 16)
    },
    nodes: {
      count: nodes.records(LUMPS.nodes),
      planes: readInts(nodes, LUMPS.nodes, 0),
      children: readInts(nodes, LUMPS.nodes, 4, 2),
      mins: readInts(nodes, LUMPS.nodes, 12, 3, "i16"),
      maxs: readInts(nodes, LUMPS.nodes, 18, 3, "i16")
    },
    leafs: {
      count: leafs.records(LUMPS.leafs),
      contents: readInts(leafs, LUMPS.leafs, 0),
      mins: readInts(leafs, LUMPS.leafs, 6, 3, "i16"),
      maxs: readInts(leafs, LUMPS.leafs, 12, 3, "i16"),
      firstBrushes: readInts(leafs, LUMPS.leafs, 18, 1, "u16"),
      numBrushes: readInts(leafs, LUMPS.leafs, 20, 1, "u16")
    },
    leafBrushes: readInts(leafBrushes, LUMPS.leafBrushes, 0, 1, "u16")
  };
}
function readBrushes({ brushes, sides }) {
  return {
    brushes: {
      count: brushes.records(LUMPS.brushes),
      firstSides: readInts(brushes, LUMPS.brushes, 0),
      numSides: readInts(brushes, LUMPS.brushes, 4),
      contents: readInts(brushes, LUMPS.brushes, 8)
    },
    sides: {
      count: sides.records(LUMPS.sides),
      planes: readInts(sides, LUMPS.sides, 0, 1, "u16"),
      textures: readInts(sides, LUMPS.sides, 2, 1, "i16")
    }
  };
}
function readTextures(lump) {
  const size = LUMPS.texinfo;
  return Array.from({ length: lump.records(size) }, (_, i) => ({
    surfaceFlags: lump.i32(size * i + 32),
    value: lump.i32(size * i + 36),
    name: lump.text(size * i + 40, 32)
  }));
}
function readModels(lump) {
  const { ints, floats } = lump.words();
  return Array.from({ length: ints.length / 12 }, (_, i) => ({
    mins: floats.subarray(12 * i, 12 * i + 3),
    maxs: floats.subarray(12 * i + 3, 12 * i + 6),
    headNode: ints[12 * i + 9],
    firstFace: ints[12 * i + 10],
    numFaces: ints[12 * i + 11]
  }));
}

export {
  failArgument,
  checkKind,
  checkOptions,
  checkFlag,
  checkChoice,
  checkList,
  checkTrace,
  checkPoint,
  checkMove,
  checkFinite,
  checkBounds,
  checkNumber,
  checkWhole,
  checkMask,
  checkPose,
  checkFileOf,
  createTraceBatch,
  BspError,
  parseEntities,
  entityVector,
  entityModel,
  createTrace,
  resetTrace,
  copyTrace,
  isBlocked,
  traceEach,
  createBuffer,
  columnPlaces,
  floatCell,
  floatCells,
  intCell,
  float32Cell,
  STOP_COLUMNS,
  HIT_COLUMNS,
  writeStop,
  writeHit,
  inspect,
  showShape,
  packTexts,
  unpackTexts,
  createRecorder,
  defineSections,
  sinCos,
  sin,
  cos,
  defineWasm,
  CELL_SIZE,
  LEVEL_HEIGHT,
  WORLD_CELLS,
  LEVEL_COUNT,
  REGULAR_MODELS,
  LIGHTCLIP_MODEL,
  WEAPONCLIP_MODEL,
  ACTORCLIP_MODEL,
  SURFACE_EPSILON,
  ALL_LEVELS,
  WITH_ACTORCLIP,
  WITH_WEAPONCLIP,
  BOX_ALL,
  CONTENTS_SOLID,
  CONTENTS_WINDOW,
  CONTENTS_LADDER,
  CONTENTS_WATER,
  CONTENTS_LEVEL_ALL,
  CONTENTS_ACTORCLIP,
  CONTENTS_PASSABLE,
  CONTENTS_TERRAIN,
  CONTENTS_LIGHTCLIP,
  CONTENTS_ACTOR,
  CONTENTS_ORIGIN,
  CONTENTS_WEAPONCLIP,
  CONTENTS_DEADACTOR,
  CONTENTS_DETAIL,
  CONTENTS_TRANSLUCENT,
  MASK_ALL,
  MASK_SOLID,
  MASK_IMPASSABLE,
  MASK_PASSABLE,
  MASK_VISIBILITY,
  MASK_SHOT,
  MASK_SMOKE_AND_FIRE,
  MASK_CLIP,
  MASK_NO_LIGHTCLIP,
  contentsNames,
  surfaceNames,
  createBoxTrace,
  createLineTrace,
  readUfoai
};
