import { arenaQuake1, arenaQuake2, arenaQuake3 } from '@bspkit/fixtures';
import { testReadme } from '@bspkit/testkit/readme';

testReadme(new URL('../', import.meta.url), {
  'arena.bsp': arenaQuake3(),
  'arena1.bsp': arenaQuake1(),
  'arena2.bsp': arenaQuake2(),
});
