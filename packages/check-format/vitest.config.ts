import { tests } from '../../vitest.base.ts';

export default tests();
