import {
  BLOCK_BYTES,
  BRUSH,
  CONTENTS,
  DIST,
  FACET_BYTES,
  FLAGS_SIDE,
  FRACTION,
  NORMAL,
  NORMAL_LANE,
  PATCH,
  PATCH_FACETS,
  PATCH_FLAGS,
  PATCH_NUM_FACETS,
  PATCH_SHADER,
  PATCH_SURFACE,
  PLANES_BYTES,
  PLANES_HEADER,
  PLANES_TURN,
  RECORD_CONTENTS,
  REF_ADDRESS,
  SET_EPSILON,
  SET_MAXS,
  SET_MINS,
  SET_POINT,
  SET_RADIUS,
  SIDE,
  SOLID,
  SURFACE_FLAGS,
  TEXTURE,
} from '../src/wasm/layout';
import { END, FACET_QUANTA, START } from './scratch';
import { isApart } from './setup';
import { BOX, CAPSULE, POINT } from './shape';
import { corners, distances, enterings, greatest, lane, laneOf, leaving, widened } from './solid';

// Curved patches. Boxes and capsules treat a facet as a brush of its surface, its borders and its back. Against a side whose
// plane is listed facing the other way, the engine picks the box's corner by the plane as listed.

/** Sweeps the shape against a patch, or tests its position against it. */
export function sweepPatch<S>(patch: i32, still: bool): void {
  // The engine's position test does not look at the bounds.
  if (!still && isApart<S>(patch)) return;
  const before = load<f32>(FRACTION);
  if (still) touchFacets<S>(patch);
  else if (sizeof<S>() === POINT) sweepPoint(patch);
  else if (load<i32>(SET_POINT) !== 0) sweepPoint(patch);
  else sweepFacets<S>(patch);
  if (load<f32>(FRACTION) < before) {
    if (!still) {
      store<i32>(SURFACE_FLAGS, load<i32>(patch, PATCH_FLAGS));
      store<i32>(FLAGS_SIDE, -1);
    }
    store<i32>(CONTENTS, load<i32>(patch, RECORD_CONTENTS));
    store<i32>(BRUSH, -1);
    store<i32>(SIDE, -1);
    store<i32>(PATCH, load<i32>(patch, PATCH_SURFACE));
    store<i32>(TEXTURE, load<i32>(patch, PATCH_SHADER));
  }
}

/**
 * A point is stopped by the front of a facet if it crosses that within all its borders. Testing four surfaces at once settles
 * most facets.
 */
function sweepPoint(patch: i32): void {
  const zero = f32x4.splat(0);
  const facets = load<i32>(patch, PATCH_FACETS);
  const count = load<i32>(patch, PATCH_NUM_FACETS);
  let block = facets - BLOCK_BYTES * ((count + 3) >> 2);
  for (let first = 0; first < count; first += 4, block += BLOCK_BYTES) {
    const nx = v128.load(block);
    const ny = v128.load(block, 16);
    const nz = v128.load(block, 32);
    const dist = v128.load(block, 48);
    const d1 = distances<u8>(START, nx, ny, nz, dist);
    const d2 = distances<u8>(END, nx, ny, nz, dist);
    const crossing = f32x4.div(d1, f32x4.sub(d1, d2));
    // The epsilon has been subtracted from the best fraction and not from the crossing, so an equal one may still replace it.
    const crossed = v128.and(
      v128.and(f32x4.gt(d1, zero), f32x4.gt(crossing, zero)),
      v128.and(f32x4.ne(d1, d2), f32x4.le(crossing, v128.load32_splat(FRACTION))),
    );
    let lanes = i32x4.bitmask(crossed);
    while (lanes !== 0) {
      const number = i32.ctz(lanes);
      lanes &= lanes - 1;
      const at = lane(crossing, number);
      if (at > load<f32>(FRACTION)) continue;
      if (!isWithinBorders(load<i32>(facets + FACET_BYTES * (first + number), REF_ADDRESS), at)) continue;
      const start = lane(d1, number);
      const length = start - lane(d2, number);
      const fraction = f32((f64(start) - f64(load<f32>(SET_EPSILON))) / f64(length));
      store<f32>(FRACTION, fraction < 0 ? 0 : fraction);
      const place = block + 4 * number;
      recordPlane(load<f32>(place), load<f32>(place, 16), load<f32>(place, 32), load<f32>(place, 48));
    }
  }
}

function recordPlane(nx: f32, ny: f32, nz: f32, dist: f32): void {
  store<f32>(NORMAL, nx);
  store<f32>(NORMAL + 4, ny);
  store<f32>(NORMAL + 8, nz);
  store<f32>(DIST, dist);
  store<i32>(NORMAL_LANE, -1);
}

/** Whether a move is inside all borders of a facet where it crosses its surface. */
function isWithinBorders(planes: i32, at: f32): bool {
  const zero = f32x4.splat(0);
  const crossing = f32x4.splat(at);
  const count = load<i32>(planes);
  let block = planes + PLANES_HEADER;
  for (let first = 0; first < count; first += 4, block += PLANES_BYTES) {
    const nx = v128.load(block);
    const ny = v128.load(block, 16);
    const nz = v128.load(block, 32);
    const dist = v128.load(block, 48);
    const turn = v128.load(block, PLANES_TURN);
    const d1 = distances<u8>(START, nx, ny, nz, dist);
    const d2 = distances<u8>(END, nx, ny, nz, dist);
    const other = f32x4.div(d1, f32x4.sub(d1, d2));
    // A plane that is not crossed ahead counts as crossed too late for any move.
    const never = v128.or(f32x4.eq(d1, d2), f32x4.le(other, zero));
    // A start on a border counts as behind its plane as listed: outside, if that faces the other way.
    const turned = i32x4.shr_s(turn, 31);
    const outside = v128.or(f32x4.gt(d1, zero), v128.and(f32x4.eq(d1, zero), turned));
    const stopsOutside = v128.or(never, f32x4.gt(other, crossing));
    const leavesBefore = v128.andnot(f32x4.lt(other, crossing), never);
    let fails = v128.bitselect(stopsOutside, leavesBefore, outside);
    // The first plane is the surface itself. In spare lanes everything is behind the plane, and the crossing is NaN.
    if (first === 0) fails = i32x4.replace_lane(fails, 0, 0);
    if (v128.any_true(fails)) return false;
  }
  return true;
}

/** Four sides of a facet as the shape meets them. */
function facetDists<S>(block: i32, nx: v128, ny: v128, nz: v128): v128 {
  const dist = v128.load(block, 48);
  if (sizeof<S>() !== BOX) return widened<S>(nx, ny, nz, dist);
  const turn = v128.load(block, PLANES_TURN);
  return f32x4.sub(dist, corners(v128.xor(nx, turn), v128.xor(ny, turn), v128.xor(nz, turn)));
}

/** Sweeps a box or capsule against the facets of a patch. */
function sweepFacets<S>(patch: i32): void {
  const zero = f32x4.splat(0);
  const epsilon = load<f32>(SET_EPSILON);
  const keep = f32x4.splat(epsilon);
  const quanta = v128.load(FACET_QUANTA);
  let facet = load<i32>(patch, PATCH_FACETS);
  const endFacet = facet + FACET_BYTES * load<i32>(patch, PATCH_NUM_FACETS);
  for (; facet < endFacet; facet += FACET_BYTES) {
    // The move misses an axial border.
    if (v128.any_true(i16x8.gt_s(quanta, v128.load(facet)))) continue;
    const planes = load<i32>(facet, REF_ADDRESS);
    const count = load<i32>(planes);
    const blocks = planes + PLANES_HEADER;
    const best = load<f32>(FRACTION);
    let enter: f32 = -1;
    let leave: f32 = 1;
    let hit = -1;
    let missed = false;
    let block = blocks;
    for (let first = 0; first < count; first += 4, block += PLANES_BYTES) {
      const nx = v128.load(block);
      const ny = v128.load(block, 16);
      const nz = v128.load(block, 32);
      const dist = facetDists<S>(block, nx, ny, nz);
      const d1 = distances<S>(START, nx, ny, nz, dist);
      const d2 = distances<S>(END, nx, ny, nz, dist);
      const inFront = f32x4.gt(d1, zero);
      const stays = v128.and(inFront, v128.or(f32x4.ge(d2, keep), f32x4.ge(d2, d1)));
      if (v128.any_true(stays)) {
        missed = true;
        break;
      }
      if (v128.any_true(inFront)) {
        const entered = enterings(d1, d2, inFront, f64(epsilon));
        const most = greatest(entered);
        if (most > enter) {
          const number = laneOf(entered, most);
          enter = lane(entered, number);
          hit = first + number;
          if (enter >= best) {
            missed = true;
            break;
          }
        }
      }
      const leaves = v128.andnot(f32x4.gt(d2, zero), inFront);
      if (v128.any_true(leaves)) {
        const fraction = leaving(d1, d2, leaves, f64(epsilon));
        if (fraction < leave) leave = fraction;
      }
      if (hit >= 0 && enter >= leave) {
        missed = true;
        break;
      }
    }
    // A facet is not hit from behind: its last side is its back. Starting in it does not count either.
    if (missed || hit < 0 || hit === count - 1) continue;
    store<f32>(FRACTION, enter);
    recordFacet<S>(blocks + PLANES_BYTES * (hit >> 2) + 4 * (hit & 3));
  }
}

/** Records the side that was hit, with its distance as the shape meets it, added up as the engine does. */
function recordFacet<S>(at: i32): void {
  const nx = load<f32>(at);
  const ny = load<f32>(at, 16);
  const nz = load<f32>(at, 32);
  let dist = load<f32>(at, 48);
  if (sizeof<S>() === CAPSULE) dist += load<f32>(SET_RADIUS);
  if (sizeof<S>() === BOX) {
    const turned = load<i32>(at, PLANES_TURN) < 0;
    dist -= corner(nx, 0, turned) + corner(ny, 4, turned) + corner(nz, 8, turned);
  }
  recordPlane(nx, ny, nz, dist);
}

function corner(n: f32, axis: usize, turned: bool): f32 {
  if (turned) return n * -(n < 0 ? load<f32>(axis, SET_MINS) : load<f32>(axis, SET_MAXS));
  return n * (n < 0 ? load<f32>(axis, SET_MAXS) : load<f32>(axis, SET_MINS));
}

/** Position test: whether the shape, where it starts, lies across a facet of a patch. */
function touchFacets<S>(patch: i32): void {
  let facet = load<i32>(patch, PATCH_FACETS);
  const endFacet = facet + FACET_BYTES * load<i32>(patch, PATCH_NUM_FACETS);
  for (; facet < endFacet; facet += FACET_BYTES) {
    const planes = load<i32>(facet, REF_ADDRESS);
    const count = load<i32>(planes);
    let block = planes + PLANES_HEADER;
    let inFront = false;
    for (let first = 0; first < count && !inFront; first += 4, block += PLANES_BYTES) {
      const nx = v128.load(block);
      const ny = v128.load(block, 16);
      const nz = v128.load(block, 32);
      const d1 = distances<S>(START, nx, ny, nz, facetDists<S>(block, nx, ny, nz));
      if (v128.any_true(f32x4.gt(d1, f32x4.splat(0)))) inFront = true;
    }
    if (inFront) continue;
    store<i32>(SOLID, 3);
    store<f32>(FRACTION, 0);
    return;
  }
}
