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

/**
 * Two pages of its own that Chromium loads with every window, to drop down from its address bar: a quarter of what opening the
 * playground takes.
 */
const DROP_DOWNS = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** What Playwright switches off by itself, in a list that takes the place of ours or gives way to it. */
const BY_PLAYWRIGHT = [
  ...[
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'PaintHolding',
  ],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying'],
  ...['AimEnabled', 'PreconnectToSearch'],
];

const without = (features: readonly string[]): string => `--disable-features=${features.join()}`;

/** Arguments for a Chromium that Playwright starts. As root, and in containers, it has no sandbox. */
export const CHROMIUM_ARGUMENTS: readonly string[] = [
  '--no-sandbox',
  without([...BY_PLAYWRIGHT, ...DROP_DOWNS]),
];

/** Runs a command with a display that nobody sees. */
const DISPLAY = ['/usr/bin/xvfb-run', '-a'] as const;

/** Those that we know how to start, where Debian has them by default. */
export const BROWSERS: readonly Browser[] = [
  browserAt('Chromium', 'BSPKIT_CHROMIUM', '/usr/bin/chromium', {
    // As root, and in containers, it has no sandbox.
    argumentsFor: (url, folder) => [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', without(DROP_DOWNS)],
      ...[`--user-data-dir=${folder}`, url],
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
  const send = async (found) => {
    const answer = await fetch('${REPORT}', { method: 'POST', body: JSON.stringify(found) });
    location.replace(await answer.text());
  };
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
  /** Milliseconds that it may take; 200,000 by default, within what a test of `test:e2e` may. */
  readonly patience?: number;
}

/** A browser that opens one page after the other, as its start takes longer than most of them. */
export interface OpenBrowser {
  /**
   * What a page reports: the value of the `report()` that its module `page.js` exports, as JSON has it.
   *
   * @param files - the page's, by name; without an `index.html` the page is empty.
   * @throws Error with what went wrong in the page, or if it reports nothing in time: the next one has another browser.
   */
  reportOf(files: ReadonlyMap<string, string | Uint8Array>, options?: PageOptions): Promise<unknown>;
  /** Ends it. */
  close(): Promise<void>;
}

/** What {@link OpenBrowser.reportOf} says of a single page. */
export async function reportOf(
  browser: Browser,
  files: ReadonlyMap<string, string | Uint8Array>,
  options?: PageOptions,
): Promise<unknown> {
  const open = openBrowser(browser);
  try {
    return await open.reportOf(files, options);
  } finally {
    await open.close();
  }
}

/** A browser, which starts with its first page. */
export function openBrowser({ name, command, environment, settings }: Browser): OpenBrowser {
  /** Says that the page that is open will report nothing. */
  let fail: (error: Error) => void = () => {};
  /** Ends the process and all that belongs to it; there is none before the first page. */
  let end = async (): Promise<void> => {};
  /** Sends the page that has reported to another address; undefined if there is no such page. */
  let leave: ((url: string) => void) | undefined;
  let closeServer = (): void => {};

  function start(url: string): void {
    const folder = mkdtempSync(join(tmpdir(), 'bspkit-browser-'));
    for (const [file, text] of Object.entries(settings)) writeFileSync(join(folder, file), text);
    const [file = '', ...parts] = command(url, folder);
    // In a group of its own, so that all of its processes can be ended.
    const child = spawn(file, parts, {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, ...environment, TMPDIR: folder },
    });
    child.once('error', (error) => fail(error));
    child.once('close', (code) => {
      leave = undefined;
      fail(new Error(`${name} ended with ${code} before the page reported`));
    });
    end = async () => {
      child.removeAllListeners('close');
      await endGroup(child.pid);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    };
  }

  async function close(): Promise<void> {
    leave = undefined;
    const ends = end();
    end = async () => {};
    await ends;
    closeServer();
    closeServer = () => {};
  }

  return {
    close,
    async reportOf(files, { headers = {}, patience = 200_000 } = {}) {
      let resolve: (report: unknown) => void = () => {};
      let reject: (error: Error) => void = () => {};
      const report = new Promise<unknown>((...ways) => {
        [resolve, reject] = ways;
      });
      const page = String(files.get(INDEX) ?? EMPTY).replace('<head>', (head) => head + SCRIPT);
      // A port of its own for each page: what one has been told to keep is not for the next.
      const server = createServer((request, response) => {
        const { url = '', method } = request;
        if (method === 'POST' && url === REPORT) {
          const parts: Buffer[] = [];
          request.on('data', (part: Buffer) => parts.push(part));
          request.on('end', () => {
            const found = JSON.parse(Buffer.concat(parts).toString()) as { report?: unknown; error?: string };
            // What a page says after it was left is of no interest.
            if (fail === reject) leave ??= (next) => response.writeHead(200, headers).end(next);
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
      const late = setTimeout(
        () => reject(new Error(`${name} reported nothing in ${patience} milliseconds`)),
        patience,
      );
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const closeLast = closeServer;
      closeServer = () => {
        server.closeAllConnections();
        server.close();
      };
      fail = reject;
      const go = leave;
      leave = undefined;
      if (go) go(url);
      else {
        await end();
        start(url);
      }
      try {
        const found = await report;
        closeLast();
        return found;
      } catch (error) {
        closeLast();
        await close();
        throw error;
      } finally {
        clearTimeout(late);
      }
    },
  };
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
async function endGroup(group: number | undefined): Promise<void> {
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
