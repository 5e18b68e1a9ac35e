import { setFlagsFromString } from 'node:v8';
import { createRandom } from '@bspkit/geometry';
import { boxEntity } from '@bspkit/quake1';
import { boxEntity as boxEntity2 } from '@bspkit/quake2';
import { createBody, createScene } from '@bspkit/scene';
import { bytesPerCall, expectNoBytes } from '@bspkit/testkit/allocation';
import { describe, expect, it } from 'vitest';
import {
  angleVectors,
  cloneState,
  copyState,
  createController,
  createMoveState,
  createMovingObject,
  createQuake2Command,
  createQuake2Mover,
  createQuake2Pusher,
  createQuake2State,
  createQuake2ThingMover,
  createQuake2ThingState,
  createQuake3Command,
  createQuake3Mover,
  createQuake3Pusher,
  createQuake3Slide,
  createQuake3State,
  createQuake3ThingMover,
  createQuake3ThingState,
  createQuakeMover,
  createQuakePusher,
  createQuakeState,
  createQuakeThingMover,
  createQuakeThingState,
  createQuakeWorldCommand,
  createQuakeWorldMover,
  createQuakeWorldState,
  equalStates,
  futurePosition,
  ground,
  type PlayerState,
  packState,
  Quake2MoveType,
  Quake3Path,
  Quake3ThingType,
  QuakeMoveType,
  quake3ThingPosition,
  slide,
  stateBytes,
  step,
  unpackState,
} from '../src/index.ts';
import { quake1Arena, quake2Arena, quake3Arena, SPAWN } from './arena.ts';

const STATES: readonly (() => PlayerState)[] = [
  createQuakeState,
  createQuakeThingState,
  createQuakeWorldState,
  createQuake2State,
  createQuake2ThingState,
  createQuake3State,
  createQuake3ThingState,
];

const random = createRandom(7);
const side = (): number => Math.floor(random() * 3) - 1;
const choices = Array.from({ length: 256 }, () => ({
  yaw: Math.floor(random() * 65536),
  pitch: Math.floor(random() * 65536),
  forward: side(),
  right: side(),
  up: side(),
}));

const quake3 = quake3Arena();
const quake1 = quake1Arena();

const PLATE2 = { origin: [64, -576, 0], angles: [0, 0, 0] };
const PLATE = { origin: [64, -576, 0] };

describe('nothing is allocated by', () => {
  it.each([
    ['native', {}],
    ['bytecode in short slices', { arithmetic: 'qvm', slice: 8 }],
  ] as const)('commands of Quake 3 players: %s', (_, options) => {
    const mover = createQuake3Mover(quake3, options);
    const state = createQuake3State();
    const start = createQuake3State();
    start.origin.set(SPAWN);
    const command = createQuake3Command();
    let far = 0;
    expectNoBytes((call) => {
      if ((call & 63) === 0) {
        copyState(start, state);
        state.type = (call >> 6) & 3;
        state.flight = (call >> 8) & 1;
      }
      const { yaw, pitch, forward, right, up } = choices[call & 255]!;
      command.serverTime = state.commandTime + 9;
      command.angles[0] = pitch;
      command.angles[1] = yaw;
      command.forward = 127 * forward;
      command.right = 127 * right;
      command.up = 127 * up;
      mover.move(state, command);
      if (state.ground < 0) far++;
    });
    expect(far).toBeGreaterThan(0);
  });

  it('commands of Quake 2 players', () => {
    const mover = createQuake2Mover(quake3);
    const state = createQuake2State();
    const start = createQuake2State();
    for (let k = 0; k < 3; k++) start.origin[k] = 8 * SPAWN[k]!;
    const command = createQuake2Command();
    command.msec = 9;
    let far = 0;
    expectNoBytes((call) => {
      if ((call & 63) === 0) {
        copyState(start, state);
        state.type = (call >> 6) & 3;
        state.snapInitial = 1;
      }
      const { yaw, pitch, forward, right, up } = choices[call & 255]!;
      command.angles[0] = (pitch << 16) >> 16;
      command.angles[1] = (yaw << 16) >> 16;
      command.forward = 400 * forward;
      command.right = 400 * right;
      command.up = 400 * up;
      mover.move(state, command);
      if (state.ground < 0) far++;
    });
    expect(far).toBeGreaterThan(0);
  });

  it('pushes of Quake 2, whether or not they are blocked', () => {
    const world = quake2Arena();
    const scene = createScene(world, { rules: 'quake2' });
    const plate = scene.add(world.model(1), PLATE2);
    const pusher = createQuake2Pusher(scene);
    const states = Array.from({ length: 5 }, (_, k) => {
      const state = k < 2 ? createQuake2State() : createQuake2ThingState();
      state.mins.set([-8, -8, -8]);
      state.maxs.set([8, 8, 8]);
      state.entity = scene.add(boxEntity2(state.mins, state.maxs), { contents: k < 4 ? 1 << 25 : 1 << 26 });
      const origin = [40 * (k % 3) - 40, 40 * Math.floor(k / 3) - 296, 24.125];
      state.origin.set(k < 2 ? origin.map((x) => 8 * x) : origin);
      if ((k & 1) === 0) state.ground = plate;
      return { state, start: cloneState(state), pose: { origin } };
    });
    // The last one is under a beam, which stops corpses only as a model.
    scene.add(world.model(2), { origin: [0, -320, 96] });
    const all = states.map(({ state }) => state);
    const parts = [{ body: plate, delta: new Float32Array(3), turn: new Float32Array(3) }];
    let blocked = 0;
    let moved = 0;
    expectNoBytes((call) => {
      for (const { state, start, pose } of states) {
        copyState<PlayerState>(start, state);
        scene.move(state.entity, pose);
      }
      scene.move(plate, PLATE2);
      parts[0]!.delta[2] = call % 5;
      parts[0]!.turn[1] = call % 3;
      if (pusher.push(parts, all)) blocked++;
      moved += pusher.moved.length;
    });
    expect(blocked).toBeGreaterThan(0);
    expect(moved).toBeGreaterThan(0);
  });

  it('pushes of Quake, whether or not they are blocked', () => {
    const scene = createScene(quake1, { rules: 'quake1' });
    const plate = scene.add(quake1.model(1), { origin: [64, -576, 0] });
    const pusher = createQuakePusher(scene);
    const states = Array.from({ length: 5 }, (_, k) => {
      const state = k < 2 ? createQuakeState() : createQuakeThingState();
      state.mins.set([-8, -8, -8]);
      state.maxs.set([8, 8, 8]);
      state.entity = scene.add(boxEntity(state.mins, state.maxs));
      return { state, start: cloneState(state), pose: { origin: state.origin } };
    });
    // The last one is under a beam.
    scene.add(boxEntity([-8, -8, -8], [8, 8, 8]), { origin: [0, -256, 44] });
    for (const [k, { start }] of states.entries()) {
      start.origin.set([40 * (k % 3) - 40, 40 * Math.floor(k / 3) - 296, 24.03125]);
      Object.assign(start, { onGround: (k + 1) & 1, ground: plate });
    }
    const all = states.map(({ state }) => state);
    const part = { body: plate, delta: new Float32Array(3) };
    let blocked = 0;
    let moved = 0;
    expectNoBytes((call) => {
      for (const { state, start, pose } of states) {
        copyState<PlayerState>(start, state);
        scene.move(state.entity, pose);
      }
      scene.move(plate, PLATE);
      part.delta[2] = call % 5;
      if (pusher.push(part, all)) blocked++;
      moved += pusher.moved.length;
    });
    expect(blocked).toBeGreaterThan(0);
    expect(moved).toBeGreaterThan(0);
  });

  it('commands in a scene', () => {
    const scene = createScene(quake3);
    const body = createBody({ kind: 'box', mins: [-15, -15, -24], maxs: [15, 15, 32] });
    const mover = createQuake3Mover({ trace: scene, contents: quake3 });
    const command = createQuake3Command();
    const players = Array.from({ length: 4 }, (_, k) => {
      const start = createQuake3State();
      start.origin.set([31 * k - 150, -256, 40]);
      start.entity = scene.add(body, { origin: start.origin });
      const state = cloneState(start);
      return { state, start, pose: { origin: state.origin } };
    });
    let met = 0;
    let landed = 0;
    expectNoBytes((call) => {
      const { yaw, forward, right, up } = choices[call & 255]!;
      const { state, start, pose } = players[call & 3]!;
      // Left alone, they end in corners of the hall, where some of the code runs so rarely that V8 compiles it late.
      if ((call & 511) < players.length) copyState(start, state);
      const before = state.ground;
      command.serverTime = state.commandTime + 9;
      command.angles[1] = yaw;
      command.forward = 127 * forward;
      command.right = 127 * right;
      command.up = 127 * up;
      mover.move(state, command);
      scene.move(state.entity, pose);
      if (state.ground > before) landed++;
      for (let k = 0; k < mover.numTouched; k++) if (mover.touched[k]! > 0) met++;
    });
    expect(landed).toBeGreaterThan(0);
    expect(met).toBeGreaterThan(0);
  });

  it('slides', () => {
    const mover = createQuake3Mover(quake3);
    const slide = createQuake3Slide();
    slide.frameTime = 0.05;
    expectNoBytes((call) => {
      const { forward, right, yaw } = choices[call & 255]!;
      for (let k = 0; k < 3; k++) slide.origin[k] = SPAWN[k]!;
      slide.velocity[0] = forward * yaw;
      slide.velocity[1] = right * 5000;
      slide.falls = (call & 1) !== 0;
      if (call & 2) mover.slideMove(slide);
      else mover.stepSlideMove(slide);
    });
  });

  it('commands of QuakeWorld players', () => {
    const mover = createQuakeWorldMover(quake1);
    mover.add(quake1.model(1), [0, 0, 0]);
    const state = createQuakeWorldState();
    const start = createQuakeWorldState();
    start.origin.set(SPAWN);
    const command = createQuakeWorldCommand();
    let far = 0;
    expectNoBytes((call) => {
      if ((call & 63) === 0) {
        copyState(start, state);
        state.spectator = (call >> 6) & 7 ? 0 : 1;
      }
      const { yaw, forward, right, up } = choices[call & 255]!;
      command.msec = 10 + (yaw & 63);
      command.angles[1] = yaw / 182;
      command.forward = 300 * forward;
      command.right = 300 * right;
      command.buttons = up > 0 ? 2 : 0;
      mover.move(state, command);
      if (state.ground < 0) far++;
    });
    expect(far).toBeGreaterThan(0);
  });

  it("moves of single-player Quake's server", () => {
    const mover = createQuakeMover(quake1);
    const state = createQuakeState();
    let walls = 0;
    expectNoBytes((call) => {
      const { yaw, forward, right } = choices[call & 255]!;
      if ((call & 31) === 0) for (let k = 0; k < 3; k++) state.origin[k] = SPAWN[k]!;
      state.angles[1] = yaw / 182;
      state.velocity[0] = forward * 400;
      state.velocity[1] = right * 5000;
      state.velocity[2] = -40;
      if (call & 1) mover.walk(state, 0.05);
      else if (mover.fly(state, 0.05) & 2) walls++;
    });
    expect(walls).toBeGreaterThan(0);
  });

  it('pushes of Quake 3, blocked ones too', () => {
    const scene = createScene(quake3, { rules: 'quake3' });
    const [plate, door] = [64, 600].map((x) =>
      scene.add(quake3.model(1), { origin: [x, -576, 84], solid: 'model' }),
    ) as [number, number];
    const states = [-40, 0, 40].map((x) => {
      const state = createQuake3State();
      state.mins.set([-15, -15, -24]);
      state.maxs.set([15, 15, 32]);
      state.origin.set([x, -256, 124.125]);
      state.ground = plate;
      const { origin, mins, maxs } = state;
      state.entity = scene.add(createBody({ kind: 'box', mins, maxs }), { origin });
      return state;
    });
    const item = createQuake3ThingState(Quake3ThingType.item);
    item.base.set([10, -300, 115.125]);
    item.ground = plate;
    item.entity = scene.add(createBody({ kind: 'box', mins: item.mins, maxs: item.maxs }), {
      solid: 'trigger',
    });
    scene.move(item.entity, { origin: item.base });
    scene.add(createBody({ kind: 'box', mins: [30, -270, 157], maxs: [50, -250, 160] }));
    const pusher = createQuake3Pusher(scene);
    const all = [...states, item];
    const up = [
      { body: door, delta: [0, 0, 2], turn: [0, 0.25, 0] },
      { body: plate, delta: [0, 0, 2], bobs: false },
    ];
    const down = [
      { body: door, delta: [0, 0, -1], turn: [0, -0.25, 0] },
      { body: plate, delta: [0, 0, -1], bobs: true },
    ];
    const counts = [0, 0];
    expectNoBytes((call) => {
      // Up and down, and every other time up is blocked.
      const blocker = pusher.push((call & 1) === 0 ? up : down, all);
      if (blocker) counts[0]!++;
      else counts[1]! += pusher.moved.length;
      pusher.endFrame();
    });
    expect(Math.min(...counts)).toBeGreaterThan(100);
  });

  it('frames of missiles and items of Quake 3', () => {
    const scene = createScene(quake3, { rules: 'quake3' });
    const mover = createQuake3ThingMover(scene);
    const things = [
      createQuake3ThingState(),
      createQuake3ThingState(),
      createQuake3ThingState(Quake3ThingType.item),
    ];
    const box = createBody({ kind: 'box', mins: [-8, -8, -8], maxs: [8, 8, 8] });
    for (const state of things.slice(1)) state.entity = scene.add(box, { origin: SPAWN });
    const place = new Float32Array(3);
    let bounces = 0;
    expectNoBytes((call) => {
      const { forward, right, up } = choices[call & 255]!;
      const state = things[call % things.length]!;
      if ((call & 255) < things.length) {
        state.path = call % things.length === 1 ? Quake3Path.linear : Quake3Path.gravity;
        state.pathTime = state.time;
        state.ground = -1;
        for (let k = 0; k < 3; k++) state.base[k] = state.origin[k] = SPAWN[k]!;
        state.delta[0] = forward * 300;
        state.delta[1] = right * 300;
        state.delta[2] = up * 200;
      }
      quake3ThingPosition(state, state.time, place);
      if (!mover.move(state, state.time + 50)) return;
      if (state.type === Quake3ThingType.missile) mover.bounce(state);
      bounces++;
    });
    expect(bounces).toBeGreaterThan(0);
  });

  it('frames of things and monsters of Quake 2 among bodies', () => {
    const scene = createScene(quake2Arena(), { rules: 'quake2' });
    let broken = 0;
    const breaks = (): boolean => {
      broken++;
      return false;
    };
    const mover = createQuake2ThingMover(scene, { breaks });
    const types = Object.values(Quake2MoveType);
    const things = Array.from({ length: 8 }, (_, k) => {
      const state = createQuake2ThingState();
      state.moveType = types[k % types.length]!;
      if (state.moveType === Quake2MoveType.step || k === 7) {
        state.moveType = Quake2MoveType.step;
        state.mins.set([-16, -16, -24]);
        state.maxs.set([16, 16, 32]);
        state.monster = 1;
        state.flies = k === 7 ? 1 : 0;
      }
      state.gib = k & 1;
      state.entity = scene.add(boxEntity2(state.mins, state.maxs), { origin: SPAWN });
      return { state, pose: { origin: state.origin } };
    });
    const goal = { origin: SPAWN, mins: [-16, -16, -24], maxs: [16, 16, 32] };
    let thrown = 0;
    const throwDice = (): number => (thrown++ * 5) & 7;
    let chases = 0;
    let walks = 0;
    let hits = 0;
    expectNoBytes((call) => {
      const { yaw, forward, right, up } = choices[call & 255]!;
      const { state, pose } = things[call & 7]!;
      if ((call & 255) < 8) {
        for (let k = 0; k < 3; k++) state.origin[k] = SPAWN[k]!;
        state.origin[0] = 40 * (call & 7) - 150;
        state.velocity[0] = forward * 400;
        state.velocity[1] = right * 400;
        state.velocity[2] = up * 200;
        state.ground = -1;
      }
      if ((call & 31) === 9) mover.loseGround(state);
      mover.move(state);
      hits += mover.numTouched;
      if (state.monster !== 0) {
        if (mover.walkMove(state, yaw, 8, SPAWN, (call & 1) === 0)) walks++;
        if (mover.moveToGoal(state, 8, goal, throwDice, call & 16 ? goal : undefined, mover.linked)) chases++;
        mover.changeYaw(state);
        if ((call & 1) === 0) mover.dropToFloor(state);
        mover.checkGround(state);
        mover.checkWater(state, mover.linked);
      }
      scene.move(state.entity, pose);
    });
    expect(walks).toBeGreaterThan(0);
    expect(hits).toBeGreaterThan(0);
    expect(broken).toBeGreaterThan(0);
    expect(chases).toBeGreaterThan(0);
    expect(thrown).toBeGreaterThan(chases);
  });

  it('frames of things and monsters of Quake among bodies', () => {
    const scene = createScene(quake1, { rules: 'quake1' });
    const mover = createQuakeThingMover({ trace: scene, contents: quake1 });
    const types = Object.values(QuakeMoveType);
    const things = Array.from({ length: 8 }, (_, k) => {
      const state = createQuakeThingState();
      state.moveType = types[k % types.length]!;
      if (state.moveType === QuakeMoveType.step || k === 7) {
        state.moveType = QuakeMoveType.step;
        state.mins.set([-16, -16, -24]);
        state.maxs.set([16, 16, 40]);
        state.flies = k === 7 ? 1 : 0;
      }
      state.solid = k & 1;
      const box = boxEntity(state.mins, state.maxs);
      state.entity = scene.add(box, { origin: SPAWN, monster: k === 1 });
      return { state, pose: { origin: state.origin } };
    });
    const goal = { origin: SPAWN, mins: [-16, -16, -24], maxs: [16, 16, 32] };
    let thrown = 0;
    const throwDice = (): number => (thrown++ * 5) & 7;
    let chases = 0;
    let walks = 0;
    let hits = 0;
    expectNoBytes((call) => {
      const { yaw, forward, right, up } = choices[call & 255]!;
      const { state, pose } = things[call & 7]!;
      if ((call & 255) < 8) {
        for (let k = 0; k < 3; k++) state.origin[k] = SPAWN[k]!;
        state.origin[0] = 40 * (call & 7) - 150;
        state.velocity[0] = forward * 400;
        state.velocity[1] = right * 400;
        state.velocity[2] = up * 200;
        state.onGround = 0;
      }
      let moves = mover.move(state, 0.05);
      hits += mover.numTouched;
      if (state.moveType === QuakeMoveType.step) {
        if (mover.walkMove(state, yaw, 8, SPAWN)) {
          moves = true;
          walks++;
        }
        if (mover.moveToGoal(state, 8, goal, throwDice, call & 16 ? SPAWN : undefined)) {
          moves = true;
          chases++;
        }
        mover.changeYaw(state);
        mover.checkWater(state);
        if ((call & 1) === 0) mover.dropToFloor(state);
      }
      if (moves) scene.move(state.entity, pose);
    });
    expect(walks).toBeGreaterThan(0);
    expect(hits).toBeGreaterThan(0);
    expect(chases).toBeGreaterThan(0);
    expect(thrown).toBeGreaterThan(chases);
  });

  // Each separately: in a function that calls a lot, V8 does not inline all of it, and boxes numbers in between.
  const amongBodies = () => {
    const scene = createScene(quake3);
    const body = createBody({ kind: 'box', mins: [-15, -15, -24], maxs: [15, 15, 32] });
    scene.add(body, { origin: [60, -256, 32] });
    return scene.box([-15, -15, -24], [15, 15, 32]);
  };

  it('characters that are not of any particular game', () => {
    const character = createController(amongBodies(), { position: SPAWN });
    const velocity = new Float32Array(3);
    let met = 0;
    expectNoBytes((call) => {
      const { forward, right, up } = choices[call & 255]!;
      velocity[0] = 300 * forward;
      velocity[1] = 300 * right;
      if ((call & 127) === 0) character.teleport(SPAWN);
      if (up > 0 && character.grounded) character.verticalSpeed = 270;
      character.walk(velocity, 0.02);
      met += character.numTouched;
    });
    expect(met).toBeGreaterThan(0);
  });

  it('round characters that walk on stairs', () => {
    const scene = createScene();
    for (let k = 0; k < 9; k++)
      scene.add(
        createBody({ kind: 'box', mins: [k === 0 ? -500 : 12 * k, -500, -16], maxs: [500, 500, 9 * k] }),
      );
    const character = createController(scene.capsule({ radius: 16, height: 56 }));
    const [up, down] = [
      [300, 20, 0],
      [-300, -20, 0],
    ] as const;
    let met = 0;
    expectNoBytes((call) => {
      if ((call & 1023) === 0) character.teleport([-60, 0, 28.1]);
      character.walk((call & 63) < 32 ? up : down, 0.016);
      met += character.numTouched;
    });
    expect(met).toBeGreaterThan(0);
  });

  it('slides and steps', () => {
    const tracer = amongBodies();
    const state = createMoveState();
    const options = { stepHeight: 18 };
    let met = 0;
    expectNoBytes((call) => {
      const { forward, right } = choices[call & 255]!;
      for (let k = 0; k < 3; k++) state.position[k] = SPAWN[k]!;
      state.velocity[0] = 300 * forward - 50;
      state.velocity[1] = 300 * right - 50;
      state.velocity[2] = -50;
      step(tracer, state, 0.1, options);
      slide(tracer, state, 0.1);
      if (ground(tracer, state)) met++;
    });
    expect(met).toBeGreaterThan(0);
  });

  it('directions of angles', () => {
    const [angles, forward, right, up] = Array.from({ length: 4 }, () => new Float32Array(3)) as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    expectNoBytes((call) => {
      const { pitch, yaw } = choices[call & 255]!;
      angles[0] = pitch / 200;
      angles[1] = yaw / 200;
      angleVectors(angles, forward, right, up);
    });
    expect(forward[0]! * right[0]! + forward[1]! * right[1]! + forward[2]! * right[2]!).toBeCloseTo(0, 5);
  });

  it('objects that are pushed', () => {
    const object = createMovingObject();
    const direction = new Float32Array(3);
    const forces = { direction, force: 100, friction: 20, maxSpeed: 300 };
    expectNoBytes((call) => {
      direction[0] = choices[call & 255]!.forward;
      direction[1] = choices[call & 255]!.right;
      futurePosition(object, forces, 0.02);
    });
    expect(object.movement[2]).toBeLessThan(0);
  });

  it.each(STATES.map((create) => [create().kind, create] as const))(
    'copying and comparing states: %s',
    (_, create: () => PlayerState) => {
      const [a, b] = [create(), create()] as (PlayerState & { origin: Float32Array })[];
      for (const name of ['waterJumpTime', 'gravityFactor', 'bounceFactor']) {
        if (name in a!) Object.assign(a!, { [name]: 0.375 });
      }
      let same = 0;
      expectNoBytes((call) => {
        a!.origin[0] = call;
        if (equalStates(a!, b!)) same++;
        copyState(a!, b!);
        if (equalStates(a!, b!)) same++;
      });
      expect(same).toBeGreaterThan(0);
    },
  );

  it('packing states into bytes that are there', () => {
    const [a, b] = [createQuake3State(), createQuake3State()];
    const bytes = new Uint8Array(stateBytes(a));
    expectNoBytes((call) => {
      a.origin[0] = call / 8;
      unpackState(packState(a, bytes), b);
    });
    expect(b.origin[0]).toBe(a.origin[0]);
  });
});

it('cloned states take the room of their numbers, and no table of their names', () => {
  const state = createQuake3State();
  // 2 kB with the arrays' objects; a table is 5 kB more.
  expect(bytesPerCall(() => void cloneState(state), 3_000, 4_000)).toBeLessThanOrEqual(4_000);
});

it('cloned states have the layout of fresh ones in V8, and so do clones of clones', () => {
  setFlagsFromString('--allow-natives-syntax');
  const haveSameMap = new Function('a', 'b', 'return %HaveSameMap(a, b)') as (
    a: object,
    b: object,
  ) => boolean;
  for (const create of STATES) {
    const fresh = create();
    let state = cloneState(fresh);
    for (let generation = 0; generation < 10; generation++) {
      expect(haveSameMap(state, fresh), fresh.kind).toBe(true);
      state = cloneState(state);
    }
  }
});
