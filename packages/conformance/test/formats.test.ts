import { COMPILE_TARGETS } from '@bspkit/compile';
import { compileFixture } from '@bspkit/fixtures';
import { engineMapNames, readEngineMap } from '@bspkit/fixtures/engine';
import { checkFormat } from '@bspkit/testkit/check-format';
import { toyFormat, toyMap } from '@bspkit/testkit/toy-format';
import { FORMATS } from 'bspkit';

// The suite that every format passes, over the umbrella's list and over a format that is not on it.

const samples = FORMATS.map(({ id }) => {
  const target = COMPILE_TARGETS.find((known) => known.id === id);
  return {
    id: id as string,
    maps: [
      ...(target ? [{ name: 'arena', bytes: compileFixture('arena', target.id).bytes }] : []),
      ...engineMapNames(id)
        .filter((name) => name.endsWith('/house.bsp'))
        .map((name) => ({ name, bytes: readEngineMap(name) })),
    ],
  };
});

/** Lines of sight have a test of their own beside the place of impact, as the game has. */
const OWN_TESTS: Readonly<Record<string, readonly string[]>> = { ufoai: ['line'] };

for (const entry of FORMATS) {
  const others = samples.filter(({ id }) => id !== entry.id).flatMap(({ maps }) => maps);
  const own = samples.find(({ id }) => id === entry.id)!.maps;
  await checkFormat(entry, own, {
    foreign: [toyMap(), ...others.map(({ bytes }) => bytes)],
    ownTests: OWN_TESTS[entry.id] ?? [],
  });
}

// As Node reads files, whose `slice` copies nothing: the suite leaves them as they are.
await checkFormat(toyFormat, [{ name: 'room', bytes: Buffer.from(toyMap()) }], {
  foreign: samples.flatMap(({ maps }) => maps.map(({ bytes }) => bytes)),
});
