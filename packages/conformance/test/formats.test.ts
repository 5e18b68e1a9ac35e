import { COMPILE_TARGETS } from '@bspkit/compile';
import { compileFixture } from '@bspkit/fixtures';
import { engineMapNames, readEngineMap } from '@bspkit/fixtures/engine';
import { checkFormat } from '@bspkit/testkit/check-format';
import { toyFormat, toyMap } from '@bspkit/testkit/toy-format';
import { FORMATS } from 'bspkit';
import { expect, it } from 'vitest';

// The suite that every format passes, over the umbrella's list and over a format that is not on it.

/** Maps that the suite runs on: compiled where something compiles for the format, and files that do not change. */
const samples = FORMATS.map(({ id }) => {
  const target = COMPILE_TARGETS.find((known) => known.id === id);
  const names = engineMapNames(id);
  const house = names.filter((name) => name.endsWith('/house.bsp'));
  return {
    id: id as string,
    maps: [
      ...(target ? [{ name: 'arena', bytes: compileFixture('arena', target.id).bytes }] : []),
      ...(house.length > 0 || target ? house : names).map((name) => ({ name, bytes: readEngineMap(name) })),
    ],
  };
});

/** Lines of sight have a test of their own beside the place of impact, as the game has. */
const OWN_TESTS: Readonly<Record<string, readonly string[]>> = { ufoai: ['line'] };

for (const entry of FORMATS) {
  const others = samples.filter(({ id }) => id !== entry.id).flatMap(({ maps }) => maps);
  const own = samples.find(({ id }) => id === entry.id)!.maps;
  if (own.length === 0) {
    it(`format ${entry.id}: has maps to be checked on`, () => {
      expect.fail(
        `put some into packages/${entry.id}/test/maps (NAME.bsp.gz), one of them with inline models`,
      );
    });
    continue;
  }
  await checkFormat(entry, own, {
    foreign: [toyMap(), ...others.map(({ bytes }) => bytes)],
    ownTests: OWN_TESTS[entry.id] ?? [],
  });
}

// As Node reads files, whose `slice` copies nothing: the suite leaves them as they are.
await checkFormat(toyFormat, [{ name: 'room', bytes: Buffer.from(toyMap()) }], {
  foreign: samples.flatMap(({ maps }) => maps.map(({ bytes }) => bytes)),
});
