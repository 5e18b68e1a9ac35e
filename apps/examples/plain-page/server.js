import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Any file server will do. This one finds packages where Node does: in this repository they are higher up.
/** @type {Record<string, string>} */
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.bsp': 'application/octet-stream' };
const folder = dirname(fileURLToPath(import.meta.url));

/** @param {string} path */
function fileOf(path) {
  const [, name, rest] = /^\/node_modules\/(@[^/]+\/[^/]+)\/(.+)$/.exec(path) ?? [];
  if (name && rest) return join(dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`))), rest);
  return join(folder, path === '/' ? 'index.html' : path);
}

export const server = createServer(({ url }, response) => {
  try {
    const { pathname } = new URL(url ?? '/', 'http://localhost'); // has no .. any more; throws for //
    const file = fileOf(pathname);
    const bytes = readFileSync(file); // throws for folders, too
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
