import { boxBrush, compileMap, roomBrushes } from '@bspkit/compile';
import { createQuakeWorldCommand, createQuakeWorldMover, createQuakeWorldState } from '@bspkit/movement';
import { createQuake1World, playerHull, readQuake1 } from '@bspkit/quake1';
import { expect, it } from 'vitest';

// A shelf 60 units above the floor of a room: who stands is 72 high, who crouches 36.
const brushes = [...roomBrushes([0, 0, 0], [512, 256, 192], 16), boxBrush([200, 0, 60], [300, 256, 80])];
const world = createQuake1World(readQuake1(compileMap(brushes, { format: 'quake1', version: 30 }).bytes));

it("Half-Life's players crouch under things with a second mover and the same state, and stand up behind them", () => {
  const movers = [0, 1].map((useHull) => createQuakeWorldMover(world, { useHull }));
  const standing = world.hull(playerHull(0));
  const state = createQuakeWorldState();
  state.origin.set([100, 128, 36.03125]);
  const run = (isCrouched: boolean, frames: number): number => {
    const command = { ...createQuakeWorldCommand(), msec: 16, forward: 320 };
    for (let frame = 0; frame < frames; frame++) movers[Number(isCrouched)]!.move(state, command);
    return state.origin[0]!;
  };
  const hasRoom = (): boolean => {
    const raised = [state.origin[0]!, state.origin[1]!, state.origin[2]! + 18];
    return !standing.blocked(raised, raised);
  };
  expect(run(false, 60)).toBe(200 - 16 - 1 / 32);
  state.origin[2]! -= 18;
  expect(hasRoom()).toBe(true);
  expect(run(true, 20)).toBeGreaterThan(200);
  expect([hasRoom(), state.origin[2]]).toEqual([false, 18 + 1 / 32]);
  expect(run(true, 40)).toBeGreaterThan(316);
  expect(hasRoom()).toBe(true);
  state.origin[2]! += 18;
  expect(run(false, 60)).toBe(512 - 16 - 1 / 32);
});
