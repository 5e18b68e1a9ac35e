import type { Plugin } from 'vite';

/**
 * What the built page may load and run: its own files, and nothing that is written into it, whatever a link or the name of a
 * file holds. WebAssembly is compiled from the page's own scripts, and its icon is part of the page.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Puts a content security policy into the page. Not while it is developed: then Vite writes styles into it. */
export function policy(): Plugin {
  return {
    name: 'policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY },
        injectTo: 'head-prepend',
      },
    ],
  };
}
