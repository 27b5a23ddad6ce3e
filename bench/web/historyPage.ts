/**
 * The history of a stream in a browser: from the click to its rows on the screen, and how many rows the page holds
 * while it is scrolled to its end.
 */
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { logIn, signUp } from '../../tests/given/product/apiClient.ts';
import { launchBrowser } from '../../tests/given/product/browser.ts';
import { startBuiltServer } from '../../tests/given/product/builtServer.ts';
import { signIn } from '../../tests/given/product/screens.ts';
import { newEvent } from '../events.ts';
import { type Figure, median, milliseconds, type Row } from '../measure.ts';

const LENGTHS = [1_000, 10_000] as const;
const LONG = 10_000;
const GOAL_MS = 1_000;
/** Shorter lists are all in the page, so that the browser's find works (Timeline.tsx). */
const WINDOWED_FROM = 150;
/** A screen and the rows rendered around it. */
const MOST_AT_END = 60;
const PART = 1_000;

/** From the next click to the frame that shows the first row. `void`: evaluating a promise would wait for it. */
const WATCH = `
  void (window.shown = new Promise((done) => addEventListener('click', () => {
    const from = performance.now();
    const look = () => requestAnimationFrame(() => document.querySelector('[role=feed] article') ? done(performance.now() - from) : look());
    look();
  }, { capture: true, once: true })));`;
const ROWS = `document.querySelectorAll('[role=feed] article').length`;
const SCROLLED = `new Promise((done) => {
  scrollTo(0, document.body.scrollHeight);
  requestAnimationFrame(() => requestAnimationFrame(() => done(document.getElementById('event-0') !== null)));
})`;

/** Appends grants of credits to the bills, in the log of a server that has stopped. */
async function plant(dataDir: string, bills: ReadonlyMap<number, string>): Promise<void> {
  const store = openSqliteEventStore({ file: join(dataDir, 'events.db') });
  for (const [events, userId] of bills)
    for (let from = 0; from < events; from += PART) {
      const part = Array.from({ length: PART }, (_, index) => {
        const nth = from + index;
        const grantedAt = new Date(Date.UTC(2026, 0, 1) + nth * 60_000).toISOString();
        return newEvent('CreditsGranted', {
          userId,
          grantId: `grant-${nth}`,
          credits: 1,
          reason: 'Bench',
          balance: nth + 1,
          grantedAt,
        });
      });
      await store.append(`billing-${userId}`, part, { expected: 'any' });
    }
  await store.close();
}

async function opened(
  context: BrowserContext,
  url: string,
  userId: string,
): Promise<readonly [page: Page, ms: number]> {
  const page = await context.newPage();
  await page.goto(`${url}/admin/users/${userId}`, { waitUntil: 'networkidle' });
  await page.evaluate(WATCH);
  await page.getByRole('link', { name: 'History of the bill' }).click();
  return [page, await page.evaluate<number>('window.shown')];
}

/** Rows in the page: the most at any time on the way to the end, and at the end. */
async function rowsInPage(page: Page): Promise<{ readonly most: number; readonly atEnd: number }> {
  let [most, atEnd] = [0, 0];
  for (let isAtEnd = false; !isAtEnd; ) {
    isAtEnd = await page.evaluate<boolean>(SCROLLED);
    atEnd = await page.evaluate<number>(ROWS);
    most = Math.max(most, atEnd);
  }
  return { most, atEnd };
}

export const historyPage: Figure = {
  name: 'historyPage',
  async measure({ dir, rounds, say }) {
    const first = await startBuiltServer(dir);
    const admin = await logIn(first.url, first.admin);
    const other = await signUp(first.url, 'bench@example.com');
    await first.stop();
    const bills = new Map<number, string>([
      [LENGTHS[0], admin.userId],
      [LENGTHS[1], other.userId],
    ]);
    await plant(dir, bills);
    const server = await startBuiltServer(dir);
    const browser = await launchBrowser();
    try {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      await signIn(context, server.url, first.admin);
      const rows: Row[] = [];
      for (const [events, userId] of bills) {
        const took: number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const [page, ms] = await opened(context, server.url, userId);
          say(`${events} events: ${Math.round(ms)} ms`);
          took.push(ms);
          await page.close();
        }
        const ms = median(took);
        const what = `history of ${events.toLocaleString('en-US')} events in a browser: from the click to its rows`;
        rows.push({
          what,
          ours: milliseconds(ms),
          limit: '–',
          ratio: null,
          goal: `< ${GOAL_MS} ms`,
          met: ms < GOAL_MS,
        });
      }
      const [page] = await opened(context, server.url, bills.get(LONG) ?? '');
      const { most, atEnd } = await rowsInPage(page);
      const what = `history of ${LONG.toLocaleString('en-US')} events in a browser: rows in the page, most while scrolling / at its end`;
      const goal = `<= ${WINDOWED_FROM} / < ${MOST_AT_END}`;
      return [
        ...rows,
        {
          what,
          ours: `${most} / ${atEnd}`,
          limit: '–',
          ratio: null,
          goal,
          met: most <= WINDOWED_FROM && atEnd < MOST_AT_END,
        },
      ];
    } finally {
      await browser.close();
      await server.stop();
    }
  },
};
