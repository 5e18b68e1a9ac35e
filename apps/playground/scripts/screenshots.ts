// Writes the pictures of the README, of the built page: `npm run screenshots`.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AS_IT_IS, goTo, launch, openPage, serve } from '../test/browser.ts';

const FOLDER = fileURLToPath(new URL('../pictures/', import.meta.url));

const box = encodeURIComponent(JSON.stringify({ q: 'box:-15,-15,-24,15,15,32;-120,-440,40;274,210,60' }));
const SHOT = `map=arena&mode=orbit&tool=shoot&state=${box}`;

const PICTURES = [
  { name: 'walk', theme: 'dark', link: 'map=arena&mode=walk&view=-60,-400,50.13,78,0' },
  { name: 'shoot', theme: 'light', link: SHOT },
  { name: 'shoot-dark', theme: 'dark', link: SHOT },
] as const;

const site = await serve();
const browser = await launch();
try {
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, theme, link } of PICTURES) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: theme });
    const { page, said } = await openPage(context);
    await goTo(page, `${site.url}#${link}`);
    // Somebody who walks comes to rest.
    await page.evaluate(() => {
      window.bspkitPlayground!.freeze();
      window.bspkitPlayground!.advance(1);
    });
    const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await page.evaluate(frames);
    await page.screenshot({ ...AS_IT_IS, path: `${FOLDER}${name}.png` });
    await context.close();
    if (said.length > 0) throw new Error(said.join('\n'));
    console.log(`pictures/${name}.png`);
  }
} finally {
  await browser.close();
  await site.close();
}
