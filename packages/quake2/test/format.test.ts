import { arenaQuake2, arenaQuake3, compileFixture } from '@bspkit/fixtures';
import { checkFormat } from '@bspkit/testkit/check-format';
import { quake2Format } from '../src/format.ts';

const maps = [
  { name: 'arena', bytes: arenaQuake2() },
  { name: 'house', bytes: compileFixture('house', 'quake2').bytes },
];

await checkFormat(quake2Format, maps, { foreign: [arenaQuake3()] });
