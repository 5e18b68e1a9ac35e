import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { application } from '../../tsup.base.ts';

const SOURCES = fileURLToPath(new URL('../../packages/fixtures/maps', import.meta.url));
const MAPS = fileURLToPath(new URL('maps', import.meta.url));

export default application(['src/main.ts', 'src/bake-worker.ts'], {
  // The demo maps are read from next to the folder of the code that reads them, which is bundled into ours.
  async onSuccess() {
    rmSync(MAPS, { recursive: true, force: true });
    cpSync(SOURCES, MAPS, { recursive: true });
  },
});
