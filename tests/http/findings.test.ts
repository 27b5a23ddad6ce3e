/** Findings as rows: filtered, sorted, counted and paged by the server, and limited in a preview. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagesCsv } from '../../src/audit/report/pagesCsv.ts';
import type { CauseView } from '../../src/http/contract/findings.ts';
import { PAGE_COLUMNS } from '../../src/http/contract/pages.ts';
import { reportFromFiles } from '../../src/http/reports/reportFiles.ts';
import { ascending } from '../../src/model/order.ts';
import { actionItem, givenAnalysis } from '../given/analysis.ts';
import { givenSite } from '../given/audit/page.ts';
import { findingsOf } from '../given/audit/runs.ts';
import { FOUND_PAGES, found, foundAt, foundCheck, foundPage, report } from '../given/found.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({ config: { freeAnalysesPerMonth: 1000 } });
  await app.signUp();
  user = await app.signUp();
});
afterAll(() => app.close());

type Given = Parameters<typeof givenAnalysis>[2];
const B = encodeURIComponent('https://www.example.com/b');

/** Gets a path below the job. */
async function given(analysis: Given) {
  const { jobId } = await givenAnalysis(app, user.userId, analysis);
  return async (path: string, by: TestUser = user) => by.call('GET', `/api/v1/jobs/${jobId}/${path}`);
}

const ids = (causes: readonly { checkId: string }[]): string[] => causes.map(({ checkId }) => checkId);

describe.each([
  ['written as rows', { report: report() }],
  ['of an old analysis, read from its file', { findings: JSON.stringify(found()) }],
] satisfies [string, Given][])('findings, %s', (_, analysis) => {
  it('are grouped by cause with the score, worst first', async () => {
    const ask = await given(analysis);
    const { data } = (await ask('causes')).body;
    expect(ids(data.causes)).toEqual(['title-missing', 'thin', 'llms']);
    expect(data).toMatchObject({ findings: 4, coverage: '2 HTML pages audited.', preview: null });
    expect(data.score.deductions[0]).toMatchObject({
      checkId: 'title-missing',
      title: 'Page has no title',
      open: true,
    });
  });

  it('are filtered, each filter counted given the others; a hint has no impact', async () => {
    const ask = await given(analysis);
    expect((await ask('causes')).body.data.counts.impact).toEqual({ all: 3, high: 1, medium: 1, low: 0, hint: 1 });
    const medium = (await ask('causes?impact=medium')).body.data;
    expect(ids(medium.causes)).toEqual(['thin']);
    expect(medium.counts.impact).toMatchObject({ all: 3, medium: 1, hint: 1 });
    expect(medium.counts.category).toMatchObject({ all: 1, content: 1, technical: 0 });
    expect(ids((await ask('causes?impact=hint')).body.data.causes)).toEqual(['llms']);
    expect(ids((await ask('causes?category=technical')).body.data.causes)).toEqual(['title-missing', 'llms']);
    expect(ids((await ask('causes?sort=points')).body.data.causes)).toEqual(['thin', 'title-missing', 'llms']);
  });

  it('can be narrowed to one page', async () => {
    const ask = await given(analysis);
    const { data } = (await ask(`causes?page=${B}`)).body;
    expect(ids(data.causes)).toEqual(['title-missing', 'thin']);
    expect(data.causes[0]).toMatchObject({ findings: 1, pages: 1, first: { url: 'https://www.example.com/b' } });
    const rows = (await ask(`findings?page=${B}&columns=checkId,url`)).body.data;
    expect(rows.findings).toEqual([
      { checkId: 'title-missing', url: 'https://www.example.com/b' },
      { checkId: 'thin', url: 'https://www.example.com/b' },
    ]);
  });

  it('are paged, each row once', async () => {
    const ask = await given(analysis);
    const rows: string[] = [];
    let cursor: string | null = null;
    do {
      const { body }: { body: { data: { findings: { id: string }[]; total: number }; cursor: string | null } } =
        await ask(`findings?limit=3${cursor ? `&cursor=${cursor}` : ''}`);
      expect(body.data.total).toBe(4);
      rows.push(...body.data.findings.map(({ id }) => id));
      cursor = body.cursor;
    } while (cursor);
    expect(rows).toEqual(report().findings.map(({ id }) => id));
    expect((await ask('findings?check=thin')).body).toMatchObject({
      data: { total: 1, counts: { impact: { all: 1, medium: 1 } } },
      cursor: null,
    });
  });
});

describe('the rows', () => {
  it.each([
    ['findings?cursor=nonsense', 'INVALID_CURSOR'],
    ['findings?columns=password', 'INVALID_INPUT'],
    ['findings?limit=501', 'INVALID_INPUT'],
    ['findings?impact=huge', 'INVALID_INPUT'],
    ['pages?sort=rows', 'INVALID_INPUT'],
    ['pages?cursor=x', 'INVALID_CURSOR'],
  ])('refuse %s', async (path, code) => {
    const ask = await given({ report: report() });
    expect(await ask(path)).toMatchObject({ status: 400, body: { code } });
  });

  it('refuse a cursor of another list, filter, order or audit', async () => {
    const [ask, another] = [await given({ report: report() }), await given({ report: report() })];
    const { cursor } = (await ask('findings?limit=1')).body;
    const refused = { status: 400, body: { code: 'INVALID_CURSOR' } };
    expect(await ask(`findings?limit=2&columns=id&cursor=${cursor}`)).toMatchObject({ status: 200 });
    for (const query of ['impact=high&', 'category=content&', 'sort=title&', 'check=thin&', `page=${B}&`])
      expect(await ask(`findings?${query}limit=1&cursor=${cursor}`), query).toMatchObject(refused);
    for (const path of ['pages?', 'pages?sort=status&'])
      expect(await ask(`${path}limit=1&cursor=${cursor}`)).toMatchObject(refused);
    expect(await another(`findings?limit=1&cursor=${cursor}`)).toMatchObject(refused);
  });

  it('say in a sentence which limits are accepted', async () => {
    const ask = await given({ report: report() });
    for (const limit of ['abc', '0', '501', '1.5']) {
      const { body } = await ask(`findings?limit=${limit}`);
      expect(body.issues).toEqual([expect.objectContaining({ message: 'It must be a whole number from 1 to 500' })]);
    }
    const history = await user.call('GET', '/api/v1/actions/analyses?limit=abc');
    expect(history.body.error).toBe('It must be a number');
  });

  it('are paged among thousands without reading earlier ones', async () => {
    const many = report({
      findings: Array.from({ length: 3_000 }, (_, n) => foundAt('thin', `https://www.example.com/${n}`)),
      checks: [foundCheck('thin')],
    });
    const ask = await given({ report: many });
    const first = (await ask('findings?limit=500')).body;
    const second = (await ask(`findings?limit=500&cursor=${first.cursor}`)).body;
    expect(second.data.findings[0].url).toBe('https://www.example.com/500');
    expect(second.data.total).toBe(3_000);
  });

  it('of earlier versions, which stored the scope of the check, do not call a few pages the whole site', async () => {
    const { overview, ...rows } = report();
    const { score } = overview;
    const marked = {
      ...overview,
      score: score && { ...score, deductions: score.deductions.map((each) => ({ ...each, wholeSite: true })) },
      causes: overview.causes.map(({ minutes: _, ...cause }) => ({ ...cause, wholeSite: true })),
    };
    const { data } = (await (await given({ report: { ...rows, overview: marked } }))('causes')).body;
    const flags = (list: readonly { checkId: string; wholeSite: boolean }[]) =>
      list.map(({ checkId, wholeSite }) => [checkId, wholeSite]);
    expect(flags(data.causes)).toEqual([...flags(data.score.deductions), ['llms', true]]);
    expect(flags(data.score.deductions)).toEqual([
      ['title-missing', false],
      ['thin', false],
    ]);
  });

  it('name root causes, what else is settled, and the task of each issue', async () => {
    const gone = 'https://www.example.com/gone';
    const link = { kind: 'link', name: '/gone', position: 'footer' } as const;
    const report = reportFromFiles(
      JSON.stringify(
        found({
          findings: [
            ...['a', 'b'].map((name) =>
              foundAt('broken-internal-link', `https://www.example.com/${name}`, {
                root: link,
                evidence: { url: `https://www.example.com/${name}`, place: 'a', value: '/gone' },
              }),
            ),
            foundAt('page-http-error', gone, { evidence: { url: gone, place: 'status', value: '404' } }),
            foundAt('llms', 'https://www.example.com/a', { hint: true }),
          ],
          checks: ['broken-internal-link', 'page-http-error', 'llms'].map((id) => foundCheck(id)),
          outcomes: [{ checkId: 'page-http-error', omitted: 7 }],
        }),
      ),
      null,
      new Set(['llms']),
    );
    if (report === null) throw new Error('The report could not be read.');
    // A model may put two issues into one item.
    const items = [
      actionItem('broken-internal-link', {
        findingIds: report.findings.map(({ id }) => id),
      }),
    ];
    const ask = await given({ report, items });
    const { data } = (await ask('causes')).body;
    const task = { id: 'broken-internal-link', status: 'todo', optional: false };
    expect(data.causes).toMatchObject([
      {
        checkId: 'broken-internal-link',
        minutes: 20,
        roots: [{ ...link, pages: 2 }],
        joined: [{ checkId: 'page-http-error', title: 'Title of page-http-error', findings: 1 }],
        findings: 3,
        pages: 2,
        omitted: 7,
        task,
      },
      { checkId: 'llms', wholeSite: true, roots: null, joined: [], task },
    ]);
    const checkIds = async (query: string) =>
      (await ask(`findings?columns=checkId&${query}`)).body.data.findings.map(
        (row: { checkId: string }) => row.checkId,
      );
    expect(await checkIds('cause=broken-internal-link')).toEqual([
      'broken-internal-link',
      'broken-internal-link',
      'page-http-error',
    ]);
    expect(await checkIds('check=broken-internal-link')).toEqual(['broken-internal-link', 'broken-internal-link']);
    expect(await checkIds('check=page-http-error')).toEqual(['page-http-error']);
    expect(await checkIds(`check=page-http-error&page=${B}`)).toEqual([]);
    expect(await checkIds('cause=page-http-error')).toEqual([]);
  });

  it('are missing before there are findings, and removed with the job', async () => {
    const { jobId } = await givenAnalysis(app, user.userId, { findings: '<html>' });
    expect(await user.call('GET', `/api/v1/jobs/${jobId}/causes`)).toMatchObject({
      status: 404,
      body: { code: 'FINDINGS_NOT_FOUND' },
    });
    const whole = await givenAnalysis(app, user.userId, { report: report() });
    await user.call('DELETE', `/api/v1/jobs/${whole.jobId}`);
    for (const path of ['causes', 'findings', 'pages'])
      expect((await user.call('GET', `/api/v1/jobs/${whole.jobId}/${path}`)).status).toBe(404);
    expect(await app.readModels.get('reports', `${whole.jobId}/findings/0`)).toBeNull();
  });
});

describe('issues by where they are', () => {
  const A = 'https://www.example.com/a';
  const roots = { kind: 'template', name: '/*' } as const;
  const withPlaces = report(
    {
      findings: [
        foundAt('title-missing', A, { root: roots }),
        foundAt('title-missing', decodeURIComponent(B), { root: roots }),
        foundAt('thin', decodeURIComponent(B), { category: 'content', impact: 'medium' }),
        foundAt('llms', A, { impact: 'low', hint: true }),
      ],
    },
    FOUND_PAGES.map((page, n) => ({ ...page, template: n < 2 ? '/*' : '/gone/*' })),
  );

  it('are groups by page, by template, and by what one edit fixes, the worst first', async () => {
    const ask = await given({ report: withPlaces });
    const groups = async (query: string) => (await ask(`groups?${query}`)).body.data.groups;
    expect(await groups('by=page')).toEqual([
      { value: A, issues: 2, findings: 2, pages: 1, impact: 'high' },
      { value: decodeURIComponent(B), issues: 2, findings: 2, pages: 1, impact: 'high' },
    ]);
    expect(await groups('')).toEqual([{ value: '/*', issues: 3, findings: 4, pages: 2, impact: 'high' }]);
    expect(await groups('by=root')).toEqual([
      { value: 'template /*', issues: 1, findings: null, pages: 2, impact: 'high' },
    ]);
    expect(await groups('by=page&impact=hint')).toEqual([
      { value: A, issues: 1, findings: 1, pages: 1, impact: 'hint' },
    ]);
    expect(await groups('by=page&search=/B')).toMatchObject([{ value: decodeURIComponent(B) }]);
    expect(await groups('by=page&category=schema')).toEqual([]);
    const first = (await ask('groups?by=page&limit=1')).body;
    expect(first.data.total).toBe(2);
    expect((await ask(`groups?by=page&limit=1&cursor=${first.cursor}`)).body).toMatchObject({ cursor: null });
  });

  it('are narrowed to a template, a root, and a text', async () => {
    const ask = await given({ report: withPlaces });
    const { causes } = (await ask(`causes?template=${encodeURIComponent('/*')}`)).body.data;
    expect(causes.map((cause: CauseView) => [cause.checkId, cause.findings, cause.pages])).toEqual([
      ['title-missing', 2, 2],
      ['thin', 1, 1],
      ['llms', 1, 1],
    ]);
    expect((await ask(`causes?template=${encodeURIComponent('/gone/*')}`)).body.data.causes).toEqual([]);
    expect(ids((await ask('causes?root=template%20/*')).body.data.causes)).toEqual(['title-missing']);
    expect(ids((await ask('causes?search=OF%20THIN')).body.data.causes)).toEqual(['thin']);
    expect((await ask('findings?search=of%20thin')).body.data.total).toBe(1);
    expect((await ask('causes?search=nothing')).body.data.causes).toEqual([]);
  });

  it('of a preview are those of its findings', async () => {
    const items = [actionItem('first', { checkId: 'thin', findingIds: [`thin ${decodeURIComponent(B)}`] })];
    const ask = await given({ report: withPlaces, access: 'preview', items });
    expect((await ask('groups?by=page')).body.data.groups).toEqual([
      { value: decodeURIComponent(B), issues: 1, findings: 1, pages: 1, impact: 'medium' },
    ]);
    expect((await ask('groups')).body.data.groups).toMatchObject([{ value: '/*', issues: 1, findings: 1 }]);
    expect(ids((await ask(`causes?template=${encodeURIComponent('/*')}`)).body.data.causes)).toEqual(['thin']);
  });
});

describe('the findings of a preview', () => {
  const items = [
    actionItem('first', { impact: 'high', checkId: 'thin', findingIds: ['thin https://www.example.com/b'] }),
  ];

  it.each([['rows'], ['files']])(
    'are those that the shown items fix, and of the others only the names in the score: %s',
    async (from) => {
      const analysis = from === 'rows' ? { report: report() } : { findings: JSON.stringify(found()) };
      const ask = await given({ access: 'preview', items, ...analysis });
      const causes = await ask('causes');
      expect(ids(causes.body.data.causes)).toEqual(['thin']);
      expect(causes.body.data.preview).toEqual({ shown: 1, total: 4 });
      expect(causes.body.data.counts.impact).toMatchObject({ all: 1, medium: 1 });
      expect(
        causes.body.data.score.deductions.map(({ title, open }: { title: string; open: boolean }) => [title, open]),
      ).toEqual([
        ['Page has no title', false],
        ['Title of thin', true],
      ]);
      const findings = await ask('findings');
      expect(findings.body.data).toMatchObject({ total: 1, preview: { shown: 1, total: 4 } });
      for (const { text } of [
        causes,
        findings,
        await ask('findings?check=title-missing'),
        await ask(`causes?page=${B}`),
      ]) {
        expect(text).not.toContain('How title-missing is mended');
        expect(text).not.toContain('Blue mugs');
      }
      expect((await ask('pages')).body.data.total).toBe(from === 'rows' ? 4 : 1);
    },
  );
});

describe('the pages', () => {
  it('are filtered, counted, sorted and paged', async () => {
    const ask = await given({ report: report() });
    const paths = async (query: string): Promise<string[]> =>
      (await ask(`pages?${query}`)).body.data.pages.map(({ url }: { url: string }) => new URL(url).pathname);
    expect(await paths('')).toEqual(['/b', '/a', '/gone', '/dead']);
    expect(await paths('show=problems')).toEqual(['/gone', '/dead']);
    expect(await paths('sort=words')).toEqual(['/b', '/a', '/dead', '/gone']);
    expect(await paths('sort=words&order=desc')).toEqual(['/a', '/b', '/dead', '/gone']);
    expect(await paths('sort=url&order=desc&limit=2')).toEqual(['/gone', '/dead']);
    const page = (await ask('pages?limit=3&columns=url,title')).body;
    expect(page.data).toMatchObject({ total: 4, counts: { all: 4, findings: 3, problems: 2, closed: 1 } });
    expect(page.data.pages[1]).toEqual({ url: 'https://www.example.com/a', title: 'Mugs, "blue" ones' });
    expect((await ask(`pages?limit=3&cursor=${page.cursor}`)).body.data.pages).toHaveLength(1);
  });

  it('are a file with exactly the filters, columns, and order of a list', async () => {
    const ask = await given({ report: report() });
    const lines = async (query: string): Promise<string[]> => (await ask(`pages.csv?${query}`)).text.split('\r\n');
    expect(await lines('columns=title,url,highImpact&sort=words')).toEqual([
      'title,url,high_impact',
      // Not a formula for a spreadsheet.
      "'=Sum of mugs,https://www.example.com/b,1",
      '"Mugs, ""blue"" ones",https://www.example.com/a,1',
      ',https://www.example.com/dead,0',
      ',https://www.example.com/gone,0',
      '',
    ]);
    expect(await lines('columns=url&show=problems&search=GONE')).toEqual(['url', 'https://www.example.com/gone', '']);
    expect(await lines('columns=url&role=product')).toEqual(['url', '']);
    const [head, first] = await lines('sort=url');
    expect(head?.split(',')).toHaveLength(PAGE_COLUMNS.length);
    expect(first).toContain('https://www.example.com/a,200,');
  });

  it('are a file of all rows, however many', async () => {
    const many = Array.from({ length: 501 }, (_, n) => foundPage(`https://www.example.com/${n}`));
    const ask = await given({ report: report({}, many) });
    const { text, headers } = await ask('pages.csv?columns=url&sort=url');
    expect(text.trimEnd().split('\r\n')).toEqual(['url', ...many.map(({ url }) => url).sort(ascending)]);
    expect(headers.get('content-disposition')).toBe('attachment; filename="pages.csv"');
    expect((await ask('pages.csv?columns=rows')).body.code).toBe('INVALID_INPUT');
    expect((await ask('pages.csv?limit=1')).text).toContain('/500');
    expect((await ask('pages.csv', await app.signUp())).status).toBe(404);
  });

  it('of an old audit are read from its file, as the engine wrote it', () => {
    const html = '<html lang="en"><head><title>=1+1, "quoted" ’text’</title></head><body><h1>Tea</h1></body></html>';
    const crawl = givenSite({ pages: [{ html }, { url: '/gone', status: 404 }, { url: '/dead', failure: 'timeout' }] });
    const { pages = [] } =
      reportFromFiles(findingsOf({ pages: [{ html }] }).text, pagesCsv(crawl, []), new Set()) ?? {};
    expect(pages.map(({ url, status, title, problem, indexable }) => [url, status, title, problem, indexable])).toEqual(
      [
        ['https://example.com/', 200, '=1+1, "quoted" ’text’', '', true],
        ['https://example.com/gone', 404, '', '', null],
        ['https://example.com/dead', null, '', 'timeout', null],
      ],
    );
  });

  it.each(['', '<html>', 'null', '[]', '{"findings": 1}'])('are not read from an invalid findings file: %s', (text) => {
    expect(reportFromFiles(text, null, new Set())).toBeNull();
  });
});
