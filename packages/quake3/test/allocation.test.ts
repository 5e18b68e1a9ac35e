import { readEngineMap } from '@bspkit/fixtures/engine';
import { expectNoBytes } from '@bspkit/testkit/allocation';
import { expect, it } from 'vitest';
import * as source from '../src/index.ts';
import { testAllocation } from './allocation.ts';

testAllocation(source);

it('nothing is allocated by asking how light it is', () => {
  const file = source.readQuake3(readEngineMap('quake3/arena.bsp'));
  const { mins, maxs } = file.models[0]!;
  const counts = [64, 64, 128].map((size, k) => Math.floor(maxs[k]! / size) - Math.ceil(mins[k]! / size) + 1);
  const lightGrid = new Uint8Array(8 * counts[0]! * counts[1]! * counts[2]!).map((_, k) => k * 7);
  const sampler = source.createLightSampler({ ...file, lightGrid });
  const sample = sampler.createSample();
  const points = Array.from({ length: 256 }, (_, k) =>
    Float32Array.of(450.5 * Math.sin(k), 450.5 * Math.cos(3 * k), 100 + 90.5 * Math.sin(7 * k)),
  );
  expectNoBytes((call) => {
    sampler.at(points[call & 255]!, sample);
  });
  expect(sample.ambient[0]).toBeGreaterThan(0);
});
