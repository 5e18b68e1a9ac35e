import { createTrace, type Trace, type Vec3 } from '@bspkit/core';
import { checkBounds, checkFlag, checkOptions, checkPoint, checkRadius } from '@bspkit/core/format';
import { TUTORIAL_EPSILON } from './constants.ts';
import { checkWorld } from './given.ts';
import {
  type PrintedShape,
  printedBox,
  printedRay,
  printedSphere,
  printedTrace,
} from './reference/printed.ts';
import { lerp, three } from './reference/vec.ts';
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

/** How the tutorials' functions answer. */
export interface TutorialOptions {
  /**
   * The second document's code as it is printed, with the changes of its sections 5 and 6, for all that it says of nodes and brushes;
   * normals are those of the first. By default false: the engine's walk.
   */
  readonly asPrinted?: boolean | undefined;
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
 * Detection"). They run on the engine's walk, which settles the signs in which the two documents differ, unless `asPrinted` is set;
 * the guide "Two tutorials on Quake 3" lists what differs then.
 *
 * @throws TypeError for anything but a world of Quake 3, and for wrong options.
 */
export function createTutorial(world: Quake3World, options: TutorialOptions = {}): Tutorial {
  checkWorld(world);
  checkOptions(options, ['asPrinted']);
  checkFlag(options.asPrinted, 'asPrinted');
  return options.asPrinted ? printed(world) : onEngineWalk(world);
}

function onEngineWalk(world: Quake3World): Tutorial {
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

function printed(world: Quake3World): Tutorial {
  const { memory } = world._target;
  const run = (shape: PrintedShape, start: Vec3, end: Vec3): TutorialMove => {
    checkPoint(start, 'start');
    checkPoint(end, 'end');
    const [from, to] = [three(start), three(end)];
    const { fraction, normal, startOut, allSolid } = printedTrace(memory, shape, from, to);
    return {
      fraction,
      endPoint: Float32Array.from(fraction === 1 ? to : lerp(from, to, fraction)),
      collisionNormal: Float32Array.from(normal),
      startOut,
      allSolid,
    };
  };
  return {
    traceRay: (start, end) => run(printedRay, start, end),
    traceSphere(start, end, radius) {
      checkRadius(radius);
      return run(printedSphere(radius), start, end);
    },
    traceBox(start, end, mins, maxs) {
      checkBounds(mins, maxs);
      // A box without a size is the document's ray, which differs in nothing.
      return run(printedBox(three(mins), three(maxs)), start, end);
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
