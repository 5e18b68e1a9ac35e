import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { describe, expect, it, onTestFinished } from 'vitest';
import { installed, runServer } from '../scripts/dedicated.ts';

describe('what recorders need', () => {
  it('is named where it is missing, with what to do', () => {
    const file = fileURLToPath(import.meta.url);
    expect(installed(file)).toBe(file);
    const missing = 'there is no /nowhere/server: install the package that it is from, or unpack that';
    expect(() => installed('/nowhere/server')).toThrow(missing);
  });

  it('is looked for before a server is started', () => {
    const engine = { program: 'nowhere/server', module: '', map: '', files: {}, arguments: [] };
    expect(() => runServer(engine, temporaryFolder(onTestFinished), {})).toThrow(/nowhere.server: install/);
  });
});
