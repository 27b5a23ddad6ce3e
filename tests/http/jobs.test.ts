import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JobView } from '../../src/http/contract/jobs.ts';
import { actionItem, givenAnalysis, givenJob, givenRunning } from '../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

let app: TestApp;
let user: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  await app.signUp({ email: 'admin@example.com' });
  user = await app.signUp();
  await app.newEvents();
});
afterEach(() => app.close());

const types = async () => (await app.newEvents()).map((event) => event.type);

describe('submitting one address', () => {
  it('reserves an audit, creates a job and shows it at once', async () => {
    const answer = await user.call('POST', '/api/v1/process', { url: ' example.com ' });
    expect(answer.status).toBe(202);
    expect(answer.body.job).toEqual(answer.body.data);
    expect(JobView.parse(answer.body.job)).toMatchObject({
      url: 'https://example.com/',
      host: 'example.com',
      status: 'queued',
      progress: 5,
      access: 'preview',
      max_pages: 50,
      folderPath: null,
      can: { cancel: true, delete: false },
    });
    expect(await types()).toEqual(['AnalysisReserved', 'JobSubmitted', 'JobQueued']);
    expect((await user.call('GET', '/api/v1/jobs')).body.data.active).toEqual([answer.body.job]);
    expect((await user.call('GET', '/api/v1/subscription/status')).body.data.usage).toEqual({
      used: 1,
      limit: 3,
      periodEnd: '2026-04-01T00:00:00.000Z',
    });
  });

  it('crawls fewer pages on request, and ignores options it does not know', async () => {
    const few = await user.call('POST', '/api/v1/process', { url: 'example.com', options: { maxPages: 7 } });
    const most = await user.call('POST', '/api/v1/process', { url: 'example.com', options: { maxPages: 50 } });
    const flat = await user.call('POST', '/api/v1/process', {
      url: 'example.com',
      maxPages: 9,
      depth: 2,
      options: { render: true },
    });
    expect([few.body.job.max_pages, most.body.job.max_pages, flat.body.job.max_pages]).toEqual([7, 50, 9]);
  });

  it.each([
    [{ options: { maxPages: 51 } }, 'options.maxPages'],
    [{ maxPages: 5000 }, 'maxPages'],
    [{ maxPages: 9, options: { maxPages: 1e15 } }, 'options.maxPages'],
  ])('refuses more pages than the installation allows, with the number: %j', async (asked, path) => {
    const message = 'Please enter a whole number from 1 to 50. This installation audits no more pages.';
    expect(await user.call('POST', '/api/v1/process', { url: 'example.com', ...asked })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', error: message, issues: [{ path, message }] },
    });
    expect((await user.call('POST', '/api/v1/process/batch', { urls: ['example.com'], ...asked })).status).toBe(400);
    expect(await types()).toEqual([]);
  });

  it('takes the settings of the crawl, keeps them, and shows them as they can be sent again', async () => {
    const options = {
      maxPages: 40,
      folder: 'blog',
      include: ['/blog/*', '/blog/*'],
      exclude: ['*?sort='],
      sitemapOnly: true,
    };
    const { body } = await user.call('POST', '/api/v1/process', { url: 'example.com', options });
    const settings = { ...options, folder: '/blog/', include: ['/blog/*'] };
    expect(body.job).toMatchObject({ max_pages: 40, settings });
    const submitted = (await app.newEvents()).find(({ type }) => type === 'JobSubmitted');
    expect(submitted?.data).toMatchObject({ settings, bounds: { maxPages: 40 } });
    const again = await user.call('POST', '/api/v1/process', { url: 'example.com', options: body.job.settings });
    expect(again.body.job.settings).toEqual(settings);
    const flat = await user.call('POST', '/api/v1/process', {
      url: 'example.com',
      folder: '/shop/',
      options: { folder: '/' },
    });
    expect([flat.status, flat.body.job.settings, flat.body.job.max_pages]).toEqual([202, null, 50]);
  });

  it.each([
    [{ options: { folder: 'https://example.com/blog/' } }, 'options.folder', /^Please enter a path such as/],
    [{ folder: '/a?b' }, 'folder', /^Please enter a path such as/],
    [{ include: ['/a', 'blog/*'] }, 'include.1', /^A pattern starts with/],
    [{ options: { exclude: [`/${'a'.repeat(200)}`] } }, 'options.exclude.0', /^A pattern starts with/],
    [{ exclude: Array(21).fill('/a') }, 'exclude', /^Please enter at most 20 patterns/],
    [{ include: '/a' }, 'include', /./],
    [{ maxPages: 0 }, 'maxPages', /./],
    [{ sitemapOnly: 'yes' }, 'sitemapOnly', /./],
  ])('refuses settings that cannot be kept: %j', async (asked, path, message) => {
    const answer = await user.call('POST', '/api/v1/process', { url: 'example.com', ...asked });
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    expect(answer.body.issues).toEqual([{ path, message: expect.stringMatching(message) }]);
    expect(await types()).toEqual([]);
  });

  it('refuses an invalid address, with the form’s message', async () => {
    const empty = await user.call('POST', '/api/v1/process', { url: '  ' });
    expect(empty).toMatchObject({ status: 400, body: { error: 'Please enter a URL' } });
    expect((await user.call('POST', '/api/v1/process', {})).body.error).toBe('Please enter a URL');
    for (const url of [
      'not a url',
      'ftp://example.com',
      'javascript:alert(1)',
      'https://user:pw@example.com',
      'http://',
    ]) {
      const answer = await user.call('POST', '/api/v1/process', { url });
      expect(answer, url).toMatchObject({
        status: 400,
        body: { code: 'INVALID_URL', error: 'Please enter a valid URL (e.g., example.com)' },
      });
    }
    expect(await types()).toEqual([]);
  });

  it('says why an address that nobody outside can reach is not audited', async () => {
    for (const [url, why] of [
      ['http://10.0.0.1/', 'The host is not on the public internet (private address).'],
      ['localhost', 'The host name has a single label: it is not a name of the public internet.'],
      ['https://example.com:4399/', 'Port 4399 isn’t allowed. Use 80, 443, 8080 or 8443.'],
    ] as const)
      expect(await user.call('POST', '/api/v1/process', { url }), url).toMatchObject({
        status: 400,
        body: { code: 'INVALID_URL', error: why },
      });
    const batch = await user.call('POST', '/api/v1/process/batch', { urls: ['a.example', '192.168.1.1'] });
    expect(batch).toMatchObject({ status: 400, body: { issues: [{ message: 'Line 2: 192.168.1.1' }] } });
    expect(await types()).toEqual([]);
  });

  it('says when the allowance is used up, with figures', async () => {
    for (let nth = 0; nth < 3; nth += 1)
      expect((await user.call('POST', '/api/v1/process', { url: `site${nth}.example` })).status).toBe(202);
    await app.newEvents();
    const answer = await user.call('POST', '/api/v1/process', { url: 'one-more.example' });
    expect(answer).toMatchObject({
      status: 402,
      body: { success: false, code: 'INSUFFICIENT_CREDITS', credits_required: 1, credits_available: 0 },
    });
    expect(answer.body.error).toContain('Insufficient credits');
    expect(answer.body.reason).toBe('This takes 1 audit; you have 0 left.');
    expect(await types()).toEqual([]);
  });

  it('has the full allowance again in the next month', async () => {
    for (let nth = 0; nth < 3; nth += 1) await user.call('POST', '/api/v1/process', { url: `site${nth}.example` });
    app.advance(31 * 86_400_000);
    const fresh = await app.call('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password },
    });
    expect(
      (await app.call('POST', '/api/v1/process', { token: fresh.body.token, body: { url: 'next.example' } })).status,
    ).toBe(202);
  });
});

describe('submitting a batch', () => {
  it('creates a job per line, skipping blank lines and repeated sites', async () => {
    const answer = await user.call('POST', '/api/v1/process/batch', {
      urls: ['a.example', '', '  https://b.example/  ', 'https://a.example/'],
    });
    expect(answer.status).toBe(202);
    expect(answer.body.jobs.map((job: { url: string }) => job.url)).toEqual([
      'https://a.example/',
      'https://b.example/',
    ]);
  });

  it('takes the number of pages with the addresses, too', async () => {
    const answer = await user.call('POST', '/api/v1/process/batch', {
      urls: ['a.example', 'b.example'],
      maxPages: 9,
      depth: 2,
    });
    expect(answer.body.jobs.map((job: { max_pages: number }) => job.max_pages)).toEqual([9, 9]);
  });

  it('applies the settings of the crawl to each site', async () => {
    const answer = await user.call('POST', '/api/v1/process/batch', {
      urls: ['a.example', 'b.example'],
      options: { folder: '/blog/' },
    });
    expect(answer.body.jobs.map((job: { settings: unknown }) => job.settings)).toEqual([
      { folder: '/blog/' },
      { folder: '/blog/' },
    ]);
  });

  it('names every invalid line and submits nothing', async () => {
    const answer = await user.call('POST', '/api/v1/process/batch', {
      urls: ['a.example', 'no url', 'b.example', 'ftp://c.example'],
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'Invalid URLs found', code: 'INVALID_URL' } });
    expect(answer.body.issues).toEqual([
      { path: 'urls.1', message: 'Line 2: no url' },
      { path: 'urls.3', message: 'Line 4: ftp://c.example' },
    ]);
    expect(await types()).toEqual([]);
  });

  it('refuses a body with no lines, blank lines or too many lines', async () => {
    expect((await user.call('POST', '/api/v1/process/batch', { urls: [] })).body.error).toBe(
      'Please enter at least one URL',
    );
    expect((await user.call('POST', '/api/v1/process/batch', { urls: ['', '  '] })).body.error).toBe(
      'Please enter at least one valid URL',
    );
    const many = await user.call('POST', '/api/v1/process/batch', {
      urls: Array.from({ length: 101 }, (_, nth) => `s${nth}.example`),
    });
    expect(many).toMatchObject({ status: 400, body: { error: 'Please enter at most 100 URLs at once' } });
  });

  it('is all or nothing', async () => {
    const answer = await user.call('POST', '/api/v1/process/batch', {
      urls: ['a.example', 'b.example', 'c.example', 'd.example'],
    });
    expect(answer).toMatchObject({ status: 402, body: { credits_required: 4, credits_available: 3 } });
    expect(await types()).toEqual([]);
    expect((await user.call('GET', '/api/v1/jobs')).body.data.active).toEqual([]);
  });
});

describe('the list of jobs', () => {
  it('separates open jobs from ended ones, newest first', async () => {
    const done = await givenAnalysis(app, user.userId, { host: 'done.example' });
    app.advance(1000);
    const newer = await givenAnalysis(app, user.userId, { host: 'newer.example' });
    const active = await givenJob(app, user.userId, { host: 'active.example' });
    const { data, cursor } = (await user.call('GET', '/api/v1/jobs')).body;
    expect(data.active.map((job: JobView) => job.id)).toEqual([active.jobId]);
    expect(data.completed.map((job: JobView) => job.id)).toEqual([newer.jobId, done.jobId]);
    expect(cursor).toBeNull();
  });

  it('shows how many of the user’s own jobs are ahead of a waiting one, like the answer to its submission and its page', async () => {
    const running = await givenJob(app, user.userId, { host: 'running.example' });
    await givenRunning(app, running.jobId, 'crawl');
    await givenJob(app, (await app.signUp()).userId, { host: 'of-another.example' });
    const batch = await user.call('POST', '/api/v1/process/batch', { urls: ['a.example', 'b.example'] });
    const queues = (jobs: readonly JobView[]) => Object.fromEntries(jobs.map((job) => [job.host, job.queue]));
    const waiting = { 'a.example': { ahead: 0, starts_at: null }, 'b.example': { ahead: 1, starts_at: null } };
    expect(queues(batch.body.jobs)).toEqual(waiting);
    const { data } = (await user.call('GET', '/api/v1/jobs')).body;
    expect(queues(data.active)).toEqual({ ...waiting, 'running.example': null });
    const [first, second] = batch.body.jobs as JobView[];
    expect((await user.call('GET', `/api/v1/jobs/${second?.id}`)).body.data.queue).toEqual({
      ahead: 1,
      starts_at: null,
    });
    await givenRunning(app, first?.id ?? '', 'crawl');
    expect((await user.call('GET', `/api/v1/jobs/${second?.id}`)).body.data.queue).toEqual({
      ahead: 0,
      starts_at: null,
    });
    expect((await user.call('GET', `/api/v1/jobs/${first?.id}`)).body.data.queue).toBeNull();
  });

  it('shows a job once that ends during the read', async () => {
    const { jobId } = await givenJob(app, user.userId);
    const readModels = app.readModels as { find: TestApp['readModels']['find'] };
    const find = readModels.find;
    let reads = 0;
    readModels.find = async <T extends object>(...query: Parameters<typeof find>) => {
      const page = await find<T>(...query);
      if (query[0] === 'jobs' && ++reads === 1)
        await app.given(`job-${jobId}`, {
          type: 'JobCancelled',
          data: { jobId, by: `user:${user.userId}`, cancelledAt: '2026-03-10T12:00:00.000Z' },
        });
      return page;
    };
    const { data } = (await user.call('GET', '/api/v1/jobs')).body;
    expect(reads).toBe(2);
    expect([...data.active, ...data.completed].map((job: JobView) => [job.id, job.status])).toEqual([
      [jobId, 'failed'],
    ]);
  });

  it('pages through ended jobs without skipping or repeating', async () => {
    const ids = [];
    for (let nth = 0; nth < 7; nth += 1) ids.push((await givenAnalysis(app, user.userId, { items: [] })).jobId);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const answer = await user.call(
        'GET',
        `/api/v1/jobs?limit=3${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
      );
      expect(answer.body.data.completed.length).toBeLessThanOrEqual(3);
      seen.push(...answer.body.data.completed.map((job: JobView) => job.id));
      cursor = answer.body.cursor;
    } while (cursor);
    expect([...seen].sort()).toEqual([...ids].sort());
    expect(new Set(seen).size).toBe(7);
  });

  it('refuses an invalid cursor', async () => {
    expect(await user.call('GET', '/api/v1/jobs?cursor=nonsense')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CURSOR' },
    });
    expect((await user.call('GET', '/api/v1/jobs?limit=0')).status).toBe(400);
    expect((await user.call('GET', '/api/v1/jobs?limit=1&limit=2')).status).toBe(400);
  });

  it('shows the outcome of a finished job', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const job = JobView.parse((await user.call('GET', `/api/v1/jobs/${jobId}`)).body.data);
    expect(job).toMatchObject({
      status: 'completed',
      progress: 100,
      score: 71,
      action_count: 2,
      action_generation_status: 'completed',
      analyst: 'Built-in analyst',
      eta: null,
    });
    expect(job.steps.actions_parsing.status).toBe('completed');
    expect(job.folderPath).toMatch(/^example\.com\//);
    expect(job.stages.every((stage) => stage.state === 'done')).toBe(true);
    expect(job.can).toEqual({ cancel: false, delete: true });
  });
});

describe('cancelling', () => {
  it('ends the job and releases the audit', async () => {
    const { body } = await user.call('POST', '/api/v1/process', { url: 'example.com' });
    await givenRunning(app, body.job.id, 'crawl');
    await app.newEvents();
    const answer = await user.call('POST', `/api/v1/jobs/${body.job.id}/cancel`);
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { status: 'failed', reason: 'Cancelled', reason_code: 'CANCELLED', progress: 0 } },
    });
    expect(await types()).toEqual(['JobCancelled', 'AnalysisReleased']);
    expect((await user.call('GET', '/api/v1/subscription/status')).body.data.usage.used).toBe(0);
  });

  it('is refused after the end', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    expect(await user.call('POST', `/api/v1/jobs/${jobId}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'JOB_ALREADY_FINISHED' },
    });
  });
});

describe('deleting', () => {
  it('removes the job, its files and its items', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    await app.newEvents();
    expect(await user.call('DELETE', `/api/v1/jobs/${jobId}`)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Job deleted successfully' },
    });
    expect(await types()).toEqual(['JobDeleted']);
    expect((await user.call('GET', `/api/v1/jobs/${jobId}`)).status).toBe(404);
    expect((await user.call('GET', `/api/v1/jobs/${jobId}/files/findings.json`)).status).toBe(404);
    expect((await user.call('GET', `/api/v1/actions?jobId=${jobId}`)).status).toBe(404);
    expect((await app.store.read(`report-${jobId}`)).status).toBe('deleted');
    expect((await user.call('DELETE', `/api/v1/jobs/${jobId}`)).status).toBe(404);
  });

  it('is refused while it runs', async () => {
    const { jobId } = await givenJob(app, user.userId);
    expect(await user.call('DELETE', `/api/v1/jobs/${jobId}`)).toMatchObject({
      status: 409,
      body: { code: 'JOB_NOT_FINISHED' },
    });
    expect((await user.call('GET', `/api/v1/jobs/${jobId}`)).status).toBe(200);
  });

  it('cancels all running jobs when deleting all, and spares other users’ jobs', async () => {
    const other = await app.signUp();
    const foreign = await givenAnalysis(app, other.userId);
    await givenAnalysis(app, user.userId);
    await givenAnalysis(app, user.userId);
    const running = (await user.call('POST', '/api/v1/process', { url: 'example.com' })).body.job.id;
    const answer = await user.call('DELETE', '/api/v1/jobs');
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, message: '3 jobs deleted', data: { deleted_count: 3 } },
    });
    expect((await user.call('GET', '/api/v1/jobs')).body.data).toEqual({ active: [], completed: [] });
    expect((await user.call('GET', `/api/v1/jobs/${running}`)).status).toBe(404);
    expect((await other.call('GET', `/api/v1/jobs/${foreign.jobId}`)).status).toBe(200);
    expect((await user.call('DELETE', '/api/v1/jobs')).body.data.deleted_count).toBe(0);
  });
});

describe('the files of a job', () => {
  it('are complete with full access', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    const answer = await user.call('GET', `/api/v1/jobs/${jobId}/files/seo-audit-report.md`);
    expect(answer.body).toEqual({ success: true, data: { jobId, name: 'seo-audit-report.md', content: '# Report\n' } });
  });

  it('are the five known names, and nothing else of the file system', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    for (const name of [
      'other.md',
      '..%2f..%2fetc%2fpasswd',
      'seo-audit-report.md%00.csv',
      'SEO-AUDIT-REPORT.MD',
      'toString',
    ]) {
      const answer = await user.call('GET', `/api/v1/jobs/${jobId}/files/${name}`);
      expect([name, answer.status]).toEqual([name, 404]);
    }
    const { jobId: waiting } = await givenJob(app, user.userId);
    expect(await user.call('GET', `/api/v1/jobs/${waiting}/files/pages.csv`)).toMatchObject({
      status: 404,
      body: { code: 'FILE_NOT_FOUND' },
    });
  });

  it('are there while the job runs, and after its end unless the audit was released', async () => {
    const ending = async (until: 'checks' | 'summary', end: (jobId: string) => { type: string; data: object }) => {
      const { jobId } = await givenJob(app, user.userId);
      await givenRunning(app, jobId, until);
      const part = {
        jobId,
        userId: user.userId,
        file: 'pages.csv',
        part: 0,
        parts: 1,
        text: 'url',
        writtenAt: app.deps.now(),
      };
      await app.given(`report-${jobId}`, { type: 'ReportPartWritten', data: part });
      const look = async () => {
        const { files } = (await user.call('GET', `/api/v1/jobs/${jobId}`)).body.data;
        return [files, (await user.call('GET', `/api/v1/jobs/${jobId}/files/pages.csv`)).status];
      };
      expect(await look()).toEqual([['pages.csv'], 200]);
      await app.given(`job-${jobId}`, end(jobId));
      return look();
    };
    const at = app.deps.now();
    const cancelled = (jobId: string) => ({
      type: 'JobCancelled',
      data: { jobId, userId: user.userId, by: 'user', cancelledAt: at },
    });
    const failed = (jobId: string) => ({
      type: 'JobFailed',
      data: { jobId, userId: user.userId, code: 'X', reason: 'r', failedAt: at },
    });
    expect(await ending('summary', cancelled)).toEqual([['pages.csv'], 200]);
    expect(await ending('checks', cancelled)).toEqual([[], 404]);
    expect(await ending('summary', failed)).toEqual([[], 404]);
  });

  it('in a preview have the first eight items and their findings, and say how many there are', async () => {
    const items = Array.from({ length: 12 }, (_, nth) =>
      actionItem(`item${nth}`, {
        impact: nth < 3 ? 'low' : nth < 6 ? 'high' : 'medium',
        codeExample: '```\ncode\n```',
      }),
    );
    const { jobId } = await givenAnalysis(app, user.userId, { access: 'preview', items });
    const text = (await user.call('GET', `/api/v1/jobs/${jobId}/files/action-items.md`)).body.data.content as string;
    const shown = ['item3', 'item4', 'item5', 'item6', 'item7', 'item8', 'item9', 'item10'];
    const hidden = ['item11', 'item0', 'item1', 'item2'];
    expect([...text.matchAll(/^## (\d+)\. (.+)$/gm)].map((match) => match.slice(1, 3))).toEqual(
      shown.map((id, nth) => [`${nth + 1}`, `Fix ${id}`]),
    );
    for (const id of hidden) expect(text).not.toMatch(new RegExp(`${id}\\b`));
    expect(text).toContain('This preview shows 8 of 12 action items.');
    const findings = JSON.parse(
      (await user.call('GET', `/api/v1/jobs/${jobId}/files/findings.json`)).body.data.content,
    );
    expect(findings.findings.map((finding: { id: string }) => finding.id).sort()).toEqual(
      shown.map((id) => `finding-${id}`).sort(),
    );
    expect(findings.preview).toEqual({ findings_shown: 8, findings_total: 12 });
    const report = (await user.call('GET', `/api/v1/jobs/${jobId}/files/seo-audit-report.md`)).body.data
      .content as string;
    for (const id of [...shown, ...hidden]) expect(report).toContain(`#### Fix ${id}\n`);
    for (const id of hidden) expect(report).not.toMatch(new RegExp(`Do something about ${id}\\b`));
    for (const id of shown) expect(report).toContain(`Do something about ${id}`);
  });
});

describe('the paths without a prefix', () => {
  it('answer like the full ones', async () => {
    const { jobId } = await givenAnalysis(app, user.userId);
    // The first view moves the position of the answers, once.
    await user.call('GET', `/actions?jobId=${jobId}`);
    await app.newEvents();
    await app.readModels.reached(['boards'], await app.store.head(), 5_000);
    const strip = ({ status, body }: Awaited<ReturnType<TestUser['call']>>) => ({ status, body });
    for (const [bare, full] of [
      [`/actions?jobId=${jobId}`, `/api/v1/actions?jobId=${jobId}`],
      [`/actions/stats?jobId=${jobId}`, `/api/v1/actions/stats?jobId=${jobId}`],
      [`/api/jobs/${jobId}`, `/api/v1/jobs/${jobId}`],
      ['/api/version', '/api/v1/version'],
    ] as const) {
      const answer = await user.call('GET', bare);
      expect(answer.status).toBe(200);
      expect(strip(answer)).toEqual(strip(await user.call('GET', full)));
    }
    expect((await user.call('GET', '/dashboard/actions')).status).toBe(404);
    expect((await user.call('GET', '/actionsx')).status).toBe(404);
  });
});
