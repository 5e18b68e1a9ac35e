import { library } from '../../tsup.base.ts';

const entry = {
  index: 'src/index.ts',
  // Pools and their workers, in browsers and in Node.
  pool: 'src/pool/web/index.ts',
  worker: 'src/pool/web/worker.ts',
  'pool-node': 'src/pool/node/index.ts',
  'worker-node': 'src/pool/node/worker.ts',
  file: 'src/node/file-store.ts',
  picture: 'src/picture.ts',
  queue: 'src/queue.ts',
  rows: 'src/rows.ts',
};

export default library(entry);
