import type { BoxWorld } from '@bspkit/core';
import {
  createQuake2Command,
  createQuake2Mover,
  createQuake2State,
  Quake2Flag,
  quake2Angle,
} from '@bspkit/movement';
import { createScene } from '@bspkit/scene';
import type { OpenMap } from '../app/open-map.ts';
import { roomFinder } from './body.ts';
import { solidModels } from './models.ts';
import type { Walker } from './walker.ts';

type Collider = BoxWorld<object> & { model(k: number): Collider };
type Contents = { contents(point: ArrayLike<number>): number };

/** Milliseconds of a command: some 90 frames per second, as the game's clients have by default. */
const INTERVAL = 11;
/** What the game's keys ask for, in units per second; nobody runs faster than 300. */
const SPEED = 400;
/** Of the eyes above the origin of who stands, and of who crouches, and how high that one reaches. */
const [EYES, LOW_EYES, LOW_TOP] = [22, -2, 4];
/** States count places and speeds in eighths of a unit, in numbers of 16 bits. */
const PARTS = 8;
const [LEAST, MOST] = [-0x8000, 0x7fff];

/** Quake 2's own player. */
export function createWalker(map: OpenMap): Walker {
  const world = map.world as unknown as Collider & Contents;
  const scene = createScene(world, { rules: 'quake2' });
  for (const { model, origin } of solidModels(map, true)) scene.add(world.model(model), { origin });
  const mover = createQuake2Mover(scene);
  let state = createQuake2State();
  const command = createQuake2Command();
  command.msec = INTERVAL;
  const [hasRoom, hasLowRoom] = [roomFinder(map), roomFinder(map, LOW_TOP)];
  const isDucked = (): boolean => (state.flags & Quake2Flag.ducked) !== 0;
  const origin = new Float32Array(3);
  const velocity = new Float32Array(3);
  const show = (): void => {
    for (let k = 0; k < 3; k++) {
      origin[k] = state.origin[k]! / PARTS;
      velocity[k] = state.velocity[k]! / PARTS;
    }
  };
  return {
    name: 'Quake 2 movement',
    interval: INTERVAL,
    origin,
    velocity,
    get eyeHeight() {
      return state.viewHeight;
    },
    eyeHeights: [EYES, LOW_EYES],
    get isGrounded() {
      return state.ground !== -1;
    },
    get swims() {
      return state.waterLevel > 1;
    },
    get isCrouched() {
      return isDucked();
    },
    isFree: () => (isDucked() ? hasLowRoom : hasRoom)(origin),
    place(to, isCrouched) {
      state = createQuake2State();
      for (let k = 0; k < 3; k++) {
        state.origin[k] = Math.max(LEAST, Math.min(MOST, Math.round(PARTS * to[k]!)));
      }
      state.snapInitial = 1;
      if (isCrouched) {
        state.flags |= Quake2Flag.ducked;
        state.viewHeight = LOW_EYES;
      }
      show();
    },
    step({ forward, right, up, yaw, pitch }) {
      command.forward = Math.round(SPEED * forward);
      command.right = Math.round(SPEED * right);
      command.up = Math.round(SPEED * up);
      command.angles[0] = quake2Angle(pitch);
      command.angles[1] = quake2Angle(yaw);
      mover.move(state, command);
      show();
      return { ...command, angles: [...command.angles] };
    },
  };
}
