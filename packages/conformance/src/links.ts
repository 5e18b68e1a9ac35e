import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './sources.ts';

// Where links in Markdown lead: files of this repository, and headings in them.

const REPOSITORY = /^https:\/\/github\.com\/bspkit\/bspkit\/(?:tree|blob)\/main\/?/;
const RAW = /^https:\/\/raw\.githubusercontent\.com\/bspkit\/bspkit\/main\//;

/** A text without its blocks of code. */
const proseOf = (text: string): string => text.replace(/^```.*?^```$/gms, '');

/** Targets of a text's links and pictures, both inline and in the labels at its end. */
export function linksOf(text: string): string[] {
  const prose = proseOf(text).replace(/`[^`\n]*`/g, '``');
  const found = [/\]\(([^)\s]+)[^)]*\)/g, /^\[[^\]]+\]:\s*(\S+)/gm, /(?:src|srcset|href)="([^"]+)"/g];
  return found.flatMap((link) => [...prose.matchAll(link)].map(([, target]) => target!));
}

/** The anchors of a text's headings, as GitHub makes them, and of what has an id. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const prose = proseOf(text);
  const anchors = new Set([...prose.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!));
  for (const [, heading] of prose.matchAll(/^#{1,6} +(.+)$/gm)) {
    const words = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const name = words.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    let anchor = name;
    for (let k = 1; anchors.has(anchor); k++) anchor = `${name}-${k}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Links of a file, by its path from the root, that lead to a file or a heading of this repository that is not there. */
export function brokenLinks(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return linksOf(text).filter((link) => {
    const [target = '', anchor] = link.split('#');
    const isOurs = REPOSITORY.test(target) || RAW.test(target);
    if (/^[a-z]+:/.test(target) && !isOurs) return false;
    const from = isOurs ? target.replace(REPOSITORY, '').replace(RAW, '') : join(dirname(path), target);
    const to = target === '' ? path : from;
    if (!existsSync(join(ROOT, to))) return true;
    const page = statSync(join(ROOT, to)).isDirectory() ? join(to, 'README.md') : to;
    if (anchor === undefined || anchor === 'readme' || !page.endsWith('.md')) return false;
    return !anchorsOf(readFileSync(join(ROOT, page), 'utf8')).has(anchor);
  });
}

/**
 * What a file says to run or to look at, and is not there: files, by their paths from the root or from the file, scripts of
 * `npm run`, in the root or in the file's own package, and parts of the paths of tests.
 */
export function brokenNames(path: string, tests: readonly string[]): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const folder = dirname(path);
  const isThere = (name: string): boolean =>
    // These stand for any.
    /\b(?:NAME|GAME|MAP|KIND)\b/.test(name) ||
    [ROOT, join(ROOT, folder)].some((from) => existsSync(join(from, name)));
  const names = [...text.matchAll(/`((?:packages|apps|scripts|\.github|\.changeset)\/[\w./-]+)`/g)];
  const scripts = new Set(['', folder].flatMap(scriptsIn));
  const runs = [...text.matchAll(/\bnpm run ([\w:-]+)/g)];
  const parts = [...text.matchAll(/\bnpm (?:test|run test:\w+) -- (?!-)([\w./-]+)/g)];
  return [
    ...names.filter(([, name]) => !isThere(name!)).map(([, name]) => name!),
    ...runs.filter(([, name]) => !scripts.has(name!)).map(([run]) => run),
    ...parts.filter(([, part]) => !tests.some((test) => test.includes(part!))).map(([run]) => run),
  ];
}

/** Names of the scripts in a folder's package.json; none if it has none. */
function scriptsIn(folder: string): string[] {
  const file = join(ROOT, folder, 'package.json');
  if (!existsSync(file)) return [];
  const { scripts = {} } = JSON.parse(readFileSync(file, 'utf8')) as { readonly scripts?: object };
  return Object.keys(scripts);
}
