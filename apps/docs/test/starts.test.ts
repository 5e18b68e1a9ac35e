import { readFileSync } from 'node:fs';
import type { Tracer } from '@bspkit/core';
import { arenaQuake1, arenaQuake2, arenaQuake3, houseUfoai } from '@bspkit/fixtures';
import { createQuake1World, readQuake1 } from '@bspkit/quake1';
import { createQuake2World, readQuake2 } from '@bspkit/quake2';
import { createQuake3World, exactSphere, readQuake3 } from '@bspkit/quake3';
import { createUfoaiWorld, readUfoai } from '@bspkit/ufoai';
import { describe, expect, it } from 'vitest';

const guide = readFileSync(new URL('../guides/concepts.md', import.meta.url), 'utf8');
/** The fractions of moves that start in solid: where they lead out, and where they stay inside. */
const table = [...guide.matchAll(/^\| ([^|]+?) +\| +(0|1) \| +(0|1) \|$/gm)].map(([, ...cells]) => cells);

const quake1 = createQuake1World(readQuake1(arenaQuake1()));
const quake2 = createQuake2World(readQuake2(arenaQuake2()));
const quake3 = createQuake3World(readQuake3(arenaQuake3()));
const ufoai = createUfoaiWorld(readUfoai(houseUfoai()));

const [mins, maxs] = [
  [-2, -2, -2],
  [2, 2, 2],
] as const;
interface Moves {
  readonly from: readonly [number, number, number];
  readonly out: readonly [number, number, number];
  readonly inside: readonly [number, number, number];
}
/** From within a floor to above it, and within it. */
const floor: Moves = { from: [0, -200, -8], out: [0, -200, 64], inside: [0, -190, -8] };
/** From within a wall of the house. */
const wall: Moves = { from: [256, 100, 30], out: [256, 150, 30], inside: [256, 101, 30] };

const groups: readonly { readonly words: string; readonly tracers: readonly (readonly [Tracer, Moves])[] }[] =
  [
    {
      words: 'shapes of Quake 3',
      tracers: [
        [quake3.ray(), floor],
        [quake3.box(mins, maxs), floor],
        [quake3.capsule(mins, maxs), floor],
        [quake3.sphere(2), floor],
        [exactSphere(quake3, 2), floor],
      ],
    },
    {
      words: 'hulls of Quake; boxes and rays of Quake 2 and UFO:AI',
      tracers: [
        [quake1.ray(), floor],
        [quake1.hull(1), floor],
        [quake2.ray(), floor],
        [quake2.box(mins, maxs), floor],
        [ufoai.ray(), wall],
        [ufoai.box(mins, maxs), wall],
      ],
    },
    {
      words:
        "precise traces of Quake; hulls with the rules `'quakeworld'` or `'halflife-player'`; lines of UFO:AI",
      tracers: [
        [quake1.preciseRay(), floor],
        [quake1.preciseHull(1), floor],
        [quake1.hull(1, { rules: 'quakeworld' }), floor],
        [quake1.hull(1, { rules: 'halflife-player' }), floor],
        [ufoai.line(), wall],
      ],
    },
  ];

describe('what the concepts say about starting in solid', () => {
  it.each(groups)('$words', ({ words, tracers }) => {
    const row = table.find(([first]) => first === words);
    for (const [tracer, { from, out, inside }] of tracers) {
      const leaving = tracer.trace(from, out);
      expect(leaving).toMatchObject({ startSolid: true, allSolid: false });
      const staying = tracer.trace(from, inside, tracer.createTrace());
      // Only answers of lines have this field.
      expect(staying).toMatchObject({ startSolid: true, allSolid: !('blocked' in staying) });
      expect([words, `${leaving.fraction}`, `${staying.fraction}`]).toEqual(row);
    }
  });

  it('has all of them', () => expect(table).toHaveLength(groups.length));

  it('with fraction 0, only QuakeWorld gives the end of the move', () => {
    const ends = (rules: 'quakeworld' | 'halflife-player') => [
      ...quake1.hull(1, { rules }).trace(floor.from, floor.out).endPos,
    ];
    expect(ends('quakeworld')).toEqual(floor.out);
    expect(ends('halflife-player')).toEqual(floor.from);
    expect([...quake1.preciseHull(1).trace(floor.from, floor.out).endPos]).toEqual(floor.from);
    expect([...ufoai.line().trace(wall.from, wall.out).endPos]).toEqual(wall.from);
    expect([...quake3.ray().trace(floor.from, floor.inside).endPos]).toEqual(floor.from);
  });
});
