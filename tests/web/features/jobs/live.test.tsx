/** A running audit as it is watched: its pages, what they show, and what of it stays where it is. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveFeedResponse } from '../../../../src/http/contract/liveFeed.ts';
import { FEED_ROWS, NO_COUNTS } from '../../../../src/model/liveFeed.ts';
import { type Call, type FakeServer, fakeServer, NetworkDown, refusal } from '../../given/fakeServer.ts';
import { fakeSockets, goLive } from '../../given/fakeSocket.ts';
import { answerReport, run, runsResponse } from '../../given/findings.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { completedJob, failedJob, jobsResponse, position, runningJob } from '../../given/views.ts';

type Row = LiveFeedResponse['data']['rows'][number];

const FEED = 'GET /api/v1/jobs/job-1/feed';

let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
/** What the server has, oldest first. */
let rows: Row[];
let from: number | null;
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
  rows = [];
  from = 1_000;
  server.on('GET /api/v1/jobs/job-1/runs', runsResponse([run('job-1')]));
  answerReport(server);
  server.on(FEED, answerFeed);
});

function answerFeed({ query }: Call): LiveFeedResponse {
  const counts = { ...NO_COUNTS, all: rows.length };
  for (const name of rows.flatMap(({ saw }) => saw)) counts[name] += 1;
  const after = Number(query.get('after') ?? 0);
  return {
    success: true,
    data: {
      from,
      counts,
      rows: rows
        .filter(({ n }) => n > after)
        .reverse()
        .slice(0, FEED_ROWS),
    },
  };
}

function reads(path: string, over: Partial<Row> = {}): void {
  const n = (rows.at(-1)?.n ?? from ?? 0) + 1;
  const url = `https://www.example.com${path}`;
  rows.push({ n, url, status: 200, ms: 120, words: 300, saw: [], failure: null, ...over });
}

async function watch(query = '', job = runningJob()) {
  server.on('GET /api/v1/jobs', jobsResponse([job]));
  const app = renderApp(`/dashboard/jobs/job-1${query}`);
  await screen.findByRole('region', { name: 'URLs read' });
  return app;
}

const region = (): HTMLElement => screen.getByRole('region', { name: 'URLs read' });
const lines = (): string[] =>
  within(region())
    .queryAllByRole('listitem')
    .map((line) => line.textContent ?? '');
const paths = (): string[] =>
  within(region())
    .queryAllByTitle(/./)
    .map(({ title }) => title.replace('https://www.example.com', ''));
const seconds = (number: number): Promise<void> =>
  act(async () => void (await vi.advanceTimersByTimeAsync(number * 1_000)));
const counter = (name: RegExp): HTMLElement =>
  within(screen.getByRole('navigation', { name: 'Filter what was read' })).getByRole('link', { name });

describe('the feed of a running audit', () => {
  it('is empty, then has one address, then each with what its answer shows, newest first', async () => {
    await watch();
    expect(await screen.findByText('The first URLs appear here in a moment.')).toBeVisible();
    reads('/', { saw: ['no_title', 'no_h1'] });
    await seconds(2);
    expect(lines()).toEqual(['Status 200https://www.example.com/no title · no H1120 ms300 words']);
    reads('/gone', { status: 404, words: null, saw: ['client_error'] });
    reads('/slow', { status: null, ms: null, words: null, saw: ['no_answer'], failure: 'timeout' });
    await seconds(2);
    expect(lines().slice(0, 2)).toEqual(['Status —none/slowno answer in time', 'Status 404/gone120 ms']);
    expect(counter(/^All/)).toHaveTextContent('All URLs 3');
    // Only what came since.
    expect(server.asked(FEED).at(-1)?.query.get('after')).toBe('1001');
    const progress = screen.getByRole('region', { name: 'Progress of www.example.com' });
    expect(progress).toHaveTextContent('12 of 36 pages read');
    // Two measures, each with what it is of.
    expect(progress).toHaveTextContent(/\d+% of the audit/);
    expect(within(progress).getByRole('progressbar', { name: 'Pages of www.example.com read' })).toHaveAttribute(
      'max',
      '36',
    );
    expect(within(screen.getByRole('list', { name: 'Stages' })).getAllByRole('listitem')).toHaveLength(8);
  });

  it('is filtered by what was seen, under the address that the list of pages has for it', async () => {
    reads('/');
    reads('/untitled', { saw: ['no_title'] });
    reads('/moved', { status: 301, saw: ['redirect'] });
    const { user, address } = await watch();
    await waitFor(() => expect(lines()).toHaveLength(3));
    await user.click(counter(/^No title/));
    expect(address()).toBe('/dashboard/jobs/job-1?tab=pages&missing=title');
    expect(paths()).toEqual(['/untitled']);
    expect(counter(/^No title/)).toHaveAttribute('aria-current', 'true');
    await user.click(counter(/^All/));
    expect([paths().length, address()]).toEqual([3, '/dashboard/jobs/job-1']);
    // What nothing shows leads nowhere.
    expect(screen.queryByRole('link', { name: /^Noindex/ })).toBeNull();
  });

  it('keeps its rows where they are while somebody reads, and brings the new ones in on request', async () => {
    reads('/a');
    const { user } = await watch();
    await waitFor(() => expect(paths()).toEqual(['/a']));
    fireEvent.pointerEnter(region(), { pointerType: 'mouse' });
    reads('/b');
    reads('/c');
    await seconds(2);
    expect(paths()).toEqual(['/a']);
    await user.click(screen.getByRole('button', { name: '2 new rows' }));
    expect(paths()).toEqual(['/c', '/b', '/a']);
    expect([region() === document.activeElement, screen.queryByRole('button', { name: /new row/ })]).toEqual([
      true,
      null,
    ]);
    act(() => region().blur());
    fireEvent.pointerLeave(region());
    reads('/d');
    await seconds(2);
    expect(paths()[0]).toBe('/d');
    fireEvent.scroll(region(), { target: { scrollTop: 80 } });
    reads('/e');
    await seconds(2);
    expect([paths()[0], screen.getByRole('button', { name: '1 new row' })]).toEqual(['/d', expect.anything()]);
    fireEvent.scroll(region(), { target: { scrollTop: 0 } });
    await waitFor(() => expect(paths()[0]).toBe('/e'));
  });

  it('has the newest addresses of many, and says so', async () => {
    for (let nth = 0; nth < 250; nth += 1) reads(`/page-${nth}`);
    await watch();
    await waitFor(() => expect(lines()).toHaveLength(FEED_ROWS));
    expect(paths()[0]).toBe('/page-249');
    expect(screen.getByText('The 200 URLs read last. All are listed in the result.')).toBeVisible();
    reads('/next');
    await seconds(2);
    expect([lines().length, paths()[0]]).toEqual([FEED_ROWS, '/next']);
  });

  it('begins again with a crawl that was interrupted', async () => {
    reads('/a');
    reads('/b');
    await watch();
    await waitFor(() => expect(paths()).toEqual(['/b', '/a']));
    rows = [];
    from = 5_000;
    reads('/a');
    await seconds(2);
    expect(paths()).toEqual(['/a']);
  });

  it('says that the connection is lost, and catches up', async () => {
    reads('/a');
    await watch();
    await waitFor(() => expect(paths()).toEqual(['/a']));
    server.on(FEED, () => {
      throw new NetworkDown();
    });
    await seconds(20);
    expect(screen.getByText(/^Connection lost/)).toBeVisible();
    expect(paths()).toEqual(['/a']);
    server.on(FEED, answerFeed);
    reads('/b');
    await seconds(20);
    expect(screen.queryByText(/^Connection lost/)).toBeNull();
    expect(paths()).toEqual(['/b', '/a']);
  });

  it('asks no more once the audit is not there any more', async () => {
    server.on(FEED, refusal(404, 'There is no such audit.', 'JOB_NOT_FOUND'));
    await watch();
    await seconds(2);
    const asked = server.asked(FEED).length;
    await seconds(30);
    expect(server.asked(FEED)).toHaveLength(asked);
  });

  it('links whole addresses alone: one that was cut or had a secret leads elsewhere', async () => {
    reads('/whole');
    reads('/in?token=[hidden]');
    reads(`/${'long-'.repeat(20)}…`);
    await watch();
    await waitFor(() => expect(lines()).toHaveLength(3));
    expect(within(region()).getAllByRole('link')).toHaveLength(1);
    expect(lines()[1]).toContain('/in?token=[hidden]');
  });

  it('tells screen readers now and then how many addresses there are', async () => {
    reads('/a');
    await watch();
    await waitFor(() => expect(lines()).toHaveLength(1));
    expect(screen.queryByText('1 URL read')).toBeNull();
    await seconds(11);
    expect(screen.getByText('1 URL read')).toBeInTheDocument();
  });

  it.each([
    ['the result, with its findings', completedJob({ position: position(30) }), /Page has no title/],
    ['why it failed', failedJob({ position: position(30) }), /did not answer within 10 seconds/],
  ])('turns into %s', async (_, ended, text) => {
    reads('/a');
    await watch();
    await waitFor(() => expect(lines()).toHaveLength(1));
    await goLive(sockets.latest());
    act(() =>
      sockets.latest().says({
        type: 'event',
        channel: 'jobs',
        table: 'jobs',
        eventType: 'UPDATE',
        new: { ...ended },
        old: null,
        position: ended.position,
      }),
    );
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
    expect(screen.queryByRole('region', { name: 'URLs read' })).toBeNull();
    const asked = server.asked(FEED).length;
    await seconds(10);
    expect(server.asked(FEED)).toHaveLength(asked);
  });

  it('waits for a queued audit without asking', async () => {
    const job = runningJob({ status: 'queued', started_at: null, pages_done: 0, pages_known: 0 });
    server.on('GET /api/v1/jobs', jobsResponse([job]));
    renderApp('/dashboard/jobs/job-1');
    expect(await screen.findByText('The URLs it reads appear here as soon as it begins.')).toBeVisible();
    await seconds(5);
    expect(server.asked(FEED)).toEqual([]);
  });
});
