import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { layerMarks, readOutcome } from '@bspkit/bake/picture';
import { compileMap, roomBrushes } from '@bspkit/compile';
import { temporaryFolder } from '@bspkit/testkit/folder';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { OpenMap } from '../../src/app/open-map.ts';
import { computeBake, type HereKind } from '../../src/tools/bake/compute.ts';
import { placedValues } from '../../src/tools/bake/values.ts';
import { CHROMIUM } from '../browser.ts';
import { setUpPage } from '../page-setup.ts';
import { openFixture } from './maps.ts';
import { BOX, toolPage } from './tool-page.ts';

/** What a bake's file says of its values. */
function readOutcomeOf(bytes: Uint8Array): { readonly values: Float32Array; readonly mark: string } {
  const { layer } = placedValues(readOutcome(bytes), undefined);
  return { values: layer.values as Float32Array, mark: layerMarks(layer)[0]!.label };
}

const COMMAND = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));

it.each([
  ['quake1', 'exposure', []],
  ['quake2', 'occlusion', []],
  ['ufoai', 'sight', ['--points', 'cells']],
] as const)('bakes have the bytes that the command writes: of %s, %s', async (id, kind, points) => {
  const { format, bytes } = await openFixture('house', id);
  const folder = temporaryFolder(onTestFinished);
  const [map, out] = [join(folder, 'house.bsp'), join(folder, 'house.bake')];
  // As a file, which the command need not compile.
  writeFileSync(map, bytes);
  const args = ['--kind', kind, ...points, '--step', '64', '--out', out];
  await promisify(execFile)(process.execPath, [COMMAND, 'bake', map, ...args]);
  const computed = await computeBake(format, bytes, { kind, step: 64 }, () => {});
  expect(Buffer.from(computed).equals(readFileSync(out))).toBe(true);
});

describe.runIf(existsSync(CHROMIUM))(`bakes in a browser (${CHROMIUM})`, () => {
  const setup = setUpPage({ viewport: { width: 900, height: 560 } });
  const { openTool, answerOf, outcomeOf, saidOf, stateOf, shot } = toolPage(setup);
  let arena: OpenMap;
  /** Opens a file as one that was dropped, and waits until it is shown or refused. */
  const open = async (name: string, bytes: Uint8Array): Promise<void> => {
    const file = [name, Buffer.from(bytes).toString('base64')] as const;
    await setup.page.evaluate(([title, text]) => {
      const content = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
      return window.bspkitPlayground!.openFile(new File([content], title));
    }, file);
  };
  const compute = (kind: HereKind, step: number) =>
    computeBake(arena.format, arena.bytes, { kind, step }, () => {});

  beforeAll(async () => {
    arena = await openFixture('arena', 'quake3');
  });

  it('says how to make one of the map that is open', async () => {
    const command = setup.page.locator('.panel code');
    await openTool('house', 'quake2', 'bake');
    const { page } = setup;
    expect(await command.textContent()).toMatch(
      / bake demo:house@quake2 --kind occlusion --step 32 --out house\.bake\s*$/,
    );
    await page.getByLabel('What').selectOption('Sight');
    await page.getByLabel('Points apart').selectOption('64 units');
    expect(await command.textContent()).toMatch(
      / --kind sight --points cells --step 64 --out house\.bake\s*$/,
    );
    // What was changed is not what the command has.
    await openTool('house', 'quake2', 'bake', undefined, '&lines=[[1,"//"]]');
    expect(await command.textContent()).toMatch(
      / bake level\.bsp --kind occlusion --step 32 --out level\.bake\s*$/,
    );
  });

  it('computes one, keeps it while other tools are in use, and saves what the command writes', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'bake');
    await page.getByLabel('What').selectOption('Exposure');
    await page.getByLabel('Points apart').selectOption('64 units');
    await page.getByRole('button', { name: 'Compute' }).click();
    const outcome = page.locator('.tool-outcome');
    await expect.poll(() => outcome.textContent()).toBe('Where players are seen most');
    expect(await saidOf()).toBe('Where players are seen most.');
    expect(await stateOf()).toEqual({ kind: 'exposure', step: 64, ran: true });
    await shot('bake-computed');
    const save = page.getByRole('button', { name: 'Save .bake' });
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
    expect(download.suggestedFilename()).toBe('arena.bake');
    const saved = new Uint8Array(readFileSync(await download.path()));
    expect(saved).toEqual(await compute('exposure', 64));
    expect(await saidOf()).toBe('Saved arena.bake.');
    // Another tool, and back: it is there at once. So is what a link asks for, once it has been computed.
    await page.getByRole('button', { name: 'Shoot', exact: true }).click();
    await page.locator('.panel').getByLabel('Shape').waitFor();
    await page.getByRole('button', { name: 'Bakes', exact: true }).click();
    await outcome.waitFor();
    expect(await answerOf()).toEqual({
      cells: String(readOutcomeOf(saved).values.length),
      [readOutcomeOf(saved).mark]: expect.any(String),
    });
    await openTool('arena', 'quake3', 'bake', { kind: 'sight', step: 64, ran: true });
    await expect.poll(() => outcome.textContent()).toBe('Where one sees most');
    // Another choice is another bake, and a map that is opened has none.
    await page.getByLabel('What').selectOption('Occlusion');
    expect(await outcome.isVisible()).toBe(false);
    expect(await stateOf()).toEqual({ kind: 'occlusion', step: 64, ran: false });
    await page.getByRole('button', { name: /^Map:/ }).click();
    await page.locator('[data-map=house][data-format=quake1]').click();
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'house');
    expect(await outcome.isVisible()).toBe(false);
  });

  it('stops when it is told to, and says why there is nothing to compute', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'bake');
    // Workers that never answer.
    await page.evaluate(() => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = () => {
        Worker.prototype.postMessage = postMessage;
      };
    });
    const workers = page.workers().length;
    await page.getByRole('button', { name: 'Compute' }).click();
    await page.getByRole('progressbar').waitFor();
    await expect.poll(() => page.workers().length).toBe(workers + 1);
    // What is chosen meanwhile is not what is computed.
    await page.getByLabel('What').selectOption('Exposure');
    expect(await page.getByRole('progressbar').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => page.workers().length).toBe(workers);
    expect(await page.getByRole('progressbar').isVisible()).toBe(false);
    expect(await stateOf()).toEqual({ kind: 'exposure', step: 32, ran: false });
    // A room in which nobody begins.
    const { bytes } = compileMap(roomBrushes([0, 0, 0], [256, 256, 256], 16), { format: 'quake3' });
    await open('room.bsp', bytes);
    await page.waitForFunction(() => window.bspkitPlayground!.map?.name === 'room.bsp');
    await page.getByLabel('What').selectOption('Sight');
    await page.getByRole('button', { name: 'Compute' }).click();
    await expect
      .poll(() => page.locator('.panel [role=alert]').textContent())
      .toBe('Players come to no place here: no start has room for one, and a floor below.');
  });

  it('shows bakes that are dropped, of the map that is open alone', async () => {
    const { page } = setup;
    const problem = page.locator('.panel [role=alert]');
    await openTool('arena', 'quake3', 'shoot', { q: BOX });
    const exposure = await compute('exposure', 96);
    await open('arena.bake', exposure);
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

    await open('sight.bake', await compute('sight', 96));
    expect(await outcomeOf()).toBe('Where one sees most');
    await page.mouse.click(view.x + view.width / 2, view.y + view.height / 2);
    expect(await outcomeOf()).toMatch(/^What is seen from -?\d/);
    expect((await answerOf()).seen).toMatch(/^\d+$/);
    await page.getByRole('button', { name: 'All points' }).click();
    expect(await outcomeOf()).toBe('Where one sees most');

    // Another map: what is there is taken away, and another bake of the first is refused by name.
    await openTool('house', 'ufoai', 'bake');
    await open('arena.bake', exposure);
    await problem.filter({ hasText: 'arena.bake was made from another map than house' }).waitFor();
    expect(await page.locator('.tool-outcome').isVisible()).toBe(false);
    const broken = exposure.slice();
    broken[40]! ^= 1;
    await open('broken.bake', broken);
    expect(await problem.textContent()).toMatch(/^broken\.bake: The file is damaged: /);
    await open('cut.bake', exposure.subarray(0, exposure.length - 60));
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
