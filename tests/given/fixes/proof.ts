/** Applies the code of findings and audits the site again: what has become of the findings, and what else has. */
import { setImmediate } from 'node:timers/promises';
import type { AuditResult } from '../../../src/audit/audit.ts';
import { isIndexable } from '../../../src/audit/checks/applies.ts';
import { type Finding, IMPACTS } from '../../../src/model/findings.ts';
import { applyFixes, type Fix, fixOf } from './applyFix.ts';
import { lossIn } from './losses.ts';
import { auditBytes, type GivenSite } from './siteBytes.ts';

/** The site is changed as a whole, not one page. */
const OF_SITE: ReadonlySet<string> = new Set(['robots.txt', 'sitemap', 'file', 'server']);

/** Null if the code of all of them, applied at once, is proved; else why not. */
export async function disproof(
  site: GivenSite,
  before: AuditResult,
  findings: readonly Finding[],
): Promise<string | null> {
  const fixes = findings.flatMap((finding) => fixOf(finding) ?? []);
  if (fixes.length < findings.length) return 'It has no code.';
  let changed: GivenSite['bytes'];
  try {
    changed = applyFixes(site.bytes, fixes);
  } catch (error) {
    return `It cannot be applied: ${error instanceof Error ? error.message : error}`;
  }
  // Only between turns of the event loop is the memory of documents free again.
  await setImmediate();
  const loss = lossIn(site.bytes, changed, findings);
  if (loss !== null) return loss;
  const after = await auditBytes(site.start, changed);
  const keyOf = keysIn(before);
  const placeOf = placesAfter(fixes, keyOf);
  const fixed = new Set(findings.map(keyOf));
  const still = after.findings.find((other) => fixed.has(placeOf(other)));
  if (still !== undefined) return `It is still there: ${still.checkId} on ${still.evidence.url}: ${still.message}`;
  const pages = new Set(fixes.map(({ edits, url }) => (OF_SITE.has(edits) ? null : url)));
  const [page = null] = pages.size === 1 ? pages : [];
  const [worse] = worsened(before, after, page, {
    keyOf,
    placeOf,
    checks: new Set(findings.map(({ checkId }) => checkId)),
  });
  return worse === undefined ? null : `New or worse: ${worse.checkId} on ${worse.evidence.url}: ${worse.message}`;
}

/** What is applied together: all code of one page, all of the site's own files and answers, and all that there is. */
export function together(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const fix = fixOf(finding);
    if (fix === null) continue;
    const key = OF_SITE.has(fix.edits) ? 'files' : fix.url;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  const all = [...groups.values()];
  return [...all, ...(all.length > 1 ? [all.flat()] : [])].filter(({ length }) => length > 1);
}

type KeyOf = (finding: Finding) => string;

const placed = ({ checkId, evidence }: Finding): string => `${checkId} ${evidence.url} ${evidence.place}`;

/** By place; of several in one place, such as bots in a group, also by value. */
function keysIn({ findings }: AuditResult): KeyOf {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const key of findings.map(placed)) (seen.has(key) ? shared : seen).add(key);
  return (finding) => (shared.has(placed(finding)) ? `${placed(finding)} ${finding.evidence.value}` : placed(finding));
}

/** Links are placed by their addresses: one that was given another is still the same link. */
function placesAfter(fixes: readonly Fix[], keyOf: KeyOf): KeyOf {
  const renamed = new Map<string, string>();
  for (const { url, at, text } of fixes) {
    const [, area, name] = /^(\S* ?)a\[(href)[\^]?="/.exec(at) ?? [];
    const value = /^<a\s[^>]*?href="([^"]*)"/.exec(text)?.[1]?.replace(/&amp;/g, '&');
    if (name !== undefined && value !== undefined) renamed.set(`${url} ${area}a[${name}="${value}"]`, at);
  }
  return (finding) => {
    const { url, place } = finding.evidence;
    const at = renamed.get(`${url} ${place}`);
    return keyOf(at === undefined ? finding : { ...finding, evidence: { ...finding.evidence, place: at } });
  };
}

type Fixed = { readonly keyOf: KeyOf; readonly placeOf: KeyOf; readonly checks: ReadonlySet<string> };

/**
 * Findings that were not there, or are of higher impact than before: on one page, or anywhere. Anywhere, what is said of
 * pages says nothing if they were not audited before, or were of no use to search engines. Of a fixed check itself, others may be listed only as far as its total
 * has fallen.
 */
function worsened(
  before: AuditResult,
  after: AuditResult,
  page: string | null,
  { keyOf, placeOf, checks }: Fixed,
): readonly Finding[] {
  const audited = new Set(
    before.crawl.pages
      .filter((one) => isIndexable(one, before.crawl))
      .flatMap(({ url, outcome }) => [url, outcome.url]),
  );
  const known = new Map<string, number>();
  for (const finding of before.findings) known.set(keyOf(finding), rankOf(finding));
  const fewer = new Set([...checks].filter((check) => totalOf(after, check) < totalOf(before, check)));
  return after.findings.filter((finding) => {
    const { url } = finding.evidence;
    if (page !== null ? url !== page : isPage(url, after) && !audited.has(url)) return false;
    if (fewer.has(finding.checkId)) return false;
    const rank = known.get(placeOf(finding)) ?? known.get(keyOf(finding));
    return rank === undefined || rankOf(finding) < rank;
  });
}

const isPage = (url: string, { crawl }: AuditResult): boolean =>
  crawl.pages.some((page) => page.url === url || page.outcome.url === url);

/** 0 for high impact; what is optional comes last. */
const rankOf = ({ impact, hint }: Finding): number => (hint ? IMPACTS.length : IMPACTS.indexOf(impact));

function totalOf({ findings, outcomes }: AuditResult, checkId: string): number {
  const listed = findings.filter((finding) => finding.checkId === checkId).length;
  return listed + (outcomes.find((outcome) => outcome.checkId === checkId)?.omitted ?? 0);
}
