import { createHash } from 'node:crypto';
import { createScene, type SceneTrace } from '@bspkit/scene';
import { createUfoaiWorld, readUfoai } from '@bspkit/ufoai';
import { describe, expect, it } from 'vitest';
import { crowdedMap, rounds } from './ufoai-scenes.ts';

const bits = (value: number): number => new Int32Array(Float32Array.of(value).buffer)[0]!;

const place = ({ allSolid, startSolid, entity }: SceneTrace): number[] => [
  Number(allSolid),
  Number(startSolid),
  entity,
];

const whole = (trace: SceneTrace): number[] => [
  bits(trace.fraction),
  ...[...trace.endPos].map(bits),
  ...[...trace.normal].map(bits),
  trace.contents,
  ...place(trace),
];

describe("rules 'ufoai'", () => {
  const file = readUfoai(crowdedMap());

  // Of the answers of the game's server (2.5). Among turned models, last bits depend on how it was compiled: there, what was hit.
  it.each([
    ['stand straight', false, whole, '2b5f290f8c933fa4894d05903f567a93d757db47810ed5350cb4c466597c9ee2'],
    ['are turned', true, place, '065f57c45ef3cc8f4d4a0ef1e142448278976acfb07a657089260614b3ce4e0c'],
  ] as const)(
    "answer as the game's server does: 900 moves among models that %s",
    (_, turned, read, sha256) => {
      for (const kernel of ['js', 'wasm'] as const) {
        const world = createUfoaiWorld(file, { kernel });
        const answers: number[] = [];
        for (const { linked, moves } of rounds(turned)) {
          const scene = createScene(world, { rules: 'ufoai' });
          for (const { number, origin, angles } of linked) {
            scene.add(world.model(number), { number, origin, angles });
          }
          // Links them again, in the same order.
          for (const { number, owner } of linked) scene.move(number, { owner });
          const tracer = scene.box([0, 0, 0], [0, 0, 0], { mask: 1, compat: 'engine' });
          for (const { start, end, mins, maxs, ignore } of moves) {
            tracer.set({ mins, maxs, ignore });
            answers.push(...read(tracer.trace(start, end)));
          }
        }
        expect(createHash('sha256').update(Int32Array.from(answers)).digest('hex')).toBe(sha256);
      }
    },
  );
});
