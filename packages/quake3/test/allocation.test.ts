import * as source from '../src/index.ts';
import { testAllocation } from './allocation.ts';

testAllocation(source);
