/**
 * The work of each step of an audit job. A step reads its input from the working data, so that it can be the first one
 * a new worker runs.
 */
import type { CrawlEnv } from '../audit/crawl/crawlEnv.ts';
import { crawlSite } from '../audit/crawl/crawlSite.ts';
import { discover, discoverEither } from '../audit/crawl/discover.ts';
import type { Crawl } from '../audit/crawl/site.ts';
import { standing } from '../audit/judged.ts';
import { actionItemsMarkdown } from '../audit/report/actionItemsMarkdown.ts';
import { findingsDocument, writingFindings } from '../audit/report/findingsJson.ts';
import { gatheringLinks, pageRecordJson } from '../audit/report/pageRecords.ts';
import { gatheringRows, writingPages } from '../audit/report/pagesCsv.ts';
import { readAddress } from '../audit/report/readAddress.ts';
import { reportIssues } from '../audit/report/reportIssues.ts';
import { reportMarkdown } from '../audit/report/reportMarkdown.ts';
import { WHOLE_SITE_CHECKS } from '../audit/report/siteChecks.ts';
import { inSlices, type Pausable } from '../audit/timeSlices.ts';
import { type JsonRow, packRecords, writePageRecords } from '../commands/job/pageRecords.ts';
import { hasReportFile, writeReportFile } from '../commands/job/writeReportFile.ts';
import { writeReportRows } from '../commands/job/writeReportRows.ts';
import { askedOf, authorOf } from '../commands/plan/followUp.ts';
import { generatePlan, readPlan } from '../commands/plan/generatePlan.ts';
import type { JobStep } from '../domain/job/events.ts';
import type { PageCounts } from '../domain/job/job.ts';
import type { ModelUse } from '../domain/modelUse.ts';
import { reportOf } from '../domain/report/reportData.ts';
import type { RecordParts } from '../domain/report/reportRows.ts';
import type { AnalystCall, Written } from '../integrations/analyst/analyst.ts';
import { isMarkedOptional } from '../model/actions.ts';
import type { ReportFile } from '../model/jobs.ts';
import type { LinkColumns } from '../model/pageRecords.ts';
import { SCORE_FORMULA } from '../model/scores.ts';
import { analystInput, type EvaluationRun, evaluate, type Subject, subject } from './evaluation.ts';
import { whyNothingToAudit } from './failureTexts.ts';
import type { JobRun } from './jobRun.ts';
import { answersSoFar, SlotGivenUp, watchSlowSite } from './slowSite.ts';

/**
 * Each resolves with a note for the timeline, or nothing; if no other event describes them, with the pages read or the
 * model usage for the step's text.
 */
export const STEPS: Readonly<Record<JobStep, (run: JobRun) => Promise<string | undefined | StepEnd>>> = {
  discover: discoverSite,
  crawl,
  checks,
  evidence,
  report,
  recommendations,
  summary,
  actions,
  parse_actions: parseActions,
};

export type StepEnd = { readonly note: string; readonly pages?: PageCounts; readonly asked?: ModelUse };

/** The share of the job's time that the crawl may use; the rest is for checks and texts. */
const CRAWL_SHARE = 0.75;
const MIN_CHECKS_MS = 5000;
const MAX_CRAWL_BYTES = 500 * 1024 * 1024;
const REQUESTS_AT_ONCE = 4;
/** Interval of progress updates for open pages, ms. */
const TICK_MS = 1_000;

function crawlEnv(run: JobRun): CrawlEnv {
  const { parse, clock, sleep, userAgent, siteBytes, renderThrough } = run.deps;
  return {
    fetch: run.fetch,
    parse: (input) => parse(input, run),
    now: clock,
    sleep,
    userAgent,
    ...(siteBytes === undefined ? {} : { siteBytes }),
    signal: run.signal,
    ...(renderThrough ? { render: renderThrough(run.fetch) } : {}),
  };
}

/** Checks get the rest of the job's time, or a few seconds if a slow site has used it up. */
function checkRun(run: JobRun): EvaluationRun {
  const { clock: now, siteBytes, assess } = run.deps;
  const ms = Math.max(run.remaining(), MIN_CHECKS_MS);
  return {
    now,
    signal: run.signal,
    owner: run.job.userId,
    ms,
    ...(siteBytes === undefined ? {} : { siteBytes }),
    ...(assess ? { assess } : {}),
  };
}

async function discoverSite(run: JobRun): Promise<string> {
  const { url, schemeGuessed } = run.job;
  const env = crawlEnv(run);
  const discovery = schemeGuessed
    ? await discoverEither(url, env, run.remaining())
    : await discover(url, env, undefined, run.remaining());
  const { userId, host } = run.job;
  const former = (await run.deps.formerPages?.({ userId, host, before: run.deps.now() })) ?? [];
  // Before the discovery, so that whoever takes over the job has both.
  if (former.length > 0) await run.data.save('former', former);
  await run.data.save('discovery', discovery);
  const urls = discovery.sitemaps.reduce((sum, sitemap) => sum + (sitemap.kind === 'index' ? 0 : sitemap.urlCount), 0);
  return `robots.txt ${discovery.robots.outcome.status ?? 'not reachable'}, ${urls} URLs in sitemaps`;
}

async function crawl(run: JobRun): Promise<StepEnd> {
  const discovery = await run.data.need('discovery');
  const { liveProgress, liveFeed, clock } = run.deps;
  const { jobId } = run.job;
  const startedAt = clock();
  const begunAt = run.deps.now();
  const answers = await answersSoFar(run);
  const former = await run.data.load('former');
  const slow = watchSlowSite(run);
  let pagesKnown = 0;
  let lastTick = Number.NEGATIVE_INFINITY;
  liveFeed?.begin(jobId);
  const part = await crawlSite(
    discovery,
    {
      maxPages: run.job.bounds.maxPages,
      settings: run.job.settings,
      maxMs: run.remaining() * CRAWL_SHARE,
      maxBytes: MAX_CRAWL_BYTES,
      concurrency: REQUESTS_AT_ONCE,
      askAsAiBot: true,
      askAsOthers: run.deps.askAsOthers !== false,
      ...(former === null ? {} : { former }),
      known: answers,
      onProgress: (progress) => {
        pagesKnown = progress.pagesKnown;
        const now = clock();
        if (now - lastTick < TICK_MS) return;
        lastTick = now;
        liveProgress?.report({ jobId, ...progress });
      },
      ...(liveFeed ? { onPage: (page) => liveFeed.add(jobId, readAddress(page, begunAt)) } : {}),
    },
    crawlEnv({ ...run, fetch: slow.fetch, signal: slow.signal }),
  ).finally(slow.stop);
  run.signal.throwIfAborted();
  if (part.coverage.stop === 'cancelled') {
    await run.data.save('answers', answers.soFar(run.spent(), clock() - startedAt));
    throw new SlotGivenUp();
  }
  const found = { ...part, coverage: answers.wholeOf(part.coverage) };
  await inTime(run, standing(found));
  const nothing = whyNothingToAudit(found);
  if (nothing) throw nothing;
  await run.data.save('crawl', found);
  const pagesDone = found.pages.length;
  const note = `${pagesDone} pages in ${Math.round(found.coverage.durationMs / 1000)} s`;
  return { note, pages: { pagesDone, pagesKnown: Math.max(pagesKnown, pagesDone) } };
}

async function checks(run: JobRun): Promise<string> {
  const { findings, score } = await evaluate(await run.data.need('crawl'), checkRun(run));
  return `${findings.length} findings, ${score === null ? 'not scored' : `score ${score.value}`}`;
}

/** Makes the findings readable while the texts about them are still being written. */
async function evidence(run: JobRun): Promise<string> {
  const found = await run.data.need('crawl');
  const about = await subject(run.job, found, run.deps.now(), checkRun(run));
  await writeFindings(run, about);
  const { cutShort, score, shut } = await evaluate(found, checkRun(run));
  await run.data.save('checked', { cutShort, judged: score !== null && !shut });
  return `${reportIssues(about).length} issues`;
}

async function writeFindings(run: JobRun, about: Subject): Promise<void> {
  const { jobId, userId } = run.job;
  // Rows first, so that they exist once the files are announced.
  const pages = await inTime(run, gatheringRows(about.crawl, about.findings));
  const report = reportOf(findingsDocument(about), pages, WHOLE_SITE_CHECKS);
  const records = await writeRecords(run, about.crawl);
  await writeReportRows(run.context(), { jobId, userId, report, records });
  await write(run, 'findings.json', await inTime(run, writingFindings(about)));
  await write(run, 'pages.csv', await inTime(run, writingPages(pages)));
}

function* pageRecordsOf({ pages }: Crawl): Generator<JsonRow> {
  for (const page of pages) yield { json: pageRecordJson(page), rows: 1 };
}

function* linkRecordsOf(runs: readonly LinkColumns[]): Generator<JsonRow> {
  for (const run of runs) yield { json: JSON.stringify(run), rows: run.targets.length };
}

async function writeRecords(run: JobRun, found: Crawl): Promise<RecordParts> {
  const { jobId, userId } = run.job;
  const pages = await packRecords(pageRecordsOf(found));
  const { runs, all } = await inTime(run, gatheringLinks(found));
  const links = await packRecords(linkRecordsOf(runs));
  const written = await writePageRecords(run.context(), { jobId, userId }, { pages, links });
  return { ...written, allLinks: all };
}

/** In slices, so that requests are answered while the files of a large site are generated. */
async function inTime<T>(run: JobRun, work: Pausable<T>): Promise<T> {
  const done = await inSlices(work, { now: run.deps.clock }, () => run.signal.aborted);
  if (done === null) throw run.signal.reason;
  return done;
}

async function report(run: JobRun): Promise<string | undefined> {
  const found = await run.data.need('crawl');
  const written =
    (await run.data.load('analysis')) ??
    logUnused(
      run,
      'report',
      await run.deps.analyst.analyse(await analystInput(run.job, found, checkRun(run)), call(run)),
    );
  await run.data.save('analysis', written);
  const { findings, score, notJudged, shut, pagesAudited } = await evaluate(found, checkRun(run));
  const about = await subject(run.job, found, run.deps.now(), checkRun(run));
  // The previous step may have run in an earlier version of the program, which wrote them here.
  if (!(await hasReportFile(run.deps.store, run.job.jobId, 'pages.csv'))) await writeFindings(run, about);
  await write(
    run,
    'seo-audit-report.md',
    reportMarkdown({ ...about, analysis: { text: written.value, ...authorOf(written), instead: written.fallback } }),
  );
  await run.record({
    type: 'RecordReport',
    ...(score === null ? { score } : { score: score.value, formula: SCORE_FORMULA }),
    ...(notJudged === null ? {} : { notJudged }),
    ...(shut ? { shut } : {}),
    pagesAudited,
    findings: findings.length,
    highImpact: findings.filter((finding) => finding.impact === 'high').length,
    files: ['seo-audit-report.md', 'findings.json', 'pages.csv'],
    ...askedOf(written),
  });
  return askedWith(written);
}

async function recommendations(run: JobRun): Promise<StepEnd> {
  const written =
    (await run.data.load('recommendations')) ??
    logUnused(
      run,
      'recommendations',
      await run.deps.analyst.recommend(
        await analystInput(run.job, await run.data.need('crawl'), checkRun(run)),
        call(run),
      ),
    );
  await run.data.save('recommendations', written);
  const dropped = written.dropped ?? 0;
  const parts = [
    `${written.value.length} items by ${written.by}`,
    dropped === 0 ? undefined : `${dropped} ${dropped === 1 ? 'part' : 'parts'} of the answer pointed to nothing found`,
    askedWith(written),
  ];
  return { note: parts.filter((part) => part !== undefined).join('; '), ...askedOf(written) };
}

async function summary(run: JobRun): Promise<string | undefined> {
  const input = await analystInput(run.job, await run.data.need('crawl'), checkRun(run));
  const { value: items } = await run.data.need('recommendations');
  const written =
    (await run.data.load('summary')) ??
    logUnused(run, 'summary', await run.deps.analyst.summarise(input, items, call(run)));
  await run.data.save('summary', written);
  await write(run, 'executive-summary.md', `${written.value.trim()}\n`);
  await run.record({ type: 'RecordSummary', by: written.by, fallback: written.fallback !== null, ...askedOf(written) });
  return askedWith(written);
}

async function actions(run: JobRun): Promise<undefined> {
  const { value: items, by } = await run.data.need('recommendations');
  const { jobId, userId } = run.job;
  const plan = await generatePlan(run.context(), { jobId, userId, by, items });
  await run.record({ type: 'RecordActions', count: plan.items.filter((item) => !isMarkedOptional(item)).length });
  return undefined;
}

async function parseActions(run: JobRun): Promise<undefined> {
  const plan = await readPlan(run.deps.store, run.job.jobId);
  await write(run, 'action-items.md', actionItemsMarkdown(plan?.items ?? []));
  return undefined;
}

/** A model's response may take the rest of the job's time; after that the built-in rules fill in. */
function call(run: JobRun): AnalystCall {
  return { signal: run.signal, budgetMs: run.remaining() };
}

/** The prompt a model used, for readers of the job's log. */
function askedWith({ prompt }: Written<unknown>): string | undefined {
  return prompt === undefined ? undefined : `asked with ${prompt}`;
}

/** Logs how much of a model's response was rejected, never its content. */
function logUnused<T>(run: JobRun, step: JobStep, written: Written<T>): Written<T> {
  const { by, fallback, dropped = 0, prompt } = written;
  if (dropped > 0 || fallback !== null)
    run.deps.log?.info(
      { jobId: run.job.jobId, step, by, fallback, dropped, prompt },
      'an answer of the language model was not used in full',
    );
  return written;
}

async function write(run: JobRun, name: ReportFile, text: string): Promise<void> {
  const { jobId, userId, attempt } = run.job;
  await writeReportFile(run.context(), { jobId, userId, name, text, attempt });
}
