import type { MoveExplanation, MoveRound, Trace, Vec3 } from '@bspkit/core';
import { isCheck, moveText, show, stopOf } from '@bspkit/words';
import { brushBehind } from './explain-svg.ts';
import { Slice } from './slice.ts';
import { type Drawing, LETTER, type Legend, SlicePicture } from './slice-picture.ts';

const SLIDE: Legend = {
  wall: 'surfaces of the map',
  solid: 'solid',
  other: 'other contents',
  hit: 'what was touched',
  move: 'move, by rounds',
  rest: 'where a round would have led',
  touch: 'where it is touched',
  push: 'pushed out of an overlap',
  shape: 'shape at start and stops',
};

const PUSH: Legend = {
  ...SLIDE,
  hit: 'what pushed',
  touch: 'where its plane is touched',
  move: 'move',
  rest: 'where it would have led',
  push: 'pushes, by rounds',
  wanted: 'shape before each push',
  shape: 'shape at start and end',
};

/** The head of a push. */
const ARROW =
  '<marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="arrow" d="M0 0 8 4 0 8z"/></marker>';

/**
 * A whole move as a picture: a slice along it, with the brushes it cuts, the way of each round with its number, and the shape where
 * it stopped.
 */
export function moveSvg(told: MoveExplanation, drawing: Drawing): string {
  return new MovePicture(told, drawing).toString();
}

class MovePicture extends SlicePicture<Drawing> {
  protected readonly legend: Legend;
  protected readonly answer: string;
  private readonly _told: MoveExplanation;

  constructor(told: MoveExplanation, drawing: Drawing) {
    const { kind, rounds, pushes } = told;
    const points = [...pushes, ...rounds].flatMap((part) =>
      'next' in part ? [part.start, part.end, part.stop, part.next] : [part.start, part.end],
    );
    const { start, end } = rounds[0]!;
    const slice = Slice.through(start, end, points);
    super(
      drawing,
      slice,
      points.map((point) => slice.project(point)),
    );
    this._told = told;
    this.legend = kind === 'slide' ? SLIDE : PUSH;
    const away = slice.farthest(points);
    const flat = away >= 1 ? `; the way leaves this slice by up to ${show(away, 0)} units` : '';
    this.answer = moveText(told) + flat;
  }

  protected parts(): string[] {
    const { kind, rounds, pushes } = this._told;
    const touched = new Set(rounds.map((round) => this._brush(round)));
    const first = (pushes[0] ?? rounds[0]!).start;
    // Labels are placed first, so that the ends of the move, then early rounds have the best places.
    const ends = this.ends(this.slice.project(first), this.slice.project(rounds.at(-1)!.stop), 'end');
    const numbers = rounds.flatMap((round, k) => this._number(round, k));
    const touches = rounds.flatMap((round, k) => this._touch(round, k));
    return [
      ARROW,
      ...this.walls(),
      ...this.brushes(({ brush }) => touched.has(brush)),
      ...pushes.map(({ start, end }) => this._way(start, end, 'push')),
      this.shape(this.slice.project(first)),
      ...rounds.flatMap((round, k) => (kind === 'slide' ? this._slide(round) : this._push(round, k))),
      ...touches,
      ...numbers,
      ...ends,
    ];
  }

  private _brush({ steps, trace }: MoveRound): number | undefined {
    const stop = stopOf(steps);
    return stop && brushBehind(this.drawing, stop, trace);
  }

  private _way(from: Vec3, to: Vec3, style: string): string {
    return this.line(this.slice.project(from), this.slice.project(to), style);
  }

  /** As far as it came, and what it did not reach. */
  private _slide({ start, end, stop, along }: MoveRound): string[] {
    const stopped = along.length > 0;
    return [
      ...(stopped ? [this._way(stop, end, 'rest')] : []),
      this._way(start, stop, 'move'),
      this.shape(this.slice.project(stop)),
    ];
  }

  /** What pushed the end from where to where; of the check after them, where the move led. */
  private _push({ start, end, stop, next, along }: MoveRound, k: number): string[] {
    const rest = k === 0 && along.length > 0 ? [this._way(start, end, 'rest')] : [];
    if (isCheck(this._told, k))
      return [...rest, this._way(start, stop, 'move'), this.shape(this.slice.project(stop))];
    return [...rest, this._way(end, next, 'push'), this.shape(this.slice.project(end), 'wanted')];
  }

  /** Where the shape touches what it touched, or the plane of what pushes it. */
  private _touch({ along, trace }: MoveRound, k: number): string[] {
    const { point } = trace as Trace & { readonly point?: Vec3 };
    if (!point || along.length === 0) return [];
    const [x, y] = this.pixel(this.slice.project(point));
    const text = isCheck(this._told, k) ? 'still in the way' : `touch ${k + 1}`;
    const places = [
      [x + 7, y + 4] as const,
      [x + 7, y + 17] as const,
      [x - 8 - LETTER * text.length, y + 4] as const,
    ];
    return [`<circle class="touch" cx="${x}" cy="${y}" r="4"/>`, ...this.labels.place(text, 'touch', places)];
  }

  /** The round's number beside the middle of its way or push. */
  private _number({ start, end, stop, next }: MoveRound, k: number): string[] {
    if (isCheck(this._told, k)) return [];
    const [from, to] = this._told.kind === 'slide' ? [start, stop] : [end, next];
    const at = [0.5, 0.3, 0.7, 0.1, 0.9].map((part) => from.map((x, axis) => x + part * (to[axis]! - x)));
    const places = at.flatMap((point) => {
      const [x, y] = this.pixel(this.slice.project(point));
      return [[x + 6, y - 6] as const, [x + 6, y + 16] as const, [x - 14, y - 6] as const];
    });
    return this.labels.place(String(k + 1), 'round', places);
  }
}
