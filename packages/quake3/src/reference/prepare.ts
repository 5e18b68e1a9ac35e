import { cos, sin } from '@bspkit/core/format';
import type { WorldMemory } from '../kernel/memory.ts';
import { add, dot, each, isSame, negate, type Point, subtract } from './vec.ts';

// What the engine works out before it sweeps anything, written from the rules as documented and not from the kernels', so that a
// mistake in either shows.

const f = Math.fround;

/** A question as asked: nothing has been computed from it. */
export interface Question {
  readonly memory: WorldMemory;
  /** What to trace against: 0 the world's tree, else what a model of that memory lists. */
  readonly model: number;
  /** Against an inline model or box entity, which may have been moved. */
  readonly placed: boolean;
  readonly origin: Point;
  /** Pitch, yaw and roll in degrees; zero for anything that never turns. */
  readonly angles: Point;
  /** A box by its corners; the ray is a box without size. */
  readonly mins: Point;
  readonly maxs: Point;
  /** The box stands for the capsule, or sphere, in it. */
  readonly capsule: boolean;
  /** The sphere's edges and corners are truly round. */
  readonly exact: boolean;
  readonly mask: number;
  readonly epsilon: number;
  readonly curves: boolean;
  readonly start: Point;
  readonly end: Point;
}

/** A capsule: two spheres, one `offset` above and the other as far below its middle. */
interface Capsule {
  readonly radius: number;
  readonly offset: Point;
}

/** A prepared question: the shape is centred, the move is that of its middle, in the model's frame. */
export interface Prepared {
  readonly start: Point;
  readonly end: Point;
  readonly mins: Point;
  readonly maxs: Point;
  readonly capsule: Capsule | undefined;
  /** The box around the whole move. */
  readonly low: Point;
  readonly high: Point;
  /** Both ends are equal. */
  readonly still: boolean;
  /** The shape is swept as a point. */
  readonly isPoint: boolean;
  /** Rows of the model's rotation; `undefined` for one that is not turned. */
  readonly rows: Rows | undefined;
}

/** Forward, left and up. */
type Rows = readonly [Point, Point, Point];

/** Prepares a question. */
export function prepare(question: Question): Prepared {
  const { start, end, mins, maxs, capsule, placed, origin, angles } = question;
  if (!placed) return prepareLocal(start, end, mins, maxs, capsule ? uprightCapsule : undefined, undefined);
  // Against a model the box is centred, both ends are brought into the model's frame, and then everything is prepared as usual:
  // the box is centred once more. It is not turned; the capsule is.
  const { center, low, high } = centered(mins, maxs);
  const rows = angles.some((angle) => angle !== 0) ? rotation(angles) : undefined;
  const intoModel = (point: Point): Point => {
    const moved = subtract(add(point, center), origin);
    return rows ? each((k) => dot(rows[k], moved)) : moved;
  };
  const turned = turnedCapsule(high, rows);
  return prepareLocal(intoModel(start), intoModel(end), low, high, capsule ? () => turned : undefined, rows);
}

function prepareLocal(
  start: Point,
  end: Point,
  mins: Point,
  maxs: Point,
  capsuleIn: ((high: Point) => Capsule) | undefined,
  rows: Rows | undefined,
): Prepared {
  const { center, low, high } = centered(mins, maxs);
  const from = add(start, center);
  const to = add(end, center);
  const capsule = capsuleIn?.(high);
  return {
    start: from,
    end: to,
    mins: low,
    maxs: high,
    capsule,
    low: each((k) => {
      const least = from[k] < to[k] ? from[k] : to[k];
      return f(capsule ? least - Math.abs(capsule.offset[k]) - capsule.radius : least + low[k]);
    }),
    high: each((k) => {
      const most = from[k] < to[k] ? to[k] : from[k];
      return f(capsule ? most + Math.abs(capsule.offset[k]) + capsule.radius : most + high[k]);
    }),
    still: isSame(start, end),
    isPoint: low.every((size) => size === 0),
    rows,
  };
}

/** A box's middle, and its corners relative to that. */
function centered(mins: Point, maxs: Point): { center: Point; low: Point; high: Point } {
  const center = each((k) => f(f(mins[k] + maxs[k]) * 0.5));
  return { center, low: subtract(mins, center), high: subtract(maxs, center) };
}

/** The capsule in a centred box. The width in y is ignored; a capsule wider than high is a sphere. */
function uprightCapsule(high: Point): Capsule {
  const radius = high[0] > high[2] ? high[2] : high[0];
  return { radius, offset: [0, 0, f(high[2] - radius)] };
}

function turnedCapsule(high: Point, rows: Rows | undefined): Capsule {
  const upright = uprightCapsule(high);
  if (!rows) return upright;
  const t = upright.offset[2];
  // The sign of y is the engine's, not that of a true rotation.
  return { radius: upright.radius, offset: [f(rows[0][2] * t), f(-rows[1][2] * t), f(rows[2][2] * t)] };
}

/** The rotation of some angles: forward, the negated right vector, and up. */
function rotation([pitch, yaw, roll]: Point): Rows {
  const radians = (degrees: number): number => f(degrees * ((Math.PI * 2) / 360));
  const sine = (degrees: number): number => f(sin(radians(degrees)));
  const cosine = (degrees: number): number => f(cos(radians(degrees)));
  const [sy, cy] = [sine(yaw), cosine(yaw)];
  const [sp, cp] = [sine(pitch), cosine(pitch)];
  const [sr, cr] = [sine(roll), cosine(roll)];
  const right: Point = [
    f(f(f(-sr * sp) * cy) + f(-cr * -sy)),
    f(f(f(-sr * sp) * sy) + f(-cr * cy)),
    f(-sr * cp),
  ];
  return [
    [f(cp * cy), f(cp * sy), -sp],
    negate(right),
    [f(f(f(cr * sp) * cy) + f(-sr * -sy)), f(f(f(cr * sp) * sy) + f(-sr * cy)), f(cr * cp)],
  ];
}
