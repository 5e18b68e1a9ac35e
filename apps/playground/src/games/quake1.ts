import type { Tracer, Vec3 } from '@bspkit/core';
import { createQuakeWorldCommand, createQuakeWorldMover, createQuakeWorldState } from '@bspkit/movement';
import type { OpenMap } from '../app/open-map.ts';
import { roomFinder } from './body.ts';
import { type SolidModel, solidModels } from './models.ts';
import type { Walker } from './walker.ts';

type Space = Parameters<typeof createQuakeWorldMover>[0];
type Mover = ReturnType<typeof createQuakeWorldMover>;
type Obstacle = Parameters<Mover['add']>[0] & { hull(hull: number, options: { origin: Vec3 }): Tracer };
type World = Space & { hull(hull: number): Tracer; model(k: number): Obstacle };

/** Milliseconds of a command: the 77 frames per second that servers allowed. */
const INTERVAL = 13;
/** Of the eyes above the origin: in Quake; in Half-Life of who stands, and of who crouches. */
const [EYES, STANDING_EYES, CROUCHED_EYES] = [22, 28, 12];
const JUMP = 2;
/** What the game's keys ask for, in units per second. */
const SPEED = 400;
/** The server lets nobody run faster; who crouches in Half-Life asks for a third of it. */
const MOST = 320;
const HALF_LIFE = 30;
/** How much nearer to the feet the origin of who crouches is. */
const LOWER = 18;

/** QuakeWorld's own player; in Half-Life's maps with the hulls of its player, who crouches. */
export function createWalker(map: OpenMap): Walker {
  const world = map.world as unknown as World;
  const models = solidModels(map);
  const moverOf = (useHull?: number): Mover => {
    const mover = createQuakeWorldMover(world, { useHull });
    for (const { model, origin } of models) mover.add(world.model(model), origin);
    return mover;
  };
  const isHalfLife = map.file.version === HALF_LIFE;
  const eyeHeights = isHalfLife ? [STANDING_EYES, CROUCHED_EYES] : [EYES];
  const mover = moverOf(isHalfLife ? 0 : undefined);
  const crouching = isHalfLife ? { mover: moverOf(1), hasRoom: hullRoom(world, 3, models) } : undefined;
  const hasRoom = isHalfLife ? hullRoom(world, 1, models) : roomFinder(map);
  let state = createQuakeWorldState();
  let isCrouched = false;
  const command = createQuakeWorldCommand();
  command.msec = INTERVAL;
  const setCrouched = (wanted: boolean): void => {
    if (wanted === isCrouched) return;
    const [x, y, z] = state.origin as unknown as [number, number, number];
    // On the ground its feet stay where they are. In the air it draws them in, and its middle stays.
    const lift = state.ground === -1 ? 0 : LOWER;
    const origin = [x, y, wanted ? z - lift : z + lift];
    if (!wanted && !hasRoom(origin)) return;
    state.origin.set(origin);
    isCrouched = wanted;
  };
  return {
    name: isHalfLife ? 'QuakeWorld movement, Half-Life hulls' : 'QuakeWorld movement',
    interval: INTERVAL,
    get origin() {
      return state.origin;
    },
    get velocity() {
      return state.velocity;
    },
    get eyeHeight() {
      return eyeHeights[Number(isCrouched)]!;
    },
    eyeHeights,
    get isGrounded() {
      return state.ground !== -1;
    },
    get swims() {
      return state.waterLevel > 1;
    },
    get isCrouched() {
      return isCrouched;
    },
    isFree: () => (isCrouched ? crouching! : { hasRoom }).hasRoom(state.origin),
    place(origin, crouches) {
      state = createQuakeWorldState();
      state.origin.set([origin[0]!, origin[1]!, origin[2]!]);
      isCrouched = crouches && isHalfLife;
    },
    step({ forward, right, up, yaw, pitch }) {
      // Who swims dives; who has crouched already does so until the key is released.
      if (crouching) setCrouched(up < 0 && (isCrouched || state.waterLevel <= 1));
      const speed = isCrouched ? MOST / 3 : SPEED;
      command.forward = speed * forward;
      command.right = speed * right;
      command.up = speed * up;
      command.buttons = up > 0 ? JUMP : 0;
      command.angles[0] = pitch;
      command.angles[1] = yaw;
      (isCrouched ? crouching! : { mover }).mover.move(state, command);
      return { ...command, angles: [...command.angles] };
    },
  };
}

/** Tells whether one of Half-Life's hulls has room somewhere, among doors too. */
function hullRoom(world: World, hull: number, models: readonly SolidModel[]): (origin: Vec3) => boolean {
  const tracers = [
    world.hull(hull),
    ...models.map(({ model, origin }) => world.model(model).hull(hull, { origin })),
  ];
  return (origin) => !tracers.some((tracer) => tracer.blocked(origin, origin));
}
