import { type BspWorld, defineTracer, type Vec3 } from '@bspkit/core';
import { createBody, createScene } from '@bspkit/scene';
import { describe, expect, it } from 'vitest';
import { entityPoints, isStart, startsOf, walkableCells, walkableWays } from '../src/index.ts';
import { standIn } from '../src/walk.ts';

describe('walks', () => {
  it('begin where players do, and neither at cameras nor at the world', () => {
    const origin = '1 2 3';
    const starts = ['info_player_start', 'info_player_team1', 'info_alien_start', 'testplayerstart'];
    starts.push('team_CTF_redspawn', 'team_CTF_blueplayer');
    const others = ['worldspawn', 'info_player_intermission', 'info_notnull', 'light', 'player_start'];
    others.push('target_spawner', 'info_2x2_start');
    expect([...starts, ...others].filter((classname) => isStart({ classname }))).toEqual(starts);
    expect(isStart({})).toBe(false);
    const entities = [...others, 'info_player_start'].map((classname) => ({ classname, origin }));
    expect([...startsOf({ entities: () => entities } as never)]).toEqual([1, 2, 3]);
    // Where there is none, from everything that has a place.
    const placed = [
      { classname: 'light', origin: '4 5 6' },
      { classname: 'worldspawn' },
      { origin: '7 8 9' },
    ];
    expect([...startsOf({ entities: () => placed } as never)]).toEqual([4, 5, 6, 7, 8, 9]);
    // Nor at places that are too far away to be any.
    const far = { entities: () => [{ classname: 'light', origin: '1e39 0 0' }, ...placed] } as never;
    expect([...startsOf(far)]).toEqual([4, 5, 6, 7, 8, 9]);
    expect([...entityPoints(far).points]).toEqual([4, 5, 6, 7, 8, 9]);
  });

  it('go through doorways that a player fits in without climbing, and up a step behind them', () => {
    const corridor = createScene();
    const add = (mins: Vec3, maxs: Vec3): unknown => corridor.add(createBody({ kind: 'box', mins, maxs }));
    add([-128, -32, -16], [128, 32, 0]);
    add([112, -32, 0], [128, 32, 16]); // a step
    add([-128, -48, 0], [128, -32, 128]);
    add([-128, 32, 0], [128, 48, 128]);
    add([16, -32, 64], [48, 32, 128]); // above a doorway of 64 units
    const player = corridor.box([-15, -15, -24], [15, 15, 32]);
    const nowhere = { entities: () => [] } as unknown as BspWorld;
    const cells = walkableCells(nowhere, player, { step: 32, starts: [-96, 0, 30] });
    const row = Array.from({ length: cells.length / 3 }, (_, k) => [...cells.subarray(3 * k, 3 * k + 3)]);
    expect(row.map(([x, , z]) => [x, Math.floor(z!)])).toEqual([
      [-128, 24],
      [-96, 24],
      [-64, 24],
      [-32, 24],
      [0, 24],
      [32, 24],
      [64, 24],
      [96, 24],
      [128, 40],
    ]);
  });

  it('say which cells each leads to: both ways over a step, one way down a drop', () => {
    const ledges = createScene();
    const add = (mins: Vec3, maxs: Vec3): unknown => ledges.add(createBody({ kind: 'box', mins, maxs }));
    add([-112, -16, -16], [-48, 16, 0]);
    add([-48, -16, -16], [16, 16, 16]); // a step up
    add([16, -16, -116], [80, 16, -100]); // a drop
    const player = ledges.box([-15, -15, -24], [15, 15, 32]);
    const nowhere = { entities: () => [] } as unknown as BspWorld;
    // Found from the middle: cells are in order all the same.
    const options = { step: 64, offset: -16, starts: [-16, 0, 60, -80, 0, 40] };
    const { cells, firsts, ends } = walkableWays(nowhere, player, options);
    expect(cells).toEqual(walkableCells(nowhere, player, options));
    expect(Array.from(cells, Math.floor)).toEqual([-80, -16, 24, -16, -16, 40, 48, -16, -76]);
    expect([...firsts]).toEqual([0, 1, 3, 3]);
    expect([...ends]).toEqual([1, 0, 2]);
    const none = walkableWays(nowhere, player, { starts: [] });
    expect([...none.firsts]).toEqual([0]);
    expect([none.cells.length, none.ends.length]).toEqual([0, 0]);
  });

  it('lead to the floor of each column that they are on, and are in the order of x, y, z', () => {
    const storeys = createScene();
    for (const top of [0, 128])
      storeys.add(createBody({ kind: 'box', mins: [-96, -80, top - 16], maxs: [96, 80, top] }));
    const player = storeys.box([-15, -15, -24], [15, 15, 32]);
    const nowhere = { entities: () => [] } as unknown as BspWorld;
    const { cells, firsts, ends } = walkableWays(nowhere, player, {
      step: 64,
      starts: [0, 0, 40, 0, 0, 168],
    });
    const places = Array.from({ length: cells.length / 3 }, (_, k) =>
      [...cells.subarray(3 * k, 3 * k + 3)].map(Math.floor),
    );
    const along = [-64, 0, 64];
    expect(places).toEqual(along.flatMap((x) => along.flatMap((y) => [24, 152].map((z) => [x, y, z]))));
    for (let cell = 0; cell < 18; cell++) {
      const ways = ends.subarray(firsts[cell], firsts[cell + 1]);
      expect(ways.length).toBeGreaterThan(0);
      for (const end of ways) expect(cells[3 * end + 2]).toBe(cells[3 * cell + 2]);
    }
  });

  it('find their cells again by the ways, from the first one found', () => {
    const floor = createScene();
    floor.add(createBody({ kind: 'box', mins: [-200, -200, -16], maxs: [200, 200, 0] }));
    floor.add(createBody({ kind: 'box', mins: [-40, -200, 0], maxs: [-24, 120, 64] })); // a wall to go around
    const player = floor.box([-15, -15, -24], [15, 15, 32]);
    const nowhere = { entities: () => [] } as unknown as BspWorld;
    const { cells, firsts, ends } = walkableWays(nowhere, player, { step: 32, starts: [64, 64, 40] });
    const reached = new Set([0]);
    for (const cell of reached)
      for (const end of ends.subarray(firsts[cell], firsts[cell + 1])) reached.add(end);
    expect(reached.size).toBe(cells.length / 3);
    expect(ends).toHaveLength(firsts.at(-1)!);
    // Straight to one of the eight columns around, and never to where it is.
    for (let cell = 0; cell + 1 < firsts.length; cell++) {
      for (const end of ends.subarray(firsts[cell], firsts[cell + 1])) {
        const far = Math.max(...[0, 1].map((k) => Math.abs(cells[3 * end + k]! - cells[3 * cell + k]!)));
        expect(far).toBe(32);
      }
    }
  });

  it('go to the columns on all eight sides', () => {
    const nowhere = { entities: () => [] } as unknown as BspWorld;
    for (const x of [-64, 0, 64]) {
      for (const y of [-64, 0, 64]) {
        const pillars = createScene();
        for (const [u, v] of [
          [0, 0],
          [x, y],
        ] as const) {
          pillars.add(createBody({ kind: 'box', mins: [u - 8, v - 8, -16], maxs: [u + 8, v + 8, 0] }));
        }
        const player = pillars.box([-15, -15, -24], [15, 15, 32]);
        const cells = walkableCells(nowhere, player, { step: 64, starts: [0, 0, 30] });
        const places = Array.from(
          { length: cells.length / 3 },
          (_, k) => `${cells[3 * k]},${cells[3 * k + 1]}`,
        );
        expect(new Set(places)).toEqual(new Set(['0,0', `${x},${y}`]));
      }
    }
  });

  it('go up stairs and slopes that rise by more than a stair from cell to cell', () => {
    const nowhere = { entities: () => [] } as unknown as BspWorld;
    type Turn = (at: Vec3) => Vec3;
    const topOf = (step: number, climb = 18, depth = 16, turn: Turn = (at) => at): number => {
      const stairs = createScene();
      const add = (...corners: readonly [Vec3, Vec3]): unknown => {
        const [a, b] = corners.map(turn) as [Vec3, Vec3];
        const part = (of: typeof Math.min): Vec3 => [of(a[0]!, b[0]!), of(a[1]!, b[1]!), of(a[2]!, b[2]!)];
        return stairs.add(createBody({ kind: 'box', mins: part(Math.min), maxs: part(Math.max) }));
      };
      add([-160, -96, -16], [512, 96, 0]);
      for (let k = 0; k < 16; k++) add([depth * k, -96, 0], [512, 96, 16 * (k + 1)]);
      const player = stairs.box([-15, -15, -24], [15, 15, 32]);
      const cells = walkableCells(nowhere, player, { step, climb, starts: turn([-100, 0, 30]) });
      return Math.max(...cells.filter((_, k) => k % 3 === 2));
    };
    for (const step of [32, 64, 128]) expect(Math.floor(topOf(step))).toBe(256 + 24);
    for (const climb of [0, 15]) expect(Math.floor(topOf(64, climb))).toBe(24);
    // Twice as steep, towards all sides.
    const turns: readonly Turn[] = [
      ([x, y, z]) => [x!, y!, z!],
      ([x, y, z]) => [-x!, y!, z!],
      ([x, y, z]) => [y!, x!, z!],
      ([x, y, z]) => [y!, -x!, z!],
    ];
    for (const step of [32, 64, 128]) {
      for (const turn of turns) expect(Math.floor(topOf(step, 18, 8, turn))).toBe(256 + 24);
    }
  });

  it('drop no farther than they may, from the top of stairs between cells too, and go down stairs of which none is that high', () => {
    const scene = createScene();
    const add = (mins: Vec3, maxs: Vec3): unknown => scene.add(createBody({ kind: 'box', mins, maxs }));
    add([-64, -96, -16], [192, 96, 0]);
    for (let k = 0; k < 4; k++) add([16 + 16 * k, -96, 0], [80, 96, 16 * (k + 1)]);
    const player = scene.box([-15, -15, -24], [15, 15, 32]);
    const nowhere = { entities: () => [] } as unknown as BspWorld;
    const columns = (start: number, fall: number): number[] => {
      const cells = walkableCells(nowhere, player, { step: 128, fall, starts: [start, 0, 30] });
      return [...cells.filter((_, k) => k % 3 === 0)];
    };
    // Up the stairs, and down the 64 units behind them.
    expect(columns(0, 64.25)).toEqual([0, 128]);
    expect(columns(0, 63)).toEqual([0]);
    const down = createScene();
    down.add(createBody({ kind: 'box', mins: [-64, -96, -16], maxs: [192, 96, 0] }));
    for (let k = 0; k < 8; k++) {
      const step = { kind: 'box', mins: [-64, -96, 0], maxs: [16 * k, 96, 128 - 16 * k] } as const;
      down.add(createBody(step));
    }
    const below = walkableCells(nowhere, down.box([-15, -15, -24], [15, 15, 32]), {
      step: 128,
      fall: 17,
      starts: [0, 0, 160],
    });
    expect([...below.filter((_, k) => k % 3 === 0)]).toEqual([0, 128]);
  });

  it('lead over no slope that is too steep to stand on', () => {
    /** A point above a slope without end; the z of its normal. */
    const above = (level: number) =>
      defineTracer({
        shape: { kind: 'ray' },
        trace(start, end, out) {
          out.normal.set([-Math.sqrt(1 - level * level), 0, level]);
          const [from, to] = [start, end].map((at) => out.normal[0]! * at[0]! + out.normal[2]! * at[2]!);
          out.startSolid = from! < 0;
          out.fraction = to! >= 0 ? 1 : Math.max(0, (from! - 1 / 32) / (from! - to!));
          for (let k = 0; k < 3; k++) out.endPos[k] = start[k]! + out.fraction * (end[k]! - start[k]!);
          return out;
        },
      });
    const nowhere = { entities: () => [] } as unknown as BspWorld;
    const walk = (level: number) => walkableCells(nowhere, above(level), { starts: [0, 0, 16], most: 30 });
    expect(() => walk(0.71)).toThrow('there are more than 30 cells');
    expect(walk(0.69)).toHaveLength(0);
  });

  it('begin in the column that a start is in, however far the columns are off', () => {
    const pillar = createScene();
    pillar.add(createBody({ kind: 'box', mins: [56, 120, -16], maxs: [72, 136, 0] }));
    const player = pillar.box([-15, -15, -24], [15, 15, 32]);
    const nowhere = { entities: () => [] } as unknown as BspWorld;
    for (const offset of [0, 64 * 5, -64 * 5]) {
      const cells = walkableCells(nowhere, player, { step: 64, offset, starts: [62, 126, 30] });
      expect([...cells].map(Math.floor)).toEqual([64, 128, 24]);
    }
  });

  it('begin in a column beside the one that a start is in, where there is a wall in between', () => {
    const scene = createScene();
    const add = (mins: Vec3, maxs: Vec3): unknown => scene.add(createBody({ kind: 'box', mins, maxs }));
    add([-64, -96, -16], [352, 96, 0]);
    add([-8, -96, 0], [8, 96, 128]); // a wall on the middles of columns
    const player = scene.box([-15, -15, -24], [15, 15, 32]);
    const nowhere = { entities: () => [] } as unknown as BspWorld;
    const cells = walkableCells(nowhere, player, { step: 128, starts: [40, 0, 30] });
    expect([...cells].map(Math.floor)).toEqual([128, 0, 24, 256, 0, 24]);
  });
});

it('a body stands in one cell, even if it stands just below it', () => {
  const standsOn = (floor: number): boolean => {
    const body = defineTracer({
      shape: { kind: 'box', mins: [-1, -1, -1], maxs: [1, 1, 1] },
      trace: (start, end, out) => {
        const fraction = (start[2]! - floor) / (start[2]! - end[2]!);
        if (fraction < 1) out.normal[2] = 1;
        out.fraction = Math.min(fraction, 1);
        out.endPos.set([start[0]!, start[1]!, start[2]! + out.fraction * (end[2]! - start[2]!)]);
        return out;
      },
    });
    return standIn(body, 16)([0, 0, 8]);
  };
  expect([1, 1 / 64, -1 / 64, -1].map(standsOn)).toEqual([true, true, false, false]);
});

it('a body stands nowhere in solid, however far out that is', () => {
  let moves = 0;
  const body = defineTracer({
    shape: { kind: 'box', mins: [-1, -1, -1], maxs: [1, 1, 1] },
    trace: (_start, end, out) => {
      moves++;
      out.endPos.set(end);
      out.startSolid = true;
      out.allSolid = true;
      return out;
    },
  });
  for (const z of [8, 1e30, -1e30]) expect(standIn(body, 16)([0, 0, z])).toBe(false);
  expect(moves).toBeLessThan(50);
});
