import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { AS_IT_IS } from '../browser.ts';
import type { PageSetup } from '../page-setup.ts';

const OUTPUT = fileURLToPath(new URL('../../test-output/', import.meta.url));

/** A query of the arena that hits something. */
export const BOX = 'box:-15,-15,-24,15,15,32;0,-256,56;300,300,40';

/** What tests of tools ask the page for. */
export interface ToolPage {
  /** Opens a tool by a link, on the same page, even if it is the one that is open. */
  openTool(map: string, format: string, tool: string, state?: object, more?: string): Promise<void>;
  /** How many pixels of the panel are below the edge of a usual screen. */
  belowUsualScreen(): Promise<number>;
  /** What the page's link keeps of the tool. */
  stateOf(): Promise<Record<string, unknown>>;
  /** Names and values of the answer in the panel. */
  answerOf(): Promise<Record<string, string>>;
  outcomeOf(): Promise<string>;
  /** What the status line says. */
  saidOf(): Promise<string>;
  /** Keeps a picture of the page, or of another one, for people. */
  shot(name: string, page?: Page): Promise<void>;
}

/** The tools of the page that a `describe` has set up. */
export function toolPage(setup: PageSetup): ToolPage {
  const text = async (selector: string): Promise<string> =>
    (await setup.page.locator(selector).textContent())!;
  return {
    async openTool(map, format, tool, state, more = '') {
      const asked = (state ? `&state=${encodeURIComponent(JSON.stringify(state))}` : '') + more;
      await setup.show(`#map=${map}&format=${format}&tool=${tool}${asked}`);
    },
    async belowUsualScreen() {
      const { width, height } = setup.page.viewportSize()!;
      await setup.resize(1280, 800);
      const below = await setup.page.locator('.panel').evaluate((box) => box.scrollHeight - box.clientHeight);
      await setup.resize(width, height);
      return below;
    },
    async stateOf() {
      const link = await setup.page.evaluate(() => window.bspkitPlayground!.link());
      return JSON.parse(decodeURIComponent(/state=([^&]*)/.exec(link)![1]!));
    },
    answerOf: () =>
      setup.page.evaluate(() => {
        const names = [...document.querySelectorAll('.tool-fields dt')];
        return Object.fromEntries(
          names.map((name) => [name.textContent, name.nextElementSibling!.textContent]),
        );
      }),
    outcomeOf: () => text('.tool-outcome'),
    saidOf: () => text('footer [role=status]'),
    async shot(name, page = setup.page) {
      mkdirSync(OUTPUT, { recursive: true });
      await page.screenshot({ ...AS_IT_IS, path: `${OUTPUT}/${name}.png` });
    },
  };
}
