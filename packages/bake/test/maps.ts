import { compileFixture, FIXTURE_FORMATS, fixtureFor } from '@bspkit/fixtures';

/** Our own maps, one of each format that they are compiled for. */
export const MAPS: Readonly<Record<string, () => Uint8Array>> = Object.fromEntries(
  FIXTURE_FORMATS.map((format) => [format, () => compileFixture(fixtureFor(format), format).bytes]),
);
