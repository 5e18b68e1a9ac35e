import { MODEL_BODY, MONSTER_CLIP, PUSHABLE } from '../bodies.ts';
import type { Query } from '../query.ts';
import type { SceneTrace } from '../trace.ts';
import { belongs, linkTurned } from './boxes.ts';
import { Quake1Rules } from './quake1.ts';
import type { SceneRules } from './rules.ts';

// From facts in public sources (ReHLDS, a reverse-engineered server; Xash3D agrees as far as we read it). No program of the game
// was run, and no recorded rows confirm them.

const f = Math.fround;

/**
 * Half-Life's server, as far as public sources show: Quake's rules, with these differences. Where the world stops the move at
 * once, no body is asked. Bodies are asked about the way up to where the world stops it, and their fractions are fractions of
 * that way. Moves without monsters meet pushable bodies too. Models that clip only monsters take part only for tracers with
 * `monsterClip`. Items are linked like everything else, and turned models by how far they reach.
 *
 * Left out: what a game library decides (which entities collide, their groups and links), transparent entities that some moves
 * pass, and hit boxes of studio models.
 */
export class HalfLifeRules extends Quake1Rules {
  override readonly name: string = 'halflife';
  override readonly options: SceneRules['options'] = ['move', 'monsterClip'];

  override link(body: number): void {
    linkTurned(this._bodies, body, this.boxes);
    this._order.link(body);
  }

  protected override _joins({ move, monsterClip }: Query, body: number): boolean {
    const bits = this._bodies.classes[body]!;
    if ((bits & MODEL_BODY) !== 0) return (bits & MONSTER_CLIP) === 0 || monsterClip;
    return move !== 'no-monsters' || (bits & PUSHABLE) !== 0;
  }

  /** There, what has no owner is not owned by the world. */
  protected override _passes({ mover }: Query, body: number): boolean {
    return belongs(this._bodies, mover, body);
  }

  override begin(query: Query, out: SceneTrace): number {
    const { end, kept } = query;
    kept[0] = 1;
    this._setEntity(out);
    if (out.fraction === 0 || out.allSolid) return 0;
    kept[0] = out.fraction;
    out.fraction = 1;
    for (let k = 0; k < 3; k++) end[k] = out.endPos[k]!;
    return this._collect(query);
  }

  override finish({ kept }: Query, out: SceneTrace): void {
    out.fraction = f(kept[0]! * out.fraction);
  }
}
