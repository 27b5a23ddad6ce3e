/** Rewrites catalog examples with the audited site's own addresses, links and names. */

import type { Finding } from '../../model/findings.ts';
import { parseUrl } from '../../model/parseUrl.ts';
import type { CheckMeta } from '../checks/check.ts';
import type { Crawl } from '../crawl/site.ts';
import { atOnce, type Pausable } from '../timeSlices.ts';
import { OWN_EXAMPLES, type OwnSite, ownSite } from './ownExamples.ts';

/**
 * Replaces a check's unchanged catalog example with code written for the site. Code that a check wrote for the page is
 * kept; an example that would say nothing true about the site is dropped.
 */
export function withOwnCode(findings: readonly Finding[], checks: readonly CheckMeta[], crawl: Crawl): Finding[] {
  return atOnce(writingOwnCode(findings, checks, crawl));
}

/** The same, pausing between findings. Once it is late, the remaining examples are dropped. */
export function* writingOwnCode(
  findings: readonly Finding[],
  checks: readonly CheckMeta[],
  crawl: Crawl,
  isLate: () => boolean = () => false,
): Pausable<Finding[]> {
  const examples = new Map(checks.map((check) => [check.id, check.codeExample]));
  const site = ownSite(crawl);
  const written: Finding[] = [];
  for (const finding of findings) {
    yield;
    const example = examples.get(finding.checkId) ?? null;
    if (example === null || finding.code !== example) written.push(finding);
    else written.push({ ...finding, code: isLate() ? null : yield* ownCode(finding, example, site) });
  }
  return written;
}

function* ownCode(finding: Finding, example: string, site: OwnSite): Pausable<string | null> {
  const write = OWN_EXAMPLES[finding.checkId];
  if (write === undefined) return withOwnAddresses(example, finding.evidence.url, site);
  const code = write(finding, site);
  return typeof code === 'string' || code === null ? code : yield* code;
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
