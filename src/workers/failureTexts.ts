/** Why a job had to end without a report, in words for the person who submitted it. */
import type { FetchFailure } from '../audit/crawl/fetcher.ts';
import type { Crawl, FetchOutcome } from '../audit/crawl/site.ts';

/** Ends the job as failed, with a reason that its owner reads. Anything else that is thrown is a fault of ours and is tried again. */
export class JobStopped extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'JobStopped';
    this.code = code;
  }
}

const FAILURE_TEXTS: Record<FetchFailure, string> = {
  blocked: 'This address is not on the public internet, so it cannot be audited.',
  bad_url: 'This address cannot be opened.',
  dns: 'The host name was not found. Check the spelling of the address.',
  refused: 'The server refused the connection.',
  reset: 'The server broke off the connection.',
  tls: 'No secure connection could be made: there is a problem with the certificate or TLS.',
  timeout: 'The server did not answer in time.',
  too_many_redirects: 'The address redirects too many times.',
  redirect_loop: 'The address redirects in a circle.',
  bad_redirect: 'The address redirects to something that cannot be opened.',
  too_large: 'The start page is too large to be audited.',
  bad_encoding: 'The start page is compressed in a way that cannot be read.',
  bad_response: 'The server’s answer is not valid HTTP.',
  aborted: 'The request was stopped.',
};

/** What keeps a crawl from being reported on; null when there is at least one HTML page. */
export function whyNothingToAudit(crawl: Crawl): JobStopped | null {
  if (crawl.pages.some((page) => page.facts !== null)) return null;
  const start = crawl.pages[0];
  if (!start) return new JobStopped('SITE_EMPTY', 'The site has no page that can be audited.');
  if (start.robotsBlocked) return robotsStop(crawl.discovery.robots.outcome);
  return outcomeStop(start.outcome);
}

function robotsStop(outcome: FetchOutcome): JobStopped {
  if (outcome.failure || outcome.status === 429 || (outcome.status ?? 0) >= 500) {
    return new JobStopped(
      'ROBOTS_UNREACHABLE',
      `The site’s robots.txt could not be read (${outcome.failure ? 'no answer' : `HTTP ${outcome.status}`}), and while that is so crawlers must stay away.`,
    );
  }
  return new JobStopped('ROBOTS_FORBIDDEN', 'The site’s robots.txt forbids crawlers to fetch this address. Allow it there and submit the address again.');
}

function outcomeStop(outcome: FetchOutcome): JobStopped {
  if (outcome.failure) return new JobStopped(`SITE_${outcome.failure.toUpperCase()}`, FAILURE_TEXTS[outcome.failure]);
  const status = outcome.status ?? 0;
  if (status >= 400) return new JobStopped('SITE_HTTP_ERROR', `The address answers with HTTP ${status}, so there is no page to audit.`);
  if (outcome.bytes === 0) return new JobStopped('SITE_EMPTY', 'The address answers with an empty page.');
  return new JobStopped('SITE_NOT_HTML', outcome.message ?? 'The address does not answer with an HTML page.');
}
