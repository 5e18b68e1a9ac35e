export type { Color, Ramp } from './picture/colors.ts';
export { type DrawOptions, drawBake, solidAt, toPng, toSvg } from './picture/draw.ts';
export type { Drawing, Line, Rectangle, Shape, Squares, Text } from './picture/drawing.ts';
export type { Mark, ValueClasses, ValueLayer, ValueScale } from './picture/layer.ts';
export { type BakeOutcome, bakeLayer, type LayerOptions, PICTURED_KINDS } from './picture/layers.ts';
export { type Level, splitLevels } from './picture/levels.ts';
export type { SheetOptions } from './picture/sheet.ts';
export type { SolidAt } from './picture/survey.ts';
export { type BakeTable, bakeTable, csvText, jsonText } from './picture/table.ts';
