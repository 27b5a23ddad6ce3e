/** Examples of the catalogue, rewritten with what the audited site itself says: its addresses, its links, its names. */
import type { Finding } from '../../model/findings.ts';
import type { CheckMeta } from '../checks/check.ts';
import type { Crawl } from '../crawl/site.ts';
import { OWN_EXAMPLES, type OwnSite, ownSite } from './ownExamples.ts';

/**
 * The findings with code made from the site wherever a check gave its example as it stands in the catalogue. Code that a check wrote for the
 * page itself is left as it is; an example that would say nothing true about this site is left out.
 */
export function withOwnCode(findings: readonly Finding[], checks: readonly CheckMeta[], crawl: Crawl): Finding[] {
  const examples = new Map(checks.map((check) => [check.id, check.codeExample]));
  const site = ownSite(crawl);
  return findings.map((finding) => {
    const example = examples.get(finding.checkId) ?? null;
    return example === null || finding.code !== example ? finding : { ...finding, code: ownCode(finding, example, site) };
  });
}

function ownCode(finding: Finding, example: string, site: OwnSite): string | null {
  const write = OWN_EXAMPLES[finding.checkId];
  return write === undefined ? withOwnAddresses(example, finding.evidence.url, site) : write(finding, site);
}

/** `example.com` becomes the site. Addresses of the crawl are normalised: nothing in them can end an attribute or a string. */
function withOwnAddresses(example: string, page: string, { origin, host }: OwnSite): string {
  const address = URL.canParse(page) ? new URL(page).href.replace(/["'<>\\]/g, encodeURIComponent) : origin;
  return example
    .replace(/https:\/\/example\.com\/(?:this-)?page\b/g, () => address)
    .replace(/https:\/\/example\.com/g, () => origin)
    .replace(/\bexample\.com\b/g, () => host);
}
