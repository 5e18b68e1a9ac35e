import { existsSync } from 'node:fs';
import { layerMarks, readOutcome } from '@bspkit/bake/picture';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenMap } from '../../src/app/open-map.ts';
import { placedValues } from '../../src/tools/bake/values.ts';
import { CHROMIUM } from '../browser.ts';
import { setUpPage } from '../page-setup.ts';
import { bakeCells } from './bakes.ts';
import { openFixture } from './maps.ts';
import { BOX, toolPage } from './tool-page.ts';

describe.runIf(existsSync(CHROMIUM))(`bakes in a browser (${CHROMIUM})`, () => {
  const setup = setUpPage({ viewport: { width: 900, height: 560 } });
  const { openTool, answerOf, outcomeOf, shot } = toolPage(setup);
  let arena: OpenMap;

  beforeAll(async () => {
    arena = await openFixture('arena', 'quake3');
  });

  it('says how to make one of the map that is open', async () => {
    const command = setup.page.locator('.panel code');
    await openTool('house', 'quake2', 'bake');
    expect(await command.textContent()).toMatch(/ bake demo:house@quake2 --kind exposure --out house\.bake$/);
    // What was changed is not what the command has.
    await openTool('house', 'quake2', 'bake', undefined, '&lines=[[1,"//"]]');
    expect(await command.textContent()).toMatch(/ bake level\.bsp --kind exposure --out level\.bake$/);
  });

  it('shows bakes that are dropped, of the map that is open alone', async () => {
    const { page } = setup;
    const drop = async (name: string, bytes: Uint8Array): Promise<void> => {
      const file = [name, Buffer.from(bytes).toString('base64')] as const;
      await page.evaluate(([title, text]) => {
        const content = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
        return window.bspkitPlayground!.openFile(new File([content], title));
      }, file);
    };
    const problem = page.locator('.panel [role=alert]');
    await openTool('arena', 'quake3', 'shoot', { q: BOX });
    const exposure = await bakeCells(arena, 'exposure');
    await drop('arena.bake', exposure);
    expect(await page.evaluate(() => window.bspkitPlayground!.tool)).toBe('bake');
    expect(await outcomeOf()).toBe('Where players are seen most');
    const { layer } = placedValues(readOutcome(exposure), undefined);
    const [most] = layerMarks(layer);
    expect(await answerOf()).toMatchObject({
      file: 'arena.bake',
      cells: String(layer.values.length),
      [most!.label]: most!.at.map((x) => String(Number(x.toFixed(1)))).join(' '),
    });
    expect(await page.locator('.bake-values span').last().textContent()).toMatch(/^\d+ %$/);
    await shot('bake');
    const view = (await page.locator('.view canvas').boundingBox())!;
    await page.mouse.click(view.x + view.width / 2, view.y + view.height / 2);
    expect(await page.locator('.panel .tool-hint').last().textContent()).toMatch(/^[\d.]+ % at -?\d/);

    await drop('sight.bake', await bakeCells(arena, 'sight'));
    expect(await outcomeOf()).toBe('Where one sees most');
    await page.mouse.click(view.x + view.width / 2, view.y + view.height / 2);
    expect(await outcomeOf()).toMatch(/^What is seen from -?\d/);
    expect((await answerOf()).seen).toMatch(/^\d+$/);
    await page.getByRole('button', { name: 'All points' }).click();
    expect(await outcomeOf()).toBe('Where one sees most');

    // Another map: what is there is taken away, and another bake of the first is refused by name.
    await openTool('house', 'ufoai', 'bake');
    await drop('arena.bake', exposure);
    await problem.filter({ hasText: 'arena.bake was made from another map than house' }).waitFor();
    expect(await page.locator('.tool-outcome').isVisible()).toBe(false);
    const broken = exposure.slice();
    broken[40]! ^= 1;
    await drop('broken.bake', broken);
    expect(await problem.textContent()).toMatch(/^broken\.bake: The file is damaged: /);
    await drop('cut.bake', exposure.subarray(0, exposure.length - 60));
    expect(await problem.textContent()).toMatch(
      /^cut\.bake: The file is not finished: \d+ of \d+ chunks are missing\.$/,
    );
    // Read when it is picked: it may be gone by then.
    await page.evaluate(() => {
      const { arrayBuffer } = Blob.prototype;
      Blob.prototype.arrayBuffer = async () => {
        Blob.prototype.arrayBuffer = arrayBuffer;
        throw new DOMException('the file could not be read', 'NotReadableError');
      };
    });
    const gone = { name: 'gone.bake', mimeType: '', buffer: Buffer.from(exposure) };
    await page.locator('.panel input[type=file]').setInputFiles(gone);
    await problem.filter({ hasText: 'gone.bake: The file could not be read.' }).waitFor();
    await openTool('arena', 'quake3', 'bake');
    expect(await problem.textContent()).toBe('');
    // Of two, the last one counts, though the other takes longer to read; once the tool is closed, none.
    const pick = (name: string) =>
      page.locator('.panel input[type=file]').setInputFiles({ ...gone, name, buffer: Buffer.from(name) });
    const hold = () =>
      page.evaluate(() => {
        const { arrayBuffer } = Blob.prototype;
        Blob.prototype.arrayBuffer = async function () {
          Blob.prototype.arrayBuffer = arrayBuffer;
          await new Promise<void>((go) => Object.assign(window, { go }));
          return arrayBuffer.call(this);
        };
      });
    const goOn = () => page.evaluate('go(), new Promise((done) => setTimeout(done, 50))');
    await hold();
    await pick('slow.bake');
    await pick('quick.bake');
    await problem.filter({ hasText: /^quick\.bake: / }).waitFor();
    await goOn();
    expect(await problem.textContent()).toMatch(/^quick\.bake: /);
    // One that is read while the map changes is still wanted.
    await hold();
    await pick('slow.bake');
    await page.getByRole('button', { name: /^Map:/ }).click();
    await page.locator('[data-map=house][data-format=quake1]').click();
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'house');
    await goOn();
    await problem.filter({ hasText: /^slow\.bake: / }).waitFor();
  });

  setup.saysNothing();
});
