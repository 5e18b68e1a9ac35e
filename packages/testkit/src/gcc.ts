import { spawnSync } from 'node:child_process';

/** Why a test that compiles C skips; empty if gcc is there. */
export const missingGcc: string = spawnSync('gcc', ['--version']).status === 0 ? '' : 'there is no gcc';
