import type { Options } from 'tsup';
import { library } from '../../tsup.base.ts';

const entry = {
  index: 'src/index.ts',
  // Pools and their workers, in browsers and in Node.
  pool: 'src/pool/web/index.ts',
  worker: 'src/pool/web/worker.ts',
  'pool-node': 'src/pool/node/index.ts',
  'worker-node': 'src/pool/node/worker.ts',
};

export default {
  ...(library(entry) as Options),
  // The parts of it that pools need before a map is opened. Bundlers do not split files: if it were external, everything in it
  // that any format uses would be loaded with these.
  noExternal: ['@bspkit/core/format'],
};
