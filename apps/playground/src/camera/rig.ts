import type { Bounds, Vec3 } from '@bspkit/core';
import { addScaled, cross, subtract } from '@bspkit/geometry';
import type { Mode, View } from '../app/link.ts';
import type { Walker } from '../games/walker.ts';
import type { Intents } from './intents.ts';
import { clamp, directionOf, rightOf, turn, upOf, type Vector } from './math.ts';
import type { Spawn } from './spawn.ts';

/** Degrees per CSS pixel of a drag or of the mouse. */
const LOOK = 0.16;
/** Degrees per second of a key. */
const TURN = 120;
/** Quake units per second. */
const FLY = 480;
const FASTER = 3;
/** A pause of the page is no long step of somebody who walks. */
const LONGEST = 0.1;
/** How soon the eye has followed a step upwards, in seconds. */
const STEP_TIME = 0.1;
const HIGHEST_STEP = 24;
const NEAREST = 16;

/** Degrees that the eye may turn to see something from another side, and how steeply it then looks down. */
const SIDES = [0, 45, -45, 90, -90, 135, -135, 180];
const SLOPES = [30, 60];

/** Milliseconds: some 3,000 units at the games' gravity. */
const LONGEST_FALL = 3000;

/** From so far above a map one falls into it in some three seconds. */
const HIGHEST_DROP = 4096;

/** How many columns are looked at along each side of a map, and how many places in each. */
const [COLUMNS, STOREYS] = [5, 12];

/** Quake units above a map where there is room for anybody. */
const ABOVE = 64;

/**
 * Places all over a map, first in its middle, then around that; in each column from the top, so that one lands on it. At last,
 * for a floor without anything around it, those above.
 */
function placesIn({ mins, maxs }: Bounds): Vector[] {
  const middle = (COLUMNS - 1) / 2;
  const columns = Array.from(
    { length: COLUMNS ** 2 },
    (_, k) => [k % COLUMNS, Math.floor(k / COLUMNS)] as const,
  );
  const off = ([x, y]: readonly [number, number]): number => Math.abs(x - middle) + Math.abs(y - middle);
  columns.sort((a, b) => off(a) - off(b));
  const at = (axis: number, part: number): number => mins[axis]! + part * (maxs[axis]! - mins[axis]!);
  const place = ([x, y]: readonly [number, number], z: number): Vector => [
    at(0, (x + 0.5) / COLUMNS),
    at(1, (y + 0.5) / COLUMNS),
    z,
  ];
  const heights = Array.from({ length: STOREYS }, (_, k) => at(2, 1 - k / STOREYS));
  return [
    ...columns.flatMap((column) => heights.map((z) => place(column, z))),
    ...columns.map((column) => place(column, maxs[2]! + ABOVE)),
  ];
}

/** Where the eye is, and how keys and pointer move it: around something, freely, or with somebody's legs. */
export class Rig {
  mode: Mode = 'orbit';
  yaw = 0;
  pitch = 0;
  /** The eye, in Quake units. */
  readonly position: Vector = [0, 0, 0];
  /** Somebody who walks, where anybody can. */
  walker: Walker | undefined;
  private _distance = 512;
  private _spawns: readonly Spawn[] = [];
  private _bounds: Bounds = { mins: [0, 0, 0], maxs: [0, 0, 0] };
  private _time = 0;
  private readonly _before = new Float32Array(3);
  private _eyeHeight = 0;
  /** How far the eye is below where it is going to be, after a step upwards. */
  private _sunk = 0;
  /** Tangents of half the angles that are seen across and upright, of who looks at a model of the map. */
  readonly lens = { x: 0.5, y: 0.4 };
  /** Takes down what the walker is told. */
  recording: unknown[] | undefined;
  /** Where the eye was put to see all of the map. */
  private _fit: View | undefined;

  get direction(): Vector {
    return directionOf(this.yaw, this.pitch);
  }

  get up(): Vector {
    return upOf(this.yaw, this.pitch);
  }

  get view(): View {
    return { position: [...this.position], yaw: this.yaw, pitch: this.pitch };
  }

  /** What it looks at while it goes around something. */
  get target(): Vector {
    return addScaled(this.position, this._distance, this.direction);
  }

  /** Another map. Keeps the view when it is the same place, as after an edit. */
  setWorld(bounds: Bounds, spawns: readonly Spawn[], walker: Walker | undefined, keepsView: boolean): void {
    this._bounds = bounds;
    this._spawns = spawns;
    const before = this.walker;
    this.walker = walker;
    if (!keepsView) this.reset();
    else if (before && walker && this.mode === 'walk') {
      this._standAbove(before.origin, before.isCrouched);
      this._see(1);
    }
  }

  /** The view that a map opens with: all of it, from above and from the side. */
  reset(): void {
    if (this.mode === 'walk' && this._startWalk(undefined)) return;
    this.mode = 'orbit';
    const { mins, maxs } = this._bounds;
    // In an upright window the map's longer side leads away from the eye.
    const isUpright = this.lens.x < this.lens.y;
    this.yaw = !isUpright ? 56 : maxs[0]! - mins[0]! > maxs[1]! - mins[1]! ? 20 : 70;
    this.pitch = 44;
    this._seeAll();
  }

  /** Sees all of the map again after the lens has changed, unless the eye was moved. Returns whether it is elsewhere now. */
  refit(): boolean {
    const { _fit: fit, position, yaw, pitch } = this;
    if (this.mode !== 'orbit' || fit?.yaw !== yaw || fit.pitch !== pitch) return false;
    if (fit.position.some((x, k) => x !== position[k])) return false;
    this._seeAll();
    return true;
  }

  /** Puts the eye where all corners of the map are in view, with a little room around them, and as near as that goes. */
  private _seeAll(): void {
    const { mins, maxs } = this._bounds;
    const { direction, lens } = this;
    let target = [0, 1, 2].map((k) => (mins[k]! + maxs[k]!) / 2) as Vector;
    const middle = target;
    let distance = 64;
    for (const [axis, slope] of [
      [rightOf(this.yaw), 0.95 * lens.x],
      [this.up, 0.95 * lens.y],
    ] as const) {
      // An eye that is `d` in front of a point `s` aside sees a corner where |side - s| <= slope * (depth + d).
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let corner = 0; corner < 8; corner++) {
        const at = [0, 1, 2].map((k) => ((corner >> k) & 1 ? maxs : mins)[k]! - middle[k]!);
        const dot = (way: Vector): number => at[0]! * way[0] + at[1]! * way[1] + at[2]! * way[2];
        low = Math.min(low, dot(axis) + slope * dot(direction));
        high = Math.max(high, dot(axis) - slope * dot(direction));
      }
      target = addScaled(target, (low + high) / 2, axis);
      distance = Math.max(distance, (high - low) / 2 / slope);
    }
    this._distance = Math.min(distance, 40000);
    this._goAround(target);
    this._fit = this.view;
  }

  setView({ position, yaw, pitch }: View): void {
    for (let k = 0; k < 3; k++) this.position[k] = position[k]!;
    this.yaw = turn(yaw);
    this.pitch = clamp(pitch, -89, 89);
    if (this.mode === 'walk') this._startWalk(this._isOver() ? this.position : undefined);
  }

  /**
   * Puts the eye beside a line, where it sees both ends if there is such a place.
   *
   * @param sees - whether an eye at a place sees a point.
   */
  lookAt(from: Vec3, to: Vec3, sees: (eye: Vec3, point: Vec3) => boolean): void {
    if (this.mode === 'walk') this.mode = 'fly';
    const way = subtract(to, from);
    const length = Math.hypot(...way);
    const middle = addScaled(from, 0.5, way);
    const { lens } = this;
    this._distance = Math.max(0.6 * length, 60) / Math.min(lens.x, lens.y);
    const views = SIDES.flatMap((side) => SLOPES.map((pitch) => ({ yaw: turn(this.yaw + side), pitch })));
    let most = Number.NEGATIVE_INFINITY;
    let best = views[0]!;
    for (const [k, view] of views.entries()) {
      const direction = directionOf(view.yaw, view.pitch);
      const eye = addScaled(middle, -this._distance, direction);
      const aside = length > 0 ? Math.hypot(...cross(direction, way)) / length : 1;
      const seen = [from, to].filter((point) => sees(eye, point)).length;
      // Among like ones, the first turns the eye least.
      const worth = seen + aside - 0.01 * k;
      if (worth > most) [most, best] = [worth, view];
    }
    this.yaw = best.yaw;
    this.pitch = best.pitch;
    this._goAround(middle);
  }

  /**
   * Changes how it moves, from where it is. Returns whether it could: walking needs somebody who can walk.
   *
   * @param ahead - distance of what is seen in the middle, in Quake units.
   */
  setMode(mode: Mode, ahead: number | undefined): boolean {
    if (mode === 'walk')
      return this._startWalk(this.mode !== 'orbit' && this._isOver() ? this.position : undefined);
    if (mode === 'orbit') this._distance = clamp(ahead ?? 384, NEAREST, 8192);
    this.mode = mode;
    return true;
  }

  /** Whether a place is in the map, or not too far above it: elsewhere there is nothing to stand on. */
  private _isOver(place: readonly number[] = this.position): boolean {
    const { mins, maxs } = this._bounds;
    return place.every((x, k) => x >= mins[k]! && x <= maxs[k]! + (k === 2 ? HIGHEST_DROP : 0));
  }

  /** Turns by a drag, in CSS pixels. */
  drag(x: number, y: number): void {
    const { target } = this;
    const around = this.mode === 'orbit' ? 2 : 1;
    this.yaw = turn(this.yaw - LOOK * around * x);
    this.pitch = clamp(this.pitch + LOOK * around * y, -89, 89);
    if (this.mode === 'orbit') this._goAround(target);
  }

  /** Turns by the mouse while the pointer is captured. */
  look(x: number, y: number): void {
    this.yaw = turn(this.yaw - 0.6 * LOOK * x);
    this.pitch = clamp(this.pitch + 0.6 * LOOK * y, -89, 89);
  }

  /** Shifts the eye sideways by a drag, in CSS pixels of a view so high. */
  pan(x: number, y: number, height: number): void {
    if (this.mode === 'walk') return;
    const scale = (1.4 * (this.mode === 'orbit' ? this._distance : 384)) / height;
    this._shift(rightOf(this.yaw), -scale * x);
    this._shift(this.up, scale * y);
  }

  /** Goes nearer (below 1) or farther (above 1). */
  zoom(factor: number): void {
    if (this.mode === 'walk') return;
    const { target, direction } = this;
    if (this.mode === 'fly') {
      this._shift(direction, 256 * Math.log(1 / factor));
      return;
    }
    this._distance = clamp(this._distance * factor, NEAREST, 65536);
    this._goAround(target);
  }

  /** Some time passes. Returns whether the eye moved or turned. */
  update(seconds: number, intents: Intents): boolean {
    const { yaw, pitch } = this;
    const before: Vector = [...this.position];
    const { target } = this;
    if (intents.turn !== 0 || intents.tilt !== 0) {
      this.yaw = turn(this.yaw + TURN * intents.turn * seconds);
      this.pitch = clamp(this.pitch + 0.7 * TURN * intents.tilt * seconds, -89, 89);
      if (this.mode === 'orbit') this._goAround(target);
    }
    if (this.mode === 'walk') this._walk(seconds, intents);
    else this._fly(seconds, intents);
    return (
      yaw !== this.yaw ||
      pitch !== this.pitch ||
      this.position.some((x, k) => Math.abs(x - before[k]!) > 1e-4)
    );
  }

  /** Whether time changes anything though nobody presses a key: somebody falls, or slides. */
  get moves(): boolean {
    return this.mode === 'walk';
  }

  private _fly(seconds: number, { forward, right, up, isFast }: Intents): void {
    if (forward === 0 && right === 0 && up === 0) return;
    const scale = this.mode === 'orbit' ? clamp(this._distance, 128, 4096) : FLY;
    const speed = scale * (isFast ? FASTER : 1) * seconds;
    // Around something, keys shift the ground; flying, they go where one looks.
    const ahead = this.mode === 'orbit' ? directionOf(this.yaw, 0) : this.direction;
    this._shift(ahead, forward * speed);
    this._shift(rightOf(this.yaw), right * speed);
    this._shift([0, 0, 1], up * speed);
  }

  private _walk(seconds: number, { forward, right, up }: Intents): void {
    const { walker } = this;
    if (!walker) return;
    const interval = walker.interval / 1000;
    this._time += Math.min(seconds, LONGEST);
    const input = { forward, right, up, yaw: this.yaw, pitch: this.pitch };
    // Sums of sixtieths of a second fall short of whole ones in their last bits.
    while (this._time >= interval - 1e-9) {
      this._time = Math.max(0, this._time - interval);
      this._before.set(walker.origin);
      this._eyeHeight = walker.eyeHeight;
      const command = walker.step(input);
      this.recording?.push(command);
      this._feelStep(walker, interval);
    }
    if (walker.origin[2]! < this._bounds.mins[2]! - 2048) this.reset();
    else this._see(this._time / interval);
  }

  /** A step upwards is quick for legs, and slower for eyes. */
  private _feelStep(walker: Walker, interval: number): void {
    const rise = walker.origin[2]! - this._before[2]!;
    const lifted = walker.velocity[2]! * interval;
    if (walker.isGrounded && rise - lifted > 2 && rise < HIGHEST_STEP) this._sunk += rise;
    this._sunk = this._sunk < 0.05 ? 0 : this._sunk * (1 - Math.min(1, interval / STEP_TIME));
  }

  /** The eye between the last two commands. */
  private _see(part: number): void {
    const { walker, _before: before } = this;
    const origin = walker!.origin;
    for (let k = 0; k < 3; k++) this.position[k] = before[k]! + part * (origin[k]! - before[k]!);
    const height = this._eyeHeight + part * (walker!.eyeHeight - this._eyeHeight);
    this.position[2] += height - this._sunk;
  }

  /** Somebody walks on from where the eye is, or from where players start. Returns whether there is such a place. */
  private _startWalk(eye: Vec3 | undefined): boolean {
    if (!this.walker || !this._findPlace(this.walker, eye)) return false;
    this.mode = 'walk';
    this._see(1);
    return true;
  }

  private _findPlace({ eyeHeights }: Walker, eye: Vec3 | undefined): boolean {
    const isHere = (height: number, k: number): boolean =>
      this._stand([eye![0]!, eye![1]!, eye![2]! - height], k > 0);
    if (eye && eyeHeights.some(isHere)) return true;
    for (const { position, yaw } of this._spawns) {
      const isOver = this._isOver(position);
      // Beside the map one would fall for ever, unless there is ground that is not drawn.
      if (!this._standAbove(position) || (!isOver && !this._lands())) continue;
      this.yaw = yaw;
      this.pitch = 0;
      return true;
    }
    // Parts of maps, which are put together in the game, may have none; nor have they ground everywhere.
    return placesIn(this._bounds).some((place) => this._stand(place) && this._lands());
  }

  /** Lets the walker fall, and says whether it comes to stand on something, or to swim. */
  private _lands(): boolean {
    const walker = this.walker!;
    const idle = { forward: 0, right: 0, up: 0, yaw: this.yaw, pitch: 0 };
    for (let time = 0; time < LONGEST_FALL && !walker.isGrounded; time += walker.interval) walker.step(idle);
    return (walker.isGrounded || walker.swims) && this._stand(walker.origin.slice());
  }

  /** Puts the walker somewhere, and says whether it has room there to move. */
  private _stand(origin: Vec3, isCrouched = false): boolean {
    const walker = this.walker!;
    walker.place(origin, isCrouched);
    this._time = 0;
    this._sunk = 0;
    this._before.set(walker.origin);
    this._eyeHeight = walker.eyeHeight;
    return walker.isFree();
  }

  /**
   * The same, or somewhat higher: starts lie on the floor in some maps, and a floor may have been raised by an edit. Where there is
   * no room there, either, the walker stays below.
   */
  private _standAbove([x, y, z]: ArrayLike<number> & Iterable<number>, isCrouched?: boolean): boolean {
    return [0, 8, 24, 0].some((lift) => this._stand([x!, y!, z! + lift], isCrouched));
  }

  private _shift(way: Vec3, by: number): void {
    for (let k = 0; k < 3; k++) this.position[k]! += way[k]! * by;
  }

  private _goAround(target: Vec3): void {
    const eye = addScaled(target, -this._distance, this.direction);
    for (let k = 0; k < 3; k++) this.position[k] = eye[k]!;
  }
}
