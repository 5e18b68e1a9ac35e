import * as movement from '@bspkit/movement';
import { createBody, createScene } from '@bspkit/scene';
import {
  argument,
  callback,
  choice,
  createSubjects,
  EMPTY,
  finite,
  flag,
  optional,
  options,
  point,
  record,
  type Signatures,
  size,
} from '../src/arguments.ts';
import { describeRefusals } from './refusals.ts';
import { quake1Arena, quake3Arena } from './worlds.ts';

// What functions of movement say about wrong arguments: those of movers and characters.

const subjects = createSubjects();
const { subject } = subjects;

const quake1 = quake1Arena();
const quake3 = quake3Arena();
const scene = createScene(quake3);
const box = scene.box([-8, -8, -8], [8, 8, 8]);
const body = scene.add(createBody({ kind: 'sphere', radius: 4 }), { origin: [0, 0, 900] });

const scene1 = createScene(quake1, { rules: 'quake1' });
const plate = scene1.add(quake1.model(1));
const scene2 = createScene(quake3, { rules: 'quake2' });
const cart = scene2.add(createBody({ kind: 'box', mins: [-8, -8, -8], maxs: [8, 8, 8] }));
const scene3 = createScene(quake3, { rules: 'quake3' });
const plate3 = scene3.add(quake3.model(1));

const world3 = argument(() => quake3);
const world1 = argument(() => quake1);
const tracer = argument(() => box);
const state = argument(() => movement.createQuake3State());
const other = argument(() => movement.createQuake3State());
const bytes = argument(() => movement.packState(movement.createQuake3State()));
const mover = argument(() => movement.createQuake3Mover(quake3));
const moved = argument(() => movement.createMoveState());
/** Time may run backwards if the engine allows that. */
const seconds = argument(() => 0.016, ['five', 'half', 'minus one']);
const share = argument(() => 0.7, ['half']);
const slideOptions = { bumps: argument(() => 4, ['five']) };
const commands = argument(
  () => [movement.createQuake3Command()],
  ['empty text', 'empty array', 'map of nothing'],
);
const settings = {
  ...Object.fromEntries(
    [
      ...[
        'gravity',
        'stopSpeed',
        'maxSpeed',
        'spectatorMaxSpeed',
        'accelerate',
        'waterAccelerate',
        'friction',
      ],
      ...['waterFriction', 'entGravity'],
    ].map((name) => [name, finite]),
  ),
  splits: flag,
  carryAngles: flag,
};

const thing3 = argument(() => movement.createQuake3ThingState());
/** A time: a state's is 0. */
const whole = argument(() => 50, ['five']);
const anyTime = argument(() => 50, ['five', 'minus one']);

subject(
  'movement',
  { ...movement },
  {
    createMoveState: null,
    createMovingObject: null,
    createQuake2Command: null,
    createQuake2State: null,
    createQuake2ThingState: null,
    createQuake3Command: null,
    createQuake3Slide: null,
    createQuake3State: null,
    createQuake3ThingState: { type: optional(argument(() => movement.Quake3ThingType.item)) },
    createQuakeState: null,
    createQuakeThingState: null,
    createQuakeWorldCommand: null,
    createQuakeWorldState: null,
    // Classes, which only `new` creates.
    Predictor: null,
    Recorder: null,
    angleVectors: {
      angles: point(),
      forward: argument(() => new Float32Array(3)),
      right: optional(argument(() => new Float32Array(3))),
      up: optional(argument(() => new Float32Array(3))),
    },
    cloneState: { state },
    copyState: { from: state, to: other },
    createController: {
      tracer,
      options: options({
        position: point(),
        stepHeight: size,
        slopeLimit: argument(() => 45, ['five', 'half']),
        snapToGround: size,
        gravity: finite,
      }),
    },
    createQuake3Mover: {
      space: world3,
      options: options({
        arithmetic: choice('qvm'),
        slice: argument(() => 8, ['five']),
        footsteps: flag,
      }),
    },
    createQuake3Pusher: { scene: argument(() => scene3) },
    createQuake3ThingMover: { space: world3 },
    createQuake2Mover: {
      space: world3,
      options: options({ airAccelerate: flag, side: choice('client') }),
    },
    createQuake2Pusher: { scene: argument(() => scene2) },
    createQuake2ThingMover: {
      space: world3,
      options: options({ gravity: finite, maxVelocity: finite, breaks: callback }),
    },
    createQuakeMover: { space: world1 },
    createQuakePusher: { scene: argument(() => scene1) },
    createQuakeThingMover: { space: world1, variables: options({ gravity: finite, maxVelocity: finite }) },
    createQuakeWorldMover: {
      space: world1,
      options: options({ ...settings, useHull: argument(() => 1) }),
    },
    equalStates: { a: state, b: other },
    firstDifference: { a: state, b: other },
    futurePosition: {
      object: argument(() => movement.createMovingObject()),
      forces: {
        ...options({
          direction: point(),
          force: finite,
          friction: size,
          gravity: finite,
          maxSpeed: { ...size, accepts: [...size.accepts, 'Infinity', 'huge'] },
          asPrinted: flag,
        }),
        accepts: EMPTY,
      },
      frameTime: size,
    },
    ground: { tracer, state: moved, distance: optional(size), floor: optional(share) },
    packQuake2Command: { command: record(timedDraft()), bytes: optional(bytes) },
    packQuake3Command: { command: record({ ...draft() }), bytes: optional(bytes) },
    packQuakeWorldCommand: { command: record(worldDraft()), bytes: optional(bytes) },
    packState: { state, bytes: optional(bytes) },
    pushBody: {
      scene: argument(() => scene),
      body: argument(() => body),
      move: { ...point([0, 0, 1]), aliases: ['delta'] },
      characters: argument(() => [], ['empty array']),
      onMove: optional(callback),
    },
    quake2Angle: { degrees: finite },
    quakePushTime: { localTime: finite, nextThink: finite, frameTime: size },
    quake3Angle: { degrees: finite },
    quake3PathPosition: {
      trajectory: record({
        path: argument(() => 2, ['five']),
        ...{ pathTime: anyTime, pathDuration: anyTime, base: point(), delta: point() },
      }),
      time: anyTime,
      out: argument(() => new Float32Array(3)),
    },
    quake3ThingPosition: { state: thing3, time: anyTime, out: argument(() => new Float32Array(3)) },
    quake3ThingVelocity: { state: thing3, time: anyTime, out: argument(() => new Float32Array(3)) },
    replay: { mover, state, commands: { ...commands, aliases: ['command', 'serverTime'] } },
    slide: { tracer, state: moved, dt: seconds, options: options(slideOptions) },
    stateBytes: { state },
    step: {
      tracer,
      state: moved,
      dt: seconds,
      options: options({ ...slideOptions, floor: share, stepHeight: size }),
    },
    unpackQuake2Command: { bytes, command: optional(argument(() => movement.createQuake2Command())) },
    unpackQuake3Command: { bytes, command: optional(argument(() => movement.createQuake3Command())) },
    unpackQuakeWorldCommand: {
      bytes: argument(() => new Uint8Array(29)),
      command: optional(argument(() => movement.createQuakeWorldCommand())),
    },
    unpackState: { bytes, state },
  },
);
subject('Quake 3 mover', movement.createQuake3Mover(quake3), {
  move: { state, command: record({ ...draft() }) },
  slideMove: { slide: argument(() => movement.createQuake3Slide()) },
  stepSlideMove: { slide: argument(() => movement.createQuake3Slide()) },
});
subject('mover of things of Quake 3', movement.createQuake3ThingMover(quake3), {
  move: { state: thing3, time: whole },
  bounce: { state: thing3 },
});
subject('Quake 2 mover', movement.createQuake2Mover(quake3), {
  move: {
    state: argument(() => movement.createQuake2State()),
    command: record(timedDraft()),
  },
  putAt: { state: argument(() => movement.createQuake2State()), position: point() },
});
const dice = argument(() => () => 3, ['function']);
const thing2 = argument(() => movement.createQuake2ThingState());
subject('Quake 2 pusher', movement.createQuake2Pusher(scene2), {
  push: {
    // A part, or a list of any length.
    parts: {
      ...record({
        body: argument(() => cart),
        delta: optional(point([0, 0, 1])),
        turn: optional(point()),
        stops: flag,
      }),
      accepts: ['empty array'],
    },
    states: argument(() => [], ['empty array']),
  },
});
subject('mover of things of Quake 2', movement.createQuake2ThingMover(quake3), {
  move: { state: thing2 },
  walkMove: {
    state: thing2,
    yaw: finite,
    distance: finite,
    goal: optional(point()),
    isPlayer: optional(flag),
  },
  moveToGoal: {
    state: thing2,
    distance: finite,
    goal: { ...record({ origin: point(), isPlayer: optional(flag) }) },
    random: dice,
    enemy: optional(record({ origin: point(), mins: point(), maxs: point() })),
    linked: optional(point()),
  },
  changeYaw: { state: thing2 },
  dropToFloor: { state: thing2 },
  checkBottom: { state: thing2 },
  checkGround: { state: thing2 },
  loseGround: { state: thing2 },
  checkWater: { state: thing2, linked: optional(point()) },
  set: { variables: { ...options({ gravity: finite, maxVelocity: finite }), accepts: EMPTY } },
});
const quakeWorld = movement.createQuakeWorldMover(quake1);
quakeWorld.add(quake1.model(1), [0, 0, 0]);
subject('QuakeWorld mover', quakeWorld, {
  move: {
    state: argument(() => movement.createQuakeWorldState()),
    command: record(worldDraft()),
  },
  set: { settings: { ...options(settings), accepts: EMPTY } },
  add: { obstacle: argument(() => quake1.model(1)), origin: point() },
  place: { obstacle: argument(() => 1), origin: point() },
  clear: null,
} satisfies Signatures);
subject('Quake mover', movement.createQuakeMover(quake1), {
  fly: { state: argument(() => movement.createQuakeState()), time: seconds },
  walk: { state: argument(() => movement.createQuakeState()), frameTime: seconds },
});
const thing = argument(() => movement.createQuakeThingState());
subject('mover of things of Quake', movement.createQuakeThingMover(quake1), {
  move: { state: thing, frameTime: seconds },
  walkMove: { state: thing, yaw: finite, distance: finite, enemy: optional(point()) },
  moveToGoal: {
    state: thing,
    distance: finite,
    goal: record({ origin: point(), mins: point(), maxs: point(), item: optional(flag) }),
    random: dice,
    enemy: optional(point()),
  },
  changeYaw: { state: thing },
  dropToFloor: { state: thing },
  checkBottom: { state: thing },
  checkWater: { state: thing },
  set: { variables: { ...options({ gravity: finite, maxVelocity: finite }), accepts: EMPTY } },
});
subject('Quake pusher', movement.createQuakePusher(scene1), {
  push: {
    part: record({ body: argument(() => plate), delta: optional(point([0, 0, 1])) }),
    states: argument(() => [], ['empty array']),
  },
});
subject('Quake 3 pusher', movement.createQuake3Pusher(scene3), {
  push: {
    parts: {
      ...record({
        body: argument(() => plate3),
        ...{ delta: optional(point([0, 0, 1])), turn: optional(point([0, 1, 0])) },
        ...{ bobs: optional(flag), stops: optional(flag) },
      }),
      accepts: ['empty array'],
    },
    states: argument(() => [], ['empty array']),
  },
  endFrame: null,
});
subject('controller', movement.createController(box, { position: [0, 0, 900] }), {
  teleport: { position: point() },
  move: { delta: point() },
  walk: { velocity: point(), dt: seconds },
  unstick: { distance: optional(size) },
});
subject(
  'predictor',
  new movement.Predictor(movement.createQuake3Mover(quake3), movement.createQuake3State()),
  {
    predict: { command: record({ ...draft() }) },
    reconcile: { number: argument(() => 0), state },
  },
);
subject('recorder', new movement.Recorder(movement.createQuake3State()), {
  // What a command must contain is up to its mover.
  record: { command: argument(() => ({}), [...EMPTY, 'short Float32Array', 'function']) },
  replay: { mover },
});

/** The parts of a command. */
function draft() {
  const half = argument(() => 100, ['five', 'minus one']);
  return {
    serverTime: argument(() => 16, ['five', 'minus one']),
    angles: argument(() => [0, 0, 0]),
    forward: half,
    right: half,
    up: half,
    buttons: half,
  };
}

/** The parts of a command that says how long it lasts. */
function timedDraft() {
  const { angles, forward, right, up } = draft();
  return { msec: argument(() => 16, ['five']), angles, forward, right, up };
}

describeRefusals(subjects);
function worldDraft() {
  return {
    msec: argument(() => 16, ['five']),
    angles: point(),
    forward: finite,
    right: finite,
    up: finite,
    buttons: argument(() => 2, ['five', 'minus one']),
  };
}
