/**
 * Two hundred hostile texts, as a model or a foreign page could bring them into a report, shown in a real browser: none
 * runs or sends a request.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SharedView } from '../../src/http/contract/share.ts';
import { openBrowser, type TestBrowser } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { available, CHROMIUM } from '../given/requirements.ts';
import { action } from '../web/given/views.ts';

const RUN = 'window.ran=1';
const EVIL = 'https://evil.example';

const TEXTS = [
  `<script>${RUN}</script>`,
  `<SCRIPT SRC=${EVIL}/x.js></SCRIPT>`,
  `<scr<script>ipt>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="${EVIL}/x.png">`,
  `<img srcset="${EVIL}/x.png 2x">`,
  `<svg onload="${RUN}">`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><image href="${EVIL}/x.svg" /></svg>`,
  `<math><mtext><img src=x onerror=${RUN}></mtext></math>`,
  `<iframe src="${EVIL}"></iframe>`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `<object data="${EVIL}/x.swf"></object>`,
  `<embed src="${EVIL}/x.swf">`,
  `<video src="${EVIL}/x.mp4" autoplay onplay="${RUN}"></video>`,
  `<audio src="${EVIL}/x.mp3" autoplay></audio>`,
  `<link rel="stylesheet" href="${EVIL}/x.css">`,
  `<style>@import url(${EVIL}/x.css); body{background:url(${EVIL}/b.png)}</style>`,
  `<p style="background:url(${EVIL}/p.png)">styled</p>`,
  `<base href="${EVIL}/">`,
  `<meta http-equiv="refresh" content="0;url=${EVIL}">`,
  `<form action="${EVIL}"><button>send</button></form>`,
  `<input autofocus onfocus="${RUN}">`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<body onload="${RUN}">`,
  `<a href="javascript:${RUN}">click</a>`,
  `[click](javascript:${RUN})`,
  `[click](JaVaScRiPt:${RUN})`,
  `[click](java\tscript:${RUN})`,
  `[click](&#106;avascript:${RUN})`,
  `[click](&#x6A;&#x61;vascript:${RUN})`,
  `[click](\u0001javascript:${RUN})`,
  `[click](data:text/html,<script>${RUN}</script>)`,
  `[click](vbscript:${RUN})`,
  `[click](blob:${EVIL}/1)`,
  `[click](file:///etc/passwd)`,
  `[click][ref]\n\n[ref]: javascript:${RUN}`,
  `<javascript:${RUN}>`,
  `![x](${EVIL}/x.png)`,
  `![x](javascript:${RUN})`,
  `![x](data:image/svg+xml,<svg onload="${RUN}"/>)`,
  `![x][pic]\n\n[pic]: ${EVIL}/ref.png`,
  `[![x](${EVIL}/inner.png)](javascript:${RUN})`,
  `[x](${EVIL} "title\\" onmouseover=\\"${RUN}")`,
  `\`\`\`html\n<script>${RUN}</script>\n\`\`\``,
  `\`<img src=x onerror=${RUN}>\``,
  `<!-- --><script>${RUN}</script><!-- -->`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>"></noscript>`,
  `<template><script>${RUN}</script></template>`,
  `<a id="root" name="cookie" href="x">clobber</a>`,
] as const;

const PLACES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `> ${text}`,
  (text) => `- [ ] ${text}`,
  (text) => `before **${text}** after\n\n# ${text}`,
];
const PAYLOADS = TEXTS.flatMap((text) => PLACES.map((place) => place(text)));

describe.skipIf(!available('Chromium', CHROMIUM))('hostile texts in a browser', () => {
  const data = temporaryData();
  let server: BuiltServer;
  let browser: TestBrowser;
  let page: Page;
  const foreign: string[] = [];
  const dialogs: string[] = [];

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    browser = await openBrowser();
    // The page itself must be safe, without relying on the policy.
    page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true })).newPage();
    page.setDefaultTimeout(20_000);
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) foreign.push(request.url());
    });
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  const TOKEN = 'A'.repeat(65);

  async function showing(view: Partial<SharedView>): Promise<void> {
    const whole: SharedView = {
      title: 'Hostile',
      description: '',
      createdAt: '2026-11-20T10:00:00.000Z',
      expiresAt: null,
      viewCount: 0,
      sharedContent: ['actions', 'executive_summary'],
      metadata: { url: null },
      content: {},
      actions: [],
      executiveSummary: null,
      jobId: 'job-1',
      job: null,
      stats: null,
      isPreview: false,
      previewMode: { actionsShown: 0, totalActions: 0 },
      ...view,
    };
    await page.unrouteAll();
    // The server, which does not know this link, would report on the socket that it has ended.
    await page.routeWebSocket(/\/realtime$/, () => {});
    await page.route(/\/api\/v1\/share\//, (route) =>
      route.fulfill({
        json: route.request().url().endsWith('/state')
          ? { success: true, isPreview: whole.isPreview }
          : { success: true, data: whole },
      }),
    );
  }

  /** Everything below the page's own header. */
  const remains = (): Promise<string[]> =>
    page.evaluate(`(() => {
      const main = document.querySelector('main');
      const bad = [...main.querySelectorAll('script,iframe,object,embed,img,picture,video,audio,link,style,base,meta,form,template,[style*="url("]')].map((e) => e.outerHTML);
      const handlers = [...main.querySelectorAll('*')].filter((e) => e.getAttributeNames().some((name) => name.startsWith('on'))).map((e) => e.outerHTML);
      const links = [...main.querySelectorAll('a[href]')].filter((a) => !/^(https?|ircs?|mailto|xmpp):$/.test(a.protocol)).map((a) => a.outerHTML);
      return [...bad, ...handlers, ...links];
    })()`);

  const ran = (): Promise<unknown> => page.evaluate('window.ran ?? null');

  it('there are two hundred hostile texts', () => {
    expect(PAYLOADS).toHaveLength(200);
    expect(new Set(PAYLOADS).size).toBe(200);
  });

  it('do nothing as the texts of a shared link', async () => {
    await showing({
      content: Object.fromEntries(PAYLOADS.map((text, nth) => [`Text ${nth}`, `${text}\n\nend of ${nth}`])),
    });
    await page.goto(`${server.url}/share/${TOKEN}`);
    await page.getByRole('tab', { name: 'Text 0', exact: true }).waitFor();
    const left: string[] = [];
    for (const nth of PAYLOADS.keys()) {
      if (nth === 0) await page.getByRole('tab', { name: 'Text 0', exact: true }).click();
      else await page.keyboard.press('ArrowRight');
      await page.locator('main').getByText(`end of ${nth}`).first().waitFor({ state: 'attached' });
      for (const rest of await remains()) left.push(`${nth}: ${rest}`);
    }
    expect(left).toEqual([]);
    expect([await ran(), foreign, dialogs]).toEqual([null, [], []]);
  });

  it('do nothing as the summary and the items of a dashboard', async () => {
    const actions = PAYLOADS.map((text, nth) =>
      action({
        id: `item-${nth}`,
        title: text,
        problem: text,
        solution: text,
        business_value: text,
        code_example: text,
        tags: [text],
        reason: text,
      }),
    );
    await showing({
      executiveSummary: PAYLOADS.join('\n\n'),
      actions,
      previewMode: { actionsShown: 200, totalActions: 200 },
    });
    await page.goto(`${server.url}/shared/${TOKEN}`);
    await page.getByRole('heading', { name: 'Available Tasks (200)' }).waitFor();
    await page.getByRole('button', { name: 'Show Executive Summary' }).click();
    await page.getByRole('button', { name: 'Hide Summary' }).waitFor();
    expect(await remains()).toEqual([]);
    for (const nth of [0, 25, 36, 38]) {
      await page.goto(`${server.url}/shared/${TOKEN}?actionId=item-${nth * 4}`);
      await page.getByText('Solution', { exact: false }).first().waitFor();
      expect(await remains()).toEqual([]);
    }
    expect([await ran(), foreign, dialogs]).toEqual([null, [], []]);
  });

  it('are detected if one of them does something', async () => {
    await page.evaluate(
      `document.querySelector('main').insertAdjacentHTML('beforeend', ${JSON.stringify(`${TEXTS[3]}${TEXTS[4]}${TEXTS[25]}`)})`,
    );
    await expect.poll(ran).toBe(1);
    await expect.poll(() => foreign).toContain(`${EVIL}/x.png`);
    expect(await remains()).toHaveLength(4);
  });
});
