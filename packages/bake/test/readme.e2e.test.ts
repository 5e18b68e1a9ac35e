import { testReadme } from '@bspkit/testkit/readme';
import { MAPS } from './maps.ts';

testReadme(new URL('..', import.meta.url), { 'arena.bsp': MAPS.quake3!() });
