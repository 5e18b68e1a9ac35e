// Builds the site into dist/: the guides and the API of every published package by TypeDoc, the playground inside it.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Converter, ReflectionKind } from 'typedoc';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const out = join(here, 'dist');

const SITE = 'https://bspkit.github.io/bspkit/';

/** In the order of the navigation. */
const GUIDES = [
  'getting-started',
  'concepts',
  'recipes/index',
  'choosing',
  'scaling',
  'coming-from',
  'bit-equality',
  'documents',
  'faq',
  'adding-a-format',
  'licence',
];

/** Entries of the published packages that are for users: their name and their source. */
const entries = readdirSync(join(root, 'packages'))
  .map((name) => join(root, 'packages', name))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
  .filter(({ manifest }) => !manifest.private)
  .flatMap(({ folder, manifest }) =>
    Object.entries(manifest.exports)
      .filter(([, entry]) => entry['@bspkit/source'])
      .map(([path, entry]) => ({
        name: join(manifest.name, path),
        // What Node is given and what others are given have the same types.
        file: join(folder, entry['@bspkit/source'].default ?? entry['@bspkit/source']),
      })),
  );

const app = await Application.bootstrap({
  name: 'bspkit',
  entryPoints: entries.map(({ file }) => file),
  tsconfig: join(here, 'tsconfig.api.json'),
  basePath: root,
  displayBasePath: root,
  projectDocuments: GUIDES.map((name) => join(here, `guides/${name}.md`)),
  readme: join(here, 'index.md'),
  out,
  customCss: join(here, 'style.css'),
  favicon: join(here, 'favicon.svg'),
  sourceLinkTemplate: 'https://github.com/bspkit/bspkit/blob/main/{path}#L{line}',
  disableGit: true,
  hostedBaseUrl: SITE,
  navigationLinks: { Playground: `${SITE}playground/`, GitHub: 'https://github.com/bspkit/bspkit' },
  excludeInternal: true,
  excludePrivate: true,
  // `npm run check` has done it.
  skipErrorChecking: true,
  headings: { readme: false },
  includeHierarchySummary: false,
  searchInComments: true,
  searchInDocuments: true,
  validation: { invalidLink: true, invalidPath: false, notExported: false, rewrittenLink: true },
  treatValidationWarningsAsErrors: true,
  // The guides come first.
  sort: ['documents-first', 'source-order'],
  logLevel: 'Warn',
});

// Modules are called as they are imported.
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
    const source = module.sources?.[0]?.fullFileName;
    const entry = entries.find(({ file }) => file === source);
    if (!entry) throw new Error(`a module without an entry: ${module.name}`);
    module.name = entry.name;
  }
});

const project = await app.convert();
if (!project) process.exit(1);
app.validate(project);
await app.generateDocs(project, out);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);

const playground = join(root, 'apps/playground/dist');
if (existsSync(playground)) cpSync(playground, join(out, 'playground'), { recursive: true });
console.log(`the site is in ${relative(process.cwd(), out) || '.'}`);
