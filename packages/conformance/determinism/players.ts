import type { BoxWorld, BspWorld } from '@bspkit/core';
import { between, pick, type Random } from '@bspkit/geometry';
import {
  createController,
  createQuake2Command,
  createQuake2Mover,
  createQuake2State,
  createQuake2ThingMover,
  createQuake2ThingState,
  createQuake3Command,
  createQuake3Mover,
  createQuake3State,
  createQuake3ThingMover,
  createQuake3ThingState,
  createQuakeMover,
  createQuakeState,
  createQuakeThingMover,
  createQuakeThingState,
  createQuakeWorldCommand,
  createQuakeWorldMover,
  createQuakeWorldState,
  Quake2MoveType,
  Quake3Bounce,
  type Quake3MoverOptions,
  Quake3Path,
  Quake3ThingType,
  QuakeMoveType,
} from '@bspkit/movement';
import type { Hash } from './hash.ts';

// Players and characters, driven by seeded commands, and things that fly; if one bit differs, everything that follows does.

/** Where they move, and where results go. */
export interface PlayerContext {
  readonly format: { readonly id: string };
  readonly world: BspWorld;
  readonly random: Random;
  readonly hash: Hash;
}

type Ask = () => void;

const MINS = [-16, -16, -24];
const MAXS = [16, 16, 32];

/** The players of a map's own game and what they throw, and characters of no game, wherever boxes can be moved. */
export function askPlayers(context: PlayerContext): Ask[] {
  if (!('box' in context.world)) return [];
  const own = OWN[context.format.id]?.(context) ?? [];
  return [...own, askCharacter(context)];
}

/** The players and things that games have, by format. */
const OWN: Readonly<Record<string, (context: PlayerContext) => Ask[]>> = {
  quake1: (context) => [askQuakeWorld(context), askQuake(context), askQuakeThing(context)],
  quake2: (context) => [askQuake2(context), askQuake2Thing(context)],
  quake3: (context) => [
    askQuake3(context, {}),
    askQuake3(context, { arithmetic: 'qvm', slice: 8 }),
    askQuake3Thing(context),
  ],
};

/** Puts somebody somewhere, in the open if such a place is found soon. */
function createSpawner({ world, random }: PlayerContext): (to: Float32Array) => void {
  const { mins, maxs } = world.bounds;
  const box = (world as BspWorld & BoxWorld).box(MINS, MAXS);
  return (to) => {
    for (let tries = 0; tries < 20; tries++) {
      for (let k = 0; k < 3; k++) to[k] = between(random, mins[k]!, maxs[k]!);
      if (!box.blocked(to, to)) return;
    }
  };
}

const whole = (random: Random, low: number, high: number): number => Math.floor(between(random, low, high));

function askQuake3(context: PlayerContext, options: Quake3MoverOptions): Ask {
  const { world, random, hash } = context;
  const mover = createQuake3Mover(world as never, options);
  const spawn = createSpawner(context);
  const command = createQuake3Command();
  let state = createQuake3State();
  let calls = 0;
  return () => {
    if (calls++ % 60 === 0) {
      state = createQuake3State();
      state.type = random() < 0.8 ? 0 : whole(random, 0, 4);
      state.flight = random() < 0.1 ? 1 : 0;
      spawn(state.origin);
    }
    for (let k = 0; k < 2; k++) command.angles[k] = whole(random, 0, 65536);
    command.serverTime = state.commandTime + whole(random, 1, 90);
    command.forward = whole(random, -127, 128);
    command.right = whole(random, -127, 128);
    command.up = whole(random, -1, 2) * 127;
    mover.move(state, command);
    hash.value(state);
    hash.value(mover.events.subarray(0, mover.numEvents));
  };
}

function askQuake2(context: PlayerContext): Ask {
  const { world, random, hash } = context;
  const mover = createQuake2Mover(world as never);
  const spawn = createSpawner(context);
  const command = createQuake2Command();
  const at = new Float32Array(3);
  let state = createQuake2State();
  let calls = 0;
  return () => {
    if (calls++ % 60 === 0) {
      state = createQuake2State();
      state.type = random() < 0.8 ? 0 : whole(random, 0, 5);
      spawn(at);
      for (let k = 0; k < 3; k++) state.origin[k] = 8 * at[k]!;
      state.snapInitial = 1;
    }
    command.msec = whole(random, 0, 120);
    for (let k = 0; k < 3; k++) command.angles[k] = whole(random, -32768, 32768);
    command.forward = whole(random, -400, 400);
    command.right = whole(random, -400, 400);
    command.up = whole(random, -1, 2) * 200;
    mover.move(state, command);
    hash.value(state);
    hash.value(mover.touched.subarray(0, mover.numTouched));
  };
}

function askQuakeWorld(context: PlayerContext): Ask {
  const { world, random, hash } = context;
  const mover = createQuakeWorldMover(world as never);
  const spawn = createSpawner(context);
  const command = createQuakeWorldCommand();
  let state = createQuakeWorldState();
  let calls = 0;
  return () => {
    if (calls++ % 60 === 0) {
      state = createQuakeWorldState();
      state.spectator = random() < 0.1 ? 1 : 0;
      spawn(state.origin);
    }
    command.msec = whole(random, 0, 120);
    command.angles[0] = between(random, -80, 80);
    command.angles[1] = between(random, 0, 360);
    command.forward = whole(random, -400, 400);
    command.right = whole(random, -400, 400);
    command.up = whole(random, -400, 400);
    command.buttons = random() < 0.3 ? 2 : 0;
    mover.move(state, command);
    hash.value(state);
    hash.value(mover.touched.subarray(0, mover.numTouched));
  };
}

function askQuake(context: PlayerContext): Ask {
  const { world, random, hash } = context;
  const mover = createQuakeMover(world as never);
  const spawn = createSpawner(context);
  const state = createQuakeState();
  let calls = 0;
  return () => {
    if (calls++ % 20 === 0) spawn(state.origin);
    state.angles[1] = between(random, 0, 360);
    for (let k = 0; k < 3; k++) state.velocity[k] = between(random, -600, k < 2 ? 600 : 200);
    if (random() < 0.5) hash.number(mover.fly(state, between(random, 0, 0.1)));
    else mover.walk(state, between(random, 0, 0.1));
    hash.value(state);
    hash.value(mover.wall);
  };
}

function askCharacter(context: PlayerContext): Ask {
  const { world, random, hash } = context;
  const spawn = createSpawner(context);
  const character = createController((world as BspWorld & BoxWorld).box(MINS, MAXS));
  const at = new Float32Array(3);
  let calls = 0;
  return () => {
    if (calls++ % 60 === 0) {
      spawn(at);
      character.teleport(at);
      character.unstick();
    }
    for (let k = 0; k < 3; k++) at[k] = between(random, -400, 400);
    if (character.grounded && random() < 0.1) character.verticalSpeed = 270;
    character.walk(at, between(random, 0, 0.1));
    hash.value(character.position);
    hash.value(character.groundNormal);
    hash.number(character.groundEntity);
  };
}

function askQuake3Thing(context: PlayerContext): Ask {
  const { world, random, hash } = context;
  const mover = createQuake3ThingMover(world as never);
  const spawn = createSpawner(context);
  const types = Object.values(Quake3ThingType);
  // Things do not swing.
  const paths = Object.values(Quake3Path).filter((path) => path !== Quake3Path.sine);
  let state = createQuake3ThingState();
  let calls = 0;
  return () => {
    if (calls++ % 60 === 0) {
      state = createQuake3ThingState(pick(random, types));
      state.path = pick(random, paths);
      state.pathDuration = whole(random, 0, 3000);
      state.bounce = pick(random, Object.values(Quake3Bounce));
      state.bounceFactor = random();
      state.mins.fill(-whole(random, 0, 16));
      state.maxs.fill(whole(random, 0, 16));
      spawn(state.base);
      state.origin.set(state.base);
      for (let k = 0; k < 3; k++) state.delta[k] = between(random, -900, 900);
    }
    const isHit = mover.move(state, state.time + whole(random, 1, 90));
    if (isHit && state.type === Quake3ThingType.missile) mover.bounce(state);
    hash.value(state);
    hash.number(mover.entity);
  };
}

function askQuake2Thing(context: PlayerContext): Ask {
  const { world, random, hash } = context;
  const mover = createQuake2ThingMover(world as never);
  const spawn = createSpawner(context);
  const types = Object.values(Quake2MoveType);
  const goal = createQuake2ThingState();
  const throwDice = (): number => Math.floor(between(random, 0, 4));
  let state = createQuake2ThingState();
  let calls = 0;
  return () => {
    if (calls++ % 60 === 0) {
      state = createQuake2ThingState();
      state.moveType = pick(random, types);
      state.yawSpeed = between(random, 0, 60);
      spawn(goal.origin);
      state.gravityFactor = between(random, 0, 2);
      state.flies = random() < 0.1 ? 1 : 0;
      state.swims = random() < 0.1 ? 1 : 0;
      state.dead = random() < 0.1 ? 1 : 0;
      state.gib = random() < 0.2 ? 1 : 0;
      state.monster = state.moveType === Quake2MoveType.step ? 1 : 0;
      if (state.monster !== 0) {
        state.mins.set(MINS);
        state.maxs.set(MAXS);
      }
      spawn(state.origin);
      for (let k = 0; k < 3; k++) {
        state.velocity[k] = between(random, -900, 900);
        state.angularVelocity[k] = between(random, -400, 400);
      }
    }
    mover.move(state);
    hash.value(mover.touched.subarray(0, mover.numTouched));
    if (state.monster !== 0) {
      hash.number(mover.walkMove(state, between(random, 0, 360), between(random, 0, 24)) ? 1 : 0);
      hash.number(mover.moveToGoal(state, between(random, 0, 24), goal, throwDice) ? 1 : 0);
      mover.checkGround(state);
      mover.checkWater(state);
    }
    hash.value(state);
  };
}

function askQuakeThing(context: PlayerContext): Ask {
  const { world, random, hash } = context;
  const mover = createQuakeThingMover(world as never);
  const spawn = createSpawner(context);
  const types = Object.values(QuakeMoveType);
  const goal = createQuakeThingState();
  const throwDice = (): number => Math.floor(between(random, 0, 4));
  let state = createQuakeThingState();
  let calls = 0;
  return () => {
    if (calls++ % 60 === 0) {
      state = createQuakeThingState();
      state.moveType = pick(random, types);
      state.yawSpeed = between(random, 0, 60);
      spawn(goal.origin);
      state.gravityFactor = between(random, 0, 2);
      state.flies = random() < 0.1 ? 1 : 0;
      if (state.moveType === QuakeMoveType.step) {
        state.mins.set(MINS);
        state.maxs.set(MAXS);
      }
      spawn(state.origin);
      for (let k = 0; k < 3; k++) {
        state.velocity[k] = between(random, -900, 900);
        state.angularVelocity[k] = between(random, -400, 400);
      }
    }
    mover.move(state, between(random, 0, 0.1));
    hash.value(mover.touched.subarray(0, mover.numTouched));
    if (state.moveType === QuakeMoveType.step) {
      hash.number(mover.walkMove(state, between(random, 0, 360), between(random, 0, 24)) ? 1 : 0);
      hash.number(mover.moveToGoal(state, between(random, 0, 24), goal, throwDice) ? 1 : 0);
      mover.checkWater(state);
    }
    hash.value(state);
  };
}
