/** Rewrites catalog examples with the audited site's own addresses, links and names. */

import type { Finding } from '../../model/findings.ts';
import { parseUrl } from '../../model/parseUrl.ts';
import type { CheckMeta } from '../checks/check.ts';
import type { Crawl } from '../crawl/site.ts';
import { OWN_EXAMPLES, type OwnSite, ownSite } from './ownExamples.ts';

/**
 * Replaces a check's unchanged catalog example with code written for the site. Code that a check wrote for the page is
 * kept; an example that would say nothing true about the site is dropped.
 */
export function withOwnCode(findings: readonly Finding[], checks: readonly CheckMeta[], crawl: Crawl): Finding[] {
  const examples = new Map(checks.map((check) => [check.id, check.codeExample]));
  const site = ownSite(crawl);
  return findings.map((finding) => {
    const example = examples.get(finding.checkId) ?? null;
    return example === null || finding.code !== example
      ? finding
      : { ...finding, code: ownCode(finding, example, site) };
  });
}

function ownCode(finding: Finding, example: string, site: OwnSite): string | null {
  const write = OWN_EXAMPLES[finding.checkId];
  return write === undefined ? withOwnAddresses(example, finding.evidence.url, site) : write(finding, site);
}

/**
 * Replaces `example.com` with the site. Crawl addresses are normalized, so they cannot end an attribute or a string.
 */
function withOwnAddresses(example: string, page: string, { origin, host }: OwnSite): string {
  const address = parseUrl(page)?.href.replace(/["'<>\\]/g, encodeURIComponent) ?? origin;
  return example
    .replace(/https:\/\/example\.com\/(?:this-)?page\b/g, () => address)
    .replace(/https:\/\/example\.com/g, () => origin)
    .replace(/\bexample\.com\b/g, () => host);
}
