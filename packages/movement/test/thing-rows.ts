import type { Row, RowAnswering } from '@bspkit/core/format';
import { readEngineMap } from '@bspkit/fixtures/engine';
import { quake1Format } from '@bspkit/quake1/format';
import { quake2Format } from '@bspkit/quake2/format';
import { createScene } from '@bspkit/scene';
import { expect, it } from 'vitest';
import { movementRows } from '../src/rows.ts';

const FORMATS = { quake1: quake1Format, quake2: quake2Format };

type Game = keyof typeof FORMATS;

/** What a frame of a thing is asked by, without more. */
const ASKED: readonly string[] = ['scene', 'frame', 'thing', 'call', 'yaw', 'distance'];

/** Rows of scenes in the arena. */
export const openThings = (
  game: Game,
  scenes: readonly object[],
  ...results: readonly string[]
): Promise<RowAnswering> => openRows(game, 'things', scenes, results);

/** The same, with what pushes them. */
export const openPushes = (
  game: Game,
  scenes: readonly object[],
  ...results: readonly string[]
): Promise<RowAnswering> => openRows(game, 'pushes', scenes, results);

async function openRows(
  game: Game,
  kind: 'things' | 'pushes',
  scenes: readonly object[],
  results: readonly string[],
): Promise<RowAnswering> {
  const format = await FORMATS[game].load();
  const header = { game, map: 'arena', kind, columns: [...ASKED, ...results], scenes };
  const load = (): Uint8Array => readEngineMap(`${game}/arena.bsp`);
  return movementRows(createScene)[game]![kind]!.open(header, { format: format as never, load });
}

/** A row that cannot be asked: what is special about its thing, its question, and why. */
type Refusal = readonly [parts: object, row: readonly (number | null)[], message: string];

/** Tests of rows of a thing that falls for a tenth of a second, and of what is refused, in this game more than in the others. */
export function testThingRows(game: Game, falling: object, refusals: readonly Refusal[]): void {
  const ask = async (parts: object, ...row: Row): Promise<Row> => {
    const rows = await openThings(
      game,
      [{ frametime: 0.1, things: [{ ...falling, ...parts }] }],
      'called',
      'oz',
    );
    rows.answer(row);
    // Columns that are not asked for are written beside the cells.
    return row.slice();
  };
  const usual = [0, 0, 1, 0, 0, 0];

  it('are answered frame by frame', async () => {
    expect(await ask({}, ...usual, null, null)).toEqual([...usual, 0, 56]);
  });

  it.each<Refusal>([
    [{ origin: [0, 0] }, usual, 'line 1: scenes[0].things[0].origin must be three numbers, got [0,0]'],
    [{ enemy: 'him' }, usual, 'line 1: scenes[0].things[0].enemy must be a whole number from 0 to 1'],
    [{}, [0, 0, 1, 5, 0, 0], 'call must be 0 to 4, got 5'],
    [{}, [0, 0, 1, 3, 0, 8], 'missing columns: random'],
    [{}, [0, 0, 2, 0, 0, 0], 'thing 2 does not move'],
    ...[1, 2, -1].map(
      (frame): Refusal => [{}, [0, frame, 1, 0, 0, 0], `frame must be 0 at first, got ${frame}`],
    ),
    [{}, [0, null, 1, 0, 0, 0], 'cell 2 is not a whole number: null'],
    [{}, [1, 0, 1, 0, 0, 0], 'cell 1 is not the number of a scene, 0: 1'],
    ...refusals,
  ])('are refused where they cannot be asked: %#', async (parts, row, message) => {
    const kind = message.startsWith('line 1') ? SyntaxError : RangeError;
    const refused = ask(parts, ...row);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(kind);
  });

  it('are refused where the things of a scene are no array, or one of them is no object', async () => {
    const askOf = async (things: unknown): Promise<void> =>
      (await openThings(game, [{ frametime: 0.1, things }])).answer([...usual]);
    await expect(askOf({})).rejects.toThrow('line 1: scenes[0].things must be a list, got {}');
    await expect(askOf([7])).rejects.toThrow('line 1: scenes[0].things[0] must be an object, got 7');
  });
}
