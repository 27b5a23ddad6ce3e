/** The lists of pages and links, and one page with what was kept of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageRows } from '../../src/audit/report/pagesCsv.ts';
import { reportOf } from '../../src/domain/report/reportData.ts';
import type { AccountExport } from '../../src/http/contract/account.ts';
import { actionItem, givenAnalysis } from '../given/analysis.ts';
import { givenSite } from '../given/audit/page.ts';
import { recordsOf } from '../given/audit/recordsOf.ts';
import { found, foundAt } from '../given/found.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

const SITE = 'https://www.example.com';
const html = (title: string, body: string): string =>
  `<html lang="en"><head>${title === '' ? '' : `<title>${title}</title>`}</head><body>
  <nav><a href="/">Home</a> <a href="/tea">Tea</a></nav><main><h1>${title}</h1>${body}</main></body></html>`;

const crawl = givenSite({
  origin: SITE,
  pages: [
    {
      url: `${SITE}/`,
      html: html('Shop', '<a href="/tea" rel="nofollow">All teas</a><a href="/gone?token=abc">Old</a>'),
    },
    { url: `${SITE}/tea`, html: html('Tea', '<p>Green tea.</p><a href="https://other.example/">Other</a>') },
    { url: `${SITE}/untitled`, html: html('', '<p>Words</p>'), depth: 2 },
    { url: `${SITE}/gone?token=abc`, status: 404, html: '<p>Gone</p>' },
  ],
});
const findings = [
  foundAt('title-missing', `${SITE}/untitled`),
  foundAt('thin', `${SITE}/tea`, { category: 'content', impact: 'medium' }),
];
const report = reportOf(found({ findings }), pageRows(crawl, findings), new Set());

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({ config: { freeAnalysesPerMonth: 1000 } });
  await app.signUp();
  user = await app.signUp();
});
afterAll(() => app.close());

const given = async (over: Parameters<typeof givenAnalysis>[2] = {}) => {
  const { jobId } = await givenAnalysis(app, user.userId, { report, records: await recordsOf(crawl), ...over });
  return { jobId, ask: async (path: string) => user.call('GET', `/api/v1/jobs/${jobId}/${path}`) };
};
const at = (path: string): string => `url=${encodeURIComponent(`${SITE}${path}`)}`;

describe('the pages of an audit', () => {
  it('are filtered and counted by what is known of them, searched, and sorted by every column', async () => {
    const { ask } = await given();
    const paths = async (query: string): Promise<string[]> =>
      (await ask(`pages?${query}`)).body.data.pages.map(({ url }: { url: string }) => new URL(url).pathname);
    expect(await paths('missing=title')).toEqual(['/untitled']);
    expect(await paths('status=4xx')).toEqual(['/gone']);
    expect(await paths('indexability=error')).toEqual(['/gone']);
    expect(await paths('type=html&sort=url')).toEqual(['/', '/tea', '/untitled']);
    expect(await paths('search=TEA')).toEqual(['/tea']);
    expect(await paths('search=nothing')).toEqual([]);
    expect(await paths('sort=inlinks&order=desc&type=html')).toEqual(['/tea', '/', '/untitled']);
    expect(await paths('depth=2')).toEqual(['/untitled']);
    const { facets } = (await ask('pages?missing=title')).body.data;
    expect(facets.missing).toContainEqual({ value: 'title', pages: 1 });
    expect(facets.missing).toContainEqual({ value: 'description', pages: 3 });
    expect(facets.status).toEqual([{ value: '2xx', pages: 1 }]);
    expect((await ask('pages?depth=deep')).status).toBe(400);
  });

  it('say whether a task is about them', async () => {
    const items = [actionItem('first', { checkId: 'thin', findingIds: [findings[1]?.id ?? ''] })];
    const { ask } = await given({ items });
    const { pages, facets } = (await ask('pages?task=yes')).body.data;
    expect(pages.map(({ url }: { url: string }) => url)).toEqual([`${SITE}/tea`]);
    expect(facets.task).toEqual(
      expect.arrayContaining([
        { value: 'yes', pages: 1 },
        { value: 'no', pages: 3 },
      ]),
    );
  });

  it('come with their issues on request', async () => {
    const { ask } = await given();
    const issues = async (query: string): Promise<unknown> => (await ask(`pages?sort=url&${query}`)).body.data.issues;
    expect(await issues('')).toBeNull();
    expect(await issues('issues=yes')).toEqual([
      [],
      [],
      [{ checkId: 'thin', findings: 1 }],
      [{ checkId: 'title-missing', findings: 1 }],
    ]);
    expect(await issues('issues=yes&search=tea')).toEqual([[{ checkId: 'thin', findings: 1 }]]);
    expect(await issues('issues=yes&search=nothing')).toEqual([]);
    expect((await ask('pages?issues=all')).status).toBe(400);
  });

  it('in a preview come with the issues that it shows', async () => {
    const { ask } = await given({
      access: 'preview',
      items: [actionItem('first', { checkId: 'thin', findingIds: [findings[1]?.id ?? ''] })],
    });
    const { pages, issues } = (await ask('pages?sort=url&issues=yes')).body.data;
    expect(pages).toHaveLength(4);
    expect(issues).toEqual([[], [], [{ checkId: 'thin', findings: 1 }], []]);
  });

  it('of an earlier version have no values that it did not know', async () => {
    const { ask } = await given({ report: undefined as never, records: undefined as never });
    const { pages, facets } = (await ask('pages')).body.data;
    expect(pages.length).toBeGreaterThan(0);
    for (const { role, inlinks, indexability } of pages)
      expect([role, inlinks, indexability]).toEqual([null, null, null]);
    expect(facets.role).toEqual([]);
  });
});

describe('one page', () => {
  it('has its row, its record, and the links from and to it', async () => {
    const { ask } = await given();
    const { data } = (await ask(`page?${at('/tea')}`)).body;
    expect(data).toMatchObject({
      page: { url: `${SITE}/tea`, title: 'Tea', role: 'content', indexability: 'indexable', inlinks: 2 },
      record: { headings: [{ level: 1, text: 'Tea' }], markdown: expect.stringContaining('Green tea.') },
      noRecord: null,
    });
    expect(data.links.inbound).toMatchObject({ total: 3 });
    expect(data.links.outbound.links).toContainEqual(
      expect.objectContaining({ to: 'https://other.example/', external: true, anchor: 'Other', page: null }),
    );
    expect((await ask('page')).body.data.page.url).toBe(`${SITE}/`);
  });

  it('that the audit does not have is not found, nor that of another user', async () => {
    const { ask, jobId } = await given();
    expect(await ask(`page?${at('/none')}`)).toMatchObject({ status: 404, body: { code: 'PAGE_NOT_FOUND' } });
    const stranger = await app.signUp();
    for (const path of ['page', 'links'])
      expect(await stranger.call('GET', `/api/v1/jobs/${jobId}/${path}`)).toMatchObject({ status: 404 });
  });

  it('says why there is no record: of an earlier version, or removed', async () => {
    const earlier = await given({ records: undefined as never });
    expect((await earlier.ask('page')).body.data).toMatchObject({ record: null, noRecord: 'earlier_version' });
    expect((await earlier.ask('links')).body.data).toMatchObject({ links: [], noRecord: 'earlier_version' });
    const { ask, jobId } = await given();
    await ask('page');
    await app.given(`page-records-${jobId}`, {
      type: 'PageRecordsRemoved',
      data: { jobId, userId: user.userId, removedAt: '2026-03-11T12:00:00.000Z' },
    });
    expect((await ask('page')).body.data).toMatchObject({ record: null, noRecord: 'removed', page: { title: 'Shop' } });
    expect((await ask('links')).body.data).toMatchObject({ links: [], noRecord: 'removed' });
  });
});

describe('the links of an audit', () => {
  it('are listed in the order of pages, filtered, counted, searched, and paged', async () => {
    const { ask } = await given();
    const { data } = (await ask('links')).body;
    expect(data).toMatchObject({ total: 9, kept: 9, found: 9, preview: false, noRecord: null });
    expect(data.links[2]).toEqual({
      from: `${SITE}/`,
      to: `${SITE}/tea`,
      page: `${SITE}/tea`,
      status: 200,
      anchor: 'All teas',
      position: 'content',
      external: false,
      template: false,
      nofollow: true,
      sponsored: false,
      ugc: false,
    });
    const anchors = async (query: string): Promise<string[]> =>
      (await ask(`links?${query}`)).body.data.links.map(({ anchor }: { anchor: string }) => anchor);
    expect(await anchors('nofollow=yes')).toEqual(['All teas']);
    expect(await anchors('status=4xx')).toEqual(['Old']);
    expect(await anchors('external=yes')).toEqual(['Other']);
    expect(await anchors('search=all%20t')).toEqual(['All teas']);
    expect(await anchors(`from=${encodeURIComponent(`${SITE}/tea`)}`)).toEqual(['Home', 'Tea', 'Other']);
    expect((await anchors(`to=${encodeURIComponent(`${SITE}/tea`)}&position=navigation`)).length).toBe(3);
    expect((await anchors('sort=anchor&order=desc'))[0]).toBe('Tea');
    expect((await anchors('sort=anchor'))[0]).toBe('All teas');
    expect((await anchors('sort=status&order=desc'))[0]).toBe('Old');
    expect((await anchors('sort=status')).at(-1)).toBe('Other');
    for (const sort of ['from', 'to', 'position']) expect(await anchors(`sort=${sort}`)).toHaveLength(9);
    const first = (await ask('links?limit=8')).body;
    expect((await ask(`links?limit=8&cursor=${first.cursor}`)).body).toMatchObject({
      data: { links: [{ anchor: 'Tea' }], total: 9 },
      cursor: null,
    });
  });

  it('hold no secret of an address', async () => {
    const { ask } = await given();
    const { text } = await ask('links?search=gone');
    expect(text).toContain('token=[hidden]');
  });
});

describe('in a preview', () => {
  const items = [actionItem('first', { checkId: 'thin', findingIds: [findings[1]?.id ?? ''] })];

  it('rows are whole, and records and links are those of pages with an open finding', async () => {
    const { ask } = await given({ access: 'preview', items });
    const { pages } = (await ask('pages')).body.data;
    expect(pages).toHaveLength(4);
    for (const page of pages) expect(page.role).not.toBeNull();
    expect((await ask(`page?${at('/tea')}`)).body.data).toMatchObject({ noRecord: null, page: { title: 'Tea' } });
    const shut = (await ask(`page?${at('/untitled')}`)).body.data;
    expect(shut).toMatchObject({ record: null, noRecord: 'preview', links: null });
    const { links, preview } = (await ask('links')).body.data;
    expect(preview).toBe(true);
    expect(new Set(links.map(({ from }: { from: string }) => from))).toEqual(new Set([`${SITE}/tea`]));
  });
});

describe('the export of an account', () => {
  it('has the record of each page with the links on it, of a preview those that it shows', async () => {
    const owner = await app.signUp();
    const items = [actionItem('first', { checkId: 'thin', findingIds: [findings[1]?.id ?? ''] })];
    const records = await recordsOf(crawl);
    const full = await givenAnalysis(app, owner.userId, { report, records });
    const preview = await givenAnalysis(app, owner.userId, { report, records, access: 'preview', items });
    await givenAnalysis(app, owner.userId, { report });
    const { pages } = JSON.parse((await owner.call('GET', '/api/v1/account/export')).text) as AccountExport;
    const of = (jobId: string) => pages.filter(({ job_id }) => job_id === jobId);
    expect(of(full.jobId).map(({ url, links }) => [url, links.length])).toEqual(
      crawl.pages.map(({ url }, n) => [url, [4, 3, 2, 0][n]]),
    );
    expect(of(full.jobId)[1]?.record.markdown).toContain('Green tea.');
    expect(of(preview.jobId).map(({ url }) => url)).toEqual([`${SITE}/tea`]);
    expect(pages).toHaveLength(crawl.pages.length + 1);
  });
});
