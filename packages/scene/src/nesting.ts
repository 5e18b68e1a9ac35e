import { type Collider, isScene, type NestedScene } from './collider.ts';

/**
 * The most scenes that a scene may consist of, each counted as often as it is held, and how deep they may lie in each other: a trace
 * may have to ask all of them, and a few scenes that each hold the next twice are millions.
 */
const MOST_SCENES = 2 ** 14;
const MOST_DEPTH = 64;

/** The world and bodies of a scene. */
interface Holder {
  readonly world: Collider | undefined;
  readonly colliders: readonly (Collider | undefined)[];
}

/** Counts the changes of which scenes hold which, of all scenes: what was counted before is out of date. */
let changes = 0;

/** How many scenes a scene consists of, and how deep they lie in each other. Counted again only after a change. */
export class Nesting {
  private readonly _holder: Holder;
  private _at = -1;
  private _count = 1;
  private _depth = 1;

  constructor(holder: Holder) {
    this._holder = holder;
  }

  /** Notes that a scene has been added to another one, or removed. */
  static change(): void {
    changes++;
  }

  /** Throws `RangeError` for a scene that consists of too many. */
  check(): void {
    this._update(1);
    checkNesting(this._count, this._depth);
  }

  /** Throws `RangeError` if it would, with one more in it. */
  checkWith({ _nesting: inner }: NestedScene): void {
    this._update(1);
    inner._update(2);
    checkNesting(this._count + inner._count, Math.max(this._depth, inner._depth + 1));
  }

  private _update(level: number): void {
    checkNesting(0, level);
    if (this._at === changes) return;
    const { world, colliders } = this._holder;
    this._count = 1;
    this._depth = 1;
    this._hold(world, level);
    for (const collider of colliders) this._hold(collider, level);
    this._at = changes;
  }

  private _hold(collider: Collider | undefined, level: number): void {
    if (!collider || !isScene(collider)) return;
    const { _nesting: inner } = collider;
    inner._update(level + 1);
    this._count += inner._count;
    this._depth = Math.max(this._depth, inner._depth + 1);
  }
}

function checkNesting(count: number, depth: number): void {
  if (depth > MOST_DEPTH)
    throw new RangeError(`scenes must not lie more than ${MOST_DEPTH} deep in each other`);
  if (count > MOST_SCENES) {
    throw new RangeError(
      `a scene must consist of ${MOST_SCENES} scenes or fewer, each counted as often as it is held, got ${count}`,
    );
  }
}
