import {
  CELL_SIZE,
  cellToWorld,
  EYE_CROUCHING,
  EYE_STANDING,
  LEVEL_COUNT,
  LEVEL_HEIGHT,
  type UfoaiWorld,
  worldToCell,
} from '@bspkit/ufoai';
import type { SightRules } from './rules.ts';

export const rules: SightRules = {
  size: [CELL_SIZE, LEVEL_HEIGHT],
  levels: LEVEL_COUNT,
  eyes: { standing: EYE_STANDING, crouching: EYE_CROUCHING },
  heights: { head: EYE_STANDING, middle: -2, legs: -20 },
  clips: { actorClip: 'Actor clip', weaponClip: 'Weapon clip', lightClip: 'Light clip' },
  cellAt: worldToCell,
  middleOf: ([x, y, z]) => cellToWorld([x!, y!, z!]),
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
