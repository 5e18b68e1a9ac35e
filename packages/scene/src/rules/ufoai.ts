import type { Trace } from '@bspkit/core';
import { setRotation } from '@bspkit/core/format';
import type { Bodies } from '../bodies.ts';
import { turnOut } from '../pose.ts';
import type { Query } from '../query.ts';
import type { SceneTrace } from '../trace.ts';
import { AreaTree } from './area-tree.ts';
import { LinkingRules } from './linking.ts';

// From answers of the game's dedicated server (2.5), with which it is compared.

const f = Math.fround;

/** Where the rows of a rotation begin in a pose. */
const ROWS = 3;

/**
 * UFO: Alien Invasion's server. The world comes first; where it stops the move at once, no body is asked. Then all bodies whose
 * boxes meet that of the whole move are asked, in the engine's order, until the answer is all solid. A nearer hit becomes the
 * answer, and so does a body that is all solid, whatever was hit before and however near. `startSolid` stays once it was set.
 * Where no tile was met, the fraction is 2, and the first body that is asked becomes the answer even if the move misses it.
 * `ignore: n` leaves out n, what n owns, and the owner of n.
 */
export class UfoaiRules extends LinkingRules {
  readonly name = 'ufoai';
  /** Of the body that is being linked: its pose, and one of its corners. */
  private readonly _pose: Float32Array = new Float32Array(12);
  private readonly _corner: Float32Array = new Float32Array(3);

  constructor(bodies: Bodies) {
    super(bodies, new AreaTree(bodies, true, bodies.world?.linkBounds));
  }

  /** A turned body is linked with the box between its turned lowest and highest corners, so parts of it may stick out. */
  override link(body: number): void {
    const { _bodies: bodies, _pose: pose, _corner: corner } = this;
    const { boxes } = this;
    const { origins, sizes } = bodies;
    const turned = bodies.isTurned(body) && setRotation(pose, ROWS, bodies.angles, 3 * body);
    for (let side = 0; side < 6; side += 3) {
      for (let k = 0; k < 3; k++) corner[k] = sizes[6 * body + side + k]!;
      if (turned) turnOut(pose, corner);
      for (let k = 0; k < 3; k++) boxes[6 * body + side + k] = f(origins[3 * body + k]! + corner[k]!);
    }
    for (let k = 6 * body; k < 6 * body + 3; k++) {
      const first = boxes[k]!;
      boxes[k] = Math.min(first, boxes[k + 3]!);
      boxes[k + 3] = Math.max(first, boxes[k + 3]!);
    }
    this._order.link(body);
  }

  override begin(query: Query, out: SceneTrace): number {
    // At a fraction of 2, bodies that are missed matter too, wherever in the box around the move they are.
    query.isWhole = out.fraction > 1;
    return super.begin(query, out);
  }

  merge({ fields }: Query, trace: Trace, body: number, out: SceneTrace): boolean {
    const { startSolid } = out;
    if (trace.allSolid || trace.fraction < out.fraction) {
      fields.copy(trace, out);
      out.entity = body;
    }
    if (startSolid || trace.startSolid) out.startSolid = true;
    if (trace.startSolid && out.startEntity < 0) out.startEntity = body;
    return !out.allSolid;
  }
}
