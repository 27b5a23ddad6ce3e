/** Why a job ended without a report: what happened, and what to do about it. */
import { describe, expect, it } from 'vitest';
import type { Crawl } from '../../src/audit/crawl/site.ts';
import type { FetchFailure } from '../../src/model/fetching.ts';
import { whyNothingToAudit } from '../../src/workers/failureTexts.ts';

function crawlOf(outcome: object): Crawl {
  return {
    discovery: { robots: { verdict: 'allow_all' } },
    pages: [{ facts: null, robotsBlocked: false, outcome: { status: null, bytes: 10, ...outcome } }],
  } as unknown as Crawl;
}

const FAILURES: Record<FetchFailure, true> = {
  blocked: true,
  bad_url: true,
  dns: true,
  refused: true,
  reset: true,
  tls: true,
  timeout: true,
  too_many_redirects: true,
  redirect_loop: true,
  bad_redirect: true,
  too_large: true,
  bad_encoding: true,
  bad_response: true,
  aborted: true,
};

describe('a site with nothing to audit', () => {
  it.each([
    ...Object.keys(FAILURES).map((failure) => [failure, { failure }] as const),
    ['an empty page', { status: 200, bytes: 0 }] as const,
    ['a picture', { status: 200, message: 'The answer is image/png, not an HTML page.' }] as const,
  ])('because of %s explains what to do', (_, outcome) => {
    const stop = whyNothingToAudit(crawlOf(outcome));
    expect(stop?.message.split(/[.:] /).length).toBeGreaterThanOrEqual(2);
    expect(stop?.message).toMatch(/\.$/);
  });

  it.each([
    [404, 'Check the spelling of the address.'],
    [503, 'Try again later.'],
  ])('because it answers with HTTP %i explains what to do', (status, advice) => {
    const stop = whyNothingToAudit(crawlOf({ status }));
    expect(stop).toMatchObject({ code: 'SITE_HTTP_ERROR', message: expect.stringContaining(advice) });
    expect(stop?.message).toContain(`HTTP ${status}`);
  });

  it.each([401, 403, 429])('is none that turns the crawler away with HTTP %i: it is not scored', (status) => {
    expect(whyNothingToAudit(crawlOf({ status }))).toBeNull();
  });
});
