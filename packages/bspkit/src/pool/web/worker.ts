import { serveTracePool } from './serve.ts';

serveTracePool();
