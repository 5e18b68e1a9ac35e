import { houseUfoai } from '@bspkit/fixtures';
import { testReadme } from '@bspkit/testkit/readme';

testReadme(new URL('..', import.meta.url), { 'house.bsp': houseUfoai() });
