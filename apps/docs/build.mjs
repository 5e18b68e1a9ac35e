// Builds the site into dist/: the guides and the API of every published package by TypeDoc, the playground inside it.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Converter, DefaultTheme, MinimalSourceFile, ReflectionKind, Renderer } from 'typedoc';
import { finished, notFound, REPOSITORY, SITE } from './pages.mjs';

// Paths as in addresses and in TypeDoc, whatever the system.
const { dirname, join, relative } = posix;
const here = dirname(fileURLToPath(import.meta.url).replaceAll(sep, '/'));
const root = join(here, '../..');
const out = join(here, 'dist');

/** Where READMEs get their pictures from, for npm. */
const RAW = 'https://raw.githubusercontent.com/bspkit/bspkit';
/** The README of the command line, which is a guide here. */
const COMMAND = join(root, 'apps/cli/README.md');

/** Whether a module is for those who write formats: its names are found after all others. */
const isForFormats = ({ name }) => /\/(format|detect|rows)$/.test(name);

/** What people look for most comes first; what a module has from another one comes last. */
const KINDS = ['Module', 'Function', 'Class', 'Interface', 'TypeAlias', 'Variable', 'Reference'];

/** By groups, in the order of the navigation. */
const GUIDES = {
  'First steps': ['getting-started', 'concepts', 'choosing', 'recipes/index'],
  'As in the games': ['things', 'pushers', 'engine-rules', 'half-life', 'ufoai'],
  'Look it up': ['troubleshooting', 'faq', 'glossary', COMMAND, 'command', 'batch'],
  'Read on': [
    'coming-from',
    'pools',
    'scaling',
    'own-kind',
    'bake-file',
    'kernels',
    'compiled-maps',
    'bit-equality',
    'documents',
    'adding-a-format',
    'licence',
  ],
};

/** The published packages. */
const packages = readdirSync(join(root, 'packages'))
  .map((name) => join(root, 'packages', name))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
  .filter(({ manifest }) => !manifest.private);

/** How many packages lie below one, each on top of the next. */
function height(name) {
  const { dependencies = {} } = packages.find(({ manifest }) => manifest.name === name)?.manifest ?? {};
  return Math.max(0, ...Object.keys(dependencies).map((below) => 1 + height(below)));
}

/**
 * Entries of the published packages that are meant for users: their name and their source. What several of them export has its
 * page with the first, so those come first on which others stand.
 */
const entries = packages
  .sort((a, b) => height(a.manifest.name) - height(b.manifest.name))
  .flatMap(({ folder, manifest }) =>
    Object.entries(manifest.exports)
      .filter(([, entry]) => entry['@bspkit/source'])
      .map(([path, entry]) => ({
        name: join(manifest.name, path),
        isMain: path === '.',
        folder,
        // Node and others get the same types.
        file: join(folder, entry['@bspkit/source'].default ?? entry['@bspkit/source']),
      })),
  );

/** The theme of TypeDoc, but for the list of pages: guides by groups, and with each package what else can be imported from it. */
class Theme extends DefaultTheme {
  // The highlighter gives up on a line after half a second, which the very first may take: none that is seen is the first.
  async preRender(event) {
    await super.preRender(event);
    const samples = event.project.readme.map(({ text }) => text).join('');
    for (const [, language, code] of samples.matchAll(/^```(\w+)\n(.*?)^```/gms)) {
      for (let k = 0; k < 3; k++) this.markedPlugin.getHighlighted(code, language);
    }
  }

  buildNavigation(project) {
    const pages = super.buildNavigation(project);
    const guides = pages.slice(0, project.documents.length);
    const modules = pages.slice(guides.length);
    // What is below the name of a group needs no sign that says the same.
    const plain = ({ kind: _, ...page }) => page;
    const groups = Object.entries(GUIDES).flatMap(([name, list]) => [
      { text: name },
      ...guides.splice(0, list.length).map((guide) => ({
        ...plain(guide),
        ...(guide.children && { children: guide.children.map(plain) }),
      })),
    ]);
    const isPart = ({ text }) => entries.some(({ name, isMain }) => name === text && !isMain);
    const packages = modules.filter((module) => !isPart(module)).map(plain);
    for (const page of packages) {
      const parts = modules.filter((module) => isPart(module) && module.text.startsWith(`${page.text}/`));
      page.children = [...parts, ...(page.children ?? [])];
    }
    return [...groups, { text: 'Packages' }, ...packages];
  }
}

const app = await Application.bootstrap({
  name: 'bspkit',
  theme: 'bspkit',
  entryPoints: entries.map(({ file }) => file),
  tsconfig: join(here, 'tsconfig.api.json'),
  basePath: root,
  displayBasePath: root,
  projectDocuments: Object.values(GUIDES)
    .flat()
    .map((name) => (name === COMMAND ? name : join(here, `guides/${name}.md`))),
  readme: join(here, 'index.md'),
  out,
  customCss: join(here, 'style.css'),
  customJs: join(here, 'page.js'),
  favicon: join(here, 'favicon.svg'),
  sourceLinkTemplate: `${REPOSITORY}/blob/main/{path}#L{line}`,
  disableGit: true,
  hostedBaseUrl: SITE,
  // All packages are seen at once, instead of a folder named @bspkit that is closed at first.
  navigation: { includeFolders: false },
  navigationLinks: { Playground: `${SITE}playground/`, GitHub: REPOSITORY },
  excludeInternal: true,
  excludePrivate: true,
  // `npm run check` has done that.
  skipErrorChecking: true,
  headings: { readme: false },
  includeHierarchySummary: false,
  searchInComments: true,
  searchInDocuments: true,
  validation: { invalidLink: true, invalidPath: false, notExported: false, rewrittenLink: true },
  treatValidationWarningsAsErrors: true,
  // The guides come first.
  sort: ['documents-first', 'source-order'],
  groupOrder: [
    ...['Documents', 'Modules', 'Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables'],
    ...['Constructors', 'Properties', 'Accessors', 'Methods', '*'],
  ],
  // What a module has from another one is found there.
  searchGroupBoosts: {
    Documents: 16,
    Functions: 2,
    Classes: 2,
    Methods: 0.2,
    Properties: 0.2,
    References: 0,
  },
  logLevel: 'Warn',
});

app.renderer.defineTheme('bspkit', Theme);

/** The pages of the guides, by their paths in the repository. */
const guidePages = new Map();
app.renderer.on(Renderer.EVENT_BEGIN, ({ project }) => {
  for (const guide of project.getReflectionsByKind(ReflectionKind.Document)) {
    const path = relative(root, project.files.getReflectionPath(guide));
    guidePages.set(path, app.renderer.router.getFullUrl(guide));
  }
});

// Modules are named as they are imported, and begin with the README of their package.
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
    const source = module.sources?.[0]?.fullFileName;
    const entry = entries.find(({ file }) => file === source);
    if (!entry) throw new Error(`a module without an entry: ${module.name}`);
    module.name = entry.name;
    const { isMain } = entry;
    const path = join(entry.folder, 'README.md');
    if (isMain) project.files.registerReflectionPath(path, module);
    const text = isMain
      ? readFileSync(path, 'utf8')
          .replace(/^# .*\n/, '')
          .replaceAll(`${RAW}/main/`, `${relative(entry.folder, root)}/`)
      : `Part of [\`${entry.name.replace(/\/[^/]*$/, '')}\`](README.md), whose page explains it.`;
    module.readme = app.converter.parseRawComment(new MinimalSourceFile(text, path), project.files).content;
  }
  for (const document of project.documents)
    if (document.name.endsWith('README')) document.name = 'Command line';
});

// Everything that a module exports can be found by its name; members of a class stay as they are written.
app.converter.on(
  Converter.EVENT_RESOLVE_END,
  ({ project }) => {
    const rank = ({ kind }) => KINDS.findIndex((name) => ReflectionKind[name] === kind);
    const byName = (a, b) => rank(a) - rank(b) || (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1);
    for (const parent of [project, ...project.getChildrenByKind(ReflectionKind.Module)]) {
      parent.children?.sort(byName);
      for (const { title, children } of parent.groups ?? []) if (title !== 'Documents') children.sort(byName);
      parent.childrenIncludingDocuments = [...(parent.documents ?? []), ...(parent.children ?? [])];
    }
    for (const module of project.getChildrenByKind(ReflectionKind.Module).filter(isForFormats)) {
      for (const member of module.children) member.relevanceBoost = 0.05;
    }
  },
  -10_000,
);

const project = await app.convert();
if (!project) process.exit(1);
app.validate(project);
await app.generateDocs(project, out);
writeFileSync(
  join(out, 'assets/custom.css'),
  `${tokens()}\n${readFileSync(join(here, 'style.css'), 'utf8')}`,
);
for (const name of readdirSync(join(here, 'guides'), { recursive: true })) {
  const path = relative(root, join(here, 'guides', name.replaceAll(sep, '/')));
  if (path.endsWith('.md') && !guidePages.has(path))
    app.logger.error(`${path} is in no group of GUIDES, nor below a guide`);
}
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);

const pages = readdirSync(out, { recursive: true })
  .filter((name) => name.endsWith('.html') && !name.startsWith('playground'))
  .map((name) => join(out, name.replaceAll(sep, '/')));
const links = {
  /** The page of the site for a folder or file of the repository; undefined where there is none. */
  pageOf(path) {
    if (guidePages.has(path)) return guidePages.get(path);
    if (path === 'apps/cli') return 'documents/Command_line.html';
    const module = entries.find(({ folder }) => relative(root, folder) === path)?.name;
    return module && `modules/${module.replace(/[^\w-]/g, '_')}.html`;
  },
};
for (const page of pages) {
  const to = (name) => relative(dirname(page), join(out, name));
  writeFileSync(page, finished(readFileSync(page, 'utf8'), { ...links, to }));
}
writeFileSync(join(out, 'licences.txt'), licences());
writeFileSync(join(out, '404.html'), notFound(readFileSync(join(out, 'index.html'), 'utf8')));

/** The colours of the playground, light and dark, and what else its page and this site have in common. */
function tokens() {
  const css = readFileSync(join(root, 'apps/playground/src/style/page.css'), 'utf8');
  const tokensOf = (start) => {
    const from = css.indexOf(start) + start.length;
    return [...css.slice(from, css.indexOf('}', from)).matchAll(/^ {2}--([\w-]+): (.*);$/gm)];
  };
  const themes = { dark: tokensOf(':root {'), light: tokensOf(':root[data-theme="light"] {') };
  const rules = Object.entries(themes).flatMap(([theme, list]) =>
    list.map(([, name, value]) => `--${theme}-${name}: ${value};`),
  );
  const { mono } = Object.fromEntries(themes.dark.map(([, name, value]) => [name, value]));
  return `:root { ${rules.join(' ')} --mono: ${mono}; }`;
}

/** What of others is in the site, beside the playground, with the licences that ask to be in each copy. */
function licences() {
  const texts = ['typedoc', 'lunr'].map((name) => {
    const folder = import.meta.resolve(`${name}/package.json`).replace(/package\.json$/, '');
    return `${name}\n\n${readFileSync(fileURLToPath(`${folder}LICENSE`), 'utf8').trim()}\n`;
  });
  return `The site contains scripts and styles of these packages, which are not bspkit's:\n\n${texts.join('\n\n')}`;
}

const playground = join(root, 'apps/playground/dist');
if (existsSync(playground)) cpSync(playground, join(out, 'playground'), { recursive: true });
console.log(`the site is in ${relative('', out) || '.'}`);
