import {
  columnPlaces,
  HeaderFields,
  listCell,
  type Row,
  type RowAnswering,
  type RowHeader,
  type RowKind,
  type RowSource,
} from '@bspkit/core/format';

// Rows about what happens in scenes of a map, frame by frame.

/** Opens the map that a header names. */
export function openWorld<W extends object>(header: RowHeader, { format, load }: RowSource): W {
  const file = format.read(load(header.game, header.map, header.sha256));
  return format.createWorld([file]) as unknown as W;
}

/** A kind of rows that are answered scene by scene: `begin` makes what answers those of one. */
export function sceneRows<W extends object, P extends { readonly scene: number }>(
  columns: Pick<RowKind, 'question' | 'optional' | 'results'>,
  begin: (scene: HeaderFields, world: W, source: RowSource, at: P) => { answer(row: Row, at: P): void },
): RowKind {
  const { question, optional = [], results } = columns;
  const names = [...question, ...optional.flat(), ...results];
  return {
    ...columns,
    open(header, source) {
      const at = columnPlaces(header, names) as Readonly<Record<string, number>> as unknown as P;
      const world = openWorld<W>(header, source);
      return answerScenes(header, at, (scene) => begin(scene, world, source, at));
    },
  };
}

/** Answers rows scene by scene; what answers those of a scene is made for the first of them. */
function answerScenes<P extends { readonly scene: number }>(
  header: RowHeader,
  at: P,
  make: (scene: HeaderFields) => { answer(row: Row, at: P): void },
): RowAnswering {
  const scenes = new HeaderFields(header).list('scenes');
  let things: ReturnType<typeof make> | undefined;
  let current = -1;
  return {
    sequences: {
      begins: (row, before) => row[at.scene] !== before?.[at.scene],
      restart() {
        current = -1;
      },
    },
    answer(row) {
      const number = listCell(row, at.scene, scenes.length, 'scene');
      if (number !== current || !things) things = make(scenes.object(number));
      current = number;
      things.answer(row, at);
    },
  };
}
