/** Pictures for docs/: taken only while `PICTURES` names a folder to put them in. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { TestBrowser } from './browser.ts';

const SIZE = { width: 1200, height: 760 } as const;

/** The page at desktop size with the given `height`; restores its size. */
export async function picture(page: Page, name: string, height: number = SIZE.height): Promise<void> {
  if (process.env.PICTURES === undefined) return;
  const before = page.viewportSize() ?? SIZE;
  await page.setViewportSize({ ...SIZE, height });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.screenshot({ path: join(process.env.PICTURES, `${name}.jpg`), type: 'jpeg', quality: 75 });
  await page.setViewportSize(before);
}

const STYLE =
  'margin:0;padding:24px;width:fit-content;background:#16181d;color:#e6e6e6;font:15px/1.5 "DejaVu Sans Mono",monospace';

/** The output of a command, as a terminal shows it. `output` is called only if a picture is taken. */
export async function terminalPicture(
  browser: TestBrowser,
  name: string,
  command: string,
  output: () => Promise<string>,
): Promise<void> {
  if (process.env.PICTURES === undefined) return;
  const page = await browser.newPage({ viewport: SIZE });
  const text = `$ ${command}\n${await output()}`.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  await page.setContent(`<pre style='${STYLE}'>${text}</pre>`);
  await page.locator('pre').screenshot({ path: join(process.env.PICTURES, `${name}.jpg`), type: 'jpeg', quality: 80 });
  await page.close();
}
