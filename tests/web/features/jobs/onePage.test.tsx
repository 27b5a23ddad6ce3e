/** A page's own view in an audit. */
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LinkView } from '../../../../src/http/contract/links.ts';
import type { PageRecordView, PageResponse } from '../../../../src/http/contract/pageRecord.ts';
import { pageView } from '../../../../src/http/reports/listPages.ts';
import { foundPage, report } from '../../../given/found.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { answerReport, boardItem, run, runsResponse } from '../../given/findings.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { completedJob, jobsResponse } from '../../given/views.ts';

const URL_A = 'https://www.example.com/a';
const PATH = `/dashboard/jobs/job-1/page?url=${encodeURIComponent(URL_A)}`;

type Data = PageResponse['data'];

const record = (over: Partial<PageRecordView> = {}): PageRecordView => ({
  chain: [{ url: URL_A, status: 200 }],
  headers: [{ name: 'content-type', value: 'text/html' }],
  directives: [{ place: 'head > meta[name=robots]', bot: null, value: 'max-snippet:50' }],
  canonicals: [{ place: 'head > link[rel=canonical]', url: URL_A }],
  alternates: [],
  lang: 'en',
  charset: 'utf-8',
  headings: [
    { level: 1, text: 'Mugs', hidden: false },
    { level: 3, text: 'Blue ones', hidden: false },
  ],
  data: [{ syntax: 'json-ld', types: ['Product'], nodes: [{ '@type': 'Product', name: 'Blue mug' }], error: null }],
  images: [{ url: 'https://www.example.com/mug.jpg', alt: null, width: null, height: null, lazy: false }],
  social: [{ name: 'og:title', content: 'Our mugs' }],
  markdown: '# Mugs\n\nBlue ones.',
  leftOut: {},
  ...over,
});

const link = (over: Partial<LinkView> = {}): LinkView => ({
  from: 'https://www.example.com/',
  to: URL_A,
  page: URL_A,
  status: 200,
  anchor: 'All mugs',
  position: 'content',
  external: false,
  template: false,
  nofollow: false,
  sponsored: false,
  ugc: false,
  ...over,
});

const row = (over: Partial<Data['page']> = {}): Data['page'] => ({
  ...pageView({
    ...foundPage(URL_A, { title: 'Mugs', description: 'Blue mugs, made by hand.', words: 120, findings: 2 }),
    rows: [],
    role: 'product',
    indexability: 'indexable',
    template: '/*',
    inlinks: 3,
    outlinks: 5,
    externalLinks: 1,
    pageRank: 12_345,
    descriptionLength: 24,
    h1s: 1,
    lang: 'en',
    imagesWithoutAlt: 1,
    dataTypes: ['Product'],
  }),
  ...over,
});

const answer = (over: Partial<Data> = {}): PageResponse => ({
  success: true,
  data: {
    page: row(),
    record: record(),
    noRecord: null,
    links: {
      inbound: { total: 250, links: [link()] },
      outbound: { total: 1, links: [link({ from: URL_A, to: 'https://other.example/', page: null, external: true })] },
    },
    ...over,
  },
});

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/jobs', jobsResponse([completedJob()]));
  server.on('GET /api/v1/jobs/job-1/runs', runsResponse([run('job-1')]));
  answerReport(server, undefined, null, [boardItem('title-missing')]);
});

async function opened(over: Partial<Data> = {}) {
  server.on('GET /api/v1/jobs/job-1/page', answer(over));
  const app = renderApp(PATH);
  await screen.findByRole('heading', { level: 1, name: 'Mugs' });
  return app;
}

const part = (title: string | RegExp): HTMLElement => {
  const found = screen.getByRole('heading', { level: 2, name: title }).closest('section, details');
  if (!(found instanceof HTMLElement)) throw new Error(`There is no part ${String(title)}.`);
  return found;
};

describe('the view of a page', () => {
  it('says what it is, how it is found, and what it holds', async () => {
    await opened();
    for (const text of ['Product', 'Indexable', '1 click from the home page', '3 pages link here'])
      expect(screen.getAllByText(text).length, text).toBeGreaterThan(0);
    expect(within(part('Status and indexing')).getByText('max-snippet:50')).toBeVisible();
    expect(within(part(/^Headings/)).getByText('level skipped')).toBeVisible();
    expect(within(part('Social card')).getAllByText('Our mugs').length).toBeGreaterThan(0);
    expect(within(part(/^Structured data/)).getByText('Blue mug')).toBeVisible();
    expect(within(part('Facts')).getByText('1.23%')).toBeVisible();
    expect(within(part('Search result preview')).getByText('Blue mugs, made by hand.')).toBeVisible();
  });

  it('opens an issue in place: why it matters, what to do, and what was seen', async () => {
    const { user } = await opened();
    const issue = await screen.findByRole('button', { name: /Page has no title/ });
    expect(issue).toHaveAttribute('aria-expanded', 'false');
    await user.click(issue);
    expect(issue).toHaveAttribute('aria-expanded', 'true');
    const issues = within(part(/^Issues on this page/));
    // As many as the row of the page in the list says.
    expect(issues.getByText(/^\d+ findings?(?:, with \d+ optional issues? below)?$/)).toBeVisible();
    expect(issues.getByText('Risk:')).toBeVisible();
    expect(issues.getByRole('heading', { level: 4, name: 'How to fix' })).toBeVisible();
    expect(await issues.findByRole('heading', { level: 4, name: 'Seen on this page' })).toBeVisible();
    await user.click(issue);
    expect(issues.queryByText('Risk:')).toBeNull();
  });

  it('leads from an issue in the address to its task and to all pages that have it', async () => {
    server.on('GET /api/v1/jobs/job-1/page', answer());
    renderApp(`${PATH}&issue=title-missing`);
    expect(await screen.findByRole('link', { name: 'Task: to do, Page has no title' })).toHaveAttribute(
      'href',
      expect.stringContaining('actionId=title-missing'),
    );
    expect(screen.getByRole('link', { name: /^(All|This issue).*, Page has no title$/ })).toHaveAttribute(
      'href',
      '/dashboard/jobs/job-1?tab=findings&cause=title-missing',
    );
  });

  it('leads from each fact to the pages that share it, and to the links', async () => {
    await opened();
    for (const [name, query] of [
      ['Product', 'tab=pages&role=product'],
      ['Indexable', 'tab=pages&indexability=indexable'],
      ['1 click from the home page', 'tab=pages&depth=1'],
      ['3 pages link here', `tab=links&to=${encodeURIComponent(URL_A)}`],
    ] as const)
      expect(screen.getByRole('link', { name })).toHaveAttribute('href', `/dashboard/jobs/job-1?${query}`);
  });

  it('lists links in both directions, and leads to the other pages and to all of them', async () => {
    const { user } = await opened();
    const inbound = part('Links to this page (250)');
    await user.click(within(inbound).getByRole('heading', { level: 2 }));
    expect(within(inbound).getByRole('link', { name: 'https://www.example.com/' })).toHaveAttribute(
      'href',
      `/dashboard/jobs/job-1/page?url=${encodeURIComponent('https://www.example.com/')}`,
    );
    expect(within(inbound).getByRole('link', { name: 'Show all 250' })).toHaveAttribute(
      'href',
      `/dashboard/jobs/job-1?tab=links&to=${encodeURIComponent(URL_A)}`,
    );
    expect(within(part('Links on this page (1)')).queryByRole('link', { name: /^Show all/ })).toBeNull();
  });

  it('has the way back to all pages', async () => {
    await opened();
    expect(screen.getByRole('link', { name: 'All pages of this audit' })).toHaveAttribute(
      'href',
      '/dashboard/jobs/job-1?tab=pages',
    );
  });

  it('leads back to the list that led to it, with its filters and order, also after an issue was opened', async () => {
    answerReport(server, report({}, [foundPage(URL_A, { title: 'Mugs' })]), null, [boardItem('title-missing')]);
    server.on('GET /api/v1/jobs/job-1/page', answer());
    const { user } = renderApp('/dashboard/jobs/job-1?tab=pages&status=2xx&sort=inlinks');
    await user.click(await screen.findByRole('link', { name: '/a' }));
    await user.click(await screen.findByRole('button', { name: /Page has no title/ }));
    expect(screen.getByRole('link', { name: 'Back to the list' })).toHaveAttribute(
      'href',
      '/dashboard/jobs/job-1?tab=pages&status=2xx&sort=inlinks',
    );
  });

  it.each([
    ['earlier_version', /Run this audit again/],
    ['removed', /newer audits of this site have theirs/],
    ['too_large', /very large/],
    ['preview', /Unlock the audit/],
  ] as const)('says why there are no details, and shows the rest: %s', async (noRecord, text) => {
    await opened({ record: null, links: null, noRecord });
    expect(screen.getByText(text)).toBeVisible();
    expect(part('Facts')).toBeVisible();
    expect(screen.queryByRole('heading', { name: /^Headings/ })).toBeNull();
  });

  it('of an error shows its status, and no preview of what nobody finds', async () => {
    await opened({
      page: row({ status: 404, indexable: null, indexability: 'error', description: '', words: null }),
      record: record({ chain: [{ url: URL_A, status: 404 }], headings: [], data: [], social: [], markdown: '' }),
    });
    expect(screen.getAllByText('404').length).toBeGreaterThan(0);
    expect(screen.queryByRole('heading', { name: 'Search result preview' })).toBeNull();
    expect(screen.getByText('The page has no headings.')).toBeVisible();
  });
});

describe('since the audit before', () => {
  beforeEach(() => server.on('GET /api/v1/jobs/job-1/runs', runsResponse([run('before'), run('job-1')])));

  it('names what changed on the page', async () => {
    server.on('GET /api/v1/jobs/before/page', answer({ page: row({ title: 'Old mugs', role: null, inlinks: null }) }));
    await opened();
    await screen.findByRole('heading', { level: 2, name: 'Since the audit before' });
    const changes = within(part('Since the audit before'));
    expect(await changes.findByText('Old mugs')).toBeVisible();
    // Not recorded then.
    expect(changes.queryByText('Pages linking here')).toBeNull();
    expect(changes.getByRole('link', { name: 'This page in that audit' })).toHaveAttribute(
      'href',
      PATH.replace('job-1', 'before'),
    );
  });

  it('says that nothing changed, or that the page was not looked at', async () => {
    server.on('GET /api/v1/jobs/before/page', answer());
    const { unmount } = await opened();
    expect(await screen.findByText('No changes.')).toBeVisible();
    unmount();
    server.on('GET /api/v1/jobs/before/page', refusal(404, 'The audit has no such page.', 'PAGE_NOT_FOUND'));
    await opened();
    expect(await screen.findByText('That audit didn’t read this page.')).toBeVisible();
  });
});

it('says that an audit has no such page', async () => {
  server.on('GET /api/v1/jobs/job-1/page', refusal(404, 'The audit has no such page.', 'PAGE_NOT_FOUND'));
  renderApp(PATH);
  expect(await screen.findByText('The audit has no such page.')).toBeVisible();
});
