import { checkNumber, type Entity, entityModel, entityVector, parseEntities } from '@bspkit/core';
import { brushBounds, emptyBounds, unionSplit, widen } from './bounds.ts';
import { type BoxHead, collectBoxHeads } from './build-boxes.ts';
import { buildLineHeads, type LineHead, LineWriter } from './build-lines.ts';
import { CELL_SIZE, LEVEL_HEIGHT, REGULAR_MODELS } from './constants.ts';
import type { UfoaiFile } from './file.ts';
import {
  BOX_STACK_WORD,
  LINE_STACK_WORD,
  layout,
  MODEL_ENTITY,
  MODEL_MAXS,
  MODEL_MINS,
  MODEL_ORIGIN,
  MODEL_OWN_FRAME,
  MODEL_ROOT,
  MODEL_TILE,
  type Places,
  SECTIONS,
  TILE_BOX_GROUPS,
  TILE_BOX_HEADS,
  TILE_BRUSHES,
  TILE_CELL,
  TILE_LEAFS,
  TILE_LINE_HEADS,
  TILE_LINE_MINS,
  TILE_MAXS,
  TILE_MINS,
  TILE_MODELS,
  TILE_NODES,
  TILE_PLANES,
  TILE_SHIFT,
  TILE_SIDES,
  TILE_TEXT,
  TILE_TEXTURES,
} from './layout.ts';

const f = Math.fround;

/** A map placed in an assembly. */
export interface UfoaiTile {
  readonly file: UfoaiFile;
  /** Offset in cells, -127 to 127; 0 unless told. */
  readonly x?: number;
  readonly y?: number;
  /** Offset in levels, 0 to 7; 0 unless told. */
  readonly z?: number;
}

const MAX_TILES = 64;
/** Neighbouring box heads that are passed over together. */
const GROUP_HEADS = 16;

/** A tile on its way into the buffer: what it holds, and where its records begin among all tiles'. */
export interface TileBuild {
  readonly file: UfoaiFile;
  readonly cell: readonly [number, number, number];
  readonly shift: readonly [number, number, number];
  /** Plane distances, moved with the tile. */
  readonly dists: Float32Array;
  readonly lineHeads: LineHead[];
  readonly boxHeads: BoxHead[];
  readonly text: Uint8Array;
  readonly first: {
    readonly node: number;
    readonly plane: number;
    readonly leaf: number;
    readonly leafBrush: number;
    readonly brush: number;
    readonly side: number;
    readonly texture: number;
  };
}

/** Lays tiles into one new buffer, as `layout.ts` says. */
export function buildWorldData(tiles: readonly UfoaiTile[], shared: boolean): ArrayBufferLike {
  if (tiles.length < 1 || tiles.length > MAX_TILES) {
    throw new RangeError(`tiles must be 1 to ${MAX_TILES}, got ${tiles.length}`);
  }
  const lines = new LineWriter();
  const builds: TileBuild[] = [];
  let first = { node: 0, plane: 0, leaf: 0, leafBrush: 0, brush: 0, side: 0, texture: 0 };
  let boxDepth = 1;
  for (const tile of tiles) {
    const { file } = tile;
    const cell = checkCell(tile);
    const shift = [CELL_SIZE * cell[0], CELL_SIZE * cell[1], LEVEL_HEIGHT * cell[2]] as const;
    const dists = shiftedDists(file, shift);
    const { boxHeads, depth } = collectBoxHeads(file, dists);
    boxDepth = Math.max(boxDepth, depth);
    builds.push({
      file,
      cell,
      shift,
      dists,
      first,
      boxHeads,
      text: textBytes(file),
      lineHeads: buildLineHeads(file, dists, shift, lines),
    });
    first = {
      node: first.node + file.nodes.count,
      plane: first.plane + file.planes.count,
      leaf: first.leaf + file.leafs.count,
      leafBrush: first.leafBrush + file.leafBrushes.length,
      brush: first.brush + file.brushes.count,
      side: first.side + file.sides.count,
      texture: first.texture + file.textures.length,
    };
  }
  const sum = (count: (tile: TileBuild) => number): number =>
    builds.reduce((total, t) => total + count(t), 0);
  const { places, words } = layout.plan({
    tiles: builds.length,
    lineHeads: sum((tile) => tile.lineHeads.length),
    boxHeads: sum((tile) => tile.boxHeads.length),
    boxGroups: sum((tile) => Math.ceil(tile.boxHeads.length / GROUP_HEADS)),
    models: sum((tile) => inlineModels(tile.file)),
    lines: lines.length,
    nodes: first.node,
    planes: first.plane,
    leafs: first.leaf,
    leafBrushes: first.leafBrush,
    brushes: first.brush,
    sides: first.side,
    textures: first.texture,
    text: sum((tile) => Math.ceil(tile.text.length / 4)),
  });
  const data = shared ? new SharedArrayBuffer(4 * words) : new ArrayBuffer(4 * words);
  const target: Target = { ints: new Int32Array(data), floats: new Float32Array(data), places };
  layout.write(target.ints, places);
  target.ints[LINE_STACK_WORD] = lines.depth + 1;
  target.ints[BOX_STACK_WORD] = boxDepth + 1;
  lines.copyTo(target.ints, places.lines.first);
  const next = { lineHead: 0, boxHead: 0, boxGroup: 0, model: 0, text: places.text.first };
  for (const [k, build] of builds.entries()) {
    writeTile(target, k, build, next);
    writeTree(target, build);
    writeBrushes(target, build);
    writeHeads(target, k, build, next);
    writeModels(target, k, build, next);
  }
  return data;
}

interface Target {
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly places: Places;
}

interface Next {
  lineHead: number;
  boxHead: number;
  boxGroup: number;
  model: number;
  /** Place of the next tile's text. */
  text: number;
}

const inlineModels = (file: UfoaiFile): number => Math.max(0, file.models.length - REGULAR_MODELS);

function checkCell({ x = 0, y = 0, z = 0 }: UfoaiTile): [number, number, number] {
  checkNumber(x + 127, 255, 'x + 127');
  checkNumber(y + 127, 255, 'y + 127');
  checkNumber(z, 8, 'z');
  return [x, y, z];
}

/** The engine moves a plane by three additions in turn. */
function shiftedDists({ planes }: UfoaiFile, shift: readonly number[]): Float32Array {
  const dists = Float32Array.from(planes.dists);
  for (let i = 0; i < planes.count; i++) {
    for (let k = 0; k < 3; k++) dists[i]! += f(planes.normals[3 * i + k]! * shift[k]!);
  }
  return dists;
}

function writeTile({ ints, floats, places }: Target, k: number, tile: TileBuild, next: Next): void {
  const { file, cell, shift, first } = tile;
  const at = places.tiles.first + SECTIONS.tiles * k;
  ints.set(cell, at + TILE_CELL);
  floats.set(shift, at + TILE_SHIFT);
  const { mins, maxs } = file.routing;
  for (let axis = 0; axis < 3; axis++) {
    const size = axis === 2 ? LEVEL_HEIGHT : CELL_SIZE;
    const zero = axis === 2 ? 0 : 128;
    floats[at + TILE_MINS + axis] = (mins[axis]! + cell[axis]! - zero) * size;
    floats[at + TILE_MAXS + axis] = (maxs[axis]! + cell[axis]! - zero) * size + size;
  }
  const blocking = emptyBounds();
  for (const head of tile.lineHeads) if (head.blocking) widen(blocking, head.blocking);
  floats.set(blocking, at + TILE_LINE_MINS);
  ints.set([next.lineHead, tile.lineHeads.length], at + TILE_LINE_HEADS);
  ints.set([next.boxHead, tile.boxHeads.length], at + TILE_BOX_HEADS);
  ints.set([next.boxGroup, Math.ceil(tile.boxHeads.length / GROUP_HEADS)], at + TILE_BOX_GROUPS);
  ints.set([next.model, inlineModels(file)], at + TILE_MODELS);
  ints[at + TILE_NODES] = first.node;
  ints[at + TILE_LEAFS] = first.leaf;
  ints[at + TILE_BRUSHES] = first.brush;
  ints[at + TILE_SIDES] = first.side;
  ints[at + TILE_TEXTURES] = places.textures.first + first.texture;
  ints[at + TILE_PLANES] = first.plane;
  ints.set([next.text, tile.text.length], at + TILE_TEXT);
  new Uint8Array(ints.buffer).set(tile.text, 4 * next.text);
  next.text += Math.ceil(tile.text.length / 4);
}

function writeTree({ ints, floats, places }: Target, { file, dists, shift, first }: TileBuild): void {
  const { planes, nodes, leafs, leafBrushes } = file;
  for (let i = 0, at = places.planes.first + 4 * first.plane; i < planes.count; i++, at += 4) {
    for (let k = 0; k < 3; k++) floats[at + k] = planes.normals[3 * i + k]!;
    floats[at + 3] = dists[i]!;
  }
  for (let i = 0, at = places.nodes.first + 4 * first.node; i < nodes.count; i++, at += 4) {
    const plane = nodes.planes[i]!;
    const [front, back] = [nodes.children[2 * i]!, nodes.children[2 * i + 1]!];
    if (plane < 0) {
      const { axis, dist } = unionSplit(file, shift, front, back);
      ints[at] = axis < 0 ? 6 : 4 + axis;
      floats[at + 1] = dist;
    } else {
      ints[at] = Math.min(3, planes.types[plane]!) + 16 * (plane + first.plane);
      floats[at + 1] = dists[plane]!;
    }
    ints[at + 2] = front < 0 ? front - first.leaf : front + first.node;
    ints[at + 3] = back < 0 ? back - first.leaf : back + first.node;
  }
  for (let i = 0, at = places.leafs.first + 3 * first.leaf; i < leafs.count; i++, at += 3) {
    ints[at] = leafs.contents[i]!;
    ints[at + 1] = places.leafBrushes.first + first.leafBrush + leafs.firstBrushes[i]!;
    ints[at + 2] = leafs.numBrushes[i]!;
  }
  for (let i = 0, at = places.leafBrushes.first + first.leafBrush; i < leafBrushes.length; i++, at++) {
    ints[at] = places.brushes.first + SECTIONS.brushes * (first.brush + leafBrushes[i]!);
  }
}

function writeBrushes({ ints, floats, places }: Target, { file, dists, first }: TileBuild): void {
  const { planes, brushes, sides, textures } = file;
  for (let i = 0, at = places.brushes.first + 10 * first.brush; i < brushes.count; i++, at += 10) {
    ints[at] = brushes.contents[i]!;
    ints[at + 1] = places.sides.first + 6 * (first.side + brushes.firstSides[i]!);
    ints[at + 2] = brushes.numSides[i]!;
    floats.set(brushBounds(file, dists, i), at + 3);
    ints[at + 9] = first.brush + i;
  }
  for (let i = 0, at = places.sides.first + 6 * first.side; i < sides.count; i++, at += 6) {
    const plane = sides.planes[i]!;
    for (let k = 0; k < 3; k++) floats[at + k] = planes.normals[3 * plane + k]!;
    floats[at + 3] = dists[plane]!;
    ints[at + 4] = plane;
    ints[at + 5] = sides.textures[i]!;
  }
  const surfaceFlags = textures.map((texture) => texture.surfaceFlags);
  ints.set(surfaceFlags, places.textures.first + first.texture);
}

function writeHeads({ ints, floats, places }: Target, k: number, tile: TileBuild, next: Next): void {
  for (const head of tile.lineHeads) {
    const at = places.lineHeads.first + SECTIONS.lineHeads * next.lineHead++;
    ints.set([head.model, k, head.root && places.lines.first + head.root, head.nodes, head.stumps], at);
    const { mins, maxs, headNode } = tile.file.models[head.model]!;
    ints[at + 11] = head.model < REGULAR_MODELS ? tile.first.node + headNode : -1;
    for (let axis = 0; axis < 3; axis++) {
      floats[at + 5 + axis] = mins[axis]! + tile.shift[axis]!;
      floats[at + 8 + axis] = maxs[axis]! + tile.shift[axis]!;
    }
  }
  for (let i = 0; i < tile.boxHeads.length; i += GROUP_HEADS) {
    const group = tile.boxHeads.slice(i, i + GROUP_HEADS);
    const bounds = emptyBounds();
    const groupAt = places.boxGroups.first + SECTIONS.boxGroups * next.boxGroup++;
    ints.set([next.boxHead, group.length], groupAt + 6);
    for (const head of group) {
      const at = places.boxHeads.first + SECTIONS.boxHeads * next.boxHead++;
      ints.set([tile.first.node + head.node, head.level], at);
      floats.set(head.bounds, at + 2);
      widen(bounds, head.bounds);
    }
    floats.set(bounds, groupAt);
  }
}

function writeModels({ ints, floats, places }: Target, k: number, tile: TileBuild, next: Next): void {
  if (inlineModels(tile.file) === 0) return;
  const entities = parseEntities(tile.file.entities, 'ufoai');
  const entityOf = new Map<number, number>();
  for (const [number, entity] of entities.entries()) {
    const model = entityModel(entity);
    if (model !== undefined && !entityOf.has(model)) entityOf.set(model, number);
  }
  for (let i = REGULAR_MODELS; i < tile.file.models.length; i++) {
    const model = tile.file.models[i]!;
    const at = places.models.first + SECTIONS.models * next.model++;
    const number = entityOf.get(i - REGULAR_MODELS + 1) ?? -1;
    const entity = entities[number];
    const origin = entity && entityVector(entity, 'origin');
    ints[at + MODEL_TILE] = k;
    ints[at + MODEL_ROOT] = model.headNode < 0 ? -1 : tile.first.node + model.headNode;
    ints[at + MODEL_OWN_FRAME] = origin ? 1 : 0;
    ints[at + MODEL_ENTITY] = number;
    const unshifted = origin !== undefined && originFollowsModel(entity!);
    for (let axis = 0; axis < 3; axis++) {
      const shift = tile.shift[axis]!;
      floats[at + MODEL_ORIGIN + axis] = origin ? f(origin[axis]!) + shift : 0;
      const low = f(f(model.mins[axis]! - 1) + shift);
      const high = f(f(model.maxs[axis]! + 1) + shift);
      floats[at + MODEL_MINS + axis] = unshifted ? low - shift : low;
      floats[at + MODEL_MAXS + axis] = unshifted ? high - shift : high;
    }
  }
}

/** The engine reads an entity's keys in turn, and looks at an origin only when it knows the model already. */
function originFollowsModel(entity: Entity): boolean {
  const keys = Object.keys(entity);
  return keys.indexOf('origin') > keys.indexOf('model');
}

function textBytes(file: UfoaiFile): Uint8Array {
  const parts = [file.entities, ...file.textures.map((texture) => texture.name)];
  return Uint8Array.from(parts.map((part) => `${part}\0`).join(''), (letter) => letter.charCodeAt(0));
}
