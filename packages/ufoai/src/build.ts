import { NODE_WORDS, writeBrushes } from '@bspkit/brushes';
import { type Entity, entityModel, entityVector, parseEntities } from '@bspkit/core';
import { checkWhole, createBuffer, packTexts } from '@bspkit/core/format';
import { emptyBounds, unionSplit, widen } from './bounds.ts';
import { type BoxHead, collectBoxHeads } from './build-boxes.ts';
import { buildLineHeads, type LineHead, LineWriter } from './build-lines.ts';
import { CELL_SIZE, LEVEL_HEIGHT, REGULAR_MODELS, WORLD_CELLS } from './constants.ts';
import type { UfoaiFile } from './file.ts';
import {
  BOX_GROUP_HEADS,
  BOX_GROUP_KEY,
  BOX_GROUP_WORDS,
  BOX_HEAD_BOUNDS,
  BOX_HEAD_KEY,
  BOX_HEAD_WORDS,
  BOX_STACK_WORD,
  LINE_HEAD_KEY,
  LINE_HEAD_MAXS,
  LINE_HEAD_MINS,
  LINE_HEAD_MODEL,
  LINE_HEAD_NODES,
  LINE_HEAD_ROOT,
  LINE_HEAD_STUMPS,
  LINE_HEAD_TILE,
  LINE_HEAD_TREE,
  LINE_HEAD_WORDS,
  LINE_STACK_WORD,
  MODEL_ENTITY,
  MODEL_KEEPS_SHIFT,
  MODEL_MAXS,
  MODEL_MINS,
  MODEL_ORIGIN,
  MODEL_OWN_FRAME,
  MODEL_ROOT,
  MODEL_TILE,
  MODEL_WORDS,
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
  TILE_TEXTS,
  TILE_TEXTURES,
  TILE_WORDS,
} from './layout.ts';
import { layout, type Places } from './sections.ts';
import { boxKey, lineKey } from './selection.ts';

const f = Math.fround;

/** A map placed in an assembly. */
export interface UfoaiTile {
  readonly file: UfoaiFile;
  /** Offset in cells, -127 to 127; 0 by default. */
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  /** Offset in levels, 0 to 7; 0 by default. */
  readonly z?: number | undefined;
}

const MAX_TILES = 64;
/** How many neighbouring box heads are skipped together. */
const GROUP_HEADS = 16;

/** Numbers of records. For a tile: where its own begin among all tiles'. */
interface Counts {
  readonly nodes: number;
  readonly planes: number;
  readonly leafs: number;
  readonly leafBrushes: number;
  readonly brushes: number;
  readonly sides: number;
  readonly textures: number;
  readonly lineHeads: number;
  readonly boxHeads: number;
  readonly boxGroups: number;
  readonly models: number;
  /** Words of texts. */
  readonly texts: number;
}

const NONE: Counts = {
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
  texts: 0,
};

/** A tile while it is written into the buffer. */
interface TileBuild {
  readonly number: number;
  readonly file: UfoaiFile;
  readonly cell: readonly [number, number, number];
  readonly shift: readonly [number, number, number];
  /** Plane distances, moved with the tile. */
  readonly dists: Float32Array;
  readonly lineHeads: readonly LineHead[];
  readonly boxHeads: readonly BoxHead[];
  /** Depth of the deepest tree that boxes walk. */
  readonly boxDepth: number;
  readonly texts: Uint8Array;
  /** Where its records begin, and how many it has. */
  readonly first: Counts;
  readonly counts: Counts;
}

/** Lays tiles out in a new buffer, as described in `layout.ts`. */
export function buildWorldData(tiles: readonly UfoaiTile[], shared: boolean): ArrayBufferLike {
  if (tiles.length < 1 || tiles.length > MAX_TILES) {
    throw new RangeError(`tiles must be 1 to ${MAX_TILES}, got ${tiles.length}`);
  }
  const lines = new LineWriter();
  const builds: TileBuild[] = [];
  let total = NONE;
  for (const tile of tiles) {
    const build = prepareTile(tile, builds.length, total, lines);
    builds.push(build);
    total = addCounts(total, build.counts);
  }
  const { places, words } = layout.plan({ ...total, tiles: builds.length, lines: lines.length });
  const data = createBuffer(4 * words, shared);
  const target: Target = { ints: new Int32Array(data), floats: new Float32Array(data), places };
  layout.write(target.ints, places);
  target.ints[LINE_STACK_WORD] = lines.depth + 1;
  target.ints[BOX_STACK_WORD] = Math.max(...builds.map(({ boxDepth }) => boxDepth)) + 1;
  lines.copyTo(target.ints, places.lines.first);
  for (const build of builds) {
    writeTile(target, build);
    writeNodes(target, build);
    writeBrushes({ ...target, first: build.first }, build.file, build.dists);
    const surfaceFlags = build.file.textures.map((texture) => texture.surfaceFlags);
    target.ints.set(surfaceFlags, target.places.textures.first + build.first.textures);
    writeLineHeads(target, build);
    writeBoxHeads(target, build);
    writeModels(target, build);
  }
  return data;
}

function addCounts(a: Counts, b: Counts): Counts {
  const names = Object.keys(NONE) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as unknown as Counts;
}

function prepareTile(tile: UfoaiTile, number: number, first: Counts, lines: LineWriter): TileBuild {
  const { file } = tile;
  const cell = checkCell(tile, number);
  const shift = [CELL_SIZE * cell[0], CELL_SIZE * cell[1], LEVEL_HEIGHT * cell[2]] as const;
  const dists = shiftedDists(file, shift);
  const { boxHeads, depth: boxDepth } = collectBoxHeads(file, dists);
  const lineHeads = buildLineHeads(file, dists, shift, lines);
  const texts = packTexts([file.entities, ...file.textures.map(({ name }) => name)]);
  const counts: Counts = {
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
    texts: Math.ceil(texts.length / 4),
  };
  return { number, file, cell, shift, dists, lineHeads, boxHeads, boxDepth, texts, first, counts };
}

function checkCell({ x = 0, y = 0, z = 0 }: UfoaiTile, number: number): [number, number, number] {
  const tile = `maps[${number}]`;
  checkWhole(x, `${tile}.x`, -127, 127);
  checkWhole(y, `${tile}.y`, -127, 127);
  checkWhole(z, `${tile}.z`, 0, 7);
  return [x, y, z];
}

/** The engine moves a plane by three successive additions. */
export function shiftedDists({ planes }: UfoaiFile, shift: ArrayLike<number>): Float32Array {
  const dists = Float32Array.from(planes.dists);
  for (let i = 0; i < planes.count; i++) {
    for (let k = 0; k < 3; k++) dists[i]! += f(planes.normals[3 * i + k]! * shift[k]!);
  }
  return dists;
}

interface Target {
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly places: Places;
}

function writeTile({ ints, floats, places }: Target, tile: TileBuild): void {
  const { file, cell, shift, first, counts, texts } = tile;
  const at = places.tiles.first + TILE_WORDS * tile.number;
  ints.set(cell, at + TILE_CELL);
  floats.set(shift, at + TILE_SHIFT);
  const { mins, maxs } = file.routing;
  for (let axis = 0; axis < 3; axis++) {
    const size = axis === 2 ? LEVEL_HEIGHT : CELL_SIZE;
    const zero = axis === 2 ? 0 : WORLD_CELLS / 2;
    floats[at + TILE_MINS + axis] = (mins[axis]! + cell[axis]! - zero) * size;
    floats[at + TILE_MAXS + axis] = (maxs[axis]! + cell[axis]! - zero) * size + size;
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
  const textsPlace = places.texts.first + first.texts;
  ints.set([textsPlace, texts.length], at + TILE_TEXTS);
  new Uint8Array(ints.buffer).set(texts, 4 * textsPlace);
}

function writeNodes({ ints, floats, places }: Target, { file, dists, shift, first }: TileBuild): void {
  const { planes, nodes } = file;
  let at = places.nodes.first + NODE_WORDS * first.nodes;
  for (let i = 0; i < nodes.count; i++, at += NODE_WORDS) {
    const plane = nodes.planes[i]!;
    const [front, back] = [nodes.children[2 * i]!, nodes.children[2 * i + 1]!];
    if (plane < 0) {
      const { axis, dist } = unionSplit(file, shift, front, back);
      ints[at] = axis < 0 ? 6 : 4 + axis;
      floats[at + 1] = dist;
    } else {
      ints[at] = Math.min(3, planes.types[plane]!) + 16 * (plane + first.planes);
      floats[at + 1] = dists[plane]!;
    }
    ints[at + 2] = front < 0 ? front - first.leafs : front + first.nodes;
    ints[at + 3] = back < 0 ? back - first.leafs : back + first.nodes;
  }
}

function writeLineHeads({ ints, floats, places }: Target, tile: TileBuild): void {
  const { file, shift, first } = tile;
  let at = places.lineHeads.first + LINE_HEAD_WORDS * first.lineHeads;
  for (const { model, root, nodes, stumps } of tile.lineHeads) {
    const { mins, maxs, headNode } = file.models[model]!;
    ints[at + LINE_HEAD_MODEL] = model;
    ints[at + LINE_HEAD_TILE] = tile.number;
    ints[at + LINE_HEAD_TREE] = root && places.lines.first + root;
    ints[at + LINE_HEAD_NODES] = nodes;
    ints[at + LINE_HEAD_STUMPS] = stumps;
    ints[at + LINE_HEAD_KEY] = lineKey(model);
    ints[at + LINE_HEAD_ROOT] = model < REGULAR_MODELS ? first.nodes + headNode : -1;
    for (let axis = 0; axis < 3; axis++) {
      floats[at + LINE_HEAD_MINS + axis] = mins[axis]! + shift[axis]!;
      floats[at + LINE_HEAD_MAXS + axis] = maxs[axis]! + shift[axis]!;
    }
    at += LINE_HEAD_WORDS;
  }
}

function writeBoxHeads({ ints, floats, places }: Target, { boxHeads, first }: TileBuild): void {
  let at = places.boxHeads.first + BOX_HEAD_WORDS * first.boxHeads;
  let groupAt = places.boxGroups.first + BOX_GROUP_WORDS * first.boxGroups;
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
      at += BOX_HEAD_WORDS;
    }
    floats.set(bounds, groupAt);
    ints.set([first.boxHeads + i, group.length], groupAt + BOX_GROUP_HEADS);
    ints[groupAt + BOX_GROUP_KEY] = key;
    groupAt += BOX_GROUP_WORDS;
  }
}

function writeModels({ ints, floats, places }: Target, tile: TileBuild): void {
  const { file, shift, first, counts } = tile;
  if (counts.models === 0) return;
  const entities = parseEntities(file.entities, 'ufoai');
  const entityOf = new Map<number, number>();
  for (const [number, entity] of entities.entries()) {
    const model = entityModel(entity);
    if (model !== undefined && !entityOf.has(model)) entityOf.set(model, number);
  }
  let at = places.models.first + MODEL_WORDS * first.models;
  for (const [k, { mins, maxs, headNode }] of file.models.slice(REGULAR_MODELS).entries()) {
    const number = entityOf.get(k + 1) ?? -1;
    const entity = entities[number];
    const origin = entity && entityVector(entity, 'origin');
    ints[at + MODEL_TILE] = tile.number;
    ints[at + MODEL_ROOT] = headNode < 0 ? -1 : first.nodes + headNode;
    ints[at + MODEL_OWN_FRAME] = origin ? 1 : 0;
    ints[at + MODEL_ENTITY] = number;
    const unshifted = origin !== undefined && originFollowsModel(entity!);
    ints[at + MODEL_KEEPS_SHIFT] = origin && !unshifted ? 1 : 0;
    for (let axis = 0; axis < 3; axis++) {
      const offset = shift[axis]!;
      floats[at + MODEL_ORIGIN + axis] = origin ? f(origin[axis]!) + offset : 0;
      const low = f(f(mins[axis]! - 1) + offset);
      const high = f(f(maxs[axis]! + 1) + offset);
      floats[at + MODEL_MINS + axis] = unshifted ? low - offset : low;
      floats[at + MODEL_MAXS + axis] = unshifted ? high - offset : high;
    }
    at += MODEL_WORDS;
  }
}

/** The engine reads an entity's keys in order, and applies an origin only if it has read the model before it. */
function originFollowsModel(entity: Entity): boolean {
  const keys = Object.keys(entity);
  return keys.indexOf('origin') > keys.indexOf('model');
}
