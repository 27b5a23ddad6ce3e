/** What a page alone shows as soon as it was read, before any check has run. Pure. */
import { FEED_ADDRESS, type Observation, type ReadAddress } from '../../model/liveFeed.ts';
import { blockingHeader, blockingMeta } from '../checks/lookups/directives.ts';
import type { CrawledPage } from '../crawl/site.ts';
import type { PageFacts } from '../facts/pageFacts.ts';
import { isMoved } from '../links/linkTable.ts';
import { hideSecrets } from './hideSecrets.ts';
import { textsOf } from './pageTexts.ts';

/** Of an address, before secrets are looked for: more of it is never shown. */
const LOOKED_AT = 2_000;

/** `at`: when the crawl began, UTC ISO. */
export function readAddress(page: CrawledPage, at: string): ReadAddress {
  const { outcome, facts } = page;
  const status = (isMoved(page) ? outcome.hops[0]?.status : null) ?? outcome.status;
  return {
    url: shown(page.url),
    status,
    ms: outcome.status === null ? null : Math.round(outcome.totalMs),
    words: facts?.wordCount ?? null,
    saw: seenIn(page, at),
    failure: outcome.failure,
  };
}

function shown(url: string): string {
  const text = hideSecrets(url.slice(0, LOOKED_AT));
  return text.length > FEED_ADDRESS ? `${text.slice(0, FEED_ADDRESS - 1)}…` : text;
}

function seenIn(page: CrawledPage, at: string): readonly Observation[] {
  const { outcome, facts } = page;
  if (page.robotsBlocked) return ['robots'];
  if (isMoved(page)) return ['redirect'];
  if (outcome.status === null) return ['no_answer'];
  if (outcome.status >= 500) return ['server_error'];
  if (outcome.status >= 400) return ['client_error'];
  return facts === null ? ['not_html'] : missingIn(page, facts, at);
}

/** As the list of pages has it. */
function missingIn(page: CrawledPage, facts: PageFacts, at: string): readonly Observation[] {
  const { title, description, h1 } = textsOf(facts);
  const begun = { coverage: { startedAt: at } };
  const hidden = blockingMeta(page, 'Googlebot', begun) ?? blockingHeader(page, 'Googlebot', begun);
  return [
    ...(hidden === null ? [] : ['noindex' as const]),
    ...(title === '' ? ['no_title' as const] : []),
    ...(description.trim() === '' ? ['no_description' as const] : []),
    ...(h1.trim() === '' ? ['no_h1' as const] : []),
  ];
}
