import type { BoxWorld } from '@bspkit/core';
import {
  createQuake3Command,
  createQuake3Mover,
  createQuake3State,
  Quake3Flag,
  quake3Angle,
} from '@bspkit/movement';
import { createScene } from '@bspkit/scene';
import type { OpenMap } from '../app/open-map.ts';
import { roomFinder } from './body.ts';
import { solidModels } from './models.ts';
import type { Walker, WalkInput } from './walker.ts';

type Collider = BoxWorld<object> & { model(k: number): Collider };
type Contents = { contents(point: ArrayLike<number>): number };

/** Milliseconds of a command: players who knew had 125 frames per second, and jumped farthest. */
const INTERVAL = 8;
/** Of the eyes above the origin of who stands, and of who crouches, and how high that one reaches. */
const [EYES, LOW_EYES, LOW_TOP] = [26, 12, 16];

/** Quake 3's own player. */
export function createWalker(map: OpenMap): Walker {
  const world = map.world as unknown as Collider & Contents;
  const scene = createScene(world, { rules: 'quake3' });
  for (const { model, origin } of solidModels(map, true)) scene.add(world.model(model), { origin });
  const mover = createQuake3Mover(scene);
  let state = createQuake3State();
  const command = createQuake3Command();
  const [hasRoom, hasLowRoom] = [roomFinder(map), roomFinder(map, LOW_TOP)];
  const isDucked = (): boolean => (state.flags & Quake3Flag.ducked) !== 0;
  return {
    name: 'Quake 3 movement',
    interval: INTERVAL,
    get origin() {
      return state.origin;
    },
    get velocity() {
      return state.velocity;
    },
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
    isFree: () => (isDucked() ? hasLowRoom : hasRoom)(state.origin),
    place(origin, isCrouched) {
      const { commandTime } = state;
      state = createQuake3State();
      state.commandTime = commandTime;
      state.origin.set([origin[0]!, origin[1]!, origin[2]!]);
      if (!isCrouched) return;
      state.flags |= Quake3Flag.ducked;
      state.viewHeight = LOW_EYES;
    },
    step(input) {
      fill(command, input, state.commandTime + INTERVAL);
      mover.move(state, command);
      return { ...command, angles: [...command.angles] };
    },
  };
}

function fill(
  command: ReturnType<typeof createQuake3Command>,
  { forward, right, up, yaw, pitch }: WalkInput,
  time: number,
): void {
  command.serverTime = time;
  command.forward = Math.round(127 * forward);
  command.right = Math.round(127 * right);
  command.up = Math.round(127 * up);
  command.angles[0] = quake3Angle(pitch);
  command.angles[1] = quake3Angle(yaw);
}
