import type { BoxWorld } from '@bspkit/core';
import { cos, sin } from '@bspkit/core/format';
import { createController } from '@bspkit/movement';
import { createScene } from '@bspkit/scene';
import type { OpenMap } from '../app/open-map.ts';
import { bodyTracer, roomFinder } from './body.ts';
import { solidModels } from './models.ts';
import type { Walker } from './walker.ts';

type World = BoxWorld<object> & { model(k: number): World };

/** Milliseconds of a move. */
const INTERVAL = 8;
/** How fast it runs, in units per second, and how fast it leaves the ground. */
const SPEED = 320;
const JUMP = 270;
/** Where its eyes are, as a part of the height above its origin. */
const EYES = 0.85;

/** A character of no game, with the size that the format gives to a body: for maps whose game has no movement here. */
export function createWalker(map: OpenMap): Walker | undefined {
  const shape = bodyTracer(map)?.shape;
  if (shape?.kind !== 'box') return undefined;
  const { mins, maxs } = shape;
  const world = map.world as unknown as World;
  const scene = createScene(world);
  for (const { model, origin } of solidModels(map)) scene.add(world.model(model), { origin });
  const character = createController(scene.box(mins, maxs));
  const velocity = new Float32Array(3);
  const hasRoom = roomFinder(map);
  return {
    name: 'character controller',
    interval: INTERVAL,
    get origin() {
      return character.position;
    },
    velocity,
    eyeHeight: EYES * maxs[2]!,
    eyeHeights: [EYES * maxs[2]!],
    get isGrounded() {
      return character.grounded;
    },
    swims: false,
    isCrouched: false,
    isFree: () => hasRoom(character.position),
    place(origin) {
      character.teleport(origin);
      velocity.fill(0);
    },
    step({ forward, right, up, yaw }) {
      const turn = (yaw * Math.PI) / 180;
      const [x, y] = [cos(turn), sin(turn)];
      const size = Math.max(1, Math.sqrt(forward * forward + right * right));
      velocity[0] = (SPEED * (forward * x + right * y)) / size;
      velocity[1] = (SPEED * (forward * y - right * x)) / size;
      if (up > 0 && character.grounded) character.verticalSpeed = JUMP;
      character.walk(velocity, INTERVAL / 1000);
      // Only a move finds out.
      if (character.stuck) character.unstick();
      const move = { velocity: [velocity[0]!, velocity[1]!, 0], dt: INTERVAL / 1000, up };
      velocity[2] = character.verticalSpeed;
      return move;
    },
  };
}
