import type { Difference } from '@bspkit/compare';
import { Group } from 'three';
import { Lines } from '../draw/lines.ts';
import type { ToolContext } from '../tool.ts';

/** Half the size of the cross at a difference, in Quake units. */
const CROSS = 8;
/** How near to a difference a click must be, in CSS pixels. */
const REACH = 18;

/** Where a tracer differs, in the view: the moves, a cross at its end of each, and the gap from there to the baseline's. */
export class DifferenceLines {
  private readonly _context: ToolContext;
  private readonly _group: Group = new Group();
  private readonly _moves: Lines = new Lines({ width: 1, opacity: 0.5, hidden: 0.12 });
  private readonly _gaps: Lines = new Lines({ width: 1.25, opacity: 0.75, hidden: 0.25 });
  private readonly _crosses: Lines = new Lines({ width: 2.5, hidden: 0.6 });
  private _shown: readonly Difference[] = [];

  constructor(context: ToolContext) {
    this._context = context;
    this._group.add(this._moves.object, this._gaps.object, this._crosses.object);
    context.scene.add(this._group);
  }

  /** @param color - the tracer's. */
  set(differences: readonly Difference[], color: string): void {
    this._shown = differences;
    this._moves.set(differences.flatMap(({ start, end }) => [...start, ...end]));
    this._gaps.set(differences.flatMap(({ first, own }) => [...first.endPos, ...own.endPos]));
    this._crosses.set(
      differences.flatMap(({ own: { endPos } }) =>
        [0, 1, 2].flatMap((axis) =>
          [-CROSS, CROSS].flatMap((by) => endPos.map((x, k) => (k === axis ? x + by : x))),
        ),
      ),
    );
    this.recolor(color);
  }

  /** Takes the colours of the theme. */
  recolor(color: string): void {
    const { colors } = this._context;
    this._moves.color = colors.miss;
    this._gaps.color = colors.warning;
    this._crosses.color = color;
    this._context.requestRender();
  }

  /** The one that is nearest to a place in the view, if it is near. */
  at(x: number, y: number): Difference | undefined {
    let nearest: Difference | undefined;
    let reach = REACH;
    for (const difference of this._shown) {
      const at = this._context.project(difference.own.endPos);
      const distance = at ? Math.hypot(at.x - x, at.y - y) : reach;
      if (distance < reach) [reach, nearest] = [distance, difference];
    }
    return nearest;
  }

  dispose(): void {
    for (const lines of [this._moves, this._gaps, this._crosses]) lines.dispose();
    this._context.scene.remove(this._group);
  }
}
