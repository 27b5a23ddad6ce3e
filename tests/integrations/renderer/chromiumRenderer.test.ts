/** Real Chromium on pages filled by scripts, and on hostile pages. */
import { createSocket } from 'node:dgram';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { createRenderer, type Renderer } from '../../../src/integrations/renderer/chromiumRenderer.ts';
import type { Rendered as Shown } from '../../../src/integrations/renderer/renderer.ts';
import type { Fetcher } from '../../../src/model/fetching.ts';
import type { RenderRequest } from '../../../src/model/rendering.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';
import { appPages, code, json, shell, startListener } from '../../servers/appSite.ts';
import { startTestSite, type TestPage, type TestSite } from '../../servers/testSite.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const UA = 'TestBot/1.0';
/** For pages that use all of their time. */
const SHORT = { timeoutMs: 3_500 };

/** Process ids of the browsers that this process has started. */
function browsers(): number[] {
  const threads = readdirSync('/proc/self/task');
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
  return children.filter(
    (pid) => existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('~NOTFOUND'),
  );
}

function killBrowsers(): void {
  for (const pid of browsers()) process.kill(pid, 'SIGKILL');
}

describe.runIf(available('Chromium', CHROMIUM))('a page in Chromium', () => {
  let renderer: Renderer;
  beforeAll(() => {
    renderer = createRenderer({ executablePath: CHROMIUM, idleMs: 60_000 });
  });
  afterAll(() => renderer.close());

  type Rendered = {
    readonly site: TestSite;
    readonly result: Shown;
    readonly ms: number;
    readonly fetched: readonly string[];
  };

  async function rendered(
    pages: Record<string, TestPage>,
    request: Partial<RenderRequest> = {},
    path = '/',
  ): Promise<Rendered> {
    const site = await startTestSite(pages);
    const fetcher = createFetcher({ allowHosts: [site.host], userAgent: UA });
    closers.push(site.close, fetcher.close);
    const fetched: string[] = [];
    const render = renderer.through((url, options) => {
      fetched.push(url);
      return fetcher(url, options);
    });
    const startedAt = performance.now();
    const result = await render(site.origin + path, { timeoutMs: 20_000, mayFetch: () => true, ...request });
    return { site, result, ms: performance.now() - startedAt, fetched };
  }

  const htmlOf = (result: Shown): string => (result.ok ? result.html : `failed: ${result.reason}`);

  test('is read after its scripts have run, only through the fetcher', async () => {
    const agents = new Set<string | undefined>();
    const pages = appPages();
    const { '/api/teas.json': teas } = pages;
    pages['/api/teas.json'] = (request, response) => {
      agents.add(request.headers['user-agent']);
      expect(request.headers.cookie).toBeUndefined();
      response.setHeader('set-cookie', 'a=b');
      response.end((teas as { body: string }).body);
    };
    const { result, site } = await rendered(pages, {}, '/teas');
    const html = htmlOf(result);
    expect(html).toMatch(/^<!DOCTYPE html><html lang="en">/);
    expect(html).toContain('<title>All our teas, by the hand that picked them</title>');
    expect(html).toContain('<a href="/cups">All about /cups</a>');
    expect(result).toMatchObject({ ok: true, requests: 3 });
    expect(site.requests.sort()).toEqual(['GET /api/teas.json', 'GET /app.js', 'GET /teas']);
    expect([...agents]).toEqual([UA]);
  });

  test('that never settles is read when its time is up', async () => {
    const { result, ms } = await rendered(
      {
        '/': shell(
          "document.getElementById('root').textContent = 'Filled.'; setInterval(() => { fetch('/poll?' + Math.random()); document.body.append('.'); }, 20)",
        ),
        '/poll': json({}),
      },
      SHORT,
    );
    expect(htmlOf(result)).toContain('Filled.');
    expect(result.requests).toBeLessThanOrEqual(100);
    expect(ms).toBeLessThan(20_000);
  });

  test.each([
    ['by location', "location.href = '/elsewhere'"],
    ['by replace, later', "setTimeout(() => location.replace('/elsewhere'), 200)"],
    [
      'by a refresh',
      "document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=refresh content=\"0; url=/elsewhere\">')",
    ],
    [
      'by a form',
      "document.body.insertAdjacentHTML('beforeend', '<form action=/elsewhere></form>'); document.forms[0].submit()",
    ],
    [
      'by a scripted click',
      "document.body.insertAdjacentHTML('beforeend', '<a href=/elsewhere>x</a>'); document.links[0].click()",
    ],
  ])('that redirects visitors %s fails with the target, which is not fetched', async (_, script) => {
    const { result, site } = await rendered({ '/': shell(script), '/elsewhere': 'elsewhere' });
    expect(htmlOf(result)).toMatch(/^failed: A script of the page sends visitors on to http:.*\/elsewhere\??\.$/);
    expect(result.ok ? null : result.movedTo).toMatch(/\/elsewhere\??$/);
    expect(site.requests).toEqual(['GET /']);
  });

  test.each([
    ['an email', "location.href = 'mailto:tea@example.com'", SHORT],
    [
      'another window',
      "document.body.insertAdjacentHTML('beforeend', '<a href=/elsewhere target=_blank>x</a>'); document.links[0].click()",
      {},
    ],
  ])('that opens %s is still read', async (_, script, limits) => {
    const { result } = await rendered(
      { '/': shell(`document.getElementById('root').textContent = 'Filled.'; ${script}`), '/elsewhere': 'elsewhere' },
      limits,
    );
    expect(htmlOf(result)).toContain('Filled.');
  });

  test('that keeps reloading or navigating is given up', async () => {
    const again = await rendered(
      { '/': shell("document.getElementById('root').textContent = 'Filled.'; location.reload()") },
      SHORT,
    );
    expect(htmlOf(again.result)).toContain('Filled.');
    expect(again.site.requests).toEqual(['GET /']);
    // The first navigation ends it, however late it comes on a busy machine.
    const moving = await rendered({
      '/': shell("let at = 0; setInterval(() => { location.href = '/' + at++; }, 1)"),
      '*': shell(''),
    });
    expect(moving.result.ok).toBe(false);
    expect(moving.site.requests).toEqual(['GET /']);
    const history = await rendered(
      {
        '/': shell(
          "document.getElementById('root').textContent = 'Filled.'; let at = 0; setInterval(() => history.pushState({}, '', '/' + at++), 1)",
        ),
      },
      SHORT,
    );
    expect(htmlOf(history.result)).toContain('Filled.');
  });

  test.each([
    ['endless alerts', 'for (;;) alert(1);'],
    ['an endless loop', 'for (;;) {}'],
    [
      'an endless loop that starts later',
      "document.getElementById('root').textContent = 'x'; setTimeout(() => { for (;;) {} }, 300);",
    ],
    [
      'endless memory use',
      'const all = []; setInterval(() => { for (let i = 0; i < 100; i++) all.push(new Array(100000).fill(Math.random())); }, 1);',
    ],
    [
      'endless new elements',
      "setInterval(() => { for (let i = 0; i < 20000; i++) document.body.append(document.createElement('p')); }, 1);",
    ],
  ])(
    'with %s ends in time, and the next page works',
    async (_, script) => {
      const { ms } = await rendered({ '/': shell(script) }, { timeoutMs: 2_000 });
      expect(ms).toBeLessThan(15_000);
      expect(htmlOf((await rendered(appPages())).result)).toContain('Teas and cups from the hills of Uji');
    },
    40_000,
  );

  test('with a script of 100 MB is rendered without it', async () => {
    let sent = 0;
    const { result } = await rendered({
      '/': shell("document.getElementById('root').textContent = 'Filled.'", '<script src="/large.js" defer></script>'),
      '/large.js': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/javascript' });
        const part = Buffer.alloc(1024 * 1024, ' ');
        const more = (): void => {
          while (sent < 100 && !response.destroyed) {
            sent++;
            if (!response.write(part)) return void response.once('drain', more);
          }
          response.end();
        };
        more();
      },
    });
    expect(htmlOf(result)).toContain('Filled.');
    expect(result.bytes).toBeLessThan(11 * 1024 * 1024);
    expect(sent).toBeLessThan(50);
  });

  test('is limited in requests and bytes', async () => {
    const many = await rendered({
      '/': shell(
        "for (let i = 0; i < 300; i++) fetch('/x' + i); document.getElementById('root').textContent = 'Filled.'",
      ),
      '*': 'x',
    });
    expect(many.result).toMatchObject({ ok: true, requests: 100 });
    expect(many.site.requests).toHaveLength(100);
    const heavy = await rendered({
      '/': shell("for (let i = 0; i < 30; i++) fetch('/x' + i);"),
      '*': { body: 'x'.repeat(8_000_000) },
    });
    expect(heavy.fetched.length).toBeLessThan(20);
    expect(heavy.result.bytes).toBeLessThan(90 * 1024 * 1024);
  }, 30_000);

  test('requests nothing that robots.txt forbids, changes nothing on the site, and loads no images', async () => {
    const script = `
      fetch('/secret/data'); fetch('/api', { method: 'POST', body: 'x' }); fetch('/api', { method: 'DELETE' }); navigator.sendBeacon('/beacon', 'x');
      document.body.insertAdjacentHTML('beforeend', '<img src=/a.png onerror="document.title=1"><video src=/a.mp4></video><iframe src=/secret/frame></iframe><iframe src=/frame></iframe>');
      document.getElementById('root').textContent = 'Filled.'`;
    const { result, site } = await rendered(
      { '/': shell(script), '*': 'x' },
      { mayFetch: (url) => !new URL(url).pathname.startsWith('/secret') },
    );
    expect(htmlOf(result)).toContain('<title>App</title>');
    expect(site.requests.sort()).toEqual(['GET /', 'GET /frame']);
  });

  test('cannot bypass the guard, whatever it tries', async () => {
    const listener = await startListener();
    const udp = createSocket('udp4');
    let packets = 0;
    udp.on('message', () => packets++);
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
    closers.push(listener.close, async () => udp.close());
    const host = `127.0.0.1:${listener.port}`;
    const stun = `127.0.0.1:${(udp.address() as AddressInfo).port}`;
    const script = `
      const hosts = ['${host}', 'localhost:${listener.port}', '[::ffff:127.0.0.1]:${listener.port}', '169.254.169.254', '127.1:${listener.port}'];
      const add = (html) => document.body.insertAdjacentHTML('beforeend', html);
      const tried = [];
      const attempt = (name, work) => { try { tried.push(name); work(); } catch {} };
      for (const host of hosts) {
        attempt('fetch', () => fetch('http://' + host + '/fetch', { mode: 'no-cors' }).then(() => { document.title = 'REACHED ' + host; }, () => {}));
        attempt('xhr', () => { const x = new XMLHttpRequest(); x.open('GET', 'http://' + host + '/xhr'); x.onload = () => { document.title = 'REACHED ' + host; }; x.send(); });
        attempt('socket', () => new WebSocket('ws://' + host + '/ws'));
        attempt('events', () => new EventSource('http://' + host + '/events'));
        attempt('beacon', () => navigator.sendBeacon('http://' + host + '/beacon', 'x'));
        attempt('import', () => import('http://' + host + '/module.js').catch(() => {}));
        attempt('worker', () => new Worker(URL.createObjectURL(new Blob(["fetch('http://" + host + "/worker'); importScripts('http://" + host + "/imported.js')"], { type: 'text/javascript' }))));
        attempt('shared', () => new SharedWorker(URL.createObjectURL(new Blob(["fetch('http://" + host + "/shared')"], { type: 'text/javascript' }))));
        attempt('popup', () => open('http://' + host + '/popup'));
        attempt('transport', () => new WebTransport('https://' + host + '/transport'));
        attempt('tags', () => add('<img src="http://' + host + '/img"><script src="http://' + host + '/js"><\\/script><link rel=stylesheet href="http://' + host + '/css"><link rel=preconnect href="http://' + host + '"><link rel=dns-prefetch href="http://' + host + '"><link rel=prefetch href="http://' + host + '/prefetch"><link rel=preload as=fetch href="http://' + host + '/preload"><iframe src="http://' + host + '/frame"></iframe><object data="http://' + host + '/object"></object><embed src="http://' + host + '/embed"><video src="http://' + host + '/video" autoplay></video><a id=ping href="#x" ping="http://' + host + '/ping">x</a><a id=blank target=_blank href="http://' + host + '/blank">x</a><style>@import "http://' + host + '/import.css"; @font-face { font-family: f; src: url(http://' + host + '/font) } body { font-family: f; background: url(http://' + host + '/background) }</style>'));
        attempt('clicks', () => { for (const id of ['ping', 'blank']) { const all = document.querySelectorAll('#' + id); all[all.length - 1].click(); } });
        attempt('speculation', () => add('<script type=speculationrules>{"prefetch":[{"source":"list","urls":["http://' + host + '/speculation"]}]}<\\/script>'));
      }
      attempt('frame', () => { const frame = document.createElement('iframe'); document.body.append(frame); const Peer = frame.contentWindow.RTCPeerConnection || RTCPeerConnection; new Peer({ iceServers: [{ urls: 'stun:${stun}' }] }); });
      attempt('peer', () => { const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${stun}' }] }); peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer)); });
      attempt('service worker', () => navigator.serviceWorker.register('/sw.js'));
      document.getElementById('root').textContent = 'Tried ' + tried.length;`;
    const { result, fetched, site } = await rendered({
      '/': shell(script),
      '/sw.js': code(`fetch('http://${host}/sw')`),
    });
    expect(htmlOf(result)).toContain('<div id="root">Tried 68</div>');
    expect(htmlOf(result)).toContain('<title>App</title>');
    expect(listener.knocks()).toBe(0);
    expect(packets).toBe(0);
    expect(site.requests).toEqual(['GET /']);
    // Every attempt reached the guard instead, which let none through.
    expect(new Set(fetched.map((url) => new URL(url).pathname))).toEqual(
      expect.objectContaining(new Set(['/', '/fetch'])),
    );
    expect(fetched.some((url) => url.includes('169.254.169.254'))).toBe(true);
  }, 30_000);

  test('has no network access besides requests, not even in sandboxed frames', async () => {
    const script = `
      addEventListener('message', ({ data }) => { document.getElementById('root').append('[' + data + ']'); });
      const probe = '<script>parent.postMessage([typeof RTCPeerConnection, typeof WebTransport].join(), "*")</' + 'script>';
      for (const set of [{ srcdoc: probe }, { srcdoc: '<iframe sandbox=allow-scripts srcdoc="' + probe.replaceAll('"', '&quot;').replace('parent', 'top') + '"></iframe>' }]) {
        const frame = document.createElement('iframe');
        frame.setAttribute('sandbox', 'allow-scripts');
        Object.assign(frame, set);
        document.body.append(frame);
      }
      document.getElementById('root').textContent = 'Probes:';`;
    const { result } = await rendered({ '/': shell(script) });
    expect(htmlOf(result)).toContain('Probes:[undefined,undefined][undefined,undefined]');
  });

  test('that does not respond, or is refused, fails with a reason', async () => {
    const gone = await rendered({}, {}, '/');
    expect(htmlOf(gone.result)).toContain('not found');
    const listener = await startListener();
    closers.push(listener.close);
    const fetcher = createFetcher({ allowHosts: [], userAgent: UA });
    closers.push(fetcher.close);
    const refused = await renderer.through(fetcher)(`http://127.0.0.1:${listener.port}/`, {
      timeoutMs: 5000,
      mayFetch: () => true,
    });
    expect(refused).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^The page did not answer to the browser: /),
    });
    expect(listener.knocks()).toBe(0);
  });

  test('can be aborted by the caller', async () => {
    const stop = new AbortController();
    const { result, ms } = await rendered(
      {
        '/': shell('setInterval(() => document.body.append(1), 20); fetch("/stop")'),
        '/stop': (_, response) => {
          stop.abort();
          response.end();
        },
      },
      { signal: stop.signal },
    );
    expect(result).toMatchObject({ ok: false, reason: 'The rendering was stopped.' });
    expect(ms).toBeLessThan(9000);
  });

  test('counts its time in the queue toward its time limit', async () => {
    const slow = { '/': shell('setInterval(() => document.body.append(1), 20)') };
    const all = await Promise.all([rendered(slow, SHORT), rendered(slow, SHORT), rendered(slow, { timeoutMs: 500 })]);
    expect(all[2]?.result).toMatchObject({ ok: false, reason: 'The time was over before the browser was free.' });
  });
});

describe.runIf(available('Chromium', CHROMIUM))('the browser', () => {
  test('that crashes is a named failure, and the next page gets a new one', async () => {
    const renderer = createRenderer({ executablePath: CHROMIUM });
    const site = await startTestSite({
      ...appPages(),
      '/deadly': shell("fetch('/die')"),
      '/die': () => killBrowsers(),
    });
    const fetcher = createFetcher({ allowHosts: [site.host], userAgent: UA });
    closers.push(site.close, fetcher.close, renderer.close);
    const render = (path: string) =>
      renderer.through(fetcher)(site.origin + path, { timeoutMs: 20_000, mayFetch: () => true });
    expect(await render('/deadly')).toMatchObject({ ok: false, reason: 'The browser ended while it showed the page.' });
    // Retried once with another browser: another page might have caused the crash.
    expect(site.requests.filter((request) => request === 'GET /die')).toHaveLength(2);
    expect(await render('/')).toMatchObject({ ok: true });
    expect(browsers()).not.toEqual([]);
    await renderer.close();
    expect(browsers()).toEqual([]);
    expect(await render('/')).toMatchObject({ ok: false, reason: 'The rendering was stopped.' });
  }, 60_000);

  test('is closed after it was idle for a while', async () => {
    const renderer = createRenderer({ executablePath: CHROMIUM, idleMs: 1 });
    const site = await startTestSite(appPages());
    const fetcher = createFetcher({ allowHosts: [site.host], userAgent: UA });
    closers.push(site.close, fetcher.close, renderer.close);
    const render = () => renderer.through(fetcher)(`${site.origin}/`, { timeoutMs: 20_000, mayFetch: () => true });
    expect(await render()).toMatchObject({ ok: true });
    await expect.poll(browsers, { timeout: 10_000 }).toEqual([]);
    expect(await render()).toMatchObject({ ok: true });
  }, 60_000);

  test('treats https pages as secure, although it has no connection of its own', async () => {
    const renderer = createRenderer({ executablePath: CHROMIUM });
    closers.push(renderer.close);
    const body = Buffer.from(
      `<!doctype html><div id="root"></div><script>document.getElementById('root').textContent = location.protocol + ' ' + isSecureContext</script>`,
    );
    const headers = { 'content-type': ['text/html'] };
    const fetch: Fetcher = async (url) => ({
      ok: true,
      requestedUrl: url,
      url,
      status: 200,
      headers,
      hops: [],
      body,
      truncated: false,
      transferBytes: 0,
      ttfbMs: 1,
      totalMs: 1,
      httpVersion: '2',
    });
    expect(
      await renderer.through(fetch)('https://shop.example/', { timeoutMs: 20_000, mayFetch: () => true }),
    ).toMatchObject({
      ok: true,
      html: expect.stringContaining('<div id="root">https: true</div>'),
    });
  }, 60_000);

  test('that cannot be started is a named failure each time', async () => {
    const renderer = createRenderer({ executablePath: '/no/such/browser' });
    const render = renderer.through(async () => ({
      ok: false,
      requestedUrl: '',
      url: '',
      failure: 'refused',
      message: '',
      hops: [],
    }));
    for (let time = 0; time < 2; time++)
      expect(await render('http://example.com/', { timeoutMs: 5000, mayFetch: () => true })).toMatchObject({
        ok: false,
        reason: expect.stringContaining('could not be started'),
      });
    await renderer.close();
  });
});
