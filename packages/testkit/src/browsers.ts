import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// Browsers as users have them, each started with the address of a page that sends back what it found.

/** A browser that can be started from here. */
export interface Browser {
  readonly name: string;
  /** Why it cannot; empty where it can. */
  readonly missing: string;
  /** Command and arguments that open a page, with a folder for what the browser writes. */
  command(url: string, folder: string): readonly string[];
  /** What it needs in its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it needs in that folder: texts by file name. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Why there is nothing at a path, which an environment variable may name: what is named must be there. */
export function missingAt(path: string, variable: string): string {
  if (process.env[variable] !== undefined || existsSync(path)) return '';
  return `nothing at ${path}, see ${variable}`;
}

/** A browser in a file, with the arguments that it takes. */
function browserAt(
  name: string,
  variable: string,
  usual: string,
  rest: Partial<Pick<Browser, 'environment' | 'settings'>> & {
    argumentsFor(url: string, folder: string): readonly string[];
    /** Runs it, if anything does. */
    readonly through?: readonly [command: string, ...parts: string[]];
  },
): Browser {
  const path = process.env[variable] ?? usual;
  const { through = [], environment = {}, settings = {} } = rest;
  const needed = through[0];
  const lacking = needed !== undefined && !existsSync(needed) ? `nothing at ${needed}` : '';
  return {
    name,
    missing: missingAt(path, variable) || lacking,
    command: (url, folder) => [...through, path, ...rest.argumentsFor(url, folder)],
    environment,
    settings,
  };
}

/** WebKit's own browser, which Debian and its kin keep in a folder named after the processor. */
function miniBrowser(): string {
  const libraries = '/usr/lib';
  const [found] = (existsSync(libraries) ? readdirSync(libraries) : [])
    .map((folder) => join(libraries, folder, 'webkit2gtk-4.1/MiniBrowser'))
    .filter((path) => existsSync(path));
  return found ?? '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
}

/** What a test says when it skips for want of a browser; empty when it is there. */
export const skippedWithout = ({ missing }: Browser): string => missing && ` (skipped: ${missing})`;

/**
 * What Firefox is told. Without a graphics card it draws only when it has to, and there is a display. The rest is about what it
 * does besides with a new profile, which is a third of its start: a page that welcomes, add-ons of the system, news from its
 * maker, processes for pages to come.
 */
const FIREFOX_SETTINGS = {
  'webgl.force-enabled': true,
  'app.normandy.enabled': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.ipc.processPrelaunch.enabled': false,
  'extensions.enabledScopes': 0,
  'services.settings.server': 'data:,',
};

/** Runs a command with a display that nobody sees. */
const DISPLAY = ['/usr/bin/xvfb-run', '-a'] as const;

/** Those that we know how to start, where Debian has them by default. */
export const BROWSERS: readonly Browser[] = [
  browserAt('Chromium', 'BSPKIT_CHROMIUM', '/usr/bin/chromium', {
    // As root, and in containers, it has no sandbox.
    argumentsFor: (url, folder) => [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', `--user-data-dir=${folder}`, url],
    ],
  }),
  browserAt('Firefox', 'BSPKIT_FIREFOX', '/usr/bin/firefox-esr', {
    argumentsFor: (url, folder) => ['--headless', '--no-remote', '--profile', folder, url],
    through: DISPLAY,
    settings: {
      'user.js': Object.entries(FIREFOX_SETTINGS)
        .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
        .join(''),
    },
  }),
  browserAt('WebKit', 'BSPKIT_WEBKIT', miniBrowser(), {
    argumentsFor: (url) => [url],
    through: DISPLAY,
    environment: {
      // Like Safari; left alone, it has none even in pages that are isolated.
      JSC_useSharedArrayBuffer: '1',
      // Without a language it fails to write any number.
      LC_ALL: 'en_US.UTF-8',
    },
  }),
];

/** Headers of a page whose memory can be shared. */
export const ISOLATED: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Where the page sends what it found. */
const REPORT = '/report';

const INDEX = 'index.html';
const EMPTY = '<!doctype html><head></head>';

// Runs before anything of the page. Whatever that complains about is an error: nobody sees its console.
const SCRIPT = `<script>
{
  const send = (found) => fetch('${REPORT}', { method: 'POST', body: JSON.stringify(found) });
  const fail = (error) => send({ error: [String(error), error?.stack].join('\\n') });
  addEventListener('error', ({ error, message }) => fail(error ?? message));
  addEventListener('unhandledrejection', ({ reason }) => fail(reason));
  for (const level of ['debug', 'log', 'info', 'warn', 'error']) {
    console[level] = (...texts) => fail(texts.join(' '));
  }
  import('/page.js').then(({ report }) => report()).then((report) => send({ report }), fail);
}
</script>`;

/** How a page is opened. */
export interface PageOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds that it may take; 50,000 by default. */
  readonly patience?: number;
}

/**
 * What a page reports in a browser: the value of the `report()` that its module `page.js` exports, as JSON has it.
 *
 * @param files - the page's, by name; without an `index.html` the page is empty.
 * @throws Error with what went wrong in the page, or if it reports nothing in time.
 */
export async function reportOf(
  { name, command, environment, settings }: Browser,
  files: ReadonlyMap<string, string | Uint8Array>,
  { headers = {}, patience = 50_000 }: PageOptions = {},
): Promise<unknown> {
  let resolve: (report: unknown) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const report = new Promise<unknown>((...ways) => {
    [resolve, reject] = ways;
  });
  const page = String(files.get(INDEX) ?? EMPTY).replace('<head>', (head) => head + SCRIPT);
  const server = createServer((request, response) => {
    const { url = '', method } = request;
    if (method === 'POST' && url === REPORT) {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        response.writeHead(204, headers).end();
        const found = JSON.parse(Buffer.concat(parts).toString()) as { report?: unknown; error?: string };
        if (found.error === undefined) resolve(found.report);
        else reject(new Error(`${name}: ${found.error}`));
      });
      return;
    }
    const path = url === '/' ? INDEX : url.slice(1);
    const file = path === INDEX ? page : files.get(path);
    if (file === undefined) return void response.writeHead(404, headers).end();
    response.writeHead(200, { ...headers, 'Content-Type': TYPES[extname(path)] ?? '' }).end(file);
  });
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-browser-'));
  for (const [file, text] of Object.entries(settings)) writeFileSync(join(folder, file), text);
  const [file = '', ...parts] = command(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    folder,
  );
  // In a group of its own, so that all of its processes can be ended.
  const child = spawn(file, parts, {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...environment, TMPDIR: folder },
  });
  child.once('error', reject);
  child.once('close', (code) => reject(new Error(`${name} ended with ${code} before the page reported`)));
  const late = setTimeout(
    () => reject(new Error(`${name} reported nothing in ${patience} milliseconds`)),
    patience,
  );
  try {
    return await report;
  } finally {
    clearTimeout(late);
    await end(child.pid);
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Whether a process of a group is there. One that has ended is, where the machine's first process reaps none, for ever. */
function isThere(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  if (!existsSync('/proc/self/stat')) return true;
  return readdirSync('/proc').some((entry) => {
    if (!/^\d/.test(entry)) return false;
    try {
      // After its name, which is in brackets: its state, its parent, its group.
      const [state, , its] = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      return Number(its) === group && state !== 'Z';
    } catch {
      return false;
    }
  });
}

/** Ends a group of processes: asks them to, and if they are still there after three seconds, no longer asks. */
async function end(group: number | undefined): Promise<void> {
  if (group === undefined) return;
  for (const sign of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(-group, sign);
    } catch {
      return;
    }
    for (let waited = 0; waited < 3000; waited += 50) {
      if (!isThere(group)) return;
      await sleep(50);
    }
  }
}
