/** Renders one page in its own browser context: opens it, waits until it settles, and reads it. */
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession } from 'playwright-core';
import type { Fetcher } from '../../model/fetching.ts';
import { createGuardedRequests, noteMove, type RequestLimits, type RequestState } from './guardedRequests.ts';
import type { Rendered } from './renderer.ts';

export type PageRendering = {
  readonly url: string;
  readonly fetch: Fetcher;
  readonly mayFetch: (url: string) => boolean;
  readonly limits: RequestLimits;
  /** Of the serialized document, characters. */
  readonly maxHtml: number;
  readonly timeoutMs: number;
  /** Aborts all pending requests. */
  readonly signal: AbortSignal;
};

/** The page has settled after this long without requests or changes. */
const QUIET_MS = 500;
const POLL_MS = 100;
/** Timeout for one evaluation; if it is exceeded, the page's scripts are blocking. */
const ANSWER_MS = 1000;
const CLOSE_MS = 3000;
/** Share of the time for a page that never settles. */
const SETTLE_SHARE = 0.6;
/** Removes APIs for network access, new windows and endless work that no page needs for its content. */
const DISARM = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'SharedWorker', 'open', 'print']) {
  try { Object.defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false }); } catch {}
}
// Without end they would keep the browser busy with itself.
for (const name of ['pushState', 'replaceState']) {
  const change = History.prototype[name];
  let left = 100;
  History.prototype[name] = function (...args) { if (left-- > 0) return change.apply(this, args); };
}`;
const WORLD = 'reader';
const MEASURE = `document.getElementsByTagName('*').length + ' ' + (document.body ? document.body.textContent.length : 0) + ' ' + document.title`;

/** `stuck`: the context could not be closed, so the browser has to be. Rejects only if the browser itself fails. */
export async function renderIn(
  browser: Browser,
  rendering: PageRendering,
): Promise<{ readonly result: Rendered; readonly stuck: boolean }> {
  const endsAt = performance.now() + rendering.timeoutMs;
  const context = await browser.newContext({
    serviceWorkers: 'block',
    acceptDownloads: false,
    locale: 'en-US',
    viewport: { width: 1280, height: 2000 },
  });
  const stop = new AbortController();
  let closed: boolean | undefined;
  try {
    const signal = AbortSignal.any([stop.signal, rendering.signal]);
    // Every request of the page adds a listener to it.
    setMaxListeners(0, signal);
    const result = await open(context, rendering, signal, endsAt);
    closed = await close(context, stop);
    return { result, stuck: !closed };
  } finally {
    if (closed === undefined) await close(context, stop);
  }
}

async function close(context: BrowserContext, stop: AbortController): Promise<boolean> {
  stop.abort();
  const closing = context.close().then(() => true);
  return (await within(CLOSE_MS, closing)) === true;
}

async function open(
  context: BrowserContext,
  rendering: PageRendering,
  signal: AbortSignal,
  endsAt: number,
): Promise<Rendered> {
  const { url, fetch, mayFetch, limits } = rendering;
  const left = (): number => Math.max(1, endsAt - performance.now());
  await context.addInitScript(DISARM);
  const page = await context.newPage();
  const { handle, state } = createGuardedRequests({
    url,
    fetch,
    mayFetch,
    limits,
    signal,
    isMainFrame: (request) => request.frame() === page.mainFrame(),
  });
  await context.route('**/*', handle);
  context.on('page', (other) => void other.close().catch(() => undefined));
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  let crashed = false;
  page.on('crash', () => {
    crashed = true;
  });
  const failed = (reason: string): Rendered => ({
    ok: false,
    reason,
    movedTo: state.movedTo,
    requests: state.requests,
    bytes: state.bytes,
  });
  const isOver = (): boolean => signal.aborted || crashed || page.isClosed() || state.movedTo !== null;

  const session = await context.newCDPSession(page);
  await noteMoves(session, (to) => noteMove(state, url, to));
  const evaluate = createEvaluate(session);
  const loaded = page.goto(url, { waitUntil: 'domcontentloaded', timeout: left() }).then(
    () => true,
    () => false,
  );
  const settleMs = rendering.timeoutMs * SETTLE_SHARE;
  await Promise.race([loaded, untilOver(isOver, settleMs)]);
  if (signal.aborted) return failed('The rendering was stopped.');
  if (state.failure !== null) return failed(`The page did not answer to the browser: ${state.failure}`);
  await untilRest(evaluate, state, isOver, endsAt - rendering.timeoutMs * (1 - SETTLE_SHARE));
  if (page.isClosed() && !signal.aborted) throw new Error('The browser ended.');
  if (crashed) return failed('The page crashed in the browser.');
  if (state.movedTo !== null) return failed(`A script of the page sends visitors on to ${state.movedTo}.`);
  if (signal.aborted) return failed('The rendering was stopped.');
  if (!state.opened) return failed('The page did not answer to the browser in time.');
  const html = await within(left(), evaluate(`document.documentElement ? ${HTML}.slice(0, ${rendering.maxHtml}) : ''`));
  if (typeof html !== 'string')
    return failed(
      crashed
        ? 'The page crashed in the browser.'
        : 'The scripts of the page kept the browser busy until the time was over.',
    );
  return { ok: true, html, requests: state.requests, bytes: state.bytes };
}

const HTML = `((document.doctype ? '<!DOCTYPE html>' : '') + document.documentElement.outerHTML)`;

async function untilOver(isOver: () => boolean, ms: number): Promise<void> {
  const endsAt = performance.now() + ms;
  while (!isOver() && performance.now() < endsAt) await wait(POLL_MS);
}

/** Returns when the page has settled, or when time is up. */
async function untilRest(
  evaluate: Evaluate,
  state: RequestState,
  isOver: () => boolean,
  endsAt: number,
): Promise<void> {
  let quietSince = performance.now();
  let last: unknown;
  while (!isOver() && performance.now() < endsAt) {
    const measure = await within(ANSWER_MS, evaluate(MEASURE));
    if (measure === undefined || measure !== last || state.underWay > 0) quietSince = performance.now();
    else if (performance.now() - quietSince >= QUIET_MS) return;
    last = measure;
    await wait(POLL_MS);
  }
}

/**
 * A page that keeps navigating cancels each navigation before its request is made, so the browser's own events are
 * used.
 */
async function noteMoves(session: CDPSession, note: (to: string) => void): Promise<void> {
  const { frameTree } = await session.send('Page.getFrameTree');
  session.on('Page.frameRequestedNavigation', ({ frameId, url, disposition }) => {
    if (frameId === frameTree.frame.id && disposition === 'currentTab') note(url);
  });
  await session.send('Page.enable');
}

/** Evaluates in an isolated world that the page's scripts cannot modify; undefined if that is not possible now. */
type Evaluate = (expression: string) => Promise<unknown>;

function createEvaluate(session: CDPSession): Evaluate {
  let world: number | null = null;
  return async (expression) => {
    try {
      world ??= await createWorld(session);
      const { result } = await session.send('Runtime.evaluate', { expression, contextId: world, returnByValue: true });
      return result.value;
    } catch {
      // The document was replaced.
      world = null;
      return undefined;
    }
  };
}

async function createWorld(session: CDPSession): Promise<number> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: WORLD,
  });
  return executionContextId;
}

/** Undefined on timeout or failure. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const stop = new AbortController();
  const late = wait(ms, undefined, { signal: stop.signal }).catch(() => undefined);
  try {
    return await Promise.race([work.catch(() => undefined), late]);
  } finally {
    stop.abort();
  }
}
