import type { Tracer, UnsharedBytes } from '@bspkit/core';
import {
  checkFinite,
  checkList,
  checkObject,
  checkTracer,
  checkWhole,
  failArgument,
  plainOf,
} from '@bspkit/core/format';
import type { Drawing } from './drawing.ts';
import { bakeLayer, type LayerOptions } from './layers.ts';
import type { BakeOutcome } from './outcome.ts';
import { encodePng } from './png.ts';
import { rasterize } from './raster.ts';
import { drawSheet, type SheetOptions } from './sheet.ts';
import type { SolidAt } from './survey.ts';
import { drawingSvg } from './svg.ts';

/** How to draw a bake. */
export interface DrawOptions extends SheetOptions, LayerOptions {}

/**
 * A bake from above, storey by storey: its values in colours that show more and less in any print, walls where `solidAt` finds
 * them, coordinates, a legend and a scale. `toSvg` and `toPng` make a picture from it; the same bake and options give the same
 * bytes, everywhere.
 * @throws BakeError (`kind`) for a bake that has no picture; RangeError and TypeError for invalid options.
 */
export function drawBake(bake: BakeOutcome, options: DrawOptions = {}): Drawing {
  checkObject(options, 'options');
  const { from, ...sheet } = plainOf(options);
  return drawSheet(bakeLayer(bake, { from }), sheet);
}

/** A drawing as SVG: text, in the viewer's own fonts. */
export function toSvg(drawing: Drawing): string {
  checkDrawing(drawing);
  return drawingSvg(drawing);
}

function checkDrawing(drawing: Drawing): void {
  checkObject(drawing, 'drawing');
  checkWhole(drawing.width, 'drawing.width', 1, 65_535);
  checkWhole(drawing.height, 'drawing.height', 1, 65_535);
  checkList(drawing.shapes, 'drawing.shapes');
}

/** The most pixels of a PNG file: its bytes before compression must fit into memory. */
const MOST_PIXELS = 2 ** 28;

/**
 * A drawing as a PNG file.
 * @param scale - pixels for each of the drawing's: 0.25 to 8, 1 by default; 2 for print.
 * @throws RangeError for more than 2^28 pixels; RangeError and TypeError for invalid arguments.
 */
export async function toPng(drawing: Drawing, scale = 1): Promise<UnsharedBytes> {
  checkDrawing(drawing);
  checkFinite(scale, 'scale');
  if (scale < 0.25 || scale > 8) failArgument('scale', 'from 0.25 to 8', scale);
  if (drawing.width * drawing.height * scale * scale > MOST_PIXELS) {
    failArgument('scale', `smaller: there are at most ${MOST_PIXELS} pixels`, scale);
  }
  return encodePng(rasterize(drawing, scale));
}

/**
 * Where something is solid, according to a tracer of points: a function for {@link SheetOptions.solidAt}.
 * @throws TypeError for anything but a tracer.
 */
export function solidAt(tracer: Tracer): SolidAt {
  checkTracer(tracer, 'tracer');
  const at = new Float32Array(3);
  return (x, y, z) => {
    at[0] = x;
    at[1] = y;
    at[2] = z;
    return tracer.blocked(at, at);
  };
}
