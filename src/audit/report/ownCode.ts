/** Writes code that no check writes itself: from addresses, rules and texts of the audited site. */

import type { Finding } from '../../model/findings.ts';
import type { Crawl } from '../crawl/site.ts';
import { atOnce, type Pausable } from '../timeSlices.ts';
import { OWN_CODE, ownSite } from './ownExamples.ts';

/** Code that a check wrote is kept. */
export function withOwnCode(findings: readonly Finding[], crawl: Crawl): Finding[] {
  return atOnce(writingOwnCode(findings, crawl));
}

/** The same, pausing between findings. Once it is late, no more is written. */
export function* writingOwnCode(
  findings: readonly Finding[],
  crawl: Crawl,
  isLate: () => boolean = () => false,
): Pausable<Finding[]> {
  const site = ownSite(crawl);
  const written: Finding[] = [];
  for (const finding of findings) {
    yield;
    const write = finding.code === null && !isLate() ? OWN_CODE[finding.checkId] : undefined;
    const code = write?.(finding, site) ?? null;
    written.push(code === null ? finding : { ...finding, code: typeof code === 'string' ? code : yield* code });
  }
  return written;
}
