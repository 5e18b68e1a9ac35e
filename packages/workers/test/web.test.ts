import { afterEach, describe, expect, it, vi } from 'vitest';
import { type WebWorker, webPlatform, webPort } from '../src/web/index.ts';

const silent = (): WebWorker => ({
  onmessage: null,
  onmessageerror: null,
  onerror: null,
  postMessage: () => {},
  terminate: () => {},
});

/** What a pool reports if a worker's file does not load: browsers say only that it did not. */
function lost(): string {
  const worker = silent();
  let told = '';
  const note = (cause: unknown): void => {
    told = (cause as Error).message;
  };
  webPlatform(() => worker).start('/worker.js')(() => {}, note);
  const preventDefault = vi.fn();
  worker.onerror!({ preventDefault });
  // Browsers would report it once more, as an error that nobody has caught.
  expect(preventDefault).toHaveBeenCalledOnce();
  return told;
}

const LEFT_OUT = 'if your bundler left it out, see the option `worker` of pools';

describe('workers of browsers', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('that cannot be loaded are reported with all possible reasons', () => {
    expect(lost()).toBe(
      `its file could not be loaded; ${LEFT_OUT}; cross-origin isolated pages need Cross-Origin-Embedder-Policy on it`,
    );
  });

  it('of a pool whose script does not know its address are reported with what to do', () => {
    const cause = new TypeError("Failed to construct 'URL': Invalid URL");
    const start = (create: () => WebWorker, file?: string) => () =>
      webPlatform(create).start(file)(
        () => {},
        () => {},
      );
    const lostItself = () => {
      throw cause;
    };
    expect(start(lostItself)).toThrow(new Error(`${cause.message}; ${LEFT_OUT}`, { cause }));
    expect(start(lostItself, '/worker.js')).toThrow(cause);
    const without = () => {
      throw new ReferenceError('Worker is not defined');
    };
    expect(start(without)).toThrow(/^Worker is not defined$/);
  });

  it('may be created by a function', () => {
    const worker = silent();
    const create = () => expect.fail('it has no file');
    const start = webPlatform(create).start(() => worker);
    start(
      () => {},
      () => {},
    );
    expect(worker.onerror).toBeTypeOf('function');
    const none = webPlatform(create).start(() => ({}) as WebWorker);
    expect(() =>
      none(
        () => {},
        () => {},
      ),
    ).toThrow('what worker() returns must be a Worker');
  });

  it('throw what they could not read, so that their pool hears of it', () => {
    vi.stubGlobal('onmessage', null);
    vi.stubGlobal('onmessageerror', null);
    webPort().listen(() => {});
    const { onmessageerror } = globalThis as unknown as { readonly onmessageerror: () => void };
    expect(onmessageerror).toThrow('it could not read what it was sent');
  });

  it('and what they need can be queried where they do not exist', () => {
    vi.stubGlobal('self', undefined);
    const platform = webPlatform(silent);
    expect([platform.cores > 0, platform.shares]).toEqual([true, false]);
  });
});
