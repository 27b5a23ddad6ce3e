/**
 * `npm run screens [-- home,actions]`: pictures of every screen, on a phone and on a desktop, light and dark, into
 * docs/screens/. Needs Chromium.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext } from 'playwright-core';
import { logIn } from '../tests/given/product/apiClient.ts';
import { launchBrowser } from '../tests/given/product/browser.ts';
import { startBuiltServer, temporaryData } from '../tests/given/product/builtServer.ts';
import { open, type Screen, screensOf, signIn } from '../tests/given/product/screens.ts';

const FOLDER = fileURLToPath(new URL('../docs/screens/', import.meta.url));
const SIZES = { phone: { width: 360, height: 780 }, desktop: { width: 1440, height: 900 } } as const;
const THEMES = ['light', 'dark'] as const;
/** Tall enough to judge a long page by its beginning. */
const TALLEST = 1800;

async function picture(context: BrowserContext, base: string, screen: Screen, file: string): Promise<void> {
  const page = await context.newPage();
  await open(page, base, screen);
  const viewport = page.viewportSize() ?? SIZES.desktop;
  // What floats over a page stands in the middle of the window.
  const height = screen.prepare
    ? viewport.height
    : await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.screenshot({
    path: file,
    type: 'jpeg',
    quality: 70,
    fullPage: true,
    clip: { x: 0, y: 0, width: viewport.width, height: Math.min(height, TALLEST) },
  });
  await page.close();
}

async function main(): Promise<void> {
  const only = process.argv[2]?.split(',');
  mkdirSync(FOLDER, { recursive: true });
  const data = temporaryData();
  const server = await startBuiltServer(data.dir);
  let browser: Browser | undefined;
  try {
    const admin = await logIn(server.url, server.admin);
    const screens = (await screensOf(admin, server.demoSite)).filter(
      ({ name }) => only === undefined || only.includes(name),
    );
    browser = await launchBrowser();
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const theme of THEMES) {
        const options = { viewport, colorScheme: theme, reducedMotion: 'reduce' } as const;
        const [visitors, users] = [await browser.newContext(options), await browser.newContext(options)];
        await signIn(users, server.url, server.admin);
        for (const screen of screens)
          await picture(
            screen.signedIn ? users : visitors,
            server.url,
            screen,
            join(FOLDER, `${screen.name}-${size}-${theme}.jpg`),
          );
        await Promise.all([visitors.close(), users.close()]);
        process.stderr.write(`${size}, ${theme}: ${screens.length} screens\n`);
      }
    }
  } finally {
    await browser?.close();
    await server.stop();
    data.remove();
  }
}

await main();
