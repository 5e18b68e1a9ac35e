import type { Bounds, PointClassifier, Vec3, VisibilityWorld } from '@bspkit/core';
import { checkArrayOf, checkBounds, checkKind, checkMask, checkPoint, checkWhole } from '@bspkit/core/format';
import { readCorners } from './area.ts';
import type { Bodies } from './bodies.ts';
import type { Collider } from './collider.ts';

/** A world that knows which of its leafs see each other. */
export interface SeeingWorld extends PointClassifier, VisibilityWorld {
  /** Cluster of a leaf, in formats with clusters: below 0 for a leaf that is in solid or outside the map. */
  cluster?(leaf: number): number;
}

/** A world that knows which of its leafs hear each other, too. */
export interface HearingWorld extends SeeingWorld {
  hearable(from: number, to: number): boolean;
}

/** A world that is divided into areas, which are connected by portals that the game opens and closes. */
interface AreaWorld extends SeeingWorld {
  area(leaf: number): number;
  areasConnected(a: number, b: number): boolean;
}

const SEEING = ['leaf', 'boxLeafs', 'visible'] as const satisfies (keyof SeeingWorld)[];
const HEARING = [...SEEING, 'hearable'] as const satisfies (keyof HearingWorld)[];
const DIVIDED = [...SEEING, 'area', 'areasConnected'] as const satisfies (keyof AreaWorld)[];

/** Says why a world lacks some functions; `undefined` if it has them. */
function whyNot(
  world: Collider | undefined,
  names: readonly (keyof (AreaWorld & HearingWorld))[],
): string | undefined {
  if (world === undefined) return 'the scene has no world';
  const lacking = names.filter(
    (name) => typeof (world as Partial<AreaWorld & HearingWorld>)[name] !== 'function',
  );
  return lacking.length === 0
    ? undefined
    : `the world lacks ${lacking.map((name) => `${name}()`).join(', ')}`;
}

/** A body's leafs are counted first, before there is room for them. */
const FIRST_LEAFS = 8;
const NO_LEAFS: Int32Array = new Int32Array(0);
/** More leafs than fit into any map: such a count is a mistake, and would fill the memory. */
const MOST_LEAFS = 2 ** 24;

/** Finds the bodies of a scene that may be seen or heard, by the world's potentially visible and hearable sets. */
export class Seer {
  private readonly _bodies: Bodies;
  private readonly _world: SeeingWorld | undefined;
  /** The same world if it knows what is heard. */
  private readonly _hearing: HearingWorld | undefined;
  private readonly _hasClusters: boolean;
  /** The world if its area portals hide bodies. */
  private readonly _divided: AreaWorld | undefined;
  private readonly _mins: Float32Array = new Float32Array(3);
  private readonly _maxs: Float32Array = new Float32Array(3);
  /** By body: the leafs that it touches, how many there are, and the body's change for which they were found. */
  private readonly _leafs: Int32Array[] = [];
  private _counts: Int32Array = new Int32Array(0);
  private _changes: Float64Array = new Float64Array(0);
  /** The leafs that the eye is in, and how many there are. */
  private _eye: Int32Array = new Int32Array(FIRST_LEAFS);
  private _numEye = 0;
  /** How many leafs the latest box touches. */
  private _numTouched = 0;
  /** Area that the eye is in. */
  private _eyeArea = 0;
  private readonly _middle: Float32Array = new Float32Array(3);
  /**
   * The corners of the eye's box, both at the eye if that is a point. Read before the world is asked: their numbers may be getters,
   * which ask too.
   */
  private readonly _corners: Float32Array = new Float32Array(6);
  private readonly _low: Float32Array = this._corners.subarray(0, 3);
  private readonly _high: Float32Array = this._corners.subarray(3);
  private _isAsking = false;

  constructor(bodies: Bodies, areaPortals: boolean) {
    this._bodies = bodies;
    const { world } = bodies;
    if (whyNot(world, SEEING) === undefined) this._world = world as SeeingWorld;
    if (whyNot(world, HEARING) === undefined) this._hearing = world as HearingWorld;
    this._hasClusters = typeof this._world?.cluster === 'function';
    if (!areaPortals) return;
    const why = whyNot(world, DIVIDED);
    if (why !== undefined) throw new TypeError(`areaPortals must be false, as ${why}`);
    this._divided = world as AreaWorld;
  }

  /** @throws as the scene's `visibleFrom`, and TypeError when the world has no visibility. */
  visible(eye: Vec3 | Bounds, mask: number, out: Int32Array): number {
    if (this._world === undefined) {
      throw new TypeError(`${whyNot(this._bodies.world, SEEING)}, so it cannot be known what may be seen`);
    }
    return this._ask(undefined, eye, 'eye', mask, out);
  }

  /** @throws as the scene's `hearableFrom`, and TypeError when the world has no hearable sets. */
  hearable(ear: Vec3 | Bounds, mask: number, out: Int32Array): number {
    if (this._hearing === undefined) {
      throw new TypeError(`${whyNot(this._bodies.world, HEARING)}, so it cannot be known what may be heard`);
    }
    return this._ask(this._hearing, ear, 'ear', mask, out);
  }

  /** @param hearing - given if it is asked what is heard, not what is seen. */
  private _ask(
    hearing: HearingWorld | undefined,
    eye: Vec3 | Bounds,
    name: string,
    mask: number,
    out: Int32Array,
  ): number {
    const { _bodies: bodies } = this;
    checkKind(typeof eye === 'object' && eye !== null, eye, name, 'a point or a box');
    const isBox = 'mins' in eye || 'maxs' in eye;
    if (isBox) checkBounds(eye.mins, eye.maxs);
    else checkPoint(eye, name);
    checkMask(mask, 'mask');
    checkArrayOf(out, Int32Array, 'out', 'an');
    if (this._isAsking)
      throw new Error('a world cannot ask what is seen or heard in the scene that is asking it');
    readCorners(isBox ? eye.mins : eye, isBox ? eye.maxs : eye, this._corners);
    this._isAsking = true;
    bodies.busy++;
    try {
      if (isBox) this._lookFrom();
      else {
        this._numEye = 1;
        this._eye[0] = this._world!.leaf(this._low);
      }
      if (this._divided) this._eyeArea = this._divided.area(isBox ? this._middleLeaf() : this._eye[0]!);
      return this._find(hearing, mask, out);
    } finally {
      this._isAsking = false;
      bodies.busy--;
    }
  }

  /**
   * Finds the leafs that an eye with the size of a box looks from: not walls that it reaches into. If there are no others, it
   * sees everything.
   */
  private _lookFrom(): void {
    const eye = this._touch(this._low, this._high, this._eye);
    this._eye = eye;
    this._numEye = 0;
    for (let k = 0; k < this._numTouched; k++) {
      const leaf = eye[k]!;
      if (this._isInside(leaf)) eye[this._numEye++] = leaf;
    }
  }

  /** Whether a leaf is in the map: neither in solid nor outside. */
  private _isInside(leaf: number): boolean {
    return !this._hasClusters || this._world!.cluster!(leaf) >= 0;
  }

  /** An eye's area is where the eye itself is, however wide the box around it. */
  private _middleLeaf(): number {
    const { _middle: middle, _low: mins, _high: maxs } = this;
    for (let k = 0; k < 3; k++) middle[k] = mins[k]! + (maxs[k]! - mins[k]!) / 2;
    return this._world!.leaf(middle);
  }

  /** Writes the leafs that a box touches, and returns where: to a longer array if they don't fit into that one. */
  private _touch(mins: Vec3, maxs: Vec3, leafs: Int32Array): Int32Array {
    const world = this._world!;
    const count = world.boxLeafs(mins, maxs, leafs);
    checkWhole(count, 'what world.boxLeafs() returns', 0, MOST_LEAFS);
    this._numTouched = count;
    if (count <= leafs.length) return leafs;
    const longer = new Int32Array(2 * count);
    world.boxLeafs(mins, maxs, longer);
    return longer;
  }

  private _find(hearing: HearingWorld | undefined, mask: number, out: Int32Array): number {
    const { _bodies: bodies } = this;
    const { capacity } = bodies;
    if (this._counts.length < capacity) this._grow(capacity);
    let count = 0;
    for (let body = 1; body < capacity; body++) {
      if (!bodies.has(body) || !bodies.shares(body, mask)) continue;
      if (this._changes[body] !== bodies.changes[body]) this._link(body);
      if (!this._reaches(body) || !this._sees(hearing, body)) continue;
      if (count < out.length) out[count] = body;
      count++;
    }
    return count;
  }

  /** Whether open portals connect the eye's area with any area that a body is in: doors are in two. */
  private _reaches(body: number): boolean {
    const world = this._divided;
    if (!world) return true;
    const leafs = this._leafs[body]!;
    for (let k = 0; k < this._counts[body]!; k++) {
      const leaf = leafs[k]!;
      if (this._isInside(leaf) && world.areasConnected(this._eyeArea, world.area(leaf))) return true;
    }
    return false;
  }

  private _sees(hearing: HearingWorld | undefined, body: number): boolean {
    const { _eye: eye, _numEye: numEye } = this;
    const world = this._world!;
    const leafs = this._leafs[body]!;
    const count = this._counts[body]!;
    for (let from = 0; from < numEye; from++) {
      const at = eye[from]!;
      // A loop for each, as these calls are most of the work.
      if (hearing) {
        for (let k = 0; k < count; k++) if (hearing.hearable(at, leafs[k]!)) return true;
      } else {
        for (let k = 0; k < count; k++) if (world.visible(at, leafs[k]!)) return true;
      }
    }
    return numEye === 0 && count > 0;
  }

  /** Finds the leafs that a body touches. */
  private _link(body: number): void {
    const { _mins: mins, _maxs: maxs, _leafs: leafs } = this;
    this._bodies.readLinked(body, mins, maxs);
    if (leafs[body]!.length === 0) leafs[body] = new Int32Array(FIRST_LEAFS);
    leafs[body] = this._touch(mins, maxs, leafs[body]!);
    this._counts[body] = this._numTouched;
    this._changes[body] = this._bodies.changes[body]!;
  }

  private _grow(capacity: number): void {
    while (this._leafs.length < capacity) this._leafs.push(NO_LEAFS);
    // All leafs are found again: no body's latest change is 0.
    this._counts = new Int32Array(capacity);
    this._changes = new Float64Array(capacity);
  }
}
