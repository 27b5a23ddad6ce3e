/** Real Chromium, headless, and the accessibility check of what it shows. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { FULL } from '../fullForm.ts';
import { CHROMIUM } from '../requirements.ts';
import { problemsOfAnswer } from './answers.ts';

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

/** A separate process, until it is closed. */
export function launchBrowser(options: Parameters<typeof chromium.launch>[0] = {}): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS, ...options });
}

/** A test file's handle of a shared browser. */
export type TestBrowser = Pick<Browser, 'newContext' | 'newPage' | 'close'>;

let kept: Promise<Browser> | null = null;

/**
 * The shared browser of this worker's test files: starting one takes longer than many of them run. Contexts are fresh
 * and belong to the caller; `close` closes those, and the browser ends with the process.
 */
export async function openBrowser(): Promise<TestBrowser> {
  if (!(await kept)?.isConnected()) kept = launchKept();
  const browser = await (kept as Promise<Browser>);
  const opened: BrowserContext[] = [];
  const problems: string[] = [];
  const newContext: TestBrowser['newContext'] = async (options) => {
    // Drawing what moves takes a good part of the processor.
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    opened.push(context);
    watchAnswers(context, problems);
    return context;
  };
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    close: async () => {
      await Promise.all(opened.map((context) => context.close()));
      if (problems.length > 0) throw new Error(`Answers are not what their contracts say:\n${problems.join('\n')}`);
    },
  };
}

/** Holds what the product answers to its pages to the contract. */
function watchAnswers(context: BrowserContext, problems: string[]): void {
  context.on('response', async (response) => {
    if (!response.ok() || !response.headers()['content-type']?.includes('json')) return;
    // Left before it was read.
    const body: unknown = await response.json().catch(() => null);
    if (body !== null)
      problems.push(...problemsOfAnswer(response.request().method(), response.url(), response.status(), body));
  });
}

function launchKept(): Promise<Browser> {
  // Vitest ends its workers by this signal; an exit takes the browser and its files along.
  process.once('SIGTERM', () => process.exit());
  return launchBrowser({ handleSIGTERM: false });
}

/** The rules that a theme can break: only these are checked in the second theme. */
export const OF_THE_THEME = ['color-contrast', 'link-in-text-block'];

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The minified axe: its builder's own script is more than twice as long, and is sent twice for each check. */
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** Rows and cards of one list look alike: the short form checks the first five of each. */
const ALIKE = ':is(tr, li, article):nth-of-type(n + 6)';

/** Every violation of WCAG 2.2 A and AA, or of `rules` alone, with the elements; `[]` is clean. */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Waits for color transitions to finish.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // Once per document: later checks find it there.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  // Its legacy mode checks only the page, in about half the time: our pages have no frames. Passed rules are not
  // reported.
  const axe = new AxeBuilder({ page, axeSource: 'void 0' }).options({ resultTypes: ['violations'] }).setLegacyMode();
  if (!FULL) axe.exclude(ALIKE);
  const { violations } = await (rules ? axe.withRules([...rules]) : axe.withTags(TAGS)).analyze();
  return violations.map(
    (violation) =>
      `${violation.id}: ${violation.help} at ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
}

export type Theme = 'light' | 'dark';

/**
 * In which themes a page is checked at a width: in the light one if it is narrow, else in the dark one; first in that
 * one, then in the other with `npm run test:full`.
 */
export function themesAt(width: number): readonly Theme[] {
  const both: readonly Theme[] = width < 600 ? ['light', 'dark'] : ['dark', 'light'];
  return FULL ? both : both.slice(0, 1);
}

/** Everything in the light theme; in the dark one, what it can break, and everything with `npm run test:full`. */
export function axeInTheme(page: Page, colorScheme: Theme): Promise<string[]> {
  return axeViolations(page, ...(colorScheme === 'dark' && !FULL ? [OF_THE_THEME] : []));
}

/** Collects what a page should never have: script errors, refused content, failed requests to the product. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (401|402|404)/.test(message.text()))
      faults.push(`console: ${message.text()}`);
  });
  return faults;
}
