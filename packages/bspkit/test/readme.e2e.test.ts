import { testReadme } from '@bspkit/testkit/readme';
import { maps } from './maps.ts';

testReadme(new URL('..', import.meta.url), { 'arena.bsp': maps.quake3 });
