import * as quake3Api from '@bspkit/quake3';
import * as sceneApi from '@bspkit/scene';
import {
  type Argument,
  anything,
  argument,
  choice,
  createSubjects,
  EMPTY,
  flag,
  foreign,
  mask,
  optional,
  options,
  point,
  record,
  size,
} from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';
import {
  arena,
  batchOptions,
  bounds,
  corners,
  quake3Filter,
  round,
  tracersInto,
} from './shared-arguments.ts';

// What functions of scenes say about wrong arguments.

const subjects = createSubjects();
const { subject } = subjects;
const tracer = tracersInto(subjects);

/** A world that is asked for everything that any world has. */
const quake3 = Object.assign(quake3Api.createQuake3World(quake3Api.readQuake3(arena)), {
  hearable: () => true,
});
const body = sceneApi.createBody({ kind: 'box', mins: [-4, -4, -4], maxs: [4, 4, 4] });
const bodyShape = record({ kind: argument(() => 'sphere'), radius: size });
const scene = sceneApi.createScene(quake3);
const door = scene.add(quake3.model(1));
for (let k = 0; k < 9; k++) scene.add(body);
/** The number of a body: there is one with number 5. */
const number = argument(() => door, ['five']);
const ignore = argument(() => door, ['five', 'minus one', 'map of nothing']);
const linkedBox = argument(() => ({ mins: new Float32Array(3), maxs: new Float32Array(3) }));
/** Refused by its name: the scene's rules do not have it. */
const otherRules: Argument = { ...argument(() => undefined), types: ['string'] };
const filter = { mask, ignore, epsilon: size, curves: flag };
const sceneFilter = { ...filter, move: otherRules, monsterClip: otherRules };
const bodyOptions = {
  origin: point(),
  angles: point(),
  contents: mask,
  bounds,
  solid: choice('box'),
  owner: argument(() => 1, ['five', 'minus one']),
  monster: flag,
  item: flag,
  pushable: flag,
  monsterClip: flag,
  data: anything,
};
const bodyTrace = options({ mask, epsilon: size });

subject(
  'scene',
  { ...sceneApi },
  {
    clientBox: corners,
    createBody: { shape: bodyShape, options: options({ contents: mask }) },
    // A collider may be any object: if it cannot make a tracer, the error comes when one is asked for.
    createScene: {
      world: optional(argument(() => quake3, [...EMPTY, 'short Float32Array'])),
      options: options({ rules: choice('nearest'), areaPortals: flag }),
    },
    createSceneTrace: null,
    createSceneTraceBatch: { count: argument(() => 2, ['five']), options: batchOptions },
    withPose: { tracer: argument(() => quake3.ray()) },
  },
);
subject('Scene', scene, {
  add: {
    collider: argument(() => sceneApi.createBody({ kind: 'sphere', radius: 4 })),
    options: options({ ...bodyOptions, number: argument(() => undefined, ['five']) }),
  },
  move: { body: number, changes: { ...options({ ...bodyOptions, link: flag }), accepts: EMPTY } },
  remove: { body: argument(() => scene.add(body), ['five']) },
  has: { body: argument(() => 1, ['five', 'minus one']) },
  body: { body: number },
  pose: {
    body: number,
    out: record({ origin: argument(() => new Float32Array(3)), angles: argument(() => new Float32Array(3)) }),
  },
  touching: { area: bounds, mask, out: argument(() => new Int32Array(4)) },
  linked: { area: bounds, mask, out: argument(() => new Int32Array(4)) },
  linkedBounds: { body: number, out: optional(linkedBox) },
  ownBounds: { body: number, out: optional(linkedBox) },
  visibleFrom: { eye: point(), mask, out: argument(() => new Int32Array(4)) },
  hearableFrom: { ear: point(), mask, out: argument(() => new Int32Array(4)) },
  contents: { point: point(), options: options({ ignore }) },
  ray: { options: options(sceneFilter) },
  sphere: { radius: size, options: options(sceneFilter) },
  box: { ...corners, options: options(sceneFilter) },
  capsule: { ...corners, options: options(sceneFilter) },
  // Maps have no ellipsoids of their own, so options are not checked.
  ellipsoid: { radii: point([4, 4, 4]) },
  hull: { hull: argument(() => undefined) },
  line: null,
});
subject('Body', body, { ...round(bodyTrace), resize: { shape: bodyShape } });
tracer('tracer of a body', body.ray(), { mask, epsilon: size, ...foreign('radius', 'mins', 'maxs') });
tracer('tracer with a pose', sceneApi.withPose(quake3.ray()), {
  ...quake3Filter,
  ...foreign('radius', 'mins', 'maxs'),
});
tracer('tracer of a scene', scene.ray(), { ...filter, ...foreign('radius', 'radii', 'mins', 'maxs') });
tracer('sphere of a scene', scene.sphere(4), {
  ...filter,
  radius: size,
  ...foreign('radii', 'mins', 'maxs'),
});

describeRefusals(subjects);
