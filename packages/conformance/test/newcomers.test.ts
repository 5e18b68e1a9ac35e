import { checkJob, entityPoints, meshPoints } from '@bspkit/bake';
import { compare, entityOrigins } from '@bspkit/compare';
import { compileMap, parseMap } from '@bspkit/compile';
import { createFlagNames } from '@bspkit/core/format';
import { arenaQuake3, fixtureText, houseUfoai } from '@bspkit/fixtures';
import {
  cloneState,
  createController,
  createQuake3Mover,
  createQuake3State,
  createQuakeMover,
  equalStates,
  packState,
  unpackState,
} from '@bspkit/movement';
import { createQuake3World, readQuake3 } from '@bspkit/quake3';
import { createScene } from '@bspkit/scene';
import { createUfoaiWorld, readUfoai } from '@bspkit/ufoai';
import { createWorld, openBsp } from 'bspkit';
import { describe, expect, it } from 'vitest';

const bytes = arenaQuake3();
const file = readQuake3(bytes);
const world = createQuake3World(file);

describe('what one step too few made', () => {
  const text = fixtureText('arena');
  const source = parseMap(text);
  const from = (value: unknown): never => value as never;
  it.each<[what: string, use: () => unknown, says: string]>([
    [
      'text to compileMap',
      () => compileMap(from(text), { format: 'quake3' }),
      'as parseMap makes of .map text',
    ],
    ['bytes to compileMap', () => compileMap(from(bytes), { format: 'quake3' }), 'as parseMap makes of .map'],
    [
      'entities to compileMap',
      () => compileMap(from(source.entities), { format: 'quake3' }),
      'map must be { entities } or an array of brushes, got an array of entities',
    ],
    [
      'bytes to parseMap',
      () => parseMap(from(bytes)),
      'a string, such as TextDecoder makes of bytes, got Uint8Array',
    ],
    [
      'a compiled map to a reader',
      () => readQuake3(from(compileMap(source, { format: 'quake3' }))),
      'got an object: pass its bytes',
    ],
    ['a compiled map', () => openBsp(from(compileMap(source, { format: 'quake3' }))), ': pass its bytes'],
    ['bytes to a world', () => createQuake3World(from(bytes)), 'a map that readQuake3 has read'],
    [
      'bytes to createWorld',
      () => createWorld(from(bytes)),
      'file must be a map that readBsp has read, got Uint8Array',
    ],
    [
      'files as tiles',
      () => createUfoaiWorld(from([readUfoai(houseUfoai())])),
      'maps[0] must be { file, x, y, z }',
    ],
    [
      'bytes to a scene',
      () => createScene(from(bytes)),
      'world must be a world, as openBsp opens it, a model, or',
    ],
    [
      'a file to a scene',
      () => createScene(world).add(from(file)),
      'collider must be a world, as openBsp opens it',
    ],
    [
      'a file to a mover',
      () => createQuake3Mover(from(file)),
      'space has no box(): pass a world, as openBsp opens',
    ],
    [
      'a file to the mover of a server',
      () => createQuakeMover(from(file)),
      'space has no box(): pass a world, as',
    ],
    ['a world to a controller', () => createController(from(world)), 'a tracer, such as its ray() makes'],
    ['a scene to a controller', () => createController(from(createScene(world))), 'such as its ray() makes'],
    ['a file to a controller', () => createController(from(file)), 'tracer must be a tracer, got an object'],
    [
      'worlds to compare',
      () => compare([{ name: 'a', tracer: from(world) }], new Float32Array(6)),
      'entries[0].tracer must be a tracer, such as its ray() makes, got an object',
    ],
    [
      'tracers to compare',
      () => compare([from(world.ray())], new Float32Array(6)),
      'entries[0] must be { name, tracer }, got a tracer alone',
    ],
    ['a file for its origins', () => entityOrigins(from(file)), 'world must be a world, as openBsp opens it'],
    ['a file for its points', () => entityPoints(from(file)), 'world must be a world, as openBsp opens it'],
    ['a file as a mesh', () => meshPoints(from(file)), "a mesh, such as mesh() of a map's package makes"],
    ['a file as a job', () => checkJob(from(file)), 'chunkSize, as createJob makes them'],
  ])('gets an error that names the step: %s', async (_, use, says) => {
    await expect(async () => use()).rejects.toThrow(says);
  });
});

describe('a page with a library that adds methods to all objects', () => {
  const spoiled = <T>(use: () => T): T => {
    Reflect.set(Object.prototype, 'each', () => {});
    try {
      return use();
    } finally {
      Reflect.deleteProperty(Object.prototype, 'each');
    }
  };

  it('traces, with options', () => {
    const tracer = spoiled(() => createQuake3World(file, { shared: false }).ray({ mask: 1 }));
    const end = tracer.trace([0, -200, 100], [0, -200, -100]).endPos;
    expect(spoiled(() => tracer.trace([0, -200, 100], [0, -200, -100]).endPos)).toEqual(end);
    expect(() => spoiled(() => tracer.set({ each: 5 } as never))).toThrow("no option 'each' here");
  });

  it('copies, packs and compares states of players', () => {
    const state = createQuake3State();
    state.origin.set([1, 2, 3]);
    const packed = packState(state);
    spoiled(() => {
      const copy = cloneState(state);
      expect(equalStates(copy, state)).toBe(true);
      expect(packState(state)).toEqual(packed);
      expect([...unpackState(packed, createQuake3State()).origin]).toEqual([1, 2, 3]);
    });
    expect(Object.hasOwn(cloneState(state), 'each')).toBe(false);
  });

  it('names flags', () => {
    expect(spoiled(() => createFlagNames({ solid: 1, water: 32 }).names(33))).toEqual(['solid', 'water']);
  });
});
