import { BspError } from '@bspkit/core';
import { showValue } from '@bspkit/core/format';
import type { Random } from './random.ts';
import { ANYTHING, COVERED, GRID_FIELDS, type UmpAssembly, type UmpTile } from './ump.ts';

// The game's search for a place for every tile, step by step: what it draws, and in which order it tries, decides what the map
// becomes.

/** Gaps that can be covered in at most this many ways are filled in the order of how many ways they have. */
const MOST_WAYS = 25;
const GAP = MOST_WAYS + 1;
/** The most ways to place a tile that are kept, and the most tiles of a map. */
const MOST_PLACES = 1700;
const MOST_TILES = 64;

/** A kind of tile to be placed. */
export interface ToPlace {
  readonly tile: UmpTile;
  readonly min: number;
  readonly max: number;
  /** How many have been placed. */
  count: number;
}

/** A tile and where it is, in fields. */
export interface Placed {
  readonly tile: UmpTile;
  readonly x: number;
  readonly y: number;
  /** Which kind it is, and which of the drawn places it has; -1 for fixed ones. */
  readonly kind: number;
  readonly place: number;
}

/** Puts tiles on an assembly's fields. */
export class Puzzle {
  readonly placed: Placed[] = [];
  private readonly _assembly: UmpAssembly;
  private readonly _kinds: ToPlace[];
  private readonly _lines: number;
  /** What each field has or asks for. */
  private readonly _fields: Int32Array = new Int32Array(GRID_FIELDS * GRID_FIELDS);
  /** For each field, in how many ways it can be covered, or -1 if it is; then the first of these ways. Shared by all depths. */
  private readonly _gaps: Int32Array = new Int32Array(GRID_FIELDS * GRID_FIELDS * GAP);
  private readonly _size: number;
  private _fixed = 0;
  private readonly _limit: number;
  private _looks = 0;

  /** @param limit - how many fields are looked at before the search gives up. */
  constructor(assembly: UmpAssembly, kinds: ToPlace[], lines: number, limit: number) {
    this._limit = limit;
    this._assembly = assembly;
    this._kinds = kinds;
    this._lines = lines;
    this._size = assembly.width * assembly.height;
  }

  /** Clears everything, and places the fixed tiles. */
  start(fixed: readonly { readonly tile: UmpTile; readonly x: number; readonly y: number }[]): void {
    this.placed.length = 0;
    this._fields.fill(ANYTHING);
    for (const kind of this._kinds) kind.count = 0;
    for (const { tile, x, y } of fixed) this._add(tile, x, y, -1, -1);
    this._fixed = fixed.length;
  }

  /**
   * What makes it impossible to fill the map, whatever is drawn; `undefined` if only a search can tell. To be asked after
   * {@link start}: a search would try all places of the other tiles to find the same.
   */
  impossible(): string | undefined {
    const { _kinds: kinds, _fields: fields } = this;
    const { width, height } = this._assembly;
    // The game fills nothing then.
    if (kinds.length === 0) return undefined;
    const coverable = new Uint8Array(GRID_FIELDS * GRID_FIELDS);
    const most = kinds.map(({ tile, max }) => Math.min(max, this._mark(tile, coverable)));
    for (const [at, { tile, min }] of kinds.entries()) {
      const places = most[at]!;
      if (places < min)
        return `there must be ${min} of ${showValue(tile.name)}, and there is room for ${places}`;
    }
    let open = 0;
    for (let y = 1; y <= height; y++) {
      for (let x = 1; x <= width; x++) {
        const field = y * GRID_FIELDS + x;
        if ((fields[field]! & COVERED) !== 0) continue;
        if (coverable[field] === 0) return `no tile can cover the field at ${x - 1} ${y - 1}`;
        open++;
      }
    }
    if (this._canCover(open, most)) return undefined;
    return `no allowed numbers of its tiles cover its ${open} free fields`;
  }

  /** Marks the fields that a tile may cover. Returns how many of it there may be, at most. */
  private _mark({ width, height, fields }: UmpTile, coverable: Uint8Array): number {
    const { _assembly: assembly, _fields: own } = this;
    const covered = Array.from(fields.keys()).filter((k) => (fields[k]! & COVERED) !== 0);
    let places = 0;
    for (let y = 0; y < assembly.height && y + height <= assembly.height + 2; y += assembly.gridY) {
      for (let x = 0; x < assembly.width && x + width <= assembly.width + 2; x += assembly.gridX) {
        const fieldOf = (k: number): number => (y + Math.trunc(k / width)) * GRID_FIELDS + x + (k % width);
        // Its border is no matter: what covers a field may have more than was asked of it.
        const isFit = covered.every((k) => {
          const field = own[fieldOf(k)]!;
          return (field & COVERED) === 0 && (field & fields[k]!) !== 0;
        });
        if (!isFit) continue;
        places++;
        for (const k of covered) coverable[fieldOf(k)] = 1;
      }
    }
    // One that covers nothing may lie on others of its kind.
    return places > 0 && covered.length === 0 ? Infinity : places;
  }

  /** Whether any numbers of tiles, no more than `most` of each kind and as many as must be there, cover so many fields. */
  private _canCover(open: number, most: readonly number[]): boolean {
    const sums = new Uint8Array(open + 1);
    sums[0] = 1;
    for (const [at, { tile, min }] of this._kinds.entries()) {
      const { width, height, fields, area } = tile;
      // There may be millions of a tile that covers nothing, and they change no sum.
      if (area === 0) continue;
      // A tile may cover fields with its border too, which may lie beyond those of the map.
      const inner = fields.filter((asked, k) => {
        const [x, y] = [k % width, Math.trunc(k / width)];
        return (asked & COVERED) !== 0 && x > 0 && y > 0 && x < width - 1 && y < height - 1;
      }).length;
      // Each number of tiles gives a range of sums: how many of these begin at a sum, less those that have ended before it.
      const ranges = new Int32Array(open + 2);
      for (let sum = 0; sum <= open; sum++) {
        if (sums[sum] === 0) continue;
        for (let count = min; count <= most[at]! && sum + count * inner <= open; count++) {
          ranges[sum + count * inner]!++;
          ranges[Math.min(sum + count * area, open) + 1]!--;
        }
      }
      let within = 0;
      for (let sum = 0; sum <= open; sum++) {
        within += ranges[sum]!;
        sums[sum] = Math.min(within, 1);
      }
    }
    return sums[open] === 1;
  }

  /** Places the tiles that must be there, each in the first place that lets the others fit, and fills the gaps. */
  solve(random: Random): boolean {
    const { _kinds: kinds } = this;
    const { width } = this._assembly;
    const places = shuffled(this._size, random);
    let place = 0;
    let at = 0;
    while (at < kinds.length) {
      const kind = kinds[at]!;
      while (kind.count < kind.min) {
        for (; place < places.length; place++) {
          const x = places[place]! % width;
          const y = Math.trunc(places[place]! / width);
          if (this._isOnGrid(x, y) && this._fits(kind.tile, x, y)) {
            this._add(kind.tile, x, y, at, place);
            break;
          }
        }
        if (place < places.length) continue;
        if (kind.count === 0) break;
        place = this._remove().place + 1;
      }
      if (place < places.length) {
        place = 0;
        if (++at < kinds.length || this._fill(random)) continue;
      }
      if (this.placed.length === this._fixed) return false;
      const last = this._remove();
      at = last.kind;
      place = last.place + 1;
    }
    return true;
  }

  private _isOnGrid(x: number, y: number): boolean {
    return x % this._assembly.gridX === 0 && y % this._assembly.gridY === 0;
  }

  private _isFilled(): boolean {
    const { width, height } = this._assembly;
    for (let y = 1; y <= height; y++) {
      for (let x = 1; x <= width; x++) if ((this._fields[y * GRID_FIELDS + x]! & COVERED) === 0) return false;
    }
    return true;
  }

  private _look(count: number): void {
    this._looks += count;
    if (this._looks > this._limit) {
      throw new BspError(
        'limit',
        { format: 'ufoai' },
        `no way to fill assembly ${showValue(this._assembly.name)} was found in ${this._limit} steps`,
      );
    }
  }

  private _fits({ width, height, fields }: UmpTile, x: number, y: number): boolean {
    const { _fields: own, _assembly: assembly } = this;
    if (x + width > assembly.width + 2 || y + height > assembly.height + 2) return false;
    this._look(width * height);
    for (let v = 0; v < height; v++) {
      for (let u = 0; u < width; u++) {
        const both = own[(y + v) * GRID_FIELDS + x + u]! & fields[v * width + u]!;
        if (both === 0 || (both & COVERED) !== 0) return false;
      }
    }
    return true;
  }

  private _combine({ width, height, fields }: UmpTile, x: number, y: number): void {
    const { _fields: own } = this;
    this._look(width * height);
    for (let v = 0; v < height; v++) {
      for (let u = 0; u < width; u++) {
        const at = (y + v) * GRID_FIELDS + x + u;
        const asked = fields[v * width + u]!;
        if ((own[at]! & COVERED) !== 0 || asked === ANYTHING) continue;
        own[at] = (asked & COVERED) !== 0 ? asked : own[at]! & asked;
      }
    }
  }

  private _add(tile: UmpTile, x: number, y: number, kind: number, place: number): void {
    if (this.placed.length >= MOST_TILES) {
      const problem = `assembly ${showValue(this._assembly.name)} takes more than ${MOST_TILES} tiles`;
      throw new BspError('limit', { format: 'ufoai' }, problem);
    }
    this._combine(tile, x, y);
    this.placed.push({ tile, x, y, kind, place });
    if (kind >= 0) this._kinds[kind]!.count++;
  }

  /** Takes the last tile away, and lays the others again. */
  private _remove(): Placed {
    const last = this.placed.pop()!;
    if (last.kind >= 0) this._kinds[last.kind]!.count--;
    this._fields.fill(ANYTHING);
    this._look(GRID_FIELDS * GRID_FIELDS);
    for (let k = this.placed.length - 1; k >= 0; k--) {
      const { tile, x, y } = this.placed[k]!;
      this._combine(tile, x, y);
    }
    return last;
  }

  /** Fills the gaps between the tiles that must be there. */
  private _fill(random: Random): boolean {
    const { _kinds: kinds } = this;
    const { width } = this._assembly;
    const places = shuffled(this._size, random);
    const order = shuffled(kinds.length, random);
    if (this._isFilled()) return true;
    let ways: number[] = [];
    for (const place of places) {
      const x = place % width;
      const y = Math.trunc(place / width);
      if (!this._isOnGrid(x, y)) continue;
      // Tiles of which there are enough, or that are too large, take time too, and there may be many.
      this._look(kinds.length);
      const first = random.below(kinds.length);
      for (let k = first; k < kinds.length + first; k++) {
        const at = order[k % kinds.length]!;
        const { tile, count, max } = kinds[at]!;
        if (count < max && this._fits(tile, x, y)) ways.push(place * kinds.length + at);
      }
    }
    if (ways.length > MOST_PLACES) {
      const problem = `assembly ${showValue(this._assembly.name)} has more than ${MOST_PLACES} places for tiles`;
      throw new BspError('limit', { format: 'ufoai' }, problem);
    }
    for (;;) {
      this._findGaps(ways);
      if (!this._areCovered()) return false;
      const useless = this._useless();
      if (useless.size === 0) break;
      ways = ways.filter((way) => !useless.has(way));
    }
    return this._fillGaps(ways, undefined);
  }

  /** Notes in which ways each field can be covered. Returns how many fields are not covered yet. */
  private _findGaps(ways: readonly number[]): number {
    const { _kinds: kinds, _gaps: gaps, _fields: fields } = this;
    const { width, height } = this._assembly;
    let count = 0;
    for (let y = 1; y <= height; y++) {
      for (let x = 1; x <= width; x++) {
        const isCovered = (fields[y * GRID_FIELDS + x]! & COVERED) !== 0;
        gaps[(y * GRID_FIELDS + x) * GAP] = isCovered ? -1 : 0;
        if (!isCovered) count++;
      }
    }
    for (const way of ways) {
      const { tile } = kinds[way % kinds.length]!;
      const place = Math.trunc(way / kinds.length);
      const x = place % width;
      const y = Math.trunc(place / width);
      this._look(tile.width * tile.height);
      for (let v = 0; v < tile.height; v++) {
        for (let u = 0; u < tile.width; u++) {
          if ((tile.fields[v * tile.width + u]! & COVERED) === 0) continue;
          const gap = ((y + v) * GRID_FIELDS + x + u) * GAP;
          const number = ++gaps[gap]!;
          if (number <= MOST_WAYS) gaps[gap + number] = way;
        }
      }
    }
    return count;
  }

  private _areCovered(): boolean {
    const { width, height } = this._assembly;
    for (let y = 1; y <= height; y++) {
      for (let x = 1; x <= width; x++) if (this._gaps[(y * GRID_FIELDS + x) * GAP] === 0) return false;
    }
    return true;
  }

  /** Ways whose tile has nothing for a neighbouring gap, not even in its border: the game leaves them out. */
  private _useless(): Set<number> {
    const { _gaps: gaps } = this;
    const { width, height } = this._assembly;
    const useless = new Set<number>();
    for (let y = 1; y <= height; y++) {
      for (let x = 1; x <= width; x++) {
        const gap = (y * GRID_FIELDS + x) * GAP;
        for (let k = 1; k <= gaps[gap]! && k < MOST_WAYS; k++) {
          const way = gaps[gap + k]!;
          const isUseless =
            this._ignores(way, x + 1, y) ||
            this._ignores(way, x - 1, y) ||
            this._ignores(way, x, y + 1) ||
            this._ignores(way, x, y - 1);
          if (isUseless) useless.add(way);
        }
      }
    }
    return useless;
  }

  private _ignores(way: number, x: number, y: number): boolean {
    const { width, height } = this._assembly;
    if (x < 1 || y < 1 || x > width || y > height) return false;
    const count = this._gaps[(y * GRID_FIELDS + x) * GAP]!;
    return count > 0 && count < MOST_WAYS && this._fieldOf(way, x, y) === 0;
  }

  /** What the tile of a way has or asks for in a field. */
  private _fieldOf(way: number, x: number, y: number): number {
    const { _kinds: kinds } = this;
    const { tile } = kinds[way % kinds.length]!;
    const place = Math.trunc(way / kinds.length);
    const u = x - (place % this._assembly.width);
    const v = y - Math.trunc(place / this._assembly.width);
    return u < 0 || v < 0 || u >= tile.width || v >= tile.height ? 0 : tile.fields[v * tile.width + u]!;
  }

  /** Fills gaps in the ways that still fit, starting with the gap that has the fewest. */
  private _fillGaps(before: readonly number[], last: Placed | undefined): boolean {
    const { _kinds: kinds, _gaps: gaps } = this;
    const { width } = this._assembly;
    const possible = new Map<number, number>();
    const ways: number[] = [];
    this._look(before.length + this._size * 4);
    for (const way of before) {
      const at = way % kinds.length;
      const { tile, count, max } = kinds[at]!;
      const place = Math.trunc(way / kinds.length);
      const x = place % width;
      const y = Math.trunc(place / width);
      if (count >= max || !((last && isApart(tile, x, y, last)) || this._fits(tile, x, y))) continue;
      ways.push(way);
      possible.set(at, (possible.get(at) ?? 0) + 1);
    }
    const open = this._findGaps(ways);
    let most = 0;
    for (const [at, number] of possible) {
      const { tile, count, max } = kinds[at]!;
      most += Math.min(max - count, number) * tile.area;
    }
    if (most < open || !this._areCovered()) return false;
    let gap = this._lines === 0 ? -1 : this._narrowest(true);
    if (gap < 0) gap = this._narrowest(false);
    if (gap >= 0) {
      // It must be covered in one of these ways.
      const number = gaps[gap]!;
      for (let k = 1; k <= number; k++) if (this._try(gaps[gap + k]!, ways)) return true;
      return false;
    }
    for (const way of ways) if (this._try(way, ways)) return true;
    return false;
  }

  /** The first of the gaps with the fewest ways to cover them; -1 if all have too many. */
  private _narrowest(onlyLines: boolean): number {
    const { _gaps: gaps, _fields: fields } = this;
    const { width, height } = this._assembly;
    let [narrowest, fewest] = [-1, MOST_WAYS + 1];
    for (let y = 1; y <= height; y++) {
      for (let x = 1; x <= width; x++) {
        const gap = (y * GRID_FIELDS + x) * GAP;
        const number = gaps[gap]!;
        if (number < 1 || number >= fewest) continue;
        if (onlyLines && (fields[y * GRID_FIELDS + x]! & ~this._lines & ~COVERED) !== 0) continue;
        narrowest = gap;
        fewest = number;
      }
    }
    return narrowest;
  }

  /** Places a tile in a way, and fills the rest. */
  private _try(way: number, ways: readonly number[]): boolean {
    const { _kinds: kinds } = this;
    const at = way % kinds.length;
    const place = Math.trunc(way / kinds.length);
    this._add(
      kinds[at]!.tile,
      place % this._assembly.width,
      Math.trunc(place / this._assembly.width),
      at,
      place,
    );
    if (this._isFilled() || this._fillGaps(ways, this.placed.at(-1))) return true;
    this._remove();
    return false;
  }
}

/** Whether a tile is clear of one that was placed, borders included. */
function isApart(tile: UmpTile, x: number, y: number, last: Placed): boolean {
  const { width, height } = last.tile;
  return (
    x > last.x + width - 1 ||
    y > last.y + height - 1 ||
    last.x > x + tile.width - 1 ||
    last.y > y + tile.height - 1
  );
}

/** Numbers in a random order. */
function shuffled(count: number, random: Random): number[] {
  const list = Array.from({ length: count }, (_, k) => k);
  for (let k = 0; k < count; k++) {
    const other = random.below(count);
    const number = list[other]!;
    list[other] = list[k]!;
    list[k] = number;
  }
  return list;
}
