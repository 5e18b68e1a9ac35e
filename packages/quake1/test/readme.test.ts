import { arenaQuake1 } from '@bspkit/fixtures';
import { testReadme } from '@bspkit/testkit/readme';

testReadme(new URL('..', import.meta.url), { 'arena.bsp': arenaQuake1() });
