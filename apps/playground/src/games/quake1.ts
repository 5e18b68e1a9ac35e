import { createQuakeWorldCommand, createQuakeWorldMover, createQuakeWorldState } from '@bspkit/movement';
import type { OpenMap } from '../app/open-map.ts';
import { roomFinder } from './body.ts';
import { solidModels } from './models.ts';
import type { Walker } from './walker.ts';

type Space = Parameters<typeof createQuakeWorldMover>[0];
type Obstacle = Parameters<ReturnType<typeof createQuakeWorldMover>['add']>[0];

/** Milliseconds of a command: the 77 frames per second that servers allowed. */
const INTERVAL = 13;
/** Of the eyes above the origin: in Quake, and in Half-Life. */
const [EYES, HALF_LIFE_EYES] = [22, 28];
const JUMP = 2;
/** What the game's keys ask for, in units per second; the server lets nobody run faster than 320. */
const SPEED = 400;
const HALF_LIFE = 30;

/** QuakeWorld's own player; in Half-Life's maps with the hull of a player who stands. */
export function createWalker(map: OpenMap): Walker {
  const world = map.world as unknown as Space & { model(k: number): Obstacle };
  const isHalfLife = map.file.version === HALF_LIFE;
  const mover = createQuakeWorldMover(world, isHalfLife ? { useHull: 0 } : {});
  for (const { model, origin } of solidModels(map)) mover.add(world.model(model), origin);
  let state = createQuakeWorldState();
  const command = createQuakeWorldCommand();
  command.msec = INTERVAL;
  const hasRoom = roomFinder(map);
  return {
    name: isHalfLife ? 'QuakeWorld movement, Half-Life hull' : 'QuakeWorld movement',
    interval: INTERVAL,
    get origin() {
      return state.origin;
    },
    get velocity() {
      return state.velocity;
    },
    eyeHeight: isHalfLife ? HALF_LIFE_EYES : EYES,
    get isGrounded() {
      return state.ground !== -1;
    },
    get swims() {
      return state.waterLevel > 1;
    },
    isCrouched: false,
    isFree: () => hasRoom(state.origin),
    place(origin) {
      state = createQuakeWorldState();
      state.origin.set([origin[0]!, origin[1]!, origin[2]!]);
    },
    step({ forward, right, up, yaw, pitch }) {
      command.forward = SPEED * forward;
      command.side = SPEED * right;
      command.up = SPEED * up;
      command.buttons = up > 0 ? JUMP : 0;
      command.angles[0] = pitch;
      command.angles[1] = yaw;
      mover.move(state, command);
      return { ...command, angles: [...command.angles] };
    },
  };
}
