import type { Bounds, Vec3 } from '@bspkit/core';
import type { BspFormat, Row, RowHeader, RowSource } from '@bspkit/core/format';
import { describe, expect, it } from 'vitest';
import { createBody } from '../src/index.ts';
import { sceneRows } from '../src/rows.ts';
import { hit } from './answers.ts';

// A format that consists of boxes stands in for the real ones. Rows recorded from the engines are answered in tests of all
// formats.

const floor: Bounds = { mins: [-500, -500, -20], maxs: [500, 500, 0] };
const door: Bounds = { mins: [-2, -20, 0], maxs: [2, 20, 50] };

const loaded: unknown[] = [];
const boxOf = ({ mins, maxs }: Bounds) => createBody({ kind: 'box', mins, maxs });
const format = {
  name: 'Boxes',
  read: (bytes: Uint8Array) => ({ bytes }),
  createWorld: () => ({
    ...boxOf(floor),
    numModels: 1,
    model: () => boxOf(door),
    contents: ([, , z]: Vec3) => (z! < 0 ? 1 : 0),
  }),
  boxEntity: (mins: Vec3, maxs: Vec3) => {
    const body = boxOf({ mins, maxs });
    return {
      ...body,
      resize: (low: Vec3, high: Vec3) => body.resize({ kind: 'box', mins: low, maxs: high }),
    };
  },
};
const source: RowSource = {
  format: format as unknown as BspFormat,
  load: (...given) => {
    loaded.push(given);
    return new Uint8Array(1);
  },
};

/** A table's answers by name. */
function answer(game: string, header: object, rows: (Record<string, number> | object[])[], kind = 'scene') {
  const columns = [...new Set(rows.flatMap((row) => (Array.isArray(row) ? [] : Object.keys(row))))];
  const { open, results } = sceneRows[game]![kind]!;
  const asked: RowHeader = { game, map: 'boxes', kind, ...header, columns };
  const all = { ...asked, columns: [...columns, ...results] };
  const answering = open(all, source);
  return rows.flatMap((row) => {
    if (Array.isArray(row)) {
      answering.enter!({ block: 0, entities: row });
      return [];
    }
    const cells: Row = all.columns.map((name) => row[name] ?? null);
    answering.answer(cells);
    return [Object.fromEntries(all.columns.map((name, k) => [name, cells[k]]))];
  });
}

const move = { sx: 0, sy: 0, sz: 20, ex: 100, ey: 0, ez: 20 };
const box = { minx: -8, miny: -8, minz: -8, maxx: 8, maxy: 8, maxz: 8 };
const still = { angles: [0, 0, 0] };

describe("rows about scenes of 'quake3'", () => {
  const row = { block: 0, pass: 1023, ...move, ...box, capsule: 0, mask: -1 };
  const player = { entity: 7, owner: 1023, contents: 0x2000000, model: 0, ...still };
  const size = { mins: [-15, -15, -24], maxs: [15, 15, 32] };
  const entities = [
    {
      entity: 40,
      owner: 1023,
      contents: -1,
      model: 1,
      mins: [...(door.mins as number[])],
      maxs: [...(door.maxs as number[])],
      origin: [80, 0, 0],
      ...still,
    },
    { ...player, ...size, origin: [50, 0, 24] },
    { ...player, entity: 3, ...size, origin: [50, 0, 24], linked: 0 },
  ];

  it('are answered by both sides’ rules', () => {
    const [first, passed, ray, capsule] = answer('quake3', { sha256: 'ab' }, [
      entities,
      row,
      { ...row, pass: 7 },
      { ...row, mask: 1 },
      { ...row, capsule: 1 },
    ]);
    expect(first).toMatchObject({
      fraction: 0.268750012,
      entity: 7,
      nx: -1,
      startsolid: 0,
      allsolid: 0,
      contents: 0x2000000,
      cfraction: 0.268750012,
      centity: 7,
    });
    expect(passed).toMatchObject({ entity: 40, centity: 40, callsolid: 0 });
    expect(ray).toMatchObject({ fraction: 1, entity: 1023, centity: 1023, cstartsolid: 0 });
    expect(capsule).toMatchObject({ entity: 7, centity: 7 });
    expect(loaded.at(-1)).toEqual(['quake3', 'boxes', 'ab']);
  });

  it('have boxes as clients round them, owners, and a world', () => {
    const wide = { ...player, mins: [-15.9, -15, -24], maxs: [15.9, 15, 32], origin: [50.5, 0, 24] };
    const list = [wide, { ...wide, entity: 9, owner: 7, origin: [40, 0, 24] }];
    const [first, owned, inside] = answer('quake3', {}, [
      list,
      row,
      { ...row, pass: 7 },
      { ...row, sz: 2, ez: 2 },
    ]);
    expect(first).toMatchObject({ entity: 9, centity: 9 });
    expect(first!.cfraction).toBeGreaterThan(first!.fraction as number);
    expect(owned).toMatchObject({ entity: 1023, fraction: 1, centity: 9 });
    expect(inside).toMatchObject({
      entity: 1022,
      fraction: 0,
      allsolid: 1,
      contents: 0x2000000,
      centity: 1022,
    });
  });

  it("replace one block's entities with the next one's", () => {
    const next = entities.map((entity, k) => ({
      ...entity,
      entity: entity.entity + 100,
      origin: [60 + 20 * k, 0, 24],
    }));
    const answers = answer('quake3', {}, [entities, row, next, row, [], row]);
    expect(answers.map(({ entity, centity }) => [entity, centity])).toEqual([
      [7, 7],
      [140, 140],
      [1023, 1023],
    ]);
  });

  it('say what is wrong with them', () => {
    expect(() => answer('quake3', {}, [row])).toThrow(
      new RangeError('belongs to block 0, which is not there'),
    );
    const [model, , other] = entities as [object, object, object];
    expect(() => answer('quake3', {}, [[{ ...model, model: 2 }], row])).toThrow(
      new RangeError('entities[0].model must be 0 or the number of a model, 1, got 2'),
    );
    expect(() => answer('quake3', {}, [[{ ...other, origin: [1, 2] }], row])).toThrow(
      new RangeError('entities[0].origin must be three numbers, got [1,2]'),
    );
    expect(() => answer('quake3', {}, [[{ ...other, contents: 'solid' }], row])).toThrow(
      new RangeError('entities[0].contents must be a whole number of 32 bits, got "solid"'),
    );
    expect(() => answer('quake3', {}, [[{}], row])).toThrow(
      new RangeError('entities[0].entity is missing; it must be a whole number from 0 to 1021'),
    );
    expect(() => answer('quake3', {}, [[other, other], row])).toThrow(
      new RangeError('entities[1].entity must be a number that no entity before has, got 3'),
    );
    const open = sceneRows.quake3!.scene!.open({ game: 'quake3', map: 'boxes', kind: 'scene' }, source);
    expect(() => open.enter!({ block: 0 })).toThrow(new RangeError('entities is missing; it must be a list'));
    const bare: RowSource = {
      ...source,
      format: { ...format, boxEntity: undefined } as unknown as BspFormat,
    };
    const boxless = sceneRows.quake3!.scene!.open({ game: 'quake3', map: 'boxes', kind: 'scene' }, bare);
    expect(() => boxless.enter!({ block: 0, entities: [other] })).toThrow(
      new RangeError('Boxes has no box entities'),
    );
  });
});

describe("rows about scenes of 'quake2'", () => {
  const row = { scene: 0, pass: 0, ...box, mask: -1, ...move };
  const player = { mins: [-15, -15, -24], maxs: [15, 15, 32] };
  const entities = [
    { model: 1, origin: [80, 0, 0], angles: [0, 0, 0] },
    { ...player, origin: [50, 0, 24], owner: 3 },
    { ...player, origin: [45, 0, 24], dead: 1 },
  ];
  const ask = (...rows: object[]) =>
    answer(
      'quake2',
      { scenes: [entities, []] },
      rows.map((changes) => ({ ...row, ...changes })),
    );

  it('are answered by list, mask and mover', () => {
    const answers = ask({}, { mask: 0x2000000 }, { pass: 3 }, { mask: 1 }, { scene: 1 });
    expect(answers.map(({ entity }) => entity)).toEqual([3, 2, 1, 0, 0]);
    expect(answers[1]).toMatchObject({ nx: -1, contents: 0x2000000, startsolid: 0, surfaceFlags: 0 });
    expect(answers[4]).toMatchObject({ fraction: 1, texinfo: -1 });
  });

  it('are answered with models alone', () => {
    const models = [[1, 80, 0, 0, 0, 0, 0]];
    const asked = { ...move, ...box, mask: -1 };
    const [first, low] = answer('quake2', { models }, [asked, { ...asked, sz: -10, ez: -10 }], 'move');
    const fraction = Number(Math.fround((80 - 2 - 8 - 0.125) / 100).toPrecision(9));
    expect(first).toMatchObject({ fraction, entity: 1, nx: -1, startsolid: 0, pointContents: 0 });
    expect(low).toMatchObject({ startsolid: 1, entity: 0 });
    expect(low!.pointContents).not.toBe(0);
  });

  it('say what is wrong with them', () => {
    expect(() => ask({ scene: -1 })).toThrow('cell 1 is not the number of a scene, 0 to 1: -1');
    expect(() => answer('quake2', { scenes: ['walls'] }, [row])).toThrow(
      new SyntaxError('line 1: scenes[0] must be a list, got "walls"'),
    );
    expect(() => answer('quake2', { scenes: [[{}]] }, [row])).toThrow(
      'line 1: scenes[0][0].origin is missing; it must be three numbers',
    );
    const [model] = entities;
    expect(() => answer('quake2', { scenes: [[{ ...model, angles: [1] }]] }, [row])).toThrow(
      'line 1: scenes[0][0].angles must be three numbers, got [1]',
    );
    expect(() => answer('quake2', { scenes: [[{ ...model, model: 2 }]] }, [row])).toThrow(
      'line 1: scenes[0][0].model must be 0 or the number of a model, 1, got 2',
    );
  });
});

describe("rows about scenes of 'quake1'", () => {
  const row = { scene: 0, type: 0, pass: 0, ...box, ...move };
  const entities = [
    { solid: 'bsp', model: 1, mins: [-3, -21, -1], maxs: [3, 21, 51], origin: [80, 0, 0] },
    { solid: 'bbox', mins: [-15, -15, -24], maxs: [15, 15, 32], origin: [50, 0, 24], monster: 1 },
    { solid: 'not', mins: [-9, -9, -9], maxs: [9, 9, 9], origin: [20, 0, 24] },
    { solid: 'slidebox', mins: [-4, -4, -4], maxs: [4, 4, 4], origin: [40, 14, 20], owner: 2, item: 1 },
  ];
  const ask = (...rows: object[]) =>
    answer(
      'quake1',
      {
        scenes: [entities, [{ solid: 'trigger', mins: [-9, -9, -9], maxs: [9, 9, 9], origin: [20, 0, 24] }]],
      },
      rows.map((changes) => ({ ...row, ...changes })),
    );

  it('are answered by kind of move', () => {
    const [normal, passed, owner, no, missile, other] = ask(
      {},
      { pass: 4 },
      { pass: 2 },
      { type: 1 },
      { type: 2, ex: 40 },
      { scene: 1 },
    );
    expect(normal).toMatchObject({ fraction: 0.268750012, ent: 2, nx: -1, inopen: 0, inwater: 0 });
    // By what is in the model, not by its bounds.
    expect(passed).toMatchObject({
      ent: 1,
      fraction: Number(Math.fround((80 - 2 - 8 - 0.125) / 100).toPrecision(9)),
    });
    expect(owner).toMatchObject({ ent: 1 });
    expect(no).toMatchObject({ ent: 1 });
    // Met with a box of 15 units.
    expect(missile).toMatchObject({
      ent: 2,
      fraction: Number(Math.fround((20 - 0.125) / 40).toPrecision(9)),
    });
    expect(other).toMatchObject({ ent: -1, fraction: 1 });
  });

  it('say what is wrong with them', () => {
    expect(() => ask({ scene: 2 })).toThrow('cell 1 is not the number of a scene, 0 to 1: 2');
    expect(() => ask({ type: 3 })).toThrow(new RangeError('type must be 0 to 2, got 3'));
    expect(() => answer('quake1', {}, [row])).toThrow('line 1: scenes is missing; it must be a list');
    expect(() => answer('quake1', { scenes: [5] }, [row])).toThrow('line 1: scenes[0] must be a list, got 5');
    expect(() => answer('quake1', { scenes: [[{ solid: 'soft' }]] }, [row])).toThrow(
      'line 1: scenes[0][0].solid must be "not", "trigger", "bbox", "slidebox" or "bsp", got "soft"',
    );
  });

  it('have what the traces of hulls have', () => {
    const wet = {
      ...format,
      createWorld: () => ({
        ...boxOf(floor),
        box: () => {
          const tracer = hit(0.5).box();
          const createTrace = () => Object.assign(tracer.createTrace(), { inOpen: false, inWater: false });
          const trace = (...given: Parameters<typeof tracer.trace>) =>
            Object.assign(tracer.trace(...given), { inOpen: true, inWater: true });
          return { ...tracer, createTrace, trace };
        },
      }),
    };
    const columns = [...Object.keys(row), 'fraction', 'inopen', 'inwater', 'ent'];
    const header = { game: 'quake1', map: 'boxes', kind: 'scene', scenes: [[]], columns };
    const open = sceneRows.quake1!.scene!.open(header, { ...source, format: wet as unknown as BspFormat });
    const cells: Row = [...Object.values(row), 0, 0, 0, 0];
    open.answer(cells);
    expect(cells.slice(-4)).toEqual([0.5, 1, 1, 0]);
  });
});
