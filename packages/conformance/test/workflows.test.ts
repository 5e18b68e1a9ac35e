import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

// What workflows may do. Whoever can change a package that the tests use can run anything in a job that tests, so no such job may
// publish, or write to the repository.

const folder = resolve(import.meta.dirname, '../../../.github/workflows');
const names = readdirSync(folder);
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8').replace(/ +#.*$/gm, '');

/** The text of each job. */
function jobsOf(name: string): [job: string, text: string][] {
  const [, jobs = ''] = textOf(name).split(/^jobs:$/m);
  return jobs
    .split(/^ {2}(?=\w+:$)/m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf(':')), text]);
}

describe.each(names)('%s', (name) => {
  it('names actions of others by their commits', () => {
    const uses = [...textOf(name).matchAll(/\buses: *(\S+)/g)].map(([, action]) => action!);
    expect(uses.length).toBeGreaterThan(0);
    for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  });

  it('builds and tests in jobs that may only read', () => {
    for (const [job, text] of jobsOf(name)) {
      if (!/\brun: .*\b(npm run|npm test|npx|node)\b/.test(text)) continue;
      expect(text, job).not.toMatch(/: write\b/);
      expect(text, job).not.toContain('secrets.');
    }
  });
});

describe('release.yml', () => {
  const jobs = new Map(jobsOf('release.yml'));

  it('has rights in the jobs that need them alone', () => {
    const rights = [...jobs].map(([job, text]) => [
      job,
      [...text.matchAll(/([\w-]+): write\b/g)].map(([, right]) => right),
    ]);
    expect(Object.fromEntries(rights)).toEqual({
      version: ['contents', 'pull-requests'],
      build: [],
      publish: ['contents', 'id-token'],
    });
    for (const [job, text] of jobs) expect(text.includes('NPM_TOKEN'), job).toBe(job === 'publish');
  });

  it('finds the commits of changesets without fetching them bit by bit, which takes longer than the job may', () => {
    expect(jobs.get('version')).toMatch(/\buses: actions\/checkout@\S+\s+with:\s+fetch-depth: 0$/m);
  });

  it('runs no scripts of packages where it has any', () => {
    const runs = (job: string) => [...jobs.get(job)!.matchAll(/\brun: *(.*)/g)].map(([, command]) => command);
    expect(runs('version')).toEqual(['npm ci --ignore-scripts']);
    expect(runs('publish')).toEqual([
      'npm ci --ignore-scripts',
      'tar --extract --gzip --file="$RUNNER_TEMP/built.tgz"',
    ]);
  });
});
