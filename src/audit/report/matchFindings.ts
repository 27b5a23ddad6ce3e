/**
 * Matches findings of a later audit to those of an earlier one, and tells whether the later one really checked their
 * places. Pure.
 */
import type { CheckOutcome } from '../checks/check.ts';
import { CHECKS } from '../checks/index.ts';
import { RECHECK_NEEDS } from '../checks/recheckNeeds.ts';
import { atOnce, type Pausable } from '../timeSlices.ts';
import type { FindingRecord } from './findingsFormat.ts';

const SCOPES = new Map(CHECKS.map((check) => [check.id, check.scope]));

type Pairs = ReadonlyMap<FindingRecord, FindingRecord>;

/**
 * Matches by id first. The rest are paired one to one by check and page, because a place may have moved: equal values
 * first, and only those if the earlier list was truncated. A finding about the whole site matches wherever it is seen.
 */
export function matchFindings(
  before: readonly FindingRecord[],
  after: readonly FindingRecord[],
  isCut: (checkId: string) => boolean = () => false,
): Pairs {
  return atOnce(matchingFindings(before, after, isCut));
}

/** The same, pausing between findings. */
export function* matchingFindings(
  before: readonly FindingRecord[],
  after: readonly FindingRecord[],
  isCut: (checkId: string) => boolean,
): Pausable<Pairs> {
  const pairs = new Map<FindingRecord, FindingRecord>();
  const byId = new Map(after.map((finding) => [finding.id, finding]));
  for (const finding of before) {
    const same = byId.get(finding.id);
    if (same) pairs.set(finding, same);
  }
  for (const keyOf of [withValue, withPage, withSite]) {
    const taken = new Set(pairs.values());
    const left = new Map<string, FindingRecord[]>();
    for (const finding of after) {
      const key = taken.has(finding) ? null : keyOf(finding);
      const same = key === null ? undefined : left.get(key);
      if (same) same.push(finding);
      else if (key !== null) left.set(key, [finding]);
      yield;
    }
    for (const same of left.values()) same.reverse();
    for (const finding of before) {
      yield;
      const key = pairs.has(finding) || (keyOf !== withValue && isCut(finding.checkId)) ? null : keyOf(finding);
      const same = key === null ? undefined : left.get(key)?.pop();
      if (same) pairs.set(finding, same);
    }
  }
  return pairs;
}

const withPage = ({ checkId, evidence }: FindingRecord): string => `${checkId} ${evidence.url}`;
const withValue = (finding: FindingRecord): string => `${withPage(finding)} ${finding.evidence.value}`;
const withSite = ({ checkId }: FindingRecord): string | null =>
  RECHECK_NEEDS[checkId]?.wholeSite === true ? checkId : null;

/** What a later audit knows about the place of a finding that it did not find again. */
export type PlaceChecked = {
  readonly checkId: string;
  /** Undefined when the check did not run. */
  readonly outcome: Pick<CheckOutcome, 'state' | 'notChecked' | 'omitted'> | undefined;
  /**
   * The finding's page; undefined if it was not requested. `why` is the reason, if known, why it has no content to
   * check.
   */
  readonly page:
    | { readonly status: number | null; readonly audited: boolean; readonly why?: string | null }
    | undefined;
};

/** Null if the place was checked again, else why not, worded as the end of a sentence. */
export function whyNotChecked({ checkId, outcome, page }: PlaceChecked): string | null {
  const scope = SCOPES.get(checkId);
  if (!scope || !outcome) return 'the check did not run this time';
  if (outcome.state === 'error') return 'the check failed this time';
  if (outcome.notChecked > 0) return 'the check could not run everywhere this time';
  if (outcome.omitted > 0) return 'more of these were found this time than are listed';
  if (scope === 'site') return null;
  if (!page) return 'the page was not requested this time';
  if (page.status === null) return page.why ?? 'the page did not answer this time';
  return scope === 'page' && !page.audited ? (page.why ?? 'the page was not an HTML page this time') : null;
}
