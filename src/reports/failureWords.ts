/** Short texts for the codes with which audits fail and work is given up. The texts for owners also say what to do. */
import type { FetchFailure } from '../model/fetching.ts';

const OF_SITES: Readonly<Record<`SITE_${Uppercase<FetchFailure>}`, string>> = {
  SITE_BLOCKED: 'The address is not on the public internet',
  SITE_BAD_URL: 'The address cannot be opened',
  SITE_DNS: 'The host name was not found',
  SITE_REFUSED: 'The server refused the connection',
  SITE_RESET: 'The server closed the connection',
  SITE_TLS: 'No secure connection could be made',
  SITE_TIMEOUT: 'The server did not answer in time',
  SITE_TOO_MANY_REDIRECTS: 'The address redirects too many times',
  SITE_REDIRECT_LOOP: 'The address redirects in a circle',
  SITE_BAD_REDIRECT: 'The address redirects to something that cannot be opened',
  SITE_TOO_LARGE: 'The home page is too large',
  SITE_BAD_ENCODING: 'The home page is compressed in a way that cannot be read',
  SITE_BAD_RESPONSE: 'The answer is not valid HTTP',
  SITE_ABORTED: 'The request was stopped',
};

const WORDS: Readonly<Record<string, string>> = {
  ...OF_SITES,
  TIME_LIMIT: 'The time limit was reached before a page could be read',
  SITE_TOO_COSTLY: 'Checking the site took more time or memory than there is for it',
  SITE_EMPTY: 'There is no page to audit, or an empty one',
  SITE_HTTP_ERROR: 'The address answers with an error',
  SITE_NOT_HTML: 'The address does not answer with an HTML page',
  ROBOTS_UNREACHABLE: 'The site’s robots.txt could not be read',
  ROBOTS_FORBIDDEN: 'The site’s robots.txt forbids it',
  INTERNAL: 'A fault of ours, several times; or an operator stopped it',
  GIVEN_UP: 'A fault of ours, several times; or an operator stopped it',
  JOB_NOT_FOUND: 'The audit was deleted',
  JOB_NOT_FINISHED: 'The audit had not finished',
  ANALYSIS_WITHOUT_RESULT: 'The audit ended without a result',
  ANALYSIS_TOO_OLD: 'The audit is too old for it',
  ACTION_NOT_FOUND: 'The action item was gone',
  PLAN_DELETED: 'The audit was deleted',
  given_up: 'Tried several times without success; or an operator dropped it',
  dropped: 'An operator dropped it',
  gone: 'The event was erased',
};

/** Empty if the reason is already in words or the code is unknown. */
export const failureWords = (why: string): string => (Object.hasOwn(WORDS, why) ? (WORDS[why] ?? '') : '');
