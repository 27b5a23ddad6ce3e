/** Compares two audits of one site: what is new, fixed, remaining or not comparable. */
import { isPart, partKey } from '../../model/crawlSettings.ts';
import { wholeScore } from '../../model/scores.ts';
import { plural } from '../checks/evidence.ts';
import { RECHECK_NEEDS } from '../checks/recheckNeeds.ts';
import { WHOLE_SITE_CLAIMS } from '../checks/wholeSiteClaims.ts';
import { createPart } from '../crawl/frontier/sitePart.ts';
import { isRefusal } from '../crawl/outcome.ts';
import { crawlUrl, dedupeKey } from '../crawl/url.ts';
import type { FindingRecord, FindingsDocument } from './findingsFormat.ts';
import { matchFindings, whyNotChecked } from './matchFindings.ts';
import { scopeOf, whyScoresDiffer } from './runScope.ts';
import { SITE_CHECKS, WHOLE_SITE_CHECKS } from './siteChecks.ts';

export type Comparison = {
  /** In the order of the later audit. */
  readonly new: readonly FindingRecord[];
  /** As in the later audit. */
  readonly remaining: readonly FindingRecord[];
  /** Gone after their pages and checks were audited again. As in the earlier audit. */
  readonly fixed: readonly FindingRecord[];
  /** Gone, but their places were not checked again. */
  readonly notComparable: readonly (FindingRecord & { readonly because: string })[];
  /** Found on pages that the earlier audit did not read. As in the later audit. */
  readonly notSeenBefore: readonly (FindingRecord & { readonly because: string })[];
  /** As whole numbers, and the change in points; null, with the reason below, if the scores measure different things. */
  readonly score: { readonly before: number; readonly after: number; readonly change: number } | null;
  readonly scoreNotComparable: string | null;
  /** Why the two are not the same in everything, worded as the end of a sentence; null if they are. */
  readonly notIdentical: string | null;
};

/** Pure. Both must be audits of the same site, `before` the earlier one. */
export function compareRuns(before: FindingsDocument, after: FindingsDocument): Comparison {
  const cut = new Set(before.outcomes.filter((outcome) => outcome.omitted > 0).map((outcome) => outcome.checkId));
  const pairs = matchFindings(before.findings, after.findings, (checkId) => cut.has(checkId));
  const gone = before.findings.filter((finding) => !pairs.has(finding));
  const kept = new Set(pairs.values());
  const [recheck, firstSight] = [createRecheck(before, after), createFirstSight(before, after)];
  const judged = gone.map((finding) => ({ finding, because: recheck(finding) }));
  const added = after.findings
    .filter((finding) => !kept.has(finding))
    .map((finding) => ({ finding, because: firstSight(finding) }));
  const unclear = (rows: typeof judged) =>
    rows.flatMap(({ finding, because }) => (because === null ? [] : [{ ...finding, because }]));
  const scoreNotComparable = whyScoresDiffer(scopeOf(before), scopeOf(after));
  const comparison = {
    new: added.flatMap(({ finding, because }) => (because === null ? [finding] : [])),
    remaining: after.findings.filter((finding) => kept.has(finding)),
    fixed: judged.flatMap(({ finding, because }) => (because === null ? [finding] : [])),
    notComparable: unclear(judged),
    notSeenBefore: unclear(added),
    score:
      scoreNotComparable === null && before.score && after.score
        ? changeOf(wholeScore(before.score.value), wholeScore(after.score.value))
        : null,
    scoreNotComparable,
  };
  return { ...comparison, notIdentical: whyNotIdentical(before, after, comparison) };
}

const changeOf = (before: number, after: number) => ({ before, after, change: after - before });

type Recheck = (finding: FindingRecord) => string | null;

/** Returns null if the place was checked again, else the reason why not. */
function createRecheck(before: FindingsDocument, after: FindingsDocument): Recheck {
  const pages = new Map(after.pages.map((page) => [page.url, page]));
  const outcomes = new Map(after.outcomes.map((outcome) => [outcome.checkId, outcome]));
  const isSilent = !after.pages.some((page) => page.audited);
  const isSettled = createSettled(before, after);
  const outOfReach = createOutOfReach(before, after);
  return (finding) => {
    const { checkId, evidence } = finding;
    if (outOfReach(finding)) return 'this audit covers another part of the site';
    const outcome = outcomes.get(checkId);
    if (isSilent && outcome?.state === 'not_applicable') return 'no page could be audited this time';
    return whyNotChecked({
      checkId,
      outcome: outcome && isSettled(finding) ? { ...outcome, notChecked: 0 } : outcome,
      page: pages.get(evidence.url),
    });
  };
}

/**
 * Whether the address that a finding is about answered, or is gone from a site that was read in full: then no other
 * answer matters.
 */
function createSettled(before: FindingsDocument, after: FindingsDocument): (finding: FindingRecord) => boolean {
  const had = new Set(before.pages.map(({ url }) => dedupeKey(url)));
  const statuses = new Map(after.pages.map(({ url, status }) => [dedupeKey(url), status]));
  return ({ checkId, evidence }) => {
    const target = RECHECK_NEEDS[checkId]?.target?.(evidence) ?? null;
    if (target === null) return false;
    const key = dedupeKey(target);
    const status = statuses.get(key);
    // A link that remained would have led a complete crawl there again.
    if (status === undefined)
      return had.has(key) && after.coverage.stop === 'complete' && !isPart(after.coverage.settings);
    return status !== null && !isRefusal(status);
  };
}

/**
 * Returns why a finding may have been there before: the earlier audit did not read its page, or did not look at what
 * the finding is about. Null if it is new.
 */
function createFirstSight(before: FindingsDocument, after: FindingsDocument): Recheck {
  const had = new Map(before.pages.map((page) => [page.url, page]));
  const isPage = new Set(after.pages.map((page) => page.url));
  const outOfReach = createOutOfReach(after, before);
  const isComplete = before.coverage.stop === 'complete';
  const looksBeyond = createBeyond(before, after);
  return (finding) => {
    const { url } = finding.evidence;
    if (outOfReach(finding)) return 'the earlier audit covered another part of the site';
    const page = had.get(url);
    if (page && (page.status === null || isRefusal(page.status)))
      return 'the page could not be read in the earlier audit';
    // A complete audit would have found the page.
    if (!page && isPage.has(url) && !isComplete) return 'the page was not read in the earlier audit';
    return looksBeyond(finding);
  };
}

/**
 * Whether a finding of the one audit could not be made by the other, because that was set to another part of the site:
 * it could not read the page, or the finding compares pages, of which it may have read only some.
 */
function createOutOfReach(one: FindingsDocument, other: FindingsDocument): (finding: FindingRecord) => boolean {
  const { settings } = other.coverage;
  if (partKey(one.coverage.settings) === partKey(settings)) return () => false;
  const [isInPart, read] = [createPart(settings), new Set(other.pages.map(({ url }) => url))];
  const open = new Set(other.outcomes.filter(({ because }) => because !== undefined).map(({ checkId }) => checkId));
  const couldRead = (url: string): boolean => read.has(url) || (settings?.sitemapOnly !== true && isInPart(url));
  return ({ checkId, evidence }) => {
    if (WHOLE_SITE_CLAIMS.has(checkId)) return isPart(settings);
    if (WHOLE_SITE_CHECKS.has(checkId)) return open.has(checkId);
    const { pages } = RECHECK_NEEDS[checkId] ?? {};
    return !couldRead(evidence.url) || (SITE_CHECKS.has(checkId) && (pages === 'all' || pages === 'found'));
  };
}

/** The same for what a finding depends on besides its own page: what that page names, or other pages. */
function createBeyond(before: FindingsDocument, after: FindingsDocument): Recheck {
  const isComplete = before.coverage.stop === 'complete';
  const { untried } = before.coverage;
  const seen = new Set([...before.pages.map(({ url }) => url), ...(before.tried ?? [])].map(dedupeKey));
  const read = new Set(before.pages.filter(({ audited }) => audited).map(({ url }) => dedupeKey(url)));
  const isOtherSample = !isComplete && after.pages.some(({ url, audited }) => audited && !read.has(dedupeKey(url)));
  return ({ checkId, evidence }) => {
    const { target, fetches = [], leads, pages } = RECHECK_NEEDS[checkId] ?? {};
    if ((pages === 'all' || pages === 'found') && isOtherSample)
      return 'this audit read pages that the earlier one did not';
    if (fetches.length === 0 && leads === undefined) return null;
    const named = target?.(evidence) ?? addressIn(evidence);
    if (named === null || seen.has(dedupeKey(named))) return null;
    // What was tried in full has no such address: the page names it only now.
    const triedAll =
      untried !== undefined && isComplete && !fetches.some((kind) => (untried as readonly string[]).includes(kind));
    return triedAll ? null : 'the address it leads to was not requested in the earlier audit';
  };
}

/** An address as a page names it; null for any other value. */
function addressIn({ url, value }: FindingRecord['evidence']): string | null {
  return /^(?:https?:\/\/|\/)\S+$/.test(value) ? crawlUrl(value, url) : null;
}

/**
 * Why the two audits are not the same in everything, worded as the end of a sentence; null if they are. One that ended
 * by the clock, or that got other answers, is not the same by more than chance.
 */
function whyNotIdentical(
  before: FindingsDocument,
  after: FindingsDocument,
  { new: added, fixed, notComparable, notSeenBefore }: Omit<Comparison, 'notIdentical'>,
): string | null {
  for (const [run, name] of [
    [before, 'the earlier audit'],
    [after, 'this audit'],
  ] as const) {
    if (run.coverage.stop === 'time_budget') return `${name} was stopped by its time limit`;
    if (run.coverage.stop === 'cancelled') return `${name} was stopped`;
  }
  const had = new Map(before.pages.map((page) => [page.url, page]));
  const other = after.pages.filter(({ url, status, audited }) => {
    const page = had.get(url);
    return page !== undefined && (page.status !== status || page.audited !== audited);
  }).length;
  if (other > 0) return `${plural(other, 'address', 'addresses')} responded differently`;
  if (before.pages.length !== after.pages.length || after.pages.some(({ url }) => !had.has(url)))
    return 'the audits read different pages';
  const changes = added.length + fixed.length + notComparable.length + notSeenBefore.length;
  return changes > 0 ? `${plural(changes, 'finding')} ${changes === 1 ? 'differs' : 'differ'}` : null;
}
