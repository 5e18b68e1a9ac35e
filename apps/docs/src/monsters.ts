import { boxBrush, compileMap, roomBrushes } from '@bspkit/compile';
import { createQuakeThingMover, createQuakeThingState, QuakeMoveType } from '@bspkit/movement';
import { createQuake1World, type Quake1World, readQuake1 } from '@bspkit/quake1';
import { STYLE } from './style.ts';

// How monsters of Quake find their way around a wall, by luck: the same chase with different dice.

type Place = readonly [x: number, y: number];

const ROOM: Place = [640, 400];
/** Between monster and player: from its lowest corner to its highest. */
const OBSTACLE: readonly [Place, Place] = [
  [304, 96],
  [320, 304],
];
const [MONSTER, PLAYER]: readonly [Place, Place] = [
  [96, 200],
  [544, 216],
];
const STEP = 12;

const [mins, maxs] = [
  [-16, -16, -24],
  [16, 16, 40],
] as const;

/** The room, compiled and opened. */
export function chaseWorld(): Quake1World {
  const [low, high] = OBSTACLE;
  const brushes = [...roomBrushes([0, 0, 0], [...ROOM, 128], 16), boxBrush([...low, 0], [...high, 128])];
  const entities = [{ properties: { classname: 'worldspawn' }, brushes }];
  return createQuake1World(readQuake1(compileMap({ entities }, { format: 'quake1' }).bytes));
}

/** What comes of a chase. */
export interface Chase {
  /** Where the monster is before the first step, and after each. */
  readonly places: readonly Place[];
  /** Whether it has come to the player. */
  readonly isThere: boolean;
}

/** Of a chase. */
const MOST_STEPS = 400;

/** Lets a monster step towards the player until it is there, or has made as many steps as it may. */
export function chase(world: Quake1World, seed: number): Chase {
  const mover = createQuakeThingMover(world);
  const monster = createQuakeThingState();
  monster.moveType = QuakeMoveType.step;
  (monster.mins as Float32Array).set(mins);
  (monster.maxs as Float32Array).set(maxs);
  (monster.origin as Float32Array).set([...MONSTER, 40]);
  mover.dropToFloor(monster);
  const goal = { origin: [...PLAYER, 24.03125], mins: [-16, -16, -24], maxs: [16, 16, 32] } as const;
  let dice = seed;
  const random = (): number => {
    dice = (Math.imul(dice, 1_103_515_245) + 12_345) & 0x7fffffff;
    return dice >> 16;
  };
  const here = (): Place => [monster.origin[0]!, monster.origin[1]!];
  const places = [here()];
  while (places.length <= MOST_STEPS) {
    mover.move(monster, 0.1);
    if (!mover.moveToGoal(monster, STEP, goal, random, goal.origin)) {
      if (Math.abs(monster.origin[0]! - PLAYER[0]) < 64) return { places, isThere: true };
    }
    places.push(here());
  }
  return { places, isThere: false };
}

/** Three such chases from above, as SVG. */
export function chasePicture(): string {
  // Up is +y.
  const at = ([x, y]: Place): Place => [x + 8, ROOM[1] - y + 8];
  const shown = (place: Place): string => {
    const [x, y] = at(place);
    return `${Math.round(10 * x) / 10},${Math.round(10 * y) / 10}`;
  };
  const rect = ([x, y]: Place, [width, height]: Place, kind: string): string =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" class="${kind}"/>`;
  const [low, high] = OBSTACLE;
  const body = (place: Place): string => {
    const [x, y] = at(place);
    return rect([Math.round(x) - 16, Math.round(y) - 16], [32, 32], 'box');
  };
  const world = chaseWorld();
  const tracks = [1, 3, 11].map((seed) => {
    const { places } = chase(world, seed);
    const feet = places.map((place) => {
      const [cx, cy] = shown(place).split(',');
      return `<circle cx="${cx}" cy="${cy}" r="1.8" class="hit"/>`;
    });
    return `<polyline points="${places.map(shown).join(' ')}" class="ray"/>${feet.join('')}`;
  });
  const label = (text: string, [x, y]: Place): string =>
    `<text x="${at([x, y])[0]}" y="${at([x, y])[1] + 44}" text-anchor="middle">${text}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${ROOM[0] + 16} ${ROOM[1] + 16}" width="${ROOM[0] + 16}" height="${ROOM[1] + 16}" role="img" aria-label="A room from above with a wall in the middle. A monster on the left comes to a player on the right three times, by other dice each time, on other ways around the wall.">
${STYLE}
<rect x="4" y="4" width="${ROOM[0] + 8}" height="${ROOM[1] + 8}" class="wall" style="fill: none; stroke-width: 8"/>
${rect(at([low[0], high[1]]), [high[0] - low[0], high[1] - low[1]], 'wall')}
${body(MONSTER)}
${body(PLAYER)}
${tracks.join('\n')}
${label('monster', MONSTER)}
${label('player', PLAYER)}
</svg>
`;
}
