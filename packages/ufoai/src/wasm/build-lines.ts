import { STACK, Writer } from '@bspkit/brushes';
import { L_SLACK, type WorldMemory } from '../kernel/memory.ts';
import {
  LINE_BLOCKED,
  LINE_BOX,
  LINE_BOX_WORDS,
  LINE_HEAD_KEY,
  LINE_HEAD_TREE,
  LINE_OBLIQUE,
  LINE_OPEN,
  LINE_STACK_WORD,
  LINE_UNION,
  SECTIONS,
  TILE_LINE_HEADS,
  TILE_LINE_MINS,
} from '../layout.ts';
import {
  BRANCH_BYTES,
  BRANCH_FIRST,
  BRANCH_SECOND,
  ENTRY_BYTES,
  ENTRY_END,
  ENTRY_FIRST,
  ENTRY_KEY,
  LANES,
  LEAFS_BACK,
  LEAFS_BLOCKED,
  LINE_FRAME_BYTES,
  LINE_ROOM,
  LINK_BLOCKED,
  LINK_BRANCH,
  LINK_OPEN,
  TILE_BYTES,
  TILE_LINE_HEADS as TILE_HEADS,
  TILE_LINE_BOUNDS,
  TILES,
  TILES_END,
  TREELET_BYTES,
  TREELET_LEAFS,
  TREELET_LINKS,
  TREELET_PLACES,
} from './layout.ts';

/** Nodes of a treelet: as many as a vector has lanes. */
const LANE_COUNT = 4;
/** A plane that everything is in front of, for lanes without a node. */
const NOWHERE = -1e9;

/** What the kernel needs of a world to trace lines, laid out as `layout.ts` says. */
export function buildLines(memory: WorldMemory): Writer {
  const { ints, floats, places, line } = memory;
  const out = new Writer(STACK + LINE_FRAME_BYTES * ints[LINE_STACK_WORD]!);
  const tiles = out.take(TILE_BYTES * places.tiles.count);
  out.ints[TILES >> 2] = tiles;
  out.ints[TILES_END >> 2] = tiles + TILE_BYTES * places.tiles.count;
  writeLanes(out);
  out.floats[LINE_ROOM >> 2] = line[L_SLACK]!;
  const trees = new TreeletBuilder(memory, out);
  for (let tile = 0; tile < places.tiles.count; tile++) {
    const record = places.tiles.first + SECTIONS.tiles * tile;
    const at = tiles + TILE_BYTES * tile;
    out.bounds(at + TILE_LINE_BOUNDS, floats, record + TILE_LINE_MINS);
    const first = ints[record + TILE_LINE_HEADS]!;
    const numbers: number[] = [];
    for (let head = first; head < first + ints[record + TILE_LINE_HEADS + 1]!; head++) {
      // The first stays even when nothing in it blocks: a phantom asks whether it is selected.
      if (head === first || treeOf(memory, head) !== LINE_OPEN) numbers.push(head);
    }
    const heads = out.take(ENTRY_BYTES * numbers.length);
    out.ints[(at + TILE_HEADS) >> 2] = heads;
    out.ints[(at + TILE_HEADS + 4) >> 2] = heads + ENTRY_BYTES * numbers.length;
    for (const [k, head] of numbers.entries()) {
      const entry = heads + ENTRY_BYTES * k;
      const tree = treeOf(memory, head);
      out.ints[(entry + ENTRY_KEY) >> 2] =
        ints[places.lineHeads.first + SECTIONS.lineHeads * head + LINE_HEAD_KEY]!;
      out.ints[(entry + ENTRY_END) >> 2] = head;
      if (tree === LINE_OPEN) continue;
      out.bounds(entry, floats, tree + 1);
      // The head has the bounds, so its link leads past them.
      const link = trees.link(tree + LINE_BOX_WORDS);
      out.ints[(entry + ENTRY_FIRST) >> 2] = link;
    }
  }
  return out;
}

function treeOf({ ints, places }: WorldMemory, head: number): number {
  return ints[places.lineHeads.first + SECTIONS.lineHeads * head + LINE_HEAD_TREE]!;
}

function writeLanes({ ints }: Writer): void {
  for (let lane = 0; lane < LANE_COUNT; lane++) {
    ints.fill(0x03020100 + 0x04040404 * lane, (LANES >> 2) + 4 * lane, (LANES >> 2) + 4 * lane + 4);
  }
}

/** Puts the nodes of trees together in fours. */
class TreeletBuilder {
  private readonly _memory: WorldMemory;
  private readonly _out: Writer;
  /** Links made so far, by the place of the node. */
  private readonly _links: Map<number, number> = new Map();
  /** Open leafs below a node, by its place. */
  private readonly _weights: Map<number, number> = new Map();

  constructor(memory: WorldMemory, out: Writer) {
    this._memory = memory;
    this._out = out;
  }

  /** The link to what lies at a place of the lines' section, and all below it. */
  link(place: number): number {
    if (place === LINE_OPEN) return LINK_OPEN;
    if (place === LINE_BLOCKED) return LINK_BLOCKED;
    let link = this._links.get(place);
    if (link === undefined) {
      const kind = this._memory.ints[place]!;
      link = kind === LINE_BOX || kind === LINE_UNION ? this._branch(place) : this._treelet(place);
      this._links.set(place, link);
    }
    return link;
  }

  private _branch(place: number): number {
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
    const first = this.link(isUnion ? ints[node + 2]! : node);
    const second = isUnion ? this.link(ints[node + 3]!) : LINK_OPEN;
    out.ints[(at + BRANCH_FIRST) >> 2] = first;
    out.ints[(at + BRANCH_SECOND) >> 2] = second;
    return at | LINK_BRANCH;
  }

  private _treelet(root: number): number {
    const { ints, floats } = this._memory;
    const out = this._out;
    const at = out.take(TREELET_BYTES);
    const nodes = this._choose(root);
    for (let k = 0; k < LANE_COUNT; k++) {
      const node = nodes[k];
      const word = (at >> 2) + k;
      if (node === undefined) {
        out.floats[word + 12] = NOWHERE;
        continue;
      }
      const kind = ints[node]!;
      for (let axis = 0; axis < 3; axis++) {
        out.floats[word + 4 * axis] =
          kind === LINE_OBLIQUE ? floats[node + 4 + axis]! : axis === kind ? 1 : 0;
      }
      out.floats[word + 12] = floats[node + 1]!;
      out.ints[word + (TREELET_PLACES >> 2)] = node;
      let leafs = 0;
      if (ints[node + 2] === LINE_OPEN) leafs |= 1;
      if (ints[node + 3] === LINE_OPEN) leafs |= 1 << LEAFS_BACK;
      if (ints[node + 2] === LINE_BLOCKED || ints[node + 3] === LINE_BLOCKED) leafs |= 1 << LEAFS_BLOCKED;
      out.ints[(at + TREELET_LEAFS) >> 2]! |= leafs << k;
    }
    for (let sides = 0; sides < 16; sides++) {
      let path = 0;
      let place = root;
      for (;;) {
        const k = nodes.indexOf(this._skipBox(place));
        if (k < 0 || (path & (1 << k)) !== 0) break;
        path |= 1 << k;
        place = ints[nodes[k]! + 2 + ((sides >> k) & 1)]!;
      }
      const link = this.link(place);
      out.ints[((at + TREELET_LINKS) >> 2) + sides] = link | path;
    }
    return at;
  }

  /** The node that a child is when its bounds are not asked. */
  private _skipBox(place: number): number {
    return place > LINE_OPEN && this._memory.ints[place] === LINE_BOX ? place + LINE_BOX_WORDS : place;
  }

  /** The nodes of a treelet: from the root on always the child with the most open leafs below it. */
  private _choose(root: number): number[] {
    const { ints } = this._memory;
    const nodes = [root];
    const edge: number[] = [];
    for (let node = root; ; ) {
      const [front, back] = [this._skipBox(ints[node + 2]!), this._skipBox(ints[node + 3]!)];
      // The children of a phantom are one tree, which is there already.
      for (const child of front === back ? [] : [front, back]) {
        if (child > LINE_OPEN && ints[child]! < LINE_UNION) edge.push(child);
      }
      if (edge.length === 0 || nodes.length === LANE_COUNT) return nodes;
      let best = 0;
      for (let k = 1; k < edge.length; k++) if (this._weight(edge[k]!) > this._weight(edge[best]!)) best = k;
      node = edge.splice(best, 1)[0]!;
      nodes.push(node);
    }
  }

  private _weight(place: number): number {
    if (place <= LINE_OPEN) return place === LINE_OPEN ? 1 : 0;
    const node = this._skipBox(place);
    let weight = this._weights.get(node);
    if (weight === undefined) {
      const { ints } = this._memory;
      weight = this._weight(ints[node + 2]!) + this._weight(ints[node + 3]!);
      this._weights.set(node, weight);
    }
    return weight;
  }
}
