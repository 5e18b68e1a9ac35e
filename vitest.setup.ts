import fc from 'fast-check';
import { SEED } from './packages/testkit/src/seed.ts';

fc.configureGlobal({ seed: SEED });
