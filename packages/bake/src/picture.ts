export { type Color, type Ramp, ROOM, rampColor } from './picture/colors.ts';
export { type DrawOptions, drawBake, solidAt, toPng, toSvg } from './picture/draw.ts';
export type { Drawing, Line, Rectangle, Shape, Squares, Text } from './picture/drawing.ts';
export {
  countClasses,
  layerMarks,
  type Mark,
  showValue,
  type ValueClass,
  type ValueClasses,
  type ValueLayer,
  type ValueScale,
} from './picture/layer.ts';
export { bakeLayer, type LayerOptions } from './picture/layers.ts';
export { roundScale, scaleLabels } from './picture/legend.ts';
export { type Level, splitLevels } from './picture/levels.ts';
export { type BakeOutcome, PICTURED_KINDS, type ReadOutcome, readOutcome } from './picture/outcome.ts';
export { drawSheet, type SheetOptions } from './picture/sheet.ts';
export type { SolidAt } from './picture/survey.ts';
export { type BakeTable, bakeTable, csvText, jsonText } from './picture/table.ts';
