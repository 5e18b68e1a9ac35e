import { engineFiles } from '@bspkit/fixtures/engine';
import { parseTable } from '@bspkit/rows';
import { expect, it } from 'vitest';
import type { GameScene } from '../scripts/quake2-things.ts';
import { type ThingRow, thingColumns } from '../scripts/things.ts';

// What is among the rows of pushers that were recorded from Quake 2's own game: answers to the rows are compared in tests of all
// files.

const at = Object.fromEntries(thingColumns('quake2', 'pushes').map((name, k) => [name, k]));
const PUSH = 5;
const [WALK, STOP] = [4, 3];
const DEAD_MONSTER = 2;

it('rows of pushers of Quake 2 have some of each kind', () => {
  const file = engineFiles('quake2').find(({ kind }) => kind === 'pushes')!;
  const { header, lines } = parseTable(file.read());
  const scenes = header.scenes as unknown as GameScene[];
  const counts: Record<string, number> = {};
  const count = (kind: string, is: boolean): void => {
    counts[kind] = (counts[kind] ?? 0) + Number(is);
  };
  for (const row of lines as ThingRow[]) {
    const list = (name: string): number[] => row[at[name]!] as number[];
    const { things } = scenes[row[at.scene!] as number]!;
    const thing = (number: number) => things[number - 1]!;
    if (row[at.call!] !== PUSH) {
      // Whatever stands on a thing or a monster, which may itself be on a pusher.
      const ground = row[at.ground!] as number;
      count('stands on what does not push', ground > 0 && thing(ground).call !== PUSH);
      continue;
    }
    const first = row[at.thing!] as number;
    const moves = list('moves');
    const team = [
      first,
      ...things.flatMap(({ call, goal }, k) => (call === PUSH && goal === first ? [k + 1] : [])),
    ];
    const blocker = row[at.blocker!] as number;
    const moved = list('moved');
    const grounds = moved.map((_, k) => list('places')[5 * k + 3]!);
    const turns = moves.some((x, k) => k % 6 > 2 && x !== 0);
    const isFree = blocker < 0;
    count('rides', isFree && grounds.some((ground) => team.includes(ground)));
    count('rides on what turns', isFree && turns && grounds.some((ground) => team.includes(ground)));
    count('is pushed', isFree && grounds.includes(-1));
    count('is pushed by what turns', isFree && turns && grounds.includes(-1));
    count('player is moved', isFree && moved.some((number) => thing(number).movetype === WALK));
    count('corpse is moved', isFree && moved.some((number) => (thing(number).svflags & DEAD_MONSTER) !== 0));
    count('team moves', isFree && team.length > 1);
    count('nothing moves', isFree && moved.length === 0);
    if (isFree) continue;
    count('thing blocks', thing(blocker).movetype !== WALK);
    count('player blocks', thing(blocker).movetype === WALK);
    count(
      'others are put back',
      moved.some((number) => number !== blocker),
    );
    count('team is put back', team.length > 1);
    count(
      'what stops is blocked',
      team.some((number) => thing(number).movetype === STOP),
    );
  }
  for (const [kind, number] of Object.entries(counts)) expect(number, kind).toBeGreaterThan(2);
});
