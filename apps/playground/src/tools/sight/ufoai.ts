import {
  CELL_SIZE,
  cellToWorld,
  EYE_CROUCHING,
  EYE_STANDING,
  FEET_HALF_WIDTH,
  LEVEL_COUNT,
  LEVEL_HEIGHT,
  TORSO_HALF_WIDTH,
  type UfoaiTracer,
  type UfoaiWorld,
  worldToCell,
} from '@bspkit/ufoai';
import type { Ground, SightRules } from './rules.ts';

/** Where feet begin to fall, and the least room above a floor, in Quake units above a cell's or floor's bottom. */
const [FALL, LEAST_ROOM] = [60, 24];

/** The feet are let down through the cell; then there must be room for legs, and above them for a torso. */
function createGround(world: UfoaiWorld): Ground {
  const box = (half: number, low: number, high: number): UfoaiTracer =>
    world.box([-half, -half, low], [half, half, high]);
  const feet = box(FEET_HALF_WIDTH, 0, 0);
  const legs = box(FEET_HALF_WIDTH, 0, 16 - 1 / 16);
  const torso = box(TORSO_HALF_WIDTH, 16, LEAST_ROOM - 1 / 16);
  const top = box(TORSO_HALF_WIDTH, 0, 0);
  const out = feet.createTrace();
  return (cell) => {
    const [x, y, middle] = cellToWorld([cell[0]!, cell[1]!, cell[2]!]);
    const bottom = middle - LEVEL_HEIGHT / 2;
    let from = bottom + FALL;
    while (from > bottom) {
      const { fraction, startSolid } = feet.trace([x, y, from], [x, y, bottom - 1], out);
      if (fraction === 1) return undefined;
      const place = [x, y, out.endPos[2]!];
      if (!startSolid && !legs.blocked(place, place) && !torso.blocked(place, place)) {
        const floor = place[2]!;
        if (floor < bottom) return undefined;
        const head = [x, y, floor + LEAST_ROOM];
        const above = top.trace(head, [x, y, LEVEL_COUNT * LEVEL_HEIGHT], out);
        return { floor, room: above.endPos[2]! - floor };
      }
      // The next floor below this one.
      from = Math.min(from, place[2]!) - LEAST_ROOM;
    }
    return undefined;
  };
}

export const rules: SightRules = {
  size: [CELL_SIZE, LEVEL_HEIGHT],
  levels: LEVEL_COUNT,
  eyes: { standing: EYE_STANDING, crouching: EYE_CROUCHING },
  heights: { head: EYE_STANDING, middle: -2, legs: -20 },
  clips: { actorClip: 'Actor clip', weaponClip: 'Weapon clip', lightClip: 'Light clip' },
  cellAt: worldToCell,
  middleOf: ([x, y, z]) => cellToWorld([x!, y!, z!]),
  createGround: (world) => createGround(world as UfoaiWorld),
  createLook(world) {
    const tracer = (world as UfoaiWorld).line();
    const out = tracer.createTrace();
    return {
      set({ levels, clips }) {
        const has = (name: string): boolean => clips.includes(name);
        tracer.set({
          levels,
          actorClip: has('actorClip'),
          weaponClip: has('weaponClip'),
          lightClip: has('lightClip'),
        });
      },
      blocked: (start, end) => tracer.blocked(start, end),
      trace: (start, end) => tracer.trace(start, end, out),
    };
  },
};
