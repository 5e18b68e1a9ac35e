import { P_ORIGIN, S_MASK } from '@bspkit/brushes';
import {
  between,
  byAxis,
  dot,
  nothing,
  type Point,
  point,
  type Size,
  traceTree,
} from '@bspkit/brushes/reference';
import type { Recorder, Trace, Vec3 } from '@bspkit/core';
import { cos, sin } from '@bspkit/core/format';
import type { Quake2Tracer } from '../tracer.ts';

// A trace as the engine makes it, from what the tracer was asked for: nothing that the tracer has prepared is used here.

const f = Math.fround;

const RULES = { inDouble: false, touchMargin: 1, touchEpsilon: 0 };
/** There is only one file. */
const FIRST = { nodes: 0, leafs: 0, brushes: 0, sides: 0 };

/** The answer; steps go to `record`. */
export function referenceTrace(tracer: Quake2Tracer, start: Vec3, end: Vec3, record: Recorder): Trace {
  const { _target: target, _placement: placement } = tracer;
  const { memory, moves, turns, inFile, root } = target;
  const origin = moves ? point(placement.floats, P_ORIGIN) : undefined;
  const angles = turns ? point(tracer._angles) : point([0, 0, 0]);
  const isTurned = angles.some((angle) => angle !== 0);
  const given = [point(start), point(end)] as const;
  const enter = (at: Point): Point => {
    const moved = origin ? byAxis((k) => at[k]! - origin[k]!) : at;
    return isTurned ? turn(moved, angles) : moved;
  };
  const move = { start: enter(given[0]), end: enter(given[1]) };
  const still = move.start.every((x, k) => x === move.end[k]);
  const found = nothing(1);
  traceTree(
    {
      ...{ memory, rules: RULES, first: FIRST, size: sizeOf(tracer), move: { ...move, still }, record },
      ...{ mask: tracer._settings.boxState[S_MASK]!, reject: 0, every: false },
    },
    root,
    found,
  );
  const { fraction, brush, side } = found;
  const texture = side && inFile ? Math.max(-1, side.texture) : -1;
  const isTurnedBack = isTurned && fraction !== 1;
  return {
    fraction,
    endPos: Float32Array.from(stopOf(given, fraction, moves, still)),
    normal: Float32Array.from(
      isTurnedBack
        ? turn(
            found.normal,
            byAxis((k) => -angles[k]!),
          )
        : found.normal,
    ),
    dist: found.dist,
    startSolid: found.startSolid,
    allSolid: found.allSolid,
    contents: found.contents,
    surfaceFlags: texture < 0 ? 0 : memory.ints[memory.places.textures.first + texture]!,
    model: brush ? target.number : -1,
    brush: brush?.number ?? -1,
    side: side?.number ?? -1,
    texture,
    patch: -1,
    plane: side && inFile ? side.plane : -1,
  };
}

function sizeOf({ shape }: Quake2Tracer): Size {
  const zero: Point = [0, 0, 0];
  const [mins, maxs] = shape.kind === 'box' ? [point(shape.mins), point(shape.maxs)] : [zero, zero];
  const isPoint = [...mins, ...maxs].every((x) => x === 0);
  return { mins, maxs, extents: byAxis((k) => (-mins[k]! > maxs[k]! ? -mins[k]! : maxs[k]!)), isPoint };
}

/** Against a model the engine computes the end of every move. */
function stopOf(
  [start, end]: readonly [Point, Point],
  fraction: number,
  moves: boolean,
  still: boolean,
): Point {
  if (moves) return between(start, end, fraction);
  return still ? start : fraction === 1 ? end : between(start, end, fraction);
}

/** The parts of a vector along forward, left and up, as turned by pitch, yaw and roll in degrees. */
function turn(vector: Point, angles: Point): Point {
  const [pitch, yaw, roll] = byAxis((k) => angles[k]! * ((Math.PI * 2) / 360));
  const [sp, cp] = [f(sin(pitch)), f(cos(pitch))];
  const [sy, cy] = [f(sin(yaw)), f(cos(yaw))];
  const [sr, cr] = [f(sin(roll)), f(cos(roll))];
  const forward = byAxis((k) => [cp * cy, cp * sy, -sp][k]!);
  const right = byAxis(
    (k) => [f(f(-sr * sp) * cy) + f(-cr * -sy), f(f(-sr * sp) * sy) + f(-cr * cy), -sr * cp][k]!,
  );
  const up = byAxis(
    (k) => [f(f(cr * sp) * cy) + f(-sr * -sy), f(f(cr * sp) * sy) + f(-sr * cy), cr * cp][k]!,
  );
  return [dot(vector, forward), -dot(vector, right), dot(vector, up)];
}
