import { existsSync } from 'node:fs';
import { arenaQuake3 } from '@bspkit/fixtures';
import { accessProblems } from '@bspkit/testkit/axe';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, dropAll, noticeOf } from './browser.ts';
import { setUpPage } from './page-setup.ts';
import { BOX, toolPage } from './tools/tool-page.ts';

// A browser that is not there proves nothing; the title says so.
describe.runIf(existsSync(CHROMIUM))(`what axe says of the page (${CHROMIUM})`, () => {
  const setup = setUpPage();
  const { openTool } = toolPage(setup);

  const find = async (state: string, within?: readonly string[]): Promise<void> => {
    expect(await accessProblems(setup.page, [], within), state).toEqual([]);
  };

  /** Looks at the tools, one after the other, each with something to show. */
  async function findInTools(isChosen = (_: string): boolean => true): Promise<void> {
    const { page } = setup;
    const tools = [
      ['arena', 'quake3', 'shoot', { q: BOX }],
      ['arena', 'quake3', 'explain', { q: BOX }],
      ['arena', 'quake3', 'compare', { ran: true, role: 'point', count: 2000, queries: 'open', tracers: [] }],
      ['arena', 'quake3', 'edit'],
      ['arena', 'quake1', 'hulls'],
      ['house', 'ufoai', 'sight'],
      ['house', 'ufoai', 'paths'],
      ['arena', 'quake3', 'bake'],
    ] as const;
    for (const [map, format, tool, state] of tools.filter(([, , tool]) => isChosen(tool))) {
      await openTool(map, format, tool, state);
      const shown = { compare: '.tool-table', paths: '.tool-fields dd' } as Record<string, string>;
      const first = page
        .locator(shown[tool] ?? '.panel-body > *')
        .filter({ visible: true })
        .first();
      await first.waitFor();
      // Around the tool, the page is the same with all of them.
      await find(tool, tool === 'shoot' ? undefined : ['.panel', '.overlay', 'footer']);
    }
  }

  it('finds nothing in the tools, on a large screen in the dark', async () => {
    await setup.resize(1280, 800);
    await findInTools();
  });

  it('finds nothing in tools, at 400 % in the light', async () => {
    await setup.page.emulateMedia({ colorScheme: 'light' });
    await setup.resize(320, 256);
    await findInTools((tool) => ['shoot', 'compare', 'edit'].includes(tool));
    await setup.page.emulateMedia({ colorScheme: 'dark' });
    await setup.resize(800, 500);
  });

  it('finds nothing in menus, dialogs and messages', async () => {
    const { page } = setup;
    await setup.show('#map=arena&format=quake3&mode=walk');
    await find('walking');
    const closed = async (): Promise<void> => {
      await page.keyboard.press('Escape');
    };
    const states: Readonly<Record<string, [() => Promise<unknown>, () => Promise<unknown>]>> = {
      maps: [() => page.getByRole('button', { name: /^Map:/ }).click(), closed],
      view: [() => page.getByRole('button', { name: 'View options' }).click(), closed],
      help: [() => page.keyboard.press('?'), closed],
      choice: [() => dropAll(page, { 'a.bsp': arenaQuake3(), 'b.bsp': arenaQuake3() }), closed],
      message: [
        async () => {
          await dropAll(page, { 'empty.bsp': new Uint8Array(0) });
          await noticeOf(page);
        },
        () => page.getByRole('button', { name: 'Close message' }).click(),
      ],
    };
    for (const [state, [open, close]] of Object.entries(states)) {
      await open();
      await find(state);
      await close();
    }
  });

  it('finds nothing where something is wrong', async () => {
    const { page } = setup;
    await openTool('arena', 'quake3', 'shoot');
    await page.locator('summary').click();
    await page.getByRole('textbox', { name: 'To', exact: true }).fill('somewhere');
    await page.keyboard.press('Tab');
    await page.getByRole('alert').getByText('To must be three numbers').waitFor();
    await find('shoot');
    await openTool('arena', 'quake3', 'edit');
    await page.getByRole('textbox', { name: 'Text of the map' }).fill('nonsense');
    await page.locator('.tool-problem').waitFor();
    await find('edit');
  });

  setup.saysNothing();
});
