import { type Collider, isScene } from './collider.ts';

/**
 * The most scenes that a scene may consist of, each counted as often as it is held, and in how many levels: a trace may have to ask
 * all of them, and a few scenes that each hold the next twice are millions.
 */
const MOST_SCENES = 2 ** 14;
const MOST_LEVELS = 64;

/** The world and bodies of a scene. */
interface Holder {
  readonly world: Collider | undefined;
  readonly colliders: readonly (Collider | undefined)[];
}

/** Counts the changes of which scenes hold which, of all scenes: what was counted before is out of date. */
let changes = 0;

/** Notes that a scene has been added to another one, or removed. */
export function noteNesting(): void {
  changes++;
}

/** How many scenes a scene consists of, and in how many levels. Counted again only after a change. */
export class Nesting {
  private readonly _holder: Holder;
  private _seen = -1;
  private _count = 1;
  private _levels = 1;

  constructor(holder: Holder) {
    this._holder = holder;
  }

  /** Throws `RangeError` for a scene that consists of too many, and with `more`, for one that would with that in it. */
  check(more?: Nesting): void {
    this._update(1);
    more?._update(2);
    checkNesting(this._count + (more?._count ?? 0), Math.max(this._levels, (more?._levels ?? 0) + 1));
  }

  private _update(level: number): void {
    checkNesting(0, level);
    if (this._seen === changes) return;
    const { world, colliders } = this._holder;
    this._count = 1;
    this._levels = 1;
    for (const collider of [world, ...colliders]) {
      if (!collider || !isScene(collider)) continue;
      const { nesting: inner } = collider._bodies;
      inner._update(level + 1);
      this._count += inner._count;
      this._levels = Math.max(this._levels, inner._levels + 1);
    }
    this._seen = changes;
  }
}

function checkNesting(count: number, levels: number): void {
  if (count <= MOST_SCENES && levels <= MOST_LEVELS) return;
  throw new RangeError(
    `a scene must consist of at most ${MOST_SCENES} scenes, each counted as often as it is held, in at most ${MOST_LEVELS} levels`,
  );
}
