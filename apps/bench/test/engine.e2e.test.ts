import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare } from '@bspkit/compare';
import { missingAt } from '@bspkit/testkit/browsers';
import { missingGcc } from '@bspkit/testkit/gcc';
import { FORMATS } from 'bspkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CLOCKS } from '../src/clock.ts';
import { openMap } from '../src/maps.ts';
import { createEnginePeer, engineOf } from '../src/peers/engine.ts';
import { queriesFor } from '../src/queries/for-map.ts';
import { measuredShapes, playerTracer, presetTracer } from '../src/shapes.ts';
import { buildWorld } from '../src/world.ts';

describe("the engines' own servers", () => {
  // For temporary files of this test alone: another run on this machine has some of the same names.
  let own: string;
  const usual = process.env.TMPDIR;
  beforeAll(() => {
    own = mkdtempSync(join(tmpdir(), 'bspkit bench '));
    // Servers may run as nobody.
    chmodSync(own, 0o755);
    process.env.TMPDIR = own;
  });
  afterAll(() => {
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
    rmSync(own, { recursive: true });
  });

  for (const { id } of FORMATS) {
    const engine = engineOf(id);
    if (!engine) continue;
    const missing = missingAt(engine.path, 'BSPKIT_ENGINES') || missingGcc;
    const skipped = missing && ` (skipped: ${missing})`;
    it.skipIf(missing)(`load our map and trace as we do, in time that counts: ${id}${skipped}`, async () => {
      const map = await openMap(`${id}/arena`);
      const { format } = map;
      const world = buildWorld(map);
      const awake = process.getActiveResourcesInfo();
      const peer = (await createEnginePeer(map, 'cpu'))!;
      // What fails before it is freed ends all the same.
      const stillAwake = process.getActiveResourcesInfo();
      const servers = (all: string[]): number => all.filter((name) => name === 'ProcessWrap').length;
      expect(servers(stillAwake)).toBe(servers(awake));
      // If the benchmark is killed now, nothing is left to remove.
      expect(readdirSync(own)).toEqual([]);
      try {
        const player = playerTracer(format, world);
        const queries = queriesFor(world, player, { motion: 'long', count: 400, seed: 5 });
        const offered = measuredShapes(format, world).flatMap((shape) => {
          const way = peer.prepare(shape);
          return way ? [{ ...shape, ...way }] : [];
        });
        expect(offered.map(({ shape }) => shape.kind)).toEqual(expect.arrayContaining(['ray', 'box']));
        // What it does not offer is not offered on a second request either.
        const sphere = { preset: offered[0]!.preset, shape: { kind: 'sphere', radius: 8 } } as const;
        expect([peer.prepare(sphere), peer.prepare(sphere)]).toEqual([undefined, undefined]);
        for (const { preset, tracer, run } of offered) {
          const own = { name: 'own', tracer: presetTracer(format, world, preset) };
          // Distributions compile engines with arithmetic that may differ in the last bit.
          const options = { rounds: 0, tolerance: 1e-4, distance: 0.01, sides: 'any' } as const;
          const report = compare([own, { name: 'engine', tracer }], queries, options);
          expect(report.tracers[0]!.hits, preset.name).toBeGreaterThan(100);
          expect(report.tracers[1]!.agreement.share, preset.name).toBeGreaterThan(0.995);
          const began = CLOCKS.cpu();
          let took = 0;
          for (let k = 0; k < 20; k++) took += run!(queries, 100, 400);
          // Milliseconds: an engine does not trace 6,000 moves in a tenth of one.
          expect(took).toBeGreaterThan(0.1);
          expect(CLOCKS.cpu() - began).toBeGreaterThan(0.999 * took);
        }
      } finally {
        peer.free();
      }
    });
  }

  const installed = FORMATS.map(({ id }) => engineOf(id)).find((engine) => engine && existsSync(engine.path));
  const lacking = missingGcc || (installed ? '' : 'there is no engine');

  it.skipIf(lacking)(
    `are charged what they take in their own process by wall-clock time too${lacking && ` (skipped: ${lacking})`}`,
    async () => {
      const { id } = FORMATS.find((format) => engineOf(format.id)?.path === installed!.path)!;
      const map = await openMap(`${id}/arena`);
      const peer = (await createEnginePeer(map, 'wall'))!;
      // From here on, this process takes no time.
      const now = vi.spyOn(performance, 'now').mockReturnValue(0);
      try {
        const ray = measuredShapes(map.format, buildWorld(map)).find(({ shape }) => shape.kind === 'ray')!;
        const { run } = peer.prepare(ray)!;
        const queries = Float32Array.from({ length: 6 * 500 }, (_, at) => [0, -200, 50, 900, 0, 50][at % 6]!);
        const began = CLOCKS.wall();
        const took = run!(queries, 0, 500);
        expect(CLOCKS.wall() - began).toBeCloseTo(took, 6);
        expect(took).not.toBe(0);
      } finally {
        now.mockRestore();
        peer.free();
      }
    },
  );

  it('are named if they are not installed', async () => {
    const folder = process.env.BSPKIT_ENGINES;
    process.env.BSPKIT_ENGINES = '/nowhere';
    try {
      const map = await openMap('quake3/arena');
      await expect(createEnginePeer(map, 'cpu')).rejects.toThrow(
        /^there is no \/nowhere\/.*; Debian has it in \S+$/,
      );
      await expect(createEnginePeer(await openMap('quake1/arena'), 'cpu')).resolves.toBeUndefined();
    } finally {
      if (folder === undefined) delete process.env.BSPKIT_ENGINES;
      else process.env.BSPKIT_ENGINES = folder;
    }
  });
});
