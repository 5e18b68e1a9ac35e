// For generated declarations: the type that `withPose` returns can only be named if these are exported.
export type { Changeable, Placeable } from '@bspkit/core';
export type { BodyChanges, BodyOptions, BodySolid } from './bodies.ts';
export {
  BODY_CONTENTS,
  type Body,
  type BodyShape,
  type BodyTraceOptions,
  type BodyTracer,
  createBody,
} from './body.ts';
export type { Collider } from './collider.ts';
export type { ContentsFilter } from './contents.ts';
export type { LinkedBounds } from './linked.ts';
export { withPose } from './pose.ts';
export type { Ignore, MoveKind, SceneFilter } from './query.ts';
export { clientBox, type RulesName } from './rules/index.ts';
export { createScene } from './scene.ts';
export type { SceneBody } from './scene-body.ts';
export type {
  BodyPlace,
  BoxScene,
  CapsuleScene,
  ContentsScene,
  EllipsoidScene,
  HearableScene,
  HullScene,
  LineScene,
  RayScene,
  Scene,
  SceneBodies,
  SceneOptions,
  SphereScene,
  VisibleScene,
} from './scene-types.ts';
export type { TouchArea, TouchSphere } from './touch.ts';
export {
  createSceneTrace,
  createSceneTraceBatch,
  type SceneTrace,
  type SceneTraceBatch,
  type SceneTraceBatchOptions,
  type SceneTraceField,
  WORLD_ENTITY,
} from './trace.ts';
export type { SceneTracer, SceneTracerSettings } from './tracer.ts';
