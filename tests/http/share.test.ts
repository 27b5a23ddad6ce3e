/** Shared links: what each field says, who may do what, and what never leaves the server. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CreateShareResponse, SharedResponse, SharesResponse } from '../../src/http/contract/share.ts';
import type { SharesDocument } from '../../src/projections/shares.ts';
import { actionItem, givenAnalysis, givenJob } from '../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  user = await app.signUp();
});
afterEach(() => app.close());

const TWELVE = Array.from({ length: 12 }, (_, nth) =>
  actionItem(`item-${nth}`, {
    title: `Title-${nth}.`,
    problem: `Problem-${nth}.`,
    solution: `Solution-${nth}.`,
    codeExample: `<code-${nth}/>`,
  }),
);

async function share(jobId: string, over: object = {}, by = user) {
  const answer = await by.call('POST', '/share/create', { jobId, ...over });
  expect(answer.status, answer.text).toBe(201);
  const { id, shareUrl } = CreateShareResponse.parse(answer.body).data;
  return { id, shareUrl, path: new URL(shareUrl).pathname, token: shareUrl.split('/').at(-1) ?? '' };
}

const open = (token: string) => app.call('GET', `/api/v1/share/${token}`);
const listed = async (by = user) => SharesResponse.parse((await by.call('GET', '/share/list/all')).body).data;

describe('a shared link', () => {
  it('is created with its defaults, and listed with every field', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { host: 'shop.example' });
    const { id, shareUrl, token } = await share(jobId);
    expect(shareUrl).toBe(`${app.url}/shared/${token}`);
    expect(token).toMatch(/^[A-Za-z0-9_-]{65}$/);
    expect(await listed()).toEqual([
      {
        id,
        title: 'SEO analysis of shop.example',
        description: '',
        created_at: app.deps.now(),
        view_count: 0,
        expires_at: null,
        is_active: true,
        shared_content: ['actions', 'executive_summary', 'job_metadata'],
        share_mode: 'full',
        shareUrl,
        job_id: jobId,
        preview_views: 0,
        sign_up_clicks: 0,
        sign_ups: 0,
      },
    ]);
  });

  it('is stored only as a hash', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const { token } = await share(jobId);
    const answer = await user.call('POST', '/share/create', { jobId }, { 'Idempotency-Key': 'once' });
    const secrets = [token, answer.body.data.shareUrl.split('/').at(-1)];
    const stored = JSON.stringify((await app.store.readAll({ limit: 10_000 })).events, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    const documents = JSON.stringify((await app.readModels.get('shares', jobId))?.data);
    for (const secret of secrets)
      for (const place of [stored, documents, app.logLines.join('\n')]) expect(place).not.toContain(secret.slice(-43));
  });

  it('is one link per Idempotency-Key, returned each time', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const make = () => user.call('POST', '/share/create', { jobId }, { 'Idempotency-Key': 'once' });
    const [first, second] = [await make(), await make()];
    expect(second.body).toEqual(first.body);
    expect(await listed()).toHaveLength(1);
  });

  it('shows the tabbed texts and the dashboard', async () => {
    const { jobId, url } = await givenAnalysis(app, user.userId, { items: TWELVE });
    const { token } = await share(jobId, { title: 'Our site', description: 'For the board', expiresIn: 24 });
    const { data } = SharedResponse.parse((await open(token)).body);
    expect(data).toMatchObject({
      title: 'Our site',
      description: 'For the board',
      createdAt: app.deps.now(),
      viewCount: 1,
      metadata: { url },
      jobId,
    });
    expect(data.expiresAt).toBe(new Date(Date.parse(app.deps.now()) + 86_400_000).toISOString());
    expect(Object.keys(data.content)).toEqual(['Executive Summary', 'Action Items']);
    expect(data.content['Action Items']).toContain('Solution-11.');
    expect(data.executiveSummary).toContain('All in all.');
    expect(data.actions).toHaveLength(12);
    expect(data.job).toEqual({
      url,
      created_at: app.deps.now(),
      completed_at: app.deps.now(),
      status: 'completed',
      reason: null,
      score: 71,
      not_judged: null,
      settings: null,
      pages_done: 12,
    });
    expect([data.isPreview, data.previewMode]).toEqual([false, { actionsShown: 12, totalActions: 12 }]);
  });

  it('says what was set for the crawl, among the facts alone', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { settings: { folder: '/blog/' } });
    const { token } = await share(jobId);
    expect((await open(token)).body.data.job.settings).toEqual({ folder: '/blog/' });
  });

  it('says why a result is partial, among the facts alone', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { partial: 'Stopped at the time limit.' });
    const { token } = await share(jobId);
    expect((await open(token)).body.data.job).toMatchObject({
      status: 'partially_completed',
      reason: 'Stopped at the time limit.',
    });
    expect((await open((await share(jobId, { sharedContent: ['actions'] })).token)).text).not.toContain('time limit');
  });

  it('shows only what is shared', async () => {
    const { jobId, url } = await givenAnalysis(app, user.userId, { items: TWELVE });
    const summary = await open((await share(jobId, { sharedContent: ['executive_summary'] })).token);
    expect(summary.body.data).toMatchObject({
      actions: [],
      job: null,
      metadata: { url: null },
      previewMode: { actionsShown: 0, totalActions: 0 },
    });
    expect(Object.keys(summary.body.data.content)).toEqual(['Executive Summary']);
    expect(summary.text).not.toMatch(/Title-|Solution-/);
    const facts = await open((await share(jobId, { sharedContent: ['job_metadata'] })).token);
    expect(facts.body.data).toMatchObject({ executiveSummary: null, content: {}, actions: [], job: { url } });
    expect(facts.text).not.toMatch(/All in all|Title-/);
  });

  it('names the site only if facts are shared, also in older titles', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { host: 'shop.example' });
    const { token } = await share(jobId, { sharedContent: ['actions'] });
    expect((await open(token)).body.data).toMatchObject({ title: 'SEO analysis', jobId: null, job: null });
    expect((await open(token)).text).not.toContain(jobId);
    const old = await share(jobId, { sharedContent: ['actions'], title: 'SEO analysis of shop.example' });
    expect((await open(old.token)).body.data.title).toBe('SEO analysis');
    expect((await open((await share(jobId)).token)).body.data).toMatchObject({
      title: 'SEO analysis of shop.example',
      jobId,
    });
  });

  it('shows an international host in Unicode, also in older titles', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { host: 'xn--bcher-kva.example' });
    for (const title of ['', 'SEO analysis of xn--bcher-kva.example', 'SEO analysis of bücher.example']) {
      const shown = async (sharedContent: readonly string[]) =>
        (await open((await share(jobId, { title, sharedContent })).token)).body.data.title;
      expect([await shown(['actions', 'job_metadata']), await shown(['actions'])]).toEqual([
        'SEO analysis of bücher.example',
        'SEO analysis',
      ]);
    }
  });

  it('hides the owner’s notes and verifications', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items: TWELVE });
    const { token } = await share(jobId);
    const path = '/actions/item-0/progress';
    expect(
      (await user.call('PUT', path, { jobId, status: 'in-progress', notes: 'Bob broke this', effectiveness_rating: 2 }))
        .status,
    ).toBe(200);
    const answer = await open(token);
    expect(answer.body.data.actions[0]).toMatchObject({
      id: 'item-0',
      status: 'in-progress',
      notes: null,
      effectiveness_rating: null,
      last_verification: null,
      previous_status: null,
    });
    expect(answer.text).not.toContain('Bob');
  });

  it('of a preview has the first eight items, and nothing of the others anywhere', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items: TWELVE, access: 'preview' });
    const { token } = await share(jobId);
    const answer = await open(token);
    expect(answer.body.data).toMatchObject({ isPreview: true, previewMode: { actionsShown: 8, totalActions: 12 } });
    expect(answer.body.data.stats).toEqual((await user.call('GET', `/actions/stats?jobId=${jobId}`)).body.stats);
    expect(answer.body.data.actions.map(({ id }: { id: string }) => id)).toEqual(
      TWELVE.slice(0, 8).map(({ id }) => id),
    );
    const sent = `${answer.text} ${(await app.call('GET', `/share/${token}`, { headers: { accept: 'text/html' } })).text}`;
    for (const nth of [8, 9, 10, 11])
      expect(sent).not.toMatch(
        new RegExp(`(Title-${nth}\\.|Problem-${nth}\\.|Solution-${nth}\\.|code-${nth}/|item-${nth}\\b)`),
      );
    expect(answer.body.data.content['Action Items']).toContain('This preview shows 8 of 12 action items.');
  });

  it('may be a preview of an audit that its owner sees in full', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { items: TWELVE });
    const answer = await open((await share(jobId, { shareMode: 'preview' })).token);
    expect(answer.body.data).toMatchObject({ isPreview: true, previewMode: { actionsShown: 8, totalActions: 12 } });
    expect(answer.body.data.stats).toMatchObject({ totalActions: 12 });
    expect(answer.text).not.toContain('Solution-9.');
  });
});

describe('creating a link', () => {
  it('requires an audit that has a result', async () => {
    const missing = await user.call('POST', '/share/create', {});
    expect(missing).toMatchObject({
      status: 400,
      body: { error: 'Job ID is required to create a share link', code: 'INVALID_INPUT' },
    });
    expect((await user.call('POST', '/share/create', { jobId: ' ' })).body.error).toBe(
      'Job ID is required to create a share link',
    );
    expect(await user.call('POST', '/share/create', { jobId: randomUUID() })).toMatchObject({
      status: 404,
      body: { code: 'JOB_NOT_FOUND' },
    });
    const { jobId } = await givenJob(app, user.userId);
    expect(await user.call('POST', '/share/create', { jobId })).toMatchObject({
      status: 409,
      body: { code: 'JOB_NOT_FINISHED' },
    });
  });

  it('is refused in full to an owner with a preview', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { access: 'preview' });
    const answer = await user.call('POST', '/share/create', { jobId, shareMode: 'full' });
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'SHARING_RESTRICTED', error: 'Full access sharing is not part of the free plan.' },
    });
    expect(await listed()).toEqual([]);
  });

  it('stores the visible part of a title and a description', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { host: 'shop.example' });
    await share(jobId, {
      title: ' Our\n site\u0000\u202egnp.exe\u2028 👩‍💻 ',
      description: 'One\nשלום\u0007\u2066 two',
    });
    expect((await listed())[0]).toMatchObject({ title: 'Our sitegnp.exe 👩‍💻', description: 'One\nשלום two' });
    await share(jobId, { title: '\u0000\u202e' });
    expect((await listed()).map(({ title }) => title)).toContain('SEO analysis of shop.example');
  });

  it('validates its contents, modes and ends', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const refused = async (over: object) => (await user.call('POST', '/share/create', { jobId, ...over })).body.error;
    expect(await refused({ sharedContent: ['progress_tracking'] })).toBe('Progress tracking is coming soon');
    expect(await refused({ sharedContent: [] })).toBe('Select at least one section to share');
    for (const over of [
      { sharedContent: ['files'] },
      { shareMode: 'all' },
      { expiresIn: 5 },
      { title: 'x'.repeat(121) },
    ])
      expect(await user.call('POST', '/share/create', { jobId, ...over })).toMatchObject({ status: 400 });
    for (const expiresIn of [0, null, 24, 72, 168, 720]) await share(jobId, { expiresIn });
    expect((await listed()).filter((item) => item.expires_at === null)).toHaveLength(2);
  });
});

describe('a link is dead', () => {
  const dead = async (token: string) => {
    const answer = await open(token);
    expect(answer).toMatchObject({
      status: 404,
      body: {
        success: false,
        code: 'SHARE_NOT_FOUND',
        error: 'This link may have expired, been revoked or never existed.',
      },
    });
    expect((await app.call('GET', `/api/v1/share/${token}/state`)).status).toBe(404);
    expect((await app.call('GET', `/share/${token}/preview.png`)).status).toBe(404);
  };

  it('when its owner, and only its owner, revokes it', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const [first, second] = [await share(jobId), await share(jobId)];
    const stranger = await app.signUp();
    expect(await stranger.call('DELETE', `/share/${first.id}`)).toMatchObject({
      status: 404,
      body: { code: 'SHARE_NOT_FOUND' },
    });
    expect((await app.call('GET', `/api/v1/share/${first.token}/state`)).status).toBe(200);
    expect(await user.call('DELETE', `/share/${first.id}`)).toMatchObject({ status: 200, body: { success: true } });
    await dead(first.token);
    expect((await open(second.token)).status).toBe(200);
    expect((await listed()).map(({ id, is_active }) => [id, is_active])).toEqual(
      expect.arrayContaining([
        [first.id, false],
        [second.id, true],
      ]),
    );
    // No list shows a link that does not open.
    expect((await listed()).find(({ id }) => id === first.id)?.shareUrl).toBeNull();
    expect((await listed()).find(({ id }) => id === second.id)?.shareUrl).toBe(second.shareUrl);
    expect((await user.call('DELETE', `/share/${first.id}`)).status).toBe(200);
    expect((await user.call('DELETE', '/share/none')).body.error).toBe('There is no such link.');
  });

  it('when it has expired', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const { token } = await share(jobId, { expiresIn: 24 });
    app.advance(24 * 3_600_000 - 1);
    expect((await open(token)).status).toBe(200);
    app.advance(1);
    await dead(token);
  });

  it('when its audit is deleted, and no data of the link is left', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const { token } = await share(jobId, { title: 'planted-marker' });
    await open(token);
    expect((await user.call('DELETE', `/api/v1/jobs/${jobId}`)).status).toBe(200);
    await dead(token);
    expect(await listed()).toEqual([]);
    for (const stream of [`shares-${jobId}`, `share-visits-${jobId}`])
      expect((await app.store.read(stream)).status).toBe('deleted');
    expect((await user.call('POST', '/share/create', { jobId })).status).toBe(404);
  });

  it('when it was created during the deletion', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const { token } = await share(jobId);
    const read = await app.store.read(`shares-${jobId}`);
    const made = read.status === 'found' ? read.events[0]! : expect.fail('the link is not there');
    await app.given(`job-${jobId}`, {
      type: 'JobDeleted',
      data: { jobId, userId: user.userId, deletedAt: app.deps.now() },
    });
    await app.given(`shares-${jobId}`, { type: made.type, data: made.data });
    await dead(token);
    expect(await listed()).toEqual([]);
  });

  it('when it never existed, whatever it looks like', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const { token } = await share(jobId);
    const hostile = [
      token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A'),
      token.slice(0, 22) + randomBytes(32).toString('base64url'),
      token.toLowerCase(),
      `${token}A`,
      token.slice(0, 22),
      'A'.repeat(65),
      '__proto__',
      'constructor',
      '..%2f..%2fetc%2fpasswd',
      '%00',
      '%27%20or%201=1',
      '😀'.repeat(20),
    ];
    for (const each of hostile) expect([each, (await open(each)).status]).toEqual([each, 404]);
    expect((await open('x'.repeat(201))).status).toBe(400);
  });
});

describe('lists and counts', () => {
  it('have one’s own links, newest first, page by page', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const ids: string[] = [];
    for (let nth = 0; nth < 5; nth += 1) {
      ids.unshift((await share(jobId)).id);
      app.advance(1_000);
    }
    const first = SharesResponse.parse((await user.call('GET', '/share/list/all?limit=3')).body);
    const rest = SharesResponse.parse(
      (await user.call('GET', `/share/list/all?limit=3&cursor=${encodeURIComponent(first.cursor ?? '')}`)).body,
    );
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(ids);
    expect(rest.cursor).toBeNull();
    for (const cursor of ['9', 'nonsense', `${app.deps.now()} x`])
      expect(await user.call('GET', `/share/list/all?cursor=${encodeURIComponent(cursor)}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_CURSOR' },
      });
    expect(await (await app.signUp()).call('GET', `/share/list/all?cursor=${first.cursor}`)).toMatchObject({
      status: 400,
    });
    expect(await listed(await app.signUp())).toEqual([]);
  });

  it('count a visitor once a day', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { access: 'preview' });
    const { token } = await share(jobId);
    const count = async () => (await listed())[0];
    for (let nth = 0; nth < 3; nth += 1) await open(token);
    const beacon = (path: string, shareToken = token) =>
      app.call('POST', `/api/v1/analytics/${path}`, { body: { shareToken, jobId, timestamp: app.deps.now() } });
    for (const path of ['preview-viewed', 'preview-cta-clicked', 'preview-viewed'])
      expect(await beacon(path)).toMatchObject({ status: 202, body: { success: true } });
    expect((await beacon('preview-viewed', 'no such token')).status).toBe(202);
    await expect.poll(count).toMatchObject({ view_count: 1, preview_views: 1, sign_up_clicks: 1 });
    app.advance(86_400_000);
    await open(token);
    const stored = async () => (await app.readModels.get<SharesDocument>('shares', jobId))?.data.shares[0];
    await expect.poll(stored).toMatchObject({ views: 2, previewViews: 1 });
  });

  it('count the accounts that came from a preview', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { access: 'preview' });
    const { token } = await share(jobId);
    const signUp = (email: string, utm_content: string, source = 'preview') =>
      app.call('POST', '/api/v1/auth/signup-first', {
        body: { email, password: 'a good password', source, utm_campaign: 'shared_preview', utm_content },
      });
    expect((await signUp('one@example.com', token)).status).toBe(201);
    expect((await signUp('two@example.com', 'no such token')).status).toBe(201);
    expect((await signUp('three@example.com', token, 'elsewhere')).status).toBe(201);
    await expect.poll(async () => (await listed())[0]?.sign_ups).toBe(1);
  });

  it('report to everyone at one address that a link has ended', async () => {
    await app.close();
    app = await startTestApp({ rateLimits: { shareMiss: { points: 1, seconds: 60 } } });
    user = await app.signUp();
    const { jobId } = await givenAnalysis(app, user.userId);
    const { id, token } = await share(jobId);
    const state = async () => (await app.call('GET', `/api/v1/share/${token}/state`)).status;
    const states = async () => new Set(await Promise.all(Array.from({ length: 30 }, state)));
    expect(await states()).toEqual(new Set([200]));
    expect((await user.call('DELETE', `/share/${id}`)).status).toBe(200);
    expect(await states()).toEqual(new Set([404]));
    expect((await open(token)).status).toBe(404);
  });

  it('stop visitors who try many dead links', async () => {
    await app.close();
    app = await startTestApp({ rateLimits: { shareMiss: { points: 3, seconds: 60 } } });
    user = await app.signUp();
    const { jobId } = await givenAnalysis(app, user.userId);
    const { token } = await share(jobId);
    for (let nth = 0; nth < 3; nth += 1) expect((await open('A'.repeat(65))).status).toBe(404);
    expect(await open('A'.repeat(65))).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect((await app.call('GET', '/share/no-such/preview.png')).status).toBe(429);
    expect((await open(token)).status).toBe(200);
  });
});

describe('the picture of a link', () => {
  it('names the site only when that is shared', async () => {
    const cards: unknown[] = [];
    const drawn = async (card: unknown) => {
      cards.push(card);
      return new Uint8Array([1]);
    };
    await app.close();
    app = await startTestApp({ sharing: { drawPreview: drawn } });
    user = await app.signUp();
    const { jobId } = await givenAnalysis(app, user.userId, { host: 'shop.example' });
    for (const sharedContent of [['actions', 'job_metadata'], ['actions']])
      await app.call('GET', `/share/${(await share(jobId, { sharedContent })).token}/preview.png`);
    expect(cards).toEqual([
      {
        headings: ['shop.example', 'shop.example'],
        score: 71,
        notJudged: false,
        lines: ['SEO analysis', '2 action items', '12 pages audited'],
      },
      { headings: ['SEO analysis'], score: null, notJudged: false, lines: ['', '2 action items'] },
    ]);
    const part = await givenAnalysis(app, user.userId, { settings: { folder: '/blog/' } });
    await app.call('GET', `/share/${(await share(part.jobId)).token}/preview.png`);
    expect(cards[2]).toMatchObject({
      lines: ['SEO analysis of a part of the site', '2 action items', '12 pages audited'],
    });
  });

  it('is a PNG that is not cached, and sends no referrer', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const { token } = await share(jobId);
    const response = await fetch(`${app.url}/share/${token}/preview.png`);
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'image/png',
      'no-store',
    ]);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([bytes.toString('latin1', 1, 4), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([
      'PNG',
      1200,
      630,
    ]);
    const spellings = [`/Share/${token}`, `/shared/${token}/`, `/%73hared/${token}`, `/api/v1/Share/${token}`];
    for (const path of [
      `/api/v1/share/${token}`,
      `/share/${token}`,
      `/shared/${token}`,
      `/share/${token}/preview.png`,
      ...spellings,
    ]) {
      const { headers } = await app.call('GET', path);
      expect([path, headers.get('x-robots-tag'), headers.get('referrer-policy')]).toEqual([
        path,
        'noindex, nofollow',
        'no-referrer',
      ]);
    }
  });
});

describe('the page of a link', () => {
  const dir = mkdtempSync(join(tmpdir(), 'share-pages-'));
  const INDEX =
    '<!doctype html><html><head><meta name="description" content="the product" /><title>SEO Workbench</title></head><body></body></html>';
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const html = { headers: { accept: 'text/html' } };

  it('describes itself in plain text to sites that unfurl it', async () => {
    writeFileSync(join(dir, 'index.html'), INDEX);
    await app.close();
    app = await startTestApp({ config: { webDir: dir } });
    user = await app.signUp();
    const { jobId } = await givenAnalysis(app, user.userId, { host: 'shop.example' });
    const { token } = await share(jobId, { title: '"><script>alert(1)</script>$&', description: "Ours & 'theirs'" });
    for (const page of ['share', 'shared']) {
      const answer = await app.call('GET', `/${page}/${token}`, html);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(answer.text).toContain(
        '<meta property="og:title" content="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;$&amp;" />',
      );
      expect(answer.text).toContain('<title>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;$&amp;</title>');
      expect(answer.text).toContain('<meta property="og:description" content="Ours &amp; &#39;theirs&#39;" />');
      expect(answer.text).toContain(`<meta property="og:image" content="${app.url}/share/${token}/preview.png" />`);
      expect(answer.text).toContain('<meta name="robots" content="noindex, nofollow" />');
      expect(answer.text).not.toMatch(/<script>|the product/);
      expect((await app.call('GET', `/${page.toUpperCase()}/${token}/`, html)).text).toBe(answer.text);
    }
    const plain = await share(jobId);
    expect((await app.call('GET', plain.path, html)).text).toContain(
      'An SEO analysis of shop.example: what to fix first, and how.',
    );
    for (const title of ['For you', '', 'SEO analysis of shop.example']) {
      const summary = await share(jobId, { title, sharedContent: ['executive_summary'] });
      expect((await app.call('GET', summary.path, html)).text).not.toContain('shop.example');
    }
    await user.call('DELETE', `/share/${plain.id}`);
    const dead = await app.call('GET', plain.path, html);
    expect(dead.status).toBe(404);
    expect(dead.text).toContain('<title>SEO Workbench</title>');
    expect(dead.text).not.toMatch(/og:|shop\.example/);
  });
});
