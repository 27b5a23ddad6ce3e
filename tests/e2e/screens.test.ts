/**
 * Every screen, at each width and in both themes, is accessible and does not overflow. With `npm run test:full`, a
 * phone and a computer show each in both themes; otherwise a phone shows every other screen in one theme and a computer
 * the rest in the other, and each is laid out at all widths.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FULL } from '../given/fullForm.ts';
import { logIn } from '../given/product/apiClient.ts';
import { axeViolations, OF_THE_THEME, openBrowser, type TestBrowser, watchFaults } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { comesToRest, open, type Screen, screensOf, signIn } from '../given/product/screens.ts';
import { available, CHROMIUM } from '../given/requirements.ts';

/** Only the layout is checked there; at 1024 px the rest, too, with the full form. */
const NARROWEST = 320;

const DEVICES = [
  {
    name: 'a phone, at 360 and 320 px',
    widths: [360, NARROWEST],
    height: 780,
    colorScheme: 'light',
    hasTouch: true,
    isMobile: true,
  },
  {
    name: 'a computer, at 1440 and 1024 px',
    widths: [1440, 1024],
    height: 900,
    colorScheme: 'dark',
    hasTouch: false,
    isMobile: false,
  },
] as const;

/** Concurrent: while one is loaded, the others are checked. */
const LANES = 3;

describe.skipIf(!available('Chromium', CHROMIUM))('the screens', () => {
  const data = temporaryData();
  let server: BuiltServer;
  let browser: TestBrowser;
  let screens: readonly Screen[];

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    browser = await openBrowser();
    screens = await screensOf(await logIn(server.url, server.admin), server.demoSite);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  const overhang = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

  it.each(DEVICES)(
    'fit and are accessible on $name',
    async (device) => {
      const { height, colorScheme, hasTouch, isMobile } = device;
      const widths: readonly number[] = FULL
        ? device.widths
        : [device, ...DEVICES.filter((other) => other !== device)].flatMap((each) => each.widths);
      const [own = 0] = widths;
      const options = {
        viewport: { width: own, height },
        colorScheme,
        reducedMotion: 'reduce',
        hasTouch,
        isMobile,
      } as const;
      const [visitors, users] = [await browser.newContext(options), await browser.newContext(options)];
      await signIn(users, server.url, server.admin);
      const faults: unknown[] = [];

      const lookAt = async (page: Page, screen: Screen, width: number) => {
        const beyond = await overhang(page);
        if (beyond > 0) faults.push([screen.name, width, `${beyond} px beyond the window`]);
        if (width === NARROWEST || (width !== own && !FULL)) return;
        faults.push(...(await axeViolations(page)).map((violation) => [screen.name, width, violation]));
        // Colors do not follow the width.
        if (width !== own || !FULL) return;
        const other = colorScheme === 'light' ? 'dark' : 'light';
        await page.emulateMedia({ colorScheme: other });
        faults.push(
          ...(await axeViolations(page, OF_THE_THEME)).map((violation) => [screen.name, width, other, violation]),
        );
        await page.emulateMedia({ colorScheme });
      };
      const look = async (screen: Screen, page: Page) => {
        for (const width of widths) {
          await page.setViewportSize({ width, height });
          // One load for all widths: the page follows its window.
          if (width === own || screen.beginsByWidth) await open(page, server.url, screen);
          else await comesToRest(page);
          await lookAt(page, screen, width);
        }
      };

      const left = screens.filter((_, nth) => FULL || DEVICES[nth % DEVICES.length] === device).values();
      /** One tab of each kind for all its screens: it has compiled the scripts after the first. */
      const lane = async () => {
        const [visitor, user] = [await visitors.newPage(), await users.newPage()];
        const errors = [watchFaults(visitor), watchFaults(user)];
        for (const screen of left) {
          await look(screen, screen.signedIn ? user : visitor);
          faults.push(...errors.flatMap((each) => each.splice(0)).map((error) => [screen.name, error]));
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      expect(faults).toEqual([]);
      await Promise.all([visitors.close(), users.close()]);
    },
    900_000,
  );
});
