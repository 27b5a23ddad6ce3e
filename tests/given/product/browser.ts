/** Real Chromium, headless, and the accessibility check of what it shows. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { CHROMIUM } from '../requirements.ts';

export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A process of its own, until it is closed. */
export function launchBrowser(options: Parameters<typeof chromium.launch>[0] = {}): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS, ...options });
}

/** What a test file has of a browser that others have, too. */
export type TestBrowser = Pick<Browser, 'newContext' | 'newPage' | 'close'>;

let kept: Promise<Browser> | null = null;

/**
 * The one browser of this worker's test files: to start it takes longer than what many of them look at. Contexts are the caller's own, with nothing in them;
 * `close` ends those, the browser ends with the process.
 */
export async function openBrowser(): Promise<TestBrowser> {
  if (!(await kept)?.isConnected()) kept = launchKept();
  const browser = await (kept as Promise<Browser>);
  const opened: BrowserContext[] = [];
  const newContext: TestBrowser['newContext'] = async (options) => {
    const context = await browser.newContext(options);
    opened.push(context);
    return context;
  };
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    close: async () => void (await Promise.all(opened.map((context) => context.close()))),
  };
}

function launchKept(): Promise<Browser> {
  // Vitest ends its workers by this signal; an exit takes the browser and its files along.
  process.once('SIGTERM', () => process.exit());
  return launchBrowser({ handleSIGTERM: false });
}

/** What the theme alone may break: only this is checked for the second theme. */
export const OF_THE_THEME = ['color-contrast', 'link-in-text-block'];

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Axe as it is packed: what its builder sends by itself is more than twice as long, and goes to the page twice for each look. */
const AXE = readFileSync(createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8');

/** Every violation of WCAG 2.2 A and AA, or of `rules` alone, with the elements; `[]` is clean. */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Colours are judged as they come to rest.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // Once for each document: the looks that follow find it there.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  // Its older mode asks the page alone, in about half the time: no page of ours has frames. What passed is not described.
  const axe = new AxeBuilder({ page, axeSource: 'void 0' }).options({ resultTypes: ['violations'] }).setLegacyMode();
  const { violations } = await (rules ? axe.withRules([...rules]) : axe.withTags(TAGS)).analyze();
  return violations.map((violation) => `${violation.id}: ${violation.help} at ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

/** Collects what a page should never have: script errors, refused content, failed requests to the product. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (401|402|404)/.test(message.text())) faults.push(`console: ${message.text()}`);
  });
  return faults;
}
