import { createTrace, type Trace, type Vec3 } from '@bspkit/core';
import { checkBounds, checkRadius } from '@bspkit/core/format';
import { TUTORIAL_EPSILON } from './constants.ts';
import { checkWorld } from './given.ts';
import type { Quake3Tracer } from './tracer.ts';
import type { Quake3World } from './world.ts';

/** What the two Quake 3 tutorials answer, in their terms (`sMoveData`; `outputFraction` and so on). */
export interface TutorialMove {
  /** 0: no move at all; 1: the whole move, nothing was hit. */
  readonly fraction: number;
  readonly endPoint: Float32Array;
  readonly collisionNormal: Float32Array;
  /** The move starts outside of solid: the opposite of our `startSolid`. */
  readonly startOut: boolean;
  /** The whole move is inside one solid. Where the second tutorial's text says false it means true, like its code. */
  readonly allSolid: boolean;
}

/** The tutorials' functions over a world. Distances in Quake units; they throw what our own tracers throw. */
export interface Tutorial {
  traceRay(start: Vec3, end: Vec3): TutorialMove;
  traceSphere(start: Vec3, end: Vec3, radius: number): TutorialMove;
  traceBox(start: Vec3, end: Vec3, mins: Vec3, maxs: Vec3): TutorialMove;
}

/**
 * The tutorials' `TraceRay`, `TraceSphere` and `TraceBox`: brushes with solid contents, no curved patches, 1/32 of a
 * unit kept from surfaces ("Quake 3 BSP Collision Detection", sections 4 to 6; "QUAKE 3 BSP: RAY-BSP Collision
 * Detection"). They run on the engine's walk, which settles the signs in which the two documents differ. Near planes that walk
 * has rules beyond the documents', which the guide "Two tutorials on Quake 3" lists.
 */
export function createTutorial(world: Quake3World): Tutorial {
  checkWorld(world);
  const options = { epsilon: TUTORIAL_EPSILON, curves: false };
  const ray = world.ray(options);
  const sphere = world.sphere(0, options);
  const box = world.box([0, 0, 0], [0, 0, 0], options);
  const trace = createTrace();
  const run = (tracer: Quake3Tracer, start: Vec3, end: Vec3): TutorialMove =>
    inTutorialWords(tracer.trace(start, end, trace));
  return {
    traceRay: (start, end) => run(ray, start, end),
    traceSphere(start, end, radius) {
      checkRadius(radius);
      return run(sphere.set({ radius }), start, end);
    },
    traceBox(start, end, mins, maxs) {
      checkBounds(mins, maxs);
      return run(box.set({ mins, maxs }), start, end);
    },
  };
}

function inTutorialWords(trace: Trace): TutorialMove {
  return {
    fraction: trace.fraction,
    endPoint: trace.endPos.slice(),
    collisionNormal: trace.normal.slice(),
    startOut: !trace.startSolid,
    allSolid: trace.allSolid,
  };
}
