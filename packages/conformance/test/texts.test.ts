import type { BspFile } from '@bspkit/core/format';
import { readEngineMap } from '@bspkit/fixtures/engine';
import { FORMATS } from 'bspkit';
import { expect, it } from 'vitest';

// Programs may change a file before they build its world.

it.each(FORMATS)('a file of $id with letters that its world cannot keep is refused', async (entry) => {
  const format = await entry.load();
  const file: BspFile = format.read(readEngineMap(`${entry.id}/arena.bsp`));
  const named = (message: string): BspFile => ({
    ...file,
    entities: `${file.entities}{"message" "${message}"}`,
  });
  expect(() => format.createWorld([named('ŝ')] as never)).toThrow(
    new RangeError("texts of a map must be Latin-1 without NULs, got 'ŝ'"),
  );
  const world = format.createWorld([named('é')] as never);
  expect(world.entities().at(-1)).toEqual({ message: 'é' });
});
