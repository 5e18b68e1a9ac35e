export {
  createMoveState,
  type MoveState,
  type ShapeTracer,
  type SlideOptions,
  type StepOptions,
} from './body.ts';
export { type Controller, type ControllerOptions, createController } from './controller.ts';
export { createMovingObject, futurePosition, type MovingObject, type ObjectForces } from './future.ts';
export { ground } from './ground.ts';
export { type BodyMove, type PushScene, pushBody } from './push.ts';
export { slide, step } from './slide.ts';
