import { tests } from '../../vitest.base.ts';

// Workers do little but wait for the command that they run: one for each core, none spared for the rest.
export default tests({ maxWorkers: '100%' });
