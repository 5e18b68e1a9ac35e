/**
 * Sorts the first `count` bodies of a list by number, or by their keys if there are any. In place, without allocation: Shell's
 * sort, since typed arrays sort whole views only, and a view is an object.
 */
export function sortBodies(bodies: Int32Array, count: number, keys?: Float64Array): void {
  let gap = 1;
  while (gap < count) gap = 3 * gap + 1;
  while (gap > 1) {
    gap = (gap - 1) / 3;
    for (let k = gap; k < count; k++) {
      const body = bodies[k]!;
      let at = k;
      while (at >= gap) {
        const before = bodies[at - gap]!;
        if (keys ? keys[before]! <= keys[body]! : before <= body) break;
        bodies[at] = before;
        at -= gap;
      }
      bodies[at] = body;
    }
  }
}
