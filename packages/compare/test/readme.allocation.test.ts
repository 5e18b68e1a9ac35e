import { readEngineMap } from '@bspkit/fixtures/engine';
import { testReadme } from '@bspkit/testkit/readme';

// An example says how much is allocated.

testReadme(new URL('..', import.meta.url), { 'arena.bsp': readEngineMap('quake3/arena.bsp') });
