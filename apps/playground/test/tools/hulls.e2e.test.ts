import { existsSync } from 'node:fs';
import { arenaQuake1 } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import { hullFacesOf } from '../../src/games/index.ts';
import { CHROMIUM, drop, goTo, openPage } from '../browser.ts';
import { setUpPage } from '../page-setup.ts';
import { openFixture } from './maps.ts';
import { toolPage } from './tool-page.ts';

/** A Quake 1 map whose first hull is a well with 2,000 walls: each is cut by all before it. */
function withWell(map: Uint8Array): Uint8Array {
  const WALLS = 2000;
  const lump = (k: number, at: number): number =>
    new DataView(map.buffer, map.byteOffset).getInt32(4 + 8 * k + at, true);
  const [PLANES, CLIP_NODES, MODELS] = [1, 9, 14];
  const end = Math.ceil(map.length / 4) * 4;
  const [numPlanes, numNodes] = [lump(PLANES, 4) / 20, lump(CLIP_NODES, 4) / 8];
  const planesEnd = end + 20 * (numPlanes + WALLS);
  const made = new Uint8Array(planesEnd + 8 * (numNodes + WALLS));
  made.set(map);
  const view = new DataView(made.buffer);
  const move = (k: number, to: number, length: number): void => {
    made.set(map.subarray(lump(k, 0), lump(k, 0) + lump(k, 4)), to);
    view.setInt32(4 + 8 * k, to, true);
    view.setInt32(8 + 8 * k, length, true);
  };
  move(PLANES, end, planesEnd - end);
  move(CLIP_NODES, planesEnd, made.length - planesEnd);
  for (let k = 0; k < WALLS; k++) {
    const angle = 2 * Math.PI * ((k * 0.618) % 1);
    const plane = end + 20 * (numPlanes + k);
    for (const [at, x] of [Math.cos(angle), Math.sin(angle), 0, 500].entries())
      view.setFloat32(plane + 4 * at, x, true);
    view.setInt32(plane + 16, 3, true);
    const node = planesEnd + 8 * (numNodes + k);
    view.setInt32(node, numPlanes + k, true);
    view.setInt16(node + 4, -2, true);
    view.setInt16(node + 6, k + 1 < WALLS ? numNodes + k + 1 : -1, true);
  }
  view.setInt32(lump(MODELS, 0) + 40, numNodes, true);
  return made;
}

describe.runIf(existsSync(CHROMIUM))(`hulls in a browser (${CHROMIUM})`, () => {
  const setup = setUpPage({ viewport: { width: 900, height: 560 } });
  const { openTool, shot } = toolPage(setup);

  /** What is drawn, without what lies over it. */
  const picture = (): Promise<string> =>
    setup.page.evaluate(() => {
      window.bspkitPlayground!.measure(1);
      const small = new OffscreenCanvas(160, 120).getContext('2d')!;
      small.drawImage(document.querySelector('canvas')!, 0, 0, 160, 120);
      return small.getImageData(0, 0, 160, 120).data.join();
    });

  it('draws all faces of the hull that a link names, as solid as the slider says', async () => {
    const { page } = setup;
    await openTool('arena', 'quake1', 'hulls', { hull: 2 });
    const map = await openFixture('arena', 'quake1');
    const { hullFaces } = await hullFacesOf(map)!();
    const faces = `${hullFaces(map.world, 2).length} faces`;
    expect(faces).not.toBe(`${hullFaces(map.world, 1).length} faces`);
    await page.locator('.panel').getByText(faces).waitFor();
    expect(await page.getByRole('radio', { name: /^Hull 2: 64/ }).isChecked()).toBe(true);
    const solid = await picture();
    await shot('hulls');
    await page.getByRole('slider', { name: 'Opacity' }).fill('10');
    expect((await picture()) === solid).toBe(false);
  });

  it('draws nothing of the hull before where the faces of another take too long', async () => {
    const { page } = setup;
    await openTool('arena', 'quake1', 'hulls');
    const said = page.locator('.panel [role=status]');
    await page
      .locator('.panel')
      .getByText(/^\d+ faces/)
      .waitFor();
    await drop(page, 'well.bsp', withWell(arenaQuake1()));
    await page
      .locator('.panel')
      .getByText(/^The faces of a hull take cuts/)
      .waitFor();
    const shown = await picture();
    expect(await said.textContent()).toMatch(/as no compiled map does/);
    // What is not there looks the same at any opacity.
    await page.getByRole('slider', { name: 'Opacity' }).fill('10');
    expect((await picture()) === shown).toBe(true);
  });

  it('draws hulls over liquids, so that a link shows the same to everybody', async () => {
    const { context, site } = setup;
    const { page: other } = await openPage(context);
    // From above, the bottom of the pool.
    await goTo(other, `${site.url}#map=arena&format=quake1&view=256,256,400,90,89&tool=hulls`);
    await other.getByText(/^\d+ faces/).waitFor();
    const blue = await other.evaluate(() => {
      window.bspkitPlayground!.measure(1);
      const picture = new OffscreenCanvas(9, 9).getContext('2d')!;
      picture.drawImage(document.querySelector('canvas')!, 0, 0, 9, 9);
      return picture.getImageData(4, 4, 1, 1).data[2]!;
    });
    expect(blue).toBeGreaterThan(200);
    await other.close();
  });

  setup.saysNothing();
});
