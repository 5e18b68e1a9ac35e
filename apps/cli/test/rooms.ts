import { boxBrush, type CompileFormat, compileMap, type MapSource, roomBrushes } from '@bspkit/compile';

/** Two rooms with a doorway between them, a pool in one, and a door that is a model of its own. */
const ROOMS: MapSource = {
  entities: [
    {
      properties: { classname: 'worldspawn' },
      brushes: [
        ...roomBrushes([0, 0, 0], [256, 256, 128], 16, { material: 'test/wall' }),
        boxBrush([120, 0, 0], [136, 96, 128], { material: 'test/middle' }),
        boxBrush([120, 160, 0], [136, 256, 128], { material: 'test/middle' }),
        boxBrush([16, 16, 0], [64, 64, 24], { material: 'liquids/water' }),
      ],
    },
    { properties: { classname: 'info_player_start', origin: '64 128 32' } },
    {
      properties: { classname: 'func_door' },
      brushes: [boxBrush([124, 96, 0], [132, 160, 128], { material: 'test/door' })],
    },
  ],
};

/** The rooms as a map of a game. */
export function rooms(format: CompileFormat): Uint8Array {
  return compileMap(ROOMS, { format }).bytes;
}
