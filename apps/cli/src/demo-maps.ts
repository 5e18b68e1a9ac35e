import { COMPILE_TARGETS, type MapSource } from '@bspkit/compile';
import type { FormatIdentity } from '@bspkit/core/format';
import { compileFixture, FIXTURES, type Fixture, fixtureMap } from '@bspkit/fixtures';
import { MapError, UsageError } from './errors.ts';

/**
 * The source of a map that comes with the command. Throws `MapError` when there is none of that name, and `UsageError` for one of
 * its maps, `NAME@FORMAT`.
 */
export function demoSource(spec: string): MapSource {
  const { demo, format } = splitSpec(spec);
  if (format === undefined) return fixtureMap(demo.name);
  throw new UsageError(
    `demo:${spec}: is a compiled map: its source is demo:${demo.name}, and --format says what to compile it for`,
  );
}

/**
 * A demo map in all formats that it can be compiled for and opened in: `demo:NAME@FORMAT`. The one that it was made for comes
 * first. Throws `MapError` if there is no map with that name.
 */
export function demoNames(name: string, formats: readonly FormatIdentity[]): string[] {
  const own = findDemo(name).format;
  const ids = COMPILE_TARGETS.map(({ id }) => id).filter((id) => formats.some((format) => format.id === id));
  const ordered = [...ids.filter((id) => id === own), ...ids.filter((id) => id !== own)];
  return ordered.map((id) => `demo:${name}@${id}`);
}

/** A demo map, compiled: `NAME`, or `NAME@FORMAT` for another format. Throws `MapError` for anything else. */
export function demoMap(spec: string): Uint8Array {
  const { demo, format } = splitSpec(spec);
  const target = COMPILE_TARGETS.find(({ id }) => id === (format ?? demo.format));
  if (!target) {
    const there = COMPILE_TARGETS.map(({ id }) => id).join(', ');
    throw new MapError(`demo:${spec}: no such format; there are ${there}`);
  }
  return compileFixture(demo.name, target.id).bytes;
}

function splitSpec(spec: string): { readonly demo: Fixture; readonly format: string | undefined } {
  const [, name, format] = /^([^@]*)(?:@(.*))?$/s.exec(spec)!;
  return { demo: findDemo(name!), format };
}

function findDemo(name: string): Fixture {
  const known = FIXTURES.find((fixture) => fixture.name === name);
  if (known) return known;
  const there = FIXTURES.map((fixture) => fixture.name).join(', ');
  throw new MapError(`demo:${name}: no such demo map; there are ${there}`);
}
