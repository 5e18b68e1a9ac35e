import type { BspFormat } from '@bspkit/core/format';
import { withEllipsoids } from '@bspkit/ellipsoid';
import type { OpenMap } from '../../app/open-map.ts';

const formats: WeakMap<BspFormat, BspFormat> = new WeakMap();

/** The format of a map with ellipsoids among its tracers. */
export function formatOf({ format }: Pick<OpenMap, 'format'>): BspFormat {
  let found = formats.get(format);
  if (!found) {
    found = withEllipsoids(format);
    formats.set(format, found);
  }
  return found;
}
