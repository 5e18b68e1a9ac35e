import { tests } from '../../vitest.base.ts';

// These wait for all builds and end last, when the other cores have nothing left to do.
export default tests({ maxWorkers: 2 });
