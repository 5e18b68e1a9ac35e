export { type DrawOptions, drawBake, solidAt, toPng, toSvg } from './picture/draw.ts';
