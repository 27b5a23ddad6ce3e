/** Why a job had to end without a report, in words for its owner. */
import { asksToWait, readRetryAfter } from '../audit/crawl/pace.ts';
import type { Crawl, FetchOutcome } from '../audit/crawl/site.ts';
import { standingOf } from '../audit/judged.ts';
import type { FetchFailure } from '../model/fetching.ts';

/** Ends the job as failed, with a reason that its owner reads. Any other exception is a bug and is retried. */
export class JobStopped extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'JobStopped';
    this.code = code;
  }
}

/** Each says what happened and what to do about it. */
const FAILURE_TEXTS: Record<FetchFailure, string> = {
  blocked: 'This address is not on the public internet, so it cannot be audited. Your administrator can allow it.',
  bad_url: 'This address can’t be opened. Check the spelling.',
  dns: 'The host name was not found. Check the spelling of the address.',
  refused: 'The server refused the connection. Check that the site is up, and whether it is reached by http or https.',
  reset: 'The server closed the connection. It may be busy or block crawlers. Try again later, or ask whoever runs it.',
  tls: 'No secure connection could be made: there is a problem with the certificate or TLS. Fix it, or enter the http:// address.',
  timeout: 'The server did not answer in time. Try again when it is less busy.',
  too_many_redirects: 'The address redirects too many times. Submit the final address.',
  redirect_loop: 'The address redirects in a loop. Fix the redirect, or submit another address of the site.',
  bad_redirect:
    'The address redirects to an address that can’t be opened. Fix the redirect, or submit another address of the site.',
  too_large: 'The home page is too large to audit. Submit another address of the site.',
  bad_encoding:
    'The compression of the home page can’t be read. Fix the compression, or submit another address of the site.',
  bad_response:
    'The server’s answer is not valid HTTP, or arrives in too many tiny pieces. Check that a web server answers at this address.',
  aborted: 'The request was stopped. Run it again.',
};

/** Why a crawl cannot be reported on; null if it has an HTML page, or if its having none says enough. */
export function whyNothingToAudit(crawl: Crawl): JobStopped | null {
  if (crawl.pages.some(({ facts }) => facts !== null) || standingOf(crawl).kind !== 'unread') return null;
  const start = crawl.pages[0];
  if (!start) return new JobStopped('SITE_EMPTY', 'The site has no page that can be audited.');
  if (start.robotsBlocked) return robotsStop(crawl.discovery.robots.outcome);
  return outcomeStop(start.outcome);
}

/** Another try would end the same way. */
export function tooCostly(): JobStopped {
  return new JobStopped(
    'SITE_TOO_COSTLY',
    'Checking this site took more time or memory than an audit may use. Audit a smaller part of it, or ask your administrator for larger limits.',
  );
}

function robotsStop(outcome: FetchOutcome): JobStopped {
  if (outcome.failure || (outcome.status ?? 0) >= 500) {
    return new JobStopped(
      'ROBOTS_UNREACHABLE',
      `The site’s robots.txt could not be read (${outcome.failure ? 'no answer' : `HTTP ${outcome.status}`}), so crawlers must stay away.${
        asksToWait(outcome) ? ` ${waitAskedFor(outcome)} Try again later.` : ''
      }`,
    );
  }
  return new JobStopped(
    'ROBOTS_FORBIDDEN',
    'The site’s robots.txt blocks crawlers from this address. Allow it there, then submit the address again.',
  );
}

function outcomeStop(outcome: FetchOutcome): JobStopped {
  if (outcome.failure === 'aborted' && outcome.message) {
    return new JobStopped(
      'TIME_LIMIT',
      `${outcome.message} Try again when the site is less busy, or ask your administrator for a longer time limit.`,
    );
  }
  if (outcome.failure) return new JobStopped(`SITE_${outcome.failure.toUpperCase()}`, FAILURE_TEXTS[outcome.failure]);
  const status = outcome.status ?? 0;
  if (status >= 400) {
    return new JobStopped(
      'SITE_HTTP_ERROR',
      `The address answers with HTTP ${status}, so there is no page to audit. ${asksToWait(outcome) ? `${waitAskedFor(outcome)} ` : ''}${adviceOnStatus(status)}`,
    );
  }
  if (outcome.bytes === 0)
    return new JobStopped('SITE_EMPTY', 'The address answers with an empty page. Try again when it has content.');
  return new JobStopped(
    'SITE_NOT_HTML',
    `${outcome.message ?? 'The address does not answer with an HTML page.'} Submit the address of a page.`,
  );
}

/** Only what was understood of the header: it is text from the site. */
function waitAskedFor({ headers }: Partial<Pick<FetchOutcome, 'headers'>>): string {
  const read = readRetryAfter(headers?.['retry-after']?.[0] ?? '');
  if (read === null) return 'It asks crawlers to wait.';
  if ('seconds' in read)
    return read.seconds === 1
      ? 'It asks crawlers to wait a second.'
      : `It asks crawlers to wait ${read.seconds} seconds.`;
  return `It asks crawlers to wait until ${new Date(read.at).toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
}

function adviceOnStatus(status: number): string {
  if (status >= 500) return 'Try again later.';
  return 'Check the spelling of the address.';
}
