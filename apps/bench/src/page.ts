import { FORMATS } from 'bspkit';
import { type ColdStart, startCold } from './cold.ts';

/** In a page with a map and the format's name beside it: how it begins. */
export async function report(): Promise<ColdStart> {
  const id = await (await fetch('/format.txt')).text();
  const bytes = new Uint8Array(await (await fetch('/map.bsp')).arrayBuffer());
  return startCold({ format: await FORMATS.find((format) => format.id === id)!.load(), bytes });
}
