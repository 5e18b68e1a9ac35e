import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ROW_KINDS } from '@bspkit/bake/rows';
import type { RowHeader } from '@bspkit/core/format';
import { readEngineMap } from '@bspkit/fixtures/engine';
import { openTable, parseHeader, parseRow } from '@bspkit/rows';
import { expectSame } from '@bspkit/testkit/same';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';

// Whatever is wrong in the header of a file of questions, or in an object between its rows, is named. The files are those of the
// guide, so a field that is documented there is read, and the other way round.

type Path = readonly (string | number)[];
type Tree = Record<string | number, unknown>;

const guide = readFileSync(resolve(import.meta.dirname, '../../docs/guides/batch.md'), 'utf8');
const files = [...guide.matchAll(/```json\n(\{"game"[\s\S]*?)```/g)].map(([, text]) =>
  text!.trim().split('\n'),
);
const formats = (await Promise.all(FORMATS.map((entry) => entry.load()))) as never[];
const maps = new Map(FORMATS.map(({ id }) => [id, readEngineMap(`${id}/arena.bsp`)]));

/** What every header has, and maps, which are looked for elsewhere. */
const COMMON = ['game', 'map', 'kind', 'columns'];

/** Numbers of what there are only some of. */
const COUNTED: Path = ['model', 'owner', 'goal', 'entity', 'solid', 'movetype', 'fixed', 'x', 'y', 'z'];

/** All places in a value, but not within those that are left out. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value)
    ? [...value.keys()]
    : Object.keys(value).filter((key) => !COMMON.includes(key));
  return [
    ...(path.length > 0 ? [path] : []),
    ...keys.flatMap((key) => placesIn((value as Tree)[key], [...path, key])),
  ];
}

/** A copy of a line with another value in one place; `undefined` leaves it out. */
function changed(line: string, path: Path, value: unknown): string {
  const copy = JSON.parse(line) as Tree;
  const holder = path.slice(0, -1).reduce<Tree>((part, key) => part[key] as Tree, copy);
  holder[path.at(-1)!] = value;
  return JSON.stringify(copy).replaceAll('"1e999"', '1e999');
}

const nameOf = (path: Path): string =>
  path.reduce<string>(
    (name, key) => `${name}${typeof key === 'number' ? `[${key}]` : `${name && '.'}${key}`}`,
    '',
  );

/** What is wrong with a file, as `batch` says it; nothing if all lines are answered. */
function problemOf([first, ...lines]: readonly string[]): string {
  let number = 0;
  try {
    const header: RowHeader = parseHeader(JSON.stringify({ map: 'arena', ...JSON.parse(first!) }));
    const load = (): Uint8Array => maps.get(header.game)!;
    const table = openTable(header, { formats, kinds: ROW_KINDS, load });
    number = 1;
    for (const line of lines) table.answer(parseRow(line, ++number));
    return '';
  } catch (error) {
    const kind = (error as Error).constructor;
    expectSame(kind === SyntaxError || kind === RangeError, true, String(error));
    const { message } = error as Error;
    return error instanceof SyntaxError ? message : `line ${number}: ${message}`;
  }
}

const asked = files.map((lines) => [JSON.parse(lines[0]!) as RowHeader, lines] as const);

describe('fields of headers and of objects between rows', () => {
  it.each(asked)('are named where they are wrong: $game $kind', (_, lines) => {
    expect(problemOf(lines)).toBe('');
    for (const [k, line] of lines.entries()) {
      if (line.startsWith('[')) continue;
      for (const path of placesIn(JSON.parse(line))) {
        for (const wrong of ['x', null, '1e999', 1e39, 1e9]) {
          const said = problemOf(lines.map((other, at) => (at === k ? changed(line, path, wrong) : other)));
          if (wrong === 1e9 && !COUNTED.includes(path.at(-1)!)) continue;
          expectSame(said.startsWith(`line ${k + 1}: ${nameOf(path)} must be `), true, `${wrong}: ${said}`);
        }
      }
    }
  });
});

describe('numbers in rows', () => {
  it.each([
    ['quake2', 'ox', 2 ** 32 - 2048],
    ['quake2', 'yaw', 2 ** 32 + 16384],
    ['quake3', 'cyaw', 2 ** 32 + 16384],
  ])('are not taken for others if they are too large: %s %s', (game, name, number) => {
    const [header, lines] = asked.find(([{ kind, ...rest }]) => rest.game === game && kind === 'pmove')!;
    const place = header.columns!.indexOf(name);
    const changes = [...lines.slice(0, -1), changed(lines.at(-1)!, [place], number)];
    const problem = `line ${lines.length}: cell ${place + 1} (${name}) is not a whole number of 32 bits: ${number}`;
    expect(problemOf(changes)).toBe(problem);
  });
});
