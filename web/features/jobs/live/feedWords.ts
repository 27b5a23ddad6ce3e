/** Words for what is seen of one answer, and the rows of the result that have the same. */
import { OBSERVATIONS, type Observation } from '../../../../src/model/liveFeed.ts';

export const OBSERVATION_NAMES: Readonly<Record<Observation, string>> = {
  no_answer: 'No answer',
  server_error: '5xx',
  client_error: '4xx',
  redirect: 'Redirects',
  robots: 'Robots.txt',
  not_html: 'No HTML',
  noindex: 'Noindex',
  no_title: 'No title',
  no_description: 'No description',
  no_h1: 'No H1',
};

/** As the list of pages names its filters: the address stays right when the result is there. */
const FILTERS: Readonly<Record<Observation, Readonly<Record<string, string>>>> = {
  no_answer: { status: 'none', indexability: 'error' },
  server_error: { status: '5xx', indexability: 'error' },
  client_error: { status: '4xx', indexability: 'error' },
  redirect: { indexability: 'redirect' },
  robots: { indexability: 'robots' },
  not_html: { indexability: 'not_html' },
  noindex: { indexability: 'noindex' },
  no_title: { missing: 'title' },
  no_description: { missing: 'description' },
  no_h1: { missing: 'h1' },
};

/** Null: all addresses. */
export const filterAddress = (name: Observation | null): string =>
  name === null ? '?' : `?${new URLSearchParams({ tab: 'pages', ...FILTERS[name] })}`;

export const chosenIn = (search: URLSearchParams): Observation | null =>
  OBSERVATIONS.find((name) => Object.entries(FILTERS[name]).every(([filter, value]) => search.get(filter) === value)) ??
  null;

/** Why there was no answer, in a word or two. */
const FAILURE_NAMES: Readonly<Record<string, string>> = {
  blocked: 'not a public address',
  bad_url: 'not a valid address',
  dns: 'host not found',
  refused: 'connection refused',
  reset: 'connection closed',
  tls: 'no secure connection',
  timeout: 'no answer in time',
  too_many_redirects: 'too many redirects',
  redirect_loop: 'redirects in a loop',
  bad_redirect: 'redirects nowhere',
  too_large: 'too large',
  bad_encoding: 'can’t be decompressed',
  bad_response: 'not valid HTTP',
  aborted: 'stopped',
};

/** Beside the status, in lower case: what the status itself does not say. */
export function seenWords(saw: readonly Observation[], failure: string | null): readonly string[] {
  return saw.flatMap((name) => {
    if (name === 'client_error' || name === 'server_error') return [];
    if (name === 'no_answer') return [FAILURE_NAMES[failure ?? ''] ?? 'no answer'];
    return name === 'robots' ? ['not asked: robots.txt'] : [SEEN[name]];
  });
}

const SEEN: Readonly<Record<Exclude<Observation, 'client_error' | 'server_error' | 'no_answer' | 'robots'>, string>> = {
  redirect: 'redirects',
  not_html: 'no HTML',
  noindex: 'noindex',
  no_title: 'no title',
  no_description: 'no description',
  no_h1: 'no H1',
};
