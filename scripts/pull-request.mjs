// Prints what a pull request changes for users, as Markdown: sizes of bundles, and public types compared with a revision. Bundles
// must have been built. The exit code is 1 when one of them is over its budget, or when public types of a package change and no
// changeset that was added or changed since then names it.
//
//   node scripts/pull-request.mjs [REVISION]     HEAD~1 by default
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [revision = 'HEAD~1'] = process.argv.slice(2);

const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 };

// Budgets are what bundles weigh today: one that is over is often so by a few bytes.
const shown = (bytes) => `${bytes.toLocaleString('en')} B`;

// On Windows it is a script, for the shell; revisions are not: that takes the ^ of HEAD^ for an escape.
const { stdout, stderr } = spawnSync('npx size-limit --json', { ...options, shell: true });
if (!stdout.trim().startsWith('[')) throw new Error(`size-limit failed\n${stdout}${stderr}`);
const sizes = JSON.parse(stdout);
const rows = sizes.map(
  ({ name, size, sizeLimit, passed }) =>
    `| ${name} | ${shown(size)} | ${shown(sizeLimit)} | ${passed ? '' : '**over**'} |`,
);

function differences(...args) {
  const { status, stdout, stderr } = spawnSync('git', ['diff', ...args], options);
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

const types = differences(revision, '--', 'packages/conformance/api');
const changesets = differences('--unified=1000', revision, '--', '.changeset');
const lacking = [...types.matchAll(/^\+\+\+ .*packages\/conformance\/api\/(.+)\.md$/gm)]
  .map(([, name]) => name)
  .filter((name) => !new RegExp(`^[+ ]["'](@bspkit/)?${name}["']:`, 'm').test(changesets));
const noted = lacking.map((name) => `**No changeset says what changes in ${name}.**\n\n`).join('');

process.stdout.write(`## Sizes

| bundle | brotli | budget | |
| --- | ---: | ---: | --- |
${rows.join('\n')}

## Public types

${noted}${types ? `\`\`\`\`diff\n${types}\n\`\`\`\`` : 'No changes.'}

`);
process.exitCode = sizes.every(({ passed }) => passed) && lacking.length === 0 ? 0 : 1;
