/** Invalid submissions: each results in a message or a job that ends with a reason, and the next job works. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, FINAL, logIn } from '../given/product/apiClient.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };

async function* endlessPage(): AsyncGenerator<string> {
  yield '<!doctype html><title>Endless</title><p>';
  for (;;) {
    // Lets the sockets notice a disconnect; a timer, since immediates would keep a core busy.
    await new Promise((resolve) => setTimeout(resolve, 1));
    yield 'word '.repeat(20_000);
  }
}

/** Compressed once: a page is asked for several times. */
function onceCompressed(make: () => Buffer): () => Buffer {
  let body: Buffer | null = null;
  return () => {
    body ??= gzipSync(make());
    return body;
  };
}
const nulBomb = onceCompressed(() => Buffer.alloc(200_000_000));
const wordBomb = onceCompressed(() => Buffer.alloc(100_000_000, '<p>word '));

type Answer = Parameters<typeof createServer>[1];

/** One site per fault, each on its own port: robots.txt and the start page are the same everywhere else. */
const SITES: Record<string, Answer> = {
  hangs: () => undefined,
  endless: (request, response) => {
    if (request.url !== '/') return void response.writeHead(404).end();
    // HEAD gets no answer: without a reader, the page would be written at full speed.
    if (request.method === 'HEAD') return undefined;
    response.writeHead(200, HTML);
    pipeline(Readable.from(endlessPage()), response, () => undefined);
    return undefined;
  },
  bomb: (request, response) => {
    if (request.url !== '/') return void response.writeHead(404).end();
    response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(nulBomb());
    return undefined;
  },
  wordBomb: (request, response) => {
    if (request.url !== '/') return void response.writeHead(404).end();
    response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(wordBomb());
    return undefined;
  },
  binary: (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(Buffer.alloc(4096, 0xff)),
  empty: (request, response) => void response.writeHead(request.url === '/' ? 200 : 404, HTML).end(),
  forbidden: (request, response) => {
    if (request.url === '/robots.txt')
      return void response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /\n');
    return void response.writeHead(200, HTML).end('<!doctype html><title>Hidden</title><p>Nobody may read this.');
  },
  loop: (_request, response) => void response.writeHead(302, { location: '/' }).end(),
  inward: (_request, response) =>
    void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  broken: (_request, response) => void response.writeHead(500, HTML).end('<title>Error</title>'),
  charset: (request, response) => {
    if (request.url !== '/') return void response.writeHead(404).end();
    const text = Buffer.from(
      '<!doctype html><html lang="de"><title>Grüße aus Köln an der Elbe</title><h1>Grüße</h1><p>Schöne Wörter.',
      'latin1',
    );
    return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text);
  },
  fine: (request, response) => {
    if (request.url !== '/') return void response.writeHead(404).end();
    return void response
      .writeHead(200, HTML)
      .end('<!doctype html><html lang="en"><title>A site that is quite all right</title><h1>Hello</h1><p>Some text.');
  },
};

describe('invalid input', () => {
  const data = temporaryData();
  const servers: Server[] = [];
  const urls: Record<string, string> = {};
  let server: BuiltServer;
  let admin: ApiClient;

  beforeAll(async () => {
    for (const [name, answer] of Object.entries(SITES)) {
      const site = createServer(answer);
      servers.push(site);
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', () => resolve()));
      urls[name] = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    }
    server = await startBuiltServer(data.dir, {
      AUDIT_ALLOW_HOSTS: Object.values(urls)
        .map((url) => new URL(url).host)
        .join(','),
      AUDIT_MAX_SECONDS: '90',
    });
    admin = await logIn(server.url, server.admin);
  });
  afterAll(async () => {
    await server?.stop();
    for (const site of servers) {
      site.closeAllConnections();
      site.close();
    }
    data.remove();
  });

  it.each([
    ['', 'Please enter a URL'],
    ['not a url', /valid URL/],
    ['http://', /valid URL/],
    ['ftp://example.com/', /URL/],
    ['javascript:alert(1)', /URL/],
    ['https://user:secret@example.com/', /URL/],
  ])('refuses %j', async (url, text) => {
    const { status, body } = await admin.call<{ success: boolean; error: string; code: string }>(
      'POST',
      '/api/v1/process',
      { url },
    );
    expect(status).toBe(400);
    expect(body.success).toBe(false);
    if (typeof text === 'string') expect(body.error).toContain(text);
    else expect(body.error).toMatch(text);
  });

  it('refuses 10,000 lines with a message', async () => {
    const { status, body } = await admin.call<{ error: string }>('POST', '/api/v1/process/batch', {
      urls: Array.from({ length: 10_000 }, (_, index) => `s${index}.example`),
    });
    expect(status).toBe(400);
    expect(body.error).toContain('more than 1000 items');
    const hundreds = { urls: Array.from({ length: 1_000 }, (_, index) => `s${index}.example`) };
    expect(await admin.call('POST', '/api/v1/process/batch', hundreds)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('at most 100 URLs') },
    });
  });

  // Jobs that end by timeout delay nobody.
  it.concurrent.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://example.com:4399/',
  ])('refuses %s, which starts no audit', async (url) => {
    const { status, body } = await admin.call<{ error: string; code: string }>('POST', '/api/v1/process', { url });
    expect(status).toBe(400);
    expect(body.code).toBe('INVALID_URL');
    expect(body.error).toMatch(/public internet|Port 4399 isn’t allowed/);
  });

  it.concurrent.each([
    ['hangs', 'SITE_TIMEOUT'],
    ['bomb', 'SITE_NOT_HTML'],
    ['binary', 'SITE_NOT_HTML'],
    ['empty', 'SITE_EMPTY'],
    ['loop', /^SITE_(REDIRECT_LOOP|TOO_MANY_REDIRECTS)$/],
    ['inward', 'SITE_BLOCKED'],
    ['broken', /^(SITE_HTTP_ERROR|ROBOTS_UNREACHABLE)$/],
  ])('ends the job on a site that is %s with a reason', async (name, code) => {
    const job = await admin.submit(urls[name] ?? '');
    const ended = await admin.waitForJob(job.id, (now) => FINAL.has(now.status), 110_000);
    expect(ended.status).toBe('failed');
    if (typeof code === 'string') expect(ended.reason_code).toBe(code);
    else expect(ended.reason_code).toMatch(code);
    expect(ended.reason?.length).toBeGreaterThan(20);
  });

  it('completes the job on a site that shuts out every crawler', async () => {
    const job = await admin.submit(urls.forbidden ?? '');
    const ended = await admin.waitForJob(job.id, (now) => FINAL.has(now.status), 110_000);
    expect(ended).toMatchObject({ status: 'completed', score: 0, shut: true, not_judged: null, action_count: 1 });
  });

  const isAudited = async (name: string): Promise<void> => {
    const job = await admin.submit(urls[name] ?? '');
    const ended = await admin.waitForJob(job.id, (now) => FINAL.has(now.status), 110_000);
    expect(ended.status).not.toBe('failed');
    expect(await admin.file(job.id, 'seo-audit-report.md')).toMatch(/score/i);
  };
  it.concurrent.each(['endless', 'wordBomb'])('audits a site that is %s', isAudited);
  // After all of that.
  it.each(['charset', 'fine'])('audits a site that is %s', isAudited);
});
