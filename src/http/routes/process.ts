/** Submitting sites: one or a batch, all or nothing. */
import { submitJobs } from '../../commands/job/submitJobs.ts';
import type { CrawlSettings } from '../../model/crawlSettings.ts';
import { folderOf, pagesProblem, settingsOf } from '../../model/crawlSettingsRules.ts';
import { getBilling } from '../../projections/billing.ts';
import { listJobsById } from '../../projections/jobs.ts';
import { placesInQueue } from '../../work/queue.ts';
import { BatchRequest, BatchResponse, type JobView, ProcessRequest, ProcessResponse } from '../contract/jobs.ts';
import { proofRuleOf } from '../deps/proofRule.ts';
import { withProgress } from '../jobs/liveProgress.ts';
import { withReason } from '../money/insufficientCredits.ts';
import { countRefusal } from '../money/refusedSubmission.ts';
import { isWaiting, presentJob, presentSubmitted } from '../present/job.ts';
import { HttpError, invalidInput } from '../request/errors.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import { type OwnJob, type RouteRequest, route } from '../routing/route.ts';

const INVALID_URL = 'Please enter a valid URL (e.g., example.com)';

type Site = { readonly url: string; readonly host: string; readonly schemeGuessed?: true };

export const processOne = route({
  method: 'POST',
  path: '/process',
  access: 'user',
  summary: 'Submit one site for an audit',
  body: ProcessRequest,
  example: { url: 'example.com' },
  response: ProcessResponse,
  status: 202,
  limit: 'submit',
  refusals: ['INVALID_URL', 'INSUFFICIENT_CREDITS', 'EMAIL_NOT_CONFIRMED'],
  handler: async (request) => {
    const [job] = await submit(request, (normalizeUrl) => [siteOf(normalizeUrl, request.body.url)]);
    if (!job) throw new Error('a submission of one site led to no job');
    return { success: true as const, data: job, job };
  },
});

export const processBatch = route({
  method: 'POST',
  path: '/process/batch',
  access: 'user',
  summary: 'Submit up to 100 sites; if one is invalid or the allowance does not cover all, none is submitted',
  body: BatchRequest,
  example: { urls: ['example.com'] },
  // Room for a hundred URLs of maximum length.
  maxBodyBytes: 512 * 1024,
  response: BatchResponse,
  status: 202,
  limit: 'submit',
  refusals: ['INVALID_URL', 'INSUFFICIENT_CREDITS', 'EMAIL_NOT_CONFIRMED'],
  handler: async (request) => {
    const jobs = await submit(request, (normalizeUrl) => sitesOf(normalizeUrl, request.body.urls));
    return { success: true as const, jobs };
  },
});

type NormalizeUrl = RouteRequest['deps']['normalizeUrl'];

function siteOf(normalizeUrl: NormalizeUrl, url: string): Site {
  const site = normalizeUrl(url);
  if (site.ok) return site;
  throw new HttpError('INVALID_URL', site.isBlocked ? site.error : INVALID_URL, {
    details: { reason: site.error, issues: [{ path: 'url', message: site.error }] },
  });
}

/** Blank lines and duplicate sites are dropped; every invalid line is reported by its original number. */
function sitesOf(normalizeUrl: NormalizeUrl, lines: readonly string[]): readonly Site[] {
  const issues: { path: string; message: string }[] = [];
  const sites = new Map<string, Site>();
  lines.forEach((line, index) => {
    const text = line.trim();
    if (text === '') return;
    const site = normalizeUrl(text);
    if (site.ok) sites.set(site.url, site);
    else issues.push({ path: `urls.${index}`, message: `Line ${index + 1}: ${text}` });
  });
  if (issues.length > 0) throw new HttpError('INVALID_URL', 'Invalid URLs found', { details: { issues } });
  if (sites.size === 0) throw invalidInput([{ path: 'urls', message: 'Please enter at least one valid URL' }]);
  return [...sites.values()];
}

/** What stands in `options` wins over what stands beside the address. `limit`: pages that the installation allows. */
function settingsIn({ options, ...beside }: ProcessRequest | BatchRequest, limit: number): CrawlSettings | undefined {
  const { maxPages, folder, include, exclude, sitemapOnly } = { ...beside, ...options };
  if (maxPages !== undefined && maxPages > limit) {
    const path = options?.maxPages === undefined ? 'maxPages' : 'options.maxPages';
    throw invalidInput([{ path, message: pagesProblem(limit) }]);
  }
  return settingsOf({ maxPages, folder: folderOf(folder ?? '') ?? undefined, include, exclude, sitemapOnly });
}

type Submission = Pick<RouteRequest, 'deps' | 'command' | 'address'> & {
  readonly caller: { readonly userId: string };
  readonly body: ProcessRequest | BatchRequest;
};

function submit(request: Submission, sitesIn: (normalizeUrl: NormalizeUrl) => readonly Site[]): Promise<JobView[]> {
  const submitted = async () => submitSites(request, sitesIn(request.deps.normalizeUrl));
  return submitted().catch(countRefusal(request));
}

async function submitSites(
  { deps, command, caller, address, body }: Submission,
  sites: readonly Site[],
): Promise<JobView[]> {
  const { bounds, freeAnalysesPerMonth, reportPrice, unlimited } = deps.config;
  const settings = settingsIn(body, bounds.maxPages);
  const maxPages = settings?.maxPages ?? bounds.maxPages;
  const requested = sites.map(({ url, host, schemeGuessed }) => ({
    url,
    host,
    ...(schemeGuessed ? { schemeGuessed } : {}),
  }));
  // What is not known, as while the store does not answer, binds nobody.
  const network = (await deps.networkOf?.(address, deps.now()).catch(() => null)) ?? null;
  const { jobIds, position } = await submitJobs(command, {
    userId: caller.userId,
    sites: requested,
    network,
    bounds: { maxPages, maxMs: bounds.maxMs },
    settings,
    freeAnalyses: freeAnalysesPerMonth,
    price: reportPrice ?? undefined,
    unbilled: unlimited,
    proofRule: proofRuleOf(deps.config),
  }).catch(withReason);
  const now = deps.now();
  const submitted = (): JobView[] =>
    jobIds.map((jobId, index) =>
      presentSubmitted({
        jobId,
        userId: caller.userId,
        ...(requested[index] ?? { url: '', host: '' }),
        maxPages,
        ...(settings ? { settings } : {}),
        now,
        position,
      }),
    );
  return afterWrite(deps, { position, otherwise: submitted }, async (readModels) => {
    // The bill as well: the client looks at what is left of it next.
    const [jobs, places] = await Promise.all([
      listJobsById(readModels, jobIds),
      placesInQueue(readModels, { userId: caller.userId, jobIds, now }),
      getBilling(readModels, caller.userId),
    ]);
    const placeOf = (job: OwnJob) => (isWaiting(job.data) ? places.get(job.id) : undefined);
    const views = new Map(
      jobs.map((job) => [job.id, presentJob(withProgress(job, deps.liveProgress), now, placeOf(job))]),
    );
    return submitted().map((view) => views.get(view.id) ?? view);
  });
}
