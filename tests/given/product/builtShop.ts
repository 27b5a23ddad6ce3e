/** The built server with the payment sandbox in it, and direct changes to the sandbox: codes, the clock, cards. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import type Stripe from 'stripe';
import { expect } from 'vitest';
import { FULL } from '../fullForm.ts';
import { stripeOf } from '../paymentSandbox.ts';
import { axeViolations, OF_THE_THEME, type Theme, themesAt } from './browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from './builtServer.ts';

const DAY_SECONDS = 86_400;

export type BuiltShop = {
  readonly server: BuiltServer;
  /** The provider, with the secret key. */
  readonly stripe: Stripe;
  readonly sandboxUrl: string;
  /** Moves the provider's clock; resolves when the server has received all due webhooks. */
  pass(days: number): Promise<void>;
  /** Actions that a real provider does not offer; resolves when the server has received the resulting webhooks. */
  control<T = unknown>(path: string, body: object): Promise<T>;
  close(): Promise<void>;
};

export async function openBuiltShop(env: Readonly<Record<string, string>> = {}): Promise<BuiltShop> {
  const data = temporaryData();
  const server = await startBuiltServer(data.dir, { BILLING: 'sandbox', ...env });
  const sandboxUrl = /Payments:\s+sandbox .*?(http:\S+)/.exec(server.output())?.[1] ?? '';
  const key = secretKeyIn(data.dir);
  const ask = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${sandboxUrl}/control/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const control = async <T>(path: string, body: object): Promise<T> => {
    const answer = (await ask(path, body)) as T;
    await ask('deliver', {});
    return answer;
  };
  return {
    server,
    stripe: stripeOf(sandboxUrl, key),
    sandboxUrl,
    pass: async (days) => void (await control('clock', { by: days * DAY_SECONDS })),
    control,
    close: async () => {
      await server.stop();
      data.remove();
    },
  };
}

/** The key that the sandbox generated at its first start. */
function secretKeyIn(dataDir: string): string {
  const books = new Database(join(dataDir, 'payments', 'payments.db'), { readonly: true });
  try {
    return books.prepare<[], { value: string }>("SELECT value FROM notes WHERE name = 'secret_key'").get()?.value ?? '';
  } finally {
    books.close();
  }
}

const LOOKS = [
  { width: 390, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 390, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
] as const;

type Looks = {
  /**
   * Accessible, without overflow. Then switches to the width and theme of the next check, so that the page is laid out
   * for it.
   */
  look(page: Page, name: string): Promise<void>;
  /** The loaded page at every width, in the themes of `themesAt`; restores its width and theme. */
  lookEverywhere(page: Page, name: string): Promise<void>;
};

/** Checks pages, each time at another width or in the other theme. `shots`: a folder for screenshots. */
export function looksByTurns(shots: string | undefined): Looks {
  let turn = 0;
  const next = () => LOOKS[turn % LOOKS.length] ?? LOOKS[0];
  const everywhere = looksEverywhere(shots);
  return {
    look: async (page, name) => {
      await lookAt(page, name, next(), shots);
      turn += 1;
      await put(page, next());
    },
    lookEverywhere: (page, name) => everywhere(page, name, next()),
  };
}

/** In the short form, each width in one theme, and accessibility in one of them, by turns. */
const ALL_LOOKS = FULL ? LOOKS : LOOKS.slice(0, 2);

/** Checks each page at every width, and in both themes with `npm run test:full`. */
export function looksAll(shots: string | undefined): Looks {
  let turn = 0;
  const everywhere = looksEverywhere(shots);
  return {
    look: async (page, name) => {
      for (const [at, look] of ALL_LOOKS.entries())
        await lookAt(page, name, look, shots, FULL || at === turn % ALL_LOOKS.length ? undefined : []);
      turn += 1;
      await put(page, LOOKS[0]);
    },
    lookEverywhere: (page, name) => everywhere(page, name, LOOKS[0]),
  };
}

type Look = { readonly width: number; readonly colorScheme: Theme };

const WIDTHS = [390, 1024, 1440] as const;

/**
 * Accessibility at the narrowest and the widest, in the short form at one of them, by turns; otherwise only the layout
 * is checked. With the full form, each width in both themes, the second of which can only break colors.
 */
function looksEverywhere(shots: string | undefined): (page: Page, name: string, before: Look) => Promise<void> {
  let turn = 0;
  return async (page, name, before) => {
    const checked = turn % 2 === 0 ? WIDTHS[0] : WIDTHS[2];
    turn += 1;
    for (const width of WIDTHS) {
      const [first = 'light', ...others] = themesAt(width);
      await lookAt(page, name, { width, colorScheme: first }, shots, FULL || width === checked ? undefined : []);
      for (const colorScheme of others) await lookAt(page, name, { width, colorScheme }, shots, OF_THE_THEME);
    }
    await put(page, before);
  };
}

async function put(page: Page, { width, colorScheme }: Look): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
}

/** `rules`: of accessibility, all if left out; none: only the layout. */
async function lookAt(
  page: Page,
  name: string,
  look: Look,
  shots: string | undefined,
  rules?: readonly string[],
): Promise<void> {
  const { width, colorScheme } = look;
  await put(page, look);
  await page.evaluate(
    'Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)))',
  );
  if (shots) await page.screenshot({ path: `${shots}/${name}-${colorScheme}-${width}.png`, fullPage: true });
  expect(
    await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
    `${name} at ${width}`,
  ).toBeLessThanOrEqual(0);
  if (rules?.length !== 0) expect(await axeViolations(page, rules), `${name}, ${colorScheme} at ${width}`).toEqual([]);
}
