/** The structure of a site: its folders, the graph of its links, and pages that are hard to reach. */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { LINK_FLAGS, type LinkColumns } from '../../../../src/model/pageRecords.ts';
import { foundPage, report } from '../../../given/found.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { answerReport, answerStructure, run, runsResponse } from '../../given/findings.ts';
import { renderApp, signedInBefore, subscriptionAnswered } from '../../given/renderApp.tsx';
import { completedJob, jobsResponse } from '../../given/views.ts';

const at = (path: string): string => `https://www.example.com${path}`;
const KNOWN = { role: 'content', indexability: 'indexable', inlinks: 1, outlinks: 2, pageRank: 100_000 } as const;
const PAGES = [
  foundPage(at('/'), { ...KNOWN, role: 'start', foundBy: 'start', clicksFromStart: 0, inlinks: 5, pageRank: 400_000 }),
  foundPage(at('/shop'), { ...KNOWN, clicksFromStart: 1, findings: 1 }),
  foundPage(at('/shop/tea/green'), { ...KNOWN, clicksFromStart: 2, findings: 3, highImpact: 1 }),
  foundPage(at('/shop/tea/black'), { ...KNOWN, clicksFromStart: 5, outlinks: 0 }),
  foundPage(at('/shop/cups/red'), { ...KNOWN, clicksFromStart: 2 }),
  foundPage(at('/old/lost'), { ...KNOWN, clicksFromStart: null, foundBy: 'sitemap', inlinks: 0, pageRank: 1 }),
];
const LINKS: LinkColumns = {
  pages: [[0, 4]],
  targets: [0, 1, 0, 2],
  anchors: [0, 0, 0, 0],
  flags: [0, 0, 0, LINK_FLAGS.template],
  urls: [at('/shop'), at('/shop/tea/green'), at('/shop/cups/red')],
  statuses: [200, 200, 200],
  rows: [1, 2, 4],
  texts: ['More'],
};
const REPORT = report({}, PAGES);
/** Too many folders to show them all. */
const LARGE = report({}, [
  ...PAGES,
  ...Array.from({ length: 9 }, (_, nth) => foundPage(at(`/more-${nth}/page`), KNOWN)),
]);

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/jobs/job-1/runs', runsResponse([run('job-1')]));
  server.on('GET /api/v1/jobs', jobsResponse([completedJob()]));
  answerReport(server, REPORT);
  answerStructure(server, LINKS, REPORT);
});

async function open(query = '') {
  const app = renderApp(`/dashboard/jobs/job-1?tab=structure${query}`);
  await screen.findByRole('heading', { level: 1, name: 'example.com' });
  await subscriptionAnswered(app);
  return app;
}

const folders = async () => within(await screen.findByRole('region', { name: 'Folders' }));
const rows = async (): Promise<readonly string[]> =>
  (await folders())
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent).join(' | '));

describe('the folders', () => {
  it('are a tree with what is in each; a small one is shown whole', async () => {
    const { user, address } = await open();
    expect(await rows()).toEqual([
      'All folders | 6 | 1 high2 | 0–5 | 80.0%',
      'shop | 4 | 1 high2 | 1–5 | 40.0%',
      'tea | 2 | 1 high1 | 2–5 | 20.0%',
      'cups | 1 | none | 2 | 10.0%',
      'old | 1 | none | no link | 0.00%',
    ]);
    const shop = (await folders()).getByRole('button', { name: 'shop' });
    expect(shop).not.toHaveAttribute('aria-expanded');
    await user.click(shop);
    expect(address()).toBe('/dashboard/jobs/job-1?tab=structure&folder=%2Fshop%2F');
    expect((await folders()).getByRole('button', { name: 'shop' })).toHaveAttribute('aria-current', 'true');
    expect(await rows()).toHaveLength(5);
    await user.click((await folders()).getByRole('button', { name: 'shop' }));
    expect(address()).toBe('/dashboard/jobs/job-1?tab=structure');
  });

  it('of a large tree open and close, which is in the address', async () => {
    answerStructure(server, LINKS, LARGE);
    const { user, address } = await open();
    expect(await rows()).toHaveLength(12);
    await user.click((await folders()).getByRole('button', { name: 'shop' }));
    expect(address()).toBe('/dashboard/jobs/job-1?tab=structure&folder=%2Fshop%2F');
    expect(await rows()).toHaveLength(14);
    expect((await folders()).getByRole('button', { name: 'shop' })).toHaveAttribute('aria-expanded', 'true');
    await user.click((await folders()).getByRole('button', { name: 'shop' }));
    expect(await rows()).toHaveLength(12);
    expect(address()).toBe('/dashboard/jobs/job-1?tab=structure');
  });

  it('open, close, and move by arrow keys', async () => {
    answerStructure(server, LINKS, LARGE);
    const { user } = await open();
    (await folders()).getByRole('button', { name: 'shop' }).focus();
    await user.keyboard('{ArrowRight}{ArrowDown}');
    await waitFor(() => expect(document.activeElement).toHaveTextContent('tea'));
    await user.keyboard('{ArrowLeft}');
    expect((await folders()).getByRole('button', { name: 'shop' })).toHaveFocus();
    await user.keyboard('{ArrowLeft}');
    expect(await rows()).toHaveLength(12);
  });

  it('lead to their pages, which can be taken back', async () => {
    const { user, address } = await open('&folder=/shop/');
    await user.click((await folders()).getByRole('link', { name: '2 pages in /shop/tea/' }));
    expect(address()).toBe('/dashboard/jobs/job-1?tab=pages&folder=%2Fshop%2Ftea%2F');
    const pages = within(await screen.findByRole('region', { name: 'Pages' }));
    expect(pages.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
      '/shop/tea/green',
      '/shop/tea/black',
    ]);
    await user.click(screen.getByRole('link', { name: 'Pages in any folder' }));
    await waitFor(() => expect(address()).toBe('/dashboard/jobs/job-1?tab=pages'));
  });

  it.each([
    ['/stra%C3%9Fe/', 'straße'],
    ['/a%2Fb/', 'a%2Fb'],
    ['/%E2%80%AEevil/', '%E2%80%AEevil'],
    ['/100%/', '100%'],
  ])('are readable, unless that deceives: %s', async (path, name) => {
    answerReport(server, report({}, [foundPage(at(`${path}page`), KNOWN)]));
    answerStructure(server, LINKS, report({}, [foundPage(at(`${path}page`), KNOWN)]));
    await open();
    expect((await rows()).map((row) => row.split(' | ')[0])).toEqual(['All folders', name]);
  });

  it.each([
    { issues: 0, named: [], more: null },
    { issues: 1, named: ['Issue 0'], more: null },
    { issues: 5, named: ['Issue 0', 'Issue 1', 'Issue 2'], more: '2 more' },
  ])('are colored apart from what nearly every page has, which is named once: $issues issues', async (given) => {
    answerStructure(server, LINKS, REPORT, (structure) => ({
      ...structure,
      everywhere: Array.from({ length: given.issues }, (_, nth) => ({
        checkId: `check-${nth}`,
        title: `Issue ${nth}`,
      })),
    }));
    const { user, address } = await open();
    await folders();
    const list = screen.queryByRole('list', { name: 'On nearly every page:' });
    expect(
      list
        ? within(list)
            .getAllByRole('link')
            .map(({ textContent }) => textContent)
        : [],
    ).toEqual(given.named);
    const lead = within(screen.getByRole('list', { name: 'Colors' })).queryByText(/^Apart from/);
    expect(lead !== null).toBe(given.issues > 0);
    if (given.more) {
      await user.click(screen.getByRole('button', { name: given.more }));
      expect(within(screen.getByRole('list', { name: 'On nearly every page:' })).getAllByRole('link')).toHaveLength(5);
    }
    if (given.issues > 0) {
      await user.click(screen.getByRole('link', { name: 'Issue 0' }));
      expect(address()).toBe('/dashboard/jobs/job-1?tab=findings&cause=check-0');
    }
  });

  it('are colored by what the address says, in words as well', async () => {
    const { user, address } = await open();
    await user.click(await screen.findByRole('link', { name: 'Depth' }));
    expect(address()).toBe('/dashboard/jobs/job-1?tab=structure&color=depth');
    expect(within(screen.getByRole('list', { name: 'Colors' })).getByText('6 clicks or more')).toBeVisible();
  });
});

describe('the link graph', () => {
  it('has a table of its pages, each with its links', async () => {
    const { user, address } = await open('&view=graph');
    const table = within(await screen.findByRole('region', { name: 'Most linked pages' }));
    expect(table.getAllByRole('rowheader')[0]).toHaveTextContent('https://www.example.com/');
    expect(table.getByRole('link', { name: `5 pages that link to ${at('/')}` })).toBeVisible();
    expect(
      screen.getByRole('img', { name: /^6 pages in 5 groups by folder, with 2 links between them/ }),
    ).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: 'Show 1 menu link' }));
    expect(address()).toBe('/dashboard/jobs/job-1?tab=structure&view=graph&menus=yes');
    expect(screen.getByRole('img', { name: /with 3 links between them/ })).toBeVisible();
  });

  it.each([
    ['of menus', LINK_FLAGS.template, false],
    ['of the pages themselves', 0, true],
  ])('says how many links %s it leaves out', async (_, flag, isSaid) => {
    const pages = Array.from({ length: 150 }, (_, nth) => foundPage(at(`/tea-${nth}`), KNOWN));
    const all = [...pages.keys()];
    const links: LinkColumns = {
      pages: all.map((row) => [row, all.length]),
      targets: all.flatMap(() => all),
      anchors: all.flatMap(() => all.map(() => 0)),
      flags: all.flatMap(() => all.map(() => flag)),
      urls: pages.map(({ url }) => url),
      statuses: all.map(() => 200),
      rows: all,
      texts: ['Tea'],
    };
    answerReport(server, report({}, pages));
    answerStructure(server, links, report({}, pages));
    await open('&view=graph');
    await screen.findByRole('region', { name: 'Most linked pages' });
    expect(screen.queryByText(/2,350 more links are not shown/) !== null).toBe(isSaid);
  });

  it('shows what is known of the page that has the focus in the table', async () => {
    await open('&view=graph');
    const table = within(await screen.findByRole('region', { name: 'Most linked pages' }));
    table.getByRole('link', { name: '/shop/tea/green' }).focus();
    expect(
      await screen.findByText(/^1 page links here · 2 links out · PageRank 10.0% · 2 clicks · 3 findings, 1 high$/),
    ).toBeVisible();
  });
});

describe('pages that are hard to reach', () => {
  it('are counted and named, and lead to the list of pages', async () => {
    const { user, address } = await open();
    const orphans = within(await screen.findByRole('region', { name: 'Orphans' }));
    expect(orphans.getByText('1 page')).toBeVisible();
    expect(orphans.getByRole('link', { name: '/old/lost' })).toBeVisible();
    for (const name of ['Dead ends', 'Deep pages'])
      expect(within(screen.getByRole('region', { name })).getByRole('link', { name: '/shop/tea/black' })).toBeVisible();
    await user.click(orphans.getByRole('link', { name: 'Show all: orphans' }));
    expect(address()).toBe('/dashboard/jobs/job-1?tab=pages&place=orphan');
    const filters = within(await screen.findByRole('navigation', { name: 'Filter pages' }));
    expect(await filters.findByRole('link', { name: 'Orphan 1' })).toHaveAttribute('aria-current', 'true');
  });
});

describe('the structure', () => {
  it('of an earlier version says what it did not record, and offers a new audit', async () => {
    const earlier = report({}, [foundPage(at('/'), { foundBy: 'start', clicksFromStart: 0 })]);
    answerStructure(server, 'earlier_version', earlier);
    await open();
    expect(await screen.findByText(/^Recorded since version .*links between pages/)).toBeVisible();
    expect(screen.getAllByRole('button', { name: 'Run the audit again' })[0]).toBeVisible();
    expect(within(screen.getByRole('region', { name: 'Orphans' })).getByText(/^Recorded since version/)).toBeVisible();
    expect(await rows()).toEqual(['All folders | 1 | none | 0 | –']);
  });

  it('without links that are kept still has its pages', async () => {
    answerStructure(server, 'removed', REPORT);
    await open('&view=graph');
    expect(await screen.findByText(/^The links of this audit were removed/)).toBeVisible();
    expect(screen.getByRole('region', { name: 'Most linked pages' })).toBeVisible();
  });

  it('without pages says so', async () => {
    answerStructure(server, 'earlier_version', report({}, []));
    await open();
    expect(await screen.findByText('The audit has no pages.')).toBeVisible();
  });

  it('that could not be loaded can be tried again', async () => {
    server.on('GET /api/v1/jobs/job-1/structure', refusal(500, 'INTERNAL', 'Something went wrong.'));
    const { user } = await open();
    const retry = await screen.findByRole('button', { name: 'Retry' });
    answerStructure(server, LINKS, REPORT);
    await user.click(retry);
    expect(await rows()).toHaveLength(5);
  });
});
