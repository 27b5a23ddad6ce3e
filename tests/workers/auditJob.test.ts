import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handle } from '../../src/commands/handle.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { readReportFile } from '../../src/commands/job/writeReportFile.ts';
import { readPlan } from '../../src/commands/plan/generatePlan.ts';
import { jobDecider } from '../../src/domain/job/decide.ts';
import { JOB_STEPS, jobStream } from '../../src/domain/job/events.ts';
import type { ProgressTick } from '../../src/domain/job/liveProgress.ts';
import type { ModelUse } from '../../src/domain/modelUse.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import type { Analyst } from '../../src/integrations/analyst/analyst.ts';
import { createRulesAnalyst } from '../../src/integrations/analyst/rules.ts';
import type { Feed } from '../../src/model/liveFeed.ts';
import { createLiveFeed } from '../../src/start/liveFeed.ts';
import { createLiveProgress } from '../../src/start/liveProgress.ts';
import { runAuditJob } from '../../src/workers/auditJob.ts';
import type { AuditJobDeps } from '../../src/workers/jobRun.ts';
import { auditDeps } from '../given/audit/auditDeps.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../given/commands.ts';
import { FULL } from '../given/fullForm.ts';
import { withModel } from '../given/modelUse.ts';
import { pendingJob } from '../given/work/pendingJob.ts';
import { startTestSite, type TestSite } from '../servers/testSite.ts';

const PAGES: Record<string, string> = {
  '/': '<!doctype html><html lang="en"><title>A home page with a title</title><h1>Home</h1><p>Text of the home page.</p><a href="/second">The second page</a>',
  '/second': '<!doctype html><html lang="en"><h1>No title here</h1><p>Text of the second page.</p><a href="/">Home</a>',
};

let site: TestSite;
let host: string;
beforeAll(async () => {
  site = await startTestSite(PAGES);
  host = site.host;
});
afterAll(() => site.close());

function depsOf(made: Product, store: EventStore = made.store, analyst: Analyst = createRulesAnalyst()): AuditJobDeps {
  return auditDeps(made, host, { store, analyst });
}

async function submitted(path = '/', maxPages = 10): Promise<{ made: Product; userId: string; jobId: string }> {
  const made = await withAdmin();
  const userId = await userOf(made);
  const { jobIds } = await submitJobs(made.context(), {
    userId,
    sites: [{ url: `http://${host}${path}`, host }],
    bounds: { maxPages, maxMs: 60_000 },
  });
  return { made, userId, jobId: jobIds[0] ?? '' };
}

const held = (): boolean => true;

const still = new AbortController().signal;

/** Crashes are tried at every fourth write, or at each with `npm run test:full`. */
const EVERY = FULL ? 1 : 6;

describe('an audit job', () => {
  it('goes through its steps to a report, a summary and a plan', async () => {
    const { made, jobId } = await submitted();
    await runAuditJob(depsOf(made), pendingJob(jobId), held, still);
    const types = await made.types(`job-${jobId}`);
    expect(types.filter((type) => type === 'JobStepEnded')).toHaveLength(JOB_STEPS.length);
    expect(types.at(-1)).toBe('JobCompleted');
    expect(await readReportFile(made.store, jobId, 'seo-audit-report.md')).toContain('Page has no title');
    expect(await readReportFile(made.store, jobId, 'executive-summary.md')).toContain('Executive summary');
    expect((await readPlan(made.store, jobId))?.items.map((item) => item.checkId)).toContain('title-missing');
  });

  it('audits the part of the site that its settings name, and says so in its report', async () => {
    site.pages['/start'] =
      '<!doctype html><html lang="en"><title>Start</title><a href="/part">p</a> <a href="/second">s</a>';
    site.pages['/part'] =
      '<!doctype html><html lang="en"><title>Part</title><a href="/part/a">a</a> <a href="/second">b</a>';
    site.pages['/part/a'] = '<!doctype html><html lang="en"><title>Page of the part</title><h1>Part</h1>';
    const made = await withAdmin();
    const userId = await userOf(made);
    const { jobIds } = await submitJobs(made.context(), {
      userId,
      sites: [{ url: `http://${host}/start`, host }],
      bounds: { maxPages: 10, maxMs: 60_000 },
      settings: { folder: '/part/' },
    });
    const jobId = jobIds[0] ?? '';
    await runAuditJob(depsOf(made), pendingJob(jobId), held, still);
    const report = (await readReportFile(made.store, jobId, 'seo-audit-report.md')) ?? '';
    expect(report).toContain('**Part of the site:** `/part/` only.');
    expect(report).toContain('3 HTML pages of a part of');
    const { coverage, pages } = JSON.parse((await readReportFile(made.store, jobId, 'findings.json')) ?? '');
    expect(coverage.settings).toEqual({ folder: '/part/' });
    expect(pages.map(({ url }: { url: string }) => new URL(url).pathname)).toEqual(['/start', '/part', '/part/a']);
  });

  it('looks first at what the former audit of the site looked at', async () => {
    const links = Array.from({ length: 30 }, (_, nth) => `<a href="/tea/${nth + 10}">Tea ${nth}</a>`).join(' ');
    site.pages['/teas'] = `<!doctype html><html lang="en"><title>Teas</title><h1>Teas</h1>${links}`;
    for (let nth = 10; nth < 40; nth += 1) site.pages[`/tea/${nth}`] = `<!doctype html><title>Tea ${nth}</title>`;
    const { made, jobId, userId } = await submitted('/teas', 4);
    const asked: unknown[] = [];
    const former = [33, 38].map((nth) => `${site.origin}/tea/${nth}`);
    const formerPages = async (of: unknown): Promise<readonly string[]> => {
      asked.push(of);
      return former;
    };
    await runAuditJob({ ...depsOf(made), formerPages }, pendingJob(jobId), held, still);
    const { pages } = JSON.parse((await readReportFile(made.store, jobId, 'findings.json')) ?? '');
    expect(pages.map(({ url }: { url: string }) => url.replace(site.origin, ''))).toEqual([
      '/teas',
      '/tea/10',
      '/tea/33',
      '/tea/38',
    ]);
    expect(asked).toEqual([{ userId, host, before: made.now() }]);
  });

  it('sends each second of its crawl to open pages, and writes one event of it to the log', async () => {
    const links = Array.from({ length: 60 }, (_, nth) => `<a href="/many/${nth}">Page ${nth}</a>`).join(' ');
    site.pages['/many'] = `<!doctype html><html lang="en"><title>Many pages</title><h1>Many</h1>${links}`;
    for (let nth = 0; nth < 60; nth += 1)
      site.pages[`/many/${nth}`] = `<!doctype html><html lang="en"><title>Page ${nth}</title><h1>Page ${nth}</h1>`;
    const made = await withAdmin();
    const userId = await userOf(made);
    const bounds = { maxPages: 100, maxMs: 1e9 };
    const { jobIds } = await submitJobs(made.context(), {
      userId,
      sites: [{ url: `http://${host}/many`, host }],
      bounds,
    });
    const jobId = jobIds[0] ?? '';
    const liveProgress = createLiveProgress();
    const ticks: ProgressTick[] = [];
    liveProgress.listen((tick) => void ticks.push(tick));
    let seconds = 0;
    const clock = (): number => {
      seconds += 1;
      return seconds * 1_000;
    };
    await runAuditJob({ ...depsOf(made), clock, liveProgress }, pendingJob(jobId), held, still);
    const progressed = (await made.log()).filter(({ type }) => type === 'JobProgressed');
    expect(progressed.map(({ data }) => data)).toMatchObject([{ step: 'crawl', pagesDone: 61, pagesKnown: 61 }]);
    expect(ticks.length).toBeGreaterThan(40);
    expect(ticks.map(({ pagesDone }) => pagesDone)).toEqual(
      ticks.map(({ pagesDone }) => pagesDone).sort((a, b) => a - b),
    );
    expect(liveProgress.of(jobId)).toBeNull();
  });

  it('shows each address once as it reads it, also one that answered late, until it ends', async () => {
    let asked = 0;
    site.pages['/feed'] =
      '<!doctype html><html lang="en"><title>Feed</title><a href="/feed/a?token=abc">a</a> <a href="/feed/missing">b</a>';
    site.pages['/feed/a?token=abc'] = '<!doctype html><html lang="en"><h1>A</h1>';
    const { made, jobId } = await submitted('/feed');
    const liveFeed = createLiveFeed(made.now);
    let feed: Feed | null = null;
    const rules = createRulesAnalyst();
    const analyst: Analyst = {
      ...rules,
      analyse: async (...given) => {
        feed = await liveFeed.read(jobId);
        return rules.analyse(...given);
      },
    };
    const deps = depsOf(made, made.store, analyst);
    // The first request for it fails.
    const openFetcher: AuditJobDeps['openFetcher'] = () => {
      const fetcher = deps.openFetcher();
      const failing: typeof fetcher = Object.assign(
        async (...request: Parameters<typeof fetcher>) => {
          const [url] = request;
          asked += url.endsWith('/feed/missing') ? 1 : 0;
          return url.endsWith('/feed/missing') && asked === 1
            ? { ok: false as const, requestedUrl: url, url, failure: 'reset' as const, message: 'Reset.', hops: [] }
            : fetcher(...request);
        },
        { close: () => fetcher.close() },
      );
      return failing;
    };
    await runAuditJob({ ...deps, openFetcher, liveFeed }, pendingJob(jobId), held, still);
    expect(asked).toBeGreaterThan(1);
    const { rows, counts } = feed as unknown as Feed;
    expect(rows.map(({ url, status, saw }) => [url.replace(site.origin, ''), status, saw])).toEqual([
      ['/feed', 200, ['no_description', 'no_h1']],
      ['/feed/a?token=[hidden]', 200, ['no_title', 'no_description']],
      ['/feed/missing', 404, ['client_error']],
    ]);
    expect(counts).toMatchObject({ all: 3, client_error: 1, no_description: 2 });
    expect(await liveFeed.read(jobId)).toBeNull();
    expect(JSON.stringify((await made.log()).map(({ data }) => data))).not.toContain('"no_h1"');
  });

  it('has its findings readable while the texts about them are still being written', async () => {
    const { made, jobId } = await submitted();
    const rules = createRulesAnalyst();
    let early: string | null = null;
    const analyst: Analyst = {
      ...rules,
      analyse: async (...asked) => {
        early = await readReportFile(made.store, jobId, 'findings.json');
        return rules.analyse(...asked);
      },
    };
    await runAuditJob(depsOf(made, made.store, analyst), pendingJob(jobId), held, still);
    expect(JSON.parse(early ?? '{}').findings.map((finding: { checkId: string }) => finding.checkId)).toContain(
      'title-missing',
    );
    expect(await readReportFile(made.store, jobId, 'findings.json')).toBe(early);
  });

  it('falls back to http where https was assumed and the site does not speak it', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const bounds = { maxPages: 10, maxMs: 60_000 };
    const sites = [
      { url: `https://${host}/`, host, schemeGuessed: true },
      { url: `https://${host}/`, host },
    ] as const;
    const outcomes = [];
    for (const submittedSite of sites) {
      const { jobIds } = await submitJobs(made.context(), { userId, sites: [submittedSite], bounds });
      await runAuditJob(depsOf(made), pendingJob(jobIds[0] ?? ''), held, still);
      outcomes.push((await made.types(`job-${jobIds[0]}`)).at(-1));
    }
    expect(outcomes).toEqual(['JobCompleted', 'JobFailed']);
  });

  it('audits script-rendered pages with its own fetcher', async () => {
    site.pages['/app'] =
      '<!doctype html><html lang="en"><title>App</title><div id="root"></div><script src="/app.js"></script>';
    site.pages['/app.js'] = '';
    const { made, jobId } = await submitted('/app');
    const deps: AuditJobDeps = {
      ...depsOf(made),
      renderThrough: (fetch) => async (url) => {
        const script = await fetch(`${url}.js`);
        const words = 'Tea is picked by hand in spring, and dried in the shade. '.repeat(8);
        return script.ok
          ? {
              ok: true,
              html: `<!DOCTYPE html><html lang="en"><title>App</title><div id="root"><main><h1>Tea</h1>${words}</main></div>`,
              bytes: 0,
            }
          : { ok: false, reason: 'The script was not to be had.', movedTo: null, bytes: 0 };
      },
    };
    await runAuditJob(deps, pendingJob(jobId), held, still);
    const report = await readReportFile(made.store, jobId, 'seo-audit-report.md');
    expect(report).toContain('1 page that needs scripts was rendered in a browser.');
    expect(report).toContain('(after rendering)');
  });

  it('ends once and complete wherever the process crashes', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const { made, jobId } = await submitted();
      await orCrash(runAuditJob(depsOf(made, breaking(made.store)), pendingJob(jobId), held, still));
      await runAuditJob(depsOf(made), pendingJob(jobId), held, still);
      const events = (await made.log()).filter((event) => event.stream === jobStream(jobId));
      const ended = events
        .filter((event) => event.type === 'JobStepEnded')
        .map((event) => (event.data as { step: string }).step);
      expect(ended).toEqual([...JOB_STEPS]);
      for (const once of ['JobReportReady', 'JobSummaryWritten', 'JobActionsGenerated', 'JobCompleted']) {
        expect(events.filter((event) => event.type === once)).toHaveLength(1);
      }
      expect(await made.types(`plan-${jobId}`)).toEqual(['PlanGenerated']);
    }, EVERY);
    expect(deaths).toBeGreaterThan(50 / EVERY);
  });

  it('does not crawl again what another worker has crawled', async () => {
    const { made, jobId } = await submitted();
    const analyst: Analyst = {
      ...createRulesAnalyst(),
      analyse: () => Promise.reject(new Error('the process is short of memory')),
    };
    await expect(runAuditJob(depsOf(made, made.store, analyst), pendingJob(jobId), held, still)).rejects.toThrow(
      'short of memory',
    );
    let fetched = 0;
    const deps = depsOf(made);
    const counting: AuditJobDeps = {
      ...deps,
      openFetcher: () => {
        const fetcher = deps.openFetcher();
        return Object.assign(
          (...input: Parameters<typeof fetcher>) => {
            fetched += 1;
            return fetcher(...input);
          },
          { close: () => fetcher.close() },
        );
      },
    };
    await runAuditJob(counting, pendingJob(jobId), held, still);
    expect(fetched).toBe(0);
    expect((await made.types(`job-${jobId}`)).at(-1)).toBe('JobCompleted');
  });

  it('says so when a model failed and the rules filled in', async () => {
    const { made, jobId } = await submitted();
    const rules = createRulesAnalyst();
    const analyst: Analyst = {
      ...rules,
      summarise: async (...input) => ({ ...(await rules.summarise(...input)), fallback: 'it did not answer in time' }),
    };
    await runAuditJob(depsOf(made, made.store, analyst), pendingJob(jobId), held, still);
    const last = (await made.log()).filter((event) => event.stream === jobStream(jobId)).at(-1);
    expect(last).toMatchObject({
      type: 'JobPartiallySucceeded',
      data: { reason: expect.stringContaining('did not answer in time') },
    });
  });

  it('records a model’s prompt with its text once, wherever the process crashes', async () => {
    await atEveryCrash(async (breaking) => {
      const { made, jobId } = await submitted();
      const run = (store: EventStore) =>
        runAuditJob(depsOf(made, store, withModel(createRulesAnalyst())), pendingJob(jobId), held, still);
      await orCrash(run(breaking(made.store)));
      await run(made.store);
      const events = (await made.log()).filter((event) => event.stream === jobStream(jobId));
      const asked = events.flatMap(({ type, data }, nth) =>
        type === 'ModelAsked' ? [[(data as ModelUse).key, events[nth + 1]?.type]] : [],
      );
      expect(asked).toEqual([
        ['seo_analysis', 'JobReportReady'],
        ['seo_actions', 'JobStepEnded'],
        ['summary', 'JobSummaryWritten'],
      ]);
    }, EVERY);
  });

  it('reports how much of a model’s answer had no basis, in the log and the timeline', async () => {
    const { made, jobId } = await submitted();
    const rules = createRulesAnalyst();
    const analyst: Analyst = {
      ...rules,
      recommend: async (...input) => ({
        ...(await rules.recommend(...input)),
        by: 'AI',
        dropped: 2,
        prompt: 'seo_actions@1',
      }),
    };
    const logged: object[] = [];
    await runAuditJob(
      { ...depsOf(made, made.store, analyst), log: { info: (fields) => void logged.push(fields) } },
      pendingJob(jobId),
      held,
      still,
    );
    expect(logged).toEqual([
      { jobId, step: 'recommendations', by: 'AI', fallback: null, dropped: 2, prompt: 'seo_actions@1' },
    ]);
    const ended = (await made.log()).find(
      (event) => event.type === 'JobStepEnded' && (event.data as { step: string }).step === 'recommendations',
    );
    expect(JSON.stringify(ended?.data)).toContain(
      'items by AI; 2 parts of the answer pointed to nothing found; asked with seo_actions@1',
    );
  });

  it('reports its coverage when a budget ran out', async () => {
    const { made, jobId } = await submitted('/', 1);
    await runAuditJob(depsOf(made), pendingJob(jobId), held, still);
    const last = (await made.log()).filter((event) => event.stream === jobStream(jobId)).at(-1);
    expect(last).toMatchObject({
      type: 'JobPartiallyCompleted',
      data: { reason: expect.stringContaining('Stopped at the 1-page limit; ') },
    });
  });

  it('reports both when a budget ran out and a model failed, and the report says who wrote it', async () => {
    const { made, jobId } = await submitted('/', 1);
    const rules = createRulesAnalyst();
    const analyst: Analyst = {
      ...rules,
      analyse: async (...input) => ({ ...(await rules.analyse(...input)), fallback: 'The model answered 500.' }),
      summarise: async (...input) => ({ ...(await rules.summarise(...input)), fallback: 'The model answered 500.' }),
    };
    await runAuditJob(depsOf(made, made.store, analyst), pendingJob(jobId), held, still);
    const last = (await made.log()).filter((event) => event.stream === jobStream(jobId)).at(-1);
    expect(last).toMatchObject({
      type: 'JobPartiallyCompleted',
      data: {
        reason: expect.stringMatching(
          /^Stopped at the 1-page limit; 1 more page was found but not audited\. The language model failed \(The model answered 500\), so/,
        ),
        modelFailed: true,
      },
    });
    expect(await readReportFile(made.store, jobId, 'seo-audit-report.md')).toMatch(
      /Written by: .+, because the language model failed \(The model answered 500\)/,
    );
  });

  it('reports that the time ran out before all checks had run', async () => {
    const { made, jobId } = await submitted();
    const deps = depsOf(made);
    // From the checks on, each reading of the clock is a minute later.
    let [started, minutes] = [0, 0];
    const clock = () => {
      if (started > JOB_STEPS.indexOf('checks')) minutes += 1;
      return Date.parse(made.now()) + minutes * 60_000;
    };
    const store: EventStore = {
      ...deps.store,
      append: (stream, events, options) => {
        started += events.filter(({ type }) => type === 'JobStepStarted').length;
        return deps.store.append(stream, events, options);
      },
    };
    await runAuditJob({ ...deps, store, clock }, pendingJob(jobId), held, still);
    const last = (await made.log()).filter((event) => event.stream === jobStream(jobId)).at(-1);
    expect(last).toMatchObject({
      type: 'JobPartiallyCompleted',
      data: { reason: expect.stringMatching(/^The time ran out before all checks had run on all pages/) },
    });
  });

  it('fails with a reason when there is nothing to audit', async () => {
    const { made, jobId } = await submitted('/missing');
    await runAuditJob(depsOf(made), pendingJob(jobId), held, still);
    const last = (await made.log()).filter((event) => event.stream === jobStream(jobId)).at(-1);
    expect(last).toMatchObject({
      type: 'JobFailed',
      data: { code: 'SITE_HTTP_ERROR', reason: expect.stringContaining('404') },
    });
  });

  it('does nothing to a job that was cancelled meanwhile', async () => {
    const { made, userId, jobId } = await submitted();
    const rules = createRulesAnalyst();
    const analyst: Analyst = {
      ...rules,
      async analyse(...input) {
        await handle(made.context(), jobDecider, jobStream(jobId), { type: 'CancelJob', by: userId, at: made.now() });
        return rules.analyse(...input);
      },
    };
    await runAuditJob(depsOf(made, made.store, analyst), pendingJob(jobId), held, still);
    expect((await made.types(`job-${jobId}`)).at(-1)).toBe('JobCancelled');
  });

  it('writes nothing after another worker has taken the job over', async () => {
    const { made, jobId } = await submitted();
    const rules = createRulesAnalyst();
    const analyst: Analyst = {
      ...rules,
      async analyse(...input) {
        await handle(made.context(), jobDecider, jobStream(jobId), { type: 'StartJob', at: made.now() });
        return rules.analyse(...input);
      },
    };
    await expect(runAuditJob(depsOf(made, made.store, analyst), pendingJob(jobId), held, still)).rejects.toMatchObject({
      code: 'JOB_TAKEN_OVER',
    });
    const types = await made.types(`job-${jobId}`);
    expect(types.at(-1)).toBe('JobStarted');
    expect(types).not.toContain('JobReportReady');
  });

  it('does not fail a job that another worker has taken over, even if its site has nothing to audit', async () => {
    const { made, jobId } = await submitted('/missing');
    const overtaken: EventStore = Object.create(made.store);
    let isOvertaken = false;
    overtaken.append = async (stream, events, options) => {
      if (!isOvertaken && events.some(({ type }) => type === 'JobFailed')) {
        isOvertaken = true;
        await handle(made.context(), jobDecider, stream, { type: 'StartJob', at: made.now() });
      }
      return made.store.append(stream, events, options);
    };
    await expect(runAuditJob(depsOf(made, overtaken), pendingJob(jobId), held, still)).rejects.toMatchObject({
      code: 'JOB_TAKEN_OVER',
    });
    expect((await made.types(`job-${jobId}`)).at(-1)).toBe('JobStarted');
  });

  it('is not started by a worker that may have lost it, nor beside a concurrent write', async () => {
    const { made, userId, jobId } = await submitted();
    await expect(runAuditJob(depsOf(made), pendingJob(jobId), () => false, still)).rejects.toThrow(
      'Another worker may have the job by now.',
    );
    const cancelling: EventStore = Object.create(made.store);
    cancelling.append = async (stream, ...rest) => {
      if (stream === jobStream(jobId))
        await handle(made.context(), jobDecider, stream, { type: 'CancelJob', by: userId, at: made.now() });
      return made.store.append(stream, ...rest);
    };
    expect(await runAuditJob(depsOf(made, cancelling), pendingJob(jobId), held, still)).toEqual({ outcome: 'not_now' });
    expect(await made.types(`job-${jobId}`)).toEqual(['JobSubmitted', 'JobQueued', 'JobCancelled']);
    expect(await runAuditJob(depsOf(made), pendingJob(jobId), held, still)).toMatchObject({ outcome: 'ended' });
  });
});
