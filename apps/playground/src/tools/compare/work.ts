import type { Work } from '@bspkit/compare';
import { show } from '@bspkit/words';

/** What a query costs on average, of what a tracer works with: those among polygons walk no tree. */
export function workText({ nodes, leafs, brushes, polygons }: Work): string {
  const counts: readonly (readonly [number, string])[] = [
    [nodes, 'nodes'],
    brushes > 0 ? [brushes, 'brushes'] : [leafs, 'leafs'],
    [polygons, 'polygons'],
  ];
  return counts.flatMap(([number, what]) => (number > 0 ? [`${show(number, 1)} ${what}`] : [])).join(', ');
}
