import { fixtureQuake2 } from '@bspkit/fixtures/quake2';
import { checkFormat } from '@bspkit/testkit/check-format';
import { quake2Format } from '../src/format.ts';

await checkFormat(quake2Format, [{ name: 'arena', bytes: fixtureQuake2('arena') }]);
