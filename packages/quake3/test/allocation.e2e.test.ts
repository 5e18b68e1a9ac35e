import { fileURLToPath } from 'node:url';
import { testAllocation } from './allocation.ts';

// The package as users get it: its bundling must not make V8 box what the sources do not.

testAllocation(await import(fileURLToPath(new URL('../dist/index.js', import.meta.url))));
