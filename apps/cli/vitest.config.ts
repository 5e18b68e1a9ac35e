import { tests } from '../../vitest.base.ts';

// The command touches nothing of the process that it runs in, so test files may share one and what it has loaded.
export default tests({ isolate: false });
