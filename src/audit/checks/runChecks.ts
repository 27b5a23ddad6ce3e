/** Runs the checks over a crawl. A check that throws gets an error outcome; the others still run. */

import { createHash } from 'node:crypto';
import { LONGEST_PLACE } from '../../model/edits.ts';
import type { Finding, Snippet } from '../../model/findings.ts';
import { readableText } from '../../model/readableAddress.ts';
import { visibleText } from '../../model/visibleText.ts';
import type { Crawl, CrawledPage } from '../crawl/site.ts';
import { excerpt } from '../excerpt.ts';
import { findingsBytes, weightOf } from '../memory.ts';
import { atOnce, inSlices, type Pausable, type SliceClock } from '../timeSlices.ts';
import type {
  AnswerCheck,
  Answered,
  Check,
  CheckOutcome,
  Fault,
  Found,
  HtmlPage,
  ListedFaults,
  PageCheck,
  SiteCheck,
} from './check.ts';
import { isFoundation } from './foundations.ts';
import { CHECKS } from './index.ts';
import { faultKey } from './listing.ts';
import { preparingDeclared } from './lookups/declared.ts';
import { preparingSeries } from './lookups/duplicates/paging.ts';
import { preparingVersions } from './lookups/language/languageVersions.ts';
import { placeSeen } from './lookups/renderedPlaces.ts';
import { preparingFacts } from './lookups/siteFacts.ts';
import { addressKey, preparing, siteIndex } from './lookups/siteIndex.ts';
import { preparingTemplates } from './lookups/templates.ts';
import { THRESHOLDS } from './thresholds.ts';
import { whyNotOfPart } from './wholeSiteClaims.ts';

export type ChecksResult = { readonly findings: readonly Finding[]; readonly outcomes: readonly CheckOutcome[] };

/** `cutShort`: time ran out before everything was checked. */
export type TimedResult = ChecksResult & { readonly cutShort: boolean };

type Tally = {
  looked: number;
  partly: number;
  failed: number;
  notChecked: number;
  omitted: number;
  readonly findings: Finding[];
  readonly ids: Set<string>;
  readonly limits: FindingLimits;
  readonly room: Room;
  readonly crawl: Crawl;
};

/** Maximum findings kept per page and per check, and the memory of all of them in bytes. */
export type FindingLimits = { readonly page: number; readonly check: number; readonly bytes: number };

export const FINDING_LIMITS: FindingLimits = {
  page: THRESHOLDS.findingsPerPage,
  check: THRESHOLDS.findingsPerCheck,
  bytes: findingsBytes(),
};

/** Each check has a little of the memory to itself, so that none is left without findings; the rest is for all. */
const OWN_SHARE = 1 / 400;

/** What remains of the memory: for all checks, and for the present one alone. */
type Room = { shared: number; own: number };

/** A root cause without its name, and the longest name. */
const ROOT_BYTES = 60;
const MAX_ROOT_NAME = 200;

/** Takes the memory for a finding, if there is enough. */
function takeRoom(room: Room, { evidence, ...finding }: Finding): boolean {
  // It is named later, as a rule by its page or by what its value names.
  const root = ROOT_BYTES + Math.min(MAX_ROOT_NAME, Math.max(evidence.url.length, evidence.value.length));
  // An example may be rewritten with the page's address.
  const bytes = weightOf(finding) + weightOf(evidence) + 2 * evidence.url.length + root;
  if (bytes > room.own + room.shared) return false;
  const own = Math.min(room.own, bytes);
  room.own -= own;
  room.shared -= bytes - own;
  return true;
}

/** Pure: the same crawl gives the same findings with the same ids, in the order of the checks and pages. */
export function runChecks(
  crawl: Crawl,
  checks: readonly Check[] = CHECKS,
  limits: FindingLimits = FINDING_LIMITS,
): ChecksResult {
  const { findings, outcomes } = atOnce(checking(crawl, checks, limits, () => false));
  return { findings, outcomes };
}

export type CheckRun = SliceClock & {
  /** Clock time, ms, after which the rest is reported as not checked. Default: no limit. */
  readonly endsAt?: number;
  readonly signal?: AbortSignal;
};

/**
 * Same as `runChecks`, in time slices, so that other work proceeds while a large site is checked.
 * @throws the signal's reason when aborted
 */
export async function runChecksInSlices(
  crawl: Crawl,
  run: CheckRun,
  checks: readonly Check[] = CHECKS,
  limits: FindingLimits = FINDING_LIMITS,
): Promise<TimedResult> {
  const { now, signal, endsAt = Number.POSITIVE_INFINITY } = run;
  signal?.throwIfAborted();
  const result = await inSlices(
    checking(crawl, checks, limits, () => now() >= endsAt),
    run,
    () => signal?.aborted === true,
  );
  if (result !== null) return result;
  throw signal?.reason;
}

/** Pauses between pages, and within a page where a check does. */
function* checking(
  crawl: Crawl,
  checks: readonly Check[],
  limits: FindingLimits,
  isOver: () => boolean,
): Pausable<TimedResult> {
  yield* preparing(crawl);
  yield* preparingDeclared(crawl);
  yield* preparingSeries(crawl);
  yield* preparingVersions(crawl);
  yield* preparingTemplates(crawl);
  yield* preparingFacts(crawl);
  let cutShort = false;
  const isLate = (): boolean => {
    cutShort ||= isOver();
    return cutShort;
  };
  const findings: Finding[] = [];
  const outcomes: CheckOutcome[] = [];
  const own = limits.bytes * OWN_SHARE;
  const room: Room = { shared: Math.max(0, limits.bytes - own * checks.length), own: 0 };
  for (const check of checks) {
    room.own = own;
    const tally: Tally = {
      looked: 0,
      partly: 0,
      failed: 0,
      notChecked: 0,
      omitted: 0,
      findings: [],
      ids: new Set(),
      limits,
      room,
      crawl,
    };
    let error: string | null = null;
    try {
      if (check.scope === 'site') yield* runOnSite(check, crawl, tally, isLate);
      else yield* runOnPages(check, crawl, tally, isLate);
      findings.push(...tally.findings);
    } catch (thrown) {
      error = thrown instanceof Error ? thrown.message : String(thrown);
    }
    const outcome = outcomeOf(check, tally, error);
    const because = outcome.state === 'not_checked' ? whyNotOfPart(check.id, crawl) : null;
    outcomes.push(because === null ? outcome : { ...outcome, because });
  }
  return { findings, outcomes, cutShort };
}

function outcomeOf(check: Check, tally: Tally, error: string | null): CheckOutcome {
  const { looked, partly, failed, notChecked, omitted } = tally;
  if (error !== null) return { checkId: check.id, state: 'error', looked: 0, failed: 0, notChecked, omitted: 0, error };
  const state = failed > 0 ? 'failed' : looked > partly ? 'passed' : notChecked > 0 ? 'not_checked' : 'not_applicable';
  return { checkId: check.id, state, looked, failed, notChecked, omitted, error: null };
}

function* runOnSite(check: SiteCheck, crawl: Crawl, tally: Tally, isLate: () => boolean): Pausable<void> {
  yield;
  const applies = isLate() ? null : yield* answerTo(check.appliesTo(crawl), isLate);
  if (applies === false) return;
  const isGathered =
    applies && whyNotOfPart(check.id, crawl) === null && (yield* answerTo(check.gathered?.(crawl), isLate));
  const found = isGathered ? yield* faultsOf(check.run(crawl), isLate) : null;
  if (found === null) tally.notChecked += 1;
  else yield* record(check, found, () => check.complete?.(crawl), tally, isLate);
}

function* runOnPages(
  check: PageCheck | AnswerCheck,
  crawl: Crawl,
  tally: Tally,
  isLate: () => boolean,
): Pausable<void> {
  for (const page of crawl.pages) {
    if (check.scope === 'page' && !hasFacts(page)) continue;
    yield;
    if (isLate()) tally.notChecked += 1;
    else if (!check.appliesTo(page, crawl)) continue;
    else if (check.gathered?.(page, crawl) === false) tally.notChecked += 1;
    else {
      const found = yield* faultsOf(check.run(page as HtmlPage, crawl), isLate);
      if (found === null) tally.notChecked += 1;
      else yield* record(check, found, () => check.complete?.(page, crawl), tally, isLate);
    }
  }
}

/** True for a question that the check does not have; null if time ran out first. */
function* answerTo(answered: Answered | undefined, isLate: () => boolean): Pausable<boolean | null> {
  return typeof answered === 'object' ? yield* inTime(answered, isLate) : answered !== false;
}

/** Null if time ran out first. */
function* faultsOf(found: Found, isLate: () => boolean): Pausable<ListedFaults | null> {
  const faults = 'next' in found ? yield* inTime(found, isLate) : found;
  return faults === null || 'faults' in faults ? faults : { faults, unlisted: 0 };
}

function* inTime<T>(work: Pausable<T>, isLate: () => boolean): Pausable<T | null> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield;
    if (isLate()) return null;
  }
}

function hasFacts(page: CrawledPage): page is HtmlPage {
  return page.facts !== null;
}

/** There may be very many faults. */
function* record(
  check: Check,
  found: ListedFaults,
  isComplete: () => Answered | undefined,
  tally: Tally,
  isLate: () => boolean,
): Pausable<void> {
  const faults = yield* distinct(found.faults);
  tally.looked += 1;
  // The rest of a page may have more faults; of a site, one is enough to judge it.
  if ((faults.length === 0 || check.scope !== 'site') && !(yield* answerTo(isComplete(), isLate))) {
    tally.notChecked += 1;
    if (faults.length === 0) tally.partly += 1;
  }
  if (faults.some((fault) => !isOptional(check, fault))) tally.failed += 1;
  const limit = check.scope === 'site' ? tally.limits.check : tally.limits.page;
  const room = Math.min(limit, tally.limits.check - tally.findings.length);
  let kept = 0;
  for (const fault of faults.slice(0, Math.max(0, room))) {
    const finding = findingOf(check, fault, tally);
    if (!takeRoom(tally.room, finding)) break;
    tally.ids.add(finding.id);
    tally.findings.push(finding);
    kept += 1;
    yield;
  }
  tally.omitted += faults.length - kept + found.unlisted;
}

const isOptional = (check: Check, fault: Fault): boolean => isFoundation(check) || (fault.hint ?? check.hint);

/** Drops identical faults at the same place, such as a logo shown three times on one page. */
function* distinct(faults: readonly Fault[]): Pausable<readonly Fault[]> {
  if (faults.length < 2) return faults;
  const byKey = new Map<string, Fault>();
  for (const fault of faults) {
    const key = faultKey(fault);
    if (!byKey.has(key)) byKey.set(key, fault);
    yield;
  }
  return [...byKey.values()];
}

function findingOf(check: Check, fault: Fault, { ids, crawl }: Tally): Finding {
  let id = stableId([check.id, fault.evidence.url, fault.evidence.place]);
  for (let repeat = 2; ids.has(id); repeat += 1)
    id = stableId([check.id, fault.evidence.url, fault.evidence.place, String(repeat)]);
  return {
    id,
    checkId: check.id,
    category: check.category,
    impact: fault.impact ?? check.impact,
    hint: isOptional(check, fault),
    message: excerpt(visibleText(readableText(fault.message ?? check.title)), THRESHOLDS.messageLength),
    evidence: {
      ...fault.evidence,
      place: placeSeen(fault, crawl),
      value: excerpt(visibleText(fault.evidence.value), THRESHOLDS.evidenceLength),
    },
    ...codeOf(fault, crawl),
  };
}

/** Not a part of it, which would be wrong. */
function codeOf({ snippet, evidence }: Fault, crawl: Crawl): Pick<Finding, 'code' | 'edit'> {
  if (snippet == null || snippet.text.length > THRESHOLDS.codeLength || snippet.at.length > LONGEST_PLACE)
    return { code: null };
  if (
    isMarkup(snippet) &&
    !canTake(snippet, siteIndex(crawl).answerOf(snippet.on ?? evidence.url)?.page ?? null, crawl)
  )
    return { code: null };
  const { text, ...edit } = snippet;
  return { code: text, edit };
}

const isMarkup = ({ edits }: Snippet): boolean => edits === 'head' || edits === 'element';

/**
 * Code is written as HTML, which would end a page that is sent as XML; areas of an image map are no links of their own;
 * the beginning of an address may be that of others, too; and a part of a frameset is no page to work on.
 */
function canTake({ text, at }: Snippet, page: CrawledPage | null, crawl: Crawl): boolean {
  const isArea = text.startsWith('<a ') && /(?:^|[\s>])area\b[^\s>]*$/.test(at);
  const isCut = /\[(?:href|src)\^=/.test(at);
  return page?.facts?.xmlError === undefined && !isArea && !isCut && !isFramed(page, crawl);
}

const isFramed = (page: CrawledPage | null, crawl: Crawl): boolean =>
  page !== null && [page.url, page.outcome.url].some((url) => siteIndex(crawl).framed.has(addressKey(url)));

function stableId(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}
