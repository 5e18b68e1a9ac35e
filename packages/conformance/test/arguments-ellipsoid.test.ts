import { createTraceBatch } from '@bspkit/core';
import * as ellipsoid from '@bspkit/ellipsoid';
import { arenaQuake3 } from '@bspkit/fixtures';
import { quake3Format } from '@bspkit/quake3/format';
import {
  argument,
  callback,
  createSubjects,
  EMPTY,
  flag,
  index,
  mask,
  optional,
  options,
  point,
  record,
  type Signatures,
  size,
} from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';

// What functions of ellipsoids say about wrong arguments.

const subjects = createSubjects();
const { subject } = subjects;

const quake3 = await quake3Format.load();
const map = quake3.createWorld([quake3.read(arenaQuake3())]);
const source = quake3.polygons(map);
const world = ellipsoid.createEllipsoidWorld(source);

const isWorld = argument(() => world);
const polygons = argument(() => source);
const tutorial = world.tutorial([8, 8, 12]);
const radii = point([8, 8, 12]);
const one = (x: number) => record({ center: point([x, 0, 0]), radii });
const ERRATA = [
  ...['preCheck', 'inward', 'movesPlanes', 'endOnly', 'touchingEdges', 'extraRound', 'lastNode'],
  ...['nodesOnce', 'pushTowards', 'objectsLast'],
];
const objects = optional(argument(() => [], ['empty array']));
const most = optional({ ...size, accepts: [...size.accepts, 'Infinity', 'huge'] });
const tracing = { mask, epsilon: size };
const segments = argument(() => new Float32Array(6));

function tracer(self: { createTrace(): ellipsoid.EllipsoidTrace }): Signatures {
  const out = optional(argument(() => self.createTrace()));
  return {
    createTrace: null,
    trace: { start: point(), end: point([9, 9, 9]), out },
    blocked: { start: point(), end: point([9, 9, 9]) },
    traceBatch: { segments, out: optional(argument(() => createTraceBatch(1))) },
    blockedBatch: { segments, out: optional(argument(() => new Uint8Array(1))) },
    place: { pose: { ...options({ origin: point(), angles: point() }), accepts: EMPTY } },
  };
}

subject(
  'ellipsoid',
  { ...ellipsoid },
  {
    createEllipsoidBody: { radii, options: options({ contents: mask }) },
    createEllipsoidTrace: null,
    createEllipsoidWorld: {
      source: polygons,
      options: options({ broken: argument(() => 'refuse'), shared: flag, keep: callback }),
    },
    createSlide: null,
    createTutorialMove: null,
    createTutorialReference: {
      world: isWorld,
      radii,
      errata: options(Object.fromEntries(ERRATA.map((name) => [name, flag]))),
    },
    explain: { tracer: argument(() => tutorial), start: point(), end: point([9, 9, 9]) },
    explainMove: { mover: argument(() => tutorial), start: point(), end: point([9, 9, 9]), objects },
    ellipsoidsTouch: { a: one(0), b: one(9) },
    ellipsoidsTouchBySum: { a: one(0), b: one(9) },
    nearestOnEllipsoid: { center: point(), radii, point: point([40, 50, 60]) },
    radiusInDirection: { radii, direction: point([1, 0, 0]) },
    sweepEllipsoids: { moving: one(0), end: point([90, 0, 0]), other: one(50) },
    withEllipsoids: { format: argument(() => quake3) },
    // Classes, which only `new` creates.
    EllipsoidBodyTracer: null,
    EllipsoidSlider: null,
    EllipsoidTracer: null,
    EllipsoidWorld: null,
    TutorialTracer: null,
  },
);
subject('world', world, {
  ellipsoid: { radii, options: options({ epsilon: size }) },
  sphere: { radius: size, options: options({ epsilon: size }) },
  tutorial: { radii },
  closest: { point: point(), most },
  distance: { center: point(), radii, most },
  polygon: { polygon: index },
});
const exact = world.ellipsoid([8, 8, 12]);
subject('tracer', exact, {
  ...tracer(exact),
  set: { changes: { ...options({ radii, epsilon: size }), accepts: EMPTY } },
});
subject('tutorial', tutorial, {
  ...tracer(tutorial),
  move: {
    start: point(),
    end: point([9, 9, 9]),
    objects,
    out: optional(argument(() => ellipsoid.createTutorialMove())),
  },
});
subject('slider', new ellipsoid.EllipsoidSlider(world, [8, 8, 12]), {
  slide: { start: point(), end: point([9, 9, 9]), out: optional(argument(() => ellipsoid.createSlide())) },
});
const body = ellipsoid.createEllipsoidBody([8, 8, 12]);
subject('body', body, {
  ellipsoid: { radii, options: options(tracing) },
  sphere: { radius: size, options: options(tracing) },
});
const against = body.ellipsoid([4, 4, 4]);
subject('tracer of a body', against, {
  ...tracer(against),
  set: { changes: { ...options({ radii, ...tracing }), accepts: EMPTY } },
});

describeRefusals(subjects);
