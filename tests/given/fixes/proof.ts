/** Applies the code of a finding and audits the site again: what has become of the finding, and what else has. */
import type { AuditResult } from '../../../src/audit/audit.ts';
import { type Finding, IMPACTS } from '../../../src/model/findings.ts';
import { applyFix, fixOf } from './applyFix.ts';
import { auditBytes, type GivenSite } from './siteBytes.ts';

/** The site is changed as a whole, not one page. */
const OF_SITE: ReadonlySet<string> = new Set(['robots.txt', 'sitemap', 'file', 'server']);

/** Null if it is proved; else why not. */
export async function disproof(site: GivenSite, before: AuditResult, finding: Finding): Promise<string | null> {
  const fix = fixOf(finding);
  if (fix === null) return 'It has no code.';
  let changed: GivenSite['bytes'];
  try {
    changed = applyFix(site.bytes, fix);
  } catch (error) {
    return `It cannot be applied: ${error instanceof Error ? error.message : error}`;
  }
  const after = await auditBytes(site.start, changed);
  const still = after.findings.find((other) => placeOf(other) === placeOf(finding));
  if (still !== undefined) return `It is still there: ${still.message}`;
  const [worse] = worsened(before, after, OF_SITE.has(fix.edits) ? null : fix.url, finding.checkId);
  return worse === undefined ? null : `New or worse: ${worse.checkId} on ${worse.evidence.url}: ${worse.message}`;
}

const placeOf = ({ checkId, evidence }: Finding): string => `${checkId} ${evidence.url} ${evidence.place}`;

/**
 * Findings that were not there, or are of higher impact than before: on one page, or anywhere. What was said of pages
 * that were not audited before says nothing. Of the fixed check itself, others may be listed only as far as the total
 * has fallen.
 */
function worsened(before: AuditResult, after: AuditResult, page: string | null, fixed: string): readonly Finding[] {
  const audited = new Set(
    before.crawl.pages.filter(({ facts }) => facts !== null).flatMap(({ url, outcome }) => [url, outcome.url]),
  );
  const known = new Map<string, number>();
  for (const finding of before.findings) known.set(placeOf(finding), rankOf(finding));
  const fewer = totalOf(after, fixed) < totalOf(before, fixed);
  return after.findings.filter((finding) => {
    const { url } = finding.evidence;
    if (page !== null ? url !== page : isPage(url, after) && !audited.has(url)) return false;
    if (finding.checkId === fixed && fewer) return false;
    const rank = known.get(placeOf(finding));
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
