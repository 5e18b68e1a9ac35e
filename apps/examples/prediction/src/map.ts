import {
  boxBrush,
  CONTENTS,
  compileMap,
  frustumBrush,
  pillarBrush,
  rampBrush,
  roomBrushes,
} from '@bspkit/compile';

const wall = { material: 'example/wall' };

/** A yard with ramps, stairs, pillars and a pool, as a Quake 3 map. */
export function yard(): Uint8Array {
  const stairs = Array.from({ length: 8 }, (_, k) =>
    boxBrush([200 + 32 * k, -400, 0], [232 + 32 * k, -250, 16 * (k + 1)], wall),
  );
  const brushes = [
    ...roomBrushes([-600, -600, 0], [600, 600, 400], 16, wall),
    ...stairs,
    boxBrush([456, -400, 0], [600, -250, 128], wall),
    rampBrush([-500, 100, 0], [-200, 260, 120], '+x', wall),
    boxBrush([-200, 100, 0], [0, 260, 120], wall),
    pillarBrush([150, 200, 0], 60, 200, 8, wall),
    frustumBrush([350, 350, 0], 120, 40, 90, 6, wall),
    boxBrush([-500, -450, 0], [-250, -200, 40], { material: 'example/water', contents: CONTENTS.water }),
  ];
  const start = { properties: { classname: 'info_player_deathmatch', origin: '0 0 40' } };
  const world = { properties: { classname: 'worldspawn' }, brushes };
  return compileMap({ entities: [world, start] }, { format: 'quake3' }).bytes;
}
