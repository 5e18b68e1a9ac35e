import { checkFormat } from '@bspkit/check-format';
import { COMPILE_TARGETS } from '@bspkit/compile';
import type { Bounds, BspWorld, Pose, Vec3 } from '@bspkit/core';
import type { BoxEntity, BspFormat } from '@bspkit/core/format';
import { compileFixture } from '@bspkit/fixtures';
import { engineMapNames, readEngineMap } from '@bspkit/fixtures/engine';
import { between, createRandom } from '@bspkit/geometry';
import { MUTANTS } from '@bspkit/testkit/mutants';
import { expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { toyFormat, toyMap } from '@bspkit/testkit/toy';
import { FORMATS } from 'bspkit';
import { expect, it } from 'vitest';

// The suite that every format must pass, run on the umbrella's list and on a format that is not on it.

/** Maps that the suite runs on: compiled if there is a compiler for the format, and files that do not change. */
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

/** Lines of sight have a test of their own besides the place of impact, as in the game. */
const OWN_TESTS: Readonly<Record<string, readonly string[]>> = { ufoai: ['line'] };

for (const entry of FORMATS) {
  const others = samples.filter(({ id }) => id !== entry.id).flatMap(({ maps }) => maps);
  const own = samples.find(({ id }) => id === entry.id)!.maps;
  if (own.length === 0) {
    it(`format ${entry.id}: has maps to check`, () => {
      expect.fail(
        `put some into packages/${entry.id}/test/maps (NAME.bsp.gz), one of them with inline models`,
      );
    });
    continue;
  }
  await checkFormat(entry, own, {
    foreign: [toyMap(), ...others.map(({ bytes }) => bytes)],
    ownTests: OWN_TESTS[entry.id] ?? [],
    // 60, unless this is a proof run.
    mutants: Math.ceil((3 * MUTANTS) / 10),
  });
}

/** Something that has contents where it is: a model or a box entity. */
interface Standing {
  readonly bounds: Bounds;
  contents(point: Vec3, pose?: Pose): number;
}

it.each(FORMATS)('$id: models and box entities have contents where a pose puts them', async (entry) => {
  const format: BspFormat = await entry.load();
  const random = createRandom(seedOf(1));
  const given: Standing[] = [];
  for (const { name, bytes } of samples.find(({ id }) => id === entry.id)!.maps) {
    const world = format.createWorld([format.read(bytes)]) as BspWorld & { model(k: number): Standing };
    for (let k = 1; k <= world.numModels; k++) given.push(world.model(k));
    expect(world.numModels, name).toBeGreaterThan(0);
  }
  if (format.boxEntity) given.push(format.boxEntity([-9, -9, -24], [9, 9, 32]) as BoxEntity & Standing);
  const found = new Set<number>();
  for (const thing of given) {
    const { mins, maxs } = thing.bounds;
    for (let n = 0; n < 50; n++) {
      // Whole numbers, so that nothing is rounded on the way.
      const point = Array.from(mins, (least, k) => Math.round(between(random, least - 9, maxs[k]! + 9)));
      const origin = [0, 1, 2].map(() => Math.round(between(random, -500, 500)));
      const contents = thing.contents(point, { origin: [0, 0, 0] });
      const moved = point.map((x, k) => x + origin[k]!);
      expectSame(thing.contents(moved, { origin }), contents);
      found.add(contents);
    }
  }
  expect(found.size).toBeGreaterThan(1);
});

// As Node reads files, whose `slice` copies nothing: the suite must leave them as they are.
await checkFormat(toyFormat, [{ name: 'room', bytes: Buffer.from(toyMap()) }], {
  foreign: samples.flatMap(({ maps }) => maps.map(({ bytes }) => bytes)),
});
