import { defineTracer } from '@bspkit/core';
import type { SceneBodies } from '@bspkit/scene';

/** Adds something of the caller's own to a scene, far around 0 0 0, which is asked about whoever is pushed, and is hit by nobody. */
export function watch(scene: Pick<SceneBodies, 'add'>, isAsked: () => void): void {
  const tracer = defineTracer({
    shape: { kind: 'ray' },
    trace: (_start, end, out) => {
      isAsked();
      out.endPos.set(Array.from(end));
      return out;
    },
  });
  const bounds = { mins: [-500, -500, -500], maxs: [500, 500, 500] };
  scene.add({ bounds, box: () => tracer }, { bounds });
}
