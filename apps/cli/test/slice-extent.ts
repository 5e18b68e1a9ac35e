/** What stopped a move, and that as the shape widens it, in a picture of `explain --svg`. */
export const HIT = /<polygon class="hit".*/;
export const WIDENED = /<polygon class="widened".*/;

/** How far from the start of the move, in units, a part of a picture begins and ends along the first axis. */
export function extentOf(svg: string, part: RegExp): [number, number] {
  const [, start] = /class="move" x1="(\S+)"/.exec(svg)!.map(Number) as [number, number];
  const [, end, units] = /class="scale" d="M12 \S+ v8 H(\S+) v-8"\/>\n<text [^>]*>(\d+) units/
    .exec(svg)!
    .map(Number) as [number, number, number];
  const [element] = part.exec(svg)!;
  const points = /points="([^"]*)"/.exec(element)![1]!.split(' ');
  const along = points.map((point) => ((Number(point.split(',')[0]) - start) * units) / (end - 12));
  return [Math.round(Math.min(...along)), Math.round(Math.max(...along))];
}
