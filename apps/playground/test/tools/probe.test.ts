import type { Group } from 'three';
import { expect, it } from 'vitest';
import type { OpenMap } from '../../src/app/open-map.ts';
import { Probe } from '../../src/tools/query/probe.ts';
import { type Query, readQuery } from '../../src/tools/query/query.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { openFixture } from './maps.ts';

/** A move as it is drawn: the lines of each part, in the scene, by the parts' order. */
function drawn(map: OpenMap, text: string): { readonly probe: Probe; lines(part: number): number[] } {
  let group: Group | undefined;
  const context = {
    map,
    scene: { add: (object: Group) => (group = object), remove: () => {} },
    colors: { hit: '#f00', ray: '#fff', miss: '#888' },
    requestRender: () => {},
  } as unknown as ToolContext;
  const probe = new Probe(context, readQuery(text, map.format) as Query);
  return {
    probe,
    lines(part) {
      const { position, children } = group!.children[part]!;
      const { geometry } = children[0] as unknown as {
        geometry: { instanceCount: number; attributes: { instanceStart: { data: { array: Float32Array } } } };
      };
      const numbers = geometry.attributes.instanceStart.data.array.subarray(0, 6 * geometry.instanceCount);
      return Array.from(numbers, (x, k) => x + position.getComponent(k % 3));
    },
  };
}

const [START, NORMAL] = [2, 5];

it("an ellipsoid of the player's size is drawn where the player's box is", async () => {
  const map = await openFixture('arena', 'quake3');
  for (const [shape, low, high] of [
    ['ellipsoid', -24, 32],
    ['ellipsoid:16,16,28', -28, 28],
  ] as const) {
    const { lines } = drawn(map, `${shape};0,-200,100;0,-200,50`);
    const heights = lines(START).filter((_, k) => k % 3 === 2);
    expect([Math.min(...heights), Math.max(...heights)].map(Math.round)).toEqual([100 + low, 100 + high]);
  }
});

it('the normal is drawn from where the shape touches', async () => {
  const map = await openFixture('arena', 'quake3');
  // Onto the floor, of height 0.
  for (const shape of [
    ...['ellipsoid', 'ellipsoid:16,16,28', 'ellipsoid:16,16,28;tutorial=true'],
    ...['sphere:16', 'box:-15,-15,-24,15,15,32'],
  ]) {
    const { probe, lines } = drawn(map, `${shape};0,-200,100;0,-200,-50`);
    expect(probe.trace.fraction).toBeLessThan(1);
    const [x, y, z, toX, toY, toZ] = lines(NORMAL) as [number, number, number, number, number, number];
    expect([x, y, Math.round(z)]).toEqual([0, -200, 0]);
    expect([toX, toY, Math.round(toZ)]).toEqual([0, -200, 24]);
  }
});
