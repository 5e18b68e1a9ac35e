import { arenaQuake3 } from '@bspkit/fixtures';
import { testReadme } from '@bspkit/testkit/readme';
import { describe } from 'vitest';

testReadme(new URL('../../../', import.meta.url), { 'arena.bsp': arenaQuake3() });

// Core's test is here, because the code that runs README examples depends on core itself.
describe('core', () => {
  testReadme(new URL('../../core/', import.meta.url));
});
