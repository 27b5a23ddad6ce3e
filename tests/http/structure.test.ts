/** How a site is built: folders, the graph of its pages, and pages that are hard to reach. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMeantForSearch } from '../../src/audit/checks/lookups/roles.ts';
import { pageRows } from '../../src/audit/report/pagesCsv.ts';
import { reportOf } from '../../src/domain/report/reportData.ts';
import type { Structure } from '../../src/http/contract/structure.ts';
import { actionItem, givenAnalysis } from '../given/analysis.ts';
import { givenSite } from '../given/audit/page.ts';
import { recordsOf } from '../given/audit/recordsOf.ts';
import { found, foundAt } from '../given/found.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

const SITE = 'https://www.example.com';
const html = (title: string, body: string): string =>
  `<html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
const links = (...paths: string[]): string => paths.map((path) => `<a href="${path}">To ${path}</a>`).join(' ');

const crawl = givenSite({
  origin: SITE,
  pages: [
    {
      url: `${SITE}/`,
      html: html('Shop', `${links('/tea', '/tea/green')}<a href="/about?a=1" rel="nofollow">About</a>`),
    },
    { url: `${SITE}/tea`, html: html('Tea', links('/tea/green', '/tea/green', '/tea/black/')), depth: 1 },
    { url: `${SITE}/tea/green`, html: html('Green', links('/')), depth: 1 },
    { url: `${SITE}/tea/black/`, html: html('Black', '<p>Nothing more</p>'), depth: 4 },
    { url: `${SITE}/about?a=1`, html: html('About', links('/')), depth: 1 },
    { url: `${SITE}/old/lost`, html: html('Lost', links('/')), depth: null, from: 'sitemap' },
  ],
});
const findings = [
  foundAt('title-missing', `${SITE}/tea/green`),
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
  const ask = async (path: string) => user.call('GET', `/api/v1/jobs/${jobId}/${path}`);
  return { jobId, ask, structure: async (): Promise<Structure> => (await ask('structure')).body.data };
};

/** `/tea → /: 1` for each edge. */
function edgesOf({ graph: { pages, edges } }: Structure): readonly string[] {
  const path = (at: number | undefined): string => (pages[at ?? -1]?.url ?? '').slice(SITE.length);
  return edges.from.map((from, n) => `${path(from)} → ${path(edges.to[n])}: ${edges.links[n]}`).sort();
}

describe('the structure of a site', () => {
  it('has its folders, with what is in them', async () => {
    const { structure } = await given();
    const { folders, moreFolders, pages, everywhere } = await structure();
    expect(pages).toBe(6);
    expect(moreFolders).toBe(0);
    expect(folders.map((folder) => [folder.path, folder.pages])).toEqual([
      ['/', 6],
      ['/old/', 1],
      ['/tea/', 3],
    ]);
    // Of so few pages nothing is everywhere.
    expect(everywhere).toEqual([]);
    expect(folders[2]).toMatchObject({
      apart: { withFindings: 2, withHighImpact: 1, findings: 2 },
      withFindings: 2,
      withHighImpact: 1,
      findings: 2,
      shallowest: 1,
      deepest: 4,
      inlinks: 4,
    });
    expect(folders[1]).toMatchObject({ withFindings: 0, shallowest: null, deepest: null, inlinks: 0 });
    expect(folders[0]?.pageRank).toBeGreaterThan(999_990);
  });

  it('has the links between pages, each pair once', async () => {
    const { structure } = await given();
    const shown = await structure();
    expect(shown.graph).toMatchObject({ morePages: 0, moreEdges: 0, preview: false, noRecord: null });
    expect(edgesOf(shown)).toEqual([
      '/ → /about?a=1: 1',
      '/ → /tea/green: 1',
      '/ → /tea: 1',
      '/about?a=1 → /: 1',
      '/old/lost → /: 1',
      '/tea → /tea/black/: 1',
      '/tea → /tea/green: 2',
      '/tea/green → /: 1',
    ]);
    const { pages, edges } = shown.graph;
    const ranks = pages.map(({ pageRank }) => pageRank);
    expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
    expect(pages.find(({ url }) => url === `${SITE}/tea`)).toMatchObject({ folder: 2, inlinks: 1, outlinks: 3 });
    expect(edges.followed.filter((followed) => !followed)).toHaveLength(1);
    expect(edges.own).not.toContain(false);
  });

  it('has the pages that nothing links to, that lead nowhere, and that are far down; the list of pages has the same', async () => {
    const { structure, ask } = await given();
    const { places } = await structure();
    expect(places).toEqual({
      orphan: { total: 1, pages: [{ url: `${SITE}/old/lost`, title: 'Lost' }] },
      dead_end: { total: 1, pages: [{ url: `${SITE}/tea/black/`, title: 'Black' }] },
      deep: { total: 1, pages: [{ url: `${SITE}/tea/black/`, title: 'Black' }] },
    });
    for (const place of ['orphan', 'dead_end', 'deep'] as const) {
      const { pages, total } = (await ask(`pages?place=${place}`)).body.data;
      expect(total).toBe(places[place].total);
      expect(pages[0].url).toBe(places[place].pages[0]?.url);
    }
  });

  it('of another user is not found', async () => {
    const { jobId } = await given();
    const stranger = await app.signUp();
    expect(await stranger.call('GET', `/api/v1/jobs/${jobId}/structure`)).toMatchObject({ status: 404 });
  });

  it('of an earlier version has its folders without what it did not know, and says why there are no links', async () => {
    const { structure } = await given({ report: undefined as never, records: undefined as never });
    const { folders, graph, places } = await structure();
    expect(folders[0]).toMatchObject({ path: '/', pageRank: null, inlinks: null });
    expect(folders[0]?.pages).toBeGreaterThan(0);
    expect(graph).toMatchObject({ pages: [], morePages: 0, noRecord: 'earlier_version' });
    expect(places.orphan.total).toBe(0);
  });

  it('whose links were removed keeps its folders and pages', async () => {
    const { structure, jobId } = await given();
    expect((await structure()).graph.edges.from).toHaveLength(8);
    await app.given(`page-records-${jobId}`, {
      type: 'PageRecordsRemoved',
      data: { jobId, userId: user.userId, removedAt: '2026-03-11T12:00:00.000Z' },
    });
    const { graph, folders } = await structure();
    expect(graph).toMatchObject({ noRecord: 'removed', edges: { from: [] } });
    expect(graph.pages).toHaveLength(6);
    expect(folders).toHaveLength(3);
  });

  it('of a preview has all folders and pages, and the links on pages with an open finding', async () => {
    const items = [actionItem('first', { checkId: 'thin', findingIds: [findings[1]?.id ?? ''] })];
    const { structure } = await given({ access: 'preview', items });
    const shown = await structure();
    expect(shown.graph).toMatchObject({ preview: true, noRecord: null });
    expect(shown.graph.pages).toHaveLength(6);
    expect(edgesOf(shown)).toEqual(['/tea → /tea/black/: 1', '/tea → /tea/green: 2']);
    expect(shown.folders).toHaveLength(3);
  });
});

describe('the content pages', () => {
  it('are listed, as many as the score counts', async () => {
    const { ask } = await given();
    const { data } = (await ask('pages?show=content&sort=url')).body;
    expect(data.total).toBe(crawl.pages.filter((page) => isMeantForSearch(page, crawl)).length);
    expect(data.counts.content).toBe(data.total);
  });
});

describe('what nearly every page has', () => {
  const all = crawl.pages.map(({ url }) => url);
  const two = ['title-missing', 'thin'].flatMap((id) => all.map((url) => foundAt(id, url)));
  const both = reportOf(found({ findings: two }), pageRows(crawl, two), new Set());

  it.each([
    ['full', ['thin', 'title-missing']],
    ['preview', ['thin']],
  ] as const)('is named as far as it is shown: %s', async (access, named) => {
    const items = [actionItem('first', { checkId: 'thin', findingIds: two.slice(6).map(({ id }) => id) })];
    const { structure } = await given({ access, items, report: both });
    const { everywhere, folders } = await structure();
    expect(everywhere.map(({ checkId }) => checkId).sort()).toEqual(named);
    expect(folders[0]).toMatchObject({ withFindings: 6, apart: { withFindings: 0, withHighImpact: 0, findings: 0 } });
  });
});

describe('the pages of a folder', () => {
  it('are those below it and its index page, as many as the folder counts', async () => {
    const { ask, structure } = await given();
    const of = async (folder: string): Promise<string[]> =>
      (await ask(`pages?sort=url&folder=${encodeURIComponent(folder)}`)).body.data.pages.map(
        ({ url }: { url: string }) => url.slice(SITE.length),
      );
    expect(await of('/tea/')).toEqual(['/tea', '/tea/black/', '/tea/green']);
    expect(await of('/te/')).toEqual([]);
    for (const { path, pages, withFindings, withHighImpact } of (await structure()).folders) {
      expect(await of(path)).toHaveLength(pages);
      const shown = async (show: string): Promise<number> =>
        (await ask(`pages?show=${show}&folder=${encodeURIComponent(path)}`)).body.data.total;
      expect([await shown('findings'), await shown('high')]).toEqual([withFindings, withHighImpact]);
    }
    for (const folder of ['tea/', '/tea', ''])
      expect(await ask(`pages?folder=${folder}`)).toMatchObject({ status: 400 });
  });
});
