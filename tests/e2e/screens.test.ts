/** Every screen, at each width and in both themes: everybody can read it, and nothing sticks out. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn } from '../given/product/apiClient.ts';
import { axeViolations, launchBrowser, watchFaults } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { open, type Screen, screensOf, signIn } from '../given/product/screens.ts';
import { available, CHROMIUM } from '../given/requirements.ts';

/** Of 320 px, the narrowest that is supported, the layout alone is looked at. */
const NARROWEST = 320;

/** What the theme alone may break: the second theme is asked for this alone. */
const OF_THE_THEME = ['color-contrast', 'link-in-text-block'];

describe.skipIf(!available('Chromium', CHROMIUM))('the screens', () => {
  const data = temporaryData();
  let server: BuiltServer;
  let browser: Browser;
  let screens: readonly Screen[];

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    browser = await launchBrowser();
    screens = await screensOf(await logIn(server.url, server.admin), server.demoSite);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  const overhang = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

  it.each([
    { width: 360, height: 780, hasTouch: true, isMobile: true },
    { width: 1024, height: 768 },
    { width: 1440, height: 900 },
  ])(
    'fit and are accessible at $width px, light and dark',
    async ({ width, height, ...device }) => {
      const options = { viewport: { width, height }, reducedMotion: 'reduce', ...device } as const;
      const [visitors, users] = [await browser.newContext(options), await browser.newContext(options)];
      await signIn(users, server.url, server.admin);
      const faults: unknown[] = [];
      const look = async (screen: Screen) => {
        const page = await (screen.signedIn ? users : visitors).newPage();
        const errors = watchFaults(page);
        await open(page, server.url, screen);
        faults.push(...(await axeViolations(page)).map((violation) => [screen.name, 'light', violation]));
        await page.emulateMedia({ colorScheme: 'dark' });
        faults.push(...(await axeViolations(page, OF_THE_THEME)).map((violation) => [screen.name, 'dark', violation]));
        for (const narrow of width === 360 ? [width, NARROWEST] : [width]) {
          await page.setViewportSize({ width: narrow, height });
          const beyond = await overhang(page);
          if (beyond > 0) faults.push([screen.name, narrow, `${beyond} px beyond the window`]);
        }
        faults.push(...errors.map((error) => [screen.name, error]));
        await page.close();
      };
      // Two at a time: while one is loaded, the other is looked at.
      const left = screens.values();
      const lane = async () => {
        for (const screen of left) await look(screen);
      };
      await Promise.all([lane(), lane()]);
      expect(faults).toEqual([]);
      await Promise.all([visitors.close(), users.close()]);
    },
    900_000,
  );
});
