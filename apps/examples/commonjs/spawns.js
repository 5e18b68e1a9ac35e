// Where the players of a Quake map begin: drops each to the floor as the game does, and looks where it faces.
const { readFileSync } = require('node:fs');
const { createHullTrace, createQuake1World, entityVector, readQuake1, surfaceAt } = require('@bspkit/quake1');

const path = process.argv[2] ?? 'arena.bsp';
const world = createQuake1World(readQuake1(readFileSync(path)));

const player = world.hull(1); // -16 -16 -24 to 16 16 32
const shot = world.ray();
const trace = createHullTrace(); // made once, filled by every trace

for (const entity of world.entities()) {
  const { classname = '', angle = '0' } = entity;
  const origin = entityVector(entity, 'origin');
  if (!origin || !classname.startsWith('info_player_')) continue;

  const [x, y, z] = origin;
  player.trace([x, y, z + 1], [x, y, z - 256], trace);
  if (trace.startSolid) {
    console.log(`${classname} at ${origin.join(' ')} is in a wall`);
    continue;
  }
  const [standX, standY, standZ] = trace.endPos;

  // Eyes are 22 units above the origin.
  const yaw = (Number(angle) * Math.PI) / 180;
  const [dx, dy] = [4096 * Math.cos(yaw), 4096 * Math.sin(yaw)];
  shot.trace([standX, standY, standZ + 22], [standX + dx, standY + dy, standZ + 22], trace);
  const wall = surfaceAt(world, trace)?.name ?? 'nothing drawn';
  const distance = Math.round(4096 * trace.fraction);
  console.log(`${classname} stands at ${standX} ${standY} ${standZ}, ${distance} units from ${wall}`);
}
