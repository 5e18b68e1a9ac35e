import type { Bounds, Vec3 } from '@bspkit/core';
import type { Paint, Style } from './page.ts';

/** What can be seen at a place from above. */
export type Ground = 'outside' | 'wall' | 'floor' | 'raised' | 'water' | 'slime' | 'lava';

const GROUNDS: readonly Ground[] = ['outside', 'wall', 'floor', 'raised', 'water', 'slime', 'lava'];

/** Glyph and colour of the ground where there is neither a wall nor a line. */
const LOOKS: Readonly<Partial<Record<Ground, readonly [string, Style]>>> = {
  raised: ['░', 'dim'],
  water: ['~', 'blue'],
  slime: ['~', 'green'],
  lava: ['~', 'red'],
};

/** A character is two dots wide and four high; braille can show each of them, blocks a quarter at a time. */
const DOTS_X = 2;
const DOTS_Y = 4;
const BRAILLE = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80];
const BLOCKS = ' ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█';

interface Mark {
  readonly glyph: string;
  readonly style: Style;
}

/** A map from above in characters: walls as blocks, lines as dots, marks on top. North is up. */
export class Picture {
  private readonly _columns: number;
  private readonly _rows: number;
  /** Quake units per dot, both ways. */
  private readonly _unit: number;
  private readonly _left: number;
  private readonly _top: number;
  /** Number of the ground at each dot. */
  private readonly _ground: Uint8Array;
  /** Dots of lines, one byte per character, and the style of the last line through it. */
  private readonly _dots: Uint8Array;
  private readonly _lineStyles = new Map<number, Style>();
  private readonly _marks = new Map<number, Mark>();

  constructor({ mins, maxs }: Bounds, columns: number) {
    this._columns = columns;
    this._unit = (maxs[0]! - mins[0]!) / (DOTS_X * columns);
    this._rows = Math.ceil((maxs[1]! - mins[1]!) / (DOTS_Y * this._unit));
    this._left = mins[0]!;
    this._top = maxs[1]!;
    this._ground = new Uint8Array(DOTS_X * columns * DOTS_Y * this._rows);
    this._dots = new Uint8Array(columns * this._rows);
  }

  /** Asks what is at the middle of every dot, and draws it. */
  survey(groundAt: (x: number, y: number) => Ground): void {
    const width = DOTS_X * this._columns;
    for (let dot = 0; dot < this._ground.length; dot++) {
      const x = this._left + ((dot % width) + 0.5) * this._unit;
      const y = this._top - (Math.floor(dot / width) + 0.5) * this._unit;
      this._ground[dot] = GROUNDS.indexOf(groundAt(x, y));
    }
  }

  line(from: Vec3, to: Vec3, style: Style): void {
    const steps = Math.ceil(Math.hypot(to[0]! - from[0]!, to[1]! - from[1]!) / this._unit);
    for (let step = 0; step <= steps; step++) {
      const part = steps === 0 ? 0 : step / steps;
      const at = [0, 1].map((k) => from[k]! + part * (to[k]! - from[k]!));
      const { character, dot } = this._place(at);
      if (character < 0) continue;
      this._dots[character]! |= BRAILLE[dot]!;
      this._lineStyles.set(character, style);
    }
  }

  mark(at: Vec3, glyph: string, style: Style): void {
    const { character } = this._place(at);
    if (character >= 0) this._marks.set(character, { glyph, style });
  }

  /** The character that shows a place, -1 for none, and the dot in it, row by row. */
  private _place(at: ArrayLike<number>): { character: number; dot: number } {
    const x = Math.floor((at[0]! - this._left) / this._unit);
    const y = Math.floor((this._top - at[1]!) / this._unit);
    const [column, row] = [Math.floor(x / DOTS_X), Math.floor(y / DOTS_Y)];
    const inside = column >= 0 && column < this._columns && row >= 0 && row < this._rows;
    return {
      character: inside ? row * this._columns + column : -1,
      dot: DOTS_X * (y - DOTS_Y * row) + (x - DOTS_X * column),
    };
  }

  /** The picture as text, coloured by `paint`. */
  draw(paint: Paint): string {
    let text = '';
    for (let row = 0; row < this._rows; row++) {
      let line = '';
      for (let column = 0; column < this._columns; column++) line += this._character(row, column, paint);
      text += `${line.trimEnd()}\n`;
    }
    return text;
  }

  private _character(row: number, column: number, paint: Paint): string {
    const character = row * this._columns + column;
    const mark = this._marks.get(character);
    if (mark) return paint(mark.style, mark.glyph);
    const counts = new Uint8Array(GROUNDS.length);
    let walls = 0;
    for (let y = 0; y < DOTS_Y; y++) {
      for (let x = 0; x < DOTS_X; x++) {
        const at = (DOTS_Y * row + y) * DOTS_X * this._columns + DOTS_X * column + x;
        const ground = this._ground[at]!;
        counts[ground]!++;
        if (GROUNDS[ground] === 'wall') walls |= 1 << (DOTS_X * (y >> 1) + x);
      }
    }
    if (walls !== 0) return BLOCKS[walls]!;
    const dots = this._dots[character]!;
    if (dots !== 0) return paint(this._lineStyles.get(character)!, String.fromCharCode(0x2800 + dots));
    const look = LOOKS[GROUNDS[counts.indexOf(Math.max(...counts))]!];
    return look ? paint(look[1], look[0]) : ' ';
  }
}
