export type { MoveEnd, MoveExplanation, MovePush, MoveRound } from '@bspkit/core';
export {
  createEllipsoidBody,
  type EllipsoidBody,
  type EllipsoidBodyOptions,
  EllipsoidBodyTracer,
} from './body.ts';
export type { EllipsoidWorldOptions } from './build.ts';
export { withEllipsoids } from './catalog.ts';
export type { ContactPoint } from './closest.ts';
export {
  type Ellipsoid,
  ellipsoidsTouch,
  ellipsoidsTouchBySum,
  nearestOnEllipsoid,
  radiusInDirection,
  sweepEllipsoids,
} from './ellipsoids.ts';
export { explain, explainMove } from './explain.ts';
export { createTutorialReference, type TutorialReference } from './reference/mover.ts';
export { AS_PRINTED, type Errata, type Handled, type Round } from './reference/tutorial.ts';
export { createSlide, EllipsoidSlider, type Slide, type SlideOptions } from './slide.ts';
export {
  createEllipsoidTrace,
  type EllipsoidChanges,
  type EllipsoidOptions,
  type EllipsoidTrace,
  EllipsoidTracer,
} from './tracer.ts';
export { createTutorialMove, type TutorialMove, TutorialTracer } from './tutorial.ts';
export { createEllipsoidWorld, type EllipsoidPolygon, EllipsoidWorld } from './world.ts';
