import type { Bounds, Trace, Tracer } from '@bspkit/core';
import { checkRadius, checkTracer } from '@bspkit/core/format';
import { createRandom, direction, type Random } from '@bspkit/geometry';
import { checkGenerator } from './checks.ts';
import { isWithin, type OpenSpace, openPoints } from './open-space.ts';
import { GROUND, type SeedOption } from './queries.ts';

/** Options of {@link playerQueries}. */
export interface PlayerOptions extends SeedOption {
  /** What walks: the player's box or hull, say. Its answers decide where the walk goes. */
  readonly tracer: Tracer;
  /** Where walks begin and stay, in Quake units. */
  readonly bounds: Bounds;
  /** Places for walks to begin; by default they are drawn in the bounds, where the tracer fits. */
  readonly origins?: OpenSpace['origins'];
  /** Running speed in Quake units per second; 320 by default. */
  readonly speed?: number | undefined;
}

/** In Quake units per second squared. */
const GRAVITY = 800;
/** How far a player steps up, in Quake units. */
const STEP = 18;
/** In seconds. */
const FRAME = 1 / 60;
const FRAMES_PER_WALK = 600;
/** The steepest ground that can be stood on, as the z of its normal: as in the games. */
const FLOOR = 0.7;

/**
 * The moves of a player who runs around, at sixty frames per second: short sweeps ahead, along what is in the way, up and down
 * steps, in falls, and in each frame a look for ground a quarter of a unit below. `count` segments of six numbers.
 *
 * @throws RangeError for bounds whose `mins` are above `maxs`, a count or seed that is not whole, a speed below 0, and when
 *   there is nowhere to begin; TypeError without tracer or bounds.
 */
export function playerQueries(count: number, options: PlayerOptions): Float32Array {
  checkGenerator(count, options, ['tracer', 'origins', 'speed']);
  const { tracer, bounds, origins, speed = 320, seed = 1 } = options;
  checkTracer(tracer, 'tracer');
  checkRadius(speed, 'speed');
  const random = createRandom(seed);
  const walker = new Walker(new Float32Array(6 * count), tracer, random, speed);
  const next = openPoints({ bounds, open: tracer, origins }, random);
  while (!walker.done) {
    walker.begin(next());
    for (let frame = 0; frame < FRAMES_PER_WALK && !walker.done; frame++) {
      if (!walker.frame() || !isWithin(walker.at, bounds)) break;
    }
  }
  return walker.segments;
}

/** Walks by tracing, and keeps all its traces as queries. */
class Walker {
  readonly segments: Float32Array;
  at: Float32Array = new Float32Array(3);
  private readonly _tracer: Tracer;
  private readonly _random: Random;
  private readonly _speed: number;
  private readonly _trace: Trace;
  private _velocity: [number, number, number] = [0, 0, 0];
  private _heading: [number, number, number] = [1, 0, 0];
  private _filled = 0;

  constructor(segments: Float32Array, tracer: Tracer, random: Random, speed: number) {
    this.segments = segments;
    this._tracer = tracer;
    this._random = random;
    this._speed = speed;
    this._trace = tracer.createTrace();
  }

  get done(): boolean {
    return this._filled === this.segments.length;
  }

  begin(at: Float32Array): void {
    this.at = at;
    this._velocity = [0, 0, 0];
    this._heading = direction(this._random, true);
  }

  /** Looks for ground, then runs and falls, along walls and up steps. Returns false when it is stuck in solid. */
  frame(): boolean {
    const { _random: random, _velocity: velocity } = this;
    if (random() < 0.02) this._heading = direction(random, true);
    const ground = this._ask(this.at, [0, 0, -GROUND]);
    if (ground.startSolid) return false;
    const stands = ground.fraction < 1 && ground.normal[2]! >= FLOOR;
    if (stands) velocity[2] = random() < 0.01 ? GRAVITY / 3 : 0;
    else velocity[2] = Math.max(-GRAVITY, velocity[2] - GRAVITY * FRAME);
    velocity[0] = this._heading[0] * this._speed;
    velocity[1] = this._heading[1] * this._speed;
    const move = velocity.map((v) => v * FRAME);
    const begin = this.at;
    const ahead = this._ask(begin, move);
    this.at = ahead.endPos.slice();
    if (ahead.fraction === 1) return true;
    const normal = ahead.normal.slice();
    if (normal[2]! >= FLOOR) velocity[2] = 0;
    this._slide(move, normal, 1 - ahead.fraction);
    if (stands && Math.abs(normal[2]!) < FLOOR) this._step(begin, move);
    if (random() < 0.2) this._heading = direction(random, true);
    return true;
  }

  /** What is left of the move, turned along the plane that stopped it. */
  private _slide(move: readonly number[], normal: Float32Array, part: number): void {
    const into = move[0]! * normal[0]! + move[1]! * normal[1]! + move[2]! * normal[2]!;
    const along = move.map((x, k) => part * (x - into * normal[k]!));
    this.at = this._ask(this.at, along).endPos.slice();
  }

  /** Tries to go up, ahead and down again from where the frame began; used if it ends farther on, on a floor. */
  private _step(begin: Float32Array, move: readonly number[]): void {
    const up = this._ask(begin, [0, 0, STEP]).endPos.slice();
    const ahead = this._ask(up, [move[0]!, move[1]!, 0]).endPos.slice();
    const down = this._ask(ahead, [0, 0, begin[2]! - up[2]!]);
    const way = (end: Float32Array): number => {
      const [x, y] = [end[0]! - begin[0]!, end[1]! - begin[1]!];
      return x * x + y * y;
    };
    if (down.fraction < 1 && down.normal[2]! >= FLOOR && way(ahead) > way(this.at)) {
      this.at = down.endPos.slice();
    }
  }

  private _ask(from: Float32Array, move: readonly number[]): Trace {
    const end = from.map((x, k) => x + move[k]!);
    if (!this.done) {
      this.segments.set(from, this._filled);
      this.segments.set(end, this._filled + 3);
      this._filled += 6;
    }
    return this._tracer.trace(from, end, this._trace);
  }
}
