/** Sharing an audit: the bar over it, the dialog, the list of links, and the two pages of a link. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnalysisView } from '../../../src/http/contract/analyses.ts';
import type { SharedView, ShareItem } from '../../../src/http/contract/share.ts';
import { NOT_JUDGED_TEXTS } from '../../../src/model/scores.ts';
import { type FakeServer, fakeServer, refusal } from '../given/fakeServer.ts';
import { type FakeSocket, fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { action, actionsResponse, completedJob, jobsResponse, statusResponse } from '../given/views.ts';

let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  server.on('POST /api/v1/analytics/preview-viewed', { success: true });
  server.on('POST /api/v1/analytics/preview-cta-clicked', { success: true });
});

const analysis = (over: Partial<AnalysisView> = {}): AnalysisView => ({
  id: 'job-1',
  jobId: 'job-1',
  domain: 'www.example.com',
  analysis_timestamp: '2026-11-20T10-01-00Z',
  created_at: '2026-11-20T10:00:00.000Z',
  actions_count: 27,
  score: 82,
  not_judged: null,
  settings: null,
  ...over,
});
const analyses = (...all: AnalysisView[]) => ({ success: true, analyses: all, cursor: null });
const SECOND = analysis({ id: 'job-2', jobId: 'job-2', domain: 'shop.example', actions_count: 1 });

function ownAnalysis(access: 'full' | 'preview' = 'full'): void {
  signedInBefore();
  const job = completedJob({ access });
  server.on('GET /api/v1/jobs', jobsResponse([job]));
  server.on('GET /api/v1/jobs/job-1', { success: true, data: job });
  server.on('GET /api/v1/actions', actionsResponse());
  server.on('GET /api/v1/actions/analyses', analyses(analysis()));
}
const ACTIONS_PATH = '/dashboard/actions?jobId=job-1';

describe('the bar over an audit', () => {
  it('has the ways back, to share, to the links and to delete; the selector only for several', async () => {
    ownAnalysis();
    renderApp(ACTIONS_PATH);
    expect(await screen.findByRole('button', { name: 'Share' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to All Jobs' })).toHaveAttribute('href', '/');
    expect(screen.getByRole('link', { name: 'View Shared Links' })).toHaveAttribute('href', '/dashboard/shares');
    expect(screen.getByRole('button', { name: 'Delete Analysis' })).toBeVisible();
    expect(screen.queryByRole('combobox', { name: 'Audit' })).toBeNull();
  });

  it('selects another by domain, date, score and number of actions', async () => {
    ownAnalysis();
    server.on('GET /api/v1/actions/analyses', analyses(analysis(), SECOND));
    const { user, address } = renderApp(ACTIONS_PATH);
    const choice = await screen.findByRole('combobox', { name: 'Audit' });
    expect(
      within(choice)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual([
      expect.stringMatching(/^example\.com · Nov 20, 2026, \d+:00 [AP]M · score 82 · 27 actions$/),
      expect.stringMatching(/^shop\.example · Nov 20, 2026, \d+:00 [AP]M · score 82 · 1 action$/),
    ]);
    expect(choice).toHaveValue('job-1');
    await user.selectOptions(choice, 'job-2');
    expect(address()).toBe('/dashboard/actions?domain=shop.example&jobId=job-2');
  });

  it('has the seconds where only they distinguish two audits of a site', async () => {
    ownAnalysis();
    const again = analysis({ id: 'job-3', jobId: 'job-3', created_at: '2026-11-20T10:00:41.000Z' });
    server.on('GET /api/v1/actions/analyses', analyses(again, analysis(), SECOND));
    renderApp(ACTIONS_PATH);
    const choices = within(await screen.findByRole('combobox', { name: 'Audit' })).getAllByRole('option');
    const times = choices.map((option) => /\d+(?<time>:[\d:]+) [AP]M/.exec(option.textContent ?? '')?.groups?.time);
    expect(times).toEqual([':00:41', ':00:00', ':00']);
  });

  it('is browsed by keyboard without opening each, and opened by Enter or its button', async () => {
    ownAnalysis();
    server.on('GET /api/v1/actions/analyses', analyses(analysis(), SECOND));
    const { user, address } = renderApp(ACTIONS_PATH);
    const choice = await screen.findByRole('combobox', { name: 'Audit' });
    // jsdom's select has no arrow keys: the change follows the key.
    const arrowDown = (): void => {
      fireEvent.keyDown(choice, { key: 'ArrowDown' });
      fireEvent.change(choice, { target: { value: 'job-2' } });
    };
    arrowDown();
    expect(address()).toBe(ACTIONS_PATH);
    expect(screen.getByRole('button', { name: 'Open' })).toBeVisible();
    choice.focus();
    await user.keyboard('{Enter}');
    expect(address()).toBe('/dashboard/actions?domain=shop.example&jobId=job-2');
  });

  it('warns before deleting, and reports failure and success', async () => {
    ownAnalysis();
    server.on('DELETE /api/v1/actions/analyses/job-1', refusal(503, 'The server is stopping.'));
    const { user, address } = renderApp(ACTIONS_PATH);
    await user.click(await screen.findByRole('button', { name: 'Delete Analysis' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete the audit of example.com?' });
    expect(dialog).toHaveTextContent('removes its actions, progress data and files');
    expect(dialog).toHaveTextContent('This cannot be undone.');
    const confirm = within(dialog).getByRole('button', { name: 'Delete analysis of example.com' });
    await user.click(confirm);
    expect(await within(dialog).findByText('Failed to delete analysis: The server is stopping.')).toBeVisible();
    server.on('DELETE /api/v1/actions/analyses/job-1', { success: true, message: 'Analysis deleted successfully' });
    server.on('GET /api/v1/actions/analyses', analyses());
    server.on('GET /api/v1/actions', actionsResponse({ jobId: null, actions: [] }));
    await user.click(confirm);
    expect(await screen.findByText('Analysis deleted successfully')).toBeVisible();
    await waitFor(() => expect(address()).toBe('/dashboard/actions'));
    expect(await screen.findByRole('heading', { name: 'No SEO Analyses Found' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/');
    expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
  });
});

describe('the page after its audit was deleted', () => {
  const second = completedJob({ id: 'job-2', host: 'shop.example', score: 61 });
  function twoAudits(): void {
    ownAnalysis();
    server.on('GET /api/v1/jobs', jobsResponse([completedJob(), second]));
    server.on('GET /api/v1/actions/analyses', analyses(analysis(), SECOND));
  }

  it('opens the newest remaining one by its name, without fetching the deleted one again', async () => {
    twoAudits();
    server.on('DELETE /api/v1/actions/analyses/job-1', { success: true, message: 'Analysis deleted successfully' });
    const { user, address } = renderApp(ACTIONS_PATH);
    await user.click(await screen.findByRole('button', { name: 'Delete Analysis' }));
    const before = server.asked('GET /api/v1/actions').length;
    server.on('GET /api/v1/actions/analyses', analyses(SECOND));
    server.on('GET /api/v1/actions', actionsResponse({ jobId: 'job-2' }));
    await user.click(await screen.findByRole('button', { name: 'Delete analysis of example.com' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'shop.example' })).toBeVisible();
    expect(address()).toBe('/dashboard/actions?domain=shop.example&jobId=job-2');
    expect(screen.getByRole('img', { name: /^Score 61 of 100/ })).toBeVisible();
    const asked = server.asked('GET /api/v1/actions').slice(before);
    expect(asked.map(({ query }) => query.get('jobId'))).not.toContain('job-1');
  });

  it('names the newest audit where the address names none', async () => {
    twoAudits();
    renderApp('/dashboard/actions');
    expect(await screen.findByRole('heading', { level: 1, name: 'example.com' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open report' })).toBeVisible();
  });
});

describe('the share dialog', () => {
  const URL_OF_LINK = 'https://seo.example/shared/token-1';
  async function openDialog(access: 'full' | 'preview' = 'full') {
    ownAnalysis(access);
    server.on('POST /api/v1/share/create', {
      status: 201,
      body: { success: true, data: { id: 'share-1', shareUrl: URL_OF_LINK } },
    });
    const app = renderApp(ACTIONS_PATH);
    await app.user.click(await screen.findByRole('button', { name: 'Share' }));
    return { ...app, dialog: await screen.findByRole('dialog', { name: 'Share the audit of example.com' }) };
  }

  it('begins with everything selected that may be shared', async () => {
    const { dialog } = await openDialog();
    const box = (name: RegExp) => within(dialog).getByRole('checkbox', { name });
    for (const name of [/^Action items/, /^Executive summary/, /^Audit details/]) expect(box(name)).toBeChecked();
    expect(box(/^Progress tracking Coming soon/)).toBeDisabled();
    expect(box(/^Progress tracking/)).not.toBeChecked();
    expect(within(dialog).getByRole('radio', { name: /^Full access/ })).toBeChecked();
    const expiry = within(dialog).getByRole('combobox', { name: 'Link expires' });
    expect(
      within(expiry)
        .getAllByRole('option')
        .map((option) => option.getAttribute('value')),
    ).toEqual(['0', '24', '72', '168', '720']);
    expect(expiry).toHaveValue('0');
  });

  it('offers only a preview if the owner has one', async () => {
    const { dialog } = await openDialog('preview');
    expect(within(dialog).getByRole('radio', { name: /^Full access/ })).toBeDisabled();
    expect(within(dialog).getByRole('radio', { name: /^Preview/ })).toBeChecked();
    // Nothing is sold here: there is no way to the rest.
    expect(within(dialog).getByRole('radio', { name: /^Full access/ })).toHaveAccessibleName(
      'Full access Not part of the free plan',
    );
  });

  it('explains what full access takes where plans are sold', async () => {
    server.on('GET /api/v1/status', statusResponse({ payments: 'sandbox' }));
    const { dialog } = await openDialog('preview');
    expect(within(dialog).getByRole('radio', { name: /^Full access/ })).toHaveAccessibleName(
      'Full access Unlock this audit to share all of it.',
    );
  });

  it('requires something to share', async () => {
    const { dialog, user } = await openDialog();
    for (const name of [/^Action items/, /^Executive summary/, /^Audit details/])
      await user.click(within(dialog).getByRole('checkbox', { name }));
    expect(within(dialog).getByRole('button', { name: 'Create share link' })).toBeDisabled();
  });

  it('names the site in its title only if facts are shared, and warns about other parts that name it', async () => {
    const { dialog, user } = await openDialog();
    const title = () => within(dialog).getByRole('textbox', { name: 'Title' });
    expect(title()).toHaveValue('SEO analysis of example.com');
    expect(within(dialog).getByRole('checkbox', { name: /^Executive summary.*names the site/ })).toBeChecked();
    await user.click(within(dialog).getByRole('checkbox', { name: /^Audit details/ }));
    expect(title()).toHaveValue('SEO analysis');
    await user.clear(title());
    await user.type(title(), 'For the board');
    await user.click(within(dialog).getByRole('checkbox', { name: /^Audit details/ }));
    expect(title()).toHaveValue('For the board');
  });

  it('creates the link, copies it, and starts over', async () => {
    const { dialog, user } = await openDialog();
    let answer: (body: unknown) => void = () => undefined;
    server.on('POST /api/v1/share/create', () => new Promise((resolve) => (answer = resolve)));
    await user.click(within(dialog).getByRole('checkbox', { name: /^Executive summary/ }));
    await user.selectOptions(within(dialog).getByRole('combobox', { name: 'Link expires' }), '72');
    await user.click(within(dialog).getByRole('button', { name: 'Create share link' }));
    expect(await within(dialog).findByRole('button', { name: 'Creating…' })).toHaveAttribute('aria-disabled', 'true');
    expect(server.asked('POST /api/v1/share/create')[0]?.body).toEqual({
      jobId: 'job-1',
      title: 'SEO analysis of example.com',
      description: '',
      sharedContent: ['actions', 'job_metadata'],
      shareMode: 'full',
      expiresIn: 72,
    });
    await act(async () => answer({ success: true, data: { id: 'share-1', shareUrl: URL_OF_LINK } }));
    expect(await screen.findByRole('textbox', { name: 'Share link' })).toHaveValue(URL_OF_LINK);
    expect(screen.getByRole('textbox', { name: 'Share link' })).toHaveFocus();
    const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    expect(copy).toHaveBeenCalledWith(URL_OF_LINK);
    expect(await screen.findByRole('button', { name: 'Copied!' })).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Copy link' }, { timeout: 4_000 })).toBeVisible();
    copy.mockRejectedValue(new Error('denied'));
    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText('Failed to copy link to clipboard')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Create Another' }));
    expect(screen.getByRole('checkbox', { name: /^Executive summary/ })).toBeChecked();
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveFocus();
  });

  it.each([
    [
      refusal(403, 'Full access sharing is not part of the free plan.', 'SHARING_RESTRICTED'),
      'Full access sharing is not part of the free plan. Please upgrade to a paid plan for full access sharing.',
    ],
    [refusal(500, ''), 'Failed to create share link'],
  ])('explains a failure', async (reply, text) => {
    const { dialog, user } = await openDialog();
    server.on('POST /api/v1/share/create', reply);
    await user.click(within(dialog).getByRole('button', { name: 'Create share link' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(text);
  });
});

describe('the shared links', () => {
  const item = (over: Partial<ShareItem> = {}): ShareItem => ({
    id: 'share-1',
    title: 'Our site',
    description: 'For the board',
    created_at: '2026-11-20T10:00:00.000Z',
    view_count: 3,
    expires_at: null,
    is_active: true,
    shared_content: ['actions', 'executive_summary'],
    share_mode: 'preview',
    shareUrl: 'https://seo.example/shared/token-1',
    job_id: 'job-1',
    preview_views: 2,
    sign_up_clicks: 1,
    sign_ups: 1,
    ...over,
  });
  const list = (...data: ShareItem[]) => ({ success: true, data, cursor: null });
  beforeEach(() => signedInBefore());

  it('show their state, end and actions', async () => {
    const tomorrow = new Date(Date.now() + 3 * 86_400_000).toISOString();
    server.on(
      'GET /api/v1/share/list/all',
      list(
        item(),
        item({ id: 'two', title: 'Ends soon', expires_at: tomorrow }),
        item({ id: 'three', title: 'Ended', expires_at: '2026-01-01T00:00:00.000Z' }),
        item({ id: 'four', title: 'Revoked', is_active: false }),
        item({ id: 'five', title: 'Of former days', shareUrl: null }),
      ),
    );
    const { user } = renderApp('/dashboard/shares');
    const rows = within(await screen.findByRole('list', { name: 'Shared links' })).getAllByRole('listitem');
    const [active, soon, ended, revoked, former] = rows;
    expect(active).toHaveTextContent('Active');
    expect(active).toHaveTextContent('Never expires');
    expect(active).toHaveTextContent('For the board');
    expect(active).toHaveTextContent('3 views');
    expect(active).toHaveTextContent('Action items, Executive summary');
    expect(soon).toHaveTextContent('Expires in 3d');
    expect(ended).toHaveTextContent(/Expired.*Expired/);
    expect(within(ended!).queryByRole('button', { name: /^Copy link/ })).toBeNull();
    expect(revoked).toHaveTextContent('Inactive');
    expect(within(revoked!).queryByRole('button')).toBeNull();
    expect(former).toHaveTextContent('can no longer be shown');
    const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(within(active!).getByRole('button', { name: 'Copy link to Our site' }));
    expect(copy).toHaveBeenCalledWith('https://seo.example/shared/token-1');
  });

  it('are revoked after a confirmation', async () => {
    server.on('GET /api/v1/share/list/all', list(item()));
    server.on('DELETE /api/v1/share/share-1', refusal(503, 'The server is stopping.'));
    const { user } = renderApp('/dashboard/shares');
    await user.click(await screen.findByRole('button', { name: 'Revoke Our site' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog).toHaveTextContent('stops working at once');
    expect(dialog).toHaveTextContent('This cannot be undone.');
    await user.click(within(dialog).getByRole('button', { name: 'Revoke link' }));
    expect(await within(dialog).findByText('Failed to revoke link: The server is stopping.')).toBeVisible();
    server.on('DELETE /api/v1/share/share-1', { success: true, message: 'Link revoked' });
    server.on('GET /api/v1/share/list/all', list(item({ is_active: false })));
    await user.click(within(dialog).getByRole('button', { name: 'Revoke link' }));
    expect(await screen.findByText('Inactive')).toBeVisible();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    // The button that was pressed is gone.
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Our site' })).toHaveFocus());
  });

  it('say when there are none, and when they cannot be loaded', async () => {
    server.on('GET /api/v1/share/list/all', refusal(500, ''));
    const { user } = renderApp('/dashboard/shares');
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load shared links');
    server.on('GET /api/v1/share/list/all', list());
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByRole('heading', { name: 'No shared links yet' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open action items' })).toHaveAttribute('href', '/dashboard/actions');
  });
});

describe('the pages of a link', () => {
  const view = (over: Partial<SharedView> = {}): SharedView => ({
    title: 'Our site',
    description: 'For the board',
    createdAt: '2026-11-20T10:00:00.000Z',
    expiresAt: null,
    viewCount: 3,
    sharedContent: ['actions', 'executive_summary', 'job_metadata'],
    metadata: { url: 'https://www.example.com/' },
    content: {
      'Executive Summary': '# All in all\n\n[safe](https://www.example.com/) [unsafe](javascript:alert(1))',
      'Action Items': '## 1. First',
    },
    actions: [action()],
    executiveSummary: '# All in all',
    jobId: 'job-1',
    job: {
      url: 'https://www.example.com/',
      created_at: '2026-11-20T10:00:00.000Z',
      completed_at: '2026-11-20T10:01:00.000Z',
      status: 'completed',
      reason: null,
      score: 82,
      not_judged: null,
      settings: null,
      pages_done: 12,
    },
    stats: null,
    isPreview: false,
    previewMode: { actionsShown: 1, totalActions: 1 },
    ...over,
  });
  const opens = (data: SharedView): void => {
    server.on('GET /api/v1/share/token-1', { success: true, data });
    server.on('GET /api/v1/share/token-1/state', { success: true, isPreview: data.isPreview });
  };
  const PREVIEW = view({ isPreview: true, previewMode: { actionsShown: 1, totalActions: 9 } });

  it.each(['/share', '/shared'])('%s says why the result is partial', async (path) => {
    const { job, ...rest } = view();
    const reason = 'Stopped at the time limit; 40 more pages were found but not audited.';
    opens({ ...rest, job: job && { ...job, status: 'partially_completed', reason } });
    renderApp(`${path}/token-1`);
    expect(await screen.findByText(reason)).toBeVisible();
  });

  it.each(['/share', '/shared'])('%s says why the site was not scored, without a number', async (path) => {
    const { job, ...rest } = view();
    opens({ ...rest, job: job && { ...job, score: null, not_judged: 'challenged' } });
    renderApp(`${path}/token-1`);
    expect(await screen.findByText('Not scored')).toBeVisible();
    expect(screen.getByText(NOT_JUDGED_TEXTS.challenged)).toBeVisible();
    expect(screen.queryByRole('img', { name: /^Score/ })).toBeNull();
  });

  it('/share: each text in a tab, with safe links and no account', async () => {
    opens(view());
    const { user } = renderApp('/share/token-1');
    expect(await screen.findByRole('heading', { level: 1, name: 'Our site' })).toBeVisible();
    expect(document.body).toHaveTextContent('https://www.example.com/');
    expect(document.body).toHaveTextContent('3 views');
    expect(document.body).toHaveTextContent('For the board');
    expect((await screen.findByRole('link', { name: 'safe' })).getAttribute('rel')).toContain('noopener');
    expect(screen.queryByRole('link', { name: 'unsafe' })).toBeNull();
    await user.click(screen.getByRole('tab', { name: 'Action Items' }));
    expect(await screen.findByText('1. First')).toBeVisible();
    for (const name of ['Login', 'Sign Up', 'Account', 'Logout'])
      expect(screen.queryByRole('link', { name })).toBeNull();
    expect(server.calls.filter((call) => call.path.startsWith('/api/v1/share'))[0]?.token).toBeNull();
  });

  it('/share and /shared: the other one begins at its heading', async () => {
    opens(view());
    const { user } = renderApp('/share/token-1');
    const beginning = () => expect(document.activeElement?.matches('h1, main')).toBe(true);
    await user.click(await screen.findByRole('link', { name: 'View as a dashboard' }));
    await screen.findByRole('heading', { name: 'Available Tasks (1)' });
    beginning();
    await user.click(screen.getByRole('link', { name: 'Text version' }));
    await screen.findByRole('tab', { name: 'Action Items' });
    beginning();
  });

  it('/shared: the dashboard, read-only', async () => {
    opens(view());
    renderApp('/shared/token-1');
    expect(await screen.findByRole('heading', { name: 'Available Tasks (1)' })).toBeVisible();
    for (const name of [/Start Task/, /Mark Complete/, /Refresh/, /Export/, /Share/])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Sign up free' })).toBeNull();
    expect(server.asked('POST /api/v1/analytics/preview-viewed')).toEqual([]);
    expect(server.asked('GET /api/v1/actions')).toEqual([]);
  });

  it('/shared: a preview says so, reports that it was seen, and links to one sign-up', async () => {
    opens(PREVIEW);
    const { user, address } = renderApp('/shared/token-1');
    const banner = await screen.findByRole('region', { name: 'Preview' });
    expect(banner).toHaveTextContent('Preview: 1 of 9 action items');
    expect(screen.getAllByRole('link', { name: /Sign up/ })).toHaveLength(1);
    await waitFor(() => expect(server.asked('POST /api/v1/analytics/preview-viewed')).toHaveLength(1));
    expect(server.asked('POST /api/v1/analytics/preview-viewed')[0]?.body).toEqual({
      shareToken: 'token-1',
      jobId: 'job-1',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await user.click(within(banner).getByRole('link', { name: 'Sign up free' }));
    expect(address()).toBe('/signup?source=preview&utm_campaign=shared_preview&utm_content=token-1');
    await waitFor(() => expect(server.asked('POST /api/v1/analytics/preview-cta-clicked')).toHaveLength(1));
  });

  it('/shared: a preview links users with an account to it, not to another sign-up', async () => {
    signedInBefore();
    opens(PREVIEW);
    const { user, address } = renderApp('/shared/token-1');
    const banner = await screen.findByRole('region', { name: 'Preview' });
    await user.click(await within(banner).findByRole('link', { name: 'Audit your site' }));
    expect(address()).toBe('/');
    expect(server.asked('POST /api/v1/analytics/preview-cta-clicked')).toEqual([]);
  });

  it('/shared: where plans are sold it links to them, and says what they do not unlock', async () => {
    signedInBefore();
    server.on('GET /api/v1/status', statusResponse({ payments: 'sandbox' }));
    opens(PREVIEW);
    renderApp('/shared/token-1');
    const banner = await screen.findByRole('region', { name: 'Preview' });
    expect(await within(banner).findByRole('link', { name: 'See plans' })).toHaveAttribute('href', '/account/upgrade');
    expect(banner).toHaveTextContent('It doesn’t unlock this preview');
  });

  it('work when their reporting calls fail', async () => {
    server.on('POST /api/v1/analytics/preview-viewed', refusal(500, ''));
    opens(PREVIEW);
    renderApp('/shared/token-1');
    expect(await screen.findByRole('region', { name: 'Preview' })).toBeVisible();
  });

  it('say that a link is not found, and that content is not available', async () => {
    server.on(
      'GET /api/v1/share/token-1',
      refusal(404, 'This link may have expired, been revoked or never existed.', 'SHARE_NOT_FOUND'),
    );
    const first = renderApp('/share/token-1');
    expect(await screen.findByRole('heading', { name: 'Link Not Found' })).toBeVisible();
    expect(screen.getByText('This link may have expired, been revoked or never existed.')).toBeVisible();
    first.unmount();
    server.on('GET /api/v1/share/token-1', refusal(500, ''));
    const { user } = renderApp('/shared/token-1');
    expect(await screen.findByRole('heading', { name: 'Content Not Available' })).toBeVisible();
    expect(screen.getByText('Failed to load shared content')).toBeVisible();
    opens(view());
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Our site' })).toBeVisible();
  });

  it('drop their content when the link has ended', async () => {
    opens(view());
    renderApp('/share/token-1');
    await screen.findByRole('heading', { level: 1, name: 'Our site' });
    const socket = await visited();
    act(() => socket.says({ type: 'ended' }));
    expect(await screen.findByRole('heading', { name: 'Link Not Found' })).toBeVisible();
    expect(document.body).not.toHaveTextContent('Our site');
    expect(server.asked('GET /api/v1/share/token-1/state')).toEqual([]);
  });

  it('show the whole audit once it is unlocked, without a reload', async () => {
    opens(PREVIEW);
    renderApp('/share/token-1');
    await screen.findByRole('heading', { level: 1, name: 'Our site' });
    const banner = () => screen.queryByRole('region', { name: 'Preview' });
    expect(banner()).toBeVisible();
    const socket = await visited(true);
    expect(server.asked('GET /api/v1/share/token-1')).toHaveLength(1);
    opens(view());
    act(() => socket.says({ type: 'visiting', isPreview: false }));
    await waitFor(() => expect(banner()).toBeNull());
    expect(screen.getByRole('heading', { level: 1, name: 'Our site' })).toBeVisible();
    expect(server.asked('GET /api/v1/share/token-1')).toHaveLength(2);
  });

  it('send their link in a message, never in an address, and again after a break', async () => {
    opens(view());
    renderApp('/share/token-1');
    await screen.findByRole('heading', { level: 1, name: 'Our site' });
    const socket = await visited();
    expect(socket.sent).toEqual([{ type: 'visit', token: 'token-1' }]);
    expect(socket.url).not.toContain('token-1');
    act(() => socket.breaks());
    await waitFor(() => expect(sockets.count()).toBe(2), { timeout: 2_000 });
    act(() => sockets.latest().opened());
    expect(sockets.latest().sent).toEqual([{ type: 'visit', token: 'token-1' }]);
    act(() => sockets.latest().breaks(4404));
    expect(await screen.findByRole('heading', { name: 'Link Not Found' })).toBeVisible();
  });

  async function visited(isPreview = false): Promise<FakeSocket> {
    await waitFor(() => expect(sockets.count()).toBe(1));
    const socket = sockets.latest();
    act(() => {
      socket.opened();
      socket.says({ type: 'visiting', isPreview });
    });
    return socket;
  }
});
