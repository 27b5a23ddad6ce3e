/** The email when an audit, or a whole batch, has ended: scores, the first things to do, and a link. */

import type { Taken } from '../../domain/billing/events.ts';
import type { JobOutcome } from '../../domain/job/job.ts';
import type { ActionItem } from '../../domain/plan/events.ts';
import type { Impact } from '../../model/findings.ts';
import { moneyText } from '../../model/money.ts';
import { readableHost } from '../../model/readableAddress.ts';
import {
  FORMULA_CHANGED,
  NOT_JUDGED,
  NOT_JUDGED_TEXTS,
  type NotJudgedReason,
  SHUT_TEXT,
  wholeScore,
} from '../../model/scores.ts';
import { durationText } from '../../model/wording.ts';
import { type MailBlock, type MailContent, oneLine } from './layout.ts';
import type { Surroundings } from './texts.ts';

export type EndedJob = {
  readonly jobId: string;
  readonly host: string;
  /** What part of the site its settings named; null for the whole site. */
  readonly part: string | null;
  readonly outcome: JobOutcome;
  readonly score: number | null;
  /** Why there is no score; null if there is one, or no result. */
  readonly notJudged: NotJudgedReason | null;
  /** Only its robots.txt could be audited, since it shuts out every crawler. */
  readonly isShut: boolean;
  /** The former audit of the site has a score of another formula. */
  readonly formulaChanged: boolean;
  readonly items: readonly ActionItem[];
  /** Why the result is partial; null if it is not. */
  readonly partialReason: string | null;
  /** What an audit without a result, or that could judge nothing, gave back; null if nothing. */
  readonly givenBack: Taken | null;
};

export type JobsDone = {
  /** One job, or those of a batch in submission order. */
  readonly jobs: readonly EndedJob[];
  /** Unsubscribes without logging in. */
  readonly unsubscribeUrl: string;
};

const TOP_ITEMS = 3;
/** Maximum per batch; the others are on the site. */
const JOBS_SHOWN = 25;
const ORDER: Readonly<Record<Impact, number>> = { high: 0, medium: 1, low: 2 };
const IMPACTS: Readonly<Record<Impact, string>> = { high: 'High impact', medium: 'Medium impact', low: 'Low impact' };

export function jobsDoneMail(surroundings: Surroundings, { jobs, unsubscribeUrl }: JobsDone): MailContent {
  const [only, ...others] = jobs;
  const content = only && others.length === 0 ? oneDone(surroundings, only) : batchDone(surroundings, jobs);
  const why = jobs.length === 1 ? 'an audit you requested has finished' : 'audits you requested have finished';
  return {
    ...content,
    footer: [{ text: `You’re receiving this because ${why}.`, link: { label: 'Unsubscribe', url: unsubscribeUrl } }],
  };
}

type Content = Omit<MailContent, 'footer'>;

function oneDone({ appUrl, unlimited }: Surroundings, job: EndedJob): Content {
  const score = scoreText(job);
  const site = partOf(job);
  const verdict = verdictText(job, unlimited);
  return {
    subject:
      score === null ? `${site}: your SEO report is ready` : `${site}: ${inSentence(score)}, your SEO report is ready`,
    heading: `Your audit of ${site} is done`,
    blocks: [
      ...(score === null ? [] : [{ kind: 'figure', value: score, label: 'Health score' } as const]),
      ...(verdict === null ? [] : [{ kind: 'text', text: verdict } as const]),
      ...(job.formulaChanged ? [{ kind: 'text', text: FORMULA_CHANGED } as const] : []),
      ...(job.partialReason === null ? [] : [{ kind: 'text', text: partialText(job.partialReason) } as const]),
      ...firstThings([job]),
      { kind: 'button', label: 'View your report', url: linkOf(appUrl, job) },
    ],
  };
}

function batchDone(surroundings: Surroundings, jobs: readonly EndedJob[]): Content {
  const { appUrl } = surroundings;
  const shown = jobs.slice(0, JOBS_SHOWN);
  const more = jobs.length - shown.length;
  const sites = [...new Set(jobs.map(siteOf))];
  const named = sites.length <= 2 ? sites.join(' and ') : `${sites[0]} and ${sites.length - 1} more`;
  return {
    subject: oneLine(`${jobs.length} audits are done: ${named}`, 120),
    heading: `Your ${jobs.length} audits are done`,
    blocks: [
      { kind: 'list', title: 'Health scores', items: shown.map((job) => result(surroundings, job)) },
      ...(more > 0 ? [{ kind: 'text', text: `And ${more} more in your reports.` } as const] : []),
      ...firstThings(jobs),
      { kind: 'button', label: 'View your reports', url: `${appUrl}/` },
    ],
  };
}

function result(
  { appUrl, unlimited }: Surroundings,
  job: EndedJob,
): { readonly title: string; readonly detail: string; readonly url?: string } {
  const { outcome, items, partialReason } = job;
  const site = partOf(job);
  const score = scoreText(job);
  if (outcome === 'failed' || outcome === 'cancelled') {
    return { title: `${site}: ${outcome}`, detail: unlimited ? NO_REPORT : givenBackText(job) };
  }
  const things = `${items.length} ${items.length === 1 ? 'task' : 'tasks'}`;
  const facts = [
    things,
    verdictText(job, unlimited),
    job.formulaChanged ? FORMULA_CHANGED : null,
    partialReason === null ? null : partialText(partialReason),
  ].filter((fact) => fact !== null);
  const detail = facts.length === 1 ? things : facts.map((fact) => fact.replace(/\.?$/, '.')).join(' ');
  return { title: score === null ? site : `${site}: ${inSentence(score)}`, detail, url: linkOf(appUrl, job) };
}

/** `82 of 100`, or that the site was not judged; null without either. */
function scoreText({ score, notJudged }: EndedJob): string | null {
  if (score !== null) return `${wholeScore(score)} of 100`;
  return notJudged === null ? null : NOT_JUDGED;
}

const inSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Why an audit could judge nothing, or robots.txt alone, and what became of its price; null for any other. */
function verdictText(job: EndedJob, unlimited: boolean | undefined): string | null {
  const { notJudged, isShut, givenBack } = job;
  const why = notJudged !== null ? NOT_JUDGED_TEXTS[notJudged] : isShut ? SHUT_TEXT : null;
  if (why === null || unlimited || givenBack?.from === 'admin') return why;
  return `${why} ${givenBack === null ? COUNTS : givenBackText(job)}`;
}

const COUNTS = 'It counts: only the first three like it per site and day are free.';

const partialText = (reason: string): string => `This result is partial: ${oneLine(reason, 500)}`;

const NO_REPORT = 'There is no report.';

function givenBackText({ givenBack }: EndedJob): string {
  if (!givenBack || givenBack.from === 'admin') return NO_REPORT;
  const { from, amount, currency } = givenBack;
  if (from === 'credits') return 'One credit was returned.';
  if (from !== 'funds') return 'This didn’t count against your allowance.';
  return amount !== undefined && currency !== undefined
    ? `${moneyText({ amount, currency })} was returned to your funds.`
    : 'You weren’t charged for it.';
}

/** Across all jobs, ordered by weight; with several sites, each names its own. */
function firstThings(jobs: readonly EndedJob[]): readonly MailBlock[] {
  const items = jobs.flatMap((job) => job.items.map((item) => ({ ...item, site: siteOf(job) })));
  const top = [...items].sort((a, b) => (ORDER[a.impact] ?? 3) - (ORDER[b.impact] ?? 3)).slice(0, TOP_ITEMS);
  if (top.length === 0)
    return jobs.some(({ notJudged }) => notJudged !== null) ? [] : [{ kind: 'text', text: 'Nothing to fix.' }];
  return [
    {
      kind: 'list',
      title: items.length > top.length ? `Top ${top.length} of ${items.length} tasks` : 'What to do',
      items: top.map(({ title, impact, timeEstimate, site }) => ({
        title: oneLine(title, 140),
        detail: `${jobs.length > 1 ? `${site}: ` : ''}${IMPACTS[impact] ?? 'Unknown impact'}, about ${durationText(timeEstimate)}`,
      })),
    },
  ];
}

const siteOf = ({ host }: EndedJob): string => oneLine(readableHost(host.replace(/^www\./, '')), 60);
/** With the part of it, if only that was audited: its score is not one of the site. */
const partOf = (job: EndedJob): string =>
  job.part === null ? siteOf(job) : `${siteOf(job)} (${oneLine(job.part, 80)})`;
const linkOf = (appUrl: string, { host, jobId }: EndedJob): string =>
  `${appUrl}/dashboard/actions?${new URLSearchParams({ domain: host, jobId })}`;
