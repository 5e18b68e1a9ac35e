import { inspect } from 'node:util';
import { createBakePool } from '@bspkit/bake/pool';
import { createEllipsoidBody, createEllipsoidWorld, EllipsoidSlider } from '@bspkit/ellipsoid';
import { houseUfoai } from '@bspkit/fixtures';
import {
  createController,
  createQuake2Mover,
  createQuake3Command,
  createQuake3Mover,
  createQuake3State,
  createQuakeMover,
  createQuakeWorldMover,
  Predictor,
  Recorder,
} from '@bspkit/movement';
import { quake3Format } from '@bspkit/quake3/format';
import { computeRouting, createPathfinder, createRerouter, createUfoaiWorld, readUfoai } from '@bspkit/ufoai';
import { createTracePool } from 'bspkit/pool';
import { describe, expect, it } from 'vitest';
import { quake1Arena, quake2Arena, quake3Arena } from './worlds.ts';

const quake1 = quake1Arena();
const quake2 = quake2Arena();
const quake3 = quake3Arena();

/** A player who has fallen to the floor, with the mover and the recording. */
function fall() {
  const mover = createQuake3Mover(quake3);
  const state = createQuake3State();
  state.origin.set([0, -200, 64]);
  const recorder = new Recorder(state);
  const predictor = new Predictor(mover, state);
  const command = createQuake3Command();
  for (let time = 50; time <= 1000; time += 50) {
    command.serverTime = time;
    recorder.record(command);
    predictor.predict(command);
  }
  const controller = createController(quake3.box([-15, -15, -24], [15, 15, 32]), { position: [0, -200, 64] });
  const above = inspect(controller);
  for (let k = 0; k < 60; k++) controller.walk([0, 0, 0], 1 / 60);
  return { mover, recorder, predictor, controller, above };
}

describe('objects that users hold print as one line', () => {
  it('players and characters', () => {
    const { mover, recorder, predictor, controller, above } = fall();
    expect(inspect(mover)).toMatch(/^Quake3Mover \{ events: \d+, touched: \d+ \}$/);
    expect(inspect(createQuake2Mover(quake2))).toBe('Quake2Mover { touched: 0 }');
    expect(inspect(createQuakeWorldMover(quake1))).toBe('QuakeWorldMover { touched: 0 }');
    expect(inspect(createQuakeMover(quake1))).toBe('QuakeMover { wall: 0 0 0 }');
    expect(inspect(recorder)).toBe('Recorder { commands: 20 }');
    expect(inspect(predictor)).toBe('Predictor { pending: 20, corrections: 0 }');
    expect(above).toBe('Controller { at 0 -200 64, in the air }');
    expect(inspect(controller)).toMatch(/^Controller \{ at 0 -200 24\.\d+, on 0 \}$/);
  });

  it('ellipsoids', async () => {
    const format = await quake3Format.load();
    const world = createEllipsoidWorld(format.polygons!(quake3));
    expect(inspect(world)).toMatch(/^EllipsoidWorld \{ [\d,]+ polygons \}$/);
    expect(inspect(world.sphere(8))).toBe('EllipsoidTracer { sphere of radius 8 }');
    expect(inspect(new EllipsoidSlider(world, [16, 16, 28.5]))).toBe('EllipsoidSlider { radii 16 16 28.5 }');
    const body = createEllipsoidBody([16, 16, 28]);
    expect(inspect(body.sphere(8))).toBe('EllipsoidBodyTracer { sphere of radius 8 }');
    expect(inspect(body.ellipsoid([8, 8, 9]))).toBe('EllipsoidBodyTracer { ellipsoid of radii 8 8 9 }');
  });

  it('where soldiers can go', () => {
    const file = readUfoai(houseUfoai());
    const world = createUfoaiWorld(file);
    const routing = computeRouting(file);
    expect(inspect(routing)).toMatch(/^UfoaiRouting \{ cells \d+ \d+ 0 to \d+ \d+ \d \}$/);
    const pathfinder = createPathfinder(routing);
    expect(inspect(pathfinder)).toBe('UfoaiPathfinder { size 1 }');
    const reach = pathfinder.reach(pathfinder.standing()[0]!);
    expect(inspect(reach)).toMatch(/^UfoaiReach \{ cells standing: \d+, crouching: \d+ \}$/);
    expect(inspect(createRerouter(world, [world.model(1)], routing))).toBe('UfoaiRerouter { models: 1 }');
  });

  it('pools', async () => {
    const pool = createTracePool({ threads: 2 });
    expect(inspect(pool)).toBe('TracePool { threads: 2 }');
    const bakes = createBakePool({ threads: 3 });
    expect(inspect(bakes)).toBe('BakePool { threads: 3 }');
    await Promise.all([pool.close(), bakes.close()]);
  });
});
