export { type BevelTolerances, findEdgeBevels } from './bevels.ts';
export {
  type BodyPlanes,
  bodyFaces,
  bodyVolume,
  drawnFace,
  drawnFaces,
  isEndlessBody,
  missingBevels,
  pushOut,
  unitPlanes,
} from './body.ts';
export { crc32 } from './crc32.ts';
export { PASSING } from './passing.ts';
export { between, createRandom, direction, nextState, numberAt, pick, type Random } from './random.ts';
export { areasBy, triangleOf } from './triangles.ts';
export { addScaled, cross, dot, lengthOf, normalize, subtract, type Vec } from './vec.ts';
export {
  areaSize,
  BEHIND,
  clipBehind,
  clipBehindAll,
  cutMeasured,
  cutWinding,
  flipPlane,
  HUGE,
  halfAround,
  IN_FRONT,
  isEndless,
  isTiny,
  measureCorners,
  measuredPartBehind,
  ON_EPSILON,
  planeWinding,
  reverseWinding,
  type Winding,
  type WindingCut,
  widenHalf,
  windingArea,
  windingCenter,
} from './winding.ts';
