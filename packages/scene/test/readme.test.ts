import { testReadme } from '@bspkit/testkit/readme';

testReadme(new URL('..', import.meta.url));
