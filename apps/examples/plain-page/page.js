import { createQuake3World, readQuake3, surfaceAt } from '@bspkit/quake3';

const canvas = document.querySelector('canvas');
const output = document.querySelector('output');
const world = createQuake3World(readQuake3(await (await fetch('arena.bsp')).arrayBuffer()));
const ray = world.ray();
const trace = ray.createTrace();

// A ray down for each pixel, from under the ceiling: 4 units apart.
const { mins, maxs } = world.bounds;
const [step, top] = [4, maxs[2] - 100];
canvas.width = (maxs[0] - mins[0]) / step;
canvas.height = (maxs[1] - mins[1]) / step;

/** What is below a pixel: y is up in a map, but down on a canvas. */
function look(column, row) {
  const [x, y] = [mins[0] + (column + 0.5) * step, maxs[1] - (row + 0.5) * step];
  return ray.trace([x, y, top], [x, y, mins[2]], trace);
}

const context = canvas.getContext('2d');
const picture = context.createImageData(canvas.width, canvas.height);
for (let row = 0; row < canvas.height; row++) {
  for (let column = 0; column < canvas.width; column++) {
    const { startSolid, fraction, endPos, normal } = look(column, row);
    const height = (endPos[2] - mins[2]) / (top - mins[2]);
    const light = startSolid || fraction === 1 ? 30 : (70 + 140 * height) * (0.6 + 0.4 * normal[2]);
    picture.data.set([light, light, light * 0.9, 255], 4 * (row * canvas.width + column));
  }
}
context.putImageData(picture, 0, 0);

canvas.onpointermove = ({ offsetX, offsetY }) => {
  const scale = canvas.width / canvas.clientWidth;
  const { startSolid, fraction, endPos } = look(Math.floor(offsetX * scale), Math.floor(offsetY * scale));
  const place = Array.from(endPos, Math.round).join(' ');
  output.value = startSolid || fraction === 1 ? 'nothing' : `${surfaceAt(world, trace)?.name} at ${place}`;
};
