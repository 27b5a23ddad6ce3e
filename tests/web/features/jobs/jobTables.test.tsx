/** The tables of pages and links: filters, columns, views, keys, and files. */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LinkColumns } from '../../../../src/model/pageRecords.ts';
import { foundAt, foundCheck, foundPage, report } from '../../../given/found.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { answerLinks, answerReport, run, runsResponse } from '../../given/findings.ts';
import { renderApp, signedInBefore, subscriptionAnswered } from '../../given/renderApp.tsx';
import { completedJob, jobsResponse } from '../../given/views.ts';

const HTML = {
  role: 'product',
  indexability: 'indexable',
  template: '/shop/*',
  inlinks: 1,
  outlinks: 4,
  externalLinks: 0,
  pageRank: 12_345,
  descriptionLength: 0,
  h1s: 1,
  lang: 'en',
  imagesWithoutAlt: 0,
  dataTypes: ['Product'],
} as const;
const at = (path: string): string => `https://www.example.com${path}`;

const PAGES = [
  foundPage(at('/'), { ...HTML, role: 'start', template: '/', description: 'A shop of mugs', clicksFromStart: 0 }),
  foundPage(at('/shop/red'), { ...HTML, title: 'Red mug', titleLength: 7, h1: 'Red mug', findings: 2, highImpact: 1 }),
  foundPage(at('/shop/blue'), { ...HTML, title: 'Blue mug', titleLength: 8, inlinks: 30, clicksFromStart: 2 }),
  foundPage(at('/shop/green'), { ...HTML, description: 'A green mug' }),
  foundPage(at('/shop/old'), { ...HTML, indexability: 'noindex', indexable: false }),
  foundPage(at('/about'), { ...HTML, role: 'content', template: '/*' }),
];
const REPORT = report({}, PAGES);

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/jobs/job-1/runs', runsResponse([run('job-1')]));
  server.on('GET /api/v1/jobs', jobsResponse([completedJob()]));
  answerReport(server, REPORT);
});

async function open(query = '') {
  const app = renderApp(`/dashboard/jobs/job-1${query}`);
  await screen.findByRole('heading', { level: 1, name: 'example.com' });
  await subscriptionAnswered(app);
  return app;
}

const table = async (name = 'Pages') => within(await screen.findByRole('region', { name }));
const paths = async (name?: string): Promise<readonly (string | null)[]> =>
  (await table(name)).getAllByRole('rowheader').map((cell) => cell.textContent);
const heads = async (): Promise<readonly (string | null)[]> =>
  (await table()).getAllByRole('columnheader').map((head) => head.querySelector('a, button')?.textContent ?? null);

describe('the pages', () => {
  it('lead a consultant to indexable products without a description, most inlinks first, in six actions', async () => {
    const { user, address } = await open();
    let actions = 0;
    const click = async (role: string, name: string | RegExp): Promise<void> => {
      actions += 1;
      await user.click(await screen.findByRole(role, { name }));
    };
    await click('tab', /^Pages/);
    await click('link', /^Indexable \d/);
    await click('link', /^Product \d/);
    await click('link', /^Description \d/);
    await click('link', 'Inlinks');
    await waitFor(async () => expect(await paths()).toEqual(['/shop/blue', '/shop/red']));
    expect(actions).toBeLessThanOrEqual(6);
    expect(address()).toBe(
      '/dashboard/jobs/job-1?tab=pages&indexability=indexable&role=product&missing=description&sort=inlinks',
    );
  });

  it('count what each filter leaves, and take it back', async () => {
    const { user, address } = await open('?tab=pages&role=product');
    const filters = within(await screen.findByRole('navigation', { name: 'Filter pages' }));
    expect(filters.getByRole('link', { name: 'Product 4' })).toHaveAttribute('aria-current', 'true');
    expect(filters.getByRole('link', { name: 'Noindex 1' })).not.toHaveAttribute('aria-current');
    expect(filters.queryByRole('combobox', { name: 'Template' })).toBeNull();
    await user.click(filters.getByRole('button', { name: 'More filters' }));
    await user.selectOptions(filters.getByRole('combobox', { name: 'Template' }), '/shop/* (4)');
    // What is in use stays.
    await user.click(filters.getByRole('button', { name: 'Fewer filters' }));
    expect(filters.getByRole('combobox', { name: 'Template' })).toBeVisible();
    expect(filters.queryByRole('list', { name: 'Depth' })).toBeNull();
    await waitFor(() => expect(address()).toContain('template=%2Fshop%2F*'));
    await user.click(filters.getByRole('link', { name: 'Product 4' }));
    expect(address()).toBe('/dashboard/jobs/job-1?tab=pages&template=%2Fshop%2F*');
    await user.click(screen.getByRole('link', { name: 'Clear filters' }));
    await waitFor(async () => expect(await paths()).toHaveLength(PAGES.length));
  });

  it('have their issues as columns on request, each number leading to its findings', async () => {
    const found = [
      foundAt('title-missing', at('/shop/old')),
      foundAt('thin', at('/shop/old'), { impact: 'low' }),
      foundAt('thin', at('/about'), { impact: 'low' }),
    ];
    answerReport(server, report({ checks: [foundCheck('title-missing'), foundCheck('thin')], findings: found }, PAGES));
    const { user, address } = await open('?tab=pages&search=shop');
    await user.click(await screen.findByRole('link', { name: 'Issue matrix' }));
    const matrix = await table();
    await waitFor(async () => expect(await heads()).toEqual(['Page', 'Title of title-missing', 'Title of thin']));
    expect(matrix.getAllByRole('link', { name: /finding/ })).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'Columns' })).toBeNull();
    await user.click(matrix.getByRole('link', { name: /^1 finding: Title of thin/ }));
    expect(address()).toBe(
      `/dashboard/jobs/job-1?${new URLSearchParams({ tab: 'findings', page: at('/shop/old'), cause: 'thin' })}`,
    );
  });

  it('say that none fits, and offer them all', async () => {
    const { user } = await open('?tab=pages&role=legal');
    await screen.findByText('No pages match these filters.');
    await user.click(screen.getByRole('link', { name: 'Clear filters' }));
    await waitFor(async () => expect(await paths()).toHaveLength(PAGES.length));
  });

  it('are searched while one types, which / begins', async () => {
    const { user, address } = await open('?tab=pages');
    (await screen.findByRole('region', { name: 'Pages' })).focus();
    await user.keyboard('/blue mug');
    expect(screen.getByRole('searchbox', { name: 'Search pages' })).toHaveFocus();
    await waitFor(() => expect(address()).toContain('search=blue+mug'));
    await waitFor(async () => expect(await paths()).toEqual(['/shop/blue']));
    expect(screen.getByText('1 page', { selector: '[role=status]' })).toBeVisible();
  });

  it('have the columns that were chosen, in their order, also in the next audit', async () => {
    const { user, address, unmount } = await open('?tab=pages');
    await user.click(await screen.findByRole('button', { name: 'Columns' }));
    const dialog = within(await screen.findByRole('dialog'));
    for (const name of ['Findings', 'Status', 'Indexability', 'Role', 'Title', 'Depth'])
      await user.click(dialog.getByRole('checkbox', { name }));
    await user.click(dialog.getByRole('checkbox', { name: 'Size' }));
    dialog.getByRole('button', { name: 'Move Size up' }).focus();
    await user.keyboard('{Enter}');
    // At the top by now, and the keyboard is still on it.
    expect(dialog.getByRole('button', { name: 'Move Size up' })).toHaveFocus();
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    expect(await heads()).toEqual(['Page', 'Size', 'Inlinks']);
    expect(address()).toContain('columns=bytes%2Cinlinks');
    unmount();
    const next = await open('?tab=pages');
    expect(await heads()).toEqual(['Page', 'Size', 'Inlinks']);
    await next.user.click(screen.getByRole('button', { name: 'Columns' }));
    await next.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Reset' }));
    await waitFor(() => expect(localStorage.getItem('pages_columns')).toBeNull());
  });

  it('explain every column to whoever comes to its head', async () => {
    const { user } = await open('?tab=pages');
    const head = (await table()).getByRole('link', { name: 'Inlinks' });
    expect(head).toHaveAccessibleDescription('How many other pages of the site link to it. Example: 42.');
    await user.hover(head);
    expect(await screen.findByText('Example: 42')).toBeVisible();
  });

  it('are kept as a view with a name, and opened again', async () => {
    const { user, address } = await open('?tab=pages&missing=description&sort=words');
    const choose = async (name: string): Promise<void> => {
      await user.click(await screen.findByRole('button', { name: 'Views' }));
      await user.click(await screen.findByRole('menuitem', { name }));
    };
    await choose('Save this view …');
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('Give it a name.')).toBeVisible();
    await user.type(dialog.getByRole('textbox', { name: 'Name of this view' }), 'No description');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await user.click(screen.getByRole('link', { name: 'Clear filters' }));
    await choose('No description');
    expect(new URLSearchParams(address().split('?')[1]).get('missing')).toBe('description');
    await choose('Save or remove views …');
    await user.click(await screen.findByRole('button', { name: 'Remove No description' }));
    expect(localStorage.getItem('pages_views')).toBeNull();
  });

  it('are saved as a file of this view', async () => {
    const saved = vi.fn((_: Blob) => 'blob:1');
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: saved, revokeObjectURL: () => undefined }));
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { user } = await open('?tab=pages&columns=inlinks,title&role=product&sort=inlinks&search=mug');
    await user.click(await screen.findByRole('button', { name: 'CSV of this view' }));
    await waitFor(() => expect(saved).toHaveBeenCalledOnce());
    const text = await saved.mock.calls[0]?.[0].text();
    expect(
      text
        ?.trim()
        .split('\r\n')
        .map((line) => line.replace('\ufeff', '')),
    ).toEqual([
      'url,inlinks,title',
      `${at('/shop/blue')},30,Blue mug`,
      `${at('/shop/red')},1,Red mug`,
      `${at('/shop/green')},1,`,
    ]);
    server.on('GET /api/v1/jobs/job-1/pages.csv', refusal(503, 'Busy'));
    await user.click(screen.getByRole('button', { name: 'CSV of this view' }));
    expect(await screen.findByText('The file could not be downloaded. Try again.')).toBeVisible();
  });

  it('lead to their own view, to the site, to their findings, and to their links', async () => {
    await open('?tab=pages&search=red');
    const row = within((await table()).getAllByRole('row')[1] as HTMLElement);
    const page = encodeURIComponent(at('/shop/red'));
    expect(row.getByRole('link', { name: '/shop/red' })).toHaveAttribute(
      'href',
      `/dashboard/jobs/job-1/page?url=${page}`,
    );
    expect(row.getByRole('link', { name: `Open ${at('/shop/red')} on the site` })).toHaveAttribute(
      'href',
      at('/shop/red'),
    );
    expect(row.getByRole('link', { name: /findings on/ })).toHaveAttribute(
      'href',
      `/dashboard/jobs/job-1?tab=findings&page=${page}`,
    );
    expect(row.getByRole('link', { name: /pages? that links? to/ })).toHaveAttribute(
      'href',
      `/dashboard/jobs/job-1?tab=links&to=${page}`,
    );
  });

  it('fill the window on request, with nothing behind them in reach', async () => {
    const { user } = await open('?tab=pages');
    await user.click(await screen.findByRole('button', { name: 'Full screen' }));
    expect(screen.getByRole('button', { name: 'Exit full screen' })).toBeVisible();
    expect(screen.getByRole('tablist', { hidden: true }).closest('[inert]')).not.toBeNull();
    await user.keyboard('{Escape}');
    expect(screen.getByRole('tablist').closest('[inert]')).toBeNull();
  });

  it('of an audit of an earlier version say since when the rest is recorded', async () => {
    answerReport(server, report());
    server.on('POST /api/v1/process', { success: true, data: completedJob({ id: 'job-2' }) });
    const { user } = await open('?tab=pages');
    expect(await screen.findByText(/^Recorded since version 0\.1\.0:/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Run the audit again' }));
    await waitFor(() => expect(server.asked('POST /api/v1/process')).toHaveLength(1));
  });

  it('have only the rows in the document that are near, if there are many', async () => {
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400);
    const many = Array.from({ length: 300 }, (_, n) => foundPage(at(`/${n}`)));
    answerReport(server, report({}, many));
    const { user } = await open('?tab=pages&sort=url');
    await user.click(await screen.findByRole('button', { name: 'Show 100 more of 200' }));
    await user.click(await screen.findByRole('button', { name: 'Show 100 more of 100' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /more of/ })).toBeNull());
    expect((await table()).getByRole('table')).toHaveAttribute('aria-rowcount', '301');
    const near = (await table()).getAllByRole('rowheader').length;
    expect(near).toBeGreaterThan(9);
    expect(near).toBeLessThan(100);
    // The first of the new rows, though it is far from those in view.
    await waitFor(() => expect(document.activeElement).toHaveAttribute('aria-rowindex', '202'));
  });
});

const LINKS: LinkColumns = {
  pages: [
    [0, 3],
    [1, 1],
  ],
  targets: [0, 1, 2, 3],
  anchors: [0, 1, 2, 3],
  // Navigation, content, content to another site with nofollow, footer.
  flags: [0, 2, 2 + 4 + 64, 3],
  urls: [at('/shop/red'), at('/shop/blue'), 'https://partner.example/', at('/gone')],
  statuses: [200, 200, null, 404],
  rows: [1, 2, null, null],
  texts: ['Red', 'Blue', 'Partner', ''],
};

describe('the links', () => {
  it('are listed with where they stand and lead', async () => {
    answerLinks(server, LINKS, REPORT);
    const { user, address } = await open();
    await user.click(screen.getByRole('tab', { name: 'Links' }));
    const rows = (await table('Links')).getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      'https://www.example.com//shop/redRedNavigationfollowed200',
      'https://www.example.com//shop/blueBlueContentfollowed200',
      'https://www.example.com/https://partner.example/PartnerContentnofollownot known',
      '/shop/red/gonewithout textFooterfollowed404',
    ]);
    await user.click((await table('Links')).getByRole('link', { name: 'Status' }));
    expect(address()).toBe('/dashboard/jobs/job-1?tab=links&sort=status');
    await waitFor(async () => expect((await table('Links')).getAllByRole('row')[1]).toHaveTextContent('/gone'));
    await user.click(screen.getByRole('link', { name: 'To other sites 1' }));
    await waitFor(async () => expect((await table('Links')).getAllByRole('row')).toHaveLength(2));
  });

  it('of one page alone can be those of all again', async () => {
    answerLinks(server, LINKS, REPORT);
    const { user } = await open(`?tab=links&to=${encodeURIComponent(at('/shop/blue'))}`);
    await waitFor(async () => expect(await paths('Links')).toEqual(['https://www.example.com/']));
    await user.click(screen.getByRole('link', { name: 'Links to any page' }));
    await waitFor(async () => expect(await paths('Links')).toHaveLength(4));
  });

  it.each([
    ['earlier_version', /^Recorded since version 0\.1\.0:/, true],
    ['removed', /newer audits of this site have theirs/, true],
    ['too_large', /too large/, false],
    ['preview', /together with the tasks/, false],
  ] as const)('say why there are none: %s', async (why, text, again) => {
    answerLinks(server, why);
    await open('?tab=links');
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Run the audit again' }) !== null).toBe(again);
  });

  it('that cannot be loaded are loaded again on request', async () => {
    server.on('GET /api/v1/jobs/job-1/links', refusal(500, 'Out of order'));
    const { user } = await open('?tab=links');
    await screen.findByText('Out of order');
    answerLinks(server, LINKS, REPORT);
    await user.click(screen.getByRole('button', { name: /try again|retry/i }));
    await waitFor(async () => expect(await paths('Links')).toHaveLength(4));
  });
});
