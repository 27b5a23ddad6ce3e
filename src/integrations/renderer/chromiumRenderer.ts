/**
 * Renders pages in a Chromium without network access: every request of a page is served through the guarded fetcher.
 * The browser starts with the first page, stops after a while without pages, and is restarted after a crash.
 */
import { tmpdir } from 'node:os';
import pLimit from 'p-limit';
import type { Browser } from 'playwright-core';
import type { Fetcher } from '../../model/fetching.ts';
import type { RequestLimits } from './guardedRequests.ts';
import { renderIn, within } from './pageRendering.ts';
import type { RenderCounted, Rendered } from './renderer.ts';

export type RendererOptions = {
  readonly executablePath: string;
  /** One page, without its time in the queue; ms, default 10,000. */
  readonly pageMs?: number;
  readonly limits?: Partial<RequestLimits>;
  /** The browser stops after this time without pages; ms, default 30,000. */
  readonly idleMs?: number;
};

export type Renderer = {
  /** Sends all requests of its pages through this fetcher. */
  readonly through: (fetch: Fetcher) => RenderCounted;
  readonly close: () => Promise<void>;
};

const PAGES_AT_ONCE = 2;
const LAUNCH_MS = 15_000;
const CLOSE_MS = 5000;
const LIMITS: RequestLimits = { requests: 100, bytes: 30 * 1024 * 1024, fileBytes: 10 * 1024 * 1024, requestMs: 8000 };
const MAX_HTML = 5 * 1024 * 1024;

/**
 * Otherwise sandboxed frames get their own process and run before the init script that disarms them. Only the last flag
 * of a name counts, so the features disabled by Playwright are repeated.
 */
const DISABLED_FEATURES = [
  'IsolateSandboxedIframes',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/**
 * No name resolves, and all connections go to a proxy that does not exist, including loopback, which normally bypasses
 * proxies.
 */
const FLAGS = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--no-pings',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
  '--disable-gpu',
  '--mute-audio',
  '--js-flags=--max-old-space-size=256',
];

export function createRenderer(options: RendererOptions): Renderer {
  const { executablePath, pageMs = 10_000, idleMs = 30_000 } = options;
  const limits = { ...LIMITS, ...options.limits };
  const queue = pLimit(PAGES_AT_ONCE);
  let active = 0;
  let current: Promise<Browser> | null = null;
  let closed = false;
  let idle: NodeJS.Timeout | null = null;

  /** Drops the browser; the next page gets a new one. */
  const drop = (browser: Promise<Browser>): Promise<void> => {
    if (current === browser) current = null;
    return browser.then(end, () => undefined);
  };
  const whileInUse = async <T>(work: () => Promise<T>): Promise<T> => {
    active++;
    if (idle) clearTimeout(idle);
    try {
      return await work();
    } finally {
      active--;
      const browser = current;
      if (active === 0 && browser && !closed) idle = setTimeout(() => void drop(browser), idleMs).unref();
    }
  };
  const renderNow = async (
    url: string,
    fetch: Fetcher,
    request: Parameters<RenderCounted>[1],
    left: () => number,
    isRetry = false,
  ): Promise<Rendered> => {
    const { mayFetch, signal = NEVER } = request;
    if (closed || signal.aborted) return nothing('The rendering was stopped.');
    if (left() <= 0) return nothing('The time was over before the browser was free.');
    current ??= launch(executablePath);
    const browser = current;
    let running: Browser;
    try {
      running = await browser;
    } catch (error) {
      await drop(browser);
      return nothing(`The browser could not be started: ${firstLine(error)}`);
    }
    try {
      const timeoutMs = Math.max(1, Math.min(pageMs, left()));
      const { result, stuck } = await renderIn(running, {
        url,
        fetch,
        mayFetch,
        limits,
        maxHtml: MAX_HTML,
        timeoutMs,
        signal,
      });
      if (stuck) await drop(browser);
      return result;
    } catch {
      await drop(browser);
      // Another page may have crashed the browser.
      return isRetry
        ? nothing('The browser ended while it showed the page.')
        : renderNow(url, fetch, request, left, true);
    }
  };

  return {
    through: (fetch) => (url, request) => {
      const endsAt = performance.now() + request.timeoutMs;
      return queue(() => whileInUse(() => renderNow(url, fetch, request, () => endsAt - performance.now())));
    },
    close: async () => {
      closed = true;
      if (idle) clearTimeout(idle);
      if (current) await drop(current);
    },
  };
}

function nothing(reason: string): Rendered {
  return { ok: false, reason, movedTo: null, requests: 0, bytes: 0 };
}

const NEVER = new AbortController().signal;

/** @throws if the browser does not start */
async function launch(executablePath: string): Promise<Browser> {
  // Lazy import: the module is large and only needed for rendering.
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath,
    args: FLAGS,
    // Chromium cannot use its sandbox as root.
    chromiumSandbox: process.getuid?.() !== 0,
    // Keeps this process's secrets out of the browser's environment.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: tmpdir(), LANG: 'C.UTF-8' },
    timeout: LAUNCH_MS,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

async function end(browser: Browser): Promise<void> {
  await within(CLOSE_MS, browser.close());
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
