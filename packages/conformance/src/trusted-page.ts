import { openBsp } from 'bspkit';
import { createTracePool } from 'bspkit/pool';

// A page whose content security policy requires trusted types for scripts. It is bundled and run in a browser.

/** The page's results. */
export interface TrustedPageReport {
  /** Whether the browser knows trusted types; if not, everything that the page opens succeeds. */
  readonly hasTypes: boolean;
  /** How many segments a pool answers whose worker is given as a trusted address. */
  readonly traced: number;
  /** Name and code of the errors of a pool whose worker is given as text, and of one with its own worker. */
  readonly errors: readonly string[];
}

/** The parts of a browser's scope that are needed here. */
interface Scope {
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(address: string): string },
    ): { createScriptURL(address: string): { toJSON(): string } };
  };
  fetch(url: string): Promise<Response>;
}

export async function report(): Promise<TrustedPageReport> {
  const { trustedTypes, fetch } = globalThis as unknown as Scope;
  const world = await openBsp(await (await fetch('/arena.bsp')).arrayBuffer());
  const policy = trustedTypes?.createPolicy('pool', { createScriptURL: (address) => address });
  const worker = policy?.createScriptURL('/worker.js') ?? '/worker.js';
  const pool = createTracePool({ threads: 2, worker });
  const segments = new Float32Array(600);
  const { count } = await pool.traceBatch({
    world: await pool.open(world),
    tracer: { kind: 'ray' },
    segments,
  });
  await pool.close();
  const errors: string[] = [];
  for (const given of ['/worker.js', undefined]) {
    const refused = createTracePool({ threads: 1, worker: given });
    await refused.open(world).catch(({ name, code }: Error & { code?: string }) => {
      errors.push(`${name} ${code}`);
    });
    await refused.close();
  }
  return { hasTypes: trustedTypes !== undefined, traced: count, errors };
}
